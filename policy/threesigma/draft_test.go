package threesigma_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/histogram"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/threesigma/plan"
)

// draftCase is what a Draft is told in one cycle.
type draftCase struct {
	now      float64
	nodes    []float64
	occupied []occupied
	held     []occupied
	offers   []offered
}

type occupied struct {
	value   float64
	place   plan.Place
	runtime threesigma.Distribution
	elapsed float64
}

type offered struct {
	u     threesigma.Utility
	sites []threesigma.Site
}

// draw draws a case with so many pools.
func drawCase(t testing.TB, rng *rand.Rand, pools int) draftCase {
	place := func() plan.Place {
		var p plan.Place
		for k := range pools {
			if rng.IntN(2) == 0 {
				p = append(p, plan.Share{Pool: int32(k), Nodes: float64(1 + rng.IntN(9))})
			}
		}
		return p
	}
	runtime := func() threesigma.Distribution {
		switch rng.IntN(4) {
		case 0:
			return nil
		case 1:
			return forecast.Known(float64(rng.IntN(200)))
		}
		h := must(t, histogram.New, histogram.Config{})
		for range 1 + rng.IntN(100) {
			if err := h.Add(100 * rng.ExpFloat64()); err != nil {
				t.Fatal(err)
			}
		}
		table := new(histogram.Table)
		table.Fill(h)
		return table
	}
	c := draftCase{now: float64(rng.IntN(1000))}
	for range pools {
		c.nodes = append(c.nodes, float64(rng.IntN(50)))
	}
	for range rng.IntN(6) {
		o := occupied{rng.Float64(), place(), runtime(), float64(rng.IntN(100))}
		if o.runtime != nil {
			r, err := new(threesigma.Increments).After(o.runtime, o.elapsed, 10)
			if err != nil {
				t.Fatal(err)
			}
			o.runtime = r
		}
		if rng.IntN(2) == 0 {
			c.occupied = append(c.occupied, o)
		} else {
			c.held = append(c.held, o)
		}
	}
	for range rng.IntN(6) {
		var o offered
		var err error
		switch rng.IntN(3) {
		case 0:
			o.u, err = threesigma.NewStep(rng.Float64(), c.now+float64(rng.IntN(300)-20))
		case 1:
			o.u, err = threesigma.NewStepTail(rng.Float64(), c.now-100, float64(1+rng.IntN(1000)))
		case 2: // one that rises again
			o.u, err = threesigma.NewUtility(threesigma.Point{Time: c.now, Value: -1}, threesigma.Point{Time: c.now + 150, Value: 2})
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + rng.IntN(3) {
			o.sites = append(o.sites, threesigma.Site{Place: place(), Runtime: runtime(), Worth: float64(rng.IntN(3)) / 2})
		}
		c.offers = append(c.offers, o)
	}
	return c
}

func must[A, B any](t testing.TB, f func(A) (B, error), a A) B {
	t.Helper()
	b, err := f(a)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// slow is what the Draft should make of a case, from the formulae alone.
func (c *draftCase) slow(w threesigma.Window) *plan.Problem {
	p := new(plan.Problem)
	share := func(d threesigma.Distribution, t int, elapsed float64) float64 {
		if d == nil || t == 0 {
			return 1
		}
		return 1 - d.CDF(elapsed+float64(t)*w.Width)
	}
	for k, n := range c.nodes {
		var slots []float64
		for t := range w.Slots {
			left := n
			for _, o := range c.occupied {
				for _, s := range o.place {
					if int(s.Pool) == k {
						left = math.Max(0, left-s.Nodes*share(o.runtime, t, o.elapsed))
					}
				}
			}
			slots = append(slots, left)
		}
		p.Capacity = append(p.Capacity, slots)
	}
	profile := func(d threesigma.Distribution, elapsed float64) []float64 {
		var x []float64
		for t := range w.Slots {
			if s := share(d, t, elapsed); s > 0 {
				x = append(x, s)
			}
		}
		return x
	}
	for _, o := range c.held {
		p.Jobs = append(p.Jobs, plan.Job{
			Profiles: [][]float64{profile(o.runtime, o.elapsed)}, Places: []plan.Place{o.place},
			Options: []plan.Option{{Utility: o.value}},
		})
	}
	for _, o := range c.offers {
		var j plan.Job
		for i, site := range o.sites {
			j.Profiles = append(j.Profiles, profile(site.Runtime, 0))
			j.Places = append(j.Places, site.Place)
			worth := site.Worth
			if worth == 0 {
				worth = 1
			}
			for t := range w.Slots {
				value := 0.0
				switch start := c.now + float64(t)*w.Width; {
				case site.Runtime != nil:
					value = worth * o.u.Expected(site.Runtime, start)
					value *= 1 + 1e-6*float64(w.Slots-t)/float64(w.Slots) // the sooner the better
				case t == 0:
					value = worth * o.u.At(start)
				}
				if value > 0 {
					j.Options = append(j.Options, plan.Option{Utility: value, Place: int32(i), Start: int32(t), Profile: int32(i)})
				}
			}
		}
		p.Jobs = append(p.Jobs, j)
	}
	return p
}

// tell tells a Draft of a case.
func (c *draftCase) tell(t testing.TB, d *threesigma.Draft) {
	t.Helper()
	if err := d.Begin(c.now, c.nodes); err != nil {
		t.Fatal(err)
	}
	for _, o := range c.occupied {
		if err := d.Occupy(o.place, o.runtime, o.elapsed); err != nil {
			t.Fatal(err)
		}
	}
	for i, o := range c.held {
		if job, err := d.Hold(o.value, o.place, o.runtime, o.elapsed); err != nil || job != i {
			t.Fatalf("job %d: %d, %v", i, job, err)
		}
	}
	for i, o := range c.offers {
		if job, err := d.Offer(o.u, o.sites); err != nil || job != len(c.held)+i {
			t.Fatalf("offer %d: %d, %v", i, job, err)
		}
	}
}

// A Draft makes of each cycle what the formulae say, whatever was in those before.
func TestDraft(t *testing.T) {
	w := threesigma.Window{Width: 10, Slots: 7}
	d := must(t, threesigma.NewDraft, w)
	rng := rand.New(rand.NewPCG(1, 1))
	approx := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) })
	empty := cmp.Transformer("empty", func(o []plan.Option) []plan.Option { return append([]plan.Option{}, o...) })
	places := cmp.Transformer("none", func(p plan.Place) plan.Place { return append(plan.Place{}, p...) })
	for round := range 500 {
		c := drawCase(t, rng, 1+rng.IntN(4))
		c.tell(t, d)
		p := d.Problem()
		if err := p.Validate(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		want := c.slow(w)
		if len(p.Jobs) != len(want.Jobs) {
			t.Fatalf("round %d: %d jobs, want %d", round, len(p.Jobs), len(want.Jobs))
		}
		for j := range want.Jobs {
			if diff := cmp.Diff(want.Jobs[j], p.Jobs[j], approx, cmp.FilterPath(isOptions, empty), cmp.FilterPath(isPlace, places)); diff != "" {
				t.Fatalf("round %d, job %d (-want +got):\n%s", round, j, diff)
			}
		}
		for k := range want.Capacity {
			if diff := cmp.Diff(want.Capacity[k], p.Capacity[k], approx); diff != "" {
				t.Fatalf("round %d, pool %d (-want +got):\n%s", round, k, diff)
			}
		}
	}
}

