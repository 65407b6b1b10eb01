package histogram_test

import (
	"fmt"
	"log"
	"math"
	"time"

	"example.com/augur/histogram"
)

// fading is a distribution in which a value counts half as much after each half-life. Time
// passes without touching the histogram: instead, new values weigh more.
type fading struct {
	*histogram.Histogram
	halfLife  time.Duration
	reference time.Time // when a value has weight 1
}

func (f *fading) add(x float64, at time.Time) error {
	weight := math.Exp2(at.Sub(f.reference).Hours() / f.halfLife.Hours())
	if weight > 1<<20 {
		if err := f.Scale(1 / weight); err != nil {
			return err
		}
		f.reference, weight = at, 1
	}
	return f.AddN(x, weight)
}

// A service took 20 ms for a month, and takes 50 ms since its last release, two days ago.
// The histogram of all that happened does not show it yet; the fading one does.
func Example_fading() {
	all, err := histogram.New(histogram.Config{})
	if err != nil {
		log.Fatal(err)
	}
	start := time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)
	recent := fading{Histogram: new(histogram.Histogram), halfLife: 12 * time.Hour, reference: start}
	for hour := range 32 * 24 {
		took := 20 + float64(hour%10) // ms
		if hour >= 30*24 {
			took += 30
		}
		if err := all.Add(took); err != nil {
			log.Fatal(err)
		}
		if err := recent.add(took, start.Add(time.Duration(hour)*time.Hour)); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("median %.0f ms, of late %.0f ms\n", all.Quantile(0.5), recent.Quantile(0.5))
	fmt.Printf("slower than 40 ms: %.0f %%, of late %.0f %%\n", 100*all.Survival(40), 100*recent.Survival(40))
	// Output:
	// median 25 ms, of late 54 ms
	// slower than 40 ms: 6 %, of late 94 %
}
