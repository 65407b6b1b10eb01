package catalog

import (
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// Forecasts that learn from jobs know those of Past before the run; the others do not read it.
func TestPastTeaches(t *testing.T) {
	job := &workload.Job{
		Job:      policy.Job{ID: 7, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}},
		Runtimes: [][]policy.Duration{{time.Minute, time.Minute, time.Minute, time.Minute}},
	}
	broken := &workload.Job{Job: job.Job, Runtimes: [][]policy.Duration{{time.Minute}}}
	for _, p := range forecasts.parts {
		learns := strings.Contains(" history point beliefs none hybrid chooser ", " "+p.name+" ")
		for _, past := range []*workload.Job{job, broken} {
			read := false
			_, err := forecastOf(p.name, &Setting{Truth: noTruth{}, Past: func() (workload.Source, error) {
				read = true
				return workload.Of([]*workload.Job{past}), nil
			}})
			if read != learns {
				t.Errorf("%s: read the past: %v, want %v", p.name, read, learns)
			}
			wantErr := learns && past == broken
			if (err != nil) != wantErr || wantErr && !strings.Contains(err.Error(), "job 7 of the history") {
				t.Errorf("%s: error %v, want one that names job 7: %v", p.name, err, wantErr)
			}
		}
	}
}

type noTruth struct{ policy.Truth }

// List has a line for each policy and each part.
func TestList(t *testing.T) {
	var text strings.Builder
	List(&text)
	for _, p := range named {
		if !strings.Contains(text.String(), "\n  "+p.Name+"\t"+p.About) {
			t.Errorf("no line for %s", p.Name)
		}
	}
	for _, r := range []*room{&turns, &fills, &forecasts, &copiers, &whens, &places, &nodes} {
		for _, p := range r.parts {
			if !strings.Contains(text.String(), "\n    "+p.name+"\t"+p.about+"\n") {
				t.Errorf("no line for %s %s", r.name, p.name)
			}
		}
	}
}
