package hopper

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
)

// What the phases of a job ask for is the sum over those that are open, whatever finishes first.
func TestWantedIsASum(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 13))
		stages := make([]policy.Stage, 1+rng.IntN(8))
		for i := range stages {
			stages[i] = policy.Stage{
				Tasks: 1 + rng.Uint32N(4), Cores: 1 + rng.Int32N(4), Memory: int64(rng.IntN(3)) << 20, Gang: rng.IntN(4) == 0,
			}
			for read := range i {
				if rng.IntN(3) == 0 {
					stages[i].Reads = append(stages[i].Reads, policy.Dep{Stage: uint32(read), Pipe: rng.IntN(2) == 0})
				}
			}
		}
		var w wanted
		type opened struct {
			stage uint32
			left  uint32
		}
		var open []opened
		piped := readers(stages)
		of := func(stage uint32) int64 { return (&sized{readers: piped}).reads(stage) }
		for next := 0; next < len(stages) || len(open) > 0; {
			if next < len(stages) && (len(open) == 0 || rng.IntN(2) == 0) {
				d := &stages[next]
				w.opened(d, of(uint32(next)))
				open = append(open, opened{uint32(next), d.Units()})
				next++
			} else {
				i := rng.IntN(len(open))
				p := &open[i]
				p.left--
				if w.finished(&stages[p.stage], of(p.stage), p.left == 0); p.left == 0 {
					open = append(open[:i], open[i+1:]...)
				}
			}
			var want wanted
			for _, p := range open {
				d, transfer := &stages[p.stage], int64(0)
				for i := range stages {
					for _, read := range stages[i].Reads {
						if read.Pipe && read.Stage == p.stage {
							transfer += int64(stages[i].Units())
						}
					}
				}
				want.slots += int64(p.left) * d.Width()
				want.memory += float64(d.Memory) * float64(d.Tasks/d.Units()) * float64(p.left)
				want.transfer += transfer
				if transfer > 0 {
					want.work += int64(p.left)
				}
			}
			if w != want {
				t.Fatalf("seed %d, stages %v of %+v: got %+v, want %+v", seed, open, stages, w, want)
			}
		}
	}
}

// Phases may have too much memory for a float64 to add up: what they ask for is never negative, and at the end nothing.
func TestWantedOfHugeMemory(t *testing.T) {
	for _, bytes := range []int64{1, 1000} {
		small, large := &policy.Stage{Tasks: 2, Cores: 1, Memory: bytes}, &policy.Stage{Tasks: 1, Cores: 1, Memory: 1 << 62}
		var w wanted
		w.opened(small, 0)
		w.opened(large, 0)
		w.finished(large, 0, true)
		w.finished(small, 0, false)
		if w.memory < 0 {
			t.Errorf("beside tasks of %d bytes %v bytes are left", bytes, w.memory)
		}
		w.finished(small, 0, true)
		if w != (wanted{}) {
			t.Errorf("after tasks of %d bytes: got %+v, want nothing", bytes, w)
		}
	}
}

func TestDampened(t *testing.T) {
	for _, test := range []struct{ transfer, work, dampening, want float64 }{
		{40, 10, 1, 4},
		{40, 10, 0.5, 2},
		{32, 1, 0.8, 16},
		{1024, 1, DampeningHadoop, 8},
		{40, 10, 0, 1},
		{0, 10, 1, 0},
		{0, 10, 0.8, 0},
		{0, 10, 0, 1},
		{1e300, 1e-300, 1, 1e15},
	} {
		if got := dampened(test.transfer, test.work, test.dampening); math.Abs(got-test.want) > 1e-12*test.want {
			t.Errorf("%+v: got %v", test, got)
		}
	}
}

// A factor of all weights, dampened or not, changes no share.
func TestDampeningKeepsCommonFactors(t *testing.T) {
	var shares [2][]float64
	for n, unit := range []float64{1, 1e6} {
		jobs := jobsOf(1.5, 4, 6, 9)
		for i, transfer := range []float64{3, 30, 7} {
			jobs[i].Weight = dampened(transfer*unit, jobs[i].Tasks, DampeningSpark)
		}
		var err error
		if shares[n], err = Allocate(nil, 15, jobs); err != nil {
			t.Fatal(err)
		}
	}
	if !near(shares[1], shares[0]) {
		t.Errorf("in bytes %v, in megabytes %v", shares[0], shares[1])
	}
}
