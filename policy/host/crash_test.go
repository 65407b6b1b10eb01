package host

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
)

// An engine that is killed at random points, with machines that die too: all jobs end as they should, and no task runs to its end
// twice unless a machine has died.
func TestKilledAnywhere(t *testing.T) {
	seeds := uint64(2) // in the first machines die
	tried := []string{"index-easy", "index-preempt", "kairos", "swaps", "fifo", "fair", "index", "kairos-adaptive", "srpt-grass", "3sigma"}
	if testing.Short() {
		seeds, tried = 1, tried[:4]
	}
	for _, line := range tried {
		for seed := range seeds {
			t.Run(fmt.Sprintf("%s/%d", line, seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { killedAnywhere(t, line, seed) })
			})
		}
	}
}

// swaps are policies that take tasks of one core, and take over from each other.
var swaps = []string{"fair@adaptive", "index", "fifo@kairos", "fifo-easy", "3sigma", "srpt-grass"}

func killedAnywhere(t *testing.T, line string, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	runs := func(c policy.Copy) (time.Duration, error) { // the same whenever it is asked
		own := rand.New(rand.NewPCG(uint64(c.Job)<<32|uint64(c.Stage), uint64(c.Index)<<32|uint64(c.N)))
		d := time.Duration(own.ExpFloat64() * 4e9)
		if own.IntN(12) == 0 && c.N < 2 {
			return d, errors.New("no luck")
		}
		return d, nil
	}
	wide := int32(3)
	if line == "kairos" || line == "kairos-adaptive" || line == "swaps" {
		wide = 1
	}
	swapped := line == "swaps"
	if swapped {
		line = swaps[0]
	}
	r := newRig(t, Config{Dir: filepath.Join(t.TempDir(), "0"), New: byLine, Policy: line, Patience: 20 * time.Second}, runs)
	for i := range 3 {
		r.machine(fmt.Sprint("m", i), policy.Node{Cores: 3, Memory: 100})
	}
	submitted := map[string]*Job{}
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		for n := range 40 {
			job := Job{Name: fmt.Sprint("job", n), Data: []byte{byte(n)}}
			job.Attrs = []policy.Attr{{Name: "user", Value: fmt.Sprint(n % 3)}}
			for s := range 1 + rng.IntN(3) {
				stage := policy.Stage{Tasks: 1 + rng.Uint32N(4), Cores: 1 + rng.Int32N(wide), Memory: 10, Saves: line == "index-preempt", Reload: 0}
				if s > 0 {
					stage.Reads = []policy.Dep{{Stage: uint32(s - 1)}}
				}
				if wide > 1 && rng.IntN(5) == 0 && line != "srpt-grass" {
					stage.Gang, stage.Cores = true, 1
				}
				job.Stages = append(job.Stages, stage)
			}
			submitted[job.Name] = &job
			for {
				_, err := r.now().Submit(t.Context(), job)
				if err == nil || errors.Is(err, ErrExists) {
					break
				}
				if !errors.Is(err, ErrClosed) {
					t.Error(err)
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(time.Duration(rng.ExpFloat64() * 3e9))
		}
	}()
	chaos := rand.New(rand.NewPCG(seed, 9))
	for range 25 {
		time.Sleep(time.Duration(chaos.ExpFloat64() * 4e9))
		r.crash(1 + chaos.IntN(12))
		if seed%2 == 0 && chaos.IntN(4) == 0 {
			r.machines[chaos.IntN(3)].die()
		}
		if swapped {
			to := swaps[chaos.IntN(len(swaps))]
			if err := r.engine.Swap(t.Context(), to); err != nil {
				t.Fatalf("%s: %v", to, err)
			}
			r.config.Policy = []string{"", to, swaps[0]}[chaos.IntN(3)] // the last swaps back at the next Open
		}
	}
	<-stop
	for name := range submitted {
		s, err := r.engine.Find(t.Context(), name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		long, cancel := context.WithTimeout(t.Context(), 10*time.Hour)
		o, err := r.engine.Wait(long, s.ID)
		cancel()
		if err != nil || o.Outcome != policy.Done {
			t.Errorf("%s: %v, error %v, want Done; %s", name, o.Outcome, err, r)
			break
		}
	}
	twice := 0
	for task, n := range r.done {
		if n > 1 {
			twice++
			if r.deaths == 0 && line != "srpt-grass" && !swapped {
				t.Errorf("task %v has run to its end %d times:\n%s", task, n, strings.Join(r.trace[task], "\n"))
			}
		}
	}
	t.Logf("%d lives, %d deaths of machines, %d of %d tasks ran twice", r.lives, r.deaths, twice, len(r.done))
	if err := r.close(); err != nil {
		t.Error(err)
	}
}
