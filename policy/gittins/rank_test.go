package gittins

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/floats/scalar"

	"example.com/augur/estimate"
	"example.com/augur/histogram"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
)

// What a group adds to the rank of its job.
func TestGroup(t *testing.T) {
	b := new(estimate.Belief)
	if err := b.Observe(10, 1); err != nil {
		t.Fatal(err)
	}
	cut := new(estimate.Belief)
	if err := errors.Join(cut.Observe(10, 1), cut.Limit(20, 0)); err != nil {
		t.Fatal(err)
	}
	x := sample(t, 1, 2, 3, 40)
	rank := func(d central.Distribution, tasks int) float64 {
		return estimate.Gittins{Tasks: tasks, Nonpreemptive: true}.Rank(d, 0)
	}
	inf := math.Inf(1)
	for _, test := range []struct {
		name          string
		g             group
		pilots, whole float64
		need          need
	}{
		{"one unit, a Belief", group{d: b, work: 3, width: 3, stages: 1}, 3 * b.RootMean(), 3 * b.Mean(), need{b.Quantile(0.05), b.Quantile(0.5), b.Quantile(0.8)}},
		{"one unit, a Belief with a limit", group{d: cut, work: 3, width: 3, stages: 1}, 3 * cut.Mean(), 3 * cut.Mean(), need{cut.Quantile(0.05), cut.Quantile(0.5), cut.Quantile(0.8)}},
		{"units, a Belief", group{d: b, work: 12, width: 3, stages: 1}, 3 * rank(b, 4), 12 * b.Mean(), need{b.Quantile(0.05), b.Quantile(0.5), b.Quantile(0.8)}},
		{"one unit", group{d: x, work: 3, width: 3, stages: 1}, 3 * 11.5, 3 * 11.5, need{1, 2, 40}},
		{"units of three stages", group{d: x, work: 12, width: 3, stages: 3}, 3 * rank(x, 4), 12 * 11.5, need{3, 6, 120}},
		{"one unit, saved in part", group{d: x, work: 3, width: 3, stages: 1, saved: 6}, 3 * estimate.Gittins{}.Rank(x, 2), 3*11.5 - 6, need{1, 2, 40}},
		{"units, saved in part", group{d: x, work: 12, width: 3, stages: 1, saved: 6}, 12*11.5 - 6, 12*11.5 - 6, need{1, 2, 40}},
		{"one unit that is longer than known", group{d: x, work: 3, width: 3, stages: 1, saved: 150}, 150, 0, need{1, 2, 40}},
		{"known to take no time", group{d: forecast.Known(0), work: 12, width: 3, stages: 1}, 0, 0, need{0, 0, 0}},
		{"no number", group{d: forecast.Known(math.NaN()), work: 12, width: 3, stages: 1}, inf, inf, need{inf, inf, inf}},
		{"all finished", group{d: x, width: 3}, 0, 0, need{}},
	} {
		for _, of := range []struct{ pilots, deadline bool }{{true, true}, {false, false}} {
			want := sums{whole: test.whole}
			if of.pilots {
				want.pilots = test.pilots
			}
			if of.deadline {
				want.need = test.need
			}
			test.g.resolve(of.pilots, of.deadline)
			if !cmp.Equal(test.g.sums, want, cmp.AllowUnexported(sums{}, need{}), cmpopts.EquateApprox(1e-12, 0)) {
				t.Errorf("%s, %v: %+v, want %+v", test.name, of, test.g.sums, want)
			}
		}
	}
}

