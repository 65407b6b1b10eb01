package estimate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

const (
	conformalVersion = 1
	conformalHead    = 3 + 4 + 3*8 // the letter, the version, 1 for factors; the window; Coverage, Rate, misses
)

// MarshalBinary returns an encoding of c: its configuration and 8 bytes for each score in the window. So encoding/gob saves
// Conformals too, alone or in a map. The error is always nil.
func (c *Conformal) MarshalBinary() ([]byte, error) {
	b := append(make([]byte, 0, conformalHead+8*len(c.ring)), 'C', conformalVersion, 1)
	b = binary.LittleEndian.AppendUint32(b, conformalWindow)
	for _, x := range slices.Concat([]float64{c.c.Coverage, c.c.Rate, c.misses}, c.ring[c.next:], c.ring[:c.next]) {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b, nil
}

// UnmarshalBinary replaces c by the Conformal that b encodes, with the configuration that it had. Its intervals are then equal to the
// last bit. If b is not such an encoding, UnmarshalBinary returns an error and leaves c unchanged.
func (c *Conformal) UnmarshalBinary(b []byte) error {
	if len(b) < conformalHead || len(b)%8 != conformalHead%8 || b[0] != 'C' || b[2] != 1 {
		return errors.New("estimate: not an encoded Conformal, or cut short")
	}
	if b[1] != conformalVersion {
		return fmt.Errorf("estimate: an encoded Conformal of version %d, want %d", b[1], conformalVersion)
	}
	if window := binary.LittleEndian.Uint32(b[3:]); window != conformalWindow {
		return fmt.Errorf("estimate: an encoded Conformal with a window of %d, want %d", window, conformalWindow)
	}
	float := func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b[7+8*i:])) }
	next := Conformal{window: conformalWindow, misses: float(2), c: ConformalConfig{Coverage: float(0), Rate: float(1)}}
	n := (len(b) - conformalHead) / 8
	if err := next.c.check(); err != nil {
		return fmt.Errorf("%w, in an encoded Conformal", err)
	}
	// Without a Rate the target of misses stays as it is. With one it may be a step outside [0, 1].
	rate, miss := next.c.Rate, 1-next.c.Coverage
	if (rate == 0 || n == 0) && next.misses != miss || !(next.misses >= rate*(miss-1)-1e-9 && next.misses <= 1+rate*miss+1e-9) {
		return fmt.Errorf("estimate: an encoded Conformal whose target share of misses is %v", next.misses)
	}
	if n > conformalWindow {
		return fmt.Errorf("estimate: an encoded Conformal with %d scores, more than its window of %d", n, conformalWindow)
	}
	next.ring = make([]float64, n)
	for i := range next.ring {
		if next.ring[i] = float(3 + i); !(next.ring[i] >= 0) {
			return fmt.Errorf("estimate: an encoded Conformal with a score of %v", next.ring[i])
		}
	}
	next.sorted = slices.Sorted(slices.Values(next.ring))
	*c = next
	return nil
}
