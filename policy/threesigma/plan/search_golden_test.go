package plan

import (
	"hash/fnv"
	"math/rand/v2"
	"testing"
)

// plain returns a problem of so many jobs, made without functions that differ between processors.
func plain(jobs int) *Problem {
	rng := rand.New(rand.NewPCG(1, 11))
	const slots = 20
	p := &Problem{Capacity: make([][]float64, 4), Jobs: make([]Job, jobs)}
	for i := range p.Capacity {
		p.Capacity[i] = make([]float64, slots)
		for t := range slots {
			p.Capacity[i][t] = float64(20+t) * float64(jobs) / 80
		}
	}
	for j := range p.Jobs {
		job := &p.Jobs[j]
		profile, x := make([]float64, 15), 1.0
		ends := 0.5 + 0.5*rng.Float64()
		for t := range profile {
			profile[t] = x
			x *= ends
		}
		job.Profiles = [][]float64{profile}
		nodes, worth := float64(1+rng.IntN(16)), 1+9*rng.Float64()
		for i := range p.Capacity {
			job.Places = append(job.Places, at(nodes, i))
			for start := range slots {
				job.Options = append(job.Options, Option{
					Utility: worth * (1 - float64(start)/slots),
					Place:   int32(i),
					Start:   int32(start),
				})
			}
		}
	}
	return p
}

// plainSets returns a problem made as plain's, whose gangs may be spread over sets of partitions,
// beside one that runs.
func plainSets(jobs int) *Problem {
	p := plain(jobs)
	for j := range p.Jobs {
		job := &p.Jobs[j]
		nodes := job.Places[0][0].Nodes
		for i := range job.Places {
			job.Places[i] = without(i, 3*nodes)
		}
	}
	p.Jobs = append(p.Jobs, Job{
		Profiles: [][]float64{{1, 0.75, 0.5}},
		Places:   []Place{holding([4]float64{1, 2, 0, 3})},
		Options:  []Option{{Utility: 3}},
	})
	p.Capacity = pooled(p.Capacity)
	return p
}

// The same on every processor, to the last bit. A change of the algorithm changes the numbers; a
// change that should not, must not.
func TestSearchGolden(t *testing.T) {
	for _, c := range []struct {
		sets             bool
		jobs, iterations int
		proved           bool
		objective, bound float64
		choice           uint64
	}{
		{false, 80, 4000, false, 317.54575467322184, 334.2047847664293, 0xd21786735a358a90},
		{false, 12, 10000, true, 19.43851237233243, 19.43851237233243, 0x6d9af71416ef8515},
		{true, 80, 4000, false, 192.6376390291261, 197.00445510560226, 0x431ea8fd77345b2a},
		{true, 8, 10000, true, 8.877180436240652, 8.877180436240652, 0xaf7c326d61df69ad},
	} {
		p := plain(c.jobs)
		if c.sets {
			p = plainSets(c.jobs)
		}
		s, err := Search{}.Solve(t.Context(), p, SolveConfig{Iterations: c.iterations, Seed: 5})
		if err != nil || judge(p, s) != nil {
			t.Fatal(err, judge(p, s))
		}
		h := fnv.New64a()
		for _, o := range s.Choice {
			h.Write([]byte{byte(o), byte(o >> 8)})
		}
		if s.Objective != c.objective || s.Bound != c.bound || h.Sum64() != c.choice || s.Proved != c.proved {
			t.Errorf("%d jobs, sets %v: %v, %v, %#x, proved %v, want %v, %v, %#x", c.jobs, c.sets, s.Objective, s.Bound, h.Sum64(), s.Proved, c.objective, c.bound, c.choice)
		}
	}
}
