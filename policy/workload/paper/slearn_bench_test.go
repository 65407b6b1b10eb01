package paper_test

import (
	"fmt"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/paper"
)

func BenchmarkSLearn(b *testing.B) {
	for _, trace := range []struct {
		name string
		g    paper.SLearn
	}{
		{"2strace", paper.TwoSigma()},
		{"gtrace11", paper.Google11()},
		{"gtrace19", paper.Google19()},
		{"gtrace19-dag", paper.Google19DAG()},
	} {
		for _, part := range []struct {
			name string
			jobs int
			of   func() (workload.Source, error)
		}{
			{"history", trace.g.Jobs / 2, trace.g.History},
			{"execution", trace.g.Drawn, trace.g.Source},
		} {
			b.Run(fmt.Sprintf("trace=%s/part=%s/jobs=%d", trace.name, part.name, part.jobs), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					source, err := part.of()
					if err != nil {
						b.Fatal(err)
					}
					if n := jobtest.Count(b, source); n != part.jobs {
						b.Fatalf("got %d jobs, want %d", n, part.jobs)
					}
				}
			})
		}
	}
}