func isOptions(p cmp.Path) bool { return p.Last().String() == ".Options" }
func isPlace(p cmp.Path) bool {
	return p.Last().Type() == nil || p.Last().Type().String() == "plan.Place"
}

// What is not as it must be is refused with its name, and leaves no trace.
func TestDraftRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, w := range []threesigma.Window{{0, 1}, {-1, 1}, {nan, 1}, {inf, 1}, {1, 0}, {1, -1}} {
		if _, err := threesigma.NewDraft(w); err == nil || !strings.Contains(err.Error(), "Window.") {
			t.Errorf("NewDraft(%v): %v", w, err)
		}
	}
	d := must(t, threesigma.NewDraft, threesigma.Window{Width: 1, Slots: 3})
	if err := d.Begin(0, []float64{5}); err != nil {
		t.Fatal(err)
	}
	step := must2(t, threesigma.NewStep, 1.0, 2.0)
	if _, err := d.Offer(step, []threesigma.Site{{Place: plan.Place{{Pool: 0, Nodes: 1}}, Runtime: forecast.Known(1)}}); err != nil {
		t.Fatal(err)
	}
	empty := must(t, histogram.New, histogram.Config{})
	nowhere := plan.Place{{Pool: 1, Nodes: 1}}
	here := plan.Place{{Pool: 0, Nodes: 1}}
	for name, f := range map[string]func() error{
		"Begin at NaN":      func() error { return d.Begin(nan, []float64{1}) },
		"Begin at Inf":      func() error { return d.Begin(inf, []float64{1}) },
		"no pools":          func() error { return d.Begin(0, nil) },
		"pool 1":            func() error { return d.Begin(0, []float64{1, -1}) },
		"pool 0":            func() error { return d.Begin(0, []float64{nan}) },
		"Occupy pool 1":     func() error { return d.Occupy(nowhere, nil, 0) },
		"Occupy no values":  func() error { return d.Occupy(here, empty, 0) },
		"Occupy since -1 s": func() error { return d.Occupy(here, forecast.Known(1), -1) },
		"Occupy -1 nodes":   func() error { return d.Occupy(plan.Place{{Pool: 0, Nodes: -1}}, nil, 0) },
		"Hold pool 1":       func() error { _, err := d.Hold(1, nowhere, nil, 0); return err },
		"Offer pool 1": func() error {
			_, err := d.Offer(step, []threesigma.Site{{Place: here}, {Place: nowhere}})
			return err
		},
		"Hold at NaN":    func() error { _, err := d.Hold(nan, here, nil, 0); return err },
		"Hold no values": func() error { _, err := d.Hold(1, here, empty, 0); return err },
		"Offer site 1": func() error {
			_, err := d.Offer(step, []threesigma.Site{{Place: here, Runtime: forecast.Known(1)}, {Place: here, Runtime: empty}})
			return err
		},
		"Offer Worth": func() error {
			_, err := d.Offer(step, []threesigma.Site{{Place: here, Worth: -1}})
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), "threesigma: ") {
			t.Errorf("%s: error %v", name, err)
		}
		if p := d.Problem(); len(p.Jobs) != 1 || len(p.Jobs[0].Options) != 2 || p.Capacity[0][0] != 5 || len(p.Capacity) != 1 {
			t.Fatalf("%s: the problem has changed: %+v", name, p)
		}
	}
}

func must2[A, B, C any](t testing.TB, f func(A, B) (C, error), a A, b B) C {
	t.Helper()
	c, err := f(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// After some cycles a Draft allocates nothing.
func TestDraftAllocates(t *testing.T) {
	d := must(t, threesigma.NewDraft, threesigma.Window{Width: 10, Slots: 7})
	c := drawCase(t, rand.New(rand.NewPCG(5, 1)), 3)
	if n := testing.AllocsPerRun(100, func() { c.tell(t, d) }); n > 0 {
		t.Errorf("%v allocations a cycle", n)
	}
}
