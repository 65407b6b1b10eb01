package probing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"

	"example.com/augur/policy"
)

// Job 3 has the least work left and goes first. Then job 1, though job 2 has less left: it has
// been overtaken by 4 s, and 2 s more would be beyond its limit of 5 times its estimate.
func TestProbeQueueLimitsBypassing(t *testing.T) {
	q := probeQueue{bypass: 5}
	q.push(probe{job: 1, estimate: time.Second, left: 100})
	q.push(probe{job: 2, estimate: 2 * time.Second, left: 5})
	q.push(probe{job: 3, estimate: 4 * time.Second, left: 1})
	var got []policy.JobID
	for i, ok := q.next(); ok; i, ok = q.next() {
		got = append(got, q.take(i).job)
	}
	if want := []policy.JobID{3, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("jobs go in the order %v, want %v", got, want)
	}
}

// The queue chooses as its rules say, and no probe is ever overtaken beyond its limit.
func TestProbeQueueRules(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		q := probeQueue{bypass: max(0.5, float64(rng.IntN(8)))}
		limited := 0
		for step := range 200 {
			if rng.IntN(2) == 0 {
				q.push(probe{
					job: policy.JobID(step + 1), estimate: time.Duration(rng.IntN(5)) * time.Second,
					left: []uint32{1, 2, 3, 50, 0}[rng.IntN(5)], long: rng.IntN(5) == 0, sticky: rng.IntN(10) == 0,
				})
				continue
			}
			got, ok := q.next()
			want, cut := naiveNext(&q)
			if ok != (len(q.probes) > 0) || ok && got != want {
				t.Fatalf("seed %d, step %d: the turn is that of %d, %v, want %d", seed, step, got, ok, want)
			}
			if cut {
				limited++
			}
			if ok {
				switch taken := q.take(got); rng.IntN(3) {
				case 0:
					q.cancel(taken)
				case 1:
					q.putBack(taken)
				}
			}
			for i := range q.probes {
				if over, limit := float64(q.probes[i].overtaken), q.bypass*float64(q.probes[i].estimate); over > limit {
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
func naiveNext(q *probeQueue) (next int, cut bool) {
	var all, eligible []int
	for i := range q.probes {
		all = append(all, i)
		ok := true
		for k := range i {
			ok = ok && float64(q.probes[k].overtaken+q.probes[i].estimate) <= q.bypass*float64(q.probes[k].estimate)
		}
		if ok {
			eligible = append(eligible, i)
		}
	}
	best := func(among []int) int {
		for _, i := range among {
			if q.probes[i].sticky {
				return i
			}
		}
		return slices.MinFunc(among, func(a, b int) int {
			if d := q.probes[a].remaining() - q.probes[b].remaining(); d != 0 && !math.IsNaN(d) { // +Inf less +Inf
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
	look := func(q *probeQueue) {
		jobs, overtaken = nil, nil
		for i := range q.probes {
			jobs, overtaken = append(jobs, q.probes[i].job), append(overtaken, q.probes[i].overtaken)
		}
	}
	q := probeQueue{bypass: 5}
	for id := policy.JobID(1); id <= 4; id++ {
		q.push(probe{job: id, estimate: time.Second})
	}
	third := q.take(2)
	q.push(probe{job: 5, estimate: time.Second})
	q.putBack(third)
	look(&q)
	if want := []policy.JobID{1, 2, 3, 4, 5}; !slices.Equal(jobs, want) {
		t.Errorf("jobs wait in the order %v, want %v", jobs, want)
	}
	if want := []policy.Duration{1e9, 1e9, 0, 0, 0}; !slices.Equal(overtaken, want) {
		t.Errorf("they were overtaken for %v, want %v", overtaken, want)
	}
	fourth := q.take(3)
	q.take(0)
	q.cancel(fourth)
	look(&q)
	if want := []policy.Duration{1e9, 0, 0}; !slices.Equal(overtaken, want) {
		t.Errorf("jobs %v were overtaken for %v, want %v", jobs, overtaken, want)
	}
}

func TestProbeQueueIsFirstInFirstOut(t *testing.T) {
	var q probeQueue
	for id := policy.JobID(1); id <= 5; id++ {
		q.push(probe{job: id, estimate: time.Second, left: uint32(10 - id)})
	}
	for id := policy.JobID(1); id <= 5; id++ {
		i, ok := q.next()
		if got := q.take(i).job; !ok || got != id {
			t.Errorf("job %d goes first, want %d", got, id)
		}
	}
	if _, ok := q.next(); ok {
		t.Error("something is left in the queue, want nothing")
	}
}

// Queues are walked from end to end, so a probe is to be no larger than a line of most caches.
func TestProbeIsALineOfTheCache(t *testing.T) {
	if got := unsafe.Sizeof(probe{}); got > 64 {
		t.Errorf("a probe takes %d bytes, want at most 64", got)
	}
}
