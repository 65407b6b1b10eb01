package probing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
)

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
					left: []uint32{1, 2, 3, 50, 0}[rng.IntN(5)], long: rng.IntN(5) == 0,
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

// A job's probes are given up wherever they are, and the others keep their order.
func TestGiveUpTakesAllOfAJob(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var p part
	for step := range 5000 {
		switch n := len(p.queue.probes); {
		case n < 20 || rng.IntN(2) == 0:
			b := probe{job: policy.JobID(rng.IntN(9)), bound: rng.IntN(5) == 0}
			for range 1 + rng.IntN(3) {
				p.queue.push(b)
			}
		case rng.IntN(3) > 0:
			if b := p.queue.take(rng.IntN(n)); !b.bound && rng.IntN(2) == 0 {
				p.queue.putBack(b)
			}
		default:
			job := p.queue.probes[rng.IntN(n)].job
			want := slices.DeleteFunc(slices.Clone(p.queue.probes), func(b probe) bool { return b.job == job && !b.bound })
			told := p.giveUp(job, nil)
			if !slices.Equal(p.queue.probes, want) || len(told) != n-len(want) {
				t.Fatalf("step %d: with job %d given up %v is left and the centre is told of %d, want %v and %d", step, job, p.queue.probes, len(told), want, n-len(want))
			}
		}
	}
}
