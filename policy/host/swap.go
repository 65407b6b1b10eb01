package host

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"example.com/augur/internal/parts"
	"example.com/augur/policy"
	"example.com/augur/policy/journal"
)

// A note is what the journal keeps and no event tells. Its first field that is set says what it is about.
type note struct {
	Node policy.NodeID  `json:",omitzero"`  // that will join: Name
	Part *Report        `json:",omitempty"` // how a gang has ended on Node, before it has elsewhere
	Told []policy.JobID `json:",omitempty"` // that Config.Ended was called with
	// A job that will be submitted (Name, Data and Failed), that is to end (Outcome), or that has ended (Outcome, Submitted and Ended).
	Job              policy.JobID   `json:",omitzero"`
	Name             string         `json:",omitempty"`
	Data             []byte         `json:",omitempty"`
	Failed           []failures     `json:",omitempty"`
	Outcome          policy.Outcome `json:",omitzero"`
	Submitted, Ended policy.Time    `json:",omitzero"`
	Newest           policy.JobID   `json:",omitzero"`  // the largest ID that there was
	Reason           string         `json:",omitempty"` // of the last failure of a job
}

// failures are how often a task has failed.
type failures struct {
	Task  policy.Task
	Times uint32
}

// put keeps a note and takes note of it.
func (e *Engine) put(n note) error {
	err := put(e.journal, []note{n})
	if err == nil {
		e.take(n)
	}
	return err
}

