package journal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
)

// scripted answers its events by a list, one after the other.
type scripted struct{ answers [][]policy.Action }

func (p *scripted) Step(_ *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions = append(actions, p.answers[0]...)
	p.answers = p.answers[1:]
	return actions, nil
}

// A host dies after each step from the begin of a task over Kill with Save to its end, before the step is synced or after. The next
// one owes what is not answered, once, and nothing else. The story of sim "restart amid saves" has what becomes of the work.
func TestHostDiesAmidSaves(t *testing.T) {
	first := policy.Copy{Task: policy.Task{Job: 1}}
	second := policy.Copy{Task: first.Task, N: 1}
	start := func(c policy.Copy) policy.Action { return policy.Action{Kind: policy.Start, Copy: c, Node: 1} }
	kill := func(c policy.Copy, save bool) policy.Action {
		return policy.Action{Kind: policy.Kill, Copy: c, Save: save}
	}
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1, Saves: true, Reload: time.Second}}}
	steps := []struct {
		event   policy.Event
		actions []policy.Action
		owes    string
	}{
		{policy.Event{Kind: policy.Submitted, Copy: first, Job: job}, nil, ""},
		{policy.Event{Kind: policy.Ready, Copy: first}, []policy.Action{start(first)}, "Start 0 false"},
		{policy.Event{Kind: policy.Started, Copy: first, Node: 1}, nil, ""},
		{policy.Event{Kind: policy.Woken}, []policy.Action{kill(first, true)}, "Kill 0 true"},
		{policy.Event{Kind: policy.Woken}, []policy.Action{kill(first, true)}, "Kill 0 true"}, // the second changes nothing
		{policy.Event{Kind: policy.Killed, Copy: first, Node: 1, Service: 4e9, Saved: 4e9, Again: true}, []policy.Action{start(second)}, "Start 1 false"},
		{policy.Event{Kind: policy.Started, Copy: second, Node: 1, Service: 4e9}, []policy.Action{kill(second, true)}, "Kill 1 true"},
		{policy.Event{Kind: policy.Woken}, []policy.Action{kill(second, false)}, "Kill 1 false"}, // takes the place of the other
		{policy.Event{Kind: policy.Woken}, []policy.Action{kill(second, true)}, "Kill 1 false"},
		{policy.Event{Kind: policy.Finished, Copy: second, Node: 1, Service: 10e9}, nil, ""},
		{policy.Event{Kind: policy.Ended, Copy: first, Outcome: policy.Done}, nil, ""},
	}
	policyOf := func(change func(*policy.Action)) Config {
		p := new(scripted)
		for _, s := range steps {
			answer := append([]policy.Action(nil), s.actions...)
			for i := range answer {
				change(&answer[i])
			}
			p.answers = append(p.answers, answer)
		}
		return of(p)
	}
	same := func(*policy.Action) {}
	for n := range steps {
		for _, synced := range []bool{false, true} {
			f, want := new(memory), ""
			j := opened(t, f, policyOf(same))
			for _, s := range steps[:n] {
				ok(t, tell(j, &s.event))
				want = s.owes
			}
			ok(t, j.Sync())
			if ok(t, tell(j, &steps[n].event)); synced {
				ok(t, j.Sync())
				want = steps[n].owes
			}
			f.b = f.b[:f.synced]
			var l Ledger
			c := policyOf(same)
			c.Ledger = &l
			opened(t, f, c)
			var owes []string
			for o, ok := l.Next(); ok; o, ok = l.Next() {
				owes = append(owes, fmt.Sprint(o.Kind, " ", o.Copy.N, " ", o.Save))
			}
			if got := strings.Join(owes, ", "); got != want || len(l.Open()) != len(owes) {
				t.Errorf("died after step %d, synced %t: it owes %q, %d are open; want %q", n, synced, got, len(l.Open()), want)
			}
			if n < 3 || !synced {
				continue
			}
			forgets := policyOf(func(a *policy.Action) { a.Save = false })
			if _, err := open(f, forgets); err == nil {
				t.Errorf("died after step %d: no error from a policy that now kills without Save", n)
			}
		}
	}
}
