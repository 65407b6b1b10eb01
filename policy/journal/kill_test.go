package journal_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/augur/dag/value"
	"example.com/augur/policy"
	"example.com/augur/policy/journal"
	"example.com/augur/predict"
)

var (
	times = flag.Int("times", 5, "how often each learner is saved and restored")
	kills = flag.Int("kills", 50, "how often a process is killed while it writes")
)

// A process writes a journal, snapshots of a predictor and stores of values, all at once, as fast as it can, and
// says what it has done. It is killed at any moment, and the next one goes on with what it finds. Nothing that was
// said to be done is ever lost, and nothing is ever found that is not whole.

// A ledger answers each event with a checksum of all events so far.
type ledger struct{ sum uint32 }

func (l *ledger) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	text := fmt.Appendf(nil, "%d %v %v %v", l.sum, ev.Time, ev.Copy, ev.Job != nil)
	l.sum = crc32.ChecksumIEEE(text)
	return append(actions, policy.Action{Kind: policy.Wake, At: policy.Time(l.sum)}), nil
}

func newLedger() (policy.Scheduler, error) { return new(ledger), nil }

// A slow file takes a few bytes at a time, so that a process is likely to be killed amid a record.
type slow struct{ *os.File }

func (s slow) Write(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var m int
		m, err = s.File.Write(b[n:min(len(b), n+50)])
		n += m
	}
	return n, err
}

