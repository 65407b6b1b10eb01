package predict_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/predict"
)

var start = time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)

func newPredictor(t testing.TB, c predict.Config) *predict.Predictor {
	t.Helper()
	p, err := predict.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func observe(t testing.TB, p *predict.Predictor, job predict.Job, runtimes ...float64) {
	t.Helper()
	for _, x := range runtimes {
		learn := p.Observe
		if x < 0 {
			learn, x = p.ObserveCensored, -x
		}
		if err := learn(job, x, start); err != nil {
			t.Fatal(err)
		}
	}
}

// What a Predictor promises, from step to step. The error of an estimate is normalised: the sum of its errors, divided by that of
// the runtimes.
func TestPromises(t *testing.T) {
	p := newPredictor(t, predict.Config{Features: []string{"user", "program", predict.All}})
	var next predict.Prediction // of which nothing is left by the next
	for _, step := range []struct {
		promise  string
		of       predict.Attrs // a job that has run
		runtimes []float64     // those below 0 are censored
		next     predict.Attrs
		want     string
	}{
		{"from nothing it predicts nothing", nil, nil, predict.Attrs{"user": "ann"}, "no prediction"},
		{"a value of one job has no score", predict.Attrs{"user": "ann", "program": "ls"}, []float64{100},
			predict.Attrs{"user": "ann"}, "100 by mean of user, without score"},
		{"the estimate with the least error wins", predict.Attrs{"program": "ls"}, []float64{80},
			predict.Attrs{"user": "ann", "program": "ls"}, "90 by mean of program, with error 0.25 over 2 jobs"},
		{"a single job counts as an error of 0.5", predict.Attrs{"program": "ls"}, []float64{1},
			predict.Attrs{"user": "ann", "program": "ls"}, "100 by mean of user, without score"},
		{"an error of 0 out of 0 is 0", predict.Attrs{"program": "true"}, []float64{0, 0},
			predict.Attrs{"program": "true"}, "0 by mean of program, with error 0 over 2 jobs"},
		{"of equal errors, the first feature and the first estimator win", predict.Attrs{"user": "root", "program": "cron"}, []float64{60, 60, 60},
			predict.Attrs{"user": "root", "program": "cron"}, "60 by mean of user, with error 0 over 3 jobs"},
		{"any other error out of 0 is infinite", predict.Attrs{"program": "cd"}, []float64{1, 0},
			predict.Attrs{"program": "cd"}, "0.5 by mean of program, with error +Inf over 2 jobs"},
		{"a kind that has only failed is known, with twice what it ran", predict.Attrs{"program": "bad"}, []float64{-10},
			predict.Attrs{"program": "bad"}, "20 by mean of program, without score"},
		{"and failing again makes it neither longer nor scored", predict.Attrs{"program": "bad"}, []float64{-10, -10},
			predict.Attrs{"program": "bad"}, "20 by mean of program, without score"},
		{"a failure counts as the mean of the longer runtimes", predict.Attrs{"program": "half"}, []float64{40, 20, -30},
			predict.Attrs{"program": "half"}, "33.33 by mean of program, with error 1 over 3 jobs"},
		{"a kind that hangs once and then fails at once is not expected to hang", predict.Attrs{"program": "hung"},
			append([]float64{-600}, slices.Repeat([]float64{-1}, 999)...),
			predict.Attrs{"program": "hung"}, "3.198 by mean of program, without score"},
		{"also if it has run once", predict.Attrs{"program": "hangs"}, append([]float64{1, -600}, slices.Repeat([]float64{-1}, 999)...),
			predict.Attrs{"program": "hangs"}, "3.196 by mean of program, without score"},
		{"a failure that ran longest counts twice", predict.Attrs{"program": "cut"}, []float64{60, 60, -100},
			predict.Attrs{"program": "cut"}, "106.7 by mean of program, with error 0 over 3 jobs"},
	} {
		t.Run(step.promise, func(t *testing.T) {
			observe(t, p, step.of, step.runtimes...)
			if ok := p.Predict(step.next, start, &next); next.String() != step.want || ok != (next.Distribution().Count() > 0) || ok == math.IsNaN(next.Runtime) {
				t.Errorf("prediction is %v, %s, want %s", ok, &next, step.want)
			}
		})
	}
}

func TestNewNamesTheOption(t *testing.T) {
	for _, test := range []struct {
		config predict.Config
		want   string
	}{
		{predict.Config{Features: []string{"user", "user"}}, `"user" twice`},
		{predict.Config{Features: []string{"user+program", "user", "program+user"}}, `"program+user", which is the same as "user+program"`},
		{predict.Config{Features: []string{predict.All, "user", "user+user"}}, `"user+user", which is the same as "user"`},
		{predict.Config{Features: []string{""}}, `Features has ""`},
		{predict.Config{Features: []string{"user+"}}, `Features has "user+"`},
		{predict.Config{Features: []string{"user+ name"}}, `Features has "user+ name", must have no blanks around`},
		{predict.Config{Features: []string{"user+*"}}, `Features has "user+*"`},
		{predict.Config{Features: []string{"user+log()"}}, `Features has "user+log()", must be names`},
		{predict.Config{Features: []string{"user+log(bytes"}}, `with a log( that does not end, want log(NAME)`},
		{predict.Config{Features: []string{"ln(bytes)"}}, `Features has "ln(bytes)", want attributes joined by +, of which one may be a number, as log(bytes)`},
		{predict.Config{Features: []string{"kind, customer"}}, `Features has "kind, customer", want attributes`},
		{predict.Config{Features: []string{"log(bytes)+log(cpu)"}}, `Features has "log(bytes)+log(cpu)", must have at most one log`},
		{predict.Config{Features: strings.Split(strings.Repeat("x", 32), "")}, `"x" twice`},
		{predict.Config{Features: make([]string, 33)}, "33 Features"},
		{predict.Config{Features: []string{manyAttributes(33)}}, "more than 32 attributes"},
		{predict.Config{Values: -1}, "Values is -1"},
		{predict.Config{HalfLife: -1}, "HalfLife is -1ns"},
		{predict.Config{HalfLife: 1}, "HalfLife is 1ns"},
		{predict.Config{Window: -time.Hour}, "Window is -1h0m0s"},
		{predict.Config{Window: time.Hour, HalfLife: time.Minute}, "Window is 1h0m0s and HalfLife 1m0s"},
	} {
		if _, err := predict.New(test.config); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("New(%+v): error is %v, want one with %s", test.config, err, test.want)
		}
	}
	if _, err := predict.New(predict.Config{Features: []string{manyAttributes(32)}}); err != nil {
		t.Error(err)
	}
}

