package histogram

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// ErrFormat is wrapped by all errors of decoding.
var ErrFormat = errors.New("histogram: not an encoded histogram")

const version = 2

// AppendBinary appends an encoding of h to b: a version, the configuration and the numbers. The
// decoded histogram has the same bins, and its answers are equal to the last bit. A number takes
// at most ten bytes, a small integer two or three. The error is always nil.
func (h Histogram) AppendBinary(b []byte) ([]byte, error) {
	c := h.Config()
	b = append(b, 'H', version, 0) // the 0 was once a choice of how to join bins
	b = binary.AppendUvarint(b, uint64(c.Bins))
	b = binary.AppendUvarint(b, uint64(len(h.bins)))
	if h.count == 0 {
		return b, nil
	}
	for _, x := range []float64{h.count, h.origin, h.sum, h.squares, h.min, h.max} {
		b = appendFloat(b, x)
	}
	for _, x := range h.bins {
		b = appendFloat(b, x.centre)
		b = appendFloat(b, x.count)
	}
	return b, nil
}

// MarshalBinary returns what [Histogram.AppendBinary] appends. The error is always nil.
func (h Histogram) MarshalBinary() ([]byte, error) { return h.AppendBinary(nil) }

// UnmarshalBinary replaces h by the histogram that b encodes. If b is not an encoding of this
// version, it returns an error that wraps [ErrFormat] and leaves h unchanged. There is no checksum:
// damaged bytes that still encode a histogram are accepted. UnmarshalBinary allocates at most a few
// times the length of b.
func (h *Histogram) UnmarshalBinary(b []byte) error {
	if len(b) < 3 || b[0] != 'H' {
		return fmt.Errorf("%w: no header", ErrFormat)
	}
	if b[1] != version {
		return fmt.Errorf("%w: version %d, not %d", ErrFormat, b[1], version)
	}
	rule := b[2]
	limit, b, ok1 := cutUvarint(b[3:])
	n, b, ok2 := cutUvarint(b)
	switch {
	case !ok1 || !ok2 || n > uint64(len(b))/2:
		return fmt.Errorf("%w: cut short", ErrFormat)
	case rule != 0 || limit < 1 || limit > maxBins || n > limit:
		return fmt.Errorf("%w: join rule %d, %d bins of %d", ErrFormat, rule, n, limit)
	}
	next := Histogram{limit: int(limit), bins: make([]bin, n)}
	if n > 0 {
		for _, x := range []*float64{&next.count, &next.origin, &next.sum, &next.squares, &next.min, &next.max} {
			if *x, b, ok1 = cutFloat(b); !ok1 {
				return fmt.Errorf("%w: cut short", ErrFormat)
			}
		}
		for i := range next.bins {
			next.bins[i].centre, b, ok1 = cutFloat(b)
			next.bins[i].count, b, ok2 = cutFloat(b)
			if !ok1 || !ok2 {
				return fmt.Errorf("%w: cut short", ErrFormat)
			}
		}
	}
	if len(b) > 0 {
		return fmt.Errorf("%w: %d bytes too many", ErrFormat, len(b))
	}
	if n > 0 {
		if err := next.check(next.bins); err != nil {
			return err
		}
	}
	*h = next
	return nil
}

// check returns an error if no sequence of calls leads to these moments and bins.
func (m *moments) check(bins []bin) error {
	sum := 0.0
	for i, b := range bins {
		c := b.centre
		if !(c >= m.min && c <= m.max) || i > 0 && !(c > bins[i-1].centre) || c == 0 && math.Signbit(c) {
			return fmt.Errorf("%w: centre %v out of range or order", ErrFormat, c)
		}
		if b.count == 0 {
			return fmt.Errorf("%w: a bin without count", ErrFormat)
		}
		sum += b.n()
	}
	switch {
	case !(sum <= math.MaxFloat64 && m.count > 0 && m.count <= math.MaxFloat64 && math.Abs(sum/m.count-1) < 1e-3):
		return fmt.Errorf("%w: count %v, that of the bins %v", ErrFormat, m.count, sum)
	case m.min < -math.MaxFloat64 || m.max > math.MaxFloat64:
		return fmt.Errorf("%w: minimum %v, maximum %v", ErrFormat, m.min, m.max)
	case !(m.origin >= m.min && m.origin <= m.max) || !(math.Abs(m.sum) <= math.MaxFloat64) || !(m.squares >= 0) ||
		m.squares > math.MaxFloat64 && m.sum != 0:
		return fmt.Errorf("%w: origin %v, sum %v, squares %v", ErrFormat, m.origin, m.sum, m.squares)
	}
	return nil
}

// appendFloat appends x with the bytes reversed as a uvarint, so that a number of few
// significant bits is short.
func appendFloat(b []byte, x float64) []byte {
	return binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(x)))
}

func cutFloat(b []byte) (float64, []byte, bool) {
	v, b, ok := cutUvarint(b)
	return math.Float64frombits(bits.ReverseBytes64(v)), b, ok
}

func cutUvarint(b []byte) (uint64, []byte, bool) {
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil, false
	}
	return v, b[n:], true
}
