package baseline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// slowRoom tries each instant at which a list of steps changes.
func slowRoom(steps []step[everything], now, latest, anyway policy.Time, need *everything, time policy.Duration) policy.Time {
	for i := range steps {
		start := max(now, steps[i].at)
		if start >= latest || i+1 < len(steps) && steps[i+1].at <= now {
			continue
		}
		fits := true
		for _, s := range steps[i:] {
			if s.at >= min(anyway, after(start, time)) {
				break
			}
			if fits = fitting(&s.free, need, 1) > 0; !fits {
				break
			}
		}
		if fits {
			return start
		}
	}
	return latest
}

// A timeline of hundreds of steps holds what sums say, no step that changes nothing, and finds the room that a slow search finds.
func TestTimelineAgainstSlowSearch(t *testing.T) {
	type taken struct {
		need     everything
		from, to policy.Time
	}
	most, found := 0, 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 9))
		var line timeline[everything]
		now := policy.Time(0)
		line = append(line, step[everything]{0, everything{6, 20}})
		var all []taken
		for range 800 {
			need := everything{1 + rng.Int64N(3), rng.Int64N(9)}
			time, latest, anyway := policy.Duration(1+rng.IntN(200)), never, never
			if rng.IntN(3) == 0 {
				latest = now + policy.Time(rng.IntN(9000))
				if anyway = latest; rng.IntN(2) == 0 {
					anyway = never
				}
			}
			at := line.earliest(now, latest, anyway, &need, time)
			steps := line
			if want := slowRoom(steps, now, latest, anyway, &need, time); at != want {
				t.Fatalf("seed %d: %v for %v, from %v, before %v or %v: at %v, want %v", seed, need, time, now, latest, anyway, at, want)
			}
			if anyway == never && at < latest {
				found++
				all = append(all, taken{need, at, after(at, time)})
				line.add(&need, -1, at, after(at, time))
			}
			if i := rng.IntN(len(all) + 1); i < len(all) && rng.IntN(4) == 0 {
				line.add(&all[i].need, 1, all[i].from, all[i].to)
				all = slices.Delete(all, i, i+1)
			}
			if rng.IntN(100) == 0 {
				now += policy.Time(rng.IntN(100))
				line.forget(now)
			}
			most = max(most, len(steps))
		}
		for i, s := range line {
			want := everything{6, 20}
			for _, x := range all {
				if x.from <= s.at && s.at < x.to {
					want[0], want[1] = want[0]-x.need[0], want[1]-x.need[1]
				}
			}
			if steps := line; s.at > now && s.free != want || i > 0 && (s.at <= steps[i-1].at || s.free == steps[i-1].free) {
				t.Fatalf("seed %d: step %d is %v, want %v", seed, i, s, want)
			}
		}
	}
	if most < 300 || found < 4000 {
		t.Errorf("%d steps at most and %d found, want more", most, found)
	}
}
