package advise_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
	"example.com/augur/queue"
)

// What an Advisor promises.
func TestPromises(t *testing.T) {
	t.Run("a host that does what an Advisor says does what the policy would have done", advisorSaysWhatItsPolicyDoes)
	t.Run("a host that asks for an order only, and starts what is first, keeps nobody waiting for ever", order)
	t.Run("what is granted goes before what is not, though a fair policy counts it as had", advisorComparesGrantsFirst)
	t.Run("a host is to ask again by the plan or by the alarm, whichever comes first", advisorAsksAgain)
	t.Run("what the policy hears of grants that come to nothing keeps to the contract", advisorRefusesInTime)
	t.Run("New refuses a policy that cannot be asked, and Observe an event that is nil", advisorErrors)
}

// advisers are policies that can be asked.
func advisers() map[string]func(policy.Truth) policy.Scheduler {
	return map[string]func(policy.Truth) policy.Scheduler{
		"fifo":         func(policy.Truth) policy.Scheduler { return baseline.NewFIFO() },
		"fair":         func(policy.Truth) policy.Scheduler { return baseline.NewFair() },
		"srpt":         func(truth policy.Truth) policy.Scheduler { return jobtest.Must(baseline.NewSRPT(truth)) },
		"priority":     func(policy.Truth) policy.Scheduler { return baseline.NewPriority() },
		"las":          func(policy.Truth) policy.Scheduler { return jobtest.Must(baseline.NewLAS(queue.MultilevelConfig{})) },
		"drf":          func(policy.Truth) policy.Scheduler { return jobtest.Must(baseline.NewDRF(baseline.DRFConfig{})) },
		"random":       func(policy.Truth) policy.Scheduler { return jobtest.Must(baseline.NewRandom(rand.NewPCG(1, 2))) },
		"easy":         func(policy.Truth) policy.Scheduler { return baseline.NewEASY() },
		"conservative": func(policy.Truth) policy.Scheduler { return baseline.NewConservative() },
		"multifactor": func(policy.Truth) policy.Scheduler {
			return jobtest.Must(baseline.NewMultifactor(baseline.MultifactorConfig{}))
		},
		"urgent": func(policy.Truth) policy.Scheduler { return new(urgent) },
		"slearn": func(policy.Truth) policy.Scheduler {
			c := slearn.Config{Forecast: slearn.NewForecast(jobtest.Must(slearn.NewSampling(slearn.SamplingConfig{Src: rand.NewPCG(1, 2)})))}
			c.Queues.First = 5
			return jobtest.Must(slearn.NewScheduler(c))
		},
		"wing": func(policy.Truth) policy.Scheduler {
			return jobtest.Must(wing.NewScheduler(wing.Config{Ranker: wing.ByPriority()}))
		},
		"hopper": func(policy.Truth) policy.Scheduler { return jobtest.Must(hopper.NewScheduler(hopper.Config{})) },
		"threesigma": func(policy.Truth) policy.Scheduler {
			p := jobtest.Must(predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)}))
			history := jobtest.Must(forecast.NewHistory(forecast.HistoryConfig{Predictor: p}))
			return jobtest.Must(threesigma.NewScheduler(threesigma.Config{Forecast: history, Interval: 10e9, Iterations: 20}))
		},
	}
}

