package policytest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"example.com/augur/policy"
)

// A tape holds what was told to a policy and its parts in a run, and what they answered.
// Played to a new policy, in one way or another, it shows whether that answers the same.
// It is a record of package sim that stays in memory.
type tape struct {
	truth   policy.Truth
	entries []entry
	limit   int  // of entries; 0: none
	repeats bool // played again, nothing being different, it gives the same answers
}

// entry is a Step, or the making of the policy or of a part.
type entry struct {
	part    policy.NodeID // 0: the centre
	node    *policy.Node  // the part is made for it, if not nil
	restart bool          // the policy is made
	event   policy.Event
	actions []policy.Action
}

var errTapeFull = errors.New("the tape is full")

func (tp *tape) step(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	if tp.limit > 0 && len(tp.entries) >= tp.limit {
		return errTapeFull
	}
	e := entry{part: part, event: clone(ev), actions: slices.Clone(actions)}
	for i := range e.actions {
		e.actions[i].Msg.Data = slices.Clone(e.actions[i].Msg.Data)
	}
	tp.entries = append(tp.entries, e)
	return nil
}

func (tp *tape) made(n *policy.Node) {
	tp.entries = append(tp.entries, entry{part: n.ID, node: new(*n)})
}

func (tp *tape) restart(truth policy.Truth) {
	tp.truth = truth
	tp.entries = append(tp.entries, entry{restart: true})
}

// tapeJobs are fewer than in other scenes, since tapes are played many times.
const tapeJobs = 20

// maxTape is several times what a policy fills that does not go round in a circle.
const maxTape = 5_000

// record takes down a run in which all goes wrong that can. What the run finds is for
// other tests to say; a tape that breaks off is good enough.
func record(c *suite, seed uint64) *tape {
	tp := &tape{limit: maxTape}
	newScene(seed, tapeJobs, withFaults|withRestarts).run(c, tp)
	return tp
}

// recorded is what record made when it was first asked for it, in a bubble where the
// clock stands still.
func (c *suite) recorded(seed uint64) *tape {
	tp := c.tapes[seed]
	if tp == nil {
		tp = record(c, seed)
		tp.repeats = true
		for range 4 {
			tp.repeats = tp.repeats && newPlayer(c, tp).all(nil) == nil
		}
		c.tapes[seed] = tp
	}
	return tp
}

// A player plays a tape to a new policy, entry by entry.
type player struct {
	config *suite
	tape   *tape
	parts  map[policy.NodeID]policy.Scheduler // 0: the centre
	got    []policy.Action
	blind  bool // do not look at what the policy answers

	// step and makePart, or what stands between them and the policy.
	step func(p policy.Scheduler, ev *policy.Event, actions []policy.Action) ([]policy.Action, error)
	part func(d policy.Distributed, n *policy.Node) (policy.Scheduler, error)
}

func newPlayer(c *suite, tp *tape) *player {
	return &player{config: c, tape: tp, step: step, part: makePart, parts: map[policy.NodeID]policy.Scheduler{}}
}

// play plays the i-th entry. The error says what the policy answers otherwise than on the
// tape.
func (pl *player) play(i int) (err error) {
	e := &pl.tape.entries[i]
	switch {
	case e.restart:
		clear(pl.parts)
		pl.parts[0], err = pl.config.make(pl.tape.truth)
		return err
	case e.node != nil:
		d, ok := pl.parts[0].(policy.Distributed)
		if !ok {
			return errors.New("the policy that Config.New makes is distributed at one time and not at another")
		}
		pl.parts[e.part], err = pl.part(d, new(*e.node))
		return err
	}
	pl.got, err = pl.step(pl.parts[e.part], new(clone(&e.event)), pl.got[:0])
	if pl.blind {
		return err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", e, err)
	}
	return e.compare(pl.got)
}

// all plays the whole tape. before, if not nil, is called before each entry.
func (pl *player) all(before func(i int) error) error {
	for i := range pl.tape.entries {
		if before != nil {
			if err := before(i); err != nil {
				return err
			}
		}
		if err := pl.play(i); err != nil {
			return err
		}
	}
	return nil
}

func (e *entry) compare(got []policy.Action) error {
	for i := range max(len(got), len(e.actions)) {
		if i >= len(got) || i >= len(e.actions) || !same(&got[i], &e.actions[i]) {
			return fmt.Errorf("%s: action %d is %s, but was %s the first time", e, i, describe(got, i), describe(e.actions, i))
		}
	}
	return nil
}

// String says when what is told to whom.
func (e *entry) String() string {
	where := "the centre"
	if e.part != 0 {
		where = fmt.Sprintf("the part on node %d", e.part)
	}
	return fmt.Sprintf("at %v s, %s, told %s", e.event.Time.Seconds(), where, tell(&e.event))
}

// tell writes an event, but for its job.
func tell(ev *policy.Event) string {
	brief := *ev
	brief.Job = nil
	return text(&brief)
}

func describe(actions []policy.Action, i int) string {
	if i >= len(actions) {
		return "not there"
	}
	return text(&actions[i])
}

// text writes an event or an action as JSON, but copies as the texts of failures name them: "2/0/1#0".
func text(x any) string {
	doc, err := json.Marshal(x)
	if err != nil {
		return fmt.Sprintf("%+v", x)
	}
	return inJSON.ReplaceAllStringFunc(string(doc), func(found string) string {
		var c policy.Copy
		if err := json.Unmarshal([]byte(strings.TrimPrefix(found, `"copy":`)), &c); err != nil {
			return found
		}
		return fmt.Sprintf(`"copy":%q`, c)
	})
}

// inJSON finds a copy in an event, an action or a message. None of them holds a text of somebody's own.
var inJSON = regexp.MustCompile(`"copy":\{[^{}]*\}`)

func same(a, b *policy.Action) bool {
	return a.Kind == b.Kind && a.Copy == b.Copy && a.Node == b.Node && a.Partition == b.Partition && a.At == b.At &&
		a.Msg.Kind == b.Msg.Kind && a.Msg.Count == b.Msg.Count && a.Msg.Copy == b.Msg.Copy && a.Msg.Seq == b.Msg.Seq &&
		math.Float64bits(a.Msg.Value) == math.Float64bits(b.Msg.Value) && bytes.Equal(a.Msg.Data, b.Msg.Data)
}
