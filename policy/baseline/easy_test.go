package baseline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

type madeOrder struct {
	name string
	make func(truth policy.Truth) central.Order
}

// orders are all that this package has, those that change and those that stay.
var orders = []madeOrder{
	{"FIFO", func(policy.Truth) central.Order { return FIFO() }},
	{"Ordered", func(policy.Truth) central.Order {
		return Ordered(func(a, b *policy.Job) int { return cmp.Compare(b.Tasks(), a.Tasks()) })
	}},
	{"Priority", func(policy.Truth) central.Order { return Priority() }},
	{"Fair", func(policy.Truth) central.Order { return Fair() }},
	{"Fewest", func(policy.Truth) central.Order { return Fewest() }},
	{"SRPT", func(truth policy.Truth) central.Order { return must(SRPT(truth)) }},
	{"LAS", func(policy.Truth) central.Order {
		return must(LAS(queue.MultilevelConfig{Levels: 6, First: 4, Growth: 2}))
	}},
	{"DRF", func(policy.Truth) central.Order { return must(DRF(DRFConfig{})) }},
	{"Multifactor", func(policy.Truth) central.Order {
		return brisk(MultifactorConfig{Age: 5000, FairShare: 10_000, Size: 1000, Priority: 1000})
	}},
}

// mixed are jobs of a few users and priorities.
func mixed(seed uint64, n, cores int, wild bool) []*workload.Job {
	jobs := batch(seed, n, cores, wild)
	for i, j := range jobs {
		j.Attrs = []policy.Attr{{Name: "user", Value: fmt.Sprint(i * i % 7)}}
		j.Priority = float64(i % 4)
	}
	return jobs
}

// small is a cluster of 16 cores: one node or sixteen, or, for odd seeds, one or four, on which a wide task may
// find no room.
func small(seed uint64) sim.Config {
	nodes := []int{1, 1, 16, 4}[seed%4]
	return sim.Config{
		Nodes:  sim.Cluster(sim.Partition{Nodes: nodes, Cores: int32(16 / nodes)}),
		Faults: sim.Faults{Seed: seed, TaskFailure: 0.02},
	}
}

// sameStarts reports an error if two policies do not answer the same.
func sameStarts(got, want []policy.Action) error {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i].Kind != want[i].Kind || got[i].Copy != want[i].Copy {
			return fmt.Errorf("%d starts, want %d; number %d differs", len(got), len(want), i)
		}
	}
	return nil
}

// blind hides the memory of nodes from a policy, so that the host refuses what by the books has room.
type blind struct{ policy.Scheduler }

func (b blind) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Kind == policy.Joined {
		info, seen := *ev.Info, *ev
		info.Memory, seen.Info = 0, &info
		ev = &seen
	}
	return b.Scheduler.Step(ev, actions)
}

// Whatever EASY starts, with any options, at each decision and over any order, is what the definition starts, in that turn.
func TestEASYAgainstDefinition(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for _, test := range orders {
		t.Run(test.name, func(t *testing.T) {
			overtaken, refused, changes := 0, 0, 0
			for seed := range uint64(40) {
				config := small(seed)
				config.Delay = policy.Duration(seed/8%2) * s / 5
				var truth policy.Truth
				jobs := staged(mixed(seed, 150, 16, seed%2 == 1))
				for i := range config.Nodes {
					config.Nodes[i].Memory = 2 * int64(config.Nodes[i].Cores)
				}
				for i, j := range jobs {
					for k := range j.Stages {
						j.Stages[k].Memory = int64(j.Stages[k].Cores) * int64(1+i%3)
					}
				}
				config.Jobs, truth = workload.Split(jobs)
				config.Truth = truth
				options := BackfillConfig{Shortest: seed%3 == 1, Slack: []float64{0, 0, 0.3, 2}[seed/2%4], Longest: []float64{0, 3}[seed/4%2]}
				naive, filler := &naiveEASY{config: options, promised: map[policy.JobID]policy.Time{}, barred: map[policy.Task]bool{}, trying: map[*central.Job]bool{}, refused: map[*central.Job][2]int{}}, must(Backfill(options)).(*easy)
				known, same := forecasts(seed)
				if seed%5 == 0 {
					known, same = forecast.LastTwo(), forecast.LastTwo()
				}
				slow := must(central.New(central.Config{Turn: test.make(truth), Fill: naive, Forecast: same}))
				fast := must(central.New(central.Config{Turn: test.make(truth), Fill: filler, Forecast: known}))
				p := watch{fast, func(ev *policy.Event, actions []policy.Action) error {
					want, err := slow.Step(ev, nil)
					if err != nil {
						return err
					}
					if ev.Kind == policy.Refused {
						refused++
					}
					if filler.reserved.at != naive.reserved {
						return fmt.Errorf("reserved %+v, want it at %v", filler.reserved, naive.reserved)
					}
					return sameStarts(actions, want)
				}}
				if _, err := sim.Run(t.Context(), config, blind{p}); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
				overtaken += naive.overtaken
				if f, ok := known.(*fickle); ok {
					changes += f.changes
				}
			}
			if overtaken < 200 || refused < 100 || changes < 1000 {
				t.Errorf("%d units overtook others, %d were refused and the forecast changed %d times, want more", overtaken, refused, changes)
			}
		})
	}
}