// The rank follows what a Forecast says next. If it knows nothing of a stage, the rank is the service; what is no number counts as
// infinite; and neither leaves anything behind.
func TestForecastThatChanges(t *testing.T) {
	x, y := central.Distribution(forecast.Known(4)), central.Distribution(forecast.Known(5))
	for _, stages := range []int{2, 4 * allAsked} {
		of := make([]central.Distribution, stages)
		g, s := script(t, Config{}, says{forecast.Nothing(), of})
		s.submit(1, stages, policy.Stage{Tasks: 6, Cores: 1})
		for _, test := range []struct {
			name        string
			first, last central.Distribution // of the halves of the stages
			want        float64              // of two stages
		}{
			{"at first", x, y, 54},
			{"the other way round", y, x, 54},
			{"one for all", y, y, 60},
			{"infinite", x, forecast.Known(math.Inf(1)), math.Inf(1)},
			{"a number again", x, y, 54},
			{"no number", forecast.Known(math.NaN()), y, math.Inf(1)},
			{"nothing known of some", x, nil, 0},
			{"two infinities", forecast.Known(math.Inf(-1)), forecast.Known(math.Inf(1)), math.Inf(1)},
			{"known again", x, x, 48},
			{"nothing known", nil, nil, 0},
		} {
			for i := range of {
				of[i] = test.first
				if i >= stages/2 {
					of[i] = test.last
				}
			}
			for range stages { // are asked about in turn
				g.left(g.jobs.Get(1))
			}
			if rank, _, _, _ := g.left(g.jobs.Get(1)); rank != test.want*float64(stages/2) {
				t.Errorf("%d stages, %s: rank %v, want %v", stages, test.name, rank, test.want*float64(stages/2))
			}
		}
		one, other := sample(t, 1, 2, 40), sample(t, 3, 4, 5)
		for _, by := range [][2]central.Distribution{{one, one}, {other, other}, {one, other}} { // by turns; one pilot tells of each
			for i := range of {
				of[i] = by[i%2]
			}
			for range stages {
				g.left(g.jobs.Get(1))
			}
			want := 0.0
			if by[0] == by[1] {
				want = estimate.Gittins{Tasks: 6 * stages, Nonpreemptive: true}.Rank(by[0], 0)
			} else {
				for _, d := range by {
					want += estimate.Gittins{Tasks: 3 * stages, Nonpreemptive: true}.Rank(d, 0)
				}
			}
			if rank, _, _, _ := g.left(g.jobs.Get(1)); !scalar.EqualWithinRel(rank, want, 1e-9) {
				t.Errorf("%d stages of %v: rank %v, want %v", stages, by, rank, want)
			}
		}
	}
}

// revised is a Forecast that says something else after each of its revisions.
type revised struct {
	says
	n uint64
}

func (f *revised) Revision() uint64 { return f.n }

// When the Forecast is revised, the jobs that wait change places at the next event about any job, and fillers hear of it.
func TestRevision(t *testing.T) {
	f := &revised{says: says{forecast.Nothing(), nil}}
	of := map[policy.JobID]float64{1: 10, 2: 20}
	g, s := script(t, Config{}, ofJob{f, of})
	s.submit(1, 1, policy.Stage{Tasks: 1, Cores: 1})
	s.submit(2, 1, policy.Stage{Tasks: 1, Cores: 1})
	g.Reordered()
	if j := g.Next(); j.Job.ID != 1 {
		t.Fatalf("job %d is next, want 1", j.Job.ID)
	}
	of[1] = 30
	s.submit(3, 1, policy.Stage{Tasks: 1, Cores: 1})
	if j := g.Next(); j.Job.ID != 1 || g.Reordered() {
		t.Errorf("without a revision job %d is next, want 1", j.Job.ID)
	}
	f.n++
	s.submit(4, 1, policy.Stage{Tasks: 1, Cores: 1})
	if j := g.Next(); j.Job.ID != 2 || !g.Reordered() {
		t.Errorf("after a revision job %d is next, want 2", j.Job.ID)
	}
}

// Of many jobs that wait, each event moves 200 to their new places, the newest first.
func TestRevisionInTurn(t *testing.T) {
	f := &revised{says: says{forecast.Nothing(), nil}}
	of := make(map[policy.JobID]float64)
	g, s := script(t, Config{}, ofJob{f, of})
	for id := range policy.JobID(450) {
		s.submit(id+1, 1, policy.Stage{Tasks: 1, Cores: 1})
	}
	of[1], of[449] = 1, 2
	f.n++
	for i, want := range []policy.JobID{449, 1} {
		s.submit(policy.JobID(451+i), 1, policy.Stage{Tasks: 1, Cores: 1})
		if j := g.Next(); j.Job.ID != want {
			t.Errorf("after %d events job %d is next, want %d", 2*(i+1), j.Job.ID, want)
		}
	}
}

// ofJob is a revised Forecast that knows the runtime of each job; 100 s unless it is told.
type ofJob struct {
	*revised
	of map[policy.JobID]float64
}

