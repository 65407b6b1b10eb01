package provenance_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
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
	slices.SortStableFunc(ops, func(a, b provenance.Op) int { return cmp.Compare(a.Time, b.Time) })
	return ops, submitted
}

func BenchmarkFind(b *testing.B) {
	for _, jobs := range []int{70000, 280000} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			ops, submitted := lake(jobs)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				found, err := provenance.Find(ops, submitted, 7*day)
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
