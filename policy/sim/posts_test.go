package sim_test

import (
	"math"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// Messages that are posted may be lost or late, may come twice, and may overtake what was sent before.
func TestPostedMessages(t *testing.T) {
	const n = 10000
	times := map[uint64]int{}
	early, sent := 0, false
	p := quiet(func(ev *policy.Event) (actions []policy.Action) {
		switch ev.Kind {
		case policy.Submitted:
			actions = list(policy.Action{Kind: policy.Send, Msg: policy.Msg{Kind: 2}})
			for i := range uint64(n) {
				actions = append(actions, policy.Action{Kind: policy.Post, Msg: policy.Msg{Kind: 1, Seq: i}})
			}
		case policy.Arrived:
			if ev.Msg.Kind == 2 {
				sent = true
				if ev.Time != at(1) {
					t.Errorf("what was sent arrives at %v s, want 1 s", ev.Time.Seconds())
				}
				break
			}
			times[ev.Msg.Seq]++
			if !sent {
				early++
			}
		case policy.Ready:
			actions = list(start(task(1, 0, 0), 0))
		}
		return actions
	})
	config := sim.Config{Delay: s, Faults: sim.Faults{PostLoss: 0.1, PostLate: 0.15, PostEarly: 0.3, PostTwice: 0.2, MeanLate: s}}
	r := run(t, config, p, bag(1, 0, 100*s))
	counted := map[int]int{0: n - len(times)}
	for _, k := range times {
		counted[k]++
	}
	near := func(what string, got int, p float64) { // three standard deviations of a binomial distribution
		t.Helper()
		if mean := n * p; math.Abs(float64(got)-mean) > 3*math.Sqrt(mean*(1-p)) {
			t.Errorf("%d of %d messages %s, want about %.0f", got, n, what, mean)
		}
	}
	near("never came", counted[0], 0.1*0.8)
	near("came once", counted[1], 0.9*0.8+0.1*0.2)
	near("came twice", counted[2], 0.9*0.2)
	near("overtook another", early, 0.3)
	f := r.Faults
	near("were counted as lost", f.PostsLost, 0.1)
	near("were counted as late", f.PostsLate, 0.15)
	near("were counted as early", f.PostsEarly, 0.3)
	near("were counted as doubled", f.PostsTwice, 0.2)
}
