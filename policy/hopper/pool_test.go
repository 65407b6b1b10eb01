package hopper

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

func newPool(tb testing.TB, slots, epsilon float64) *Pool {
	tb.Helper()
	p, err := NewPool(PoolConfig{Slots: slots, Epsilon: epsilon})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// inBatch returns the shares of jobs, by ID, as EpsilonFair has them.
func inBatch(t *testing.T, slots, epsilon float64, jobs map[policy.JobID]Demand) map[policy.JobID]float64 {
	t.Helper()
	ids := slices.Sorted(maps.Keys(jobs))
	demands := make([]Demand, len(ids))
	for i, id := range ids {
		demands[i] = jobs[id]
	}
	shares, err := EpsilonFair(nil, slots, epsilon, demands)
	if err != nil {
		t.Fatal(err)
	}
	by := map[policy.JobID]float64{}
	for i, id := range ids {
		by[id] = shares[i]
	}
	return by
}

func TestPoolIsEpsilonFairAtEveryStep(t *testing.T) {
	tails := []float64{1.0001, 1.2, 1.5, 1.9999, 2, 2.5, 4}
	weights := []float64{1, 0, 4, 0.3}
	steps, worst := 0, 0.0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(4, seed))
		classes := 1 + int(seed%6)
		epsilon := float64(r.IntN(5)) / 4
		slots := float64(r.IntN(200))
		p := newPool(t, slots, epsilon)
		jobs := map[policy.JobID]Demand{}
		offset := r.IntN(len(tails))
		ids, every := 40, 1
		if seed%10 == 9 { // in many blocks
			ids, every = 3000, 250
			slots *= 100
			if err := p.SetSlots(slots); err != nil {
				t.Fatal(err)
			}
		}
		for step := range 150 * every {
			id := policy.JobID(1 + r.IntN(ids))
			class := r.IntN(classes)
			d := Demand{Tasks: float64(r.IntN(12)), Tail: tails[(offset+class)%len(tails)], Weight: weights[class%len(weights)]}
			if r.IntN(4) == 0 {
				d.Tasks += r.Float64()
			}
			switch before, there := jobs[id]; {
			case r.IntN(20) == 0:
				slots = float64(r.IntN(5 * ids))
				if err := p.SetSlots(slots); err != nil {
					t.Fatal(err)
				}
			case there && r.IntN(3) == 0:
				delete(jobs, id)
				if !p.Remove(id) {
					t.Fatalf("seed %d, step %d: job %d is not there", seed, step, id)
				}
			case there && before.Tasks >= 1 && r.IntN(3) > 0: // a task ends
				before.Tasks--
				d = before
				fallthrough
			default:
				jobs[id] = d
				if err := p.Set(id, d); err != nil {
					t.Fatal(err)
				}
			}
			if p.jobs.Len() != len(jobs) {
				t.Fatalf("got %d jobs, want %d", p.jobs.Len(), len(jobs))
			}
			if _, ok := p.Share(id); ok != (jobs[id].Tail > 0) {
				t.Fatalf("job %d is there: %v", id, ok)
			}
			if step%every > 0 {
				continue
			}
			steps++
			for id, want := range inBatch(t, slots, epsilon, jobs) {
				got, ok := p.Share(id)
				worst = max(worst, math.Abs(got-want)/max(slots, 1))
				if !ok || !(math.Abs(got-want) <= 1e-9*slots) {
					if ids > 100 {
						t.Fatalf("seed %d, step %d: job %d has %v, want %v", seed, step, id, got, want)
					}
					t.Fatalf("seed %d, step %d: %v slots, epsilon %v, %v: job %d has %v, want %v", seed, step, slots, epsilon, jobs, id, got, want)
				}
			}
		}
	}
	t.Logf("%d steps, the largest difference is %.2g of the slots", steps, worst)
}

func TestPoolForgetsWhatHasBeen(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 100))
	demand := func() Demand {
		return Demand{Tasks: 20 * r.Float64(), Tail: 1.2 + 0.4*float64(r.IntN(3)), Weight: 1 + float64(r.IntN(2))}
	}
	old, fresh := newPool(t, 7, 1), newPool(t, 900, 0.5)
	last := map[policy.JobID]Demand{}
	for range 2000 {
		id := policy.JobID(1 + r.IntN(100))
		if d := demand(); r.IntN(3) > 0 {
			last[id] = d
			if err := old.Set(id, d); err != nil {
				t.Fatal(err)
			}
		} else {
			delete(last, id)
			old.Remove(id)
		}
		if _, ok := old.Share(id); ok != (last[id].Tasks > 0) {
			t.Fatalf("job %d is there: %v", id, ok)
		}
	}
	old.epsilon = 0.5
	if err := old.SetSlots(900); err != nil {
		t.Fatal(err)
	}
	ids := slices.Collect(maps.Keys(last))
	for _, id := range ids { // in any order
		if err := fresh.Set(id, last[id]); err != nil {
			t.Fatal(err)
		}
	}
	differ := 0
	for _, id := range ids {
		got, _ := old.Share(id)
		want, _ := fresh.Share(id)
		if got != want {
			differ++
		}
		if !(math.Abs(got-want) <= 1e-12*900) {
			t.Errorf("job %d: %v, want %v", id, got, want)
		}
	}
	t.Logf("%d of %d shares differ in bits", differ, len(ids))
}

