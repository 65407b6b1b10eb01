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
		text []byte
	}{
		{"tr", trText(jobs)},
		{"swf", swfText(jobs)},
		{"csv", csvText(jobs)},
		{"swim", swimText(len(jobs))},
		{"augur", jobtest.Text(b, jobs...)},
		{"google2011", google.Bytes()},
		{"alibaba2018", alibabaTrace(len(jobs))},
	} {
		b.Run(fmt.Sprintf("format=%s/jobs=%d", format.name, len(jobs)), func(b *testing.B) {
			b.SetBytes(int64(len(format.text)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := trace.NewReader("x", bytes.NewReader(format.text), trace.ReaderConfig{})
				if err != nil {
					b.Fatal(err)
				}
				if n := jobtest.Count(b, r.Jobs()); n != len(jobs) {
					b.Fatalf("got %d jobs, want %d", n, len(jobs))
				}
			}
		})
	}
}

func BenchmarkReadWFCommons(b *testing.B) {
	const tasks = 1000
	text := wfTrace(tasks)
	b.Run(fmt.Sprintf("tasks=%d", tasks), func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			r, err := trace.NewReader("x", bytes.NewReader(text), trace.ReaderConfig{})
			if err != nil {
				b.Fatal(err)
			}
			if n := jobtest.Count(b, r.Jobs()); n != 1 {
				b.Fatalf("got %d jobs, want 1", n)
			}
		}
	})
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
