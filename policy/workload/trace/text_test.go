package trace

import (
	"math"
	"testing"
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
