package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// With a cutoff, the JSON says of each policy what became of short jobs and of long ones.
func TestCutoff(t *testing.T) {
	const policies = "fifo,sparrow,hawk,eagle,bigc"
	args := []string{"-json", "-policies", policies, "-workload", "kairos", "-jobs", "100", "-delay", "0.5ms"}
	r := reportOf(t, append(args, "-cutoff", "45")...)
	if got, want := len(r.Policies), len(strings.Split(policies, ",")); got != want {
		t.Fatalf("%d policies, want %d", got, want)
	}
	for _, p := range r.Policies {
		if p.Done != r.Jobs || p.ShortJobs == 0 || p.LongJobs == 0 || p.ShortJobs+p.LongJobs != r.Jobs {
			t.Errorf("%s has done %d of %d jobs, %d of them short and %d long; want all, and some of each", p.Policy, p.Done, r.Jobs, p.ShortJobs, p.LongJobs)
		}
		for i, x := range []*float64{p.ShortP50, p.ShortP90, p.ShortP99, p.LongP50, p.LongP90, p.LongP99} {
			if x == nil {
				t.Errorf("%s lacks figure %d of its classes", p.Policy, i)
			}
		}
	}
	if out, _, err := compare(t, "-json", "-policies", "fifo", "-workload", "kairos", "-jobs", "10"); err != nil || strings.Contains(out, "short_") {
		t.Errorf("without a cutoff there is an error %v, or a figure of short jobs:\n%s", err, out)
	}
}

// Without -cutoff the policies that need one have it from the jobs, and the output says which. It is as if it had been given.
func TestCutoffOfTheJobs(t *testing.T) {
	args := []string{"-policies", "eagle", "-workload", "kairos", "-jobs", "100"}
	table, _, err := compare(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	args = append(args, "-json", "-times=false")
	taken, _, err := compare(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Cutoff   float64 `json:"cutoff_set_s"`
		Policies []struct {
			Long int `json:"long_jobs"`
		} `json:"policies"`
	}
	if err := json.Unmarshal([]byte(taken), &r); err != nil {
		t.Fatal(err)
	}
	if note := fmt.Sprintf("\njobs are long from %.6g s on, the 90th percentile of their mean task runtimes; -cutoff sets another\n", r.Cutoff); !strings.Contains(table, note) {
		t.Errorf("the table does not say %q:\n%s", note, table)
	}
	if long := r.Policies[0].Long; long < 10 || long > 12 {
		t.Errorf("%d of 100 jobs are long, want about 10", long)
	}
	cutoff := strconv.FormatFloat(r.Cutoff, 'f', -1, 64)
	given, _, err := compare(t, append(args, "-cutoff", cutoff)...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(given, strings.Replace(taken, fmt.Sprintf("\n  \"cutoff_set_s\": %s,", cutoff), "", 1)); diff != "" {
		t.Errorf("given and taken differ: -given +taken:\n%s", diff)
	}
}

func TestClassify(t *testing.T) {
	job := func(tasks uint32, each time.Duration) *workload.Job {
		j := &workload.Job{Job: policy.Job{Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}}, Runtimes: [][]policy.Duration{nil}}
		for range tasks {
			j.Runtimes[0] = append(j.Runtimes[0], each)
		}
		return j
	}
	list := []*workload.Job{job(10, 10*time.Second), job(3, 100*time.Second)}
	for _, test := range []struct {
		cutoff     time.Duration
		open, want float64
	}{
		{100 * time.Second, 0, 0.75},
		{101 * time.Second, 0, 0.01}, // no job is long
		{100 * time.Second, 0.98, 0.98},
	} {
		if got := classify(list, test.cutoff, test.open).open; got != test.want {
			t.Errorf("cutoff %v, share %v: %v of the nodes are open to long jobs, want %v", test.cutoff, test.open, got, test.want)
		}
	}
}

// The output says what share of the nodes is open to long jobs under Eagle if no flag does, and a flag changes it.
func TestLongShare(t *testing.T) {
	args := []string{"-policies", "eagle", "-workload", "kairos", "-jobs", "100", "-cutoff", "45", "-times=false"}
	taken, _, err := compare(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	given, _, err := compare(t, append(args, "-long-share", "0.2")...)
	if err != nil {
		t.Fatal(err)
	}
	const note = "% of the nodes are open to long jobs under hawk and eagle"
	if !strings.Contains(taken, note) || strings.Contains(given, note) {
		t.Errorf("want %q without -long-share, and not with it:\n%s\n%s", note, taken, given)
	}
	rows := func(out string) string { return out[strings.Index(out, "short jobs, and long jobs"):] }
	if rows(taken) == rows(given) {
		t.Errorf("with a fifth of the nodes open to long jobs, jobs end as with nearly all:\n%s", given)
	}
}
