package pipeline_test

import (
	"testing"

	"example.com/augur/policy/wing/pipeline"
)

// BenchmarkRun analyses two weeks of 2,000 jobs a day, of a log that is a week longer.
func BenchmarkRun(b *testing.B) {
	lake, err := defaultLake()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := pipeline.Run(lake.log, lakeConfig(lake.LakeLog)); err != nil {
			b.Fatal(err)
		}
	}
}
