package policytest

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// driven is an honest host that does nothing of itself: a script says what happens next. It is as simple
// as can be, and shares nothing with policy/sim but the checker. What passes between the
// centre and the nodes is under way until the script lets it arrive:
//
//   - orders, in a lane for each node, and one, 0, for what the host finds a node for;
//   - news for the centre, in one queue;
//   - what parts send one another, in another; and posts, in no order.
//
// Nodes know what runs on them (driven_nodes.go); what the centre knows, and tells the policy, follows from the news
// (driven_centre.go).
type driven struct {
	config      *Config
	in          choices
	checker     *sim.Checker
	world       *world
	distributed policy.Distributed
	truth       policy.Truth
	parts       []drivenPart // by node; 0: the centre
	nodes       []drivenNode // by ID
	coming      []*workload.Job
	jobs        []*drivenJob // in order of submission
	copies      []*drivenCopy
	lanes       [][]drivenOrder // by node
	news, sent  []letterTo
	posts       []letterTo
	asks        []drivenOrder                 // Reports for later
	started     map[policy.Copy]policy.NodeID // the lane of its Start

	now         policy.Time
	class       int // of what happened last in this instant, by rule Time
	maxFailures int // of a task, that fail its job

	immediate bool // what is asked for is done at once
	calmed    bool // the script is over

	steps   int // since the run or its calm began
	instant int // of them since the time went on
	idle    int // of them since something became of a job

	blind   bool          // the policy was told what is not true
	told    *policy.Event // that was not true, the last one
	failed  *Failure
	over    bool // it goes round in a circle, but was told what is not true
	ended   bool // all jobs have
	verbose bool
	story   []string
}

// drivenPart is a part, or the centre, and a twin that is told the same but nothing impossible.
type drivenPart struct {
	policy, twin policy.Scheduler
	inbox        []letterTo
	alarm        policy.Time // Never if there is none
}

// letterTo is an event that a part is to be told.
type letterTo struct {
	to    policy.NodeID
	event policy.Event
	local bool // about a copy that a part started
	life  int  // of the node that it is for, as the sender knew
	mail  bool // a message
}

// drivenOrder is an order to a node, or a message that keeps its place among them.
type drivenOrder struct {
	action policy.Action
	from   policy.NodeID
	lost   bool // a Kill, as Lost
	mail   *letterTo
}

func newDriven(c *Config, script []byte) *driven {
	h := &driven{config: c, in: choices{script[:min(len(script), maxScript)]}, checker: sim.NewChecker(), world: newWorld(1), started: map[policy.Copy]policy.NodeID{}}
	h.now = []policy.Time{0, -100e9, 1_700_000_000e9}[h.in.of(3)]
	h.immediate, h.maxFailures = h.in.of(2) == 0, 1+h.in.of(3)
	h.nodes = append(h.nodes, drivenNode{})
	for _, n := range scriptedNodes(&h.in) {
		h.nodes = append(h.nodes, drivenNode{info: n})
	}
	h.parts, h.lanes = make([]drivenPart, len(h.nodes)), make([][]drivenOrder, len(h.nodes))
	h.coming = scriptedJobs(&h.in, h.now)
	var err error
	if h.truth, err = c.prepare(h.coming); err != nil {
		h.failed = &Failure{Rule: "config", Err: err}
	}
	return h
}

// begin makes the policy and lets the nodes join, but for some.
func (h *driven) begin() {
	h.remake()
	for id := 1; id < len(h.nodes) && h.going(); id++ {
		if id == 1 || !h.in.one(4) {
			h.join(policy.NodeID(id))
		}
	}
	h.pump()
}

func (h *driven) remake() {
	for i := range h.parts {
		h.parts[i] = drivenPart{alarm: policy.Never}
	}
	centre := &h.parts[0]
	for _, p := range []*policy.Scheduler{&centre.policy, &centre.twin} {
		var err error
		if *p, err = h.config.make(h.truth); err != nil {
			h.fail(failed(&unmadeError{err}))
			return
		}
	}
	h.distributed, _ = centre.policy.(policy.Distributed)
}

// happens begins something of a class of rule Time, in this instant if it is in order there.
func (h *driven) happens(class int) {
	if class < h.class || h.class == answers {
		h.flush()
		h.now++
		h.instant = 0
	}
	h.class = class
}

// The classes of rule Time: the order within an instant.
const (
	ends = iota
	nodesChange
	alarms
	messages
	submissions
	answers
)

// next lets the next thing happen.
func (h *driven) next() {
	switch h.in.of(22) {
	case 0, 1, 2:
		h.pass(false)
	case 3:
		h.pass(true)
	case 4, 5, 6:
		h.submit()
	case 7, 8:
		h.happens(answers)
		h.carrySome()
	case 9, 10:
		h.hearSome()
	case 11:
		h.leave()
	case 12:
		h.comeBack()
	case 13:
		h.breakCopy()
	case 14:
		if h.in.one(2) {
			h.cancel()
		}
	case 15:
		h.post()
	case 16:
		h.happens(messages)
		h.deliver(1 + h.in.of(4))
	case 17:
		if h.in.one(3) {
			h.restart()
		}
	case 18, 19:
		h.forge()
	case 20:
		h.immediate = !h.immediate
	case 21:
		h.pump()
		h.class = answers
	}
	switch {
	case h.immediate:
		h.pump()
	case !h.in.one(4): // else the next thing happens in the same instant, and More says so
		h.flush()
	}
}

// pass lets time pass until the next thing is due, for a while if nothing is before, or leap.
func (h *driven) pass(leap bool) {
	next, some := h.due()
	step := []policy.Duration{1, s / 10, s, 3 * s, 10 * s, 100 * s, 5000 * s}[h.in.of(7)]
	h.flush()
	switch {
	case leap || !some:
		h.now = h.now.Add(step)
	case h.in.one(4):
		h.now = min(h.now.Add(step), max(next, h.now+1))
	default:
		h.now = max(next, h.now+1)
	}
	h.instant, h.class = 0, ends
	h.ring()
}

// due returns when the next thing is due.
func (h *driven) due() (policy.Time, bool) {
	var times []policy.Time
	for _, c := range h.copies {
		if at, ok := h.ends(c); ok {
			times = append(times, at)
		}
	}
	for i := range h.parts {
		if at := h.parts[i].alarm; at != policy.Never {
			times = append(times, at)
		}
	}
	for i := range h.asks {
		times = append(times, h.asks[i].action.At)
	}
	if len(times) == 0 {
		return 0, false
	}
	return slices.Min(times), true
}

// ring lets all happen that is due.
func (h *driven) ring() {
	for _, c := range slices.Clone(h.copies) {
		if at, ok := h.ends(c); ok && at <= h.now {
			h.end(c, policy.Finished)
		}
	}
	if h.immediate {
		h.bring(len(h.news))
	}
	h.class = alarms
	asks := h.asks
	h.asks = nil
	for i := range asks {
		if o := asks[i]; o.action.At <= h.now {
			h.carryOut(&o)
		} else {
			h.asks = append(h.asks, o)
		}
	}
	for i := range h.parts {
		if h.parts[i].alarm <= h.now {
			h.parts[i].alarm = policy.Never
			h.put(policy.NodeID(i), policy.Event{Kind: policy.Woken})
		}
	}
}