func (f ofJob) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	if x, ok := f.of[j.Job.ID]; ok {
		return forecast.Known(x), true
	}
	return forecast.Known(100), true
}

// A rank holds for an eighth of the time so far, and a second at least: of a job that runs, or of which nothing is known
// yet. A job that starts again counts anew. 0 stands for ever.
func TestRankHolds(t *testing.T) {
	x := []central.Distribution{forecast.Known(1000)}
	for _, test := range []struct {
		name  string
		f     central.Forecast
		cores int32 // of the node, on which the job runs from 16 s on
		at    policy.Time
		want  float64
	}{
		{"known, waits", says{forecast.Nothing(), x}, 0, 96, 0},
		{"known, runs", says{forecast.Nothing(), x}, 1, 96, 10},
		{"known, has just started", says{forecast.Nothing(), x}, 1, 20, 1},
		{"unknown for ever, waits", forecast.Nothing(), 0, 96, 0},
		{"unknown, waits", beliefs(), 0, 96, 12},
		{"unknown, has just come", beliefs(), 0, 4, 1},
		{"unknown, runs", forecast.Nothing(), 1, 96, 10},
		{"unknown, two run", forecast.Nothing(), 2, 96, 10},
	} {
		g, s := script(t, Config{}, test.f)
		at := func(seconds policy.Time) policy.Time { return seconds * policy.Time(second) }
		s.submit(1, 1, policy.Stage{Tasks: 3, Cores: 1})
		if test.cores > 0 {
			s.join(at(16), test.cores)
			for i := range test.cores {
				s.step(policy.Event{Time: at(16), Kind: policy.Started, More: true, Copy: task(1, uint32(i)), Node: 1})
			}
		}
		s.step(policy.Event{Time: at(test.at), Kind: policy.Woken, More: true})
		_, _, _, due := g.left(g.jobs.Get(1))
		want := policy.Never
		if test.want > 0 {
			want = at(test.at).Add(policy.Duration(test.want * 1e9))
		}
		if due != want {
			t.Errorf("%s: holds until %v, want %v", test.name, due, want)
		}
	}
}

// What is saved of a stage is taken from its work while it waits.
func TestRankOfWhatIsSaved(t *testing.T) {
	g, s := script(t, Config{}, says{forecast.Nothing(), []central.Distribution{forecast.Known(1000)}})
	rank := func(want float64) {
		t.Helper()
		if got, _, _, _ := g.left(g.jobs.Get(1)); got != want {
			t.Errorf("rank %v, want %v", got, want)
		}
	}
	s.join(0, 4)
	s.submit(1, 1, policy.Stage{Tasks: 2, Cores: 2, Saves: true})
	s.step(policy.Event{Kind: policy.Woken})
	for i := range uint32(2) {
		s.step(policy.Event{Kind: policy.Started, Copy: task(1, i), Node: 1})
	}
	rank(4000)
	c := task(1, 0)
	for _, saved := range []policy.Duration{400, 700} {
		s.step(policy.Event{Kind: policy.Killed, Copy: c, Node: 1, Service: saved * second, Saved: saved * second, Again: true, More: true})
		rank(4000 - 2*float64(saved))
		s.step(policy.Event{Kind: policy.Woken})
		c.N++
		s.step(policy.Event{Kind: policy.Started, Copy: c, Node: 1, Service: saved * second})
		rank(4000)
	}
}

// If all that a job has started fails, it ranks as before: one pilot is wanted again, for all stages, whichever of them have run.
func TestPilotsThatFail(t *testing.T) {
	for _, stages := range []int{1, 3, 2 * allAsked} {
		know := beliefs()
		for i := range 40 {
			learn(t, know, policy.Duration(1+i)*second)
		}
		g, s := script(t, Config{}, know)
		s.submit(1, stages, policy.Stage{Tasks: 2, Cores: 1})
		rank := func() float64 {
			for range stages { // are asked about in turn
				g.left(g.jobs.Get(1))
			}
			rank, _, _, _ := g.left(g.jobs.Get(1))
			return rank
		}
		before := rank()
		s.join(0, int32(2*stages))
		for _, kind := range []policy.EventKind{policy.Started, policy.Failed} {
			for i := range 2 * stages {
				c := policy.Copy{Task: policy.Task{Job: 1, Stage: uint32(i / 2), Index: uint32(i % 2)}}
				s.step(policy.Event{Time: policy.Time(second), Kind: kind, More: true, Copy: c, Node: 1, Again: kind == policy.Failed})
			}
			if running := rank(); kind == policy.Started && !(running > 1.2*before) {
				t.Errorf("%d stages: rank %v while all run, and %v before", stages, running, before)
			}
		}
		if after := rank(); !scalar.EqualWithinRel(after, before, 1e-9) {
			t.Errorf("%d stages: rank %v after all have failed, and %v before", stages, after, before)
		}
	}
}

