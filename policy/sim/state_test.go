package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// What stands while time passes: free cores of each node, c where something is coming, m where mail is, what waits, and how
// many cores are claimed.
func TestPause(t *testing.T) {
	for _, test := range []struct {
		name  string
		on    func(ev *policy.Event) []policy.Action
		fault sim.Faults
		delay policy.Duration
		cost  policy.Duration
		want  string
	}{
		{name: "on the spot", on: func(ev *policy.Event) []policy.Action {
			if isReady(ev, 1, 0) {
				return list(start(task(1, 0, 0), 0), policy.Action{Kind: policy.Start, Copy: policy.Copy{Task: task(1, 0, 1)}, Node: 2})
			}
			return nil
		}, want: `
			0s to 3s: 1 1 waits 1/0/2`},
		{name: "orders and news", delay: s, on: func(ev *policy.Event) []policy.Action {
			if isReady(ev, 1, 0) {
				return list(start(task(1, 0, 0), 0), policy.Action{Kind: policy.Start, Copy: policy.Copy{Task: task(1, 0, 1)}, Node: 2})
			}
			return nil
		}, want: `
			0s to 1s: 2 2c waits 1/0/2, 1 claimed
			1s to 2s: 1 1 waits 1/0/2
			2s to 4s: 1 1 waits 1/0/2
			4s to 5s: 2c 2c waits 1/0/2, 2 claimed`},
		{name: "a Start of a node that is full", delay: s, on: func(ev *policy.Event) []policy.Action {
			if isReady(ev, 1, 0) {
				on2 := func(i uint32) policy.Action {
					return policy.Action{Kind: policy.Start, Copy: policy.Copy{Task: task(1, 0, i)}, Node: 2}
				}
				return list(on2(0), on2(1), on2(2))
			}
			return nil
		}, want: `
			0s to 1s: 2 2c waits, 1 claimed
			1s to 2s: 2 0 waits, 1 claimed
			2s to 4s: 2 0 waits 1/0/2
			4s to 5s: 2 2c waits 1/0/2, 2 claimed`},
		{name: "a Suspend, and mail", delay: s, cost: 2 * s, on: func(ev *policy.Event) []policy.Action {
			switch {
			case isReady(ev, 1, 0):
				return list(start(task(1, 0, 0), 0), start(task(1, 0, 1), 0), start(task(1, 0, 2), 0))
			case ev.Kind == policy.Started && ev.Copy.Index == 2:
				return list(policy.Action{Kind: policy.Suspend, Copy: ev.Copy}, policy.Action{Kind: policy.Send, Node: 1})
			}
			return nil
		}, want: `
			0s to 1s: 2 2 waits, 3 claimed
			1s to 2s: 0 1 waits
			2s to 3s: 0m 1c waits
			3s to 4s: 0 1c waits
			4s to 5s: 2c 1c waits, 2 claimed
			5s to 6s: 2 2c waits 1/0/2, 1 claimed
			6s to 7s: 2 2c waits
			7s to 8s: 2 2c waits, 1 claimed`}, // the run has stalled, and the copy is killed
		{name: "a node that is lost", fault: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(1), For: s}}}, delay: s,
			on: func(ev *policy.Event) []policy.Action {
				if isReady(ev, 1, 0) {
					return list(start(task(1, 0, 0), 0), start(task(1, 0, 1), 0), start(task(1, 0, 2), 0))
				}
				return nil
			}, want: `
			0s to 1s: 2 2 waits, 3 claimed
			1s to 2s: -c 0 waits, 1 claimed
			2s to 3s: 2c 0 waits 1/0/2, 2 claimed
			3s to 4s: 2 0 waits 1/0/2
			4s to 5s: 2 2c waits 1/0/2, 2 claimed`}, // it was not there for the Starts, of which one was Refused
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &script{on: test.on}
			var story []string
			config := sim.Config{Delay: test.delay, SuspendCost: test.cost, Faults: test.fault, Pause: func(st *sim.State, now, due policy.Time) {
				var line strings.Builder
				line.WriteString(fmt.Sprintf("%vs to %vs:", now.Seconds(), due.Seconds()))
				for id := range policy.NodeID(2) {
					cores, _, _, up := st.Room(id + 1)
					room := " -"
					if up {
						room = fmt.Sprintf(" %d", cores)
					}
					if st.Coming(id + 1) {
						room += "c"
					}
					if st.Mail(id + 1) {
						room += "m"
					}
					line.WriteString(room)
				}
				line.WriteString(" waits")
				for w := range st.Waiting() {
					line.WriteString(" " + w.Task.String())
				}
				if n := st.Claimed(); n > 0 {
					line.WriteString(fmt.Sprintf(", %d claimed", n))
				}
				story = append(story, line.String())
			}}
			run(t, config, p, bag(1, 0, 3*s, 3*s, 3*s))
			if got, want := strings.Join(story, "\n"), strings.ReplaceAll(strings.TrimSpace(test.want), "\t", ""); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
