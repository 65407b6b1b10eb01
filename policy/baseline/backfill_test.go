package baseline

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
)

// said is a forecast that knows what a test tells it: the runtimes of all tasks of a job, s.
type said map[policy.JobID]float64

func (said) Bind(central.Books) error { return nil }

func (said) Note(*policy.Event, *central.Job) error { return nil }

func (f said) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	x, ok := f[j.Job.ID]
	return forecast.Known(x), ok
}

// A gang of all cores waits for a job of which nothing is known until a pilot has ended. From then on the gang has a
// reservation, and nothing that would delay it starts.
func TestReservationOnceForecastKnows(t *testing.T) {
	for _, fill := range []central.Filler{EASY(), Conservative()} {
		t.Run(fmt.Sprintf("%T", fill), func(t *testing.T) {
			f := said{}
			p := must(central.New(central.Config{Turn: FIFO(), Fill: fill, Forecast: f}))
			now := policy.Time(0)
			var started []policy.JobID
			tell := func(ev policy.Event) {
				t.Helper()
				ev.Time = now
				actions, err := p.Step(&ev, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range actions {
					started = append(started, a.Copy.Job)
					if _, err := p.Step(&policy.Event{Time: now, Kind: policy.Started, Copy: a.Copy, Node: 1}, nil); err != nil {
						t.Fatal(err)
					}
				}
			}
			submit := func(id policy.JobID, requested policy.Duration, stage policy.Stage) {
				t.Helper()
				of := policy.Copy{Task: policy.Task{Job: id}}
				j := &policy.Job{ID: id, Submitted: now, Requested: requested, Stages: []policy.Stage{stage}}
				tell(policy.Event{Kind: policy.Submitted, Copy: of, Job: j, More: true})
				tell(policy.Event{Kind: policy.Ready, Copy: of})
			}
			tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 4, Speed: 1}})
			submit(1, 0, policy.Stage{Tasks: 3, Cores: 1})
			submit(2, 10*s, policy.Stage{Tasks: 4, Cores: 1, Gang: true})
			if at, ok := p.Planned(2); ok {
				t.Errorf("while nothing is known the gang is planned for %v", time.Duration(at))
			}
			now, f[1] = policy.Time(6*s), 9
			tell(policy.Event{Kind: policy.Finished, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Node: 1, Service: 6 * s})
			if at, ok := p.Planned(2); !ok || at != policy.Time(9*s) {
				t.Errorf("once a task is known to take 9 s the gang is planned for %v, %v, want 9 s", time.Duration(at), ok)
			}
			submit(3, 100*s, policy.Stage{Tasks: 1, Cores: 1}) // would delay the gang
			submit(4, 3*s, policy.Stage{Tasks: 1, Cores: 1})
			if want := []policy.JobID{1, 1, 1, 4}; !slices.Equal(started, want) {
				t.Errorf("tasks start of jobs %v, want %v", started, want)
			}
		})
	}
}
