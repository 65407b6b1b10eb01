package hopper

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// walkLine does to a line what choose says, which returns a number from 0 to n-1, and holds it to EpsilonFair and to a
// look at all jobs. The jobs have IDs from 1.
func walkLine(t *testing.T, steps int, choose func(n int) int) (tight, loose int) {
	sizes := []float64{0, 1, 2, 3, 7, 7, 12, 100, 0.5}
	tails := []float64{1.6, 1.2, 2.5, 1.6}[:1+choose(4)]
	weights := []float64{1, 1, 4, 2}[:1+choose(4)]
	epsilon := float64(choose(5)) / 4
	l := line{water: water{epsilon: epsilon}}
	var demands []Demand
	var seats []*seat
	for range steps {
		k := -1
		if len(seats) > 0 {
			k = choose(len(seats))
		}
		switch what := choose(10); {
		case what == 0:
			l.slots, l.known = float64(choose(4))*float64(choose(40))*float64(1+9*choose(2)), false
		case what < 4 || k < 0:
			demands, seats = append(demands, Demand{}), append(seats, new(seat))
			k = len(seats) - 1
			fallthrough
		default:
			d := &demands[k]
			if what == 4 {
				d.Tasks = 0 // it has ended
			} else if choose(2) > 0 {
				*d = Demand{Tasks: sizes[choose(len(sizes))], Tail: tails[choose(len(tails))], Weight: weights[choose(len(weights))], Downstream: sizes[choose(len(sizes))]}
			}
			is := seat{used: math.Inf(1)}
			if d.Tasks > 0 {
				is = d.seat(policy.JobID(k + 1))
				if is.used = float64(choose(20)); choose(3) == 0 {
					is.used = math.Inf(1)
				}
			}
			l.put(seats[k], is)
		}
		for i := range demands {
			demands[i].Tail = max(demands[i].Tail, 1.1) // of no tasks
		}
		want, err := EpsilonFair(nil, l.slots, epsilon, demands)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range seats {
			if got := l.of(s); !(math.Abs(got-want[i]) <= 1e-9*max(1, l.slots)) {
				t.Fatalf("%v slots, epsilon %v, %+v: job %d has %v, want %v", l.slots, epsilon, demands, i+1, got, want[i])
			}
		}
		if l.edge < len(l.seats) {
			tight++
		} else {
			loose++
		}
		wants := 0
		for _, who := range []among{short, waits} {
			var all []*seat
			wants = 0
			for _, s := range seats {
				if s.pays > 0 && !math.IsInf(s.used, 1) {
					wants++
					if who == waits || l.of(s)-s.used >= 1e-9 {
						all = append(all, s)
					}
				}
			}
			slices.SortFunc(all, byTasks)
			ids := each(all, func(s *seat) policy.JobID { return s.id })
			if got := slices.Collect(l.all(who)); !slices.Equal(got, ids) {
				t.Fatalf("of those %d: got %v, want %v, of %+v", who, got, ids, demands)
			}
		}
		if l.wants != wants {
			t.Fatalf("%d jobs want a slot, want %d", l.wants, wants)
		}
	}
	return tight, loose
}

func each(seats []*seat, of func(s *seat) policy.JobID) (ids []policy.JobID) {
	for _, s := range seats {
		ids = append(ids, of(s))
	}
	return ids
}

func TestLineIsEpsilonFairAtEveryStep(t *testing.T) {
	tight, loose := 0, 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(4, seed))
		a, b := walkLine(t, 100, r.IntN)
		tight, loose = tight+a, loose+b
	}
	if tight < 1000 || loose < 1000 {
		t.Errorf("%d times slots were few and %d times many, want 1000 of each", tight, loose)
	}
}

func FuzzLine(f *testing.F) {
	f.Add([]byte{3, 0, 2, 5, 0, 1, 6, 0, 4, 1, 0, 0, 2, 200, 8, 0, 3, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		walkLine(t, len(data)/3, func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return int(b) * n / 256
		})
	})
}
