package plan

import (
	"encoding/binary"
	"math"
	"testing"
)

// A script makes a problem of a fuzzer's bytes, with numbers at the edges of what is allowed, and some beyond.
type script []byte

func (s *script) below(n int) int {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return int(b) % n
}

func (s *script) number(of ...float64) float64 {
	i := s.below(len(of) + 1)
	if i < len(of) {
		return of[i]
	}
	if len(*s) < 8 {
		return 0
	}
	x := math.Float64frombits(binary.LittleEndian.Uint64(*s))
	*s = (*s)[8:]
	return x
}

func (s *script) problem() *Problem {
	pools, slots := s.below(4), s.below(5)
	p := &Problem{Capacity: make([][]float64, pools)}
	for i := range p.Capacity {
		p.Capacity[i] = make([]float64, slots)
		for t := range p.Capacity[i] {
			p.Capacity[i][t] = s.number(4, 0, 1, 2.5, 7, 1e-9, 1e15, math.SmallestNonzeroFloat64, MaxNodes)
		}
	}
	p.Jobs = make([]Job, s.below(6))
	for j := range p.Jobs {
		job := &p.Jobs[j]
		for range s.below(3) {
			profile := make([]float64, s.below(6))
			last := 1.0
			for t := range profile {
				last *= s.number(1, 1, 0.5, 0.9, 0, 1e-300)
				profile[t] = last
			}
			job.Profiles = append(job.Profiles, profile)
		}
		for range s.below(3) {
			var place Place
			for pool := range pools {
				if s.below(2) > 0 {
					place = append(place, Share{int32(pool), s.number(1, 2, 3, 0, 0.5, 1e15, math.SmallestNonzeroFloat64, MaxNodes)})
				}
			}
			job.Places = append(job.Places, place)
		}
		for range s.below(5) {
			job.Options = append(job.Options, Option{
				Utility: s.number(1, 2, 3, 10, 0, -1, 1e-9, 1e12, math.SmallestNonzeroFloat64, MaxUtility, -MaxUtility),
				Place:   int32(s.below(max(1, len(job.Places)))), Start: int32(s.below(max(1, slots))), Profile: int32(s.below(max(1, len(job.Profiles)))),
			})
		}
	}
	return p
}

// FuzzSolvers holds the solvers to what brute force finds, or to an error that all have.
func FuzzSolvers(f *testing.F) {
	f.Add([]byte{}, uint64(1))
	f.Add([]byte{1, 2, 0, 1, 2, 1, 1, 0, 1, 1, 1, 0, 3, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 2, 2, 0, 1, 0}, uint64(2))
	f.Add([]byte{2, 3, 8, 8, 8, 8, 8, 8, 3, 1, 2, 0, 0, 1, 1, 7, 1, 7, 2, 9, 0, 0, 9, 0, 1, 1, 1, 0, 1, 1, 6, 0, 2, 10, 0, 0, 8}, uint64(3))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		s := script(data)
		p := s.problem()
		config := SolveConfig{Iterations: 1 + s.below(200), Seed: seed}
		for range s.below(7) {
			config.Start = append(config.Start, s.below(6)-1)
		}
		wrong := p.Validate()
		want, greatest := math.NaN(), 0.0
		if wrong == nil {
			want = milp(p)
		}
		for j := range p.Jobs {
			for _, o := range p.Jobs[j].Options {
				greatest = max(greatest, o.Utility)
			}
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-7*greatest || a == b }
		for name, solver := range solvers {
			s, err := solver.Solve(t.Context(), p, config)
			if (err == nil) != (wrong == nil) {
				t.Fatalf("%s: error %v, want %v", name, err, wrong)
			}
			if err != nil {
				continue
			}
			if err := judge(p, s); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if s.Objective > want && !near(s.Objective, want) || s.Bound < want && !near(s.Bound, want) ||
				s.Proved && !near(s.Objective, want) {
				t.Fatalf("%s: %v, bound %v, proved %v, want %v", name, s.Objective, s.Bound, s.Proved, want)
			}
		}
	})
}
