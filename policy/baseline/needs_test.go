package baseline

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// needy are jobs of one task that all know how long they take. Two of three need some of a link.
func needy(seed uint64, n int) (jobs []*workload.Job) {
	rng := rand.New(rand.NewPCG(seed, 0))
	at := policy.Time(0)
	for i := range n {
		at = at.Add(policy.Duration(rng.ExpFloat64() * 2e9))
		stage := policy.Stage{Tasks: 1, Cores: int32(1 + rng.IntN(4))}
		if rng.IntN(3) > 0 {
			stage.Needs = []policy.Need{{Name: "link", Amount: int64(1 + rng.IntN(7000))}}
		}
		time := policy.Duration(1+rng.IntN(30)) * s
		jobs = append(jobs, &workload.Job{
			Job:      policy.Job{ID: policy.JobID(i + 1), Submitted: at, Requested: time, Stages: []policy.Stage{stage}},
			Runtimes: [][]policy.Duration{{time}},
		})
	}
	return jobs
}

// On one node, with exact times, no job starts later than at the reservation that EASY gave it when it became the first, or at the end
// of its slack, though the link is what most wait for, and others overtake it.
func TestEASYReservesNamedResources(t *testing.T) {
	for _, options := range []BackfillConfig{{}, {Shortest: true}, {Slack: 0.5}, {Shortest: true, Slack: 2}} {
		kept := promises{slack: options.Slack}
		lacked := 0
		for seed := range uint64(30) {
			filler := must(Backfill(options)).(*easy)
			p := must(central.New(central.Config{Turn: FIFO(), Fill: filler}))
			config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 16, Offers: []policy.Offer{{Name: "link", Amount: 10000}}})}
			if _, err := simulate(t, config, needy(seed, 150), kept.watch(p, filler, func(first *central.Job) {
				if first.Job.Stages[0].Width() <= p.View().Free(0) {
					lacked++
				}
			})); err != nil {
				t.Errorf("%+v, seed %d: %v", options, seed, err)
			}
		}
		if kept.reserved < 500 || kept.overtook < 200 || lacked < 200 || (options.Slack > 0) != (kept.late > 50) {
			t.Errorf("%+v: %d reservations, %d for want of the link, %d jobs overtaken and %d in their slack", options, kept.reserved, lacked, kept.overtook, kept.late)
		}
	}
}

// A named resource of which each task needs as many units as cores, and each node has as many, changes nothing: not when
// what starts, nor where.
func TestNeedsLikeCoresChangeNothing(t *testing.T) {
	for name, c := range map[string]func() central.Config{
		"FIFO": func() central.Config { return central.Config{Turn: FIFO()} },
		"EASY": func() central.Config { return central.Config{Turn: FIFO(), Fill: EASY()} },
		"DRF":  func() central.Config { return central.Config{Turn: must(DRF(DRFConfig{}))} },
	} {
		for seed := range uint64(20) {
			run := func(needs bool) (made []policy.Action) {
				jobs := staged(mixed(seed, 120, 8, false))
				config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 8}, sim.Partition{Nodes: 1, Cores: 4}), Faults: sim.Faults{Seed: seed, TaskFailure: 0.05}}
				config.Delay = policy.Duration(seed%3) * s / 4
				if needs {
					for i := range config.Nodes {
						n := &config.Nodes[i]
						n.Offers = []policy.Offer{{Name: "seat", Amount: int64(n.Cores) * 1000}}
					}
					for _, j := range jobs {
						for i := range j.Stages {
							st := &j.Stages[i]
							st.Needs = []policy.Need{{Name: "seat", Amount: int64(st.Cores) * 1000}}
						}
					}
				}
				var truth policy.Truth
				config.Jobs, truth = workload.Split(jobs)
				config.Truth = truth
				p := watch{must(central.New(c())), func(_ *policy.Event, actions []policy.Action) error {
					made = append(made, actions...)
					return nil
				}}
				if _, err := sim.Run(t.Context(), config, p); err != nil {
					t.Fatalf("%s, seed %d: %v", name, seed, err)
				}
				return made
			}
			if err := sameStarts(run(true), run(false)); err != nil {
				t.Errorf("%s, seed %d: %v", name, seed, err)
			}
		}
	}
}

