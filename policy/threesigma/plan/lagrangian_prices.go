package plan

import "math"

// Prices are what a node is worth in each pool and slot, in units of utility: dual prices, of the least
// bound that was found. Where nodes are left over they are 0. Of pools that are within one another a node
// costs the sum. They are the State of a
// [Search], so that a scheduler can begin its next cycle with them, and can say why a job waits.
type Prices [][]float64

// Shift returns the prices for a problem that begins so many slots later: those of its last slots,
// which were not in the old one, are 0. With a number that is negative it begins earlier, and the
// first are 0.
func (p Prices) Shift(slots int) Prices {
	shifted := make(Prices, len(p))
	for i, row := range p {
		shifted[i] = make([]float64, len(row))
		switch n := len(row); {
		case slots >= n || slots <= -n:
		case slots >= 0:
			copy(shifted[i], row[slots:])
		default:
			copy(shifted[i][-slots:], row)
		}
	}
	return shifted
}

// warm returns prices as one row, all 0 if w is not Prices for as many pools and slots; what
// is no price counts as 0.
func warm(w any, pools, slots int) []float64 {
	row := make([]float64, pools*slots)
	prices, ok := w.(Prices)
	if !ok || len(prices) != pools {
		return row
	}
	for _, p := range prices {
		if len(p) != slots {
			return row
		}
	}
	for i, p := range prices {
		for t, x := range p {
			if x > 0 && !math.IsInf(x, 1) {
				row[i*slots+t] = x
			}
		}
	}
	return row
}

func newPrices(row []float64, pools, slots int) Prices {
	p := make(Prices, pools)
	for i := range p {
		p[i] = append([]float64(nil), row[i*slots:(i+1)*slots]...)
	}
	return p
}
