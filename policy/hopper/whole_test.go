package hopper

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestAllocateWhole(t *testing.T) {
	weights := func(jobs []Demand, weights ...float64) []Demand {
		for i := range weights {
			jobs[i].Weight = weights[i]
		}
		return jobs
	}
	floors := func(jobs []Demand, floors ...float64) []Demand {
		for i := range floors {
			jobs[i].Floor = floors[i]
		}
		return jobs
	}
	few, many := Demand{Tasks: 1, Tail: 2.5, Weight: 1}, Demand{Tasks: 9, Tail: 1.2, Weight: 1} // to which a slot is worth more
	for _, test := range []struct {
		name  string
		slots int
		jobs  []Demand
		want  []int
	}{
		{"no jobs", 9, nil, nil},
		{"no tasks", 9, jobsOf(1.6, 0, 0), []int{0, 0}},
		{"no slots", 0, jobsOf(1.6, 4, 6), []int{0, 0}},
		{"section 2.3", 6, jobsOf(1.6, 4, 6), []int{5, 1}},
		// Shares are 5/3 and 1/3; rates 1.8 and 1.8 against 3.5 and 0.
		{"what a part of a slot is worth", 2, jobsOf(1.2, 1, 1), []int{1, 1}},
		// Shares are 1.12, 1.41 and 3.47.
		{"less than a share rounded down", 6, weights(jobsOf(1.999, 5, 1, 2), 0.5, 1, 1.5), []int{0, 2, 4}},
		{"fewest tasks first", 3, jobsOf(2, 5, 4), []int{0, 3}},
		{"ties to the earlier", 3, jobsOf(2, 2, 2), []int{2, 1}},
		{"a job done", 20, jobsOf(1.6, 0, 6), []int{0, 20}},
		{"weights", 3, weights(jobsOf(1.6, 4, 6), 1, 2), []int{0, 3}},
		{"weight 0", 5, weights(jobsOf(1.6, 4, 6), 0, 1), []int{0, 5}},
		{"all weights 0", 20, weights(jobsOf(1.6, 4, 6), 0, 0), []int{8, 12}},
		{"floors", 6, floors(jobsOf(1.6, 4, 6), 0, 3), []int{3, 3}},
		{"floor of weight 0", 6, floors(weights(jobsOf(1.6, 4, 6), 0, 1), 2), []int{2, 4}},
		{"floor of a job done", 6, floors(jobsOf(1.6, 0, 6), 2), []int{0, 6}},
		{"both floors rounded up", 6, floors(jobsOf(1.6, 4, 6), 2.7, 2.7), []int{3, 3}},
		{"floors for one more", 3, floors(jobsOf(1.6, 4, 6, 8), 0, 0.5, 0.5), []int{2, 1, 0}},
		{"more floors than slots", 2, floors(jobsOf(1.6, 8, 6, 4), 0.6, 0.6, 0.6), []int{0, 1, 1}},
		{"floors that rounding has made a bit less", 6, floors(jobsOf(1.6, 4, 6), math.Nextafter(3, 0), math.Nextafter(3, 0)), []int{3, 3}},
		{"floors that rounding has made a bit more", 6, floors(jobsOf(1.6, 4, 6), math.Nextafter(3, 4), math.Nextafter(3, 4)), []int{3, 3}},
		{"a floor that rounding has made a bit less", 2, floors([]Demand{few, many, many}, math.Nextafter(1, 0), 0.5, 0.5), []int{1, 1, 0}},
		{"a floor that rounding has made a bit more", 4, floors([]Demand{many, few}, math.Nextafter(3, 4), 0.5), []int{3, 1}},
		{"a large floor and a part of one", 2_000_000_000, floors(jobsOf(1.6, 1e10, 0.001), 1_999_999_000, 0.5), []int{1_999_999_999, 1}},
		{"a large floor that is not whole", 2_000_000_000, floors(jobsOf(1.6, 1e10, 0.001), 0, 1_500_000_000.6), []int{499_999_999, 1_500_000_001}},
		{"a sum of floors that is not whole", 2_000_000_000, floors(jobsOf(1.6, 1e10, 0.001, 0.001), 0, 1_500_000_000.4, 0.4), []int{499_999_999, 1_500_000_000, 1}},
		{"all there are", math.MaxInt32, jobsOf(1.6, 1), []int{math.MaxInt32}},
	} {
		got, err := AllocateWhole(nil, test.slots, test.jobs)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, %v, want %v", test.name, got, err, test.want)
		}
	}
	if got, err := AllocateWhole([]int{7}, 6, jobsOf(1.6, 4, 6)); err != nil || !slices.Equal(got, []int{7, 5, 1}) {
		t.Errorf("behind others: got %v, %v, want [7 5 1]", got, err)
	}
}

