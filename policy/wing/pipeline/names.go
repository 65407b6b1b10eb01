package pipeline

import (
	"example.com/augur/dag/provenance"
	"example.com/augur/policy"
)

// TemplateOf returns a function for the Template of a [Config] or a wing.LookupConfig: it makes the
// template of a job from its name, by provenance.Template, as a provenance.Reader does. The name is the
// given attribute; a job without it has no template.
//
// A Store knows templates by the names that they have in the log, and nothing by those of single
// jobs: report-#, and not report-2020-11-04. Where names of jobs are given to it, no template is
// found, and all jobs go by what their user's ad-hoc ones were worth.
//
// The function allocates a string at each call. A lookup calls it once for each job, MIL each time
// that the value of a job falls; for many jobs that wait, let the host make an attribute "template"
// when it submits them, which is what is read without such a function.
func TemplateOf(attr string) func(j *policy.Job) string {
	return func(j *policy.Job) string {
		name, _ := j.Attr(attr)
		return provenance.Template(name)
	}
}

func attribute(name string) func(j *policy.Job) string {
	return func(j *policy.Job) string {
		value, _ := j.Attr(name)
		return value
	}
}