// askedJobs draws jobs of one to three stages, which may be gangs.
func askedJobs(rng *rand.Rand, n int, gangs bool) (jobs []*workload.Job) {
	for i := range n {
		j := &workload.Job{Job: policy.Job{
			ID: policy.JobID(i + 1), Submitted: policy.Time(i) * 2e9, Priority: float64(rng.IntN(3)), Requested: policy.Duration(rng.IntN(8)) * 1e9,
			Attrs: []policy.Attr{{Name: "user", Value: fmt.Sprint("user", rng.IntN(3))}},
		}}
		if rng.IntN(3) == 0 {
			j.SLO = &policy.SLO{Deadline: j.Submitted.Add(60e9), Utility: 1}
		}
		for k := range 1 + rng.IntN(3) {
			stage := policy.Stage{Tasks: uint32(1 + rng.IntN(5)), Cores: int32(1 + rng.IntN(2)), Gang: rng.IntN(4) == 0 && gangs}
			if k > 0 {
				stage.Reads = []policy.Dep{{Stage: uint32(rng.IntN(k))}}
			}
			if rng.IntN(3) == 0 {
				stage.Prefer, stage.Elsewhere = []policy.PartitionID{2}, 1.5
			}
			runtimes := make([]policy.Duration, stage.Tasks)
			for i := range runtimes {
				runtimes[i] = policy.Duration(rng.ExpFloat64() * 5e9)
			}
			j.Stages, j.Runtimes = append(j.Stages, stage), append(j.Runtimes, runtimes)
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// obeying is a policy that asks an Advisor, and starts what it grants in its order.
type obeying struct {
	advisor *advise.Advisor
	jobs    []policy.JobID
	asked   map[policy.Copy]bool // Starts that are on their way
	alarm   policy.Time
}

func (p *obeying) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if err := p.advisor.Observe(ev); err != nil {
		return actions, err
	}
	switch ev.Kind {
	case policy.Submitted:
		p.jobs = append(p.jobs, ev.Copy.Job)
	case policy.Ended:
		p.jobs = slices.DeleteFunc(p.jobs, func(id policy.JobID) bool { return id == ev.Copy.Job })
	case policy.Started, policy.Refused:
		delete(p.asked, ev.Copy)
	case policy.Woken:
		p.alarm = policy.Never
	}
	actions = append(actions, p.advisor.Orders()...)
	if at, _ := p.advisor.Alarm(); at != p.alarm {
		p.alarm = at
		actions = append(actions, policy.Action{Kind: policy.Wake, At: at})
	}
	slices.SortFunc(p.jobs, p.advisor.Compare)
	for _, id := range p.jobs {
		for g := range p.advisor.Grants(id) {
			if !p.asked[g.Copy] {
				p.asked[g.Copy] = true
				actions = append(actions, g)
			}
		}
	}
	return actions, nil
}

func advisorSaysWhatItsPolicyDoes(t *testing.T) {
	for name, make := range advisers() {
		t.Run(name, func(t *testing.T) {
			jobs := askedJobs(rand.New(rand.NewPCG(7, 1)), 60, name != "urgent")
			middle := jobs[len(jobs)/2].Submitted
			for _, j := range jobs { // so that some instants are below 0, and one just there
				if j.Submitted -= middle; j.SLO != nil {
					j.SLO.Deadline -= middle
				}
			}
			queue, truth := workload.Split(jobs)
			run := func(p policy.Scheduler) (ends []string) {
				result, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 12}), Jobs: queue, Truth: truth}, p)
				if err != nil {
					t.Fatal(err)
				}
				for i := range result.Jobs {
					ends = append(ends, fmt.Sprint(result.Jobs[i].ID, result.Jobs[i].Outcome, result.Jobs[i].Ended))
				}
				return ends
			}
			want := run(make(truth))
			got := run(&obeying{advisor: jobtest.Must(advise.New(make(truth))), asked: map[policy.Copy]bool{}, alarm: policy.Never})
			if !slices.Equal(got, want) {
				t.Errorf("by an Advisor jobs end as %v, want %v", got, want)
			}
		})
	}
}

// FuzzAdvisor has the errors of Observe.
func advisorErrors(t *testing.T) {
	if _, err := advise.New(nil); err == nil || !strings.Contains(err.Error(), "nil") {
		t.Errorf("error %v of no policy", err)
	}
	if _, err := advise.New(jobtest.Must(kairos.NewScheduler(kairos.Config{}))); err == nil || !strings.Contains(err.Error(), "parts on nodes") {
		t.Errorf("error %v of a distributed policy", err)
	}
	if err := jobtest.Must(advise.New(baseline.NewFIFO())).Observe(nil); err == nil || !strings.Contains(err.Error(), "nil") {
		t.Errorf("error %v of no event", err)
	}
}

func order(t *testing.T) {
	for name, make := range advisers() {
		t.Run(name, func(t *testing.T) {
			jobs := askedJobs(rand.New(rand.NewPCG(1, 1)), 12, false)
			for _, j := range jobs {
				j.Stages, j.Runtimes = []policy.Stage{{Tasks: 1, Cores: 1}}, [][]policy.Duration{{1e9}}
			}
			queue, truth := workload.Split(jobs)
			a := jobtest.Must(advise.NewOrder(make(truth)))
			observe(t, a, policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 2, Speed: 1}})
			var waiting []policy.JobID
			for j := range queue {
				observe(t, a, policy.Event{Kind: policy.Submitted, Copy: job(j.ID), Job: j}, policy.Event{Kind: policy.Ready, Copy: job(j.ID)})
				waiting = append(waiting, j.ID)
			}
			for now := policy.Time(0); len(waiting) > 0; now += 1e9 {
				slices.SortFunc(waiting, a.Compare)
				if ok, _ := a.Admit(waiting[0]); ok {
					t.Fatalf("job %d has a grant", waiting[0])
				}
				if _, has := a.Alarm(); has || len(a.Orders()) > 0 {
					t.Fatal("an order sets an alarm, or orders something")
				}
				first := waiting[0]
				if (name == "fair" || name == "fifo" || name == "slearn") && first != jobs[len(jobs)-len(waiting)].ID {
					t.Fatalf("%d goes first of %v", first, waiting)
				}
				waiting = waiting[1:]
				observe(t, a, policy.Event{Time: now, Kind: policy.Started, Copy: job(first), Node: 1},
					policy.Event{Time: now + 1e9, Kind: policy.Finished, Copy: job(first), Service: 1e9},
					policy.Event{Time: now + 1e9, Kind: policy.Ended, Copy: job(first)})
			}
		})
	}
}

// observe tells an Advisor of events that can be.
func observe(t *testing.T, a *advise.Advisor, events ...policy.Event) {
	t.Helper()
	for _, ev := range events {
		if err := a.Observe(&ev); err != nil {
			t.Fatalf("%v: %v", ev.Kind, err)
		}
	}
}

func job(id policy.JobID) policy.Copy { return policy.Copy{Task: policy.Task{Job: id}} }
