package hopper_test

import (
	"encoding/binary"
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
		restarts, ended := map[uint32]int{}, map[uint32]int{}
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
				if slices.ContainsFunc(list, is) {
					ended[task] = max(ended[task], int(n)+1)
				}
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
				delete(ended, task)
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
				r := hopper.Running{Task: task, Started: ended[task], Restarts: restarts[task], Rate: math.NaN(), Remaining: math.NaN(), New: fresh, Youngest: math.Inf(1)}
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
					r.Started = max(r.Started, int(n)+1)
					r.Elapsed, r.Youngest = max(r.Elapsed, elapsed), min(r.Youngest, elapsed)
					if r.Copies == 1 || remaining < r.Remaining || math.IsNaN(r.Remaining) && remaining >= 0 {
						r.Remaining, r.Rate = remaining, rate
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

// FuzzTracker tells a Tracker anything, and holds what it says of the copies that run, at any instant, to one that was
// told the last of each copy alone.
func FuzzTracker(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 1, 0, 5, 0, 1, 1, 9, 3, 1, 0, 9, 5, 1, 1, 2, 7, 1, 3, 2, 0, 0, 0, 4, 6, 2, 2, 2, 4, 1, 0, 1})
	f.Add([]byte{0, 3, 0, 255, 3, 3, 0, 255, 1, 3, 0, 255, 7, 3, 0, 0, 0, 3, 0, 0, 4, 3, 0, 0, 6, 3, 0, 7})
	spans := []policy.Duration{0, 1, 1e9, 2e9, 5e9, math.MaxInt64, math.MaxInt64 - 1, -1}
	instants := []policy.Time{0, 1e9, 2e9, 3e9, math.MinInt64, math.MaxInt64, -1}
	shares := []float64{0, 0.5, 1, 0.25, math.SmallestNonzeroFloat64, 2, math.NaN()}
	f.Fuzz(func(t *testing.T, data []byte) {
		type key struct{ task, n uint32 }
		var tracker hopper.Tracker
		copies := map[key]int{} // that run
		finished := 0
		for ; len(data) >= 4; data = data[4:] {
			k := key{uint32(data[1] % 5), uint32(data[2] % 4)}
			if data[1] == 255 {
				k.task = math.MaxUint32
			}
			x := int(binary.LittleEndian.Uint16(data[2:]))
			now, span, share := instants[x%len(instants)], spans[x/7%len(spans)], shares[x/64%len(shares)]
			var err error
			wrong := span < 0
			switch data[0] % 8 {
			case 0, 1:
				if err = tracker.Start(now, k.task, k.n, span); !wrong {
					copies[k]++
				}
			case 2:
				err = tracker.Suspend(now, k.task, k.n, span)
			case 3:
				err = tracker.Resume(now, k.task, k.n, span)
			case 4:
				err = tracker.Report(now, k.task, k.n, span, share)
				wrong = wrong || !(share >= 0 && share <= 1)
			case 5:
				tracker.End(k.task, k.n)
				wrong = false
				delete(copies, k)
			case 6:
				tracker.Restarted(k.task)
				wrong = false
			case 7:
				if err = tracker.Finish(k.task, span); !wrong {
					finished++
					for c := range copies {
						if c.task == k.task {
							delete(copies, c)
						}
					}
				}
			}
			if wrong != (err != nil) {
				t.Fatalf("%v: error %v", data[:4], err)
			}
			if data[3]%2 == 0 {
				continue
			}
			p := tracker.Phase(now, 3, 4)
			of := map[uint32]int{}
			for c := range copies {
				of[c.task]++
			}
			if len(p.Running) != len(of) || len(p.Finished) != finished || math.IsNaN(p.New) != (finished == 0) {
				t.Fatalf("the phase is %+v, want tasks %v and %d finished", p, of, finished)
			}
			if !slices.IsSortedFunc(p.Running, func(a, b hopper.Running) int { return int(int64(a.Task) - int64(b.Task)) }) {
				t.Fatalf("tasks are not in order: %+v", p.Running)
			}
			for _, r := range p.Running {
				if _, last := copies[key{r.Task, r.Last}]; r.Copies != of[r.Task] || !last || !(r.Youngest >= 0 && r.Elapsed >= r.Youngest) || r.Remaining < 0 || r.Rate < 0 {
					t.Fatalf("task %d is %+v, want %d copies", r.Task, r, of[r.Task])
				}
			}
		}
	})
}
