// Package journal lets a policy survive a crash of its host. It logs every event that the policy hears to a file. After a
// crash it replays the log to a new policy, which then makes the same decisions that the old one would have made.
//
// A policy is a deterministic state machine (package policy), so the log of its events serves as a snapshot. That
// works for every policy, and there is no second format to keep up to date. Policies take millions of events a
// second, so a day of a busy cluster is replayed in seconds.
//
// [Open] a journal by its name. If the file exists, Open restores the policy from it; if not, it begins a new
// journal. From then on report every event through the journal:
//
//	j, err := journal.Open("/var/lib/sched/events", journal.Config{New: newPolicy, Keep: keep, Replayed: replayed})
//	...
//	actions, err = j.Step(0, &ev, actions[:0])
//	...
//	err = j.Sync() // before the actions are carried out
//	for _, a := range actions {
//		carryOut(a)
//	}
//
// The Example is a host that does everything described below.
//
// # What a host must keep to
//
// Carry out an action only after the [Journal.Sync] that follows its Step; one Sync may cover many Steps. Otherwise, after a
// crash, something may run that the restored policy does not know of.
//
// A step is in the journal once the policy has answered. The journal leaves out an event that the policy refuses, and one at
// which the policy panics: it would panic again at every start.
//
// After a crash Config.Replayed is called with every event and its answer once more, including the events of the state with
// which the journal began, so that the host restores its own state. The [Ledger] knows what is still to be carried out. An
// order may have been carried out before the crash. So first ask the machines what they run and what has ended there, and
// report that to the policy; then carry out what is left. Doing so twice must change nothing. A host whose clock is behind the
// last event reports that event's time until the clock has caught up. Package host does all of this.
//
// The crash may have cut a group of events that belong together. So the host reports what follows from the state: Ready of
// stages that may start, Ended of jobs whose stages are all done, and, if the last event had More set, an event without More.
//
// After a Renew, Replayed hears only of the jobs that were there at that moment. Let Config.Keep return what the host must
// know of ended jobs, and New take it back: the largest ID, since no ID is used twice; the jobs whose output others may still
// read or wait for; and what users still want to know.
//
// # What is not in it
//
// Config.New must make the policy as it was made when the journal began: with the same configuration, seed and [policy.Truth].
// The policy learns again what it learnt from events. If it was given a predictor that knew something already, it needs one
// that knows the same: the result of Config.Keep is written at the beginning of the journal, and given to New whenever that
// journal is opened:
//
//	New: func(kept map[string][]byte) (policy.Scheduler, error) {
//		if err := history.Restore(bytes.NewReader(kept["history"])); err != nil {
//			return nil, err
//		}
//		return newPolicy(history)
//	},
//	Keep: func() (map[string][]byte, error) {
//		var b bytes.Buffer
//		err := history.Snapshot(&b)
//		return map[string][]byte{"history": b.Bytes()}, err
//	},
//
// A host that teaches the predictor does so in its Replayed function, which it also calls after each Step, but not from events
// with Replay set, since Keep's result includes those. The journal does not contain what is taught elsewhere, nor values that
// are replaced while the policy runs: replace them when a new journal begins.
//
// If the policy answers differently than the one that wrote the journal, Open returns an error that names the first such event.
//
// # When to begin a new one
//
// A journal grows by 20 to 30 bytes an event, plus each job when it is submitted. Most tasks cause 2 to 10 events, so a million
// tasks make about 100 MB. The time that a restart may take decides when to begin a new one: for ten seconds, after some ten
// million events. [Journal.Renew] makes a new policy from what Keep returns at that moment, and the host reports the present
// state to it. What the old policy has learnt is lost unless Keep returns it, so later decisions may differ.
//
// # Damage
//
// A host that is killed may leave a part of a record, which no Sync has acknowledged. Open cuts it off. Anything else is
// damage: a broken record with whole ones after it, a foreign header, or an incomplete beginning. Open's error then names the
// byte and wraps [ErrFormat], and the file stays as it was. Bytes inside an event, such as a user's in an attribute, never count
// as a record. Damage that reaches to the end of the file looks like a torn record and is cut off. After a loss of power some
// file systems keep later writes and lose earlier ones. That is an error too, but all of it is behind the last Sync: cut the
// file at the byte that the error names.
//
// When a Sync fails, the system may believe data to be written that it could not write. So that Sync cuts off everything since
// the Sync before; close the journal and open it again. If Open or Renew cannot sync the file or its name, only a restart of the
// machine shows what the disk has. If the file disappears nobody notices: Open then begins a new journal.
//
// The format has a version, now 2. Only v0.1.0 reads and writes version 1.
//
// # When not to use it
//
// A host whose decisions may differ after a restart reports the present state to a new policy and needs no journal. Nor does a
// host that only asks an advise.Advisor. To inspect a run, use the record of policy/sim. A program that calls kairos.Node,
// hopper.Tracker or the like directly has no events; it keeps its own log of its calls.
//
// # Cost
//
// A step takes 0.2 µs more; without a Ledger it allocates nothing. A Sync takes as long as the disk takes. Open takes as long as
// the policy takes for all events, plus 0.3 µs for each.
//
// # Source
//
// F. B. Schneider, "Implementing fault-tolerant services using the state machine approach: a tutorial", ACM Computing Surveys
// 22(4), 1990. The format is this library's own.
package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"example.com/augur/internal/parts"
	"example.com/augur/policy"
)

