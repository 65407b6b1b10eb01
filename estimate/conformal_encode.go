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
	conformalHead    = 3 + 4 + 3*8 // the letter, the version, Relative; Window; Coverage, Rate, misses
)

// MarshalBinary returns an encoding of c: its configuration and 8 bytes for each score in the window. So encoding/gob saves
// Conformals too, alone or in a map. The error is always nil.
func (c *Conformal) MarshalBinary() ([]byte, error) {
	b := append(make([]byte, 0, conformalHead+8*len(c.ring)), 'C', conformalVersion, 0)
	if c.c.Relative {
		b[2] = 1
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(c.c.Window))
	for _, x := range slices.Concat([]float64{c.c.Coverage, c.c.Rate, c.misses}, c.ring[c.next:], c.ring[:c.next]) {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b, nil
}

// UnmarshalBinary replaces c by the Conformal that b encodes, with the configuration that it had. Its intervals are then equal to the
// last bit. If b is not such an encoding, UnmarshalBinary returns an error and leaves c unchanged.
func (c *Conformal) UnmarshalBinary(b []byte) error {
	if len(b) < conformalHead || len(b)%8 != conformalHead%8 || b[0] != 'C' || b[2] > 1 {
		return errors.New("estimate: not an encoded Conformal, or cut short")
	}
	if b[1] != conformalVersion {
		return fmt.Errorf("estimate: an encoded Conformal of version %d, want %d", b[1], conformalVersion)
	}
	var x []float64
	for tail := b[7:]; len(tail) > 0; tail = tail[8:] {
		x = append(x, math.Float64frombits(binary.LittleEndian.Uint64(tail)))
	}
	next, err := NewConformal(ConformalConfig{
		Coverage: x[0], Window: int(binary.LittleEndian.Uint32(b[3:])), Relative: b[2] == 1, Rate: x[1],
	})
	if err != nil {
		return fmt.Errorf("an encoded Conformal: %w", err)
	}
	next.misses, next.ring = x[2], x[3:]
	next.sorted = slices.Sorted(slices.Values(next.ring))
	n := len(next.sorted)
	switch {
	case !(math.Abs(next.misses) <= 2):
		return fmt.Errorf("estimate: an encoded Conformal whose share of misses is %v", next.misses)
	case n > next.c.Window:
		return fmt.Errorf("estimate: an encoded Conformal with %d scores, more than its window of %d", n, next.c.Window)
	case n > 0 && (math.IsNaN(next.sorted[0]) || next.c.Relative && next.sorted[0] < 0):
		return fmt.Errorf("estimate: an encoded Conformal with a score of %v", next.sorted[0])
	}
	*c = *next
	return nil
}
