package main

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/workload"
)

// Whatever central policy an Advisor asks, several goroutines may ask the Advisor at once while nobody observes: the race
// detector looks on, and each gets the same answers.
func TestAskedAtOnce(t *testing.T) {
	for _, c := range contenders() {
		t.Run(c.Name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			var list []*workload.Job
			for id := policy.JobID(1); id <= 40; id++ {
				list = append(list, passer(rng, id, policy.Time(id)*1e9, c.Name != "bigc"))
				list[id-1].Inputs = nil
			}
			jobs, truth := workload.Split(list)
			p, err := c.scheduler(settingOf(t, &c, truth))
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := p.(policy.Distributed); ok {
				return // which no Advisor asks
			}
			a, err := advise.New(p)
			if err != nil {
				t.Fatal(err)
			}
			observe := func(ev policy.Event) {
				t.Helper()
				if err := a.Observe(&ev); err != nil {
					t.Fatal(err)
				}
			}
			for id := policy.NodeID(1); id <= 3; id++ {
				observe(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: 4, Speed: 1}})
			}
			for j, err := range jobs {
				if err != nil {
					t.Fatal(err)
				}
				now, of := j.Submitted, policy.Copy{Task: policy.Task{Job: j.ID}}
				observe(policy.Event{Time: now, Kind: policy.Submitted, Copy: of, Job: j})
				observe(policy.Event{Time: now, Kind: policy.Ready, Copy: of})
				if j.ID%3 == 0 && !j.Stages[0].Gang { // one task runs that nobody has granted
					observe(policy.Event{Time: now, Kind: policy.Started, Copy: of, Node: policy.NodeID(j.ID%3) + 1})
				}
				atOnce(t, a, 4, j.ID)
			}
		})
	}
}

// atOnce lets goroutines ask all that can be asked of the jobs up to one.
func atOnce(t *testing.T, a *advise.Advisor, goroutines int, last policy.JobID) {
	t.Helper()
	answers := make([][]float64, goroutines)
	var asking sync.WaitGroup
	for g := range answers {
		asking.Go(func() {
			var said []float64
			for id := max(1, last-5); id <= last; id++ {
				ok, again := a.Admit(id)
				if ok {
					said = append(said, 1)
				}
				said = append(said, again.Seconds(), float64(a.Compare(id, last)), a.Score(id, 1), a.Score(id, 2))
				for start := range a.Grants(id) {
					said = append(said, float64(start.Copy.Index), float64(start.Node))
				}
			}
			at, _ := a.Alarm()
			answers[g] = append(said, at.Seconds())
		})
	}
	asking.Wait()
	for _, said := range answers[1:] {
		if !slices.Equal(said, answers[0]) {
			t.Fatalf("after job %d one goroutine was told %v, and another %v", last, answers[0], said)
		}
	}
}
