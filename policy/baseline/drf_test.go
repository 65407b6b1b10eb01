package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

func TestDRFConfig(t *testing.T) {
	for _, w := range []float64{0, -1, math.NaN(), math.Inf(1), math.SmallestNonzeroFloat64} {
		c := DRFConfig{Weights: map[string]float64{"ann": 1, "bob": w}}
		if _, err := NewDRF(c); err == nil || !strings.Contains(err.Error(), `Weights of "bob"`) || !strings.Contains(err.Error(), fmt.Sprint(" is ", w)) {
			t.Errorf("weight %v: got error %v, want one that names both", w, err)
		}
	}
}

// ofUser makes a job of a user, with tasks of 10 s.
func ofUser(id policy.JobID, user string, tasks int, cores int32, memory int64) *workload.Job {
	runtimes := make([]policy.Duration, tasks)
	for i := range runtimes {
		runtimes[i] = 10 * s
	}
	j := bag(id, 0, runtimes...)
	j.Stages[0].Cores, j.Stages[0].Memory = cores, memory
	if user != "" {
		j.Attrs = []policy.Attr{{Name: "user", Value: user}}
	}
	return j
}

// How many tasks of each job start at once on one node of 9 cores and 18 bytes.
func TestDRFShares(t *testing.T) {
	unnamed := ofUser(1, "", 9, 1, 0)
	unnamed.Attrs = []policy.Attr{{Name: "user"}}
	for _, test := range []struct {
		name    string
		user    string // attribute
		weights map[string]float64
		jobs    []*workload.Job
		want    []int
	}{
		{"section 4.1 of the paper", "user", nil,
			[]*workload.Job{ofUser(1, "A", 9, 1, 4), ofUser(2, "B", 9, 3, 1)}, []int{3, 2}},
		{"of one user, in order", "user", nil,
			[]*workload.Job{ofUser(1, "A", 9, 1, 1), ofUser(2, "A", 9, 1, 1)}, []int{9, 0}},
		{"two jobs of A, one of B", "user", nil,
			[]*workload.Job{ofUser(1, "A", 2, 1, 0), ofUser(2, "A", 9, 1, 0), ofUser(3, "B", 9, 1, 0)}, []int{2, 3, 4}},
		{"weights", "user", map[string]float64{"A": 2},
			[]*workload.Job{ofUser(1, "A", 9, 1, 0), ofUser(2, "B", 9, 1, 0)}, []int{6, 3}},
		{"without users", "user", map[string]float64{"": 5},
			[]*workload.Job{ofUser(1, "", 9, 1, 0), ofUser(2, "", 9, 1, 0), ofUser(3, "A", 9, 1, 0)}, []int{3, 3, 3}},
		{"a user whose name is empty", "user", map[string]float64{"": 5},
			[]*workload.Job{unnamed, ofUser(2, "", 9, 1, 0), ofUser(3, "A", 9, 1, 0)}, []int{5, 2, 2}},
		{"jobs instead of users", "whoever", nil,
			[]*workload.Job{ofUser(1, "A", 9, 1, 0), ofUser(2, "A", 9, 1, 0), ofUser(3, "B", 9, 1, 0)}, []int{3, 3, 3}},
	} {
		p := must(NewDRF(DRFConfig{User: test.user, Weights: test.weights}))
		got := make([]int, len(test.jobs))
		w := watch{p, func(ev *policy.Event, actions []policy.Action) error {
			for _, a := range actions {
				if ev.Time == 0 {
					got[a.Copy.Job-1]++
				}
			}
			return nil
		}}
		config := sim.Config{Nodes: []policy.Node{{ID: 1, Partition: 1, Cores: 9, Memory: 18, Speed: 1}}}
		if _, err := simulate(t, config, test.jobs, w); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v tasks at once, want %v", test.name, got, test.want)
		}
	}
}

