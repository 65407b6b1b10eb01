package main

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// The five schedules of section 2 come out as they are, with copies in turn, and in no other reading of best effort.
func TestHopperExample(t *testing.T) {
	r := &report{paper: "hopper"}
	if err := r.tell(t.Context(), []item{hopperExample()}); err != nil {
		t.Fatal(err)
	}
	if told(t, r, nil); len(r.lines) != 18 {
		t.Errorf("%d completion times, want 18", len(r.lines))
	}
	refuted := map[string][]float64{ // completion of A and B
		"example SRPT best effort, copies after own": {5, 6}, "example Fair best effort, copies after own": {6, 6},
		"example SRPT best effort, copies after all": {7, 6}, "example Fair best effort, copies after all": {7, 6},
	}
	for i, l := range r.lines {
		want := *l.Published
		if other := refuted[l.Item]; other != nil {
			want = other[i%2]
		}
		if *l.Measured != want {
			t.Errorf("%s: %s is %v, want %v", l.Item, l.Metric, *l.Measured, want)
		}
	}
}

// The quick form tells of all figures.
func TestHopper(t *testing.T) {
	r := reportOf(t, "hopper", form{seeds: 1, few: 8, clock: true})
	measured, published := told(t, r, nil)
	mentioned(t, r, "Fig. 6.1", "Fig. 6.2a", "Fig. 6.3", "Fig. 6.4a", "Fig. 6.4b", "Fig. 6.4c", "Fig. 6.5a", "Fig. 6.5b", "Fig. 6.6", "Fig. 6.7", "6.4.3")
	for _, reading := range copyReadings {
		metric := "below SRPT, copies " + reading.name + ", %"
		if got := published["facebook: Fig. 6.1, "+metric]; got != 50 {
			t.Errorf("%s is published as %v, want 50", metric, got)
		}
	}
	const metric = "below SRPT, copies in turn, %"
	if all, some := measured["facebook: Fig. 6.1, "+metric], measured["facebook: Fig. 6.4a, ε 10 %: "+metric]; all != some {
		t.Errorf("%s is %v in Fig. 6.1 and %v in Fig. 6.4a, want as much", metric, all, some)
	}
}

// What only -full runs, on little.
func TestHopperSettings(t *testing.T) {
	f := form{seeds: 1, full: true, few: 8}
	r := reportOf(t, "hopper", f)
	measured, _ := told(t, r, hopperReasons)
	for _, where := range []string{"load 0.6", "load 1.5", "200 nodes", "chains of 1 to 8", "reports every 1s", "t_new known"} {
		if _, ok := measured["facebook, fewer jobs, "+where+": Fig. 6.5a, below Fair, copies in turn, %"]; !ok {
			t.Errorf("nothing is told of %s", where)
		}
	}
}

// What differs has another name, or the lab would take it for the same.
func TestHopperNames(t *testing.T) {
	l, b := new(lab), facebookBed(form{seeds: 1, few: 5})
	one := b.ask(l, byHopper)
	if facebookBed(form{seeds: 1, few: 5}).ask(l, fairTo(10)) != one {
		t.Error("the same is run twice")
	}
	for _, s := range []hopperSystem{fairTo(0), byHopper.under(late), rival(bySRPT, inTurn)} {
		if b.ask(l, s) == one {
			t.Errorf("%s counts as Hopper", s.name)
		}
	}
	if b.relucked(1).ask(l, byHopper) == one {
		t.Error("other luck counts as the same")
	}
	if err := l.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(one.runs) != 1 || len(one.runs[0].times) != 5 {
		t.Errorf("got %+v, want one run of 5 jobs", one.runs)
	}
}

// trialsOf are trials of one seed, one for each luck.
func trialsOf(times ...[]float64) (trials []*trial[hopperRun]) {
	for _, x := range times {
		trials = append(trials, &trial[hopperRun]{runs: []hopperRun{{times: x}}})
	}
	return trials
}