// The dominant share of a user may be that of a named resource: of two users with the same cores, the one with the
// fewer GPUs is next.
func TestDRFCountsNamedResources(t *testing.T) {
	gpu := func(user string, id policy.JobID, amount int64) *workload.Job {
		j := &workload.Job{Job: policy.Job{ID: id, Attrs: []policy.Attr{{Name: "user", Value: user}}, Stages: []policy.Stage{{Tasks: 20, Cores: 1}}}}
		if amount > 0 {
			j.Stages[0].Needs = []policy.Need{{Name: "gpu", Amount: amount}}
		}
		j.Runtimes = [][]policy.Duration{make([]policy.Duration, 20)}
		for k := range j.Runtimes[0] {
			j.Runtimes[0][k] = s
		}
		return j
	}
	started := map[policy.JobID]int{}
	config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 40, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 8}}})}
	var truth policy.Truth
	config.Jobs, truth = workload.Split([]*workload.Job{gpu("a", 1, 1000), gpu("b", 2, 500), gpu("c", 3, 0)})
	config.Truth = truth
	p := watch{must(NewDRF(DRFConfig{})), func(ev *policy.Event, actions []policy.Action) error {
		for _, a := range actions {
			if ev.Time == 0 && a.Kind == policy.Start {
				started[a.Copy.Job]++
			}
		}
		return nil
	}}
	if _, err := sim.Run(t.Context(), config, p); err != nil {
		t.Fatal(err)
	}
	// Shares of 8 GPUs and 40 cores: x GPUs of a, y halves of b, z cores of c with x/8 = y/16 = z/40. The GPUs are out at x = 4,
	// y = 8, z = 20.
	if started[1] != 4 || started[2] != 8 || started[3] != 20 {
		t.Errorf("at first %v tasks start, want 4, 8 and 20", started)
	}
}

// A bench is a placer with nodes, on which one task after the other is tried.
type bench struct {
	p       *central.Scheduler
	actions []policy.Action
	last    policy.JobID
}

func newBench(placer central.Placer, nodes ...*policy.Node) *bench {
	b := &bench{p: must(central.New(central.Config{Turn: FIFO(), Place: placer}))}
	for i, n := range nodes {
		n.ID, n.Partition, n.Speed = policy.NodeID(i+1), 1, 1
		b.tell(policy.Event{Kind: policy.Joined, Node: n.ID, Info: n})
	}
	return b
}

func (b *bench) tell(ev policy.Event) { b.actions, _ = b.p.Step(&ev, b.actions[:0]) }

// submit tells of a job, which is not yet ready.
func (b *bench) submit(stage policy.Stage) policy.Copy {
	b.last++
	c := policy.Copy{Task: policy.Task{Job: b.last}}
	b.tell(policy.Event{Kind: policy.Submitted, Copy: c, Job: &policy.Job{ID: b.last, Stages: []policy.Stage{stage}}})
	return c
}

// run has a task run on a node.
func (b *bench) run(stage policy.Stage, n policy.NodeID) {
	c, stock := b.submit(stage), b.p.View().Stock(n)
	devices, _ := stock.Take(&stage)
	stock.Add(&stage, devices, 1)
	b.tell(policy.Event{Kind: policy.Ready, Copy: c, Replay: true})
	b.tell(policy.Event{Kind: policy.Started, Copy: c, Node: n, Devices: devices, Replay: true})
}

// next returns the node that a task goes to.
func (b *bench) next(stage policy.Stage) policy.NodeID {
	b.tell(policy.Event{Kind: policy.Ready, Copy: b.submit(stage)})
	if len(b.actions) != 1 {
		return 0
	}
	return b.actions[0].Node
}

func offer(n uint8) []policy.Offer { return []policy.Offer{{Name: "gpu", Amount: 1000, Devices: n}} }

// tasks are some that need so many cores and thousandths of a GPU each.
func tasks(n uint32, cores int32, gpu int64) policy.Stage {
	stage := policy.Stage{Tasks: n, Cores: cores}
	if gpu > 0 {
		stage.Needs = []policy.Need{{Name: "gpu", Amount: gpu}}
	}
	return stage
}

