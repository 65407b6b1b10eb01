package main

import (
	"bytes"
	"math"
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
// have been for 25 of 40 s. If jobs 1 and 2 only warm up, nobody waits, and the GPUs are in use for 5 of 20 s.
func TestRunByHand(t *testing.T) {
	list := []*workload.Job{whole(1, 0, 10), whole(2, 0, 10), whole(3, 20, 5), whole(4, 40, 5)}
	node := sim.Cluster(sim.Partition{Nodes: 1, Cores: 8, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 8}}})
	for _, turn := range turns {
		for _, place := range places {
			for _, test := range []struct {
				window window
				want   outcome
			}{
				{window{list[:3], 0, node}, outcome{1, 10. / 3, 10, 0}},
				{window{list, 0, node}, outcome{25. / 40, 10. / 4, 10, 0}},
				{window{list, 2, node}, outcome{5. / 20, 0, 0, 0}},
			} {
				got, err := test.window.run(t.Context(), turn+place)
				if want := test.want; err != nil || math.Abs(got.mean-want.mean) > 1e-9 || got.inUse != want.inUse || got.p90 != want.p90 || got.failed != 0 {
					t.Errorf("%s: got %+v and error %v, want %+v", turn+place, got, err, want)
				}
			}
		}
	}
}

// Three parts of two jobs. From 20 s to 25 s, the first window, job 1 of the part before and job 3 would use 8 GPUs each: 16, and
// 17.8 for a load of 0.9, so three nodes. From 1000 s to 1020 s job 5 would use 8 for half of the time: one node. There job 4
// waits for job 3, but they warm up.
func TestMeasure(t *testing.T) {
	list := []*workload.Job{whole(1, 0, 30), whole(2, 5, 10), whole(3, 20, 10), whole(4, 25, 10), whole(5, 1000, 10), whole(6, 1020, 10)}
	s, err := measure(t.Context(), &bed{name: "hand", cores: 8}, list, 0.9, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		nodes int
		share float64
	}{{3, 2. / 3}, {1, 1. / 2}} {
		got := s.outcomes["drf"][i]
		if s.nodes[i] != want.nodes || math.Abs(s.gpu[i]-want.share) > 1e-12 || math.Abs(s.cpu[i]-want.share) > 1e-12 ||
			math.Abs(got.inUse-want.share) > 1e-12 || got.mean != 0 || got.p90 != 0 || got.failed != 0 {
			t.Errorf("window %d: got %d nodes, load %v and %v, %+v", i, s.nodes[i], s.gpu[i], s.cpu[i], got)
		}
	}
	var out bytes.Buffer
	writeSettings(&out, []*setting{s}, 2)
	for _, want := range []string{
		"### hand, load 0.9", "2 windows on 1 to 3 nodes; load of GPUs 0.58 and of cores 0.58 in the mean.\n",
		"| index-easy | GPUs in use, % | 58.33 | +0.00 [+0.00 +0.00] | +0.00 [+0.00 +0.00] |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, &out)
		}
	}
}

// With twice the gaps the window is from 40 s to 80 s, and job 3 uses the node for 10 of 40 s.
func TestFitStretches(t *testing.T) {
	w := window{list: []*workload.Job{whole(1, 0, 10), whole(2, 10, 10), whole(3, 20, 10), whole(4, 40, 10)}, warm: 2}
	factor, err := w.fit(&bed{cores: 8, nodes: 1}, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	if last := w.list[3].Submitted.Seconds(); len(w.nodes) != 1 || math.Abs(factor-2) > 1e-6 || math.Abs(last-80) > 1e-4 {
		t.Errorf("got %d nodes, gaps times %v and the last job at %v s, want 1, 2 and 80", len(w.nodes), factor, last)
	}
}

// Differences 1, 2 and 3 have mean 2 and standard error 1/√3, and Student's t for two degrees of freedom is 4.303.
func TestBetween(t *testing.T) {
	if got, want := between([]float64{2, 4, 6}, []float64{1, 2, 3}), "+2.00 [-0.48 +4.48]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestProgram(t *testing.T) {
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
