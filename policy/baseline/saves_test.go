package baseline

import (
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A lab tells a policy of jobs of one task that takes some cores for 100 s, can be saved, and reloads for 10 s.
type lab struct {
	jobtest.Hand[*central.Scheduler]
}

func newLab(t *testing.T, p *central.Scheduler) *lab {
	return &lab{jobtest.Hand[*central.Scheduler]{TB: t, Policy: p}}
}

func (b *lab) submit(id policy.JobID, cores int32) {
	b.Submit(&policy.Job{ID: id, Requested: 100 * s, Stages: []policy.Stage{{Tasks: 1, Cores: cores, Saves: true, Reload: 10 * s}}}, true)
}

// ran says that a copy has ended or started on a node, having run or taken over 60 s.
func (b *lab) ran(kind policy.EventKind, id policy.JobID, n uint32, node policy.NodeID, more bool) {
	ev := policy.Event{Kind: kind, Copy: copyOf(id, n), Node: node, Service: 60 * time.Second, More: more}
	if kind.End() {
		ev.Saved, ev.Again = ev.Service, true
	}
	b.Tell(ev)
}

func (b *lab) planned(id policy.JobID, want float64) {
	b.Helper()
	if at, ok := b.Policy.Planned(id); !ok || at.Seconds() != want {
		b.Errorf("job %d is planned for %v s, %v, want %v s", id, at.Seconds(), ok, want)
	}
}

func copyOf(id policy.JobID, n uint32) policy.Copy {
	return policy.Copy{Task: policy.Task{Job: id}, N: n}
}

// A copy that goes on from what was saved ends so much earlier, and later by the reload: while its Start is on its way, and when
// it runs.
func TestEndsOfWhatGoesOn(t *testing.T) {
	b := newLab(t, NewEASY())
	b.Join(1, 4)
	b.submit(1, 3)
	b.Tell(policy.Event{Kind: policy.Started, Copy: copyOf(1, 0), Node: 1})
	b.submit(2, 4)
	b.planned(2, 100)
	b.Now = 60e9
	b.ran(policy.Killed, 1, 0, 1, false)
	b.planned(2, 110)
	b.Now = 70e9
	b.ran(policy.Started, 1, 1, 1, false)
	b.planned(2, 120)
}

// A job of which something is saved is planned for the rest, and the reload.
func TestPlansOfWhatIsSaved(t *testing.T) {
	for _, p := range []*central.Scheduler{NewEASY(), NewConservative()} {
		b := newLab(t, p)
		b.Join(2, 2)
		b.submit(3, 2)
		b.Tell(policy.Event{Kind: policy.Started, Copy: copyOf(3, 0), Node: 2})
		b.Join(1, 4)
		b.submit(4, 2)
		b.Tell(policy.Event{Kind: policy.Started, Copy: copyOf(4, 0), Node: 1})
		b.submit(5, 4) // after job 4
		b.planned(5, 100)
		b.Now = 40e9
		b.ran(policy.Lost, 3, 0, 2, true)
		if got := b.Tell(policy.Event{Kind: policy.Left, Node: 2}); len(got) != 1 || got[0].Copy != copyOf(3, 1) {
			t.Errorf("%v, want a Start of job 3, which ends before job 4", got)
		}
	}
	b := newLab(t, NewConservative())
	b.Join(2, 2)
	b.submit(3, 2)
	b.Tell(policy.Event{Kind: policy.Started, Copy: copyOf(3, 0), Node: 2})
	b.Join(1, 4)
	b.submit(4, 4)
	b.Tell(policy.Event{Kind: policy.Started, Copy: copyOf(4, 0), Node: 1})
	b.Now = 60e9
	b.ran(policy.Lost, 3, 0, 2, true)
	b.Tell(policy.Event{Kind: policy.Left, Node: 2})
	b.submit(5, 4)
	b.planned(3, 100)
	b.planned(5, 150)
}

// either is a forecast of 50 or 200 s.
type either struct{ central.Forecast }

func (either) Runtime(*central.Job, uint32) (central.Distribution, bool) { return either{}, true }
func (either) Quantile(p float64) float64 {
	if p <= 0.5 {
		return 50
	}
	return 200
}
func (either) Mean() float64 { return 125 }
func (either) CDF(x float64) float64 {
	switch {
	case x < 50:
		return 0
	case x < 200:
		return 0.5
	}
	return 1
}

// Who has outrun the expected time is expected to take what the forecast thinks of that, as of a unit that runs.
func TestTimeOfWhatHasOutrunIt(t *testing.T) {
	b := newLab(t, NewFIFO())
	b.Join(1, 1)
	b.submit(1, 1)
	b.Tell(policy.Event{Kind: policy.Started, Copy: copyOf(1, 0), Node: 1})
	b.submit(3, 1)
	b.ran(policy.Killed, 1, 0, 1, true) // More: it decides nothing yet
	if got := (times{either{}}).next(b.Policy.View().Job(1), 0, 0.5); got != 150*time.Second {
		t.Errorf("%v, want 200 s less 60 s, and 10 s to reload", got)
	}
	if got := (times{either{}}).next(b.Policy.View().Job(3), 0, 0.5); got != 50*time.Second {
		t.Errorf("%v for a job of which nothing is saved, want 50 s", got)
	}
}

// Limited is a forecast of 50 or 200 s that knows a limit of 120 s.
type limited struct{ either }

func (limited) Limit(*central.Job) (policy.Duration, bool) { return 120 * time.Second, true }

// A limit is the expected time, but not the least that is likely, nor of what has run for as long.
func TestTimeByLimit(t *testing.T) {
	j := &central.Job{Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}}
	f := times{limited{}}
	for _, test := range []struct {
		got, want policy.Duration
	}{
		{f.of(j, 0, 0), 120 * time.Second},
		{f.of(j, 0, 119*time.Second), 120 * time.Second},
		{f.of(j, 0, 120*time.Second), 200 * time.Second},
		{f.quantile(j, 0, 0, 0.1), 50 * time.Second},
	} {
		if test.got != test.want {
			t.Errorf("%v, want %v", test.got, test.want)
		}
	}
}
