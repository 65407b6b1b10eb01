package hopper

import (
	"encoding/binary"
	"math"
	"testing"
)

// A script makes numbers of a fuzzer's bytes: mostly some that are at the edges of what is allowed.
type script []byte

func (s *script) byte() byte {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return b
}

func (s *script) number(of []float64) float64 {
	b := int(s.byte())
	if b < 256-16 || len(*s) < 8 {
		return of[b%len(of)]
	}
	x := math.Float64frombits(binary.LittleEndian.Uint64(*s))
	*s = (*s)[8:]
	return x
}

var (
	manySizes = []float64{0, 1, 2, 3, 10, 1000, 0.1, 0.75, 1e15, 1e15 - 1, 1e-9, few, 3 * few, 1e9 + 0.1}
	manyTails = []float64{1.5, 1.2, 1.0001, 2, 2.5, 4, math.Nextafter(1, 2), math.Nextafter(2, 3), 1e15, light}
)

func (s *script) demand() Demand {
	return Demand{Tasks: s.number(manySizes), Tail: s.number(manyTails), Weight: s.number(manySizes), Downstream: s.number(manySizes)}
}

// FuzzAllocate holds Allocate and EpsilonFair to their sums, and Allocate to no slot being worth more with another job.
func FuzzAllocate(f *testing.F) {
	f.Add(100.0, 0.1, []byte{})
	f.Add(100.0, 0.1, []byte{1, 0, 1, 0, 2, 1, 3, 0, 4, 2, 1, 0})
	f.Add(1e15, 1.0, []byte{12, 9, 12, 0, 8, 6, 8, 0})
	f.Add(0.0, 0.0, []byte{5, 3, 4, 0, 6, 4, 4, 1, 7, 5, 0, 0})
	f.Fuzz(func(t *testing.T, slots, epsilon float64, data []byte) {
		s := script(data)
		var jobs []Demand
		for len(s) > 0 && len(jobs) < 100 {
			jobs = append(jobs, s.demand())
		}
		shares, err := EpsilonFair(nil, slots, epsilon, jobs)
		if err != nil {
			return
		}
		checkShares(t, slots, jobs, shares)
		if shares, err = Allocate(shares[:0], slots, jobs); err != nil {
			t.Fatal(err)
		}
		checkShares(t, slots, jobs, shares)
		checkNoneGains(t, jobs, shares)
	})
}

// checkNoneGains looks for two jobs of which one would gain more by some slots than the other would lose.
func checkNoneGains(t *testing.T, jobs []Demand, shares []float64) {
	t.Helper()
	weighted := anyWeight(jobs)
	rate := func(i int, slots float64) float64 {
		return jobs[i].weight(weighted) * Rate(slots, jobs[i].Tasks, jobs[i].Tail)
	}
	all := 0.0
	for i := range jobs {
		all += rate(i, shares[i])
	}
	for i := range jobs {
		for k := range jobs {
			if jobs[i].Tasks == 0 || jobs[k].Tasks == 0 || i == k {
				continue
			}
			moved := shares[i] / 16
			gain := rate(k, shares[k]+moved) - rate(k, shares[k])
			loss := rate(i, shares[i]) - rate(i, shares[i]-moved)
			if gain > loss+1e-9*all {
				t.Fatalf("%v slots of %+v (%v) gain %v with %+v (%v), and lose %v", moved, jobs[i], shares[i], gain, jobs[k], shares[k], loss)
			}
		}
	}
}