// Cores are freed by copies that hold some, and not by what is told again after a restart.
func TestFreed(t *testing.T) {
	g, s := script(t, Config{}, forecast.Nothing())
	s.join(0, 9)
	s.submit(1, 1, policy.Stage{Tasks: 3, Cores: 3})
	for _, test := range []struct {
		ev   policy.Event
		want float64
	}{
		{policy.Event{Kind: policy.Finished, Copy: task(1, 0), Replay: true}, 0},
		{policy.Event{Kind: policy.Started, Copy: task(1, 1), Replay: true}, 0},
		{policy.Event{Kind: policy.Started, Copy: task(1, 2), Replay: true}, 0},
		{policy.Event{Kind: policy.Finished, Copy: task(1, 1)}, 3},
		{policy.Event{Kind: policy.Suspended, Copy: task(1, 2)}, 6},
		{policy.Event{Kind: policy.Killed, Copy: task(1, 2), Idle: true}, 6},
	} {
		test.ev.Node, test.ev.More = 1, true
		s.step(test.ev)
		if g.freed != test.want {
			t.Errorf("%v: %v cores have been freed, want %v", test.ev.Kind, g.freed, test.want)
		}
	}
}

// A task takes 10, 20, 30, 40 or 50 s, and its job has until 200 s: it is urgent from 200 - 30 - 40 s, when it would
// need Q(0.8) if it waited Q(0.5) longer, to 200 - 10 s, when nothing lets it be in time. A second stage doubles what
// it needs. Deadlines that are worth nothing do not count. Neither does the deadline of a job whose runtimes are not
// known.
func deadlines(t *testing.T) {
	d := sample(t, 10, 20, 30, 40, 50)
	for _, test := range []struct {
		name     string
		stages   int
		of       central.Distribution
		slo      *policy.SLO
		from, to policy.Time // s
	}{
		{"one", 1, d, &policy.SLO{Deadline: policy.Time(200 * second), Utility: 1}, 130, 190},
		{"two stages", 2, d, &policy.SLO{Deadline: policy.Time(200 * second), Utility: 1}, 60, 180},
		{"worth nothing", 1, d, &policy.SLO{Deadline: policy.Time(200 * second)}, 0, 0},
		{"none", 1, d, nil, 0, 0},
		{"nothing known", 1, nil, &policy.SLO{Deadline: policy.Time(200 * second), Utility: 1}, 0, 0},
	} {
		var f central.Forecast = says{forecast.Nothing(), []central.Distribution{test.of}}
		if test.of == nil {
			f = forecast.Nothing()
		}
		g, s := script(t, Config{}, f)
		stages := slices.Repeat([]policy.Stage{{Tasks: 1, Cores: 1}}, test.stages)
		s.step(policy.Event{Kind: policy.Submitted, Copy: task(1, 0), Job: &policy.Job{ID: 1, Stages: stages, SLO: test.slo}})
		s.step(policy.Event{Kind: policy.Ready, Copy: task(1, 0)})
		first, _ := rankOf(g, 1)
		for at := range policy.Time(210) {
			s.step(policy.Event{Time: at * policy.Time(second), Kind: policy.Woken})
			want := first
			if test.from <= at && at < test.to {
				want = first / 10
			}
			if rank, _ := rankOf(g, 1); rank != want {
				t.Fatalf("%s: rank %v after %d s, want %v", test.name, rank, at, want)
			}
		}
	}
}

