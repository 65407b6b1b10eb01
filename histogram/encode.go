package histogram

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// ErrFormat is wrapped by the errors that decoding returns.
var ErrFormat = errors.New("histogram: not an encoded histogram")

const version = 1

// AppendBinary appends an encoding of h to b: a version, the configuration, and the numbers,
// from which decoding makes a histogram with the same bins and answers to the last bit.
// Integers of a few digits take two or three bytes each, any number at most ten. The error
// is always nil.
func (h Histogram) AppendBinary(b []byte) ([]byte, error) {
	c := h.Config()
	b = append(b, 'H', version, byte(c.Join))
	b = binary.AppendUvarint(b, uint64(c.Bins))
	b = binary.AppendUvarint(b, uint64(len(h.bins)))
	if h.count == 0 {
		return b, nil
	}
	for _, x := range []float64{h.count, h.origin, h.sum, h.squares, h.min, h.max} {
		b = appendFloat(b, x)
	}
	centres, counts := h.arrays()
	for i, c := range centres {
		b = appendFloat(b, c)
		b = appendFloat(b, counts[i])
	}
	return b, nil
}

// MarshalBinary returns what [Histogram.AppendBinary] appends. The error is always nil.
func (h Histogram) MarshalBinary() ([]byte, error) { return h.AppendBinary(nil) }

// UnmarshalBinary makes h the histogram that b encodes. Anything that is not one is refused
// with an error that wraps [ErrFormat], and h is left as it was. It allocates no more than a
// few times the length of b.
func (h *Histogram) UnmarshalBinary(b []byte) error {
	if len(b) < 3 || b[0] != 'H' {
		return fmt.Errorf("%w: no header", ErrFormat)
	}
	if b[1] != version {
		return fmt.Errorf("%w: version %d, not %d", ErrFormat, b[1], version)
	}
	p := plain{Version: version, Join: Join(b[2]).String()}
	b = b[3:]
	bins, b, ok1 := cutUvarint(b)
	n, b, ok2 := cutUvarint(b)
	if !ok1 || !ok2 || bins > maxBins || n > uint64(len(b))/2 {
		return fmt.Errorf("%w: wrong number of bins, or cut short", ErrFormat)
	}
	p.Bins = int(bins)
	if n > 0 {
		p.Squares = new(float64)
		for _, x := range []*float64{&p.Count, &p.Origin, &p.Sum, p.Squares, &p.Min, &p.Max} {
			if *x, b, ok1 = cutFloat(b); !ok1 {
				return fmt.Errorf("%w: cut short", ErrFormat)
			}
		}
		p.Centres = make([]float64, n)
		p.Counts = make([]float64, n)
		for i := range p.Centres {
			p.Centres[i], b, ok1 = cutFloat(b)
			p.Counts[i], b, ok2 = cutFloat(b)
			if !ok1 || !ok2 {
				return fmt.Errorf("%w: cut short", ErrFormat)
			}
		}
	}
	if len(b) > 0 {
		return fmt.Errorf("%w: %d bytes too many", ErrFormat, len(b))
	}
	return h.set(&p)
}

// MarshalJSON encodes h as an object with the members version (1), bins, join ("gap", "mass",
// "log" or "logmass") and, unless it is empty, count, origin, sum and squares (the sums of the
// distances from origin and of their squares; squares is absent if it is too large), min, max, centres and
// counts, where the count of a bin that has come from joining is negative.
func (h Histogram) MarshalJSON() ([]byte, error) {
	c := h.Config()
	p := plain{Version: version, Bins: c.Bins, Join: c.Join.String()}
	if h.count > 0 {
		p.Count, p.Origin, p.Sum, p.Min, p.Max = h.count, h.origin, h.sum, h.min, h.max
		if h.squares <= math.MaxFloat64 {
			p.Squares = new(h.squares)
		}
		p.Centres, p.Counts = h.arrays()
	}
	return json.Marshal(p)
}

// UnmarshalJSON makes h the histogram that b encodes. Anything that is not one is refused, and
// h is left as it was. It allocates no more than a few times the length of b. The error wraps
// [ErrFormat].
func (h *Histogram) UnmarshalJSON(b []byte) error {
	var p plain
	if err := json.Unmarshal(b, &p); err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if p.Version != version {
		return fmt.Errorf("%w: version %d, not %d", ErrFormat, p.Version, version)
	}
	if len(p.Centres) > 0 && p.Squares == nil {
		p.Squares = new(math.Inf(1))
	}
	return h.set(&p)
}

// plain is a histogram as it is encoded.
type plain struct {
	Version int       `json:"version"`
	Bins    int       `json:"bins"`
	Join    string    `json:"join"`
	Count   float64   `json:"count,omitempty"`
	Origin  float64   `json:"origin,omitempty"`
	Sum     float64   `json:"sum,omitempty"`
	Squares *float64  `json:"squares,omitempty"`
	Min     float64   `json:"min,omitempty"`
	Max     float64   `json:"max,omitempty"`
	Centres []float64 `json:"centres,omitempty"`
	Counts  []float64 `json:"counts,omitempty"`
}

// set makes h the histogram p if p is one that could have come about.
func (h *Histogram) set(p *plain) error {
	join := JoinDefault
	for j := JoinGap; j <= JoinLogMass; j++ {
		if p.Join == j.String() {
			join = j
		}
	}
	if join == JoinDefault || p.Bins < 1 || p.Bins > maxBins {
		return fmt.Errorf("%w: join rule %q, %d bins", ErrFormat, p.Join, p.Bins)
	}
	if len(p.Centres) != len(p.Counts) || len(p.Centres) > p.Bins {
		return fmt.Errorf("%w: %d centres, %d counts, at most %d bins", ErrFormat, len(p.Centres), len(p.Counts), p.Bins)
	}
	n := len(p.Centres)
	next := Histogram{limit: uint16(p.Bins), join: join, least: -1}
	if n == 0 {
		*h = next
		return nil
	}
	sum := 0.0
	for i, c := range p.Centres {
		if !(c >= p.Min && c <= p.Max) || i > 0 && !(c > p.Centres[i-1]) || c == 0 && math.Signbit(c) {
			return fmt.Errorf("%w: centre %v out of range or order", ErrFormat, c)
		}
		if p.Counts[i] == 0 {
			return fmt.Errorf("%w: a bin without count", ErrFormat)
		}
		sum += math.Abs(p.Counts[i])
	}
	switch {
	case !(sum <= math.MaxFloat64 && p.Count > 0 && p.Count <= math.MaxFloat64 && math.Abs(sum/p.Count-1) < 1e-3):
		return fmt.Errorf("%w: count %v, that of the bins %v", ErrFormat, p.Count, sum)
	case p.Min < -math.MaxFloat64 || p.Max > math.MaxFloat64:
		return fmt.Errorf("%w: minimum %v, maximum %v", ErrFormat, p.Min, p.Max)
	case !(p.Origin >= p.Min && p.Origin <= p.Max) || !(math.Abs(p.Sum) <= math.MaxFloat64) || !(*p.Squares >= 0) ||
		*p.Squares > math.MaxFloat64 && p.Sum != 0:
		return fmt.Errorf("%w: origin %v, sum %v, squares %v", ErrFormat, p.Origin, p.Sum, *p.Squares)
	}
	next.setBins(p.Centres, p.Counts)
	next.count, next.min, next.max = p.Count, p.Min, p.Max
	next.origin, next.sum, next.squares = p.Origin, p.Sum, *p.Squares
	*h = next
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
