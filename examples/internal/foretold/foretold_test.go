package foretold

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/dag/provenance"
)

// A history is a log with its dependencies, and classes by which all of them recur.
type history struct {
	provenance.Log
	deps    []provenance.Dependency
	classes provenance.Classes
}

func newHistory(templates ...string) *history {
	h := new(history)
	for _, name := range templates {
		h.Templates.Number(name)
		h.classes.Templates = append(h.classes.Templates, provenance.Recurring)
	}
	return h
}

func (h *history) add(template uint32, at provenance.Time) uint32 {
	h.Jobs = append(h.Jobs, provenance.Job{Template: template, Submitted: at})
	return uint32(len(h.Jobs) - 1)
}

func (h *history) depend(to, from uint32, traits provenance.Traits) {
	h.deps = append(h.deps, provenance.Dependency{From: from, To: to, First: h.Jobs[to].Submitted})
	h.classes.Dependencies = append(h.classes.Dependencies, traits)
}

func (h *history) train(t *testing.T, to provenance.Time) *provenance.Model {
	t.Helper()
	m, err := provenance.Train(&h.Log, h.deps, &h.classes, provenance.TrainConfig{To: to})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func middle(times []provenance.Time) time.Duration {
	slices.Sort(times)
	n := len(times)
	return time.Duration(times[(n-1)/2]+times[n/2]) / 2
}

// naiveScore looks at all dependencies for each job and template.
func naiveScore(m *provenance.Model, l *provenance.Log, deps []provenance.Dependency, classes *provenance.Classes, c Config, threshold float64) Score {
	s := Score{Threshold: threshold}
	var squares, within, twice float64
	var errors []provenance.Time
	first := func(job int, down uint32) (after provenance.Time, ok bool) {
		for i, d := range deps {
			if int(d.From) == job && l.Jobs[d.To].Template == down && d.First < c.End && classes.Dependencies[i].Has(provenance.Recurring) {
				if t := l.Jobs[d.To].Submitted - l.Jobs[job].Submitted; !ok || t < after {
					after, ok = t, true
				}
			}
		}
		return after, ok
	}
	for i, j := range l.Jobs {
		if j.Submitted < c.From || j.Submitted >= c.To || !classes.Templates[j.Template].Has(provenance.Recurring) {
			continue
		}
		for down := range uint32(l.Templates.Len()) {
			a, came := first(i, down)
			all := m.Predict(nil, j.Template, 0)
			known := slices.IndexFunc(all, func(q provenance.Dependent) bool { return q.Template == down })
			if known < 0 || !classes.Templates[down].Has(provenance.Recurring) {
				if came {
					s.FalseNegatives++
				}
				continue
			}
			q := all[known]
			f := provenance.Time(q.TimeToDependency)
			switch {
			case j.Submitted+f > c.End:
			case q.Share >= threshold && came:
				s.TruePositives++
				squares += math.Pow(float64(f-a), 2)
				errors = append(errors, max(f-a, a-f))
				if e := float64(f-a) / float64(a); e >= -0.2 && e <= 0.2 {
					within++
				}
				if f >= 2*a {
					twice++
				}
			case q.Share >= threshold:
				s.FalsePositives++
			case came:
				s.FalseNegatives++
			}
		}
	}
	if n := float64(s.TruePositives); n > 0 {
		s.Precision, s.Recall = n/(n+float64(s.FalsePositives)), n/(n+float64(s.FalseNegatives))
		s.RMSE, s.MedianError = time.Duration(math.Sqrt(squares/n)), middle(errors)
		s.Within20, s.Twice = within/n, twice/n
	}
	return s
}

func TestAgainstNaive(t *testing.T) {
	var sum Score
	young := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 8))
		h := newHistory("a", "b", "c", "d")
		for i := range h.classes.Templates {
			h.classes.Templates[i] *= provenance.Traits(min(rng.IntN(5), 1))
		}
		at := provenance.Time(0)
		for range 60 {
			at += provenance.Time(rng.IntN(3)) * 1e9
			h.add(uint32(rng.IntN(4)), at)
		}
		for range 80 {
			if from, to := uint32(rng.IntN(60)), uint32(rng.IntN(60)); h.Jobs[from].Submitted < h.Jobs[to].Submitted && h.Jobs[to].Submitted-h.Jobs[from].Submitted < 15e9 {
				h.depend(to, from, h.classes.Templates[h.Jobs[from].Template]&h.classes.Templates[h.Jobs[to].Template])
			}
		}
		now := at / 2
		m := h.train(t, now)
		c := Config{From: now, To: at, End: at + provenance.Time(rng.IntN(2))*2e9}
		e := Evaluate(m, &h.Log, h.deps, &h.classes, c)
		for _, threshold := range []float64{0, 0.2, 0.5, 1} {
			want, got := naiveScore(m, &h.Log, h.deps, &h.classes, c, threshold), e.At(threshold)
			if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12), cmp.Comparer(func(a, b time.Duration) bool { return (a - b).Abs() < 10 })); diff != "" {
				t.Fatalf("seed %d: threshold %v: -want +got:\n%s", seed, threshold, diff)
			}
			sum.TruePositives, sum.FalsePositives, sum.FalseNegatives = sum.TruePositives+got.TruePositives, sum.FalsePositives+got.FalsePositives, sum.FalseNegatives+got.FalseNegatives
		}
		young += e.young
	}
	if min(sum.TruePositives, sum.FalsePositives, sum.FalseNegatives, young) < 200 {
		t.Errorf("the generator is poor: %d predictions left out, %+v", young, sum)
	}
}

// Of 20 jobs 15 are read by one template and 2 by another one. At thresholds 0 and 0.1 the precision is 17/40 and the recall
// 1; at 0.2 and 0.75 they are 15/20 and 15/17.
func TestBest(t *testing.T) {
	const day = provenance.Time(24 * time.Hour)
	h := newHistory("up", "often", "seldom")
	for i := range provenance.Time(40) {
		up := h.add(0, i*day)
		if i%4 != 0 {
			h.depend(h.add(1, i*day+100), up, provenance.Recurring)
		}
		if i%10 == 3 {
			h.depend(h.add(2, i*day+200), up, provenance.Recurring)
		}
	}
	e := Evaluate(h.train(t, 20*day), &h.Log, h.deps, &h.classes, Config{From: 20 * day, To: 40 * day, End: 41 * day})
	best, ok := e.Best([]float64{0.75, 0, 0.2, 0.1, 1, math.NaN()})
	if s := (Score{Threshold: 0.2, TruePositives: 15, FalsePositives: 5, FalseNegatives: 2, Precision: 15. / 20, Recall: 15. / 17, Within20: 1}); !ok || best != s {
		t.Errorf("got %+v, want %+v", best, s)
	}
	if s := e.At(0); s.TruePositives != 17 || s.FalsePositives != 23 || s.FalseNegatives != 0 {
		t.Errorf("at 0: got %+v, want 17 true, 23 false", s)
	}
	if s := e.At(1); s.TruePositives != 0 || s.Precision != 0 || s.FalseNegatives != 17 {
		t.Errorf("at 1: got %+v, want 17 missed", s)
	}
	if _, ok := e.Best(nil); ok {
		t.Error("no thresholds: got one")
	}
}
