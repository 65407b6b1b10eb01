package forecast_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/predict"
)

func requesting(id policy.JobID, seconds float64, limited bool) *policy.Job {
	j := named(id, "", 1)
	j.Requested, j.Limited = policy.Duration(seconds*1e9), limited
	return j
}

// If jobs run for a tenth to all of what they request, a request tells the order of magnitude, and is a bound.
func TestBeliefsOfRequests(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	b := believers(t, false)
	bound(t, b)
	if _, ok := b.Limit(&central.Job{Job: requesting(1, 100, false)}); ok {
		t.Error("before the first job a request is a limit")
	}
	for i := range 400 {
		request := []float64{10, 1000, 100_000}[i%3]
		learn(t, b, requesting(1, request, false), request*(0.1+0.9*rng.Float64()), 0)
	}
	for _, request := range []float64{10, 1000, 100_000} {
		d, ok := b.Predict(requesting(1, request, false), 0)
		if median := d.Quantile(0.5); !ok || median < request/10 || median > request || d.Survival(1.3*request) > 0.01 {
			t.Errorf("a request of %v s: median %v, and %v above it", request, median, d.Survival(1.3*request))
		}
		if d, _ = b.Predict(requesting(1, request, true), 0); d.Survival(1.3*request) > 0 || !d.Limited() {
			t.Errorf("a limit of %v s: %v above it, limited %v", request, d.Survival(1.3*request), d.Limited())
		}
	}
	if d, _ := b.Predict(named(1, "", 1), 0); d.Survival(20) < 0.5 || d.Limited() {
		t.Errorf("without a request %v above 20 s, limited %v", d.Survival(20), d.Limited())
	}
	if d, ok := b.Limit(&central.Job{Job: requesting(1, 100, false)}); !ok || d != 100*time.Second {
		t.Errorf("limit %v, %v, want 100 s", d, ok)
	}
	for range 40 { // one in eleven runs for longer
		learn(t, b, requesting(1, 10, false), 20, 0)
	}
	if _, ok := b.Limit(&central.Job{Job: requesting(1, 100, false)}); ok {
		t.Error("a request that is often exceeded is a limit")
	}
	if d, _ := b.Predict(requesting(1, 100, false), 0); d.Limited() {
		t.Error("what is believed is limited by a request that is often exceeded")
	}
	if d, ok := b.Limit(&central.Job{Job: requesting(1, 100, true)}); !ok || d != 100*time.Second {
		t.Errorf("limit %v, %v of a Limited job, want 100 s", d, ok)
	}
	if _, ok := b.Limit(&central.Job{Job: named(1, "", 1)}); ok {
		t.Error("a job without a request has a limit")
	}
}

// A request is time on a node and T is at speed 1: on nodes of speed 10 jobs of 90 s keep a request of 10 s, and those of 120 s
// do not.
func TestRequestsOfFastNodes(t *testing.T) {
	for _, test := range []struct {
		runtime float64 // at speed 1
		keeps   bool
	}{{90, true}, {120, false}} {
		b := believers(t, false)
		books := bound(t, b)
		for i, speed := range []float64{10, 0.5} {
			node := policy.NodeID(i + 1)
			books.tell(policy.Event{Kind: policy.Joined, Node: node, Info: &policy.Node{ID: node, Partition: 1, Cores: 100, Speed: speed}})
		}
		for range 50 {
			learn(t, b, requesting(1, 10, false), test.runtime, 0)
		}
		if _, ok := b.Limit(&central.Job{Job: requesting(1, 10, false)}); ok != test.keeps {
			t.Errorf("jobs of %v s: a request of 10 s is a limit: %v, want %v", test.runtime, ok, test.keeps)
		}
		d, _ := b.Predict(requesting(1, 10, false), 0)
		if median := d.Quantile(0.5); median < test.runtime/1.5 || median > test.runtime*1.5 || d.Limited() != test.keeps {
			t.Errorf("jobs of %v s: a median of %v s, limited %v", test.runtime, median, d.Limited())
		}
		if d, _ := b.Predict(requesting(1, 10, true), 0); d.Survival(130) > 0 || d.Mean() < 60 {
			t.Errorf("jobs of %v s: a job with a limit has a mean of %v s, and %v is above 130 s", test.runtime, d.Mean(), d.Survival(130))
		}
	}
}

