package hopper_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

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
