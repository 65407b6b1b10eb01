package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
)

// Job 3 has the least work left and goes first. Then job 1, though job 2 has less left: it has
// been overtaken by 4 s, and 2 s more would be beyond its limit of 5 times its estimate.
func ExampleProbeQueue() {
	q := ProbeQueue{SRPT: true, Bypass: 5}
	q.Push(Probe{Job: 1, Estimate: time.Second, Remaining: 100})
	q.Push(Probe{Job: 2, Estimate: 2 * time.Second, Remaining: 10})
	q.Push(Probe{Job: 3, Estimate: 4 * time.Second, Remaining: 4})
	for {
		i, ok := q.Next()
		if !ok {
			return
		}
		fmt.Println("job", q.Take(i).Job)
	}
	// Output:
	// job 3
	// job 1
	// job 2
}

// The queue chooses as its rules say, and no probe is ever overtaken beyond its limit.
func TestProbeQueueRules(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		q := ProbeQueue{SRPT: true, Bypass: float64(rng.IntN(8))}
		limited := 0
		for step := range 200 {
			if rng.IntN(2) == 0 {
				q.Push(Probe{
					Job: policy.JobID(step + 1), Estimate: time.Duration(rng.IntN(5)) * time.Second,
					Remaining: []float64{1, 2, 3, 50, math.Inf(1)}[rng.IntN(5)], Sticky: rng.IntN(10) == 0,
				})
				continue
			}
			got, ok := q.Next()
			want, cut := naiveNext(&q)
			if ok != (q.Len() > 0) || ok && got != want {
				t.Fatalf("seed %d, step %d: the turn is that of %d, %v, want %d", seed, step, got, ok, want)
			}
			if cut {
				limited++
			}
			if ok {
				switch taken := q.Take(got); rng.IntN(3) {
				case 0:
					q.Cancel(taken)
				case 1:
					q.Return(taken)
				}
			}
			for i := range q.Len() {
				if over, limit := float64(q.Overtaken(i)), q.Bypass*float64(q.At(i).Estimate); over > limit {
					t.Fatalf("seed %d, step %d: a probe was overtaken for %v ns, want at most %v", seed, step, over, limit)
				}
			}
		}
		if seed == 3 && limited == 0 {
			t.Error("the limit never mattered, want a test of it")
		}
	}
}

// naiveNext goes by the rules one by one. cut says that the limit changed the choice.
func naiveNext(q *ProbeQueue) (next int, cut bool) {
	var all, eligible []int
	for i := range q.Len() {
		all = append(all, i)
		ok := true
		for k := range i {
			ok = ok && float64(q.Overtaken(k)+q.At(i).Estimate) <= q.Bypass*float64(q.At(k).Estimate)
		}
		if ok {
			eligible = append(eligible, i)
		}
	}
	best := func(among []int) int {
		for _, i := range among {
			if q.At(i).Sticky {
				return i
			}
		}
		return slices.MinFunc(among, func(a, b int) int {
			if d := q.At(a).Remaining - q.At(b).Remaining; d != 0 && !math.IsNaN(d) { // +Inf less +Inf
				return int(math.Copysign(1, d))
			}
			return a - b
		})
	}
	if len(all) == 0 {
		return 0, false
	}
	return best(eligible), best(eligible) != best(all)
}

// What was taken comes back to its place, and what it has overtaken is told by whether it
// got a task.
func TestProbeQueueTakesBack(t *testing.T) {
	var jobs []policy.JobID
	var overtaken []policy.Duration
	look := func(q *ProbeQueue) {
		jobs, overtaken = nil, nil
		for i := range q.Len() {
			jobs, overtaken = append(jobs, q.At(i).Job), append(overtaken, q.Overtaken(i))
		}
	}
	q := ProbeQueue{SRPT: true, Bypass: 5}
	for id := policy.JobID(1); id <= 4; id++ {
		q.Push(Probe{Job: id, Estimate: time.Second})
	}
	third := q.Take(2)
	q.Push(Probe{Job: 5, Estimate: time.Second})
	q.Return(third)
	look(&q)
	if want := []policy.JobID{1, 2, 3, 4, 5}; !slices.Equal(jobs, want) {
		t.Errorf("jobs wait in the order %v, want %v", jobs, want)
	}
	if want := []policy.Duration{1e9, 1e9, 0, 0, 0}; !slices.Equal(overtaken, want) {
		t.Errorf("they were overtaken for %v, want %v", overtaken, want)
	}
	fourth := q.Take(3)
	q.Take(0)
	q.Cancel(fourth)
	look(&q)
	if want := []policy.Duration{1e9, 0, 0}; !slices.Equal(overtaken, want) {
		t.Errorf("jobs %v were overtaken for %v, want %v", jobs, overtaken, want)
	}
}

func TestProbeQueueIsFirstInFirstOut(t *testing.T) {
	var q ProbeQueue
	for id := policy.JobID(1); id <= 5; id++ {
		q.Push(Probe{Job: id, Remaining: float64(10 - id)})
	}
	for id := policy.JobID(1); id <= 5; id++ {
		i, ok := q.Next()
		if got := q.Take(i).Job; !ok || got != id {
			t.Errorf("job %d goes first, want %d", got, id)
		}
	}
	if _, ok := q.Next(); ok {
		t.Error("something is left in the queue, want nothing")
	}
}