func manyAttributes(n int) string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint("a", i))
	}
	return strings.Join(names, "+")
}

func TestObserveRefusesWhatIsNoRuntime(t *testing.T) {
	p := newPredictor(t, predict.Config{})
	ann := predict.Attrs{"user": "ann"}
	for _, x := range []float64{math.NaN(), -1, math.Inf(1), math.Inf(-1), 1.1e100} {
		if err := p.Observe(ann, x, start); err == nil {
			t.Errorf("Observe(%v): no error", x)
		}
		if err := p.ObserveCensored(ann, x, start); err == nil {
			t.Errorf("ObserveCensored(%v): no error", x)
		}
	}
	if err := p.ObserveCensored(ann, 0, start); err != nil { // a run of 0 s says nothing
		t.Error(err)
	}
	if got, ok := p.Estimate(ann, start); ok {
		t.Errorf("estimate is %v after nothing was observed", got)
	}
	if jobs, values := p.Observed(), p.Values(); jobs != 0 || values != 0 {
		t.Errorf("%d jobs and %d values, want 0 and 0", jobs, values)
	}
	observe(t, p, ann, 0, 1e100, math.Copysign(0, -1), 1e100)
	observe(t, p, predict.Attrs{"bytes": "-1"}, 0, 0, 0)
	observe(t, p, predict.Attrs{"bytes": "1"}, 1e100, 1e100, 1e100)
	var next predict.Prediction
	for _, job := range []predict.Attrs{ann, {"bytes": "1.7e308"}} {
		if !p.Predict(job, start, &next) || !(next.NMAE >= 0 && next.NMAE < math.Inf(1) && next.Runtime <= 1e100) {
			t.Errorf("prediction is %v", &next)
		}
		for _, c := range next.Candidates {
			if !(c.Estimates[predict.PowerLaw] <= 1e100) && c.Feature == "log(bytes)" {
				t.Errorf("estimates of %v are %v", job, c.Estimates)
			}
		}
	}
}

