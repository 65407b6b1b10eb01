package queue_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/queue"
)

// A job of 100 s passes one of a second that comes ten minutes later, and not one that comes half an hour later.
func ExampleAging() {
	aging, err := queue.NewAging(10*time.Minute, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	type job struct {
		name      string
		seconds   float64
		submitted time.Duration
	}
	jobs := []job{{"long", 100, 0}, {"soon", 1, 30 * time.Minute}, {"late", 1, 50 * time.Minute}}
	slices.SortFunc(jobs, func(a, b job) int {
		return cmp.Compare(aging.Key(a.seconds, a.submitted), aging.Key(b.seconds, b.submitted))
	})
	for _, j := range jobs {
		fmt.Println(j.name, aging.Priority(j.seconds, j.submitted, 1000, 0.1))
	}
	// Output:
	// soon 970
	// long 954
	// late 950
}

// drawAging draws a rule and two elements, of which the first is submitted no later.
func drawAging(t *testing.T, r *rand.Rand) (a queue.Aging, tau time.Duration, floor float64, size [2]float64, at [2]time.Duration) {
	tau, floor = time.Duration(math.Exp(r.Float64()*20)*1e6), math.Exp(r.NormFloat64()*3)
	a, err := queue.NewAging(tau, floor)
	if err != nil {
		t.Fatal(err)
	}
	for i := range size {
		size[i] = floor * math.Exp(r.NormFloat64()*4)
	}
	at[0] = time.Duration(r.Float64() * 5 * float64(tau))
	at[1] = at[0] + time.Duration(r.ExpFloat64()*2*float64(tau))
	return a, tau, floor, size, at
}

// An element is passed by another one if that is submitted less than τ·ln(R/r) after it, and never else. An integer says the same to its resolution.
func TestAgingBound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	passes, shares := 0, 0
	for range 20_000 {
		a, tau, floor, size, at := drawAging(t, r)
		bound := float64(tau) * math.Log(max(size[0], floor)/max(size[1], floor))
		after := float64(at[1] - at[0])
		if math.Abs(after-bound) < 1e-6*float64(tau) {
			continue // by rounding it may be either
		}
		passed := a.Key(size[1], at[1]) < a.Key(size[0], at[0])
		if passed != (after < bound) {
			t.Fatalf("τ %v, floor %v: %v of instant %v is passed by %v of %v: %t, the bound is %v", tau, floor, size[0], at[0], size[1], at[1], passed, time.Duration(bound))
		}
		if passed {
			passes++
		}

		const band = 1 << 20
		resolution := 0.001 + r.Float64()
		p, q := a.Priority(size[0], at[0], band, resolution), a.Priority(size[1], at[1], band, resolution)
		if q > p && after > bound || p > q && after < bound {
			t.Fatalf("τ %v, floor %v: priorities %d and %d with %v after, the bound is %v", tau, floor, p, q, time.Duration(after), time.Duration(bound))
		}
		if p == q {
			shares++
			if math.Abs(after-bound) > resolution*float64(tau)*(1+1e-6) {
				t.Fatalf("τ %v: priority %d twice, though %v lies more than %v from %v", tau, p, after, resolution, bound)
			}
		}

		epoch := time.Unix(1e9, 0)
		longest := max(size[0], size[1], floor)
		if earlier := a.Time(size[1], longest, epoch.Add(at[1])).Before(a.Time(size[0], longest, epoch.Add(at[0]))); earlier != passed {
			t.Fatalf("τ %v: the instants say %t, the keys %t", tau, earlier, passed)
		}
	}
	if passes < 1000 || shares < 1000 {
		t.Errorf("%d passes and %d shared priorities, too few to tell", passes, shares)
	}
}

// What lies outside the band counts as its nearest end, and from an epoch on the band lasts as long as its comment says.
func TestAgingPriorityEnds(t *testing.T) {
	a, err := queue.NewAging(time.Hour, 1)
	if err != nil {
		t.Fatal(err)
	}
	const band, resolution = 100, 0.1
	lasts := time.Duration((band*resolution - math.Log(1000)) * float64(time.Hour))
	for _, test := range []struct {
		size float64
		at   time.Duration
		want int64
	}{
		{1, 0, band},
		{math.NaN(), 0, band},
		{-1, time.Minute, band},
		{1, -time.Hour, band},
		{math.Exp(0.15), 0, band - 1},
		{1000, lasts - time.Minute, 1},
		{1000, lasts - 8*time.Minute, 2},
		{1000, lasts + time.Hour, 1},
		{math.Inf(1), 0, 1},
		{1, math.MaxInt64, 1},
	} {
		if got := a.Priority(test.size, test.at, band, resolution); got != test.want {
			t.Errorf("size %v at %v: priority %d, want %d", test.size, test.at, got, test.want)
		}
	}
	if at := time.Unix(1e9, 0); !a.Time(2000, 1000, at).Equal(at) || !a.Time(1, 1000, at).Equal(at.Add(-time.Duration(math.Log(1000)*float64(time.Hour)))) {
		t.Errorf("instants %v and %v", a.Time(2000, 1000, at), a.Time(1, 1000, at))
	}
	for _, longest := range []float64{0, 0.5, math.Inf(1), math.NaN()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Time with a longest of %v is no panic", longest)
				}
			}()
			a.Time(1, longest, time.Unix(0, 0))
		}()
	}
}

func TestAgingErrors(t *testing.T) {
	for _, test := range []struct {
		tau   time.Duration
		floor float64
		want  string
	}{
		{0, 1, "tau of an Aging is 0s"},
		{-1, 1, "tau of an Aging is -1ns"},
		{1, 0, "floor of an Aging is 0"},
		{1, math.NaN(), "floor of an Aging is NaN"},
		{1, math.Inf(1), "floor of an Aging is +Inf"},
	} {
		if _, err := queue.NewAging(test.tau, test.floor); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("NewAging(%v, %v): %v, want %q", test.tau, test.floor, err, test.want)
		}
	}
}
