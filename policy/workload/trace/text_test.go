package trace

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What strconv reads beside decimal numbers, no format has.
func TestNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"007": 7, ".5": 0.5, "5.": 5, "-1": -1, "+1.5E+1": 15, "1e-3": 0.001, "9007199254740993": 1 << 53, "1e400": math.Inf(1), "-1e400": math.Inf(-1),
	} {
		if got, ok := number([]byte(text)); got != want || !ok {
			t.Errorf("number(%q) = %v, %v, want %v", text, got, ok, want)
		}
		if got, ok := finite([]byte(text)); got != want || ok == math.IsInf(want, 0) {
			t.Errorf("finite(%q) = %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", ".", "1.2.3", "0x10", "1_000", "0x1p4", "Inf", "-inf", "Infinity", "NaN", "1,5", "1/", "1:", " 1", "1 ", "\x00", "٣"} {
		if got, ok := number([]byte(text)); ok {
			t.Errorf("number(%q) = %v, want none", text, got)
		}
	}
}

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
