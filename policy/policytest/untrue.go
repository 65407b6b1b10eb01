package policytest

import (
	"math"

	"example.com/augur/policy"
)

// untrue lists events that could be, but are not true: who keeps no list of the copies
// that run cannot tell. A policy that believes them goes wrong, but it does not panic.
var untrue = []forgery{
	{"started twice", func(w *world) policy.Event { return w.running(policy.Started) }},
	{"finished twice", func(w *world) policy.Event { return w.running(policy.Finished) }},
	{"failed and again", func(w *world) policy.Event {
		ev := w.running(policy.Failed)
		ev.Again = true
		return ev
	}},
	{"never started, but lost", func(w *world) policy.Event {
		ev := w.running(policy.Lost)
		c, _ := w.stage()
		ev.Copy, ev.Again = c, true
		ev.Copy.N = 77
		return ev
	}},
	{"never asked for, but refused", func(w *world) policy.Event {
		c, _ := w.stage()
		return policy.Event{Kind: policy.Refused, Copy: c, Again: true}
	}},
	{"suspended", func(w *world) policy.Event { return w.running(policy.Suspended) }},
	{"resumed", func(w *world) policy.Event { return w.running(policy.Resumed) }},
	{"progress", func(w *world) policy.Event { return w.running(policy.Progress) }},
	{"ended, but copies run", func(w *world) policy.Event {
		ev := about(policy.Ended, w.runs[0].Copy.Job)
		ev.Outcome = policy.Done
		return ev
	}},
	{"submitted again", func(w *world) policy.Event {
		ev := about(policy.Submitted, w.ended[0])
		ev.Job = &policy.Job{ID: w.ended[0], Stages: []policy.Stage{{Tasks: 3, Cores: 1}}}
		return ev
	}},
	{"left, but copies run", func(w *world) policy.Event {
		ev := policy.Event{Kind: policy.Left, Node: w.runs[0].Node}
		if ev.Node == 0 {
			ev.Node = w.runs[0].Gang[0].Node
		}
		return ev
	}},
	{"restored", func(*world) policy.Event { return policy.Event{Kind: policy.Restored} }},
	{"arrived", func(w *world) policy.Event {
		return policy.Event{Kind: policy.Arrived, Node: unknownNode, Msg: policy.Msg{
			Kind: w.rng.Uint32N(8), Count: math.MaxUint32, Copy: nowhere, Value: math.NaN(), Data: []byte("?"),
		}}
	}},
	{"replayed", func(w *world) policy.Event {
		ev := w.running(policy.Started)
		ev.Replay = true
		return ev
	}},
	{"time goes back", func(w *world) policy.Event {
		ev := w.running(policy.Finished)
		ev.Time = -policy.Time(1e18)
		return ev
	}},
}