// sample returns the distribution of some values, and their number.
func sample(t *testing.T, values ...float64) central.Distribution {
	t.Helper()
	h := jobtest.Must(histogram.New(histogram.Config{Bins: max(1, len(values))}))
	for _, x := range values {
		if err := h.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// says is a Forecast that has the same distributions for all jobs, by stage.
type says struct {
	central.Forecast
	of []central.Distribution
}

func (f says) Runtime(_ *central.Job, stage uint32) (central.Distribution, bool) {
	d := f.of[min(int(stage), len(f.of)-1)]
	return d, d != nil
}

// rankOf returns the rank by which a job has its place, and false if it has never had one.
func rankOf(g *Turn, id policy.JobID) (rank float64, ok bool) {
	e := g.jobs.Get(id)
	if e == nil || e.rank == 0 {
		return 0, false
	}
	return e.rank, true
}

// A stepper tells a scheduler of events.
type stepper struct {
	*central.Scheduler
	t *testing.T
}

// script returns a Turn, and tells its scheduler of events.
func script(t *testing.T, c Config, f central.Forecast) (*Turn, stepper) {
	g := turn(c)
	return g, stepper{jobtest.Must(central.New(central.Config{Turn: g, Forecast: f})), t}
}

func (s stepper) step(ev policy.Event) {
	s.t.Helper()
	if _, err := s.Step(&ev, nil); err != nil {
		s.t.Fatal(err)
	}
}

// join tells of node 1.
func (s stepper) join(at policy.Time, cores int32) {
	s.t.Helper()
	s.step(policy.Event{Time: at, Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: cores, Speed: 1}})
}

// submit tells of a job whose stages are alike and may start.
func (s stepper) submit(id policy.JobID, stages int, stage policy.Stage) {
	s.t.Helper()
	s.step(policy.Event{Kind: policy.Submitted, More: true, Copy: task(id, 0), Job: &policy.Job{ID: id, Stages: slices.Repeat([]policy.Stage{stage}, stages)}})
	for i := range stages {
		s.step(policy.Event{Kind: policy.Ready, More: true, Copy: policy.Copy{Task: policy.Task{Job: id, Stage: uint32(i)}}})
	}
}

func task(job policy.JobID, index uint32) policy.Copy {
	return policy.Copy{Task: policy.Task{Job: job, Index: index}}
}

// For a filler that stops what runs, the rank is what is left: of the only unit the index at what it has attained.
func TestRankOfWhatMayBeStopped(t *testing.T) {
	x := sample(t, 1, 2, 40)
	ln := func(rank float64) float64 { return math.Log(rank) + 1.0/10_000 }
	for _, test := range []struct {
		name     string
		d        central.Distribution
		stage    policy.Stage
		stages   int
		attained float64
		want     float64
	}{
		{"one unit", x, policy.Stage{Tasks: 3, Cores: 1, Gang: true}, 1, 0, 3 * estimate.Gittins{}.Rank(x, 0)},
		{"one unit that has run for 2 s", x, policy.Stage{Tasks: 3, Cores: 1, Gang: true}, 1, 6, 3 * estimate.Gittins{}.Rank(x, 2)},
		{"one unit that has outrun all", x, policy.Stage{Tasks: 3, Cores: 1, Gang: true}, 1, 150, 150},
		{"tasks of which none has run", x, policy.Stage{Tasks: 4, Cores: 1}, 1, 0, estimate.Gittins{Tasks: 4, Nonpreemptive: true}.Rank(x, 0)},
		{"tasks of which some run", x, policy.Stage{Tasks: 4, Cores: 1}, 1, 5, 4*x.Mean() - 5},
		{"stages of one unit", x, policy.Stage{Tasks: 1, Cores: 1}, 2, 5, 2*x.Mean() - 5},
		{"nothing is known", nil, policy.Stage{Tasks: 1, Cores: 1}, 1, 0, minRank},
	} {
		g, s := script(t, Config{}, says{forecast.Nothing(), []central.Distribution{test.d}})
		s.join(0, 8)
		s.submit(1, test.stages, test.stage)
		got, until := g.Rank(g.view.Job(1), test.attained)
		if want := ln(test.want); !scalar.EqualWithinAbs(got, want, 1e-9) {
			t.Errorf("%s: rank %v, want %v", test.name, got, want)
		}
		if (until < policy.Never) != (test.attained > 0 || test.d == nil) {
			t.Errorf("%s: the rank holds until %v", test.name, until)
		}
	}
}