func TestSlowed(t *testing.T) {
	reference := trialsOf([]float64{10, 10, 10, 20}, []float64{30, 10, 10, 20})
	for _, test := range []struct {
		name  string
		lucks int
		want  slowing
	}{
		{"one luck", 1, slowing{jobs: 50, mean: 35, worst: 50}}, // 15 for 10, 24 for 20
		{"two lucks", 2, slowing{jobs: 25, mean: 20, worst: 20}},
	} {
		ours := trialsOf([]float64{15, 10.05, 9, 24}, []float64{20, 10, 10, 24})
		if got := slowed(ours[:test.lucks], reference[:test.lucks]); !cmp.Equal(got[0], test.want, cmp.AllowUnexported(slowing{}), cmp.Comparer(near)) {
			t.Errorf("%s: got %+v, want %+v", test.name, got[0], test.want)
		}
	}
	if got := slowed(reference, reference); got[0] != (slowing{}) {
		t.Errorf("against itself: got %+v, want none", got[0])
	}
}

// Gains are of the jobs' mean completion times, or of each job's own.
func TestGains(t *testing.T) {
	ours, theirs := trialsOf([]float64{10, 30})[0], trialsOf([]float64{20, 30})[0]
	if got := ours.below(theirs, ofAll); !slices.EqualFunc(got, []float64{20}, near) {
		t.Errorf("40 s for 50 s: got %v, want 20 %%", got)
	}
	if got := ours.below(theirs, ofJobs(func(_ *hopperRun, job int) bool { return job == 0 })); !slices.EqualFunc(got, []float64{50}, near) {
		t.Errorf("10 s for 20 s: got %v, want 50 %%", got)
	}
	if got := ours.below(theirs, ofJobs(func(*hopperRun, int) bool { return false })); len(got) != 0 {
		t.Errorf("no jobs: got %v, want nothing", got)
	}
	if got := own(ours, theirs); !slices.EqualFunc(got[0], []float64{50, 0}, near) {
		t.Errorf("jobs' own: got %v, want 50 and 0", got[0])
	}
}

// Other luck draws all runtimes anew, and nothing else.
func TestRelucked(t *testing.T) {
	b := facebookBed(form{seeds: 1, few: 30})
	before, err := b.draw(1)
	if err != nil {
		t.Fatal(err)
	}
	after, err := b.relucked(1).draw(1)
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for i, j := range after.list {
		if err := j.Validate(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before.list[i].Job, j.Job); diff != "" {
			t.Errorf("job %d differs: %s", j.ID, diff)
		}
		if !slices.Equal(before.list[i].Luck.Base, j.Luck.Base) {
			t.Errorf("job %d has other expected runtimes", j.ID)
		}
		for k := range j.Runtimes {
			for n, d := range j.Runtimes[k] {
				c := policy.Copy{Task: policy.Task{Job: j.ID, Stage: uint32(k), Index: uint32(n)}, N: 1}
				if d == before.list[i].Runtimes[k][n] {
					same++
				}
				if j.Luck.Runtime(c) == before.list[i].Luck.Runtime(c) {
					same++
				}
			}
		}
	}
	if same > 0 {
		t.Errorf("%d copies run as long as before", same)
	}
}

// A copy is local where a replica of what its task reads lies.
func TestPlacesWatch(t *testing.T) {
	j := &workload.Job{}
	j.Stages = []policy.Stage{{Tasks: 2, Cores: 1, Holders: []policy.NodeID{1, 2}}, {Tasks: 1, Cores: 1}}
	w := &placesWatch{Scheduler: quiet{}, jobs: []*workload.Job{j}}
	started := func(stage, index, n uint32, node policy.NodeID) {
		c := policy.Copy{Task: policy.Task{Job: 1, Stage: stage, Index: index}, N: n}
		if _, err := w.Step(&policy.Event{Kind: policy.Started, Copy: c, Node: node}, nil); err != nil {
			t.Fatal(err)
		}
	}
	started(0, 0, 0, 1) // local
	started(0, 1, 0, 1)
	started(0, 1, 1, 2) // another copy
	started(1, 0, 0, 2) // another stage
	if w.all != 2 || w.share() != 50 {
		t.Errorf("%v %% of %d tasks are local, want 50 %% of 2", w.share(), w.all)
	}
}

// quiet does nothing.
type quiet struct{}

func (quiet) Step(_ *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return actions, nil
}