func TestHasFeature(t *testing.T) {
	p := newPredictor(t, predict.Config{Features: []string{"log(requested)"}})
	if p.HasFeature(nil) || p.HasFeature(&policy.Job{}) || p.HasFeature(predict.Attrs{"requested": "long"}) || !p.HasFeature(&policy.Job{Requested: 1}) {
		t.Error("a job has the feature without a number, or lacks it with one")
	}
}

// A feature whose attributes are called something else in the jobs is told of.
func TestMissing(t *testing.T) {
	p := newPredictor(t, predict.Config{Features: []string{"program", "user", "user+program", predict.All, "program+queue", "queue"}})
	check := func(want ...string) {
		t.Helper()
		if got := p.Missing(); !slices.Equal(got, want) {
			t.Errorf("%q are missing, want %q", got, want)
		}
	}
	check() // nothing was observed
	observe(t, p, predict.Attrs{"user": "ann", "name": "build"}, 1)
	check("program", "user+program", "program+queue", "queue")
	observe(t, p, predict.Attrs{"program": "build"}, 1)
	check("user+program", "program+queue", "queue")
	observe(t, p, predict.Attrs{"user": "ann", "program": "build", "queue": "q"}, 1)
	check()
	var snapshot bytes.Buffer
	if err := p.Snapshot(&snapshot); err != nil {
		t.Fatal(err)
	}
	if err := p.Restore(&snapshot); err != nil {
		t.Fatal(err)
	}
	check() // nothing was observed since
	observe(t, p, predict.Attrs{"user": "ann"}, 1)
	check("program", "user+program", "program+queue", "queue")
}

func TestPredictDoesNotAllocate(t *testing.T) {
	job := &policy.Job{Attrs: []policy.Attr{{Name: "user", Value: "ann"}, {Name: "program", Value: "ls"}, {Name: "bytes", Value: "4096"}}}
	for _, c := range []predict.Config{
		{},
		{Features: []string{"user", "program+log(bytes)", predict.All}},
		{Features: []string{"user", "program", predict.All}, Window: time.Hour},
	} {
		p := newPredictor(t, c)
		for i := range 1000 {
			if err := p.Observe(job, float64(i%100), start.Add(time.Duration(i)*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
		later := start.Add(time.Hour + 5*time.Minute) // when a part of the window has expired
		if !p.Predict(job, later, nil) {
			t.Error("nothing is predicted")
		}
		var next predict.Prediction
		calls := map[string]func(){
			"Predict":  func() { p.Predict(job, later, &next); next.Distribution() },
			"Estimate": func() { p.Estimate(job, later) },
		}
		if c.Features != nil && c.Window == 0 {
			calls["Observe"] = func() { observe(t, p, job, 7) }
			calls["Censored"] = func() { observe(t, p, job, -7) }
		}
		for name, f := range calls {
			f()
			if n := testing.AllocsPerRun(100, f); n != 0 {
				t.Errorf("%s allocates %v times, with %+v", name, n, c)
			}
		}
	}
}

// Near a number all runs were stopped, so that the estimates of similar numbers have no score. The power law has one and wins.
func TestAPowerLawAloneHasAScore(t *testing.T) {
	p := newPredictor(t, predict.Config{Features: []string{"log(n)"}})
	for i := range 60 {
		observe(t, p, predict.Attrs{"n": fmt.Sprint(1000 + i)}, 2000+2*float64(i))
		if i >= 40 {
			observe(t, p, predict.Attrs{"n": fmt.Sprint(1_000_000 + i)}, -10)
		}
	}
	var got predict.Prediction
	p.Predict(predict.Attrs{"n": "1000050"}, start, &got)
	if c := got.Candidates[0]; !math.IsNaN(c.NMAE[predict.Mean]) || got.Estimator != predict.PowerLaw || got.NMAE != c.NMAE[predict.PowerLaw] || math.IsNaN(got.NMAE) {
		t.Errorf("got %v, want one by the power law, with its error", &got)
	}
}
