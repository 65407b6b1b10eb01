// Package journal lets a policy survive its host: it keeps what the policy was told in a file, and
// after a crash tells a new policy the same, which then goes on with the decisions that the old one
// would have made.
//
// A policy is a deterministic state machine (package policy), so the log of its events is its
// snapshot: the only one that is right for every policy, since nobody has to write down, and to keep
// up to date, what each of them remembers. Policies take millions of events a second, and so a day
// of a busy cluster is told again in seconds.
//
// [Open] a journal by its name. If there is such a file, the policy is restored from it; if not, a
// new one begins. From then on tell the policy everything through the journal:
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
// No action is to be carried out before the [Journal.Sync] after its Step: else, after a crash, there
// may be something in the cluster of which the restored policy knows nothing. One Sync may cover
// the Steps of many events, all that are due in an instant, say.
//
// A step is in the journal when the policy has answered, and not before. So an event that the policy refuses
// is not there, nor one at which it panics, which would be told again, and panic again, at every
// start; and no record is without the checksum of its answer.
//
// After a crash the host's own state comes back the same way: Config.Told hears every event and its
// answer once more, those of the present state that a journal began with among them. What the last
// answers wanted may be carried out or not: of a Start that is neither Started nor Refused, look whether it
// runs, start it if not, and tell the policy; messages that were sent and have not Arrived are sent again,
// alarms and reports set again; of what has ended meanwhile tell the end. Then go on. Time goes on from that
// of the last event: a host whose clock is behind it tells that time until the clock has caught up.
//
// The last event may be one of several that belong together, and the others were not told. So the host tells what follows
// from the state: Ready of the stages that may start, Ended of the jobs whose stages are all done, to the centre
// what only the part on a node has heard, and, if the last event had More set, one that has not.
//
// Told is not the whole host, once a journal has begun anew: it hears of the jobs that were there then, and
// of none that had ended. What the host must still know of those it returns from Config.Keep, and takes back
// in New: the largest ID of a job, since none is used twice; the jobs that have ended whose output others may
// still read or wait for; what it owes somebody of them, such as a status. It need not keep what Told hears:
// nodes, jobs that go on, what runs and what is over of them, and which numbers copies have had.
//
// # What is not in it
//
// Config.New must make the policy as it was made when the journal began: with the same configuration, the
// same seed, the same [policy.Truth]. What it learns from events it learns again. But if it is given a
// predictor that knows something, it needs one that knows the same. That is what Config.Keep is for: what it
// returns is written where the journal begins, and given to New whenever that is opened, so that there is no
// snapshot without its journal, and none that belongs to another one:
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
// A host that teaches the predictor what it hears does that in the function that is Config.Told, which it calls itself
// after each Step: at each event the predictor then knows what it knew when that was told first. It learns nothing
// from events with Replay set, since what Keep returned has that already. What is taught elsewhere, and values that are
// exchanged while the policy runs, are not in the journal; exchange them when a new one begins.
//
// If the policy is another, was made otherwise, or is of
// a version that decides otherwise, the checksums tell: Open names the first event at which it differs.
//
// # When to begin a new one
//
// A journal grows by some 20 to 30 bytes an event, and by what a job takes when it is submitted; 2 to 10 events a
// task are usual, so a million tasks make about 100 MB. How long a restart may take says when to
// begin anew: for ten seconds, after ten million events or so; [Journal.Size] says how long it is. To begin
// anew is a restart of the host by its own will, and [Journal.Renew] does it: a new policy, made of what Keep
// returns at that moment, is told the present state, and its journal takes the place of the old one when all
// of that is in it. What the old policy had learnt is lost then, unless Keep has it, and decisions may differ
// from those that it would have made. Who wants neither must keep the whole log.
//
// # Damage
//
// A host that is killed may leave a record of which only a part was written. It was never acknowledged by a
// Sync; Open cuts it off, and [Journal.Restored] says how many bytes that were. What is no whole record
// but has whole ones after it is damage, and so is a header that is not ours, or a beginning that is not whole,
// since a journal gets its name when that is written: the error says at which byte, and wraps [ErrFormat]; the
// file stays as it was. No bytes in an event, such as a user's in an attribute, count as a record. What cannot be told from a torn record is damage that reaches up to the end, in the very
// last record, say, and bytes that were put in or left out, as all records after them stand elsewhere than where
// they were written. After a loss of power some file systems keep what was written later and not what was
// written before; that too is an error, and all of it behind the last Sync: cut the file at the byte that the
// error names.
//
// When a Sync fails, the system may take for written what it could not write, and show it until the power is lost. That
// Sync therefore cuts off all since the one before; close the journal and open it again. When it is Open or Renew
// that cannot sync the file or its name, only a restart of the machine tells what the disk has.
//
// The file and its name are synced before Open or Renew return, and what is in it by each Sync. That a file is
// gone is not noticed: a new journal begins then.
//
// The format has a version. Files of older versions can be read as long as there is a policy that decides
// as those did. Open writes them anew in the present version, beside the old file first; from then on older versions of
// this package cannot read them. A file of version 1, which v0.1.0 wrote, is read only if its last record is whole:
// in that version the bytes of a torn record could pass for records. If it is not, cut the file at the byte that the error names.
//
// # When not to use it
//
// A host whose decisions need not be the same after a restart tells a new policy the present state
// and needs no journal; nor does one that only asks an advise.Advisor, which hears what runs in
// any case. To look into a run, or to find out where two runs part, use the record of policy/sim,
// which has every action in a form that people read. A predictor has a snapshot of its own, which is smaller.
// What calls kairos.Node, hopper.Tracker or the like directly has no events; it keeps what it told them itself.
//
// # Cost
//
// A step takes 0.2 µs more, and 20 to 30 bytes; it allocates nothing. A Sync takes what the disk
// takes. Open takes what the policy does for all events, and 0.3 µs for each.
//
// # Source
//
// That a log of commands brings back a state machine is old: F. B. Schneider, "Implementing
// fault-tolerant services using the state machine approach: a tutorial", ACM Computing Surveys 22(4), 1990.
// To cut off what is torn at the end and refuse what is damaged before it is the rule of many
// databases' logs; the format is this library's own.
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
	body    []byte                 // scratch, as the next two
	frame   []byte
	scratch []byte
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
	j.body = appendEvent(j.body[:0], part, j.last, ev)
	if len(j.body) > maxBody-sizeOfAnswer {
		return actions, fmt.Errorf("journal: an event of kind %v takes %d bytes, want at most %d", ev.Kind, len(j.body), maxBody-sizeOfAnswer)
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
	var check uint32
	check, j.scratch = answer(got[before:], j.scratch)
	j.body = appendAnswer(j.body, len(got)-before, check)
	j.record(tagStep, j.body)
	j.last = ev.Time
	if j.err != nil {
		return actions, j.err
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
