package estimate

import "fmt"

// A Mean is the mean of all values added. The zero Mean is ready for use. It takes 16 bytes.
type Mean struct {
	n    int64
	mean float64
}

// Add adds x, which must be finite and at least 0.
func (m *Mean) Add(x float64) error {
	if err := checkValue("value", x); err != nil {
		return err
	}
	m.n++
	m.mean += (x - m.mean) / float64(m.n)
	return nil
}

// Value returns the mean, and false if nothing was added.
func (m *Mean) Value() (mean float64, ok bool) { return m.mean, m.n > 0 }

// N returns the number of values added.
func (m *Mean) N() int64 { return m.n }

// A Rolling is an exponentially weighted average: with each value x it becomes
//
//	r = a*x + (1-a)*r
//
// and the first value as it is. Make one with [NewRolling]; the zero Rolling has weight
// [RollingWeight]. It takes 16 bytes.
//
// # Source
//
// 3Sigma, section 4.1, expert (c).
type Rolling struct {
	weight float64
	r      optional
}

// RollingWeight is the weight of the newest value that 3Sigma uses.
const RollingWeight = 0.6

// NewRolling returns an average in which the newest value has weight a, in (0, 1]; 0 means
// [RollingWeight].
func NewRolling(a float64) (Rolling, error) {
	if a == 0 {
		return Rolling{}, nil
	}
	if !(a > 0 && a <= 1) {
		return Rolling{}, fmt.Errorf("estimate: weight of the newest value is %v, must be in (0, 1]", a)
	}
	return Rolling{weight: a}, nil
}

// Add adds x, which must be finite and at least 0.
func (r *Rolling) Add(x float64) error {
	if err := checkValue("value", x); err != nil {
		return err
	}
	if old, ok := r.r.get(); ok {
		a := r.weight
		if a == 0 {
			a = RollingWeight
		}
		x = float64(a*x) + float64((1-a)*old)
	}
	r.r = some(x)
	return nil
}

// Value returns the average, and false if nothing was added.
func (r *Rolling) Value() (average float64, ok bool) { return r.r.get() }
