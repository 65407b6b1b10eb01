package pipeline_test

import (
	"testing"

	"example.com/augur/policy"
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
