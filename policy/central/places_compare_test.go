package central_test

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// compare returns an error if the View differs from the naive one.
func (g *guest) compare(askLocal bool) error {
	for p := range g.parts + 1 {
		if got, want := g.view.Free(p), g.free(p); got != want {
			return fmt.Errorf("%d cores free on partition %d, want %d", got, p, want)
		}
	}
	var open []policy.NodeID
	for n := range policy.NodeID(maxNode + 2) {
		want := g.room(n)
		if got := g.view.Room(n); got != want {
			return fmt.Errorf("room for %d on node %d, want %d", got, n, want)
		}
		if want > 0 {
			open = append(open, n)
		}
	}
	if got, want := g.view.Extra(), g.cores(slices.DeleteFunc(slices.Clone(g.copies), func(c *naiveCopy) bool { return !c.extra })); got != want {
		return fmt.Errorf("extra copies have %d cores, want %d", got, want)
	}
	if got := slices.Collect(g.view.Open()); !slices.Equal(got, open) {
		return fmt.Errorf("open are %v, want %v", got, open)
	}
	if err := g.compareNodes(); err != nil {
		return err
	}
	for id, j := range g.jobs {
		jv := g.view.Job(id)
		if cores := g.cores(g.of(id, false)); jv.Waiting != j.waiting() || jv.Cores != cores {
			return fmt.Errorf("job %d has %d waiting and %d cores, want %d and %d", id, jv.Waiting, jv.Cores, j.waiting(), cores)
		}
		if err := g.compareBooks(j, jv); err != nil {
			return err
		}
		stage, ok := jv.Next()
		if want, wantOK := j.next(); stage != want || ok != wantOK {
			return fmt.Errorf("job %d: next is %d, %v, want %d, %v", id, stage, ok, want, wantOK)
		}
		if ok && !slices.IsSorted(j.order) {
			g.seen["stages in an order of their own"]++
		}
		for n := range policy.NodeID(maxNode + 4) {
			if !askLocal {
				break
			}
			if got, want := g.view.Local(jv, n), len(j.local(n)); got != want {
				return fmt.Errorf("job %d: %d local on node %d, want %d", id, got, n, want)
			}
		}
	}
	return nil
}

func (g *guest) compareNodes() error {
	cores, memory := g.capacity()
	if gotCores, gotMemory := g.view.Capacity(); gotCores != cores || gotMemory != float64(memory) {
		return fmt.Errorf("capacity is %d cores and %v bytes, want %d and %d", gotCores, gotMemory, cores, memory)
	}
	for n := range policy.NodeID(maxNode + 2) {
		if got, want := g.view.Memory(n), g.nodes[n].Memory; got != want {
			return fmt.Errorf("%d bytes on node %d, want %d", got, n, want)
		}
	}
	if g.told != g.view.Now() {
		return fmt.Errorf("now is %d, want %d", g.view.Now(), g.told)
	}
	return nil
}

func (g *guest) compareBooks(j *naiveJob, jv *central.Job) error {
	id := j.spec.ID
	if got, want := jv.Memory, g.memory(g.of(id, false)); got != float64(want) {
		return fmt.Errorf("job %d holds %v bytes, want %d", id, got, want)
	}
	extra := g.of(id, true)
	if cores, memory := jv.Extra(); cores != g.cores(extra) || memory != float64(g.memory(extra)) {
		return fmt.Errorf("job %d has %d cores and %v bytes in extra copies, want %d and %d", id, cores, memory, g.cores(extra), g.memory(extra))
	} else if cores > 0 {
		g.seen["extra copies"]++
	}
	if got, want := jv.Refused, j.refused(); got != want {
		return fmt.Errorf("job %d was refused: %v, want %v", id, got, want)
	}
	for i := range j.stages {
		sum := 0.0
		for unit, state := range j.stages[i].units {
			want := j.stages[i].saved[unit]
			if got := jv.Saved(policy.Task{Job: id, Stage: uint32(i), Index: uint32(unit)}); got != want && state == again {
				return fmt.Errorf("%v is saved of unit %d of stage %d of job %d, want %v", got, unit, i, id, want)
			}
			if state == again {
				sum += want.Seconds()
			}
		}
		if got := jv.Stages[i].Saved; math.Abs(got-sum) > 1e-6 || sum == 0 && got > 1e-9 {
			return fmt.Errorf("%v s are saved of what waits of stage %d of job %d, want %v", got, i, id, sum)
		} else if got > 0 {
			g.seen["something is saved of what waits"]++
		}
	}
	if stage, ok := j.next(); ok {
		unit, _ := j.stages[stage].next()
		if got, want := jv.NextSaved(), j.stages[stage].saved[unit]; got != want {
			return fmt.Errorf("%v is saved of the next unit of job %d, want %v", got, id, want)
		}
	}
	service, rate := g.service(j)
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-6*(want+1) }
	if got, gotRate := g.view.Service(jv), jv.Rate(); !near(got, service) || !near(gotRate, rate) || rate == 0 && gotRate != 0 {
		return fmt.Errorf("job %d has %v core-seconds and attains %v a second, want %v and %v", id, got, gotRate, service, rate)
	}
	if service > 0 && g.cores(g.of(id, false)) == 0 {
		g.seen["a job with service that holds nothing"]++
	}
	return nil
}
