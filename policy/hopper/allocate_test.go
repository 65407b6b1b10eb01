package hopper

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomJobs draws jobs that love ties, kinks and empty edges.
func randomJobs(r *rand.Rand, n int, slots float64) []Demand {
	tails := []float64{1.0001, 1.2, 1.2, 1.5, 1.9999, 2, 2.5, 2.5, 4}
	jobs := make([]Demand, n)
	floors := slots / float64(n) * r.Float64()
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
		switch r.IntN(3) {
		case 0:
			d.Floor = floors
		case 1:
			d.Floor = floors * r.Float64()
		}
		jobs[i] = d
	}
	return jobs
}

// bound is an upper bound of the throughput of any allocation: for any price of a slot, what
// all jobs are worth above the price of their slots, and all slots at that price (weak duality).
// It is the least over many prices.
func bound(slots float64, jobs []Demand) float64 {
	at := func(price float64) float64 {
		if price <= 0 {
			return math.Inf(1)
		}
		sum := price * slots
		for _, d := range jobs {
			if d.Tasks == 0 {
				continue
			}
			value := func(s float64) float64 { return d.Weight*Rate(s, d.Tasks, d.Tail) - price*s }
			best := value(d.Floor)
			if v := level(d.Tail) * d.Tasks; v > d.Floor {
				best = max(best, value(v))
			}
			if s := d.Tasks * math.Sqrt(d.Weight/(price*(d.Tail-1))); s > max(d.Floor, level(d.Tail)*d.Tasks) {
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
		best = min(best, at(d.Weight*slope(d.Tail)), at(d.Weight/(d.Tail-1)/level(d.Tail)/level(d.Tail)))
	}
	return best
}

// best looks at all allocations in steps of 1/steps of the slots that are not in floors.
func best(slots float64, steps int, jobs []Demand) float64 {
	left := slots
	for _, d := range jobs {
		if d.Tasks > 0 {
			left -= d.Floor
		}
	}
	shares := make([]float64, len(jobs))
	most := 0.0
	var try func(i, steps int, step float64)
	try = func(i, steps int, step float64) {
		if i == len(jobs) {
			most = max(most, throughput(jobs, shares))
			return
		}
		for k := range steps + 1 {
			shares[i] = float64(k) * step
			if jobs[i].Tasks > 0 {
				shares[i] += jobs[i].Floor
			}
			try(i+1, steps-k, step)
		}
	}
	try(0, steps, left/float64(steps))
	return most
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
	var gap, missed float64
	for n := range cases {
		slots := float64(r.IntN(40))
		if r.IntN(2) == 0 {
			slots += r.Float64()
		}
		jobs := randomJobs(r, 1+r.IntN(6), slots)
		shares, err := Allocate(nil, slots, jobs)
		if err != nil {
			t.Fatalf("case %d: %v", n, err)
		}
		checkShares(t, slots, jobs, shares)
		for i := range jobs {
			if jobs[i].Tasks > 0 && shares[i] < jobs[i].Floor {
				t.Fatalf("case %d: share %d is %v, want at least %v", n, i, shares[i], jobs[i].Floor)
			}
		}
		got := throughput(jobs, shares)
		if got == 0 {
			continue
		}
		gap = max(gap, bound(slots, jobs)/got-1)
		if len(jobs) <= 3 || len(jobs) == 4 && n%8 == 0 {
			missed = max(missed, best(slots, 12, jobs)/got-1)
		}
		if !(gap <= 1e-9 && missed <= 1e-12) {
			t.Fatalf("case %d: %v slots for %+v: shares are %v of throughput %v: one in steps is better by %v, the bound by %v",
				n, slots, jobs, shares, got, missed, gap)
		}
	}
	t.Logf("%d cases: at most %.2g below the bound, and %.2g below the best of all in steps", cases, gap, missed)
}

// throughput is the sum of weighted rates.
func throughput(jobs []Demand, shares []float64) (sum float64) {
	for i, d := range jobs {
		sum += d.Weight * Rate(shares[i], d.Tasks, d.Tail)
	}
	return sum
}
