package journal_test

import (
	"bufio"
	"bytes"
	"encoding/json"
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
	"example.com/augur/internal/whole"
	"example.com/augur/policy"
	"example.com/augur/policy/journal"
	"example.com/augur/predict"
)

var (
	times = flag.Int("times", 5, "how often each learner is saved and restored")
	kills = flag.Int("kills", 50, "how often a process is killed while it writes")
)

// A process writes a journal, snapshots of a predictor and stores of values, all at once, as fast as it can, and
// says what it has done; now and then it begins the journal anew. It is killed at any moment, and the next one
// goes on with what it finds. Nothing that was said to be done is ever lost, and nothing is ever found that is not
// whole, nor learnt twice.

// A ledger answers each event with a checksum of all events so far, and a predictor learns from each, from the n-th
// what observe says. What it knows is kept when its journal begins.
type ledger struct {
	N, Generation int
	Sum           uint32
	history       *predict.Predictor
}

func (l *ledger) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	l.Sum = crc32.ChecksumIEEE(fmt.Appendf(nil, "%d %v %v %v", l.Sum, ev.Time, ev.Copy, ev.Job != nil))
	if ev.Kind == policy.Submitted {
		if l.N++; ev.Copy.Job != policy.JobID(l.N) {
			return actions, fmt.Errorf("event %d is of job %d", l.N, ev.Copy.Job)
		}
		if err := observe(l.history, l.N); err != nil {
			return actions, err
		}
	}
	return append(actions, policy.Action{Kind: policy.Wake, At: policy.Time(l.Sum)}), nil
}

// keep returns what a ledger needs to go on.
func (l *ledger) keep() (map[string][]byte, error) {
	var history bytes.Buffer
	if err := l.history.Snapshot(&history); err != nil {
		return nil, err
	}
	next := *l
	next.Generation++
	text, err := json.Marshal(&next)
	return map[string][]byte{"history": history.Bytes(), "ledger": text}, err
}

// make makes l what was kept.
func (l *ledger) make(kept map[string][]byte) (policy.Scheduler, error) {
	var err error
	if l.history, err = predict.New(predict.Config{Features: features}); err != nil {
		return nil, err
	}
	return l, errors.Join(l.history.Restore(bytes.NewReader(kept["history"])), json.Unmarshal(kept["ledger"], l))
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

// newPredictor returns a predictor that knows nothing. Its secret is that of the file "nothing" in the directory, so that
// two that have observed the same write the same.
func newPredictor(dir string) (*predict.Predictor, error) {
	p, err := predict.New(predict.Config{Features: features})
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, "nothing")
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		return p, whole.WriteFile(name, p.Snapshot)
	}
	return p, load(name, p.Restore)
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
	ledger              ledger
	observed, templates int
	cut                 int64
	journal             *journal.Journal
	predictor           *predict.Predictor
}

// find restores all that is in a directory. What is not there is not an error.
func find(dir string) (f *found, err error) {
	f = new(found)
	if f.ledger.history, err = newPredictor(dir); err != nil {
		return nil, err
	}
	f.journal, err = journal.OpenSlow(filepath.Join(dir, "events"), journal.Config{New: f.ledger.make, Keep: f.ledger.keep})
	if err != nil {
		return nil, err
	}
	_, f.cut = f.journal.Restored()
	if f.predictor, err = newPredictor(dir); err != nil {
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
	batch := rand.New(rand.NewPCG(uint64(f.ledger.N), 1))
	go forever("events", f.ledger.N, func(n int) (int, error) {
		if batch.IntN(8) == 0 {
			if err := f.journal.Renew(func(next *journal.Journal) error {
				_, err := next.Step(0, &policy.Event{Kind: policy.Restored, Time: policy.Time(n - 1)}, nil)
				return err
			}); err != nil {
				return 0, err
			}
			mu.Lock()
			fmt.Println("generation", f.ledger.Generation)
			mu.Unlock()
		}
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
		return n, whole.WriteFile(filepath.Join(dir, "history"), f.predictor.Snapshot)
	})
	go forever("templates", f.templates, func(n int) (int, error) {
		s, err := storeOf(n)
		if err != nil {
			return 0, err
		}
		return n, whole.WriteFile(filepath.Join(dir, "values"), s.Save)
	})
	return <-failed
}

func TestKill(t *testing.T) {
	n := *kills
	if testing.Short() {
		n = min(n, 5)
	}
	rng := rand.New(rand.NewPCG(1, 9))
	torn, left, half, generations := 0, 0, 0, 0
	var dir string
	var f *found
	for i := range n {
		if i%50 == 0 { // else what there is to check grows with every life
			dir = t.TempDir()
		}
		said := untilKilled(t, dir, time.Duration(rng.IntN(20_000))*time.Microsecond)
		if files, err := filepath.Glob(filepath.Join(dir, "*.*.new")); err != nil {
			t.Fatal(err)
		} else {
			for _, name := range files { // as nobody else will
				left++
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "events.new")); err == nil {
			half++
		}
		before := 0
		if f != nil && i%50 > 0 {
			before = f.ledger.Generation
		}
		var err error
		if f, err = find(dir); err != nil {
			t.Fatalf("after kill %d: %v", i+1, err)
		}
		generations += f.ledger.Generation - before
		if f.cut > 0 {
			torn++
		}
		for _, is := range []struct {
			what string
			got  int
		}{{"events", f.ledger.N}, {"generation", f.ledger.Generation}, {"observed", f.observed}, {"templates", f.templates}} {
			if want := said[is.what]; is.got < want {
				t.Fatalf("after kill %d: %d %s, want at least the %d that were said to be done", i+1, is.got, is.what, want)
			}
		}
		for _, is := range []struct {
			what    string
			learned *predict.Predictor
			jobs    int
		}{{"the predictor", f.predictor, f.observed}, {"that of the policy", f.ledger.history, f.ledger.N}} {
			want, err := newPredictor(dir)
			if err != nil {
				t.Fatal(err)
			}
			for n := range is.jobs {
				if err := observe(want, n+1); err != nil {
					t.Fatal(err)
				}
			}
			if a, b := snapshotOf(t, want), snapshotOf(t, is.learned); a != b {
				t.Fatalf("after kill %d: %s knows something else than %d jobs", i+1, is.what, is.jobs)
			}
		}
		if err := f.journal.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d processes killed: %d events and %d jobs have survived those of the last 50; %d records were torn, and %d files amid being written; journals began anew %d times, and %d were amid that",
		n, f.ledger.N, f.observed, torn, left, generations, half)
	if n >= 50 && (torn+left == 0 || half == 0 || generations == 0) {
		t.Error("no process was killed while it wrote, or none while it began anew, or none has begun anew")
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
			_, err := journal.Open(filepath.Join(dir, "events"), journal.Config{New: new(ledger).make})
			if journal.Locks && (err == nil || !strings.Contains(err.Error(), "open already")) {
				t.Fatalf("opened while another process has it open: got error %v", err)
			}
			time.AfterFunc(after, func() { _ = c.Process.Kill() })
		}
	}
	_ = c.Wait()
	if complaint.Len() > 0 {
		t.Fatalf("it complains: %s", &complaint)
	}
	return said
}
