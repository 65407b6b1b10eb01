package journal_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/journal"
	"example.com/augur/policy/sim"
)

// A dated machine knows how long the journal was when it started each copy: a host that was killed later has left more.
type dated struct {
	name    string
	started map[policy.Copy]int
}

func (m *dated) start(c policy.Copy) error {
	info, err := os.Stat(m.name)
	if err == nil {
		m.started[c] = int(info.Size())
	}
	return err
}

// A steady machine starts all.
type steady map[policy.Copy]bool

func (m steady) start(c policy.Copy) error {
	m[c] = true
	return nil
}

// Wherever the file ends that the host of the Example has left, also between two events that belong together, the next one
// brings its jobs to their end.
func TestHostOfTheExampleCutAtEveryByte(t *testing.T) {
	defer func(p func() policy.Scheduler) { newPolicy = p }(newPolicy)
	first := newPolicy
	copyOf := func(job policy.JobID, index uint32) policy.Copy {
		return policy.Copy{Task: policy.Task{Job: job, Index: index}}
	}
	step := 1
	if testing.Short() {
		step = 7 // into every record
	}
	for _, renewed := range []bool{false, true} {
		m := &dated{filepath.Join(t.TempDir(), "events"), make(map[policy.Copy]int)}
		newPolicy = first
		h, err := open(m.name, m)
		if err != nil {
			t.Fatal(err)
		}
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		do(h.submit(2))
		if renewed {
			do(h.renew())
			m.started[copyOf(1, 0)] = 0
		}
		do(h.submit(1))
		do(h.finish(copyOf(1, 0)))
		do(h.finish(copyOf(1, 1)))
		do(h.finish(copyOf(2, 0)))
		do(h.journal.Close())
		whole, err := os.ReadFile(m.name)
		do(err)

		dir, before, lives := t.TempDir(), -1, 0
		for at := 0; at <= len(whole); at += step {
			for _, just := range []bool{false, true} { // what was started when the file had this length was started, or not
				running := make(steady)
				for c, size := range m.started {
					if size < at || size == at && just {
						running[c] = true
					}
				}
				if just && !slices.Contains(slices.Collect(maps.Values(m.started)), at) {
					continue
				}
				name := filepath.Join(dir, "events")
				do(os.WriteFile(name, whole[:at], 0o600))
				w := &watch{checker: sim.NewChecker(), renewing: renewed}
				newPolicy = w.policy
				h, err := open(name, running)
				if before < 0 && errors.Is(err, journal.ErrFormat) {
					continue // it has not begun
				}
				do(err)
				events, _ := h.journal.Restored()
				live := events != before || just
				for live && len(h.jobs) > 0 {
					if len(h.running) == 0 {
						t.Fatalf("cut to %d bytes of %d: job %d neither runs nor ends", at, len(whole), h.jobs[0].ID)
					}
					for c := range h.running { // there is one
						if !running[c] {
							t.Fatalf("cut to %d bytes of %d: %v runs, but was not started", at, len(whole), c)
						}
						do(h.finish(c))
					}
				}
				if live {
					lives++
					do(w.checker.Done())
				}
				before = events
				do(h.journal.Close())
			}
		}
		t.Logf("a file of %d bytes: %d hosts went on with what was left of it", len(whole), lives)
	}
}
