package workload_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"example.com/augur/policy/workload"
)

func BenchmarkRead(b *testing.B) {
	jobs := generate(b, 5000)
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
		{"augur", augurText(b, jobs...)},
		{"google2011", google.Bytes()},
		{"alibaba2018", alibabaTrace(len(jobs))},
	} {
		b.Run(fmt.Sprintf("format=%s/jobs=%d", format.name, len(jobs)), func(b *testing.B) {
			b.SetBytes(int64(len(format.text)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := workload.NewReader("x", bytes.NewReader(format.text), workload.ReaderConfig{})
				if err != nil {
					b.Fatal(err)
				}
				if n := count(b, r.Jobs()); n != len(jobs) {
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
			r, err := workload.NewReader("x", bytes.NewReader(text), workload.ReaderConfig{})
			if err != nil {
				b.Fatal(err)
			}
			if n := count(b, r.Jobs()); n != 1 {
				b.Fatalf("got %d jobs, want 1", n)
			}
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	jobs := generate(b, 5000)
	b.Run(fmt.Sprintf("jobs=%d", len(jobs)), func(b *testing.B) {
		b.SetBytes(int64(len(augurText(b, jobs...))))
		b.ReportAllocs()
		for b.Loop() {
			if err := workload.Write(io.Discard, workload.Of(jobs)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// count reads a source to its end and returns the number of jobs, which it does not keep.
func count(b *testing.B, source workload.Source) int {
	b.Helper()
	n := 0
	for _, err := range source {
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
	return n
}
