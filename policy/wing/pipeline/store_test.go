package pipeline_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy/wing/pipeline"
)

// near allows for the order of sums.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b))
}

// eachRandom runs a test on many small logs.
func eachRandom(t *testing.T, test func(t *testing.T, rng *rand.Rand, l *provenance.Log, r *pipeline.Result, n *naive)) {
	seeds := 500
	if testing.Short() {
		seeds = 200
	}
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 17))
		l, c := randomLog(rng), randomConfig(rng)
		r, err := pipeline.Run(l, c)
		covers := len(l.Jobs) == 0 || slices.ContainsFunc(l.Jobs, func(j provenance.Job) bool { return c.Start <= j.Submitted && j.Submitted < c.End })
		if (err == nil) != covers {
			t.Fatalf("seed %d: error %v, and that the Config covers a job is %t", seed, err, covers)
		}
		if err != nil {
			continue
		}
		test(t, rng, l, r, newNaive(l, c))
		if t.Failed() {
			t.Fatalf("seed %d, %+v", seed, c)
		}
	}
}

func storeNaive(t *testing.T) {
	var byTemplate, byUser, unknown, young, unfinished, aggregated, infinite int
	eachRandom(t, func(t *testing.T, rng *rand.Rand, l *provenance.Log, r *pipeline.Result, n *naive) {
		hops := -1
		if n.c.Hops > 0 {
			hops = n.c.Hops
		}
		summary := func(jobs []uint32, aggregate bool) (s value.Summary) {
			var values, computes []float64
			for _, j := range jobs {
				w := n.own(j)
				if aggregate {
					w = n.below(j, j, 1, hops)
				}
				values, computes = append(values, w.Value), append(computes, w.Compute)
			}
			s = value.Summary{Value: medianOf(values), Compute: medianOf(computes)}
			s.Efficiency = value.Worth{Value: s.Value, Compute: s.Compute}.Efficiency()
			return s
		}
		same := func(what string, got, want value.Summary) {
			if !near(got.Value, want.Value) || !near(got.Compute, want.Compute) || !near(got.Efficiency, want.Efficiency) {
				t.Errorf("%s: got %+v, want %+v", what, got, want)
			}
		}
		recurs := func(j uint32) bool { return r.Classes.Templates[l.Jobs[j].Template].Has(provenance.Recurring) }
		for user, name := range []string{"ann", "bob", ""} {
			adhoc := n.of(func(j uint32) bool { return n.valid(j) && !recurs(j) && l.Jobs[j].User == uint32(user) })
			for template := range uint32(5) {
				jobs, count, want := n.of(func(j uint32) bool { return n.valid(j) && l.Jobs[j].Template == template }), &byTemplate, value.Summary{}
				if !r.Classes.Templates[template].Has(provenance.Recurring) {
					if jobs, count = adhoc, &byUser; name == "" {
						jobs = nil
					}
				}
				if len(jobs) == 0 {
					count = &unknown
				}
				for _, aggregate := range []bool{false, true} {
					lookup := r.Store.Direct
					if aggregate {
						lookup = r.Store.Priority
					}
					got, known := lookup(l.Templates.Name(template), name)
					if want = summary(jobs, aggregate); known != (len(jobs) > 0) {
						t.Errorf("template %d, user %q: known %v, want %v", template, name, known, len(jobs) > 0)
					}
					same(l.Templates.Name(template)+" of "+name, got, want)
					if aggregate && !near(want.Value, summary(jobs, false).Value) {
						aggregated++
					}
					if math.IsInf(want.Efficiency, 1) {
						infinite++
					}
				}
				*count++
			}
		}
		for template := range uint32(5) {
			jobs := n.of(func(j uint32) bool { return n.valid(j) && l.Jobs[j].Template == template })
			if p, ok := r.Store.Template(l.Templates.Name(template)); ok && len(jobs) > 0 {
				n.hasSpread(t, p.Spread, jobs)
			}
		}
		for j := range uint32(len(l.Jobs)) {
			if n.state(j) == provenance.Complete && !n.valid(j) {
				young++
			}
			if n.state(j) == provenance.Running && r.Windowed.Valid(j) {
				t.Errorf("job %d still runs, and what follows it is known", j)
			}
			if n.state(j) != l.Jobs[j].State {
				unfinished++
			}
		}
	})
	t.Logf("by template %d, by user %d, unknown %d, too young %d, unfinished at End %d, with dependents %d, infinite %d",
		byTemplate, byUser, unknown, young, unfinished, aggregated, infinite)
	if byTemplate == 0 || byUser == 0 || unknown == 0 || young == 0 || unfinished == 0 || aggregated == 0 || infinite == 0 {
		t.Error("some case has never come")
	}
}

// hasSpread checks medians and greatest values.
func (n *naive) hasSpread(t *testing.T, got value.Spread, jobs []uint32) {
	var runtime, fanIn, fanOut, downstream []float64
	for _, j := range jobs {
		direct := 0.0
		for _, d := range n.dependents(j) {
			if n.inWindow(j, d) {
				direct++
			}
		}
		below := make(map[uint32]bool)
		n.reach(j, j, below)
		runtime = append(runtime, n.Jobs[j].Completed.Sub(n.Jobs[j].Submitted).Seconds())
		fanIn, fanOut, downstream = append(fanIn, n.fanIn(j)), append(fanOut, direct), append(downstream, float64(len(below)))
	}
	for name, of := range map[string]struct {
		got  value.Deciles
		want []float64
	}{
		"runtime": {got.Runtime, runtime}, "fan-in": {got.FanIn, fanIn},
		"fan-out": {got.FanOut, fanOut}, "downstream": {got.Downstream, downstream},
	} {
		if !near(of.got[5], medianOf(of.want)) || of.got[10] != slices.Max(of.want) {
			t.Errorf("%s of jobs %v: got deciles %v, want those of %v", name, jobs, of.got, of.want)
		}
	}
}

// reach finds the jobs that depend on d within the window of job j.
func (n *naive) reach(j, d uint32, found map[uint32]bool) {
	for _, e := range n.dependents(d) {
		if n.inWindow(j, e) && !found[e] {
			found[e] = true
			n.reach(j, e, found)
		}
	}
}
