// Package journal lets a policy survive its host: it keeps what the policy was told in a file, and
// after a crash tells a new policy the same, which then goes on with the decisions that the old one
// would have made.
//
// A policy is a deterministic state machine (package policy), so the log of its events is its
// snapshot: the only one that is right for every policy, since nobody has to write down, and to keep
// up to date, what each of them remembers. Policies take millions of events a second, and so a day
// of a busy cluster is told again in seconds.
//
// [Open] a journal on a file. If there is something in it, the policy is restored from it; if not, a
// new one begins. From then on tell the policy everything through the journal:
//
//	j, err := journal.Open(file, journal.Config{New: newPolicy})
//	...
//	actions, err = j.Step(0, &ev, actions[:0])
//	...
//	err = j.Sync() // before the actions are carried out
//	for _, a := range actions {
//		carryOut(a)
//	}
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
// answer once more. What the last answers wanted may be carried out or not: of a Start that is neither
// Started nor Refused, look whether it runs, and tell the policy; messages that were sent and have not
// Arrived are sent again, alarms and reports set again. Then go on. Time goes on from that of the last
// event, and never back.
//
// # What is not in it
//
// Config.New must make the policy as it was when the journal began: with the same configuration, the
// same seed, the same [policy.Truth]. What it learns from events it learns again. But if it was given a
// predictor that knew something, it needs one that knows the same: take a snapshot of that
// (Snapshot of package predict, Save of dag/value) with [WriteFile] when a journal begins, and restore it in New. If
// others teach the predictor meanwhile, or its values are exchanged while it runs, that is not in the
// journal; exchange them when a new one begins. If the policy is another, was made otherwise, or is of
// a version that decides otherwise, the checksums tell: Open names the first event at which it differs.
//
// # When to begin a new one
//
// A journal grows by some 20 to 30 bytes an event, and by what a job takes when it is submitted; 2 to 10 events a
// task are usual, so a million tasks make about 100 MB. How long a restart may take says when to
// begin anew: for ten seconds, after ten million events or so. To begin anew is a restart of the
// host by its own will: open a journal on an empty file, tell the policy in it the present state, as package
// policy says under Restart, Sync, and [Rename] the file into the place of the old one. What the old
// policy had learnt is lost then, unless Config.New gives it back, and decisions may differ from those that it
// would have made. Who wants neither must keep the whole log.
//
// # Damage
//
// A host that is killed may leave a record of which only a part was written. It was never acknowledged by a
// Sync; Open cuts it off, and [Journal.Restored] says how many bytes that were. What is no whole record
// but has whole ones after it is damage, and so is a header that is not ours: the error says at which byte,
// and wraps [ErrFormat]; the file stays as it was. The one damage that cannot be told from a torn record
// is that of the very last one. After a loss of power some file systems keep what was written later and
// not what was written before; that too is an error, and all of it behind the last Sync: cut the file at
// the byte that the error names.
//
// The format has a version. Files of older versions can be read as long as there is a policy that decides
// as those did.
//
// # When not to use it
//
// A host whose decisions need not be the same after a restart tells a new policy the present state
// and needs no journal; nor does one that only asks an [policy.Advisor], which hears what runs in
// any case. To look into a run, or to find out where two runs part, use the record of policy/sim,
// which has every action in a form that people read. A predictor has a snapshot of its own, which is smaller.
// What calls kairos.Node, hopper.Pool or the like directly has no events; it keeps what it told them itself.
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

// Config describes a journal. New is required.
type Config struct {
	// New makes the policy as it was made when the journal began. See the package comment.
	New func() (policy.Scheduler, error)
	// Told, if not nil, hears each step of the journal as it is told to the new policy: the part
	// (0: the centre), the event, and what the part answered. They are valid only during the
	// call, but for the job of the event.
	Told func(part policy.NodeID, ev *policy.Event, actions []policy.Action)
}

// A File is what a journal is kept in: an [os.File] is one, open for reading and writing. No two
// journals may have the same at a time.
type File interface {
	io.ReadWriteSeeker
	Truncate(size int64) error
	Sync() error // all that was written is to survive a crash
}

