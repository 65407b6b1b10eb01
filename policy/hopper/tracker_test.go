package hopper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

const second = policy.Time(time.Second)

func ExampleTracker() {
	rule, err := hopper.NewSimple(hopper.SimpleConfig{Delay: 5 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	var tracker hopper.Tracker
	for task := range uint32(3) {
		tracker.Start(0, task, 0, 0)
	}
	tracker.Finish(0, 18*time.Second)
	tracker.Finish(1, 22*time.Second)

	// At 30 s task 2 says that it has done a third: it has 60 s to go. A copy would take 20 s.
	tracker.Report(30*second, 2, 0, 30*time.Second, 1.0/3)
	phase := tracker.Phase(30*second, 0, 3)
	fmt.Printf("t_rem %.0f s, t_new %.0f s\n", phase.Running[0].Remaining, phase.Running[0].New)
	move, ok := rule.Next(phase, hopper.Room{})
	fmt.Println(move.Kind, move.Task, ok)

	// Once the copy is started it is the one that will be first, in 20 s.
	tracker.Start(30*second, 2, 1, 0)
	phase = tracker.Phase(32*second, 0, 3)
	fmt.Printf("%d copies, t_rem %.0f s\n", phase.Running[0].Copies, phase.Running[0].Remaining)
	// Output:
	// t_rem 60 s, t_new 20 s
	// Duplicate 2 true
	// 2 copies, t_rem 18 s
}

// While a copy is suspended nothing changes, and then it goes on from there.
func ExampleTracker_Suspend() {
	var tracker hopper.Tracker
	remaining := func(now policy.Time) float64 { return tracker.Phase(now, 0, 1).Running[0].Remaining }
	tracker.Start(0, 2, 0, 0)
	tracker.Report(30*second, 2, 0, 30*time.Second, 1.0/3)
	fmt.Printf("%.0f s at 40 s\n", remaining(40*second))
	tracker.Suspend(40*second, 2, 0, 40*time.Second)
	fmt.Printf("%.0f s at 90 s\n", remaining(90*second))
	tracker.Resume(90*second, 2, 0, 40*time.Second)
	fmt.Printf("%.0f s at 100 s\n", remaining(100*second))
	// Output:
	// 50 s at 40 s
	// 50 s at 90 s
	// 40 s at 100 s
}

func TestTracker(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	var tracker hopper.Tracker
	check := func(what string, now policy.Time, fresh float64, want ...hopper.Running) {
		t.Helper()
		p := tracker.Phase(now, 5, 7)
		if p.Waiting != 5 || p.Slots != 7 || p.Left != 0 {
			t.Errorf("%s: waiting, slots, left are %d, %d, %v", what, p.Waiting, p.Slots, p.Left)
		}
		if p.New != fresh && !(math.IsNaN(p.New) && math.IsNaN(fresh)) {
			t.Errorf("%s: New is %v, want %v", what, p.New, fresh)
		}
		if diff := cmp.Diff(want, p.Running, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	check("nothing", 0, nan)
	ok(tracker.Start(0, 3, 0, 0))
	ok(tracker.Start(2*second, 1, 0, 0))
	ok(tracker.Start(4*second, 1, 0, 0)) // it was ordered at 2 s and runs from 4 s
	check("no report, no task finished", 8*second, nan,
		hopper.Running{Task: 1, Copies: 1, Elapsed: 4, Rate: nan, Remaining: nan, New: nan, Youngest: 4},
		hopper.Running{Task: 3, Copies: 1, Elapsed: 8, Rate: nan, Remaining: nan, New: nan, Youngest: 8})

	ok(tracker.Finish(7, 4*time.Second))
	ok(tracker.Finish(8, 8*time.Second))
	ok(tracker.Finish(9, 6*time.Second))
	check("no report, t_new known", 8*second, 6,
		hopper.Running{Task: 1, Copies: 1, Elapsed: 4, Rate: nan, Remaining: 2, New: 6, Youngest: 4},
		hopper.Running{Task: 3, Copies: 1, Elapsed: 8, Rate: nan, Remaining: nan, New: 6, Youngest: 8})
	if got, want := tracker.Phase(0, 0, 0).Finished, []float64{4, 6, 8}; !slices.Equal(got, want) {
		t.Errorf("Finished is %v, want %v", got, want)
	}

	ok(tracker.Report(8*second, 3, 0, 8*time.Second, 0.25))
	ok(tracker.Report(8*second, 1, 0, 4*time.Second, 0))
	check("reports", 10*second, 6,
		hopper.Running{Task: 1, Copies: 1, Elapsed: 6, Rate: 0, Remaining: inf, New: 6, Youngest: 6},
		hopper.Running{Task: 3, Copies: 1, Elapsed: 10, Progress: 0.25, Rate: 0.03125, Remaining: 22, New: 6, Youngest: 10})

	ok(tracker.Start(10*second, 3, 2, 0))
	ok(tracker.Start(11*second, 3, 1, 0))
	tracker.Restarted(3)
	tracker.Restarted(1)
	tracker.Restarted(3)
	check("copies", 12*second, 6,
		hopper.Running{Task: 1, Copies: 1, Restarts: 1, Elapsed: 8, Rate: 0, Remaining: inf, New: 6, Youngest: 8},
		hopper.Running{Task: 3, Copies: 3, Restarts: 2, Elapsed: 12, Rate: nan, Remaining: 4, New: 6, Last: 0, Youngest: 1})

	ok(tracker.Report(13*second, 3, 1, time.Second, 0.125)) // it was not on its cores all the time
	tracker.End(3, 0)
	check("the first copy has ended", 14*second, 6,
		hopper.Running{Task: 1, Copies: 1, Restarts: 1, Elapsed: 10, Rate: 0, Remaining: inf, New: 6, Youngest: 10},
		hopper.Running{Task: 3, Copies: 2, Restarts: 2, Elapsed: 4, Rate: nan, Remaining: 2, New: 6, Last: 1, Youngest: 2})

	ok(tracker.Finish(3, 6*time.Second))
	tracker.End(3, 1)
	ok(tracker.Report(14*second, 3, 1, time.Second, 0.5))
	check("finished", 14*second, 6,
		hopper.Running{Task: 1, Copies: 1, Restarts: 1, Elapsed: 10, Rate: 0, Remaining: inf, New: 6, Youngest: 10})

	ok(tracker.Report(14*second, 1, 0, 10*time.Second, 0.5))
	check("overdue", 100*second, 6,
		hopper.Running{Task: 1, Copies: 1, Restarts: 1, Elapsed: 96, Progress: 0.5, Rate: 0.05, Remaining: 0, New: 6, Youngest: 96})

	ok(tracker.Suspend(100*second, 1, 0, 20*time.Second))
	ok(tracker.Report(101*second, 1, 0, 20*time.Second, 0.25)) // news of before, on its way at 100 s
	check("suspended", 110*second, 6,
		hopper.Running{Task: 1, Copies: 1, Restarts: 1, Elapsed: 20, Progress: 0.25, Rate: 0.0125, Remaining: 60, New: 6, Youngest: 20})
	ok(tracker.Resume(110*second, 1, 0, 21*time.Second))
	check("resumed", 111*second, 6,
		hopper.Running{Task: 1, Copies: 1, Restarts: 1, Elapsed: 22, Progress: 0.25, Rate: 0.0125, Remaining: 58, New: 6, Youngest: 22})
	ok(tracker.Suspend(111*second, 1, 0, 22*time.Second))
	ok(tracker.Start(112*second, 1, 0, 22*time.Second))
	ok(tracker.Suspend(112*second, 1, 1, 5*time.Second)) // of a copy that is not there
	ok(tracker.Resume(112*second, 3, 1, 5*time.Second))
	check("started again", 113*second, 6,
		hopper.Running{Task: 1, Copies: 1, Restarts: 1, Elapsed: 23, Progress: 0.25, Rate: 0.0125, Remaining: 57, New: 6, Youngest: 23})
	ok(tracker.Report(113*second, 1, 0, 10*time.Second, 0.5))

	for _, err := range []error{
		tracker.Suspend(0, 1, 0, -1), tracker.Resume(0, 1, 0, -1), tracker.Start(0, 1, 0, -1), tracker.Report(0, 1, 0, -1, 0.5), tracker.Finish(1, -1),
		tracker.Report(0, 1, 0, 1, -0.1), tracker.Report(0, 1, 0, 1, 1.1), tracker.Report(0, 1, 0, 1, nan),
	} {
		if err == nil {
			t.Error("no error")
		}
	}
	check("errors leave it as it was", 199*second, 6,
		hopper.Running{Task: 1, Copies: 1, Restarts: 1, Elapsed: 96, Progress: 0.5, Rate: 0.05, Remaining: 0, New: 6, Youngest: 96})

	tracker = hopper.Tracker{}
	ok(tracker.Start(math.MinInt64, 1, 0, 0))
	if got := tracker.Phase(math.MaxInt64, 0, 0).Running[0].Elapsed; math.Abs(got-0x1p64/1e9) > 1 {
		t.Errorf("elapsed from the first instant to the last: %v, want %v", got, 0x1p64/1e9)
	}
}

// slowCopy is what the slow Tracker keeps of a copy.
type slowCopy struct {
	task, n       uint32
	began         policy.Time
	still         bool          // suspended,
	attained      time.Duration // with so much service
	done, service float64
}

// sameRunning reports whether a and b are equal, or not known in the same fields.
func sameRunning(a, b hopper.Running) bool {
	for _, r := range []*hopper.Running{&a, &b} {
		for _, field := range []*float64{&r.Rate, &r.Remaining, &r.New} {
			if math.IsNaN(*field) {
				*field = -1
			}
		}
	}
	return a == b
}

// A tracker that has been told many things knows what a list that is searched from end to end
// says, and what has ended leaves no trace.
func TestTrackerAgainstAList(t *testing.T) {
	several, reported, suspended := 0, 0, 0
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 6))
		var tracker hopper.Tracker
		var list []slowCopy
		var finished []float64
		restarts := map[uint32]int{}
		now := policy.Time(0)
		// How often time goes on and the phase is asked for, in hundredths: from both at each step to many
		// steps in an instant.
		steps, questions := []int{100, 50, 5, 1}[seed%4], []int{100, 60, 10}[seed%3]
		for range 150 {
			if rng.IntN(100) < steps {
				now += policy.Time(1+rng.IntN(2)) * second
			}
			task, n := uint32(rng.IntN(6)), uint32(rng.IntN(3))
			is := func(c slowCopy) bool { return c.task == task && c.n == n }
			service := policy.Duration(rng.IntN(4)) * time.Second
			var err error
			switch rng.IntN(11) {
			case 8, 9:
				err = tracker.Suspend(now, task, n, service)
				if i := slices.IndexFunc(list, is); i >= 0 {
					list[i].still, list[i].attained = true, service
				}
			case 10:
				err = tracker.Resume(now, task, n, service)
				if i := slices.IndexFunc(list, is); i >= 0 {
					list[i].still, list[i].began = false, now-policy.Time(service)
				}
			case 0, 1, 2:
				err = tracker.Start(now, task, n, service)
				if i := slices.IndexFunc(list, is); i < 0 {
					list = append(list, slowCopy{task: task, n: n, began: now - policy.Time(service)})
				} else {
					list[i].still, list[i].began = false, now-policy.Time(service)
				}
			case 3, 4:
				done := float64(rng.IntN(5)) / 4
				err = tracker.Report(now, task, n, service, done)
				if i := slices.IndexFunc(list, is); i >= 0 {
					list[i] = slowCopy{task, n, now - policy.Time(service), list[i].still, service, done, service.Seconds()}
				}
			case 5:
				tracker.End(task, n)
				list = slices.DeleteFunc(list, is)
			case 6:
				tracker.Restarted(task)
				restarts[task]++
			default:
				if len(finished) == 10 {
					continue
				}
				err = tracker.Finish(task, service)
				list = slices.DeleteFunc(list, func(c slowCopy) bool { return c.task == task })
				delete(restarts, task)
				finished = append(finished, service.Seconds())
			}
			if err != nil {
				t.Fatal(err)
			}

			if rng.IntN(100) >= questions {
				continue
			}

			fresh, sum := math.NaN(), 0.0
			for _, runtime := range finished {
				sum += runtime
			}
			if len(finished) > 0 {
				fresh = sum / float64(len(finished))
			}
			var want []hopper.Running
			for task := range uint32(6) {
				r := hopper.Running{Task: task, Restarts: restarts[task], Rate: math.NaN(), Remaining: math.NaN(), New: fresh, Youngest: math.Inf(1)}
				last := -1.0
				for n := range uint32(3) {
					i := slices.IndexFunc(list, func(c slowCopy) bool { return c.task == task && c.n == n })
					if i < 0 {
						continue
					}
					c := list[i]
					elapsed := float64(now-c.began) / 1e9
					if c.still {
						elapsed = c.attained.Seconds()
						suspended++
					}
					remaining, rate := math.NaN(), math.NaN()
					if c.service > 0 {
						remaining, rate = max(0, c.service/c.done-elapsed), c.done/c.service
						reported++
					} else if elapsed <= fresh {
						remaining = fresh - elapsed
					}
					r.Copies++
					r.Elapsed, r.Youngest = max(r.Elapsed, elapsed), min(r.Youngest, elapsed)
					if r.Copies == 1 || remaining < r.Remaining || math.IsNaN(r.Remaining) && remaining >= 0 {
						r.Remaining, r.Progress, r.Rate = remaining, c.done, rate
					}
					end := remaining
					if math.IsNaN(end) {
						end = math.Inf(1)
					}
					if end >= last {
						last, r.Last = end, n
					}
				}
				if r.Copies > 0 {
					want = append(want, r)
				}
				if r.Copies > 1 {
					several++
				}
			}
			p := tracker.Phase(now, 0, 0)
			if !slices.EqualFunc(want, p.Running, sameRunning) {
				t.Fatalf("seed %d (-want +got):\n%s", seed, cmp.Diff(want, p.Running, cmpopts.EquateNaNs()))
			}
			for i := range p.Running {
				p.Running[i].New = 99 // what a host knows is its own
			}
			if got := p.Finished; !slices.Equal(got, slices.Sorted(slices.Values(finished))) {
				t.Fatalf("seed %d: Finished is %v, want %v in order", seed, got, finished)
			}
		}
	}
	if several < 1000 || reported < 1000 || suspended < 1000 {
		t.Errorf("%d tasks of several copies, %d reports, %d suspended, want at least 1000 of each", several, reported, suspended)
	}
}