func TestAllocateWholeErrors(t *testing.T) {
	whole, part := jobsOf(1.6, 4, 6), jobsOf(1.6, 4, 6)
	whole[0].Floor, part[0].Floor = 10, 9.5
	for name, test := range map[string]struct {
		slots int
		jobs  []Demand
	}{
		"slots -1":            {-1, jobsOf(1.6, 4)},
		"tail 1":              {9, jobsOf(1, 4)},
		"floors":              {9, whole},
		"floors, by a part":   {9, part},
		"floors, by rounding": {2_000_000_000, []Demand{{Tasks: 1, Tail: 1.5, Floor: 2_000_000_001}}},
		"floors, at the end":  {math.MaxInt32, []Demand{{Tasks: 1, Tail: 1.5, Floor: math.MaxInt32}, {Tasks: 1, Tail: 1.5, Floor: 1}}},
	} {
		if got, err := AllocateWhole([]int{7}, test.slots, test.jobs); err == nil || !slices.Equal(got, []int{7}) {
			t.Errorf("%s: got %v, %v, want an error", name, got, err)
		}
	}
	most := math.MaxInt32
	if got, err := AllocateWhole(nil, most+1, nil); err == nil {
		t.Errorf("one slot too many: got %v, want an error", got)
	}
}

// smallWhole draws a few jobs for a few slots: of all kinds of tails, with tasks that are whole or not, with weights and
// floors or without.
func smallWhole(r *rand.Rand) (slots int, jobs []Demand) {
	slots = r.IntN(13)
	jobs = make([]Demand, 1+r.IntN(4))
	sameTail, weights, floors := r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(3) == 0
	tails := []float64{1.001, 1.05, 1.2, 1.5, 1.6, 1.999, 2, 2.001, 2.5, 4, 30}
	tail := tails[r.IntN(len(tails))]
	room := float64(slots)
	for i := range jobs {
		d := &jobs[i]
		*d = Demand{Tasks: float64(r.IntN(9)), Tail: tail, Weight: 1}
		if r.IntN(3) == 0 {
			d.Tasks = 8 * r.Float64()
		}
		if !sameTail {
			d.Tail = tails[r.IntN(len(tails))]
		}
		if weights {
			d.Weight = float64(r.IntN(4)) / 2
		}
		if floors {
			d.Floor = room * r.Float64()
			if r.IntN(3) == 0 {
				d.Floor = math.Floor(d.Floor)
				if r.IntN(3) == 0 {
					d.Floor *= 1 - 1e-15 // as rounding may leave it
				}
			}
			room -= d.Floor
		}
	}
	return slots, jobs
}

// weightedRate is what AllocateWhole makes the greatest. Weights that are all 0 count as 1.
func weightedRate(jobs []Demand, slots []int) float64 {
	sum, weighted := 0.0, anyWeight(jobs)
	for i := range jobs {
		sum += jobs[i].weight(weighted) * Rate(float64(slots[i]), jobs[i].Tasks, jobs[i].Tail)
	}
	return sum
}

// keepsFloors returns an error if a job has less than its floor rounded down, or all floors together have less than
// their sum rounded up. What is whole but for 1e-9 is whole.
func keepsFloors(jobs []Demand, slots []int) error {
	floors, have := 0.0, 0.0
	for i, d := range jobs {
		if d.Tasks == 0 {
			continue
		}
		if float64(slots[i]) < math.Floor(d.Floor+1e-9) {
			return fmt.Errorf("job %d has less than its floor", i)
		}
		floors += d.Floor
		have += min(float64(slots[i]), math.Ceil(d.Floor-1e-9))
	}
	if have < math.Ceil(floors-1e-9) {
		return fmt.Errorf("%v slots go to floors, which are %v", have, floors)
	}
	return nil
}

// bestWhole tries all ways to give away slots.
func bestWhole(slots int, jobs []Demand) (best []int) {
	most := math.Inf(-1)
	try := make([]int, len(jobs))
	var from func(i, left int)
	from = func(i, left int) {
		if i == len(jobs) {
			if rate := weightedRate(jobs, try); rate > most && keepsFloors(jobs, try) == nil {
				most, best = rate, slices.Clone(try)
			}
			return
		}
		for try[i] = 0; try[i] <= left; try[i]++ {
			from(i+1, left-try[i])
		}
		try[i] = 0
	}
	from(0, slots)
	return best
}

