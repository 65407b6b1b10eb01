package provenance_test

import (
	"flag"
	"testing"

	"example.com/augur/dag/provenance"
	"example.com/augur/internal/heap"
)

var days = flag.Int("days", 8, "length of the log in the test of memory, in `days` of 5000 jobs, of which the window is one")

// What a Join holds depends on the window, and not on the length of the log: the files written in two windows at
// the most, some 50 bytes each.
func TestJoinMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds under the race detector")
	}
	const perDay, files = 5000, 2 // written by each job
	of := func(days int) (bytes int64, ops int) {
		bytes = heap.Of(func() *provenance.Join {
			j, err := provenance.NewJoin(provenance.JoinConfig{Window: day, Submitted: func(job uint32) (provenance.Time, bool) {
				return provenance.Time(job) * (provenance.Time(day) / perDay), true
			}})
			if err != nil {
				t.Fatal(err)
			}
			var uses []provenance.Use
			add := func(op provenance.Op) {
				if uses, err = j.Add(uses[:0], op); err != nil {
					t.Fatal(err)
				}
				ops++
			}
			for job := range uint32(days * perDay) {
				at := provenance.Time(job) * (provenance.Time(day) / perDay)
				for i := range uint32(files) {
					if job > 100 {
						add(provenance.Op{Time: at, Job: job, File: files*(job-100) + i, Kind: provenance.Read})
					}
				}
				for i := range uint32(files) {
					add(provenance.Op{Time: at + 1, Job: job, File: files*job + i, Kind: provenance.Write})
				}
			}
			if c := j.Counts(); c.Depend < c.Reads*99/100 {
				t.Errorf("%d of %d reads depend on a job, want all", c.Depend, c.Reads)
			}
			return j
		})
		return bytes, ops
	}
	two, _ := of(2)
	all, ops := of(*days)
	held := int64(2 * perDay * files)
	t.Logf("%d bytes after two days, %d after %d (%d operations), for %d files written in two windows", two, all, *days, ops, held)
	// A map grows by doubling, and is from 7/16 to 7/8 full.
	if all > 100*held {
		t.Errorf("%d bytes for %d files, want at most 100 each", all, held)
	}
	if all > two+two/4 {
		t.Errorf("%d bytes after %d days, and %d after two; want about the same", all, *days, two)
	}
}
