package trace

import (
	"encoding/csv"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A row is cut as encoding/csv does it, and refused where it refuses it.
func TestSplitCSV(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	good, bad := 0, 0
	for range 5_000 {
		var line strings.Builder
		for range 1 + r.IntN(12) {
			line.WriteByte(`,,"""ab `[r.IntN(8)])
		}
		reader := csv.NewReader(strings.NewReader(line.String()))
		want, err := reader.Read()
		got, p := splitCSV(nil, []byte(line.String()))
		if (err == nil) != (p == nil) {
			t.Fatalf("%q: got problem %v, encoding/csv says %v", line.String(), p, err)
		}
		if err != nil {
			bad++
			continue
		}
		good++
		var texts []string
		for _, c := range got {
			texts = append(texts, string(c))
		}
		if diff := cmp.Diff(want, texts); diff != "" {
			t.Fatalf("%q: -want +got:\n%s", line.String(), diff)
		}
	}
	if good < 1000 || bad < 1000 {
		t.Errorf("got %d good rows and %d bad ones, want 1000 of each", good, bad)
	}
}