// pseudocode1 rounds as Hopper's Pseudocode 1: jobs by tasks, each rounded down, and what that cuts off is there for
// the next one. Slots may be left over. Jobs are of one tail, all of weight 1.
func pseudocode1(slots int, jobs []Demand) []int {
	virtual, whole, order := 0.0, make([]int, len(jobs)), make([]int, len(jobs))
	for i := range jobs {
		virtual += VirtualSize(jobs[i].Tasks, jobs[i].Tail, 1)
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank{jobs[a].Tasks, 0}.compare(rank{jobs[b].Tasks, 0}) })
	left := slots
	for _, i := range order {
		v := VirtualSize(jobs[i].Tasks, jobs[i].Tail, 1)
		if float64(slots) < virtual {
			whole[i] = int(min(float64(left), v))
			left -= whole[i]
		} else if virtual > 0 {
			whole[i] = int(v / virtual * float64(slots))
		}
	}
	return whole
}

// Whole slots are as good as any, by enumeration; and those of Pseudocode 1 are often worse.
func TestAllocateWholeIsBest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	floors, ones, worse := 0, 0, 0
	for n := range 10_000 {
		slots, jobs := smallWhole(r)
		got, err := AllocateWhole(nil, slots, jobs)
		if err != nil {
			t.Fatalf("case %d: %v", n, err)
		}
		if err := keepsFloors(jobs, got); err != nil {
			t.Fatalf("case %d, %d slots, %+v: got %v: %v", n, slots, jobs, got, err)
		}
		given, busy, plain := 0, false, true
		for i, d := range jobs {
			given += got[i]
			busy = busy || d.Tasks > 0
			plain = plain && d.Tail == jobs[0].Tail && d.Weight == 1 && d.Floor == 0
			if d.Floor > 0 {
				floors++
			}
		}
		if busy && given != slots || !busy && given != 0 {
			t.Fatalf("case %d, %d slots, %+v: got %v", n, slots, jobs, got)
		}
		want := bestWhole(slots, jobs)
		rate, best := weightedRate(jobs, got), weightedRate(jobs, want)
		if busy && math.Abs(rate-best) > 1e-12*best {
			t.Fatalf("case %d, %d slots, %+v: got %v of rate %v, want %v of rate %v", n, slots, jobs, got, rate, want, best)
		}
		if plain {
			ones++
			if paper := weightedRate(jobs, pseudocode1(slots, jobs)); paper > rate*(1+1e-12) {
				t.Fatalf("case %d, %d slots, %+v: Pseudocode 1 has rate %v, we have %v", n, slots, jobs, paper, rate)
			} else if paper < rate*(1-1e-9) {
				worse++
			}
		}
	}
	if floors < 3000 || ones < 1000 || worse < 100 {
		t.Errorf("%d floors, %d cases for Pseudocode 1, of which it is worse in %d, want more", floors, ones, worse)
	}
}

// Whole slots are those that are given one by one to the job to which the next one is worth most, as Allocate orders
// jobs where it is worth the same to several.
func TestAllocateWholeIsGreedy(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	for n := range 300 {
		slots := r.IntN(2000)
		jobs := randomJobs(r, 1+r.IntN(60), float64(slots))
		for i := range jobs {
			jobs[i].Floor = math.Floor(jobs[i].Floor)
		}
		got, err := AllocateWhole(nil, slots, jobs)
		if err != nil {
			t.Fatal(err)
		}
		want, left := make([]int, len(jobs)), slots
		for i, d := range jobs {
			if d.Tasks > 0 {
				want[i] = int(d.Floor)
				left -= want[i]
			}
		}
		for weighted := anyWeight(jobs); left > 0; left-- {
			first := -1
			for i := range jobs {
				if jobs[i].counts(weighted) && (first < 0 || jobs[i].turn(i, want[i], weighted).compare(jobs[first].turn(first, want[first], weighted)) < 0) {
					first = i
				}
			}
			if first < 0 {
				break
			}
			want[first]++
		}
		if !slices.Equal(got, want) {
			t.Fatalf("case %d, %d slots, %+v: got %v, want %v", n, slots, jobs, got, want)
		}
	}
}
