package provenance_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/augur/dag/provenance"
)

// 10,000 events, of runs that read up to three tables and write one.
func BenchmarkOpenLineage(b *testing.B) {
	var text strings.Builder
	for i := range 5000 {
		at, run, job := float64(20*i), fmt.Sprint("run ", i), fmt.Sprint("job ", i%300)
		inputs := strings.Repeat(fmt.Sprint("t", i*7%1000, " "), min(1, i%4)) + strings.Repeat(fmt.Sprint("t", i*11%1000, " "), i%4/2)
		fmt.Fprintln(&text, event("START", at, run, job, inputs, ""))
		fmt.Fprintln(&text, event("COMPLETE", at+300, run, job, "", fmt.Sprint("t", i%1000)))
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r := reader(b, provenance.ReaderConfig{})
		if err := r.OpenLineage("events", strings.NewReader(text.String())); err != nil {
			b.Fatal(err)
		}
		if l := r.Take(); len(l.Jobs) != 5000 {
			b.Fatalf("got %d jobs, want 5000", len(l.Jobs))
		}
	}
}