func put(j *journal.Journal, notes []note) error {
	for _, n := range notes {
		b, err := json.Marshal(n)
		if err == nil {
			err = j.Note(b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noted takes a note that the journal replays.
func (e *Engine) noted(b []byte) error {
	var n note
	if err := json.Unmarshal(b, &n); err != nil {
		return fmt.Errorf("host: a note in the journal: %w", err)
	}
	e.take(n)
	return nil
}

func (e *Engine) take(n note) {
	switch j := e.jobs.Get(n.Job); {
	case n.Part != nil:
		if r := e.copies[n.Part.Copy]; r != nil {
			if s := r.seat(n.Node); s != nil {
				s.end, s.service, s.saved = n.Part.Kind, n.Part.Service, n.Part.Saved
			}
		}
	case n.Told != nil:
		for _, id := range n.Told {
			delete(e.untold, id)
		}
	case n.Node != 0:
		e.joins[n.Node] = n.Name
	case n.Newest != 0:
		e.newest = max(e.newest, n.Newest)
	case n.Ended != 0:
		e.remember(Status{ID: n.Job, Name: n.Name, Outcome: n.Outcome, Submitted: n.Submitted, Ended: n.Ended, Reason: n.Reason})
	case j != nil && n.Outcome != 0:
		e.ends(j, n.Outcome)
	case j != nil:
		j.reason = cmp.Or(n.Reason, j.reason)
		for _, f := range n.Failed {
			j.task(f.Task).failed = f.Times
		}
	default:
		e.comes[n.Job] = coming{n.Name, n.Data}
	}
}

// Swap replaces the policy by that of another name, or by a new one of the same: it hears the present state, and everything that
// runs goes on. What the policy before has learnt is kept for it, and what the new one had learnt when it was replaced it gets
// back (see [policy.Keeper]). If the new policy cannot be made, does what machines cannot do, hides its parts, or does not take a job that is there, Swap returns an
// error, and nothing has changed.
func (e *Engine) Swap(ctx context.Context, name string) error {
	return e.do(ctx, func() error {
		if err := e.fatal(e.settle()); err != nil {
			return err
		}
		return e.swap(name)
	})
}

// keptPolicy and keptLearnt are the names under which a journal keeps that of its policy, and, with a policy's after it, what
// that has learnt.
const keptPolicy, keptLearnt = "policy", "learnt "

// keep returns what a journal that begins keeps.
func (e *Engine) keep() (map[string][]byte, error) {
	kept := map[string][]byte{keptPolicy: []byte(e.config.Policy)}
	for name, b := range e.learnt {
		kept[keptLearnt+name] = b
	}
	return kept, nil
}

// restore makes the policy of a journal.
func (e *Engine) restore(kept map[string][]byte) (policy.Scheduler, error) {
	e.config.Policy = string(kept[keptPolicy])
	e.learnt = make(map[string][]byte)
	for name, b := range kept {
		if name, ok := bytes.CutPrefix([]byte(name), []byte(keptLearnt)); ok {
			e.learnt[string(name)] = b
		}
	}
	return e.make(e.config.Policy)
}

// make makes a policy, which has learnt what it had when it was replaced.
func (e *Engine) make(name string) (policy.Scheduler, error) {
	if e.config.Rebuild && e.journal == nil {
		e.parts = true // so that it takes the events of all
		return mute{}, nil
	}
	p, err := e.config.New(name)
	if err == nil && p == nil {
		err = errors.New("Config.New returned a nil policy and no error, want one of the two")
	}
	if err == nil {
		err = cmp.Or(e.can(name, p), parts.Check(p))
	}
	if k, ok := p.(policy.Keeper); ok && err == nil && e.learnt[name] != nil {
		if err = k.Load(bytes.NewReader(e.learnt[name])); err != nil && e.config.Rebuild { // then it has changed nothing
			delete(e.learnt, name)
			err = nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("policy %q: %w", name, err)
	}
	_, e.parts = p.(policy.Distributed)
	return p, nil
}

// swap begins the journal anew with a policy that hears the present state.
func (e *Engine) swap(name string) error {
	was, parted, learnt := e.config.Policy, e.parts, maps.Clone(e.learnt)
	undo := func(err error) error {
		e.config.Policy, e.parts, e.learnt = was, parted, learnt
		return fmt.Errorf("host: %w", err)
	}
	if k, ok := e.journal.Policy().(policy.Keeper); ok {
		var b bytes.Buffer
		if err := k.Save(&b); err != nil {
			return undo(err)
		}
		e.learnt[was] = b.Bytes()
	}
	trial, err := e.make(name)
	if err != nil {
		return undo(err)
	}
	tries := parts.Of(trial)
	if err := e.state(tries.Step); err != nil {
		return undo(err)
	}
	e.config.Policy = name
	for _, n := range e.nodes { // what it wanted and was not done, nobody wants any more
		n.held = nil
		clear(n.blocks)
	}
	for _, c := range slices.SortedFunc(maps.Keys(e.copies), compare) {
		r := e.copies[c]
		if len(r.seats) > 0 {
			continue
		}
		e.answered(r)
		e.drop(r)
	}
	clear(e.refused)
	e.checker.Restart()
	var said []heard
	err = e.journal.Renew(func(next *journal.Journal) error {
		if err := put(next, e.notes()); err != nil {
			return err
		}
		err := e.state(func(part policy.NodeID, ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			actions, err := next.Step(part, ev, actions)
			said = append(said, heard{part, *ev, slices.Clone(actions)})
			return actions, err
		})
		if err != nil {
			return err
		}
		return put(next, e.later())
	})
	if err != nil {
		return e.fatal(err)
	}
	if err := e.wants(said); err != nil {
		return e.fatal(err)
	}
	e.caughtUp()
	return nil
}

// wants takes note of what a policy wants that has heard the present state.
func (e *Engine) wants(said []heard) error {
	for i := range said { // the books have it, but for what it wants now
		x := &said[i]
		if err := e.checker.Event(x.part, &x.event); err != nil {
			return err
		}
		for k := range x.actions {
			if err := e.checker.Action(x.part, x.event.Time, &x.actions[k]); err != nil {
				return err
			}
		}
		if e.config.Heard != nil {
			e.config.Heard(x.part, &x.event, x.actions)
		}
		x.event.Kind = policy.Restored
		if err := e.note(x.part, &x.event, x.actions); err != nil {
			return err
		}
	}
	return nil
}

// heard is what a part has heard and answered.
type heard struct {
	part    policy.NodeID
	event   policy.Event
	actions []policy.Action
}

// notes returns the notes of the present state.
func (e *Engine) notes() (all []note) {
	var told []policy.JobID
	for _, id := range e.order {
		s := e.past[id]
		all = append(all, note{Job: id, Name: s.Name, Outcome: s.Outcome, Submitted: s.Submitted, Ended: s.Ended, Reason: s.Reason})
		if !e.untold[id] {
			told = append(told, id)
		}
	}
	all = append(all, note{Newest: e.newest})
	if told != nil {
		all = append(all, note{Told: told})
	}
	for _, n := range e.sorted() {
		all = append(all, note{Node: n.info.ID, Name: n.name})
	}
	for id, j := range e.jobs.All() {
		all = append(all, note{Job: id, Name: j.Name, Data: j.Data})
	}
	return all
}

// later returns the notes that follow the present state: what has been decided of jobs, and how often their tasks have failed.
func (e *Engine) later() (all []note) {
	for id, j := range e.jobs.All() {
		n := note{Job: id, Reason: j.reason}
		for s := range j.stages {
			for i := range j.stages[s].tasks {
				if t := &j.stages[s].tasks[i]; t.failed > 0 && !t.done {
					n.Failed = append(n.Failed, failures{policy.Task{Job: id, Stage: uint32(s), Index: uint32(i)}, t.failed})
				}
			}
		}
		if n.Failed != nil || n.Reason != "" {
			all = append(all, n)
		}
		for _, c := range slices.SortedFunc(maps.Keys(j.copies), compare) {
			for _, s := range j.copies[c].seats {
				if s.end != 0 {
					all = append(all, note{Node: s.node, Part: &Report{Copy: c, Kind: s.end, Service: s.service, Saved: s.saved}})
				}
			}
		}
		if j.outcome != 0 && j.outcome != policy.Done {
			all = append(all, note{Job: id, Outcome: j.outcome})
		}
	}
	return all
}

// state tells the present state, as package policy says under Restart.
func (e *Engine) state(step func(policy.NodeID, *policy.Event, []policy.Action) ([]policy.Action, error)) error {
	at := max(e.now(), e.last+1)
	e.last = at
	only := func(part policy.NodeID, ev policy.Event) error {
		ev.Time, ev.Replay = at, ev.Kind != policy.Restored
		_, err := step(part, &ev, nil)
		return err
	}
	tell := func(ev policy.Event) error { // the parts there, and the centre
		for _, part := range e.partsOf(&ev) {
			if err := only(part, ev); err != nil {
				return err
			}
		}
		return only(0, ev)
	}
	nodes := e.sorted()
	for _, n := range nodes {
		ev := policy.Event{Kind: policy.Joined, Node: n.info.ID, Info: &n.info}
		if err := tell(ev); err != nil {
			return err
		}
	}
	for id, j := range e.jobs.All() {
		of := policy.Copy{Task: policy.Task{Job: id}}
		if err := tell(policy.Event{Kind: policy.Submitted, Copy: of, Job: j.Job}); err != nil {
			return err
		}
		for s := range j.stages {
			if !j.stages[s].ready {
				continue
			}
			of.Stage = uint32(s)
			if err := tell(policy.Event{Kind: policy.Ready, Copy: of}); err != nil {
				return err
			}
			if err := e.stateOf(j, uint32(s), tell); err != nil {
				return err
			}
		}
	}
	if err := tell(policy.Event{Kind: policy.Restored}); err != nil {
		return err
	}
	for _, n := range nodes {
		if !e.parts {
			break
		}
		if err := only(n.info.ID, policy.Event{Kind: policy.Restored}); err != nil {
			return err
		}
	}
	return nil
}

// stateOf tells the present state of the tasks of a stage.
func (e *Engine) stateOf(j *job, stage uint32, tell func(policy.Event) error) error {
	of := make(map[policy.Task][]*running)
	for c, r := range j.copies {
		if c.Stage == stage && len(r.seats) > 0 {
			of[c.Task] = append(of[c.Task], r)
		}
	}
	for i := range j.stages[stage].tasks {
		t := &j.stages[stage].tasks[i]
		id := policy.Task{Job: j.ID, Stage: stage, Index: uint32(i)}
		last := policy.Event{Copy: policy.Copy{Task: id, N: max(1, t.used) - 1}}
		copies := of[id]
		slices.SortFunc(copies, func(a, b *running) int { return compare(a.Copy, b.Copy) })
		if n := len(copies); !t.done && t.used > 0 && (n == 0 || copies[n-1].N < last.Copy.N) {
			last.Kind, last.Again, last.Saved = t.last, n == 0, t.saved
			if err := tell(last); err != nil {
				return err
			}
		}
		for _, r := range copies {
			ev := policy.Event{Kind: policy.Started, Copy: r.Copy, Node: r.node, Gang: r.shares, Devices: r.devices, Partition: r.named, Service: r.served()}
			if err := tell(ev); err != nil {
				return err
			}
			if ev.Kind, ev.Partition = policy.Suspended, 0; r.stands {
				if err := tell(ev); err != nil {
					return err
				}
			}
		}
		if !t.done {
			continue
		}
		for last.Kind = policy.Finished; slices.ContainsFunc(copies, func(r *running) bool { return r.Copy == last.Copy }); last.Copy.N-- {
		}
		if err := tell(last); err != nil { // after the copies that have lost the race, and have not ended
			return err
		}
	}
	return nil
}

// mute is a policy that decides nothing.
type mute struct{}

func (mute) Step(_ *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return actions, nil
}

func (m mute) Part(*policy.Node) policy.Scheduler { return m }
