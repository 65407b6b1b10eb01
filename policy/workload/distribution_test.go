package workload_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload"
)

// The seeds of these tests are fixed, so they pass or fail for good. Bounds are such that
// a right generator stays within them for all but one seed in 10,000: four standard
// errors, or a distance between distributions from wantDistribution.

// plain returns a generator of jobs whose tasks are as simple as can be, to be changed in
// the one respect that a test is about.
func plain(jobs int) workload.HeavyTail {
	g := workload.DefaultHeavyTail()
	g.Jobs, g.Swing, g.MaxWidth, g.Recurring = jobs, 0, 1, 0
	g.RuntimeSigma, g.RunSigma, g.TaskSigma = 0, 0, 0
	return g
}

func TestHeavyTailRecurring(t *testing.T) {
	for _, share := range []float64{0, 0.7, 1} {
		g := plain(10_000)
		g.Recurring, g.Programs = share, 20
		runs, all := make([]float64, g.Programs), 0.0
		for _, j := range generated(t, g) {
			if recurring(j) {
				all++
				name, _ := j.Attr("program")
				var i int
				if _, err := fmt.Sscanf(name, "p%d", &i); err != nil {
					t.Fatal(err)
				}
				runs[i]++
			}
		}
		n := float64(g.Jobs)
		jobtest.WantWithin(t, fmt.Sprintf("share %v", share), all/n, share, math.Sqrt(share*(1-share)/n))
		// Zipf's law: program i has a share of 1/(i+1) over the 20th harmonic number.
		for i := range runs {
			p := 1 / float64(i+1) / 3.597739657
			jobtest.WantWithin(t, fmt.Sprintf("share %v: runs of program %d", share, i), runs[i], p*all, math.Sqrt(p*(1-p)*all))
		}
	}
}

// A width is the whole part of a Pareto variable on [1, MaxWidth+1), so it is at most k
// with the probability that the variable is below k+1.
func TestHeavyTailWidths(t *testing.T) {
	for _, test := range []struct {
		tail float64
		most int
	}{{1.1, 1000}, {0.5, 20}} {
		g := plain(10_000)
		g.WidthTail, g.MaxWidth = test.tail, test.most
		var widths []float64
		for _, j := range generated(t, g) {
			widths = append(widths, float64(j.Tasks()))
		}
		cdf := func(x float64) float64 {
			k := min(max(math.Floor(x), 0), float64(test.most))
			return (1 - math.Pow(k+1, -test.tail)) / (1 - math.Pow(float64(test.most)+1, -test.tail))
		}
		jobtest.WantDistribution(t, fmt.Sprintf("widths to %d with tail %v", test.most, test.tail), widths, cdf)
	}
}

// The rate at hour h of the calendar day is 1 - Swing cos(2πh/24) times its mean,
// wherever in the day instant 0 lies. Over whole days, the number of jobs in an hour of
// the day is a Poisson variable, whose variance is its mean.
func TestHeavyTailSwing(t *testing.T) {
	const days = 6
	for _, test := range []struct {
		swing float64
		start time.Duration // from midnight to instant 0
	}{{0, 7 * time.Hour}, {0.5, 0}, {0.5, 18 * time.Hour}, {1, 450 * time.Minute}} {
		g := plain(days * 24 * 360)
		g.MeanGap, g.Swing = 10*time.Second, test.swing
		g.Start = time.Date(2026, time.June, 1, 0, 0, 0, 0, time.FixedZone("", 5*3600)).Add(test.start)
		g.Jobs += g.Jobs / 20 // to be sure that they last for all days
		var hours [24]float64
		jobs := generated(t, g)
		for _, j := range jobs {
			if j.Submitted.Seconds() < days*86400 {
				hours[j.At.Hour()]++
			}
		}
		if end := jobs[len(jobs)-1].Submitted.Seconds(); end < days*86400 {
			t.Fatalf("got %v s of jobs, want at least %d days", end, days)
		}
		name := fmt.Sprintf("swing %v from %v", test.swing, test.start)
		for h := range hours {
			angle := func(hour int) float64 { return 2 * math.Pi * float64(hour) / 24 }
			want := days * 360 * (1 - test.swing*(math.Sin(angle(h+1))-math.Sin(angle(h)))/angle(1))
			jobtest.WantWithin(t, fmt.Sprintf("%s: jobs in hour %d", name, h), hours[h], want, math.Sqrt(want))
		}
		// From ten to two, at night and at noon; the error is that of a ratio of counts.
		night, noon := hours[22]+hours[23]+hours[0]+hours[1], hours[10]+hours[11]+hours[12]+hours[13]
		edge := math.Sin(math.Pi/6) / (math.Pi / 6) // mean of the cosine from -2 h to 2 h
		want := (1 - test.swing*edge) / (1 + test.swing*edge)
		jobtest.WantWithin(t, name+": night to noon", night/noon, want, want*math.Sqrt(1/night+1/noon))
	}
}