// Jobs that were stopped before the time that they request do not show that they would have kept it. Those that were stopped
// after it have exceeded it.
func TestRequestsOfStoppedJobs(t *testing.T) {
	for _, ran := range []time.Duration{time.Second, 200 * time.Second} {
		b := believers(t, false)
		books := bound(t, b)
		books.tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 100, Speed: 1}})
		limit := func() bool {
			_, ok := b.Limit(&central.Job{Job: requesting(1, 100, false)})
			return ok
		}
		for id := range policy.JobID(40) {
			j := jobtest.Must(books.submit(requesting(id+1, 100, false)))
			c := policy.Copy{Task: policy.Task{Job: id + 1}}
			books.tell(policy.Event{Kind: policy.Ready, Copy: c})
			books.view.Start(j, central.Where{})
			books.tell(policy.Event{Kind: policy.Started, Copy: c, Node: 1})
			books.tell(policy.Event{Kind: policy.Killed, Copy: c, Node: 1, Service: ran})
			books.tell(policy.Event{Kind: policy.Ended, Copy: c, Outcome: policy.Cancelled})
		}
		if limit() {
			t.Errorf("40 jobs were stopped after %v: a request of 100 s is a limit", ran)
		}
		for range 40 {
			learn(t, b, requesting(1, 100, false), 50, 0)
		}
		if kept := ran < 100*time.Second; limit() != kept {
			t.Errorf("40 jobs were stopped after %v, and 40 took 50 s: a request of 100 s is a limit: %v, want %v", ran, limit(), kept)
		}
	}
}

// What is believed of a job that waits is made anew at the next event when twice as many jobs have been learned, also by new
// estimates of the predictor, and stays when a task of it has run.
func TestBeliefsAreRenewed(t *testing.T) {
	b := jobtest.Must(forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: jobtest.Must(predict.New(predict.Config{}))}))
	books := bound(t, b)
	books.tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 100, Speed: 1}})
	learnt := 0
	teach := func(until int) {
		for ; learnt < until; learnt++ {
			learn(t, b, named(1, fmt.Sprint("kind", learnt%2), 1), []float64{10, 1000}[learnt%2], 0)
		}
		books.tell(policy.Event{Kind: policy.Woken})
	}
	teach(4)
	waits, runs := jobtest.Must(books.submit(named(8, "kind0", 1))), jobtest.Must(books.submit(named(9, "kind0", 1)))
	median := func(id policy.JobID) float64 {
		j := waits
		if id == 9 {
			j = runs
		}
		d, _ := b.Runtime(j, 0)
		return d.Quantile(0.9)
	}
	for id := range 2 {
		books.tell(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: policy.JobID(8 + id)}}})
	}
	before := median(8)
	books.view.Start(runs, central.Where{})
	books.tell(policy.Event{Kind: policy.Started, Copy: policy.Copy{Task: policy.Task{Job: 9}}, Node: 1})
	ran := median(9)
	revision := b.Revision()
	teach(7)
	if median(8) != before || b.Revision() != revision {
		t.Errorf("after 7 jobs the 90th percentile is %v, before %v", median(8), before)
	}
	teach(200)
	if got := median(8); got > 30 || b.Revision() <= revision {
		t.Errorf("after 200 jobs the 90th percentile is %v, before %v, want about 10", got, before)
	}
	if got := median(9); got != ran {
		t.Errorf("a job that runs: the 90th percentile is %v, before %v", got, ran)
	}
}

// Of many jobs that wait, each event renews the beliefs about 100, the newest first, and the last of them is a revision. Those
// that have ended meanwhile are left out.
func TestBeliefsAreRenewedInTurn(t *testing.T) {
	b := believers(t, false)
	books := bound(t, b)
	learn(t, b, named(1, "", 1), 10, 0)
	var waiting []*central.Job
	for id := range policy.JobID(250) {
		waiting = append(waiting, jobtest.Must(books.submit(named(id+1, "", 1))))
	}
	median := func(j *central.Job) float64 {
		d, _ := b.Runtime(j, 0)
		return d.Quantile(0.5)
	}
	before, revision := median(waiting[0]), b.Revision()
	for range 100 {
		learn(t, b, named(1, "", 1), 1000, 0)
	}
	for i, want := range []int{150, 50, 0, 0} {
		if i == 1 {
			books.tell(policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: 149}}, Outcome: policy.Cancelled})
		} else {
			books.tell(policy.Event{Kind: policy.Woken})
		}
		for _, j := range waiting {
			if j.Job.ID == 149 {
				continue
			}
			if renewed := median(j) > 10*before; renewed != (int(j.Job.ID) > want) {
				t.Fatalf("after %d events job %d is renewed: %v", i+1, j.Job.ID, renewed)
			}
		}
		if got := b.Revision() > revision; got != (want == 0) {
			t.Errorf("after %d events there is a revision: %v", i+1, got)
		}
	}
}
