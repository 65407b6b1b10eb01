package baseline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// needy are jobs of a task, or of a gang, that all know how long they take. Two of three need some of a resource.
func needy(seed uint64, n, gang int, need func(*rand.Rand) policy.Need) (jobs []*workload.Job) {
	rng := rand.New(rand.NewPCG(seed, 0))
	at := policy.Time(0)
	for i := range n {
		at = at.Add(policy.Duration(rng.ExpFloat64() * 2e9))
		stage := policy.Stage{Tasks: uint32(1 + rng.IntN(gang)), Cores: 1, Gang: gang > 1} // so that it runs wherever cores are free
		if rng.IntN(3) > 0 {
			stage.Cores = int32(1 + rng.IntN(4))
			if amount := need(rng); amount.Name == "" {
				stage.Memory = amount.Amount
			} else {
				stage.Needs = []policy.Need{amount}
			}
		}
		time := policy.Duration(1+rng.IntN(30)) * s
		jobs = append(jobs, &workload.Job{
			Job:      policy.Job{ID: policy.JobID(i + 1), Submitted: at, Requested: time, Stages: []policy.Stage{stage}},
			Runtimes: [][]policy.Duration{slices.Repeat([]policy.Duration{time}, int(stage.Tasks))},
		})
	}
	return jobs
}

// A link of a node is shared by any amounts.
func link(rng *rand.Rand) policy.Need {
	return policy.Need{Name: "link", Amount: int64(1 + rng.IntN(7000))}
}

// Of memory, a need without a name, a task needs any amount.
func bytes(rng *rand.Rand) policy.Need { return policy.Need{Amount: int64(1 + rng.IntN(7000))} }

// wide tasks need nothing but their cores.
func wide(*rand.Rand) policy.Need { return policy.Need{} }

// Of GPUs, a task needs a part of one, or some whole ones.
func someGPUs(rng *rand.Rand) policy.Need {
	if rng.IntN(3) == 0 {
		return policy.Need{Name: "gpu", Amount: int64(100 * (1 + rng.IntN(9)))}
	}
	return policy.Need{Name: "gpu", Amount: 1000 << rng.IntN(3)}
}

// slowReservation finds out when nodes will have room for a unit: it tries each instant at which something ends, with the nodes
// filled anew.
type slowReservation struct {
	nodes []policy.Node
	runs  []policy.Event // Started
	jobs  []*policy.Job
	asked int // Starts that are not answered
}

func (l *slowReservation) hear(ev *policy.Event, actions []policy.Action) {
	for _, a := range actions {
		if a.Kind == policy.Start {
			l.asked++
		}
	}
	if ev.Kind == policy.Started || ev.Kind == policy.Refused {
		l.asked--
	}
	switch {
	case ev.Kind == policy.Submitted:
		l.jobs = append(l.jobs, ev.Job)
	case ev.Kind == policy.Started:
		l.runs = append(l.runs, *ev)
		l.runs[len(l.runs)-1].Gang = slices.Clone(ev.Gang)
	case ev.Kind.End():
		l.runs = slices.DeleteFunc(l.runs, func(r policy.Event) bool { return r.Copy == ev.Copy })
	}
}

func (l *slowReservation) end(run policy.Event) policy.Time {
	return run.Time.Add(l.jobs[run.Copy.Job-1].Requested)
}

func (l *slowReservation) of(stage *policy.Stage, now policy.Time) policy.Time {
	at := never
	for _, by := range append(l.runs, policy.Event{}) {
		end := now
		if by.Kind != 0 {
			end = l.end(by)
		}
		if end < at && l.room(stage, end) >= int64(stage.Tasks) {
			at = end
		}
	}
	return at
}

// room returns for how many tasks nodes will have room at an instant.
func (l *slowReservation) room(stage *policy.Stage, at policy.Time) (tasks int64) {
	for i := range l.nodes {
		n := &l.nodes[i]
		stock, cores, memory := policy.NewStock(n), int64(n.Cores), n.Memory
		for _, run := range l.runs {
			spec := &l.jobs[run.Copy.Job-1].Stages[0]
			for _, share := range append(run.Gang, policy.Share{Node: run.Node, Tasks: 1, Devices: run.Devices}) {
				if l.end(run) > at && share.Node == policy.NodeID(i+1) {
					stock.Add(spec, share.Devices, -int64(share.Tasks))
					cores -= int64(share.Tasks) * int64(spec.Cores)
					memory -= int64(share.Tasks) * spec.Memory
				}
			}
		}
		fits := min(cores/int64(stage.Cores), int64(stock.Fits(stage)))
		if stage.Memory > 0 {
			fits = min(fits, memory/stage.Memory)
		}
		tasks += fits
	}
	return tasks
}

