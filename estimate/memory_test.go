package estimate

import (
	"testing"
	"unsafe"
)

func TestPointEstimatorsAreSmall(t *testing.T) {
	for name, test := range map[string]struct{ got, most uintptr }{
		"Rolling":   {unsafe.Sizeof(Rolling{}), 8},
		"Recent":    {unsafe.Sizeof(Recent{}), 56},
		"NMAE":      {unsafe.Sizeof(NMAE{}), 16},
		"Moments":   {unsafe.Sizeof(Moments{}), 40},
		"Posterior": {unsafe.Sizeof(Posterior{}), 56},
	} {
		if test.got > test.most {
			t.Errorf("a %s takes %d bytes, want at most %d", name, test.got, test.most)
		}
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	var (
		rolling Rolling
		nmae    NMAE
		moments Moments
	)
	recent, _ := NewRecent(64)
	for range 64 {
		recent.Add(1)
	}
	p, _ := NewPosterior(PosteriorConfig{Mean: 1, Between: 1, Within: 1})
	x := 1.0
	if got := testing.AllocsPerRun(100, func() {
		x++
		rolling.Add(x)
		recent.Add(x)
		recent.Median()
		recent.Mean()
		nmae.Add(x, 2)
		moments.Add(x)
		moments.Remove(x)
		moments.CoV()
		p.Add(x)
		p.CDF(x)
		p.Quantile(0.3)
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
