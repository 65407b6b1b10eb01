package cli

import (
	"fmt"

	"example.com/augur/policy/sim"
)

// Paired is a [sim.RatioInterval] in JSON. The interval of a single ratio is unknown.
type Paired struct {
	Ratio float64  `json:"ratio"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// Pair returns the geometric mean of the ratios of x to another list, pair by pair. It returns nil if there are none, or one is 0 or
// not finite.
func Pair(x, to []float64) *Paired {
	r := sim.RatioInterval(x, to)
	if Some(r.Mean) == nil {
		return nil
	}
	return &Paired{r.Mean, Some(r.Low), Some(r.High)}
}

// Text returns the ratio with its interval, with so many decimals; - if p is nil.
func (p *Paired) Text(decimals int) string {
	switch {
	case p == nil:
		return "-"
	case p.Low == nil:
		return Fixed(&p.Ratio, decimals)
	}
	return fmt.Sprintf("%s [%s %s]", Fixed(&p.Ratio, decimals), Fixed(p.Low, decimals), Fixed(p.High, decimals))
}
