package paper_test

import (
	"testing"

	"example.com/augur/policy/wing/pipeline"
)

// BenchmarkPipeline analyses two weeks of 2,000 jobs a day, of a log that is a week longer.
func BenchmarkPipeline(b *testing.B) {
	lake := defaultLake(b)
	log := lake.Provenance()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := pipeline.Run(log, lakeConfig(lake)); err != nil {
			b.Fatal(err)
		}
	}
}