// A Journal is a policy whose steps are logged, with its parts if it is a [policy.Distributed]. Only one goroutine at
// a time may use it. Parts that run in several processes have a journal in each.
type Journal struct {
	config  Config
	disk    disk
	name    string
	parts   *parts.Parts
	file    file
	lock    io.Closer // once it is open
	out     *bufio.Writer
	centre  bool                   // the centre was told something
	telling map[policy.NodeID]bool // until it has its name: who was told something, and whether Restored; then nil
	offset  int64                  // of the next record
	last    policy.Time            // of the last one
	synced  int64                  // up to which all survives a crash
	events  int                    // that were restored
	cut     int64                  // bytes
	body    codec                  // scratch, as the next two
	frame   []byte
	sum     codec
	err     error // after it the journal lacks what the policy was told, or is another one's
}

// bufferSize is how much is written to the file at once, in bytes.
const bufferSize = 1 << 16

// Restored returns how many events were replayed when the journal was opened, and how many bytes of a torn record
// were cut off.
func (j *Journal) Restored() (events int, cut int64) { return j.events, j.cut }

// Size returns the length of the journal in bytes, including those that are not written yet.
func (j *Journal) Size() int64 { return j.offset }

// Step reports ev to the policy, or to its part on a node, logs it, and appends the answer to actions. Part 0 is the
// centre. The part on a node is made at its first event, Joined, and made anew when its node joins again. Carry out
// the actions only after [Journal.Sync].
//
// Step returns the policy's error as it is; nothing has happened then. It also returns an error, without reporting
// the event to the policy, if the event takes more than 64 MiB, is before the last event of the same part, or is for
// a part that is not there. After an error of the file, which Step and Sync then return forever, the policy knows
// more than its journal: close the journal, drop both, and open it again. The same holds if the policy panics and the
// host recovers: the journal accepts nothing more.
func (j *Journal) Step(part policy.NodeID, ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if j.err != nil {
		return actions, j.err
	}
	if ev == nil {
		return actions, errors.New("journal: the event is nil")
	}
	j.body.b = j.body.b[:0]
	j.body.event(&part, j.last, ev)
	if len(j.body.b) > maxBody-sizeOfAnswer {
		return actions, fmt.Errorf("journal: an event of kind %v takes %d bytes, want at most %d", ev.Kind, len(j.body.b), maxBody-sizeOfAnswer)
	}
	if j.telling != nil {
		if err := j.mayTell(part, ev); err != nil {
			return actions, err
		}
	}
	before := len(actions)
	j.err = errAmid // if the policy panics, it knows of half a step, and so its journal ends before that
	got, err := j.parts.Step(part, ev, actions)
	j.err = nil
	if _, ok := err.(*parts.Error); ok {
		err = fmt.Errorf("journal: %w", err)
	}
	if err != nil {
		return actions, err
	}
	if j.telling != nil {
		j.telling[part] = ev.Kind == policy.Restored
	}
	j.centre = j.centre || part == 0
	if len(got) < before {
		j.err = fmt.Errorf("journal: the policy returned %d actions, want the %d that there were and its own", len(got), before)
		return actions, j.err
	}
	j.body.answer(len(got)-before, j.sum.sum(got[before:]))
	j.record(tagStep, j.body.b)
	j.last = ev.Time
	if j.err != nil {
		return actions, j.err
	}
	if l := j.config.Ledger; l != nil {
		l.note(part, ev, got[before:], true)
	}
	return got, nil
}

