package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/augur/estimate"
	"example.com/augur/examples/internal/cli"
)

// misfits returns how many of the coverages and the distance of a fit are further from what calibrated beliefs have than chance
// explains: 3.5 standard errors of a share, and as probable a distance.
func (r *fitResult) misfits() (n int) {
	root := math.Sqrt(float64(r.Jobs))
	for level, x := range map[float64]float64{0.5: *r.Coverage50, 0.8: *r.Coverage80, 0.95: *r.Coverage95} {
		if math.Abs(x-level) > 3.5*math.Sqrt(level*(1-level))/root {
			n++
		}
	}
	if *r.Distance > 2/root {
		n++
	}
	return n
}

// Where values are drawn from what is believed, the fit is within its sampling error, also if a belief has only a few bins.
// Values of another median or spread do not fit.
func TestFit(t *testing.T) {
	for _, test := range []struct {
		name              string
		sd, shift, spread float64 // of the belief; of the values, in sd
		misfits           int
	}{
		{"wide", 1, 0, 1, 0},
		{"of a few bins", 0.3, 0, 1, 0},
		{"shifted", 1, 0.3, 1, 2}, // coverage of 50 % and distance: the effect on wide intervals is of second order
		{"too wide", 1, 0, 0.7, 4},
		{"too narrow", 1, 0, 1.5, 4},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		var b estimate.Belief
		if err := b.Observe(100, test.sd); err != nil {
			t.Fatal(err)
		}
		var f fit
		for range 5000 {
			f.add(&b, 100*math.Exp(test.sd*(test.shift+test.spread*rng.NormFloat64())))
		}
		r := f.result()
		if want := math.Exp(2 * 1.2816 * test.sd); math.Abs(math.Log(*r.Width/want)) > 0.25 { // a bin
			t.Errorf("%s: P90 over P10 is %v, want about %v", test.name, *r.Width, want)
		}
		if r.misfits() < test.misfits || test.misfits == 0 && r.misfits() > 0 {
			t.Errorf("%s: coverage %.3f, %.3f and %.3f, distance %.3f, PIT %.3f: %d of these do not fit, want %d", test.name,
				*r.Coverage50, *r.Coverage80, *r.Coverage95, *r.Distance, r.PIT, r.misfits(), test.misfits)
		}
	}
}

// All of the belief is in one bin. A value there counts for all of the PIT, and one above it for its end.
func TestFitOfOneBin(t *testing.T) {
	var b estimate.Belief
	for range 10 {
		if err := b.Observe(1e-4, 1e-3); err != nil {
			t.Fatal(err)
		}
	}
	var f fit
	if p := f.add(&b, 0); !(p > 0.99) {
		t.Errorf("the bin of the value has probability %v, want nearly 1", p)
	}
	if p := f.add(&b, math.MaxFloat64); !(p > 0 && p < 1e-6) {
		t.Errorf("the bin of an impossible value has probability %v, want a little", p)
	}
	for i, x := range f.result().PIT {
		want := 0.05
		if i == 9 { // the second value
			want = 0.55
		}
		if math.Abs(x-want) > 0.01 {
			t.Errorf("share %d of the PIT is %v, want %v", i, x, want)
		}
	}
}

func believe(t *testing.T, args ...string) []beliefsResult {
	t.Helper()
	out, err := output(t, append(args, "-beliefs", "-json")...)
	if err != nil {
		t.Fatal(err)
	}
	var list []beliefsResult
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// Runtimes are drawn from a lognormal distribution for each user, far apart. Beliefs without history are calibrated within their
// sampling error. History gains at most what it takes to tell two users from each other, a bit, and may err a little.
func TestBeliefsOfKnownDistribution(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var text strings.Builder
	for i := range 4000 {
		user := rng.IntN(2)
		fmt.Fprintf(&text, "%d,%g,u%d\n", 100*i, math.Exp(1+6*float64(user)+0.5*rng.NormFloat64()), user)
	}
	list := believe(t, "-trace", table(t, text.String()), "-columns", columns, "-features", "user,*")
	if len(list) != 2 || list[0].Beliefs != "chosen" || list[1].Beliefs != "none" {
		t.Fatalf("got %+v, want chosen and none", list)
	}
	for _, r := range list {
		if r.New.Jobs != 4000 || r.First.Jobs != 0 {
			t.Errorf("%s: %d jobs, %d of them of several tasks, want 4000 and 0", r.Beliefs, r.New.Jobs, r.First.Jobs)
		}
		t.Logf("%s: coverage %.3f, %.3f and %.3f, distance %.3f, PIT %.3f, P90/P10 %.3g, gained %.2f", r.Beliefs,
			*r.New.Coverage50, *r.New.Coverage80, *r.New.Coverage95, *r.New.Distance, r.New.PIT, *r.New.Width, r.Gained)
	}
	chosen, none := &list[0], &list[1]
	if n := none.New.misfits(); n > 0 {
		t.Errorf("none: %d figures do not fit", n)
	}
	for level, x := range map[float64]float64{0.5: *chosen.New.Coverage50, 0.8: *chosen.New.Coverage80, 0.95: *chosen.New.Coverage95} {
		if math.Abs(x-level) > 0.06 {
			t.Errorf("chosen: %.3f of the runtimes are in the intervals of %v", x, level)
		}
	}
	if chosen.Gained < 0.4 || chosen.Gained > 1 || none.Gained != 0 {
		t.Errorf("history gains %v bits, and nothing %v, want up to 1, and 0", chosen.Gained, none.Gained)
	}
}

// The tasks of a job differ less than jobs do, so the first one that finishes tells how long the others run. Every other job has
// one task, and tells nothing of that.
func TestBeliefsOfFirstTask(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var text strings.Builder
	for i := range 1000 {
		mean, n := math.Exp(5+2*rng.NormFloat64()), 1+49*(i%2)
		fmt.Fprintf(&text, "%d %d %g", 10000*i, n, mean)
		for range n {
			fmt.Fprintf(&text, " %g", mean*math.Exp(0.4*rng.NormFloat64()))
		}
		text.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "jobs.tr")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r := believe(t, "-trace", path)[0]
	if r.First.Jobs != 500 {
		t.Errorf("of %d jobs several tasks finish, want 500", r.First.Jobs)
	}
	if c := *r.First.Coverage80; c < 0.74 || c > 0.86 {
		t.Errorf("%.3f of the means are in the intervals of 80 %%", c)
	}
	if *r.First.Width > 4 || *r.New.Width < 50 { // exp(2·1.28·0.4) = 2.8, and exp(2·1.28·2) = 167
		t.Errorf("P90 over P10 is %v when a task has finished, and %v before", *r.First.Width, *r.New.Width)
	}
}

func TestBeliefsTable(t *testing.T) {
	out, err := output(t, "-beliefs", "-jobs", "100", "-features", "paper")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"heavytail: 100 jobs\n", "paper    new jobs   100", "none  first task", "in tenths"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output has no %q:\n%s", want, out)
		}
	}
	if _, err := output(t, "-beliefs", "-runtime", "task"); cli.Status(err) != 2 || !strings.Contains(err.Error(), "-runtime") {
		t.Errorf("-beliefs -runtime: error %v, want one of usage", err)
	}
}
