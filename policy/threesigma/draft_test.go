package threesigma

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/histogram"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma/plan"
)

// draftCase is what a draft is told in one cycle.
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
	runtime Distribution
	elapsed float64
}

type offered struct {
	u     Utility
	sites []site
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
	runtime := func() Distribution {
		switch rng.IntN(4) {
		case 0:
			return nil
		case 1:
			return forecast.Known(float64(rng.IntN(200)))
		}
		h, err := histogram.New(histogram.Config{})
		if err != nil {
			t.Fatal(err)
		}
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
			r, err := new(Increments).After(o.runtime, o.elapsed, 10)
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
			o.u, err = step(rng.Float64(), c.now+float64(rng.IntN(300)-20))
		case 1:
			o.u, err = NewUtility(Point{c.now - 100, rng.Float64()}, Point{c.now + float64(1+rng.IntN(900)), 0})
		case 2: // one that rises again
			o.u, err = NewUtility(Point{c.now, -1}, Point{c.now + 150, 2})
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + rng.IntN(3) {
			o.sites = append(o.sites, site{place(), float64(1+rng.IntN(3)) / 2, runtime()})
		}
		c.offers = append(c.offers, o)
	}
	return c
}

// slow is what the draft should make of a case, from the formulae alone.
func (c *draftCase) slow(w Window) *plan.Problem {
	p := new(plan.Problem)
	share := func(d Distribution, after, elapsed float64) float64 {
		if d == nil || after == 0 {
			return 1
		}
		return 1 - d.CDF(elapsed+after)
	}
	for k, n := range c.nodes {
		var slots []float64
		for t := range w.Slots {
			left := n
			for _, o := range c.occupied {
				for _, s := range o.place {
					if int(s.Pool) == k {
						left = math.Max(0, left-s.Nodes*share(o.runtime, w.Width*float64(t), o.elapsed))
					}
				}
			}
			slots = append(slots, left)
		}
		p.Capacity = append(p.Capacity, slots)
	}
	profile := func(d Distribution, elapsed float64) []float64 {
		var x []float64
		for t := range w.Slots {
			if s := share(d, w.Width*float64(t), elapsed); s > 0 {
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
			j.Profiles = append(j.Profiles, profile(site.runtime, 0))
			j.Places = append(j.Places, site.place)
			for t := range w.Slots {
				value := 0.0
				switch start := c.now + w.Width*float64(t); {
				case site.runtime != nil:
					value = site.worth * o.u.Expected(site.runtime, start)
					value *= 1 + 1e-6*float64(w.Slots-t)/float64(w.Slots) // the sooner the better
				case t == 0:
					value = site.worth * o.u.At(start)
				}
				if value > 0 {
					j.Options = append(j.Options, plan.Option{Utility: value, Place: int32(i), Start: int32(t), Profile: int32(len(j.Profiles) - 1)})
				}
			}
		}
		p.Jobs = append(p.Jobs, j)
	}
	return p
}

// tell tells a draft of a case.
func (c *draftCase) tell(t testing.TB, d *draft) {
	t.Helper()
	d.begin(c.now, c.nodes)
	for _, o := range c.occupied {
		if err := d.occupy(o.place, o.runtime, o.elapsed); err != nil {
			t.Fatal(err)
		}
	}
	var none histogram.Histogram // an error leaves no trace
	_, held := d.hold(1, nil, &none, 0)
	_, offered := d.offer(Utility{}, []site{{runtime: forecast.Known(1)}, {runtime: &none}})
	for i, err := range []error{d.occupy(nil, &none, 0), held, offered} {
		if err == nil {
			t.Errorf("call %d with a distribution without values is no error", i)
		}
	}
	for i, o := range c.held {
		if job, err := d.hold(o.value, o.place, o.runtime, o.elapsed); err != nil || job != i {
			t.Fatalf("job %d: %d, %v", i, job, err)
		}
	}
	for i, o := range c.offers {
		if job, err := d.offer(o.u, o.sites); err != nil || job != len(c.held)+i {
			t.Fatalf("offer %d: %d, %v", i, job, err)
		}
	}
}

// A draft makes of each cycle what the formulae say, whatever was in those before.
func TestDraft(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	w := Window{Width: 10, Slots: 7}
	d := newDraft(w)
	rng := rand.New(rand.NewPCG(1, 1))
	approx := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) })
	empty := cmp.Transformer("empty", func(o []plan.Option) []plan.Option { return append([]plan.Option{}, o...) })
	places := cmp.Transformer("none", func(p plan.Place) plan.Place { return append(plan.Place{}, p...) })
	for round := range 500 {
		c := drawCase(t, rng, 1+rng.IntN(4))
		c.tell(t, &d)
		p := &d.problem
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
