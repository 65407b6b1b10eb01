// Package journal lets a policy survive a crash of its host. It keeps in a file what the policy was told, and after a crash
// tells a new policy the same, which then makes the decisions that the old one would have made.
//
// A policy is a deterministic state machine (package policy), so the log of its events is its snapshot, for every policy
// and with nothing to keep up to date. Policies take millions of events a second, so a day of a busy cluster is told again
// in seconds.
//
// [Open] a journal by its name. If the file exists, the policy is restored from it; if not, a new journal begins. From
// then on tell the policy everything through the journal:
//
//	j, err := journal.Open("/var/lib/sched/events", journal.Config{New: newPolicy, Keep: keep, Told: told})
//	...
//	actions, err = j.Step(0, &ev, actions[:0])
//	...
//	err = j.Sync() // before the actions are carried out
//	for _, a := range actions {
//		carryOut(a)
//	}
//
// The Example is a host that does all of what follows.
//
// # What a host must keep to
//
// Carry out an action only after the [Journal.Sync] that follows its Step. Otherwise something may run after a crash of
// which the restored policy knows nothing. One Sync may cover the Steps of many events.
//
// A step is in the journal once the policy has answered. An event that the policy refuses is not in it, nor one at which
// the policy panics: it would panic again at every start.
//
// After a crash the host's own state comes back the same way: Config.Told hears every event and its answer once more,
// those of the present state with which the journal began included. What is still to be carried out the [Ledger] knows: orders
// that are not answered, messages that have not arrived, alarms, and what only the part on a node has heard. An order may
// have been carried out before the crash. So ask the machines first what they run and what has ended there, tell the policy that,
// and then carry out what is left, in a way that changes nothing if it was carried out before. Then go
// on. Time goes on from that of the last event: a host whose clock is behind it reports that time until the clock has
// caught up. The program examples/batch does all of this with processes.
//
// The last event may be one of several that belong together, and the host may not have told the others. So it tells what
// follows from the state: Ready of stages that may start, Ended of jobs whose stages are all done, and, if the last event had More
// set, an event that has not.
//
// Once a journal has begun anew, Told hears only of the jobs that were there at that moment. Return from Config.Keep, and
// take back in New, what the host must know of ended jobs: the largest ID, since none is used twice; the jobs whose
// output others may still read or wait for; what it owes somebody of them, such as a status.
//
// # What is not in it
//
// Config.New must make the policy as it was made when the journal began: with the same configuration, seed and
// [policy.Truth]. The policy learns again what it learnt from events. If it is given a predictor that knows something
// already, it needs one that knows the same. That is what Config.Keep is for: what it returns is written where the journal
// begins, and given to New whenever that journal is opened:
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
// A host that teaches the predictor does that in the function that is Config.Told, and calls this function itself after
// each Step. It teaches nothing from events with Replay set, since what Keep returned has that already. What is taught
// elsewhere, and values that are exchanged while the policy runs, are not in the journal: exchange them when a new journal
// begins.
//
// If the policy is another one, was made otherwise, or decides otherwise in this version of the library, the checksums
// differ, and Open names the first such event.
//
// # When to begin a new one
//
// A journal grows by 20 to 30 bytes an event, and by what a job takes when it is submitted. Most tasks cause 2 to 10
// events, so a million tasks make about 100 MB. How long a restart may take says when to begin anew: for ten seconds, after
// ten million events or so; [Journal.Size] returns the length. [Journal.Renew] makes a new policy of what Keep returns at
// that moment and tells it the present state; the new journal then takes the place of the old one. What the old policy has
// learnt is lost unless Keep returns it, so decisions may differ from those that it would have made.
//
// # Damage
//
// A host that is killed may leave a part of a record. No Sync has acknowledged it; Open cuts it off, and
// [Journal.Restored] returns how many bytes that were. Damage is what is no whole record but has whole ones after it, a
// header that is not ours, and a beginning that is not whole. The error then names the byte and wraps [ErrFormat], and the
// file stays as it was. No bytes in an event, such as a user's in an attribute, count as a record. Damage that
// reaches up to the end of the file looks like a torn record and is cut off. After a loss of power some file systems keep what was
// written later and not what was written before; that is an error too, and all of it is behind the last Sync: cut the file
// at the byte that the error names.
//
// When a Sync fails, the system may take for written what it could not write. That Sync therefore cuts off all since the
// one before; close the journal and open it again. If Open or Renew cannot sync the file or its name, only a restart of the
// machine tells what the disk has.
//
// The file and its name are synced before Open or Renew return. Nobody notices that a file is gone: a new journal begins
// then.
//
// The format has a version, now 2. Only v0.1.0 reads and writes version 1.
//
// # When not to use it
//
// A host whose decisions need not be the same after a restart tells a new policy the present state and needs no journal;
// nor does one that only asks an advise.Advisor, which hears what runs in any case. To look into a run, use the record of
// policy/sim. A predictor has a snapshot of its own, which is smaller. A program that calls kairos.Node, hopper.Tracker or the
// like directly has no events; it keeps what it told them itself.
//
// # Cost
//
// A step takes 0.2 µs more, and 20 to 30 bytes; without a Ledger it allocates nothing. A Sync takes what the disk takes. Open takes what the
// policy takes for all events, and 0.3 µs for each.
//
// # Source
//
// That a log of commands brings back a state machine is old: F. B. Schneider, "Implementing fault-tolerant services using
// the state machine approach: a tutorial", ACM Computing Surveys 22(4), 1990. To cut off what is torn at the end and refuse
// what is damaged before it is the rule of many databases' logs; the format is this library's own.
package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"example.com/augur/internal/parts"
	"example.com/augur/policy"
)