// Whenever a task starts, its user has the least dominant share of those who have something
// to start, and its job is the user's first, as counted anew from all copies.
func TestDRFAgainstDefinition(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 8))
		var list []*workload.Job
		now := policy.Duration(0)
		weights := map[string]float64{"user1": 2, "user2": 0.5}
		for id := policy.JobID(1); id <= 200; id++ {
			now += policy.Duration(rng.ExpFloat64() * 2e9)
			runtimes := make([]policy.Duration, 1+rng.IntN(8))
			for i := range runtimes {
				runtimes[i] = policy.Duration(1 + rng.ExpFloat64()*6e9)
			}
			j := bag(id, now, runtimes...)
			j.Stages[0].Cores, j.Stages[0].Memory = int32(1+rng.IntN(3)), int64(rng.IntN(10))
			if j.Stages[0].Tasks <= 2 && rng.IntN(2) == 0 {
				j.Stages[0].Gang = true
			}
			if u := rng.IntN(6); u > 0 {
				j.Attrs = []policy.Attr{{Name: "user", Value: fmt.Sprint("user", u)}}
			}
			list = append(list, j)
		}
		const cores, memory = 4 * 8, 4 * 20
		user := func(id policy.JobID) string {
			if len(list[id-1].Attrs) == 0 {
				return fmt.Sprint("job", id)
			}
			return list[id-1].Attrs[0].Value
		}
		copies, waiting := map[policy.Copy]bool{}, map[policy.JobID]uint32{}
		share := func(u string) float64 {
			used := [2]float64{}
			for c := range copies {
				if user(c.Job) == u {
					stage := list[c.Job-1].Stages[0]
					used[0] += float64(stage.Width())
					used[1] += float64(stage.Memory) * float64(stage.UnitTasks()) // of a gang, all
				}
			}
			weight := weights[u]
			if weight == 0 {
				weight = 1
			}
			return max(used[0]/cores, used[1]/memory) / weight
		}
		starts, others := 0, 0
		p := must(DRF(DRFConfig{User: "user", Weights: weights})).(*drf)
		w := watch{of(p), func(ev *policy.Event, actions []policy.Action) error {
			switch {
			case ev.Kind == policy.Ready:
				waiting[ev.Copy.Job] += list[ev.Copy.Job-1].Stages[0].Units()
			case ev.Kind == policy.Refused || ev.Kind.End():
				delete(copies, ev.Copy)
				if ev.Again {
					waiting[ev.Copy.Job]++
				}
			}
			for _, a := range actions {
				starts++
				own := share(user(a.Copy.Job))
				for id, n := range waiting {
					if n == 0 || id == a.Copy.Job {
						continue
					}
					u := user(id)
					if s := share(u); s < own-1e-12 {
						return fmt.Errorf("%v starts for %s with share %v, but job %d of %s waits with %v", a.Copy, user(a.Copy.Job), own, id, u, s)
					}
					if u == user(a.Copy.Job) && id < a.Copy.Job {
						return fmt.Errorf("%v starts before job %d of the same user", a.Copy, id)
					}
					others++
				}
				waiting[a.Copy.Job]--
				copies[a.Copy] = true
			}
			return nil
		}}
		nodes := sim.Cluster(sim.Partition{Nodes: 4, Cores: 8})
		for i := range nodes {
			nodes[i].Memory = 20
		}
		if _, err := simulate(t, sim.Config{Nodes: nodes}, list, w); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if starts < 200 || others < 200 {
			t.Errorf("seed %d: got %d starts while %d others waited, want 200 of each", seed, starts, others)
		}
	}
}

// The order is that of the users' shares, and a user whose jobs have ended is forgotten.
func TestDRFCompare(t *testing.T) {
	p := must(DRF(DRFConfig{})).(*drf)
	d := of(p)
	var order []policy.JobID
	w := watch{d, func(ev *policy.Event, _ []policy.Action) error {
		if ev.Kind == policy.Started && order == nil && ev.Copy.Job == 2 {
			order = slices.SortedFunc(slices.Values([]policy.JobID{3, 2, 1}), d.Compare)
		}
		return nil
	}}
	jobs := []*workload.Job{ofUser(1, "A", 8, 1, 0), ofUser(2, "B", 8, 3, 0), ofUser(3, "A", 1, 1, 0)}
	if _, err := simulate(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 9})}, jobs, w); err != nil {
		t.Fatal(err)
	}
	// A has 3 cores and B 6.
	if want := []policy.JobID{1, 3, 2}; !slices.Equal(order, want) {
		t.Errorf("order: got %v, want %v", order, want)
	}
	if len(p.byName) != 0 {
		t.Errorf("%d users are kept whose jobs have ended, want none", len(p.byName))
	}
}
