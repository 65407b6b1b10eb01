package hopper_test

import (
	"fmt"
	"math"

	"example.com/augur/policy/hopper"
)

// algorithm1 is Algorithm 1 (section 3.4) and, but for rounding, Pseudocode 1. Jobs of one phase and of one tail β ≤ 2 have
// tasks left T, increasing. Each job's virtual size is V = 2/β T. If the slots S are fewer than all virtual sizes, the least
// is served first; else each job has slots in proportion to its virtual size. No allocation has a greater sum of rates.
func algorithm1(S, beta float64, T []float64) []float64 {
	total := 2 / beta * sum(T) // virtual size of all jobs
	slots := make([]float64, len(T))
	left := S
	for i := range T {
		if V := 2 / beta * T[i]; total >= S {
			slots[i] = min(V, left)
			left -= slots[i]
		} else {
			slots[i] = V / total * S
		}
	}
	return slots
}

// algorithm2 is Algorithm 2 (section 3.5): no job has less than S/N - ε, and otherwise it is Algorithm 1. It has the greatest
// sum of rates of all such allocations. (EpsilonFair gives ε as a share of S/N.)
func algorithm2(S, epsilon, beta float64, T []float64) []float64 {
	N := len(T)
	slots := make([]float64, N)
	fair := S/float64(N) - epsilon
	m1 := 0 // jobs whose virtual size is at most that
	for m1 < N && 2/beta*T[m1] <= fair {
		m1++
	}
	if S <= 2/beta*sum(T[m1:])+float64(m1)*fair {
		left := S - float64(N)*fair
		for i := range T {
			slots[i] = fair
			if i >= m1 {
				more := min(2/beta*T[i]-fair, left)
				slots[i] += more
				left -= more
			}
		}
		return slots
	}
	m2 := 0 // jobs that have no more than that
	share := func(i int) float64 { return T[i] / sum(T[m2:]) * (S - float64(m2)*fair) }
	for m2 < m1 && share(m2) < max(fair, 2/beta*T[m2]) {
		m2++
	}
	for i := range T {
		if slots[i] = fair; i >= m2 {
			slots[i] = share(i)
		}
	}
	return slots
}

// algorithm3 is Algorithm 3 (section 4.1), for jobs of weights α > 0 whose phases feed one another. Jobs stand in the order of
// max(T, T′), T′ being the work left in the transfer to the next phase, and of equal ones the larger weight comes first.
// The virtual size is V = 2/β T sqrt(α), over the root of the least weight among the first jobs, α_min.
//
// Its slots go to the first jobs of the order whatever those behind them are worth. So Allocate, which shares them by worth,
// has at least the same weighted rate and often more.
func algorithm3(S, beta float64, T, alpha []float64) []float64 {
	n := len(T)
	slots := make([]float64, n)
	V := make([]float64, n)
	for i := range T {
		V[i] = 2 / beta * T[i] * math.Sqrt(alpha[i])
	}
	least := func(k int) (root float64, at int) { // of the first k jobs: the root of α_min, and k_min
		for i := range k {
			if alpha[i] <= alpha[at] {
				at = i
			}
		}
		return math.Sqrt(alpha[at]), at
	}
	for k := 1; k < n; k++ { // the first k jobs share the slots
		root, _ := least(k + 1)
		if S <= sum(V[:k])/root { // cases 1 and 3
			for i := range k {
				slots[i] = V[i] / sum(V[:k]) * S
			}
			return slots
		}
		if S <= sum(V[:k+1])/root { // case 2: J_kmin comes last
			left := S
			_, last := least(k)
			give := func(i int) {
				slots[i] = min(V[i]/root, left)
				left -= slots[i]
			}
			for i := range k + 1 {
				if i != last {
					give(i)
				}
			}
			give(last)
			return slots
		}
	}
	for i := range T { // case 4
		slots[i] = V[i] / sum(V) * S
	}
	return slots
}

// algorithm4 is Algorithm 4 (section 4.2), for jobs of two tails β1 < β2 ≤ 2. Within a type slots go by Algorithm 1. No
// allocation has a greater sum of rates.
func algorithm4(S, beta1, beta2 float64, T1, T2 []float64) (slots1, slots2 []float64) {
	C := 2 / beta2 * math.Sqrt((beta2-1)/(beta1-1)) * sum(T1)
	S1 := S
	switch u1, u2 := sum(T1)/math.Sqrt(beta1-1), sum(T2)/math.Sqrt(beta2-1); {
	case S <= C || len(T2) == 0:
	case S <= C+2/beta2*sum(T2):
		S1 = C
	default:
		S1 = u1 / (u1 + u2) * S
	}
	return algorithm1(S1, beta1, T1), algorithm1(S-S1, beta2, T2)
}

func sum(of []float64) (sum float64) {
	for _, x := range of {
		sum += x
	}
	return sum
}

// Algorithms 1 to 4 of the paper as printed, each beside the call that does the same. They are the functions algorithm1 to
// algorithm4; algorithm1 is Pseudocode 1 too. A job of 4 tasks and a tail of 1.6
// has the virtual size 5, and one of 6 tasks 7.5.
func ExampleAllocate_asPrinted() {
	jobs := func(tail1, tail2, weight1 float64) []hopper.Demand {
		return []hopper.Demand{{Tasks: 4, Tail: tail1, Weight: weight1}, {Tasks: 6, Tail: tail2, Weight: 1}}
	}
	T := []float64{4, 6}
	show := func(name string, slots []float64, shares []float64, err error) {
		fmt.Printf("%s: %.2f, %.2f %v\n", name, slots, shares, err)
	}

	shares, err := hopper.Allocate(nil, 6, jobs(1.6, 1.6, 1))
	show("Algorithm 1, few slots ", algorithm1(6, 1.6, T), shares, err)

	shares, err = hopper.Allocate(nil, 20, jobs(1.6, 1.6, 1))
	show("Algorithm 1, many slots", algorithm1(20, 1.6, T), shares, err)

	shares, err = hopper.EpsilonFair(nil, 6, 0.1, jobs(1.6, 1.6, 1))
	show("Algorithm 2            ", algorithm2(6, 0.1*6/2, 1.6, T), shares, err)

	// The printed algorithm gives the job of weight 1 all that it can use, and the job of weight 4 the rest.
	shares, err = hopper.Allocate(nil, 12, jobs(1.6, 1.6, 4))
	show("Algorithm 3            ", algorithm3(12, 1.6, T, []float64{4, 1}), shares, err)

	shares, err = hopper.Allocate(nil, 31, jobs(1.25, 1.64, 1))
	slots1, slots2 := algorithm4(31, 1.25, 1.64, T[:1], T[1:])
	show("Algorithm 4            ", append(slots1, slots2...), shares, err)
	// Output:
	// Algorithm 1, few slots : [5.00 1.00], [5.00 1.00] <nil>
	// Algorithm 1, many slots: [8.00 12.00], [8.00 12.00] <nil>
	// Algorithm 2            : [3.30 2.70], [3.30 2.70] <nil>
	// Algorithm 3            : [4.50 7.50], [10.00 2.00] <nil>
	// Algorithm 4            : [16.00 15.00], [16.00 15.00] <nil>
}
