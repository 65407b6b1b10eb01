package gittins

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/slearn"
)

// BenchmarkTask measures the step in which a task finishes and the next one starts, while so many jobs of 100 tasks
// wait for the cores that others hold.
func BenchmarkTask(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		if n > 100_000 && testing.Short() {
			continue
		}
		for _, test := range []struct {
			name string
			make func() central.Config
		}{
			{"FIFO", func() central.Config { return central.Config{Turn: baseline.FIFO()} }},
			{"Fair", func() central.Config { return central.Config{Turn: baseline.Fair()} }},
			{"GS", func() central.Config {
				return central.Config{Turn: part(slearn.NewQueues(slearn.QueuesConfig{}))(b), Forecast: beliefs()}
			}},
			{"Hopper", func() central.Config {
				return central.Config{Turn: part(hopper.NewTurn(hopper.TurnConfig{}))(b)}
			}},
			{"Nothing", func() central.Config { return central.Config{Turn: turn(Config{}), Forecast: forecast.Nothing()} }},
			{"Beliefs", func() central.Config { return central.Config{Turn: turn(Config{}), Forecast: beliefs()} }},
		} {
			b.Run(fmt.Sprintf("jobs=%d/%s", n, test.name), func(b *testing.B) { benchmarkTask(b, n, test.make()) })
		}
	}
}

func part[T central.Turn](turn T, err error) func(b *testing.B) central.Turn {
	return func(b *testing.B) central.Turn {
		if err != nil {
			b.Fatal(err)
		}
		return turn
	}
}

func benchmarkTask(b *testing.B, n int, c central.Config) {
	p := jobtest.Must(central.New(c))
	const cores = 100
	var actions []policy.Action
	var running []policy.Copy
	var event policy.Event
	step := func(ev policy.Event) {
		event = ev
		var err error
		actions, err = p.Step(&event, actions[:0])
		if err != nil {
			b.Fatal(err)
		}
		for _, a := range actions {
			if a.Kind == policy.Start {
				running = append(running, a.Copy)
			}
		}
	}
	now, next := policy.Time(0), policy.JobID(0)
	submit := func() {
		next++
		of := policy.Copy{Task: policy.Task{Job: next}}
		j := &policy.Job{ID: next, Submitted: now, Attrs: []policy.Attr{{Name: "program", Value: fmt.Sprint(next % 7)}}, Stages: []policy.Stage{{Tasks: 100, Cores: 1}}}
		step(policy.Event{Time: now, Kind: policy.Submitted, More: true, Copy: of, Job: j})
		step(policy.Event{Time: now, Kind: policy.Ready, Copy: of})
	}
	for range n {
		submit()
	}
	step(policy.Event{Time: now, Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: cores, Speed: 1}})
	started := 0
	for _, c := range running {
		step(policy.Event{Time: now, Kind: policy.Started, Copy: c, Node: 1})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	left := make(map[policy.JobID]int)
	finish := func() {
		now = now.Add(policy.Duration(time.Second) / cores)
		i := rng.IntN(len(running))
		c := running[i]
		running[i] = running[len(running)-1]
		running = running[:len(running)-1]
		left[c.Job]++
		last := left[c.Job] == 100
		before := len(running)
		step(policy.Event{Time: now, Kind: policy.Finished, Copy: c, Node: 1, Service: time.Second, More: last})
		if last {
			delete(left, c.Job)
			step(policy.Event{Time: now, Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: c.Job}}, Outcome: policy.Done, More: true})
			submit()
		}
		for _, c := range running[before:] {
			step(policy.Event{Time: now, Kind: policy.Started, Copy: c, Node: 1})
			started++
		}
	}
	for range 1000 {
		finish()
	}
	b.ReportAllocs()
	for b.Loop() {
		finish()
	}
	if started == 0 {
		b.Fatal("nothing starts")
	}
}
