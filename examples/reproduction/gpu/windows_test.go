package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// whole returns a job with all 8 GPUs of a node.
func whole(id policy.JobID, submitted policy.Time, runtime policy.Duration) *workload.Job {
	return &workload.Job{
		Job: policy.Job{ID: id, Submitted: submitted * 1e9, Requested: runtime * 2e9,
			Stages: []policy.Stage{{Tasks: 1, Cores: 8, Needs: []policy.Need{{Name: "gpu", Amount: 8000}}}}},
		Runtimes: [][]policy.Duration{{runtime * 1e9}},
	}
}

// On one node, job 2 waits 10 s for job 1. From 0 to 20 s, when job 3 comes, all GPUs are in use. At 40 s, when job 4 comes, they
// have been for 25 of 40 s.
func TestRunLineByHand(t *testing.T) {
	list := []*workload.Job{whole(1, 0, 10), whole(2, 0, 10), whole(3, 20, 5)}
	node := sim.Cluster(sim.Partition{Nodes: 1, Cores: 8, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 8}}})
	for _, turn := range turns {
		for _, place := range places {
			got, err := runLine(t.Context(), node, list, turn+place)
			if want := (outcome{1, 10. / 3, 10, 0}); err != nil || math.Abs(got.mean-want.mean) > 1e-9 || got.inUse != want.inUse || got.p90 != want.p90 || got.failed != 0 {
				t.Errorf("%s: got %+v and error %v, want %+v", turn+place, got, err, want)
			}
		}
	}
	got, err := runLine(t.Context(), node, append(list, whole(4, 40, 5)), "fifo")
	if err != nil || got.inUse != 25./40 {
		t.Errorf("got %+v and error %v, want 0.625 in use", got, err)
	}
}

// In each window two jobs come within 20 s, and take 160 GPU-seconds: 8 GPUs, and 11.4 for a load of 0.7. That is two nodes, of which
// one is in use for 10 of 20 s.
func TestMeasure(t *testing.T) {
	list := []*workload.Job{whole(1, 0, 10), whole(2, 20, 10), whole(3, 1000, 10), whole(4, 1020, 10)}
	b := &bed{name: "hand", cores: 8}
	s, err := measure(t.Context(), b, list, 0.7, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if s.nodes[i] != 2 || math.Abs(s.gpu[i]-0.5) > 1e-12 || s.outcomes["drf"][i] != (outcome{inUse: 0.25}) {
			t.Errorf("window %d: got %d nodes, load %v, %+v", i, s.nodes[i], s.gpu[i], s.outcomes["drf"][i])
		}
	}
	var out bytes.Buffer
	writeSettings(&out, []*setting{s}, 2)
	for _, want := range []string{
		"### hand, load 0.7", "2 windows on 2 to 2 nodes; load of GPUs 0.50 and of cores 0.50 in the mean.\n",
		"| index-easy | GPUs in use, % | 25.00 | +0.00 [+0.00 +0.00] | +0.00 [+0.00 +0.00] |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, &out)
		}
	}
}

// Differences 1, 2 and 3 have mean 2 and standard error 1/√3, and Student's t for two degrees of freedom is 4.303.
func TestBetween(t *testing.T) {
	if got, want := between([]float64{2, 4, 6}, []float64{1, 2, 3}), "+2.00 [-0.48 +4.48]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestProgram(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("a\n"+begin+"\nold\n"+end+"\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := replace(page, []byte("new\n")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != "a\n"+begin+"\n\nnew\n\n"+end+"\nb\n" {
		t.Errorf("got page %q, error %v", got, err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-only", "both"}, `-only is "both", want windows or filling`},
		{[]string{"-seeds", "1"}, "-seeds: want a whole number of 2"},
		{[]string{"-traces", t.TempDir()}, "which has none of the traces"},
	} {
		err := run(t.Context(), test.args, new(bytes.Buffer), new(bytes.Buffer))
		if err == nil || cli.Status(err) != 2 || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: got error %v, want status 2 and %q", test.args, err, test.want)
		}
	}
}
