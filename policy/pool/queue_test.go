package pool_test

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// What a Queue answers. A call is a word and its arguments: add ID KIND, next N, started ID, ended ID SECONDS, failed ID SECONDS
// or remove ID; the ID begins with the tenant. Answers are those of Next, or whether a call was of use.
func TestQueue(t *testing.T) {
	type step struct {
		at     int // s
		calls  string
		answer string
	}
	for _, test := range []struct {
		name   string
		config pool.Config
		steps  []step
	}{
		{"the shortest first, once they are known", pool.Config{}, []step{
			{0, "add a1 long; add a2 short; next 3", "a1 a2"}, // both kinds are unknown, and nobody else waits
			{0, "started a1; started a2; next 3", ""},
			{60, "ended a2 60; ended a1 3600", ""},
			{61, "add a3 long; add a4 short; add a5 short; next 2", "a4 a5"},
			{62, "next 2", "a4 a5"}, // until they start
			{62, "started a4; next 2", "a5 a3"},
		}},
		{"a task that another process has taken", pool.Config{}, []step{
			{0, "add a1 x; add a2 x; next 1", "a1"},
			{0, "remove a1; next 1", "a2"},
			{0, "remove a1", "false"},
			{5, "ended a2 5", ""}, // by another one, which did not say that it started
			{5, "next 1", ""},
			{6, "add a3 y; add a4 x; started a3; next 1", "a4"},
		}},
		{"what is reported twice, or of nothing", pool.Config{}, []step{
			{0, "started a1", "false"},
			{0, "ended a1 5", "false"},
			{0, "add a1 x", ""},
			{0, "add a1 x", "false"},
			{0, "started a1", ""},
			{0, "started a1", "false"},
			{9, "ended a1 9", ""},
			{9, "ended a1 9", "false"},
		}},
		{"a task that failed is added again", pool.Config{}, []step{
			{0, "add a1 bad; started a1; failed a1 10; add a1 bad; add a2 good; started a2; ended a2 1", ""},
			{20, "add a3 good; next 2", "a3 a1"}, // bad takes more than 10 s
		}},
		{"a run that is lost", pool.Config{}, []step{
			{0, "add a1 x; started a1; next 1", ""},
			{9, "add a1 x; next 1", "a1"}, // its row is back
			{9, "started a1; remove a1; next 1", ""},
		}},
		{"after a restart the oldest is as old as it was", pool.Config{Order: pool.FirstCome}, []step{
			{50, "add a2 x", ""},
			{20, "add a1 x", ""}, // submitted earlier
			{60, "next 2", "a1 a2"},
		}},
		{"tenants take turns by what they are expected to take", pool.Config{Tenant: "tenant"}, []step{
			{0, "add a1 x; add a2 x; add a3 x; add b1 x; next 4", "a1 b1 a2 a3"},
			{0, "next 1", "a1"},
			{0, "started b1; next 3", "a1 a2 a3"},
		}},
		{"and by their weights", pool.Config{Tenant: "tenant", Weights: map[string]float64{"a": 2}}, []step{
			{0, "add a1 x; add a2 x; add a3 x; add a4 x; add b1 x; add b2 x; next 6", "a1 b1 a2 b2 a3 a4"},
		}},
		{"what waits behind a limit holds up nobody", pool.Config{Limits: []pool.Limit{{"kind", "x", 1}}}, []step{
			{0, "add a1 x; add a2 x; add a3 y; next 3", "a1 a3"},
			{0, "started a1; next 3", "a3"},
			{5, "ended a1 5; next 3", "a3 a2"},
			{5, "started a2; remove a2; next 3", "a3"},
		}},
		{"a limit of each tenant", pool.Config{Tenant: "tenant", Limits: []pool.Limit{{"tenant", "", 1}, {"tenant", "b", 2}}}, []step{
			{0, "add a1 x; add a2 x; add b1 x; add b2 x; add b3 x; next 9", "a1 b1 b2"},
			{0, "started b1; started b2; next 9", "a1"},
		}},
		{"several limits", pool.Config{Tenant: "tenant", Limits: []pool.Limit{{"tenant", "", 2}, {"kind", "", 1}}}, []step{
			{0, "add a1 x; add a2 x; add a3 y; add a4 z; add b1 x; add b2 w; next 9", "a1 b2 a3"},
			{0, "started b1; next 9", "a3 b2 a4"},
		}},
		{"no task is overtaken for longer than MaxWait", pool.Config{MaxWait: time.Minute}, []step{
			{0, "add a1 long; started a1; ended a1 600; add a1 short; started a1; ended a1 1", ""},
			{0, "add a2 long", ""},
			{59, "add a3 short; next 2", "a3 a2"},
			{60, "next 2", "a2 a3"},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.config.Features = []string{"kind"}
			q, err := pool.NewQueue[string](test.config)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range test.steps {
				now := time.Unix(int64(s.at), 0)
				answer := ""
				for call := range strings.SplitSeq(s.calls, "; ") {
					answer = tell(t, q, call, now)
				}
				if answer != s.answer {
					t.Errorf("at %d s: %s: got %q, want %q", s.at, s.calls, answer, s.answer)
				}
			}
		})
	}
}

