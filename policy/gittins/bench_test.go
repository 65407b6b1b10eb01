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
	"example.com/augur/predict"
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
				return central.Config{Turn: part(slearn.NewTurn(slearn.TurnConfig{}))(b), Forecast: beliefs()}
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

// BenchmarkRevision measures the longest step while the number of learned jobs doubles from 63 on, and what is believed of all
// jobs that wait is made anew. They wait for one core, have attributes and request times.
func BenchmarkRevision(b *testing.B) {
	for _, n := range []int{1000, 10_000, 50_000} {
		b.Run(fmt.Sprintf("jobs=%d", n), func(b *testing.B) {
			longest := time.Duration(0)
			for b.Loop() {
				longest = max(longest, benchmarkRevision(b, n))
			}
			b.ReportMetric(float64(longest.Microseconds())/1000, "ms/longest-step")
		})
	}
}

func benchmarkRevision(b *testing.B, n int) (longest time.Duration) {
	f := jobtest.Must(forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: jobtest.Must(predict.New(predict.Config{}))}))
	p := jobtest.Must(central.New(central.Config{Turn: turn(Config{}), Forecast: f, Fill: baseline.EASY()}))
	var actions []policy.Action
	step := func(ev policy.Event) time.Duration {
		began := time.Now()
		var err error
		if actions, err = p.Step(&ev, actions); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	job := func(id int) *policy.Job {
		return &policy.Job{ID: policy.JobID(id), Requested: policy.Duration(1+id%50) * time.Second, Queue: fmt.Sprint(id % 3),
			Attrs:  []policy.Attr{{Name: "user", Value: fmt.Sprint(id % 100)}, {Name: "program", Value: fmt.Sprint(id % 300)}},
			Stages: []policy.Stage{{Tasks: 1, Cores: 1 + int32(id%2)}}}
	}
	for id := range 63 {
		if err := f.Learn(job(id), []policy.Duration{policy.Duration(1+id%20) * time.Second}, 0); err != nil {
			b.Fatal(err)
		}
	}
	for id := range n {
		c := policy.Copy{Task: policy.Task{Job: policy.JobID(id + 1)}}
		step(policy.Event{Kind: policy.Submitted, Copy: c, Job: job(id + 1)})
		step(policy.Event{Kind: policy.Ready, Copy: c})
	}
	step(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 2, Speed: 1}})
	now := policy.Time(0)
	for ended := 0; ended < 20; {
		a := actions[0]
		if actions = actions[1:]; a.Kind != policy.Start {
			continue
		}
		step(policy.Event{Time: now, Kind: policy.Started, Copy: a.Copy, Node: 1})
		now += 1e9
		longest = max(longest, step(policy.Event{Time: now, Kind: policy.Finished, Copy: a.Copy, Node: 1, Service: 1e9, More: true}),
			step(policy.Event{Time: now, Kind: policy.Ended, Copy: a.Copy, Outcome: policy.Done}))
		ended++
	}
	return longest
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