// A Journal is a policy, with its parts if it is a [policy.Distributed], whose steps are kept. It is for one
// goroutine at a time; parts that run in several processes have a journal in each.
type Journal struct {
	parts   *parts.Parts
	file    File
	out     *bufio.Writer
	offset  int64       // of the next record
	last    policy.Time // of the last one
	events  int         // that were restored
	cut     int64       // bytes
	body    []byte      // scratch, as the next two
	frame   []byte
	scratch []byte
	err     error // of the file; after it the journal lacks what the policy was told
}

// bufferSize is how much is written to the file at once, in bytes.
const bufferSize = 1 << 16

// Open restores a policy from the journal in a file, or begins a journal if the file is empty. It reads
// the file from its beginning, and cuts off a record at its end that was not written to the end.
//
// The error wraps [ErrFormat] and names the byte if the file is no journal or is damaged; it says
// at which event and byte the policy failed, or answered otherwise than the one that wrote the
// journal; or it is that of Config.New or of the file. Nothing has been written then.
func Open(f File, c Config) (*Journal, error) {
	if f == nil {
		return nil, errors.New("journal: the file is nil")
	}
	if c.New == nil {
		return nil, errors.New("journal: Config.New is nil, want a way to make the policy")
	}
	p, err := c.New()
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, errors.New("journal: Config.New made no policy")
	}
	j := &Journal{parts: parts.Of(p), file: f, out: bufio.NewWriterSize(f, bufferSize)}
	size, err := j.restore(c.Told)
	if err != nil {
		return nil, err
	}
	if j.offset < size {
		j.cut = size - j.offset
		if err := f.Truncate(j.offset); err != nil {
			return nil, fmt.Errorf("journal: %w", err)
		}
	}
	if _, err := f.Seek(j.offset, io.SeekStart); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	if j.offset == 0 {
		j.write([]byte(header))
	}
	return j, nil
}

// Policy returns the policy, to ask it what it knows, such as why a job waits. What it is told must go
// through the journal.
func (j *Journal) Policy() policy.Scheduler { return j.parts.Centre() }

// Restored returns how many events the policy was told when the journal was opened, and how many bytes of a
// torn record were cut off.
func (j *Journal) Restored() (events int, cut int64) { return j.events, j.cut }

// Step tells the policy, or its part on a node, of ev, and appends what it wants done to actions. Part 0 is
// the centre; the part on a node is made at its first event, Joined, and anew when its node joins
// again. What is appended is to be carried out only after [Journal.Sync].
//
// If the policy returns an error, it is returned as it is, and nothing has happened. Nor has it if an event is
// refused that takes more than 64 MiB, that is before the last one of the same part, or that is for a part which is
// not there: the error says so, and the policy is not told. After an error of the file, which Step and Sync then return for good, the policy knows more than its journal: drop both,
// and open the journal again.
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
	before := len(actions)
	got, err := j.parts.Step(part, ev, actions)
	if err != nil {
		return actions, err
	}
	if len(got) < before {
		j.err = fmt.Errorf("journal: the policy returned %d actions, want the %d that there were and its own", len(got), before)
		return actions, j.err
	}
	if got := got[before:]; len(got) > 0 {
		var check uint32
		check, j.scratch = answer(got, j.scratch)
		j.body = appendAnswer(j.body, len(got), check)
	}
	j.frame = appendFrame(j.frame[:0], j.body, j.offset)
	j.write(j.frame)
	j.last = ev.Time
	if j.err != nil {
		return actions, j.err
	}
	return got, nil
}

func (j *Journal) write(b []byte) {
	if _, err := j.out.Write(b); err != nil {
		j.err = fmt.Errorf("journal: %w", err)
	}
	j.offset += int64(len(b))
}

// Sync writes all steps to the file, and returns when they will survive a crash.
func (j *Journal) Sync() error {
	if j.err == nil {
		if err := j.out.Flush(); err != nil {
			j.err = fmt.Errorf("journal: %w", err)
		} else if err := j.file.Sync(); err != nil {
			j.err = fmt.Errorf("journal: %w", err)
		}
	}
	return j.err
}