// tell makes a call and returns the answer: the tasks that are next, false, or nothing.
func tell(t *testing.T, q *pool.Queue[string], call string, now time.Time) string {
	t.Helper()
	var what, id, kind string
	var n int
	fmt.Sscan(call, &what, &id, &kind)
	ok := false
	switch what {
	case "add":
		ok = q.Add(id, predict.Attrs{"kind": kind, "tenant": id[:1]}, now)
	case "next":
		fmt.Sscan(id, &n)
		return strings.Join(q.Next(n, now), " ")
	case "started":
		ok = q.Started(id, now)
	case "ended", "failed":
		fmt.Sscan(kind, &n)
		var err error
		if what == "failed" {
			err = errors.New("failed")
		}
		ok = q.Ended(id, time.Duration(n)*time.Second, err, now)
	case "remove":
		ok = q.Remove(id)
	default:
		t.Fatalf("unknown call %q", call)
	}
	if !ok {
		return "false"
	}
	return ""
}

// What a queue has learned outlives it, weights change while tasks wait, and Stats count.
func TestQueueAndItsFile(t *testing.T) {
	file, now := filepath.Join(t.TempDir(), "runtimes"), time.Unix(0, 0)
	c := pool.Config{Features: []string{"kind"}, Order: pool.Index, Tenant: "tenant"}
	for round := range 2 {
		q, err := pool.OpenQueue[int](file, c)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := q.History().Estimate(predict.Attrs{"kind": "x"}, now)
		if known := round == 1; ok != known || known && got != 60 {
			t.Errorf("round %d: x takes %v, %v", round, got, ok)
		}
		for id := range 20 {
			q.Add(id, predict.Attrs{"kind": "x", "tenant": []string{"a", "b"}[id%2]}, now)
		}
		if err := errors.Join(q.SetWeight("a", 3), q.SetWeight("c", 1)); err != nil {
			t.Error(err)
		}
		if err := q.SetWeight("a", -1); err == nil || !strings.Contains(err.Error(), `tenant "a"`) {
			t.Errorf("a weight of -1 has error %v", err)
		}
		of := [2]int{}
		for _, id := range q.Next(8, now) {
			of[id%2]++
			q.Started(id, now)
		}
		if of != [2]int{6, 2} {
			t.Errorf("round %d: %v tasks of a and b are next, want 6 and 2", round, of)
		}
		want := pool.Stats{Counts: pool.Counts{Waiting: 12, Running: 8}, Tenants: map[string]pool.Counts{"a": {Waiting: 4, Running: 6}, "b": {Waiting: 8, Running: 2}}}
		if got := q.Stats(); got.Counts != want.Counts || !maps.Equal(got.Tenants, want.Tenants) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		for id := range 20 {
			q.Ended(id, time.Minute, nil, now)
		}
		if got := q.Stats(); got.Counts != (pool.Counts{}) || len(got.Tenants) > 0 {
			t.Errorf("after all have ended: %+v", got)
		}
		if err := q.Save(); err != nil {
			t.Error(err)
		}
	}
}

// A kind that one tenant's task has made known is known for those of another that wait, and Next changes nothing of that.
func TestKnownForAllTenants(t *testing.T) {
	for _, ask := range []int{0, 1, 12} {
		q, err := pool.NewQueue[string](pool.Config{Features: []string{"kind"}, Tenant: "customer"})
		if err != nil {
			t.Fatal(err)
		}
		now := time.Unix(0, 0)
		for i := range 3 {
			q.Add(fmt.Sprint("new", i), predict.Attrs{"kind": fmt.Sprint("new", i), "customer": "a"}, now)
		}
		for i := range 3 {
			q.Add(fmt.Sprint("mail", i), predict.Attrs{"kind": "mail", "customer": "a"}, now)
		}
		q.Add("other", predict.Attrs{"kind": "mail", "customer": "b"}, now)
		q.Started("other", now)
		q.Ended("other", time.Second, nil, now)
		q.Next(ask, now)
		var got []string
		for next := q.Next(1, now); len(next) > 0; next = q.Next(1, now) {
			q.Started(next[0], now)
			got = append(got, next[0])
		}
		if want := []string{"new0", "mail0", "mail1", "mail2", "new1", "new2"}; !slices.Equal(got, want) {
			t.Errorf("after Next(%d): %q, want %q", ask, got, want)
		}
	}
}

// A task that ended before it began, by clocks that differ, teaches nothing, and its tenant gains nothing.
func TestSkewedClocks(t *testing.T) {
	q, err := pool.NewQueue[string](pool.Config{Features: []string{"kind"}, Tenant: "customer"})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 0)
	for _, id := range []string{"a0", "a1", "a2", "b0"} {
		q.Add(id, predict.Attrs{"kind": "mail", "customer": id[:1]}, now)
	}
	q.Started("a0", now)
	if ok := q.Ended("a0", -24*time.Hour, nil, now); !ok || q.History().Observed() != 0 || q.Stats().Running != 0 {
		t.Errorf("%t, %d observed, %d running, want 0 of both", ok, q.History().Observed(), q.Stats().Running)
	}
	q.Started("a1", now)
	q.Ended("a1", time.Second, nil, now)
	if got := q.Next(1, now); !slices.Equal(got, []string{"b0"}) {
		t.Errorf("%q is next, want the other tenant's", got)
	}
}
