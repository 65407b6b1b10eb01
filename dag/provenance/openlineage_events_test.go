package provenance_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/augur/dag/provenance"
)

// runEvents are those of one run, of which each has some of n inputs.
func runEvents(rng *rand.Rand, events, n, most int) (text string, names map[string]bool) {
	var b strings.Builder
	names = map[string]bool{}
	for i := range events {
		kind := "RUNNING"
		if i == 0 {
			kind = "START"
		}
		fmt.Fprintf(&b, `{"eventType":"%s","eventTime":"2020-11-04T01:00:00Z","run":{"runId":"a"},"job":{"namespace":"n","name":"j"},"inputs":[`, kind)
		for k := range rng.IntN(most + 1) {
			if k > 0 {
				b.WriteByte(',')
			}
			name := fmt.Sprint(rng.IntN(n))
			names["n "+name] = true
			fmt.Fprintf(&b, `{"namespace":"n","name":"%s"}`, name)
		}
		b.WriteString("]}\n")
	}
	return b.String(), names
}

// A run reads each of the inputs that its events name once, whatever was known of the files before.
func TestOpenLineageInputsOfManyEvents(t *testing.T) {
	for seed := range seeds(200) {
		rng := rand.New(rand.NewPCG(seed, 12))
		r := reader(t, provenance.ReaderConfig{})
		before, _ := runEvents(rng, 3, 20, 5)
		text, names := runEvents(rng, 1+rng.IntN(10), 1+rng.IntN(30), rng.IntN(10))
		before = strings.ReplaceAll(before, `"runId":"a"`, `"runId":"b"`)
		for _, text := range []string{before, text} {
			if err := r.OpenLineage("events", strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
		}
		var files []uint32
		l := r.Take()
		for _, op := range l.Ops {
			if l.IDs.Name(op.Job) == "a" {
				files = append(files, op.File)
				if !names[l.Files.Name(op.File)] {
					t.Errorf("seed %d: it reads %q, of which no event tells", seed, l.Files.Name(op.File))
				}
			}
		}
		if len(files) != len(names) || !slices.IsSorted(files) || len(slices.Compact(files)) != len(names) {
			t.Errorf("seed %d: it reads %v, want %d files in order", seed, files, len(names))
		}
	}
}

func BenchmarkOpenLineageOfOneRun(b *testing.B) {
	for _, events := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("events=%d", events), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 13))
			first, _ := runEvents(rng, 1, 1<<20, 1<<17)
			text, _ := runEvents(rng, events, 1<<20, 3)
			b.ReportAllocs()
			for b.Loop() {
				r, err := provenance.NewReader(provenance.ReaderConfig{Repeated: true})
				for _, text := range []string{first, text} {
					if err == nil {
						err = r.OpenLineage("events", strings.NewReader(text))
					}
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
