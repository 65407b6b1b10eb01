package baseline

import (
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Jobs that a host refuses while the first job waits for long start as soon as there is room: one after each end, as long as they are
// refused, the next when one gets through, and all when a node joins.
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
				submit(5+id, 10*s, policy.Stage{Tasks: 1, Cores: 2})
				expect(5 + id)
				send(policy.Event{Kind: policy.Refused, Copy: of(5 + id), Again: true})
				expect()
			}
			now++
			send(policy.Event{Kind: policy.Finished, Node: 1, Copy: of(1)})
			expect(5)
			send(policy.Event{Kind: policy.Refused, Copy: of(5), Again: true})
			expect()
			now++
			send(policy.Event{Kind: policy.Finished, Node: 1, Copy: of(2)})
			expect(6)
			send(policy.Event{Kind: policy.Started, Node: 1, Copy: of(6)})
			expect(7)
			send(policy.Event{Kind: policy.Refused, Copy: of(7), Again: true})
			expect()
			now++
			join(3)
			if slices.Sort(tried); !slices.Equal(tried, []policy.JobID{4, 5, 7}) && !slices.Equal(tried, []policy.JobID{5, 7}) {
				t.Errorf("with another node: tried to start %v, want 5 and 7", tried)
			}
		})
	}
}
