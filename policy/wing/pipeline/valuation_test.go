package pipeline_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/wing/pipeline"
)

// like returns a job of a template and a user.
func like(template, user string, submitted policy.Time) *policy.Job {
	return &policy.Job{Submitted: submitted, Attrs: []policy.Attr{{Name: "template", Value: template}, {Name: "user", Value: user}}}
}

// valuationAt returns the mean worth of some jobs if each were done so long after its submission, and their mean Work.
func (n *naive) valuationAt(r *pipeline.Result, c pipeline.ValuationConfig, jobs []uint32, after time.Duration) (worth, work float64) {
	for _, i := range jobs {
		own, downloads := n.own(i), n.downloads(i)
		for _, at := range downloads {
			if at.Sub(n.Jobs[i].Submitted) >= after {
				worth += own.Value / float64(len(downloads))
			}
		}
		if len(downloads) == 0 {
			worth += own.Value
		}
		work += own.Compute
		if !c.Dependents {
			continue
		}
		for _, d := range n.dependents(i) {
			if !n.inWindow(i, d) {
				continue
			}
			part := n.below(i, d, 1/n.fanIn(d), -1)
			work += part.Compute
			gone := false
			up, down := n.Jobs[i].Template, n.Jobs[d].Template
			for _, p := range r.Predictor.Predict(nil, up, 0) {
				gone = gone || p.Template == down && p.Share >= provenance.BestThreshold && p.TimeToDependency < after
			}
			for k, dep := range r.Found.Dependencies {
				if dep.From == i && dep.To == d && c.Hard && !r.Classes.Dependencies[k].Has(provenance.Hard) {
					gone = false
				}
			}
			if !gone || !r.Classes.Templates[up].Has(provenance.Recurring) {
				worth += part.Value
			}
		}
	}
	return worth / float64(len(jobs)), work / float64(len(jobs))
}

func valuationsNaive(t *testing.T) {
	var known, withDependents, lost, coarse, kept int
	eachRandom(t, func(t *testing.T, rng *rand.Rand, l *provenance.Log, r *pipeline.Result, n *naive) {
		few := 1 + rng.IntN(4)
		c := pipeline.ValuationConfig{Dependents: rng.IntN(3) > 0, Hard: rng.IntN(2) == 0, Steps: 1 << 20}
		exact := jobtest.Must(r.Valuations(c))
		rough := c
		rough.Steps = few
		roughly := jobtest.Must(r.Valuations(rough))
		for template := range uint32(5) {
			for user, name := range []string{"ann", "bob", ""} {
				recurs := r.Classes.Templates[template].Has(provenance.Recurring)
				jobs := n.of(func(j uint32) bool {
					if recurs {
						return n.valid(j) && l.Jobs[j].Template == template
					}
					return n.valid(j) && !r.Classes.Templates[l.Jobs[j].Template].Has(provenance.Recurring) &&
						l.Jobs[j].User == uint32(user) && name != ""
				})
				j := like(l.Templates.Name(template), name, policy.Time(rng.IntN(500)))
				got, ok := exact(j)
				first, work := n.valuationAt(r, c, jobs, math.MinInt64)
				if want := len(jobs) > 0 && work > 0; ok != want {
					t.Errorf("%s of %q: known %t, want %t", l.Templates.Name(template), name, ok, want)
				}
				if !ok {
					continue
				}
				known++
				var runtimes []float64
				for _, i := range jobs {
					runtimes = append(runtimes, float64(l.Jobs[i].Completed-l.Jobs[i].Submitted))
				}
				if want := policy.Duration(medianOf(runtimes)); got.Runtime != want || !near(got.Work, work) || got.Origin != j.Submitted {
					t.Errorf("got %+v, want runtime %v and work %v", got, want, work)
				}
				last, _ := n.valuationAt(r, c, jobs, math.MaxInt64)
				if last < first {
					lost++
				}
				if last > 0 {
					kept++
				}
				if direct, _ := n.valuationAt(r, pipeline.ValuationConfig{}, jobs, math.MinInt64); direct < first {
					withDependents++
				}
				rough, _ := roughly(j)
				if steps := len(stepsOf(rough.Value)); steps > few {
					t.Errorf("got %d steps, want at most %d", steps, few)
				} else if steps < len(stepsOf(got.Value)) {
					coarse++
				}
				for _, at := range []time.Duration{math.MinInt64, math.MaxInt64, 0, time.Duration(rng.IntN(800)), time.Duration(rng.IntN(80) * 10), time.Duration(rng.IntN(80)*10 + 1)} {
					want, _ := n.valuationAt(r, c, jobs, at)
					if x := got.Value.At(int64(at)); math.Abs(x-want) > 1e-12*first {
						t.Errorf("at %d: got %v, want %v", at, x, want)
					}
					slack := (first-last)/float64(few) + 1e-12*first
					if len(stepsOf(got.Value)) <= few || at == math.MinInt64 || at == math.MaxInt64 {
						slack = 1e-12 * first
					}
					if x := rough.Value.At(int64(at)); math.Abs(x-want) > slack {
						t.Errorf("at %d, %d steps: got %v, want %v to within %v", at, few, x, want, slack)
					}
				}
			}
		}
	})
	t.Logf("valuations %d, with dependents %d, that lose %d, that keep %d, with fewer steps %d", known, withDependents, lost, kept, coarse)
	if known == 0 || withDependents == 0 || lost == 0 || kept == 0 || coarse == 0 {
		t.Error("some case has never come")
	}
}

