package provenance_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/internal/heap"
)

const day = 24 * time.Hour

// lake makes the operations of so many jobs, 40,000 a day as in section 6.3. Each writes two
// files of its own and reads six of late, most of them of few jobs, which comes to about four
// dependencies.
func lake(jobs int) (ops []provenance.Op, submitted []provenance.Time) {
	rng := rand.New(rand.NewPCG(1, 1))
	gap := provenance.Time(day) / 40000
	for job := range jobs {
		at := provenance.Time(job) * gap
		submitted = append(submitted, at)
		if job > 0 {
			from := max(0, job-1-int(rng.ExpFloat64()*10000))
			for range 6 {
				if rng.IntN(3) > 0 {
					from = max(0, job-1-int(rng.ExpFloat64()*10000))
				}
				ops = append(ops, provenance.Op{Time: at, Job: uint32(job), File: uint32(2*from + rng.IntN(2)), Kind: provenance.Read})
			}
		}
		for i := range 2 {
			ops = append(ops, provenance.Op{Time: at + 1 + provenance.Time(rng.Int64N(int64(time.Hour))), Job: uint32(job), File: uint32(2*job + i), Kind: provenance.Write})
		}
		if job%4 == 0 {
			ops = append(ops, provenance.Op{Time: at + provenance.Time(time.Hour), Job: provenance.User, File: uint32(2 * job), Kind: provenance.Read})
		}
	}
	slices.SortStableFunc(ops, byTime)
	return ops, submitted
}

func BenchmarkFind(b *testing.B) {
	for _, jobs := range []int{70000, 280000} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			ops, submitted := lake(jobs)
			c := provenance.JoinConfig{Window: 7 * day, Submitted: provenance.SubmittedAt(submitted)}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				found, err := provenance.Find(provenance.Of(ops), c)
				if err != nil {
					b.Fatal(err)
				}
				n = len(found.Dependencies)
			}
			b.ReportMetric(float64(n)/float64(jobs), "dependencies/job")
			b.ReportMetric(float64(len(ops))*float64(b.N)/b.Elapsed().Seconds(), "ops/s")
		})
	}
}

// The memory of a Join depends on the window, and not on the length of the log.
func BenchmarkJoin(b *testing.B) {
	for _, days := range []int{7, 21} {
		for _, window := range []time.Duration{day, 7 * day} {
			b.Run(fmt.Sprintf("days=%d/window=%d", days, window/day), func(b *testing.B) {
				ops, submitted := lake(40000 * days)
				c := provenance.JoinConfig{Window: window, Submitted: provenance.SubmittedAt(submitted)}
				var held int64
				for b.Loop() {
					before := heap.InUse()
					j, err := provenance.NewJoin(c)
					if err != nil {
						b.Fatal(err)
					}
					var uses []provenance.Use
					for _, op := range ops {
						if uses, err = j.Add(uses[:0], op); err != nil {
							b.Fatal(err)
						}
					}
					held = heap.InUse() - before
					runtime.KeepAlive(j)
				}
				b.ReportMetric(float64(held), "bytes-held")
				b.ReportMetric(float64(len(ops))*float64(b.N)/b.Elapsed().Seconds(), "ops/s")
			})
		}
	}
}