// A task goes where the least is left, by hand. Node 1 has 96 cores and 8 GPUs, and node 2 16 cores and 2 GPUs. With 48 cores and 4 GPUs
// taken, 1/2 and 1/2 are left of node 1. Of node 2, which is empty, 16/96 and 2/8 are: as shares of its own it would be the whole.
// Once 12 of its cores and a GPU are taken, 4/96 and 1/8 are left. With 72 cores and all GPUs taken of node 1, 24/96 and 0
// are left: more than that, but less than of an empty node 2.
func TestBestFit(t *testing.T) {
	for _, test := range []struct {
		name  string
		taken [2]policy.Stage
		next  policy.Stage
		want  policy.NodeID
	}{
		{"an empty small node", [2]policy.Stage{tasks(1, 48, 4000), {}}, tasks(1, 4, 1000), 2},
		{"the small node with less", [2]policy.Stage{tasks(1, 72, 8000), tasks(1, 12, 1000)}, tasks(1, 4, 0), 2},
		{"the large node with less", [2]policy.Stage{tasks(1, 72, 8000), {}}, tasks(1, 4, 0), 1},
		{"where there is room", [2]policy.Stage{tasks(1, 72, 6000), tasks(1, 12, 1000)}, tasks(1, 4, 2000), 1},
	} {
		b := newBench(BestFit(), &policy.Node{Cores: 96, Offers: offer(8)}, &policy.Node{Cores: 16, Offers: offer(2)})
		for i, taken := range test.taken {
			if taken.Tasks > 0 {
				b.run(taken, policy.NodeID(i+1))
			}
		}
		if got := b.next(test.next); got != test.want {
			t.Errorf("%s: node %d, want node %d", test.name, got, test.want)
		}
	}
}

// A task goes where it makes the least of the devices useless, by hand: see the comments of cases.
func TestLeastFragmentation(t *testing.T) {
	const third, half, whole = 300, 500, 1000
	for _, test := range []struct {
		name  string
		taken [3][]int64 // on each node of two GPUs and four cores, with a core each, but for cores
		cores [3]int32
		kinds []int64 // two tasks each, of a core, that came before
		next  int64
		want  policy.NodeID
	}{
		{"a half beside a half", [3][]int64{nil, {half}, nil}, [3]int32{4, 4, 4}, []int64{half, whole}, half, 2},
		// Five halves, two wholes and two of 300. Node 1, [700 1000], goes from .7*2 to [400 1000], .4*5 + .4*2: +1.4. Node 2,
		// [500 1000], goes from .5*2 to [200 1000], .2*9: +.8. Node 3 goes from 0 to [700 1000], .7*2: +1.4.
		{"where little is left for anybody", [3][]int64{{third}, {half}, nil}, [3]int32{4, 4, 4}, []int64{half, half, whole}, third, 2},
		// One half, six of 300 and a whole; node 3 has no cores. Node 1, [500 1000], goes to 200: .2*7 - .3. Node 2, [700 1000],
		// goes to 400: .4*1 - .3, though more is left there.
		{"not where the rest is of no use", [3][]int64{{half}, {third}, {whole}}, [3]int32{4, 4, 1}, []int64{third, third}, third, 2},
		// With the only core of node 1 its other GPU would be useless.
		{"not the last core", [3][]int64{}, [3]int32{1, 4, 4}, []int64{whole}, whole, 2},
	} {
		var nodes []*policy.Node
		for _, cores := range test.cores {
			nodes = append(nodes, &policy.Node{Cores: cores, Offers: offer(2)})
		}
		b := newBench(LeastFragmentation(), nodes...)
		for i, taken := range test.taken {
			for _, amount := range taken {
				b.run(tasks(1, 1, amount), policy.NodeID(i+1))
			}
		}
		for _, amount := range test.kinds {
			b.submit(tasks(2, 1, amount))
		}
		if got := b.next(tasks(1, 1, test.next)); got != test.want {
			t.Errorf("%s: node %d, want node %d", test.name, got, test.want)
		}
	}
}
