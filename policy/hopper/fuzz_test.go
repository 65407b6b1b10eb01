package hopper

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"example.com/augur/policy"
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

// FuzzAllocate holds Allocate and AllocateWhole to their sums and floors, and to no slot being worth more with another
// job; and EpsilonFair to a Pool of the same jobs.
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
		pooled, perr := pooledShares(slots, epsilon, jobs)
		for i := range jobs {
			if d := jobs[i].Downstream; !(d >= 0 && d <= most) {
				return // which a Pool does not read
			}
		}
		if (err == nil) != (perr == nil) {
			t.Fatalf("EpsilonFair has error %v, and a Pool %v", err, perr)
		}
		if err != nil {
			return
		}
		checkShares(t, slots, jobs, shares)
		checkShares(t, slots, jobs, pooled)
		if shares, err = Allocate(shares[:0], slots, jobs); err != nil {
			t.Fatal(err)
		}
		checkShares(t, slots, jobs, shares)
		checkNoneGains(t, jobs, shares)
		if slots > math.MaxInt32 {
			return
		}
		for i := range jobs {
			jobs[i].Floor = (1 - epsilon) * math.Floor(slots) / float64(len(jobs)+i%3)
		}
		whole, err := AllocateWhole(nil, int(slots), jobs)
		if err != nil {
			t.Fatal(err)
		}
		checkWhole(t, int(slots), jobs, whole)
	})
}

// checkWhole looks for a slot that is missing, and for one that is worth more with another job.
func checkWhole(t *testing.T, slots int, jobs []Demand, whole []int) {
	t.Helper()
	if err := keepsFloors(jobs, whole); err != nil {
		t.Fatalf("%d slots, %+v: got %v: %v", slots, jobs, whole, err)
	}
	given, weighted := 0, anyWeight(jobs)
	for i, d := range jobs {
		if given += whole[i]; d.Tasks == 0 && whole[i] > 0 {
			t.Fatalf("%d slots for %+v", whole[i], d)
		}
		for k, other := range jobs {
			if i == k || whole[i] == 0 || other.Tasks == 0 {
				continue
			}
			loss := -d.turn(i, whole[i]-1, weighted).key
			if gain := -other.turn(k, whole[k], weighted).key; gain > loss*(1+1e-6) {
				whole[i], whole[k] = whole[i]-1, whole[k]+1
				if keepsFloors(jobs, whole) == nil {
					t.Fatalf("one slot more for %+v, which has %d now, gains %v, and one less for %+v, which has %d, loses %v",
						other, whole[k], gain, d, whole[i], loss)
				}
				whole[i], whole[k] = whole[i]+1, whole[k]-1
			}
		}
	}
	if want := slots; slices.ContainsFunc(jobs, func(d Demand) bool { return d.Tasks > 0 }) && given != want {
		t.Fatalf("%d slots are given away, of %d", given, want)
	}
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

// FuzzPool holds a Pool to EpsilonFair and to the order of turns as jobs come and go.
func FuzzPool(f *testing.F) {
	f.Add([]byte{0, 1, 1, 0, 1, 0, 0, 2, 2, 1, 1, 0, 2, 1, 0, 1, 2, 2, 1, 1, 3, 1, 4, 1})
	f.Add([]byte{0, 1, 8, 6, 8, 0, 0, 2, 12, 9, 12, 0, 4, 8, 0, 2, 13, 3, 3, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := script(data)
		slots := s.number(manySizes)
		epsilon := s.number([]float64{0.1, 0, 1, 0.5})
		p, err := NewPool(PoolConfig{Slots: slots, Epsilon: epsilon})
		if err != nil {
			return
		}
		jobs := map[policy.JobID]wanting{}
		for len(s) > 0 && len(jobs) < 200 {
			kind := s.byte()
			id := policy.JobID(s.byte() % 64)
			if id > 60 {
				id += 1 << 18 // tables are as long as the largest ID
			}
			j, there := jobs[id]
			switch kind % 5 {
			case 0, 1:
				j.d = s.demand()
				j.d.Downstream = 0
				if p.Set(id, j.d) == nil {
					jobs[id] = j
				}
			case 2:
				j.used, j.wants = s.number(manySizes), s.byte()%4 > 0
				if p.Use(id, j.used, j.wants) == nil {
					jobs[id] = j
				} else if there && j.used >= 0 && j.used <= most {
					t.Fatalf("Use(%d, %v) is refused", id, j.used)
				}
			case 3:
				if p.Remove(id) != there {
					t.Fatalf("Remove(%d) is %v", id, !there)
				}
				delete(jobs, id)
			case 4:
				if x := s.number(manySizes); p.SetSlots(x) == nil {
					slots = x
				}
			}
			if kind >= 128 {
				checkPool(t, p, slots, epsilon, jobs)
			}
		}
		checkPool(t, p, slots, epsilon, jobs)
	})
}

func checkPool(t *testing.T, p *Pool, slots, epsilon float64, jobs map[policy.JobID]wanting) {
	t.Helper()
	demands := map[policy.JobID]Demand{}
	for id, j := range jobs {
		demands[id] = j.d
	}
	for id, want := range inBatch(t, slots, epsilon, demands) {
		if got, ok := p.Share(id); !ok || !(math.Abs(got-want) <= 1e-9*slots) {
			t.Fatalf("the share of %d is %v, want %v of %v (epsilon %v): %+v", id, got, want, slots, epsilon, jobs)
		}
	}
	for _, short := range []float64{1 - 1e-9, 1e-9, math.Inf(-1)} {
		want := turns(p, jobs, short)
		i := 0
		for got := range p.Waiting(short) {
			if i == len(want) || got != want[i] {
				t.Fatalf("with %v the %dth whose turn it is is %d, want one of %v", short, i, got, want)
			}
			i++
		}
		if i != len(want) {
			t.Fatalf("with %v it is the turn of %d, want %d", short, i, len(want))
		}
		if id, ok := p.Next(short); ok != (len(want) > 0) || ok && id != want[0] {
			t.Fatalf("Next(%v) is %d, %v, want one of %v", short, id, ok, want)
		}
	}
}
