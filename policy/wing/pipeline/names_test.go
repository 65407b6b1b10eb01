package pipeline_test

import (
	"slices"
	"testing"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
)

func TestTemplateOf(t *testing.T) {
	template := pipeline.TemplateOf("jobname")
	for _, test := range []struct {
		name  string
		attrs []policy.Attr
		want  string
	}{
		{"no attribute", nil, ""},
		{"another attribute", []policy.Attr{{Name: "name", Value: "feed-7"}}, ""},
		{"empty", []policy.Attr{{Name: "jobname"}}, ""},
		{"a run of a template", []policy.Attr{{Name: "user", Value: "ann"}, {Name: "jobname", Value: "feed-7"}}, "feed-#"},
	} {
		if got := template(&policy.Job{ID: 1, Attrs: test.attrs}); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// With names of jobs in place of templates a store has an answer too, but that of the user's ad-hoc jobs;
// with the function it is the template's.
func TestTemplateOfFindsWhatTheStoreKnows(t *testing.T) {
	store, err := value.Build([]value.Record{
		{Template: provenance.Template("feed-1"), User: "ann", Recurring: true, Known: true, Aggregate: value.Worth{Value: 9, Compute: 1}},
		{Template: provenance.Template("look-1"), User: "ann", Known: true, Aggregate: value.Worth{Value: 2, Compute: 1}},
	}, value.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var live value.Live
	live.Swap(store)
	job := &policy.Job{ID: 1, Attrs: []policy.Attr{{Name: "user", Value: "ann"}, {Name: "jobname", Value: "feed-2"}}}
	byName := func(j *policy.Job) string { name, _ := j.Attr("jobname"); return name }
	var got []float64
	for _, template := range []func(*policy.Job) string{nil, byName, pipeline.TemplateOf("jobname")} {
		lookup, err := wing.NewLookup(wing.LookupConfig{Efficiency: live.Aggregate, Template: template})
		if err != nil {
			t.Fatal(err)
		}
		efficiency, _ := lookup.Rank(job, 0)
		got = append(got, efficiency)
	}
	if want := []float64{2, 2, 9}; !slices.Equal(got, want) {
		t.Errorf("efficiencies %v, want %v", got, want)
	}
}
