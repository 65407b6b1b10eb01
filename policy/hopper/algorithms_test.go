package hopper

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomJobs draws jobs that love ties, kinks and empty edges.
func randomJobs(r *rand.Rand, n int, slots float64) []Demand {
	tails := []float64{1.0001, 1.2, 1.2, 1.5, 1.9999, 2, 2.5, 2.5, 4}
	jobs := make([]Demand, n)
	one := r.IntN(3) == 0 // one tail for all
	for i := range jobs {
		d := Demand{Tasks: float64(r.IntN(8)), Tail: tails[r.IntN(len(tails))], Weight: 1}
		if one && i > 0 {
			d.Tail = jobs[0].Tail
		}
		switch r.IntN(4) {
		case 0:
			d.Tasks += r.Float64()
		case 1:
			d.Weight = float64(r.IntN(4))
		case 2:
			d.Weight = math.Exp(2 * r.NormFloat64())
		}
		if r.IntN(2) == 0 {
			d.Downstream = float64(r.IntN(10))
		}
		jobs[i] = d
	}
	return jobs
}

// bound is an upper bound of the throughput of any allocation: for any price of a slot, what
// all jobs are worth above the price of their slots, and all slots at that price (weak duality).
// It is the least over many prices.
func bound(slots, floor float64, jobs []Demand) float64 {
	at := func(price float64) float64 {
		if price <= 0 {
			return math.Inf(1)
		}
		sum := price * slots
		for _, d := range jobs {
			if d.Tasks == 0 {
				continue
			}
			value := func(s float64) float64 { return d.weight()*Rate(s, d.Tasks, d.Tail) - price*s }
			best := value(floor)
			if v := level(d.Tail) * d.Tasks; v > floor {
				best = max(best, value(v))
			}
			if s := d.Tasks * math.Sqrt(d.weight()/(price*(d.Tail-1))); s > max(floor, level(d.Tail)*d.Tasks) {
				best = max(best, value(s))
			}
			sum += best
		}
		return sum
	}
	low, high := math.Log(1e-9), math.Log(1e9) // at is convex in the price
	for range 120 {
		a, b := low+(high-low)/3, high-(high-low)/3
		if at(math.Exp(a)) <= at(math.Exp(b)) {
			high = b
		} else {
			low = a
		}
	}
	best := min(at(math.Exp(low)), at(math.Exp(high)))
	for _, d := range jobs { // where the jobs have their kinks
		best = min(best, at(d.weight()*slope(d.Tail)), at(d.weight()/(d.Tail-1)/level(d.Tail)/level(d.Tail)))
	}
	return best
}

// checkShares checks what every allocation promises.
func checkShares(t *testing.T, slots float64, jobs []Demand, shares []float64) {
	t.Helper()
	if len(shares) != len(jobs) {
		t.Fatalf("got %d shares, want %d", len(shares), len(jobs))
	}
	sum, tasks := 0.0, 0.0
	for i, x := range shares {
		if !(x >= 0) || jobs[i].Tasks == 0 && x != 0 {
			t.Fatalf("share %d is %v, of %+v", i, x, jobs[i])
		}
		sum += x
		tasks += jobs[i].Tasks
	}
	want := slots
	if tasks == 0 {
		want = 0
	}
	if math.Abs(sum-want) > 1e-9*slots {
		t.Fatalf("shares are %v slots, want %v", sum, want)
	}
}

func TestAllocateIsTheBest(t *testing.T) {
	const cases = 10_000
	r := rand.New(rand.NewPCG(2, 1))
	gap := 0.0
	for n := range cases {
		slots := float64(r.IntN(40))
		if r.IntN(2) == 0 {
			slots += r.Float64()
		}
		jobs := randomJobs(r, 1+r.IntN(6), slots)
		epsilon := min(1, float64(r.IntN(10))/8)
		shares, err := EpsilonFair(nil, slots, epsilon, jobs)
		if err != nil {
			t.Fatalf("case %d: %v", n, err)
		}
		checkShares(t, slots, jobs, shares)
		busy := 0
		for i := range jobs {
			if jobs[i].Tasks > 0 {
				busy++
			}
		}
		floor := (1 - epsilon) * slots / float64(max(busy, 1))
		for i := range jobs {
			if jobs[i].Tasks > 0 && shares[i] < floor {
				t.Fatalf("case %d: share %d is %v, want at least %v", n, i, shares[i], floor)
			}
		}
		got := throughput(jobs, shares)
		if got == 0 {
			continue
		}
		gap = max(gap, bound(slots, floor, jobs)/got-1)
		if !(gap <= 1e-9) {
			t.Fatalf("case %d: %v slots for %+v: shares %v have a throughput of %v, which is below the bound by %v", n, slots, jobs, shares, got, gap)
		}
	}
}