// The same calls give the same answers, bit for bit.
func TestPoolRepeats(t *testing.T) {
	run := func() (answers []float64) {
		r := rand.New(rand.NewPCG(4, 200))
		p := newPool(t, 300, 0.1)
		for range 3000 {
			id := policy.JobID(r.IntN(60))
			if r.IntN(10) == 0 {
				p.Remove(id)
				continue
			}
			d := Demand{Tasks: 20 * r.Float64(), Tail: 1.2 + 0.4*float64(r.IntN(3)), Weight: 1 + float64(r.IntN(2))}
			if err := p.Set(id, d); err != nil {
				t.Fatal(err)
			}
			if err := p.Use(id, float64(r.IntN(9)), r.IntN(2) == 0); err != nil {
				t.Fatal(err)
			}
			share, _ := p.Share(id)
			next, ok := p.Next(1e-9)
			answers = append(answers, share, float64(next), float64(p.wants))
			if !ok {
				answers = append(answers, -1)
			}
		}
		return answers
	}
	if first, second := run(), run(); !slices.Equal(first, second) {
		t.Error("two pools that were told the same differ")
	}
}

func TestPoolAtItsEdges(t *testing.T) {
	for _, c := range []PoolConfig{{-1, 0}, {math.NaN(), 0}, {math.Inf(1), 0}, {1, -0.1}, {1, 1.1}, {1, math.NaN()}} {
		if _, err := NewPool(c); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
	p := newPool(t, 6, 1)
	if x, ok := p.Share(1); ok {
		t.Errorf("empty: got %v", x)
	}
	if p.Remove(1) {
		t.Error("removed a job that is not there")
	}
	for id, tasks := range []float64{4, 6, 0} {
		if err := p.Set(policy.JobID(id), Demand{Tasks: tasks, Tail: 1.6, Weight: 1}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(what string, want ...float64) {
		t.Helper()
		for id, x := range want {
			if got, ok := p.Share(policy.JobID(id)); !ok || math.Abs(got-x) > 1e-12 {
				t.Errorf("%s: job %d has %v, %v, want %v", what, id, got, ok, x)
			}
		}
	}
	check("section 2.3", 5, 1, 0)
	for _, d := range []Demand{{Tasks: -1, Tail: 1.6}, {Tasks: math.NaN(), Tail: 1.6}, {Tasks: 1, Tail: 1},
		{Tasks: 1}, {Tasks: 1, Tail: math.Inf(1)}, {Tasks: 1, Tail: 1.6, Weight: -1}, {Tasks: 1, Tail: 1.6, Weight: math.NaN()}} {
		if err := p.Set(0, d); err == nil {
			t.Errorf("%+v: no error", d)
		}
		if err := p.Set(9, d); err == nil {
			t.Errorf("%+v: no error", d)
		}
	}
	for _, slots := range []float64{-1, math.NaN(), math.Inf(1)} {
		if err := p.SetSlots(slots); err == nil {
			t.Errorf("%v slots: no error", slots)
		}
	}
	check("after errors", 5, 1, 0)
	if p.jobs.Len() != 3 {
		t.Errorf("got %d jobs, want 3", p.jobs.Len())
	}
	if err := p.SetSlots(0); err != nil {
		t.Error(err)
	}
	check("no slots", 0, 0, 0)
}

// Newton's method takes few steps, also where the sizes of jobs are far apart.
func TestPoolTakesFewSteps(t *testing.T) {
	most := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(4, seed))
		p := newPool(t, 1e6, 0.02*float64(seed%10))
		for id := range policy.JobID(2000) {
			d := Demand{Tasks: math.Exp(float64(seed/8) * r.NormFloat64()), Tail: 1.2 + 0.1*float64(r.IntN(5)), Weight: 1}
			if err := p.Set(id, d); err != nil {
				t.Fatal(err)
			}
		}
		p.solve()
		most = max(most, p.steps)
	}
	if most > 20 {
		t.Errorf("%d steps, want at most 20", most)
	}
	t.Logf("at most %d steps", most)
}

func TestPoolAllocatesNothing(t *testing.T) {
	p := newPool(t, 300, 0.1)
	jobs := benchJobs(100, 8)
	for id, d := range jobs {
		if err := p.Set(policy.JobID(id), d); err != nil {
			t.Fatal(err)
		}
	}
	id := 0
	if n := testing.AllocsPerRun(1000, func() {
		id = (id + 37) % len(jobs)
		d := &jobs[id]
		if d.Tasks--; d.Tasks <= 0 {
			d.Tasks = 20
		}
		if err := p.Set(policy.JobID(id), *d); err != nil {
			t.Fatal(err)
		}
		if _, ok := p.Share(policy.JobID(id)); !ok {
			t.Fatal("job is not there")
		}
	}); n != 0 {
		t.Errorf("%v allocations for each task that ends, want none", n)
	}
}
