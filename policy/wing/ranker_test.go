package wing_test

import (
	"math"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
)

func of(attrs ...string) *policy.Job {
	j := bag(1, 1, 0)
	for i := 0; i < len(attrs); i += 2 {
		j.Attrs = append(j.Attrs, policy.Attr{Name: attrs[i], Value: attrs[i+1]})
	}
	return j
}

func lookups(t *testing.T) {
	l := jobtest.Must(wing.NewLookup(wing.LookupConfig{Efficiency: medians{
		templates: map[string]float64{"daily": 3, "odd": math.NaN()}, users: map[string]float64{"ann": 2},
	}.of}))
	for _, test := range []struct {
		job  *policy.Job
		want float64
	}{
		{of("template", "daily", "user", "ann"), 3},
		{of("template", "new", "user", "ann"), 2},
		{of("template", "odd", "user", "ann"), 0},
		{of("user", "ann"), 2},
		{of("user", "bob"), 0},
		{of(), 0},
	} {
		if got, until := l.Rank(test.job, 77); got != test.want || until != policy.Never {
			t.Errorf("%v: priority %v until %v, want %v for ever", test.job.Attrs, got, until, test.want)
		}
	}
}

type valuations map[policy.JobID]wing.Valuation

func (v valuations) of(j *policy.Job) (wing.Valuation, bool) {
	valuation, ok := v[j.ID]
	return valuation, ok
}

func milByDefinition(t *testing.T) {
	value := steps([]int64{10, 20, 45}, []float64{12, 8, 2, 0})
	known := valuations{
		1: {Value: value, Runtime: 5, Work: 4},
		2: {Value: value, Runtime: 5, Work: 4, Origin: 100},
		3: {Value: value, Runtime: math.MaxInt64, Work: 4, Origin: math.MinInt64 + 1},
		4: {Value: value, Runtime: -1, Work: 4},
		5: {Value: value, Work: 0},
		6: {Value: value, Work: math.NaN()},
		8: {Value: value, Work: math.SmallestNonzeroFloat64},
	}
	m := jobtest.Must(wing.NewMIL(wing.MILConfig{Value: known.of, Unknown: wing.ByPriority()}))
	for now := range policy.Time(160) {
		for id := policy.JobID(1); id <= 2; id++ {
			origin := policy.Time(100 * (id - 1))
			want := value.At(int64(now+5-origin)) / 4
			got, until := m.Rank(bag(id, 1, 3), now)
			if got != want {
				t.Errorf("job %d at %v: priority %v, want %v", id, now, got, want)
			}
			next := now + 1 // the first instant of another value
			for next < 200 && value.At(int64(next+5-origin)) == value.At(int64(now+5-origin)) {
				next++
			}
			if next == 200 {
				next = policy.Never
			}
			if until != next {
				t.Errorf("job %d at %v: until %v, want %v", id, now, until, next)
			}
		}
	}
	if got, until := m.Rank(bag(3, 1, 3), 7); got != 0 || until != policy.Never {
		t.Errorf("a job that never completes: priority %v until %v, want 0 for ever", got, until)
	}
	for id := policy.JobID(4); id <= 8; id++ {
		if got, until := m.Rank(bag(id, 1, 3), 7); got != 3 || until != policy.Never {
			t.Errorf("job %d, of which nothing good is known: priority %v until %v, want 3 for ever", id, got, until)
		}
	}
}

func raises(t *testing.T) {
	f := foresight{
		{Queue: "a", Priority: 2, After: 50},
		{Queue: "a", Priority: 5, After: 100},
		{Queue: "b", Priority: 9, After: 30},
	}
	type at struct {
		now      policy.Time
		priority float64
		until    policy.Time
	}
	for _, test := range []struct {
		name string
		c    wing.RaiseConfig
		own  float64
		want []at
	}{
		{"from submission on", wing.RaiseConfig{}, 1, []at{{1000, 5, policy.Never}}},
		{"its own is more", wing.RaiseConfig{}, 6, []at{{1000, 6, policy.Never}}},
		{"lead", wing.RaiseConfig{LeadTime: 40}, 1, []at{
			{1000, 1, 1010}, {1009, 1, 1010}, {1010, 2, 1060}, {1059, 2, 1060}, {1060, 5, policy.Never},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := test.c
			c.Ranker, c.Dependents = wing.ByPriority(), f.of
			r := jobtest.Must(wing.NewRaise(c))
			j := bag(1, 1, test.own)
			j.Queue, j.Submitted = "a", 1000
			for _, w := range test.want {
				if got, until := r.Rank(j, w.now); got != w.priority || until != w.until {
					t.Errorf("at %d: priority %v until %v, want %v until %v", w.now, got, until, w.priority, w.until)
				}
			}
		})
	}
}

func badRanker(t *testing.T) {
	p := jobtest.Must(wing.NewScheduler(wing.Config{Ranker: broken{}}))
	h := newHost(t, p)
	h.Now = 100
	h.Join(1, 1)
	h.Submit(bag(1, 5, 0), true)
	if got := h.Submit(bag(2, 5, 0), true); len(got) != 0 {
		t.Errorf("got %v, want nothing", got)
	}
	h.priorities(t, p, math.Inf(-1), math.Inf(-1))
}

type broken struct{}

func (broken) Rank(_ *policy.Job, now policy.Time) (float64, policy.Time) { return math.NaN(), now }