// nth is the n-th event, from 1. Some are of jobs that take more than a buffer.
func nth(n int) *policy.Event {
	ev := &policy.Event{Kind: policy.Submitted, Time: policy.Time(n), Copy: policy.Copy{Task: policy.Task{Job: policy.JobID(n)}}}
	if n%10 == 0 {
		ev.Job = &policy.Job{ID: policy.JobID(n), Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
	}
	if n%100 == 0 {
		ev.Job.Stages[0] = policy.Stage{Tasks: 20_000, Cores: 1, Holders: make([]policy.NodeID, 80_000)}
	}
	return ev
}

func newPredictor() (*predict.Predictor, error) {
	return predict.New(predict.Config{Features: features})
}

func observe(p *predict.Predictor, n int) error {
	attrs := predict.Attrs{"user": fmt.Sprint(n % 50), "program": fmt.Sprint(n % 7)}
	return p.Observe(attrs, float64(n%1000), time.Unix(int64(n), 0))
}

// storeOf has n templates with values that n decides.
func storeOf(n int) (*value.Store, error) {
	records := make([]value.Record, n)
	for i := range records {
		records[i] = value.Record{Template: fmt.Sprint(i), Recurring: true, Known: true, Own: value.Worth{Value: float64(n), Compute: 1}}
	}
	return value.Build(records, value.Config{})
}

// found is what a process that was killed has left.
type found struct {
	events, observed, templates int
	cut                         int64
	journal                     *journal.Journal
	predictor                   *predict.Predictor
	file                        *os.File
}

// find restores all that is in a directory. What is not there is not an error.
func find(dir string) (f *found, err error) {
	f = new(found)
	if f.file, err = os.OpenFile(filepath.Join(dir, "events"), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	n, wrong := 0, error(nil)
	f.journal, err = journal.Open(slow{f.file}, journal.Config{New: newLedger, Told: func(_ policy.NodeID, ev *policy.Event, _ []policy.Action) {
		if n++; ev.Copy.Job != policy.JobID(n) {
			wrong = fmt.Errorf("event %d is of job %d", n, ev.Copy.Job)
		}
	}})
	if err = errors.Join(err, wrong); err != nil {
		return nil, err
	}
	f.events, f.cut = f.journal.Restored()
	if f.predictor, err = newPredictor(); err != nil {
		return nil, err
	}
	err = load(filepath.Join(dir, "history"), f.predictor.Restore)
	if err != nil {
		return nil, err
	}
	f.observed = int(f.predictor.Observed())
	err = load(filepath.Join(dir, "values"), func(r io.Reader) error {
		s, err := value.Load(r)
		if err != nil {
			return err
		}
		for name, p := range s.Templates() {
			if f.templates++; p.Own.Value == 0 {
				return fmt.Errorf("template %s has no value", name)
			}
		}
		if p, _ := s.Template("0"); int(p.Own.Value) != f.templates {
			return fmt.Errorf("%d templates, of a store of %v", f.templates, p.Own.Value)
		}
		return nil
	})
	return f, err
}

func load(name string, read func(io.Reader) error) error {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(read(f), f.Close())
}

// writeOn goes on with what is in a directory, and says what is done, until it is killed.
func writeOn(dir string) error {
	f, err := find(dir)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	failed := make(chan error)
	forever := func(what string, n int, do func(n int) (done int, err error)) {
		for {
			done, err := do(n + 1)
			if err != nil {
				failed <- fmt.Errorf("%s %d: %w", what, n, err)
				return
			}
			n = done
			mu.Lock()
			fmt.Println(what, n)
			mu.Unlock()
		}
	}
	batch := rand.New(rand.NewPCG(uint64(f.events), 1))
	go forever("events", f.events, func(n int) (int, error) {
		last := n + batch.IntN(30)
		for ; n <= last; n++ {
			if _, err := f.journal.Step(0, nth(n), nil); err != nil {
				return 0, err
			}
		}
		return last, f.journal.Sync()
	})
	go forever("observed", f.observed, func(n int) (int, error) {
		if err := observe(f.predictor, n); err != nil {
			return 0, err
		}
		return n, journal.WriteFile(filepath.Join(dir, "history"), f.predictor.Snapshot)
	})
	go forever("templates", f.templates, func(n int) (int, error) {
		s, err := storeOf(n)
		if err != nil {
			return 0, err
		}
		return n, journal.WriteFile(filepath.Join(dir, "values"), s.Save)
	})
	return <-failed
}

func TestKill(t *testing.T) {
	n := *kills
	if testing.Short() {
		n = min(n, 5)
	}
	rng := rand.New(rand.NewPCG(1, 9))
	torn, left := 0, 0
	var dir string
	var f *found
	for i := range n {
		if i%50 == 0 { // else what there is to check grows with every life
			dir = t.TempDir()
		}
		said := untilKilled(t, dir, time.Duration(rng.IntN(20_000))*time.Microsecond)
		for _, name := range []string{"history.new", "values.new"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				left++
			}
		}
		var err error
		if f, err = find(dir); err != nil {
			t.Fatalf("after kill %d: %v", i+1, err)
		}
		if f.cut > 0 {
			torn++
		}
		for _, is := range []struct {
			what string
			got  int
		}{{"events", f.events}, {"observed", f.observed}, {"templates", f.templates}} {
			if want := said[is.what]; is.got < want {
				t.Fatalf("after kill %d: %d %s, want at least the %d that were said to be done", i+1, is.got, is.what, want)
			}
		}
		want, err := newPredictor()
		if err != nil {
			t.Fatal(err)
		}
		for n := range f.observed {
			if err := observe(want, n+1); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := snapshotOf(t, want), snapshotOf(t, f.predictor); a != b {
			t.Fatalf("after kill %d: the predictor knows something else than %d jobs", i+1, f.observed)
		}
		f.file.Close()
	}
	t.Logf("%d processes killed: %d events and %d jobs have survived those of the last 50; %d records were torn, and %d files amid being written", n, f.events, f.observed, torn, left)
	if n >= 50 && torn+left == 0 {
		t.Error("no process was killed while it wrote")
	}
}

func snapshotOf(t *testing.T, p *predict.Predictor) string {
	t.Helper()
	var b strings.Builder
	if err := p.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// untilKilled starts a process that writes, kills it some time after it has done the first thing, and returns what
// it said last of each kind that it had done.
func untilKilled(t *testing.T, dir string, after time.Duration) map[string]int {
	t.Helper()
	c := child(t, "write until killed", dir)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaint strings.Builder
	c.Stderr = &complaint
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	said := make(map[string]int)
	in := bufio.NewReader(out)
	for first := true; ; {
		line, err := in.ReadString('\n')
		if err != nil { // a line that was cut is nothing that was said
			break
		}
		var what string
		var n int
		if _, err := fmt.Sscan(line, &what, &n); err != nil {
			t.Fatalf("it says %q", line)
		}
		said[what] = n
		if first {
			first = false
			time.AfterFunc(after, func() { _ = c.Process.Kill() })
		}
	}
	_ = c.Wait()
	if complaint.Len() > 0 {
		t.Fatalf("it complains: %s", &complaint)
	}
	return said
}