// record writes a record.
func (j *Journal) record(tag byte, body []byte) {
	j.frame = appendFrame(j.frame[:0], tag, body, j.offset)
	j.write(j.frame)
}

func (j *Journal) write(b []byte) {
	if j.err != nil {
		return
	}
	var err error
	if len(b) > j.out.Available() { // the file is written to
		err = j.alone()
	}
	if err == nil {
		_, err = j.out.Write(b)
	}
	if err != nil {
		j.err = fmt.Errorf("journal: %w", err)
	}
	j.offset += int64(len(b))
}

// Note logs a note of the host, of at most 64 MiB: what it must know after a restart and no event tells, such as that a user has
// cancelled a job. [Config.Noted] gets it back in its place among the steps. In Renew, call Note of next: earlier notes are not in
// the new journal.
func (j *Journal) Note(note []byte) error {
	if j.err != nil {
		return j.err
	}
	if len(note) > maxBody {
		return fmt.Errorf("journal: a note takes %d bytes, want at most %d", len(note), maxBody)
	}
	j.record(tagNote, note)
	return j.err
}

// Sync writes all steps to the file, and returns when they would survive a crash. So would the file's name, from Open on.
func (j *Journal) Sync() error {
	if j.err != nil {
		return j.err
	}
	err := j.alone()
	if err == nil {
		err = j.out.Flush()
	}
	if err == nil {
		if err = j.file.Sync(); err != nil { // and the next one may not, though nothing more was written
			err = errors.Join(err, j.file.Truncate(j.synced))
		}
	}
	if err != nil {
		j.err = fmt.Errorf("journal: %w", err)
		return j.err
	}
	j.synced = j.offset
	return nil
}

// errAmid is the error of a journal whose policy is in the middle of a step, or has panicked there.
var errAmid = errors.New("journal: a step of the policy has not ended: it panicked, or its Step reports another event; open the journal again")

// alone returns an error if the length of the file is not what this journal has written: then another process writes
// to it, which no lock has kept away. It moves to the end for the next write.
func (j *Journal) alone() error {
	end, err := j.file.Seek(0, io.SeekEnd)
	if want := j.offset - int64(j.out.Buffered()); err == nil && end != want {
		err = fmt.Errorf("the file has %d bytes, and this journal has written %d: another one is open on it", end, want)
	}
	return err
}

var errClosed = errors.New("journal: it is closed")

// Close does what [Journal.Sync] does and closes the file; the journal cannot be used any more. Call it also after an
// error of Step, Sync or Renew; it returns that error again. A second call returns an error.
func (j *Journal) Close() error {
	err := j.Sync()
	for _, held := range []io.Closer{j.file, j.lock} {
		if held == nil {
			continue
		}
		if failed := held.Close(); failed != nil && err == nil {
			err = fmt.Errorf("journal: %w", failed)
		}
		j.err = errClosed
	}
	j.file, j.lock = nil, nil
	return err
}

// Scheduler returns a policy for a host that takes one, such as Run of policy/sim: every Step of it and its parts
// goes through [Journal.Step]. It is a [policy.Distributed] if the policy in the journal is. Nothing calls Sync: a
// host that carries out actions for real must call it first.
//
// When a simulation restarts its policy (Restarts of sim.Faults), it reports the present state to the next one. So
// NewPolicy must make that without a journal, or with a new one under another name: the same journal, opened again,
// has replayed all of that already.
func (j *Journal) Scheduler() policy.Scheduler {
	if _, ok := j.parts.Centre().(policy.Distributed); ok {
		return distributed{kept{j, 0}}
	}
	return kept{j, 0}
}

// A kept is a part whose steps are logged; 0 is the centre.
type kept struct {
	journal *Journal
	part    policy.NodeID
}

func (k kept) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return k.journal.Step(k.part, ev, actions)
}

type distributed struct{ kept }

// Part returns a part that steps through the journal, which makes the part itself at its first event.
func (d distributed) Part(n *policy.Node) policy.Scheduler { return kept{d.journal, n.ID} }

// Policy returns the policy itself, for its methods other than Step, such as those of a [policy.Keeper].
func (j *Journal) Policy() policy.Scheduler { return j.parts.Centre() }
