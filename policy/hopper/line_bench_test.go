package hopper

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
)

// BenchmarkLine is a step of the turn: a task ends, and the next job that is short of its share gets a slot. Jobs have ten
// tails and 1 to 100 tasks. With 2 slots a job most have the floor, and with 20 the slots reach a fifth of them.
func BenchmarkLine(b *testing.B) {
	for _, jobs := range []int{1_000, 10_000, 100_000} {
		for _, at := range []struct {
			slots   int
			epsilon float64
		}{{2, 0.1}, {20, 1}} {
			slots := at.slots
			b.Run(fmt.Sprintf("jobs=%d/slots=%d", jobs, slots*jobs), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 2))
				l := line{water: water{slots: float64(slots * jobs), epsilon: at.epsilon}}
				seats, demands := make([]seat, jobs), make([]Demand, jobs)
				change := func(i, used int) {
					is := demands[i].seat(policy.JobID(i + 1))
					is.used = max(0, seats[i].used+float64(used))
					l.put(&seats[i], is)
				}
				for i := range seats {
					demands[i] = Demand{Tasks: float64(1 + rng.IntN(100)), Tail: 1.1 + float64(rng.IntN(10))/10}
					change(i, rng.IntN(2*slots))
				}
				b.ReportAllocs()
				for b.Loop() {
					i := rng.IntN(jobs)
					if demands[i].Tasks--; demands[i].Tasks == 0 {
						demands[i].Tasks = 100
					}
					change(i, -1)
					for id := range l.all(short) {
						change(int(id)-1, 1)
						break
					}
				}
			})
		}
	}
}