// throughput is the sum of weighted rates.
func throughput(jobs []Demand, shares []float64) (sum float64) {
	for i, d := range jobs {
		sum += d.weight() * Rate(shares[i], d.Tasks, d.Tail)
	}
	return sum
}

func (d *Demand) weight() float64 { return cmp.Or(d.Weight, 1) }

// jobsOf returns jobs of one tail and of weight 1.
func jobsOf(tail float64, tasks ...float64) []Demand {
	jobs := make([]Demand, len(tasks))
	for i, t := range tasks {
		jobs[i] = Demand{Tasks: t, Tail: tail, Weight: 1}
	}
	return jobs
}

func near(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) <= 1e-12*max(1, math.Abs(y)) })
}

// With 2/β = 1.25 a job of 4 tasks has virtual size 5, and one of 6 tasks 7.5.
func TestSharesByHand(t *testing.T) {
	type allocator func(slots float64, jobs []Demand) ([]float64, error)
	fair := func(epsilon float64) allocator {
		return func(slots float64, jobs []Demand) ([]float64, error) { return EpsilonFair(nil, slots, epsilon, jobs) }
	}
	allocate := func(slots float64, jobs []Demand) ([]float64, error) { return Allocate(nil, slots, jobs) }
	weights := func(jobs []Demand, weights ...float64) []Demand {
		for i := range weights {
			jobs[i].Weight = weights[i]
		}
		return jobs
	}
	downstream := func(jobs []Demand, work ...float64) []Demand {
		for i := range work {
			jobs[i].Downstream = work[i]
		}
		return jobs
	}
	for _, test := range []struct {
		name  string
		by    allocator
		slots float64
		jobs  []Demand
		want  []float64
	}{
		// Section 2.3: Hopper gives job A 5 of the 6 slots.
		{"section 2.3", allocate, 6, jobsOf(1.6, 4, 6), []float64{5, 1}},
		{"as many tasks", allocate, 8, jobsOf(1.6, 4, 4), []float64{5, 3}},
		{"later job first", allocate, 6, jobsOf(1.6, 6, 4), []float64{1, 5}},
		{"slots enough", allocate, 20, jobsOf(1.6, 4, 6), []float64{8, 12}},
		{"a job done", allocate, 20, jobsOf(1.6, 0, 6), []float64{0, 20}},
		{"no slots", allocate, 0, jobsOf(1.6, 4, 6), []float64{0, 0}},
		{"no jobs", allocate, 9, nil, nil},
		{"no tasks", allocate, 9, jobsOf(1.6, 0, 0), []float64{0, 0}},
		{"tail 2.5", allocate, 6, jobsOf(2.5, 4, 6), []float64{4, 2}},
		// Both jobs' first slots are worth their weight, whatever the tail.
		{"tails above 2, as worthy", allocate, 10, []Demand{{Tasks: 100, Tail: 2.05, Weight: 2}, {Tasks: 5, Tail: 3.1, Weight: 2}}, []float64{5, 5}},
		{"tail 2.5, slots enough", allocate, 20, jobsOf(2.5, 4, 6), []float64{8, 12}},

		{"fair, case 1", fair(0.5), 8, jobsOf(1.6, 4, 6, 1, 8), []float64{4.75, 1, 1.25, 1}},
		{"fair, floor 0.9 * 3", fair(0.1), 6, jobsOf(1.6, 4, 6), []float64{3.3, 2.7}},
		{"fair, all alike", fair(0), 6, jobsOf(1.6, 4, 6), []float64{3, 3}},
		{"fair, case 2", fair(0.2), 30, jobsOf(1.6, 1, 4, 5), []float64{8, 22 * 4. / 9, 22 * 5. / 9}},
		{"fair, a job done", fair(0), 6, jobsOf(1.6, 4, 0, 6), []float64{3, 0, 3}},

		{"all, downstream orders", allocate, 6, downstream(jobsOf(1.6, 4, 6), 9), []float64{0, 6}},
		{"weight 0 is 1", allocate, 20, weights(jobsOf(1.6, 4, 6), 0, 1), []float64{8, 12}},
		{"weights", allocate, 12, weights(jobsOf(1.6, 4, 6), 4, 1), []float64{10, 2}},
		// Beyond 4 slots the first job is worth 1/(β-1) = 1/3 of a task a slot.
		{"all, tails 2.5 and 4", allocate, 10, append(jobsOf(4, 4), jobsOf(2.5, 6)...), []float64{4, 6}},
		{"all, tail 4 first", allocate, 5, append(jobsOf(4, 4), jobsOf(1.9999, 6)...), []float64{0, 5}},
	} {
		got, err := test.by(test.slots, test.jobs)
		if err != nil || !near(got, test.want) {
			t.Errorf("%s: got %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}

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
	manySizes = []float64{0, 1, 2, 3, 10, 1000, 0.1, 0.75, 1e15, 1e15 - 1, 1e-9, minAmount, 3 * minAmount, 1e9 + 0.1}
	manyTails = []float64{1.5, 1.2, 1.0001, 2, 2.5, 4, math.Nextafter(1, 2), math.Nextafter(2, 3), 1e15, maxTail}
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
	rate := func(i int, slots float64) float64 { return jobs[i].weight() * Rate(slots, jobs[i].Tasks, jobs[i].Tail) }
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

// rateOf is equation 3.1 with k copies of each task whose runtimes are Pareto(1, tail).
func rateOf(k, slots, tasks, tail float64) float64 {
	mean := tail / (tail - 1)
	least := k * tail / (k*tail - 1) // the mean of the least of k
	return min(slots, tasks*k) * mean / (k * least)
}

func TestRateIsTheBestOfEquation31(t *testing.T) {
	for _, tail := range []float64{1.0001, 1.2, 1.5, 1.9999, 2, 2.5, 10} {
		for _, slots := range []float64{0, 1, 7, 10, 13, 17, 40, 1000} {
			const tasks = 10.0
			best := rateOf(max(1, slots/tasks), slots, tasks, tail) // where the first factor has its kink
			for k := 1.0; k < 200; k += 1.0 / 1024 {
				best = max(best, rateOf(k, slots, tasks, tail))
			}
			got := Rate(slots, tasks, tail)
			if math.Abs(got-best) > 1e-6*best {
				t.Errorf("Rate(%v, %v, %v) = %v, want %v", slots, tasks, tail, got, best)
			}
		}
	}
}

func TestModelAtItsEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	heavy := 1.0001
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"level, tail 1.6", level(1.6), 1.25},
		{"level, tail 1.0001", level(1.0001), 2 / 1.0001},
		{"level, tail 1.9999", level(1.9999), 2 / 1.9999},
		{"level, tail 2.5", level(2.5), 1},
		{"level, tail 1", level(1), nan},
		{"level, no tail", level(0), nan},
		{"level, tail infinite", level(inf), nan},
		{"level, tail NaN", level(nan), nan},
		{"virtual size", VirtualSize(4, 1.6), 5},
		{"virtual size, tasks infinite", VirtualSize(inf, 1.6), nan},
		{"rate, tail 1.0001", Rate(1, 1, heavy), heavy * heavy / (4 * (heavy - 1))},
		{"rate, tail 1.9999, where the cases meet", Rate(2/1.9999, 1, 1.9999), 1.9999 / (2 * (1.9999 - 1))},
		{"rate, tail 2.5, a slot a task", Rate(7, 7, 2.5), 7},
		{"rate, tail 2.5, two slots a task", Rate(14, 7, 2.5), 7 * 2 / 1.5},
		{"rate, no slots", Rate(0, 7, 1.5), 0},
		{"rate, no tasks", Rate(7, 0, 1.5), 0},
		{"rate, neither", Rate(0, 0, 1.5), 0},
		{"rate, hardly any tail", Rate(14, 7, math.MaxFloat64), 7},
		{"rate, tail 1", Rate(7, 7, 1), nan},
		{"rate, slots negative", Rate(-1, 7, 1.5), nan},
		{"rate, tasks infinite", Rate(1, inf, 1.5), nan},
	} {
		same := math.IsNaN(test.got) && math.IsNaN(test.want)
		if !same && !(math.Abs(test.got-test.want) <= 1e-14*math.Abs(test.want)) {
			t.Errorf("%s: got %v, want %v", test.name, test.got, test.want)
		}
	}
}

func TestAllocateRefuses(t *testing.T) {
	for _, change := range []func(d *Demand){
		func(d *Demand) { d.Tasks = -1 }, func(d *Demand) { d.Weight = -1 }, func(d *Demand) { d.Tail = 1 },
		func(d *Demand) { d.Downstream = -1 }, func(d *Demand) { d.Downstream = math.Inf(1) },
		func(d *Demand) { d.Tail = math.Inf(1) },
	} {
		d := Demand{Tasks: 10, Weight: 1, Tail: 1.5}
		change(&d)
		if _, err := Allocate(nil, 10, []Demand{d}); err == nil {
			t.Errorf("%+v is taken", d)
		}
	}
}
