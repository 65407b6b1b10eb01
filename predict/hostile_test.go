package predict_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"testing"
	"time"

	"example.com/augur/histogram"
	"example.com/augur/internal/hostile"
	"example.com/augur/predict"
)

var observable = hostile.Between(0, 1e100)

// trained returns a predictor that has seen some jobs.
func trained(t *testing.T, c predict.Config) *predict.Predictor {
	t.Helper()
	p, err := predict.New(c)
	for i := range 30 {
		if err == nil {
			err = p.Observe(predict.Attrs{"user": "ann"}, float64(i%7), time.Unix(int64(i), 0))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// snapshot is the state of predictors, as they write it.
func snapshot(ps ...*predict.Predictor) string {
	var b bytes.Buffer
	for _, p := range ps {
		if err := p.Snapshot(&b); err != nil {
			return err.Error()
		}
	}
	return b.String()
}

// sane says what is wrong with what a predictor predicts for the job, also after more jobs, much later.
func sane(p *predict.Predictor, job predict.Job) error {
	var got predict.Prediction
	for i := range 3 {
		now := time.Unix(100, 0).AddDate(i*100, 0, 0)
		if p.Predict(job, now, &got) {
			d := got.Distribution()
			for _, x := range []float64{got.Runtime, d.Mean(), d.Quantile(0.5), math.Sqrt(d.Variance())} {
				if !(x >= 0 && x <= 2e100) {
					return fmt.Errorf("%v: %v, in %v years", got.String(), x, i*100)
				}
			}
			for _, c := range got.Candidates {
				for e, x := range c.Estimates {
					if !(x >= 0 && x <= 2e100) || !(c.NMAE[e] >= 0 || math.IsNaN(c.NMAE[e])) {
						return fmt.Errorf("candidate %+v", c)
					}
				}
			}
		}
		if err := p.Observe(job, 5, now); err != nil {
			return err
		}
	}
	other, err := predict.New(p.Config())
	if err == nil {
		err = other.Restore(bytes.NewReader([]byte(snapshot(p))))
	}
	return err
}

func TestHostileNumbers(t *testing.T) {
	job := predict.Attrs{"user": "ann"}
	full := predict.Config{Histogram: histogram.Config{Bins: 20}, Recent: 3, Alpha: 0.5, Unscored: 1, Values: 100}
	or0 := func(least, most float64) hostile.Rule {
		return hostile.Between(least, most).Or(func(x float64) bool { return x == 0 }, hostile.Takes)
	}
	isInf := func(x float64) bool { return math.IsInf(x, 1) }
	config := func(c predict.Config, halfLife, window hostile.Rule) []hostile.Arg {
		return []hostile.Arg{{Name: "c", Value: c, Rules: hostile.Rules{
			"Histogram.Bins": hostile.Between(0, 65535), "Histogram.Join": hostile.Between(0, 1), "Recent": hostile.Between(0, 255),
			"Alpha": hostile.Between(0, 1), "Unscored": hostile.NotNegative.Or(isInf, hostile.Takes), "Values": hostile.Between(0, 1<<30),
			"HalfLife": halfLife, "Window": window,
		}}}
	}
	works := func(results []any) error { return sane(results[0].(*predict.Predictor), job) }
	span := or0(float64(time.Microsecond), math.MaxInt64)
	none := hostile.Between(0, 0)
	fading, sliding := full, full
	fading.HalfLife, sliding.Window = time.Hour, time.Hour
	hostile.Test(t,
		hostile.Call{Name: "New", New: hostile.Func(predict.New), Args: config(full, span, span), Sane: works, Cases: []hostile.Case{
			{Name: "no name", Args: []any{predict.Config{Features: []string{""}}}, Want: hostile.Refuses},
			{Name: "duplicate", Args: []any{predict.Config{Features: []string{"user", "user"}}}, Want: hostile.Refuses},
			{Name: "too many", Args: []any{predict.Config{Features: make([]string, 33)}}, Want: hostile.Refuses},
			{Name: "empty", Args: []any{predict.Config{Features: []string{}}}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "New", New: hostile.Func(predict.New), Args: config(fading, span, none), Sane: works},
		hostile.Call{Name: "New", New: hostile.Func(predict.New), Args: config(sliding, none, span), Sane: works},
	)
	for _, c := range []predict.Config{full, fading, sliding} {
		var p *predict.Predictor
		hostile.Test(t, hostile.Call{
			Name: "Predictor.Observe", New: func() (any, func() string) {
				p = trained(t, c)
				return func(x float64, sec int64) error { return p.Observe(job, x, time.Unix(sec, 0)) }, func() string { return snapshot(p) }
			},
			Args: []hostile.Arg{hostile.Number("runtime", 5.0, observable), hostile.Number("now", int64(40), hostile.Any)}, // it may go back
			Sane: func([]any) error { return sane(p, job) },
		})
	}
}

func TestHostileHybrids(t *testing.T) {
	job := predict.Attrs{"user": "ann"}
	now := time.Unix(100, 0)
	var h predict.Hybrid
	hybrid := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			h = predict.Hybrid{Means: trained(t, predict.Config{}), Spreads: trained(t, predict.Config{})}
			return method(), func() string { return snapshot(h.Means, h.Spreads) }
		}
	}
	tasks := hostile.Arg{Name: "task", Value: []float64{3, 4, 5}, Rules: hostile.Rules{"[]": observable}}
	predicted := func(results []any) error {
		p := results[0].(interface {
			OK() bool
			Mean() float64
			StdDev() float64
		})
		if !p.OK() || !(p.Mean() >= 0 && p.Mean() <= 2e100) || !(p.StdDev() >= 0 && p.StdDev() <= math.MaxFloat64) {
			return fmt.Errorf("it is %v ± %v", p.Mean(), p.StdDev())
		}
		return nil
	}
	var c predict.Chooser
	chooser := func() (any, func() string) {
		c = predict.Chooser{Sampling: trained(t, predict.Config{}), History: trained(t, predict.Config{})}
		return func(sampling, history, actual float64) error { return c.Observe(job, sampling, history, actual, now) },
			func() string { return snapshot(c.Sampling, c.History) }
	}
	hostile.Test(t,
		hostile.Call{Name: "Hybrid.Observe", New: hybrid(func() any {
			return func(tasks []float64) error { return h.Observe(job, tasks, now) }
		}), Args: []hostile.Arg{tasks}, Sane: func([]any) error {
			_, err := h.Predict(job, []float64{1e100, 0}, now)
			return cmp.Or(sane(h.Means, job), sane(h.Spreads, job), err)
		}, Cases: []hostile.Case{
			{Name: "no tasks", Args: []any{[]float64{}}, Want: hostile.Ignores}, {Name: "none", Args: []any{nil}, Want: hostile.Ignores},
			{Name: "one is wrong", Args: []any{[]float64{3, math.NaN(), 5}}, Want: hostile.Refuses},
			{Name: "all sizes", Args: []any{[]float64{5e-324, 1e100, 0}}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "Hybrid.Predict", New: hybrid(func() any {
			return func(pilots []float64) (any, error) { return h.Predict(job, pilots, now) }
		}), Args: []hostile.Arg{{Name: "pilot", Value: []float64{3, 4, 5}, Rules: hostile.Rules{"[]": observable}}}, Sane: predicted, Cases: []hostile.Case{
			{Name: "no pilots", Args: []any{[]float64{}}, Want: hostile.Takes}, {Name: "none", Args: []any{nil}, Want: hostile.Takes},
			{Name: "all sizes", Args: []any{[]float64{5e-324, 1e100, 0}}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "Chooser.Observe", New: chooser, Args: []hostile.Arg{
			hostile.Number("sampling", 3.0, observable), hostile.Number("history", 4.0, observable), hostile.Number("actual", 5.0, observable),
		}, Sane: func([]any) error { c.Sample(job, now); return cmp.Or(sane(c.Sampling, job), sane(c.History, job)) }},
	)
}

func predictorOf(t *testing.T) *predict.Predictor {
	p, err := predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Whatever the history, pilots that differ, however little, are no contradiction.
func TestPilotsNearToEachOther(t *testing.T) {
	now := time.Unix(0, 0)
	for _, pilots := range [][]float64{{1e-200, 2e-200}, {0, 5e-324}, {5e-324, 0, 0}, {1, math.Nextafter(1, 2)}, {1e100, math.Nextafter(1e100, 0), 1e100}} {
		for _, seen := range [][]float64{nil, {1e-200}, {1e-200, 1e-200}, {0, 0}, pilots} {
			h := predict.Hybrid{Means: predictorOf(t), Spreads: predictorOf(t)}
			for range 2 {
				if err := h.Observe(nil, seen, now); err != nil {
					t.Fatal(err)
				}
			}
			belief, err := h.Predict(nil, pilots, now)
			if err != nil || !belief.OK() || math.IsNaN(belief.Mean()) {
				t.Errorf("after tasks %v, pilots %v are worth %+v, %v", seen, pilots, belief, err)
			}
		}
	}
}