// stepsOf returns the last instant of each step of a function, and what it is until then.
func stepsOf(f value.Function) (steps []value.Drop) {
	for until, more := f.Until(math.MinInt64); more; until, more = f.Until(until + 1) {
		steps = append(steps, value.Drop{At: until, Value: f.At(until)})
	}
	return steps
}

// Steps that are joined are of equal parts, and lost when half of each is.
func TestValuationsSteps(t *testing.T) {
	l := dailyLog(t, 4)
	write := provenance.Time(2.5 * float64(time.Hour)) // of r0
	file, _ := l.Files.Find("report-0")
	l.Ops = slices.DeleteFunc(l.Ops, func(op provenance.Op) bool { return op.Job == provenance.User })
	for k := range provenance.Time(64) {
		l.Ops = append(l.Ops, provenance.Op{Time: write + k + 1, Job: provenance.User, File: file})
	}
	c := dailyConfig(4)
	c.Window = 3 * 24 * time.Hour // so that r0 is the only one
	r := jobtest.Must(pipeline.Run(l, c))
	f := jobtest.Must(r.Valuations(pipeline.ValuationConfig{Steps: 8}))
	valuation, _ := f(like("report-#", "", 0))
	done, left := int64(30*time.Minute), 64.0 // since submission
	for _, step := range stepsOf(valuation.Value) {
		if want := done + int64(64-left) + 4; step.At != want || step.Value != left {
			t.Errorf("got %v until %d, want %v until %d", step.Value, step.At, left, want)
		}
		left -= 8
	}
	if left != 0 {
		t.Errorf("got steps down to %v, want 0", left)
	}
}

// Amounts that overflow when they are added have a mean all the same: each of eight jobs reads what
// the one before it wrote, and the last one is worth all that may be.
func TestValuationsLarge(t *testing.T) {
	l := new(provenance.Log)
	l.Templates.Number("chain")
	last := func(at provenance.Time) float64 { return value.MaxSum * float64(at/(7*days)) }
	for i := range uint32(8) {
		at := provenance.Time(i) * days
		l.Jobs = append(l.Jobs, provenance.Job{State: provenance.Complete, Submitted: at, Completed: at + days/2, Compute: last(at)})
		l.Ops = append(l.Ops, provenance.Op{Time: at, Job: i, Kind: provenance.Read}, provenance.Op{Time: at + days/2, Job: i, Kind: provenance.Write})
	}
	r, err := pipeline.Run(l, pipeline.Config{
		End: 16 * days, Window: 8 * 24 * time.Hour, Classes: provenance.ClassConfig{Month: 24 * time.Hour, Months: 8},
		Value: func(j *provenance.Job, _ []provenance.Download) float64 { return last(j.Submitted) },
	})
	if err != nil {
		t.Fatal(err)
	}
	f := jobtest.Must(r.Valuations(pipeline.ValuationConfig{Dependents: true}))
	got, ok := f(like("chain", "", 0))
	if !ok || got.Work != value.MaxSum || got.Value.At(0) != value.MaxSum {
		t.Errorf("got %+v, %t, want work and value of %v", got, ok, value.MaxSum)
	}
}

// A host asks for valuations at each step.
func TestValuationAllocates(t *testing.T) {
	r := dailyResult(t, 4)
	f := jobtest.Must(r.Valuations(pipeline.ValuationConfig{}))
	j := like("feed-#", "ann", 0)
	if n := testing.AllocsPerRun(100, func() { f(j) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}

func TestValuationConfig(t *testing.T) {
	r := dailyResult(t, 4)
	for _, c := range []struct {
		config pipeline.ValuationConfig
		want   string
	}{
		{pipeline.ValuationConfig{Steps: -1}, "pipeline: ValuationConfig.Steps is -1, want at least 1"},
	} {
		if _, err := r.Valuations(c.config); fmt.Sprint(err) != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	config := dailyConfig(4)
	config.Template = func(j *policy.Job) string { return provenance.Template(j.Attrs[0].Value) }
	config.User = func(*policy.Job) string { return "" }
	other := jobtest.Must(pipeline.Run(dailyLog(t, 4), config))
	named := jobtest.Must(other.Valuations(pipeline.ValuationConfig{}))
	if _, ok := named(like("feed-99", "", 0)); !ok {
		t.Error("the template that the function tells is not asked for")
	}
	if _, ok := named(like("other", "ann", 0)); ok {
		t.Error("something is known of a template that is not in the log")
	}
	if !slices.Equal(r.Values(), dailyResult(t, 4).Values()) {
		t.Error("the result has changed")
	}
}
