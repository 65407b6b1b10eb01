package value

import (
	"encoding/binary"
	"math"
	"testing"
)

// Whatever the drops, what is not refused never rises, and is at each instant what a sum says.
func FuzzFunction(f *testing.F) {
	add := func(rest float64, drops ...Drop) {
		var b []byte
		for _, d := range drops {
			b = binary.LittleEndian.AppendUint64(b, uint64(d.At))
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(d.Value))
		}
		f.Add(rest, b)
	}
	add(1, Drop{10, 2}, Drop{5, 3}, Drop{10, 1})
	add(0, Drop{math.MaxInt64, 1e300}, Drop{math.MinInt64, 5e-324})
	add(MaxSum, Drop{0, 1})
	f.Fuzz(func(t *testing.T, rest float64, b []byte) {
		var drops []Drop
		for ; len(b) >= 16; b = b[16:] {
			drops = append(drops, Drop{int64(binary.LittleEndian.Uint64(b)), math.Float64frombits(binary.LittleEndian.Uint64(b[8:]))})
		}
		valid, sum := rest >= 0, rest
		for _, d := range drops {
			valid = valid && d.Value >= 0
			sum += d.Value
		}
		g, err := NewFunction(rest, drops)
		if (err == nil) != (valid && sum <= MaxSum) {
			t.Fatalf("rest %v and drops %v: %v", rest, drops, err)
		}
		if err != nil {
			return
		}
		instants := []int64{math.MinInt64, 0, math.MaxInt64}
		for _, d := range drops {
			instants = append(instants, d.At)
			if d.At < math.MaxInt64 {
				instants = append(instants, d.At+1)
			}
		}
		for _, at := range instants {
			want := worth(rest, drops, at)
			got := g.At(at)
			if !(math.Abs(got-want) <= 1e-9*want) {
				t.Fatalf("rest %v and drops %v: at %d it is %v, want %v", rest, drops, at, got, want)
			}
			until, ok := g.Until(at)
			if !ok {
				until = math.MaxInt64
			}
			if until < at || g.At(until) != got || ok && until < math.MaxInt64 && !(g.At(until+1) < got) {
				t.Fatalf("rest %v and drops %v: at %d it is %v until %d, %v", rest, drops, at, got, until, ok)
			}
		}
	})
}
