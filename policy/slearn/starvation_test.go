package slearn

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// overload is a cluster that two kinds of short jobs, in the first and in the second queue,
// want twice each, for ever, and one long job in the third and last.
type overload struct {
	rule      queue.ShareRule
	cores     int
	decay     float64
	estimates float64 // over true runtimes
}

const (
	longTasks, longTask   = 8, 5.0   // of the long job; s
	shortTask, mediumTask = 1.0, 2.0 // s
)

// A gap is how long the long job waited before a Start, and how many of its tasks ran after
// the Start before that.
type gap struct {
	wait    float64
	running int
}

// gaps runs it and returns the gaps of the long job, and when it ended.
func (o overload) gaps(t *testing.T, until float64) (gaps []gap, end float64) {
	t.Helper()
	seconds := func(x float64) policy.Duration { return policy.Duration(x * 1e9) }
	runtimes := make([]policy.Duration, longTasks)
	for i := range runtimes {
		runtimes[i] = seconds(longTask)
	}
	jobs := []*workload.Job{bag(1, 0, runtimes...)}
	for id := policy.JobID(2); ; id++ {
		at := float64((id-2)/2) / (2 * float64(o.cores))
		if at > until {
			break
		}
		each := shortTask
		if id%2 == 1 {
			each = mediumTask
		}
		jobs = append(jobs, bag(id, seconds(at), seconds(each)))
	}
	c := GSConfig{Forecast: NewForecast(plans(func(j *policy.Job) Plan {
		switch {
		case j.ID == 1:
			return Plan{Work: o.estimates * longTasks * longTask}
		case j.ID%2 == 1:
			return Plan{Work: o.estimates * mediumTask}
		}
		return Plan{Work: o.estimates * shortTask}
	}))}
	c.Queues = queue.MultilevelConfig{Levels: 3, First: 1.5 * o.estimates, Growth: 10}
	c.Sharing, c.Decay = o.rule, o.decay
	js, truth := workload.Split(jobs)
	over, last := errors.New("over"), 0.0
	running, after := 0, 0
	_, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: int32(o.cores)}), Jobs: js, Truth: truth},
		watch{must(NewGS(c)), func(ev *policy.Event, actions []policy.Action) error {
			now := ev.Time.Seconds()
			if ev.Kind == policy.Finished && ev.Copy.Job == 1 {
				running--
			}
			for _, a := range actions {
				if a.Copy.Job == 1 {
					gaps = append(gaps, gap{now - last, after})
					running++
					last, after = now, running
				}
			}
			if ev.Kind == policy.Ended && ev.Copy.Job == 1 {
				end = now
			}
			if end > 0 || now > until {
				return over
			}
			return nil
		}})
	if !errors.Is(err, over) {
		t.Fatal(err)
	}
	return gaps, end
}

// bound is how long the third queue waits, by the comment of GS, if it has so many tasks.
func (o overload) bound(running int) float64 {
	m := float64(o.cores)
	h := float64(running) * longTask * max(1, o.estimates)
	wait := h/m*(o.decay*o.decay+o.decay) + (2/m+1)*mediumTask
	switch {
	case o.estimates > 1:
		wait += (o.decay*o.decay + o.decay) / o.decay * (o.estimates - 1) * mediumTask
	case o.estimates < 1:
		wait += mediumTask // all that others have may take longer than was held for it
	}
	return wait
}

// A job of the lowest queue goes on under a permanent overload of short jobs: it never waits
// for longer than the bound, however wrong the estimates are, and sometimes for about as long.
func TestNoQueueStarvesByService(t *testing.T) {
	for _, cores := range []int{1, 4} {
		for _, decay := range []float64{1, 4} {
			for _, estimates := range []float64{0.2, 1, 3} {
				o := overload{queue.ByService, cores, decay, estimates}
				t.Run(fmt.Sprintf("cores=%d/decay=%v/estimates=%v", cores, decay, estimates), func(t *testing.T) {
					until := longTask
					for i := range longTasks {
						until += o.bound(min(i, cores))
					}
					gaps, end := o.gaps(t, until)
					if len(gaps) != longTasks || end == 0 {
						t.Fatalf("%d of %d tasks were started within %v s", len(gaps), longTasks, until)
					}
					tightest := math.Inf(1)
					for i, gap := range gaps {
						bound := o.bound(gap.running)
						if gap.wait > bound {
							t.Errorf("waited %v s before start %d, want at most %v s", gap.wait, i, bound)
						}
						if gap.running > 0 {
							tightest = min(tightest, bound/gap.wait)
						}
					}
					if estimates == 1 && tightest > 2 {
						t.Errorf("waited for a %v-th of the bound at most, which says little", tightest)
					}
				})
			}
		}
	}
}

// By use, each other queue goes once at most before the first core of the lowest; by next
// use it has one only if there are as many cores as its weight is less.
func TestStarvationByUse(t *testing.T) {
	const until = 200
	for _, decay := range []float64{2, 10} {
		for _, cores := range []int{1, 4, 120} {
			o := overload{queue.ByUse, cores, decay, 1}
			gaps, end := o.gaps(t, until)
			if want := longTask * longTasks * 3.; end == 0 || end > want {
				t.Errorf("%+v: the long job ended at %v s (0: never), want that by %v s", o, end, want)
			}
			for i, gap := range gaps {
				if want := longTask + 2*mediumTask; gap.wait > want {
					t.Errorf("%+v: waited %v s before start %d, want at most %v s", o, gap.wait, i, want)
				}
			}
			o.rule = queue.ByNextUse
			least := (decay*decay - 1) + (decay - 1) + 1
			gaps, end = o.gaps(t, until)
			gaps = slices.DeleteFunc(gaps, func(g gap) bool { return g.wait == 0 }) // at first cores are idle
			if starves := len(gaps) == 0 && end == 0; starves != (float64(cores) < least) {
				t.Errorf("%+v: %d starts of the long job after the first ones, want some only with %v cores", o, len(gaps), least)
			}
		}
	}
}
