package augurriver

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"example.com/augur/predict"
)

func TestConfigErrors(t *testing.T) {
	tests := []struct {
		config Config
		want   string
	}{
		{Config{Every: time.Millisecond}, "Config.Every is 1ms, want at least 50ms"},
		{Config{MaxWait: -1}, "Config.MaxWait is -1ns, want more than 0"},
		{Config{Longest: time.Microsecond}, "Config.Longest is 1µs, want at least 1ms"},
		{Config{Weights: map[string]float64{"a": 1}}, "Config.Tenant is empty"},
		{Config{Features: []string{"a+"}}, "a+"},
	}
	for _, tt := range tests {
		if _, err := New(tt.config); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("New(%+v): %v, want an error with %q", tt.config, err, tt.want)
		}
		tt.config.Weights = nil
		if _, err := NewAging(tt.config); tt.config.Tenant == "" && !strings.Contains(tt.want, "Tenant") && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("NewAging(%+v): %v, want an error with %q", tt.config, err, tt.want)
		}
	}
	if _, err := NewAging(Config{Tenant: "customer"}); err == nil || !strings.Contains(err.Error(), "Tenant") {
		t.Errorf("NewAging with a tenant: %v, want an error that names it", err)
	}
}

func TestDefaults(t *testing.T) {
	o, err := New(Config{Tenant: "customer"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"kind+customer", "kind"}, o.config.Features); diff != "" {
		t.Errorf("features (-want +got):\n%s", diff)
	}
	if a, err := NewAging(Config{}); err != nil || cmp.Diff([]string{"kind"}, a.config.Features) != "" {
		t.Errorf("features of an Aging are %v, %v, want kind", a.config.Features, err)
	}
}

func TestAttributes(t *testing.T) {
	tests := []struct {
		args string
		want predict.Attrs
	}{
		{`{}`, predict.Attrs{"kind": "sort"}},
		{`{"customer": "acme", "id": 9007199254740993, "size": 1.5, "dry": true}`,
			predict.Attrs{"kind": "sort", "customer": "acme", "id": "9007199254740993", "size": "1.5", "dry": "true"}},
		{`{"kind": "theirs", "list": [1], "deep": {"a": 1}, "none": null}`, predict.Attrs{"kind": "sort"}},
		{`[1]`, predict.Attrs{"kind": "sort"}},
		{`no JSON`, predict.Attrs{"kind": "sort"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, attributes(&rivertype.JobRow{Kind: "sort", EncodedArgs: []byte(tt.args)})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.args, diff)
		}
	}
}

func TestPlugin(t *testing.T) {
	o, err := New(Config{Queue: "slow"})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		queue          string
		priority, want int
	}{{"slow", 1, 4}, {"slow", 2, 2}, {"slow", 3, 3}, {"slow", 4, 3}, {"default", 4, 4}, {"default", 1, 1}}
	for _, tt := range tests {
		job := &rivertype.JobInsertParams{Queue: tt.queue, Priority: tt.priority}
		if err := o.Plugin().(rivertype.HookInsertBegin).InsertBegin(t.Context(), job); err != nil || job.Priority != tt.want {
			t.Errorf("queue %s, priority %d: %d, %v, want %d", tt.queue, tt.priority, job.Priority, err, tt.want)
		}
	}
}

// Longest is e² times the prediction of a job of 1 s, and e times that of one of e s.
func TestStamp(t *testing.T) {
	const e = 2.718281828459045
	seconds := func(x float64) time.Duration { return time.Duration(x * 1e9) }
	a, err := NewAging(Config{Features: []string{"report"}, MaxWait: time.Hour, Longest: seconds(e * e)})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1e9, 0)
	for report, s := range map[string]float64{"second": 1, "e": e, "year": 3e7} {
		if err := a.lessons.history.Observe(predict.Attrs{"report": report}, s, now); err != nil {
			t.Fatal(err)
		}
	}
	later := now.Add(time.Hour)
	tests := []struct {
		name   string
		job    rivertype.JobInsertParams
		report string
		want   time.Duration // before now
		same   bool
	}{
		{"short", rivertype.JobInsertParams{}, "second", 2 * time.Hour, false},
		{"longer", rivertype.JobInsertParams{}, "e", time.Hour, false},
		{"longest", rivertype.JobInsertParams{}, "year", 0, false},
		{"unknown", rivertype.JobInsertParams{}, "new", 0, true},
		{"another queue", rivertype.JobInsertParams{Queue: "other"}, "second", 0, true},
		{"scheduled", rivertype.JobInsertParams{State: rivertype.JobStateScheduled, ScheduledAt: &later}, "second", 0, true},
		{"pending", rivertype.JobInsertParams{State: rivertype.JobStatePending}, "second", 0, true},
	}
	for _, tt := range tests {
		if tt.job.Queue == "" {
			tt.job.Queue = river.QueueDefault
		}
		if tt.job.State == "" {
			tt.job.State = rivertype.JobStateAvailable
		}
		before := tt.job.ScheduledAt
		tt.job.Priority, tt.job.EncodedArgs = 2, []byte(`{"report": "`+tt.report+`"}`)
		a.stamp(&tt.job, now)
		switch got := tt.job.ScheduledAt; {
		case tt.job.Priority != 2:
			t.Errorf("%s: priority %d, want 2 as before", tt.name, tt.job.Priority)
		case tt.same && got != before:
			t.Errorf("%s: scheduled at %v, want %v as before", tt.name, got, before)
		case !tt.same && (got == nil || now.Sub(*got).Round(time.Millisecond) != tt.want):
			t.Errorf("%s: scheduled at %v, want %v before %v", tt.name, got, tt.want, now)
		}
	}
}
