package baseline

import (
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Jobs that a host refuses while the first job waits for long try again, one after the other, when something has become free, and the more
// seldom the more often they are refused.
func TestRefusedOvertakeAgain(t *testing.T) {
	for name, filler := range map[string]func() central.Filler{"EASY": EASY, "Conservative": Conservative} {
		t.Run(name, func(t *testing.T) {
			p := filled(FIFO(), filler())
			now := policy.Time(0)
			var tried []policy.JobID
			send := func(ev policy.Event) {
				t.Helper()
				ev.Time = now
				actions, err := p.Step(&ev, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range actions {
					tried = append(tried, a.Copy.Job)
				}
			}
			of := func(id policy.JobID) policy.Copy { return policy.Copy{Task: policy.Task{Job: id}} }
			submit := func(id policy.JobID, time policy.Duration, stage policy.Stage) {
				send(policy.Event{Kind: policy.Submitted, Copy: of(id), Job: &policy.Job{ID: id, Requested: time, Stages: []policy.Stage{stage}}, More: true})
				send(policy.Event{Kind: policy.Ready, Copy: of(id)})
			}
			join := func(n policy.NodeID) {
				send(policy.Event{Kind: policy.Joined, Node: n, Info: &policy.Node{ID: n, Partition: 1, Cores: 8, Speed: 1}})
			}
			expect := func(want ...policy.JobID) {
				t.Helper()
				if !slices.Equal(tried, want) {
					t.Errorf("tried to start %v, want %v", tried, want)
				}
				tried = nil
			}
			join(1)
			join(2)
			for id := range policy.JobID(3) {
				submit(id+1, 1000*s, policy.Stage{Tasks: 1, Cores: 1})
				send(policy.Event{Kind: policy.Started, Node: 1, Copy: of(id + 1)})
			}
			submit(4, 1000*s, policy.Stage{Tasks: 8, Cores: 2, Gang: true}) // waits for all cores
			tried = nil
			for id := range policy.JobID(3) {
				submit(5+id, []policy.Duration{10 * s, 500 * s, 10 * s}[id], policy.Stage{Tasks: 1, Cores: 2})
				expect(5 + id)
				send(policy.Event{Kind: policy.Refused, Copy: of(5 + id), Again: true})
				expect()
			}
			end := func(id policy.JobID) {
				now++
				send(policy.Event{Kind: policy.Finished, Node: 1, Copy: of(id)})
			}
			answer := func(kind policy.EventKind, id policy.JobID) {
				send(policy.Event{Kind: kind, Node: 1, Copy: of(id), Again: kind == policy.Refused})
			}
			end(1)
			expect(5)
			answer(policy.Refused, 5)
			expect(6)
			answer(policy.Started, 6)
			expect(7)
			answer(policy.Refused, 7)
			expect()
			end(2) // refused twice in a row they wait for another end
			expect()
			end(3)
			expect(5)
			answer(policy.Refused, 5)
			expect(7)
			answer(policy.Refused, 7)
			expect()
			now++
			join(3)
			expect(4, 5, 7) // with three nodes there is room for the first job too, so each of them is the first
		})
	}
}