func TestBackfillRefuses(t *testing.T) {
	for want, c := range map[string]BackfillConfig{
		"Slack is NaN,":   {Slack: math.NaN()},
		"Longest is +Inf": {Longest: math.Inf(1)},
		"Longest is -1,":  {Slack: 1, Longest: -1},
	} {
		if _, err := Backfill(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got the error %v, want one with %q", c, err, want)
		}
	}
}

// Gangs that run for no longer than they request start no later than at the reservation that EASY gave them when they became the
// first, or at the end of their slack, whatever overtakes them.
func TestEASYKeepsReservations(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for _, options := range []BackfillConfig{{}, {Shortest: true}, {Slack: 0.5}, {Shortest: true, Slack: 2}} {
		kept := promises{slack: options.Slack}
		for seed := range uint64(60) {
			filler := must(Backfill(options)).(*easy)
			p := kept.watch(filled(FIFO(), filler), filler, func(*central.Job) {})
			if _, err := simulate(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 16, Cores: 1})}, batch(seed, 150, 16, false), p); err != nil {
				t.Errorf("%+v, seed %d: %v", options, seed, err)
			}
		}
		if kept.reserved < 500 || kept.overtook < 500 || (options.Slack > 0) != (kept.late > 50) {
			t.Errorf("%+v: %d reservations, %d jobs overtaken and %d in their slack", options, kept.reserved, kept.overtook, kept.late)
		}
	}
}

// Under EASY the first job that waits has a reservation, for when enough of what runs has ended at the
// latest; Conservative gives one to each.
func TestPlanned(t *testing.T) {
	for _, test := range []struct {
		p interface {
			policy.Scheduler
			Planned(policy.JobID) (policy.Time, bool)
			Compare(a, b policy.JobID) int
		}
		want []policy.Time // s, by job; 0: none
	}{
		{NewEASY(), []policy.Time{0, 0, 100, 0, 0}},
		{NewConservative(), []policy.Time{0, 0, 100, 200, 0}},
	} {
		tell := func(ev policy.Event) (actions []policy.Action) {
			actions, err := test.p.Step(&ev, nil)
			if err != nil {
				t.Fatal(err)
			}
			return actions
		}
		tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 4, Speed: 1}})
		for i, cores := range []int32{3, 4, 2} {
			j := &policy.Job{ID: policy.JobID(i + 1), Requested: 100 * time.Second, Stages: []policy.Stage{{Tasks: 1, Cores: cores}}}
			tell(policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: j.ID}}, Job: j, More: true})
			for _, a := range tell(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: j.ID}}}) {
				tell(policy.Event{Kind: policy.Started, Copy: a.Copy, Node: 1})
			}
		}
		for id, want := range test.want {
			if at, ok := test.p.Planned(policy.JobID(id)); at != want*1e9 || ok != (want != 0) {
				t.Errorf("%T: job %d is planned for %v s, %v, want %v s", test.p, id, at.Seconds(), ok, want)
			}
		}
		order := []policy.JobID{9, 3, 2, 1}
		slices.SortFunc(order, test.p.Compare)
		if want := []policy.JobID{1, 2, 3, 9}; !slices.Equal(order, want) {
			t.Errorf("%T: got the order %v, want that of submission, %v", test.p, order, want)
		}
	}
}
