package threesigma_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

// Two jobs for one node, whose runtimes are known, with the default curves and with one of their own: section 3.1, by
// hand. A curve of its own decides as a default one of the same shape would, wherever the job is submitted.
func TestOwnUtility(t *testing.T) {
	const at = 1000              // s, when both are submitted, or the first one
	first := gang(9, 0, 1, 1, 0) // since which the Scheduler counts seconds
	dear := gang(1, at, 1, 60, at+70)
	dear.SLO.Utility = 2
	type starts = map[policy.JobID][]float64
	step := func(value, until float64) []threesigma.Point {
		return []threesigma.Point{{Time: until, Value: value}, {Time: until}}
	}
	for _, test := range []struct {
		name   string
		one    *workload.Job // has the curve
		curve  []threesigma.Point
		two    *workload.Job
		giveUp bool
		want   starts // without the curve
		own    starts // with it
	}{
		{
			// Own first: 1/2 for its end at 100 s, and some 0.01 for job 2. Job 2 first: some 0.01, and 0.45 for the end at 110 s.
			name: "a long job that loses 1/200 each second goes before a short one that loses 0.009/3600",
			one:  gang(1, at, 1, 100, 0), curve: []threesigma.Point{{Value: 1}, {Time: 200}}, two: gang(2, at, 1, 10, 0),
			want: starts{2: {at}, 1: {at + 10}}, own: starts{1: {at}, 2: {at + 100}},
		},
		{
			// Job 1 ends in time only if it starts within 10 s, and job 2 within 50 s: one of them is late, that of utility 1.
			name: "one worth 2 goes before a deadline worth 1",
			one:  gang(1, at, 1, 60, 0), curve: step(2, 70), two: gang(2, at, 1, 50, at+100),
			want: starts{2: {at}, 1: {at + 50}}, own: starts{1: {at}, 2: {at + 60}},
		},
		{
			name: "its curve takes the place of its deadline's",
			one:  dear, curve: step(0.5, 70), two: gang(2, at, 1, 50, at+50),
			want: starts{1: {at}, 2: {at + 60}}, own: starts{2: {at}, 1: {at + 50}},
		},
		{
			name: "one worth 2 that runs is not killed for a deadline worth 1",
			one:  gang(1, at, 1, 100, 0), curve: step(2, 150), two: gang(2, at+20, 1, 50, at+80),
			want: starts{1: {at, at + 70}, 2: {at + 20}}, own: starts{1: {at}, 2: {at + 100}},
		},
		{
			name: "one worth 1/2 that runs is killed, since it has no deadline",
			one:  gang(1, at, 1, 100, 0), curve: step(0.5, 150), two: gang(2, at+20, 1, 50, at+80),
			want: starts{1: {at, at + 70}, 2: {at + 20}}, own: starts{1: {at, at + 70}, 2: {at + 20}},
		},
		{
			name: "what no start is worth any more goes on as best effort",
			one:  gang(1, at, 1, 20, 0), curve: step(1, 15), two: gang(2, at, 1, 10, 0),
			want: starts{2: {at}, 1: {at + 10}}, own: starts{2: {at}, 1: {at + 10}},
		},
		{
			name: "or is given up",
			one:  gang(1, at, 1, 20, 0), curve: step(1, 15), two: gang(2, at, 1, 10, 0), giveUp: true,
			want: starts{2: {at}, 1: {at + 10}}, own: starts{2: {at}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := threesigma.Config{GiveUpLate: test.giveUp}
			test.want[9], test.own[9] = []float64{0}, []float64{0}
			if diff := cmp.Diff(test.want, run(t, c, []int{1}, nil, first, test.one, test.two).starts); diff != "" {
				t.Errorf("starts by default (-want +got):\n%s", diff)
			}
			c.Utility = func(j *policy.Job) (threesigma.Utility, error) {
				if j.ID != 1 {
					return threesigma.Utility{}, nil
				}
				return threesigma.NewUtility(test.curve...)
			}
			if diff := cmp.Diff(test.own, run(t, c, []int{1}, nil, first, test.one, test.two).starts); diff != "" {
				t.Errorf("starts with its own curve (-want +got):\n%s", diff)
			}
		})
	}
}

// Points that the time of submission rounds to one instant remain a jump.
func TestOwnUtilityOfCloseTimes(t *testing.T) {
	j := gang(1, 1e6, 1, 10, 0)
	c := threesigma.Config{Utility: func(*policy.Job) (threesigma.Utility, error) {
		return threesigma.NewUtility(threesigma.Point{Time: 5, Value: 3}, threesigma.Point{Time: 5 + 1e-12, Value: 2}, threesigma.Point{Time: 5 + 2e-12, Value: 1})
	}}
	seen := false
	run(t, c, []int{1}, func(s *threesigma.Scheduler, now float64) {
		if points := s.Utility(1).Points(); len(points) > 0 {
			seen = true
			if diff := cmp.Diff([]threesigma.Point{{Time: 1e6 + 5, Value: 3}, {Time: 1e6 + 5, Value: 1}}, points); diff != "" {
				t.Errorf("at %v s (-want +got):\n%s", now, diff)
			}
		}
	}, gang(9, 0, 1, 1, 0), j)
	if !seen {
		t.Error("the job never had a utility")
	}
}

// asked counts what a forecast hears of.
type asked struct {
	book
	notes int
}

func (a *asked) Note(*policy.Event, *central.Job) error {
	a.notes++
	return nil
}

// A job whose curve is not allowed is not there, and the Forecast does not hear of it. It may come again.
func TestOwnUtilityErrors(t *testing.T) {
	errUnknown := errors.New("class unknown")
	for _, test := range []struct {
		points []threesigma.Point
		err    error
		want   string
	}{
		{nil, errUnknown, "Config.Utility of job 7: class unknown"},
		{[]threesigma.Point{{Time: 2, Value: 1}, {Time: 1}}, nil, "Config.Utility of job 7: threesigma: point 1 of a utility is at 1 s"},
		{[]threesigma.Point{{Value: 1}, {Time: 5, Value: -1}}, nil, "job 7 has the value -1 at 5 s, want 0 to 1"},
		{[]threesigma.Point{{Value: 2e12}}, nil, "job 7 has the value 2e+12 at 0 s, want 0 to 1e+12"},
		{[]threesigma.Point{{Value: 1}, {Time: 5, Value: 2}}, nil, "job 7 has the value 2 at 5 s, want 0 to 1, at most the value before"},
	} {
		f, bad := &asked{book: book{map[policy.JobID]central.Distribution{7: forecast.Known(1)}}}, true
		s := must(t, threesigma.NewScheduler, threesigma.Config{Forecast: f, Utility: func(*policy.Job) (threesigma.Utility, error) {
			if !bad {
				return threesigma.Utility{}, nil
			}
			if test.err != nil {
				return threesigma.Utility{}, test.err
			}
			return threesigma.NewUtility(test.points...)
		}})
		submitted := policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 7}}, Job: &gang(7, 0, 1, 1, 0).Job}
		actions, err := s.Step(&submitted, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) || test.err != nil && !errors.Is(err, test.err) || len(actions) > 0 {
			t.Errorf("error %v, actions %v, want %q", err, actions, test.want)
		}
		if s.Has(7) || f.notes > 0 {
			t.Errorf("%q: the job is there (%v), or the Forecast has heard %d events", test.want, s.Has(7), f.notes)
		}
		bad = false
		if _, err := s.Step(&submitted, nil); err != nil || !s.Has(7) {
			t.Errorf("%q: the same job with the default curve: error %v", test.want, err)
		}
	}
}
