package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"example.com/augur/internal/parallel"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
)

// openbTasks are all tasks of the trace, also those that never ran, with thousandths of CPUs as cores.
var openbTasks = bed{"Alibaba", alibabaFile, "submit=creation_time,runtime=num_gpu,cores=cpu_milli,need.gpu=num_gpu*gpu_milli:milli", 0, 0}

// A filler is a placer that the cluster is filled by.
type filler struct {
	name string
	of   func(rng *rand.Rand) central.Placer
}

var fillers = []filler{
	{"random fit", func(rng *rand.Rand) central.Placer { return &randomFit{rng: rng} }},
	{"best fit", func(*rand.Rand) central.Placer { return baseline.BestFit() }},
	{"least fragmentation", func(*rand.Rand) central.Placer { return baseline.LeastFragmentation() }},
}

// writeFilling fills the cluster with each seed under each placer, and writes what came out.
func (o *options) writeFilling(ctx context.Context, w, stderr io.Writer) error {
	js, ok, err := o.read(ctx, &openbTasks, stderr)
	if err != nil || !ok {
		return err
	}
	var tasks []policy.Stage
	for _, j := range js.List {
		tasks = append(tasks, j.Stages[0])
	}
	begun := time.Now()
	got := make([][]filled, len(fillers)) // by placer, then by seed
	for k := range got {
		got[k] = make([]filled, o.seeds)
	}
	if err := parallel.Each(len(fillers)*o.seeds, 0, func(i int) (err error) {
		k, seed := i%len(fillers), uint64(i/len(fillers)+1)
		placer := fillers[k].of(rand.New(rand.NewPCG(seed, 2)))
		draw := rand.New(rand.NewPCG(seed, 1))
		got[k][seed-1], err = fill(ctx, openb(), placer, func() *policy.Stage { return &tasks[draw.IntN(len(tasks))] })
		return err
	}); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "filling took %v\n", time.Since(begun).Round(time.Second))
	writeFilled(w, got)
	return nil
}

// A filled is the GPUs that are allocated, as shares of those of the cluster: once the tasks that have come ask for as many GPUs as
// the cluster has, and once they ask for 1.3 times as many.
type filled struct{ at100, at130 float64 }

// fill lets tasks come until they have asked for 1.3 times the GPUs of the nodes. Those that find no room are gone, and the others
// stay.
func fill(ctx context.Context, nodes []policy.Node, placer central.Placer, next func() *policy.Stage) (f filled, err error) {
	h, err := newHost(nodes, placer)
	if err != nil {
		return f, err
	}
	all, asked, got := int64(0), int64(0), int64(0) // thousandths
	for i := range nodes {
		for k := range nodes[i].Offers {
			all += nodes[i].Offers[k].All()
		}
	}
	for asked*10 < all*13 {
		if err := ctx.Err(); err != nil {
			return f, err
		}
		stage := next()
		at, err := h.offer(stage)
		if err != nil {
			return f, err
		}
		for _, need := range stage.Needs {
			asked += need.Amount
			if at != 0 {
				got += need.Amount
			}
		}
		if f.at100 == 0 && asked >= all {
			f.at100 = float64(got) / float64(all)
		}
	}
	f.at130 = float64(got) / float64(all)
	return f, nil
}

// A host runs each task for ever on the node that a policy says, or gives it up if there is no room for it.
type host struct {
	policy  policy.Scheduler
	stocks  []*policy.Stock // by ID of the node
	now     policy.Time
	last    policy.JobID
	actions []policy.Action
}

func newHost(nodes []policy.Node, placer central.Placer) (*host, error) {
	s, err := central.New(central.Config{Turn: baseline.FIFO(), Place: placer})
	if err != nil {
		return nil, err
	}
	h := &host{policy: s, stocks: make([]*policy.Stock, len(nodes)+1)}
	for i := range nodes {
		n := &nodes[i]
		h.stocks[n.ID] = policy.NewStock(n)
		if err := h.step(&policy.Event{Kind: policy.Joined, Node: n.ID, Info: n}); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// step tells the policy of an event.
func (h *host) step(ev *policy.Event) (err error) {
	ev.Time = h.now
	h.actions, err = h.policy.Step(ev, h.actions[:0])
	return err
}

// offer submits a task, and returns the node that it has gone to, 0 if there was no room for it.
func (h *host) offer(stage *policy.Stage) (at policy.NodeID, err error) {
	h.now++
	h.last++
	c := policy.Copy{Task: policy.Task{Job: h.last}}
	if err := h.step(&policy.Event{Kind: policy.Submitted, More: true, Copy: c, Job: &policy.Job{ID: h.last, Submitted: h.now, Stages: []policy.Stage{*stage}}}); err != nil {
		return 0, err
	}
	if err := h.step(&policy.Event{Kind: policy.Ready, Copy: c}); err != nil {
		return 0, err
	}
	for _, a := range h.actions {
		if a.Kind != policy.Start {
			continue
		}
		if a.Node == 0 { // the cores are free, but on no node together
			if err := h.step(&policy.Event{Kind: policy.Refused, Copy: c, More: true, Again: true}); err != nil {
				return 0, err
			}
			break
		}
		devices, ok := h.stocks[a.Node].Take(stage)
		if !ok {
			return 0, errors.New("a task was placed on a node without room for it")
		}
		return a.Node, h.step(&policy.Event{Kind: policy.Started, Copy: c, Node: a.Node, Devices: devices})
	}
	return 0, h.step(&policy.Event{Kind: policy.Ended, Copy: c, Outcome: policy.Cancelled})
}

// randomFit places a task on any node with room for it, all being equally likely.
type randomFit struct {
	view *central.View
	rng  *rand.Rand
}

// Bind implements [central.Placer].
func (p *randomFit) Bind(b central.Books) error {
	p.view = b.View
	return nil
}

// Where implements [central.Placer].
func (p *randomFit) Where(j *central.Job, stage uint32) (where central.Where) {
	seen := 0
	for n := range p.view.Open() {
		if p.view.Tasks(n, &j.Job.Stages[stage]) > 0 {
			if seen++; p.rng.IntN(seen) == 0 {
				where.Node = n
			}
		}
	}
	return where
}
