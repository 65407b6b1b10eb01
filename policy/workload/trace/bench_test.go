package trace_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

func BenchmarkRead(b *testing.B) {
	jobs := jobtest.Generate(b, 5000)
	var google bytes.Buffer
	if err := googleTrace(&google, len(jobs)); err != nil {
		b.Fatal(err)
	}
	for _, format := range []struct {
		name string
		jobs int
		text []byte
	}{
		{"tr", len(jobs), trText(jobs)},
		{"swf", len(jobs), swfText(jobs)},
		{"csv", len(jobs), csvText(jobs)},
		{"sacct", len(jobs), sacctText(jobs)},
		{"swim", len(jobs), swimText(len(jobs))},
		{"augur", len(jobs), jobtest.Text(b, jobs...)},
		{"google2011", len(jobs), google.Bytes()},
		{"alibaba2018", len(jobs), alibabaTrace(len(jobs))},
		{"wfcommons", 1, wfTrace(1000)},
	} {
		b.Run(fmt.Sprintf("format=%s/jobs=%d", format.name, format.jobs), func(b *testing.B) {
			b.SetBytes(int64(len(format.text)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := trace.NewReader("x", bytes.NewReader(format.text), trace.ReaderConfig{})
				if err != nil {
					b.Fatal(err)
				}
				if n := jobtest.Count(b, r.Jobs()); n != format.jobs {
					b.Fatalf("got %d jobs, want %d", n, format.jobs)
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	jobs := jobtest.Generate(b, 5000)
	b.Run(fmt.Sprintf("jobs=%d", len(jobs)), func(b *testing.B) {
		b.SetBytes(int64(len(jobtest.Text(b, jobs...))))
		b.ReportAllocs()
		for b.Loop() {
			if err := trace.Write(io.Discard, workload.Of(jobs)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
