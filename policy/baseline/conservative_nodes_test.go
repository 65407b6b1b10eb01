package baseline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// newNodes returns the books of some nodes with cores and memory on which nothing runs.
func newNodes(t *testing.T, nodes []policy.Node) *central.View {
	t.Helper()
	v := new(central.View)
	for i := range nodes {
		if _, err := v.Observe(&policy.Event{Kind: policy.Joined, Node: nodes[i].ID, Info: &nodes[i]}); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// A hold is what a slow plan keeps: some tasks on a node, from an instant until another.
type hold struct {
	share    policy.Share
	stage    *policy.Stage
	from, to policy.Time
}

// slowEarliest tries each instant, with what all holds leave on each node at each instant from then on.
func slowEarliest(nodes []policy.Node, holds []hold, now, latest policy.Time, stage *policy.Stage, time policy.Duration) policy.Time {
	instants := []policy.Time{now}
	for _, h := range holds {
		instants = append(instants, h.from, h.to)
	}
	slices.Sort(instants)
	for _, start := range instants {
		if start < now || start >= latest {
			continue
		}
		tasks := int64(0)
		for i := range nodes {
			fits := int64(stage.Tasks)
			for _, at := range instants {
				if at < start || at >= after(start, time) {
					continue
				}
				cores, memory := int64(nodes[i].Cores), nodes[i].Memory
				for _, h := range holds {
					if h.share.Node == nodes[i].ID && h.from <= at && at < h.to {
						cores -= int64(h.share.Tasks) * int64(h.stage.Cores)
						memory -= int64(h.share.Tasks) * h.stage.Memory
					}
				}
				fits = min(fits, cores/int64(stage.Cores))
				if stage.Memory > 0 {
					fits = min(fits, memory/stage.Memory)
				}
			}
			tasks += fits
		}
		if tasks >= int64(stage.UnitTasks()) {
			return start
		}
	}
	return latest
}

// The plan by node finds the instant that a slow search finds, whatever is planned before, and room for the unit there.
func TestNodePlanAgainstSlowSearch(t *testing.T) {
	found, later := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		nodes := sim.Cluster(sim.Partition{Nodes: 1 + rng.IntN(4), Cores: int32(2 + rng.IntN(6)), Memory: 20})
		plan, holds := new(nodePlan[everything]), []hold(nil)
		now := policy.Time(100)
		plan.reset(now, newNodes(t, nodes), new(units), nil, 0)
		for range 25 {
			stage := &policy.Stage{Tasks: uint32(1 + rng.IntN(5)), Cores: int32(1 + rng.IntN(3)), Memory: int64(rng.IntN(12)), Gang: rng.IntN(2) == 0}
			if !stage.Gang {
				stage.Tasks = 1
			}
			time, latest := policy.Duration(1+rng.IntN(40)), never
			if rng.IntN(3) == 0 {
				latest = now + policy.Time(rng.IntN(60))
			}
			if rng.IntN(9) == 0 {
				time = unbounded
			}
			at, places := plan.earliest(now, latest, stage, time, nil)
			if want := slowEarliest(nodes, holds, now, latest, stage, time); at != want {
				t.Fatalf("seed %d: %+v for %v, before %v: at %v, want %v", seed, stage, time, latest, at, want)
			}
			if at == latest {
				continue
			}
			found++
			if at > now {
				later++
			}
			if sum := total(places); sum != stage.Tasks {
				t.Fatalf("seed %d: %v are for %d tasks, want %d", seed, places, sum, stage.Tasks)
			}
			plan.add(places, stage, at, after(at, time), -1)
			for _, share := range places {
				holds = append(holds, hold{share, stage, at, after(at, time)})
			}
			for n := range plan.nodes {
				steps := plan.nodes[n]
				for i, s := range steps {
					if s.free[0] < 0 || s.free[1] < 0 || i > 0 && (s.at <= steps[i-1].at || s.free == steps[i-1].free) {
						t.Fatalf("seed %d: node %d has the steps %v", seed, n, steps)
					}
				}
			}
			if rng.IntN(4) == 0 {
				i := rng.IntN(len(holds))
				h := holds[i]
				holds = slices.Delete(holds, i, i+1)
				plan.add([]policy.Share{h.share}, h.stage, h.from, h.to, 1)
			}
			if rng.IntN(4) == 0 {
				now += policy.Time(rng.IntN(10))
				plan.forget(now)
			}
		}
	}
	if found < 2000 || later < 1000 {
		t.Errorf("%d found, %d of them later than at once, want more", found, later)
	}
}

func total(places []policy.Share) (tasks uint32) {
	for _, share := range places {
		tasks += share.Tasks
	}
	return tasks
}

// With exact times no task starts later than at the first reservation that Conservative gave it, where nodes are short of memory
// or of cores: it is sent to the node of its reservation.
func TestConservativeKeepsReservationsByNode(t *testing.T) {
	for _, cluster := range []struct {
		name string
		of   sim.Partition
		need func(*rand.Rand) policy.Need
	}{
		{"memory", sim.Partition{Nodes: 3, Cores: 8, Memory: 10000}, bytes},
		{"a link", sim.Partition{Nodes: 3, Cores: 8, Offers: []policy.Offer{{Name: "link", Amount: 10000}}}, link},
		{"cores of a node", sim.Partition{Nodes: 4, Cores: 4}, wide},
	} {
		kept, passed := 0, 0
		for seed := range uint64(40) {
			p := must(central.New(central.Config{Turn: FIFO(), Fill: Conservative()}))
			promised, last := map[policy.JobID]policy.Time{}, policy.JobID(0)
			watched := watch{p, func(ev *policy.Event, actions []policy.Action) error {
				for _, a := range actions {
					at, ok := promised[a.Copy.Job]
					if ok && ev.Time > at {
						return fmt.Errorf("job %d starts at %v, want %v, its first reservation", a.Copy.Job, ev.Time, at)
					}
					if ok {
						kept++
					}
					if a.Copy.Job < last {
						passed++
					}
					last = a.Copy.Job
				}
				for id := range p.View().Jobs() {
					if at, ok := p.Planned(id); ok && promised[id] == 0 && !ev.More {
						promised[id] = at
					}
				}
				return nil
			}}
			jobs := needy(seed, 120, 1, cluster.need)
			if _, err := simulate(t, sim.Config{Nodes: sim.Cluster(cluster.of)}, jobs, watched); err != nil {
				t.Errorf("%s, seed %d: %v", cluster.name, seed, err)
			}
		}
		if kept < 500 || passed < 100 {
			t.Errorf("%s: %d reservations kept and %d jobs passed, want more", cluster.name, kept, passed)
		}
	}
}

// With orders that take time, a job that needs a whole node starts though a stream of small ones could always go before it.
func TestConservativeWithLatencyStarvesNobody(t *testing.T) {
	for _, delay := range []policy.Duration{s / 10, s} {
		task := func(id int, at policy.Duration, cores int32, time policy.Duration) *workload.Job {
			return &workload.Job{
				Job:      policy.Job{ID: policy.JobID(id), Submitted: policy.Time(at), Requested: time, Stages: []policy.Stage{{Tasks: 1, Cores: cores}}},
				Runtimes: [][]policy.Duration{{time}},
			}
		}
		jobs := []*workload.Job{}
		for i := range 1000 {
			if i == 10 {
				jobs = append(jobs, task(2000, 5*s, 8, 10*s))
			}
			jobs = append(jobs, task(i+1, policy.Duration(i)*s/2, 1, 3*s))
		}
		r, err := simulate(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 8}), Delay: delay}, jobs, NewConservative())
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range r.Jobs {
			if j.ID == 2000 && j.FirstStart > policy.Time(60*s) {
				t.Errorf("delay %v: the wide job starts at %v s, want a minute at most", delay, j.FirstStart.Seconds())
			}
		}
	}
}