// With exact times, no job that needs a named resource, memory or several cores of one node starts later than at the
// reservation that EASY gave it when it became the first, or at the end of its slack, though others overtake it. That holds
// on one node whose link is what most wait for, and on nodes of four GPUs each, where enough may be free in all and too few
// on each node. The reservation is what a slow count finds. Gangs are placed by the host, which may refuse one of several
// that start at once. From then on their promises do not count.
func TestEASYReservesByNode(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for _, cluster := range []struct {
		name string
		of   sim.Partition
		gang int
		need func(*rand.Rand) policy.Need
	}{
		{"a link", sim.Partition{Nodes: 1, Cores: 16, Offers: []policy.Offer{{Name: "link", Amount: 10000}}}, 1, link},
		{"GPUs", sim.Partition{Nodes: 3, Cores: 8, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 4}}}, 1, someGPUs},
		{"memory", sim.Partition{Nodes: 3, Cores: 8, Memory: 10000}, 1, bytes},
		{"cores of a node", sim.Partition{Nodes: 4, Cores: 4}, 1, wide},
		{"gangs", sim.Partition{Nodes: 5, Cores: 8, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 4}}}, 2, someGPUs},
	} {
		for _, options := range []BackfillConfig{{}, {Shortest: true}, {Slack: 0.5}, {Shortest: true, Slack: 2}} {
			kept := promises{slack: options.Slack}
			lacked, apart := 0, 0
			for seed := range uint64(30) {
				filler := must(Backfill(options)).(*easy)
				p := must(central.New(central.Config{Turn: FIFO(), Fill: filler, Place: BestFit()}))
				config := sim.Config{Nodes: sim.Cluster(cluster.of)}
				refused := false
				slow := slowReservation{nodes: config.Nodes}
				watched := kept.watch(p, filler, func(first *central.Job) {
					stage := &first.Job.Stages[0]
					if !p.View().Short(stage) || stage.Width() > p.View().Free(0) {
						return
					}
					lacked++
					if stage.Needs == nil || p.View().Resources()[0].Free >= stage.Needs[0].Amount*int64(stage.Tasks) {
						apart++
					}
				})
				both := watch{watched.(watch).Scheduler, func(ev *policy.Event, actions []policy.Action) error {
					slow.hear(ev, actions)
					refused = refused || ev.Kind == policy.Refused
					if err := watched.(watch).see(ev, actions); err != nil && (!refused || cluster.gang == 1) {
						return err
					}
					r := filler.reserved
					filler.reserved = reservation{} // until the next decision
					if r.job == 0 || slow.asked > 0 || !p.View().Short(&p.View().Job(r.job).Job.Stages[0]) {
						return nil
					}
					if want := slow.of(&p.View().Job(r.job).Job.Stages[0], ev.Time); want != r.at {
						return fmt.Errorf("at %v: job %d is reserved for %v, want %v", ev.Time.Seconds(), r.job, r.at.Seconds(), want.Seconds())
					}
					return nil
				}}
				if _, err := simulate(t, config, needy(seed, 150, cluster.gang, cluster.need), both); err != nil {
					t.Errorf("%s, %+v, seed %d: %v", cluster.name, options, seed, err)
				}
			}
			if kept.reserved < 500 || kept.overtook < 200 || lacked < 100 || (options.Slack > 0) != (kept.late > 25) || (cluster.of.Nodes > 1) != (apart > 100) {
				t.Errorf("%s, %+v: %d reservations, %d for want of the resource only, %d of them where there was enough in all, %d jobs overtaken and %d in their slack", cluster.name, options, kept.reserved, lacked, apart, kept.overtook, kept.late)
			}
		}
	}
}

// Memory counts as a named resource does of which each node has as much: the same starts at the same time on the same nodes.
func TestMemoryIsAResource(t *testing.T) {
	for name, c := range map[string]func() central.Config{
		"EASY":         func() central.Config { return central.Config{Turn: FIFO(), Fill: EASY()} },
		"SJBF":         func() central.Config { return central.Config{Turn: FIFO(), Fill: SJBF()} },
		"Conservative": func() central.Config { return central.Config{Turn: FIFO(), Fill: Conservative()} },
	} {
		for seed := range uint64(20) {
			run := func(named bool) (starts []policy.Event) {
				jobs := needy(seed, 120, 1+int(seed%2), bytes)
				config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 3, Cores: 8, Memory: 10000}), Delay: policy.Duration(seed%3) * s / 4}
				for i := range config.Nodes {
					if n := &config.Nodes[i]; named {
						n.Memory, n.Offers = 0, []policy.Offer{{Name: "memory", Amount: n.Memory}}
					}
				}
				for _, j := range jobs {
					if st := &j.Stages[0]; named && st.Memory > 0 {
						st.Memory, st.Needs = 0, []policy.Need{{Name: "memory", Amount: st.Memory}}
					}
				}
				p := watch{must(central.New(c())), func(ev *policy.Event, _ []policy.Action) error {
					if ev.Kind == policy.Started {
						starts = append(starts, policy.Event{Time: ev.Time, Copy: ev.Copy, Node: ev.Node, Gang: slices.Clone(ev.Gang)})
					}
					return nil
				}}
				if _, err := simulate(t, config, jobs, p); err != nil {
					t.Fatalf("%s, seed %d: %v", name, seed, err)
				}
				return starts
			}
			if diff := cmp.Diff(run(true), run(false)); diff != "" {
				t.Errorf("%s, seed %d: starts with a named resource (-) and with memory (+):\n%.500s", name, seed, diff)
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

// A task goes where the least is left, by hand. Node 1 has 96 cores and 8 GPUs, and node 2 16 cores and 2 GPUs. With 48
// cores and 4 GPUs taken, 1/2 and 1/2 are left of node 1. Of node 2, which is empty, 16/96 and 2/8 are: as shares of its own
// it would be the whole. Once 12 of its cores and a GPU are taken, 4/96 and 1/8 are left. With 72 cores and all GPUs taken
// of node 1, 24/96 and 0 are left: more than that, but less than of an empty node 2.
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