// A Journal is a policy, with its parts if it is a [policy.Distributed], whose steps are kept. It is for one
// goroutine at a time; parts that run in several processes have a journal in each.
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

// Policy returns the policy, to ask it what it knows, such as why a job waits. What it is told must go
// through the journal. After [Journal.Renew] it is another one.
func (j *Journal) Policy() policy.Scheduler { return j.parts.Centre() }

// Restored returns how many events the policy was told when the journal was opened, and how many bytes of a
// torn record were cut off.
func (j *Journal) Restored() (events int, cut int64) { return j.events, j.cut }

// Size returns how many bytes the journal has, with those that have not been written yet.
func (j *Journal) Size() int64 { return j.offset }

// Step tells the policy, or its part on a node, of ev, and appends what it wants done to actions. Part 0 is
// the centre; the part on a node is made at its first event, Joined, and anew when its node joins
// again. What is appended is to be carried out only after [Journal.Sync].
//
// If the policy returns an error, it is returned as it is, and nothing has happened. Nor has it if an event is
// refused that takes more than 64 MiB, that is before the last one of the same part, or that is for a part which is
// not there: the error says so, and the policy is not told. After an error of the file, which Step and Sync then
// return for good, the policy knows more than its journal: close it, drop both, and open the journal again. The same
// holds if the policy panics and the host recovers: the journal takes nothing more.
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

// Sync writes all steps to the file, and returns when they will survive a crash. So will the file's name, from Open on.
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

// errAmid is the error of a journal whose policy is amid a step, or has panicked there.
var errAmid = errors.New("journal: the policy has not come to the end of a step: it panicked, or is told of an event within another one")

// alone returns an error if the file has not what this journal has written, and no more: then somebody else writes to
// it, whom no lock has kept away. The next write goes to the end then.
func (j *Journal) alone() error {
	end, err := j.file.Seek(0, io.SeekEnd)
	if want := j.offset - int64(j.out.Buffered()); err == nil && end != want {
		err = fmt.Errorf("the file has %d bytes, and this journal has written %d: another one is open on it", end, want)
	}
	return err
}

var errClosed = errors.New("journal: it is closed")

// Close does what [Journal.Sync] does and closes the file; the journal is of no more use. It must be called also
// after an error of Step, Sync or Renew, which it returns again. A journal that is closed twice says so.
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

// Scheduler returns a policy for a host that takes one, such as Run of policy/sim: what it and its parts are told
// goes through [Journal.Step]. It is a [policy.Distributed] if the policy in the journal is. Nothing calls Sync:
// a host that carries actions out in earnest must do that before.
//
// When a simulation restarts its policy (Restarts of sim.Faults), it tells the next one the present state: NewPolicy must make
// that without a journal, or with a new one under another name. The same one, opened again, has been told all of
// that already.
func (j *Journal) Scheduler() policy.Scheduler {
	if _, ok := j.Policy().(policy.Distributed); ok {
		return distributed{kept{j, 0}}
	}
	return kept{j, 0}
}

// A kept is a part whose steps are kept; 0 is the centre.
type kept struct {
	journal *Journal
	part    policy.NodeID
}

func (k kept) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return k.journal.Step(k.part, ev, actions)
}

type distributed struct{ kept }

// Part returns what tells the journal; that makes the part itself, at its first event.
func (d distributed) Part(n *policy.Node) policy.Scheduler { return kept{d.journal, n.ID} }
