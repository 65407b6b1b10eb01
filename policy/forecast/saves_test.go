package forecast_test

import (
	"math"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// What is believed of a unit of which something was saved is what would be believed of one of that age that was never stopped:
// while it waits, when it has reloaded, and as it runs on elsewhere. One that is lost while it reloads is as if it had waited.
func TestBeliefsOfWhatIsSaved(t *testing.T) {
	const s = time.Second
	type step struct {
		at             time.Duration
		kind           policy.EventKind
		node           policy.NodeID // 1 has a speed of 2, and 2 one of 1
		service, saved time.Duration
	}
	// believed returns the means that are believed of both stages at an instant, after what happens to the first task of the
	// first. Its second task began on node 2 when the job came, if beside is set. To reload takes 20 s.
	believed := func(beside bool, at time.Duration, steps ...step) (means [2]float64) {
		b := believers(t, false)
		for i := range 300 {
			learn(t, b, named(1, "", 1), math.Pow(1000, float64(i%30)/29), 0)
		}
		books := bound(t, b)
		for id, speed := range []float64{2, 1} {
			node := policy.NodeID(id + 1)
			books.tell(policy.Event{Kind: policy.Joined, Node: node, Info: &policy.Node{ID: node, Partition: 1, Cores: 100, Speed: speed}})
		}
		job := named(1, "", 2, 50)
		job.Stages[0].Saves, job.Stages[0].Reload = true, 20*s
		j, err := books.submit(job)
		if err != nil {
			t.Fatal(err)
		}
		c := policy.Copy{Task: policy.Task{Job: 1}}
		books.tell(policy.Event{Kind: policy.Ready, Copy: c})
		books.view.Start(j, central.Where{})
		if other := books.view.Start(j, central.Where{}).Copy; beside {
			books.tell(policy.Event{Kind: policy.Started, Copy: other, Node: 2})
		}
		for _, x := range steps {
			if x.kind == policy.Started && c.N > 0 {
				if got := books.view.Start(j, central.Where{}).Copy; got != c {
					t.Fatalf("started %v, want %v", got, c)
				}
			}
			books.tell(policy.Event{Time: policy.Time(x.at), Kind: x.kind, Copy: c, Node: x.node, Service: x.service, Saved: x.saved, Again: x.kind.End()})
			if x.kind.End() {
				c.N++
			}
		}
		books.tell(policy.Event{Time: policy.Time(at), Kind: policy.Woken})
		for stage := range means {
			d, _ := b.Runtime(j, uint32(stage))
			means[stage] = d.Mean()
		}
		return means
	}
	same := func(what string, got, want [2]float64) {
		t.Helper()
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-6*want[i] {
				t.Errorf("%s: means of %v s, want %v s", what, got, want)
			}
		}
	}
	began := step{0, policy.Started, 1, 0, 0}
	stopped := step{200 * s, policy.Killed, 1, 200 * s, 400 * s}
	unstopped := believed(false, 200*s, began)
	if before := believed(false, 0, began); unstopped[0] < 2*before[0] {
		t.Fatalf("means of %v s after 400 s, and of %v s before: the test does not test it", unstopped, before)
	}
	same("waits", believed(false, 900*s, began, stopped), unstopped)
	goesOn := step{900 * s, policy.Started, 2, 400 * s, 0}
	same("has reloaded", believed(false, 920*s, began, stopped, goesOn), unstopped)
	same("runs on", believed(false, 1020*s, began, stopped, goesOn), believed(false, 250*s, began))
	same("is stopped again", believed(false, 1300*s, began, stopped, goesOn, step{1020 * s, policy.Killed, 2, 500 * s, 500 * s}), believed(false, 250*s, began))
	lost := step{905 * s, policy.Lost, 2, 400 * s, 400 * s}
	same("lost as it reloads", believed(true, 1000*s, began, stopped, goesOn, lost), believed(true, 1000*s, began, stopped))
	same("suspended as it reloads", believed(true, 1000*s, began, stopped, goesOn, step{905 * s, policy.Suspended, 2, 400 * s, 0}, step{990 * s, policy.Resumed, 2, 400 * s, 0}),
		believed(true, 1000*s, began, stopped, step{970 * s, policy.Started, 2, 400 * s, 0}))
}
