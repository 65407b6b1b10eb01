package cli

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

func TestParseOffers(t *testing.T) {
	got, err := ParseOffers(OffersExample)
	want := []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 8}, {Name: "bandwidth", Amount: 25000}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("error %v, -want +got:\n%s", err, diff)
	}
	if text := offered(got); text != OffersExample {
		t.Errorf("got %s, want %s", text, OffersExample)
	}
	for _, test := range []struct{ text, want string }{
		{"", "want 1 to 64 devices"},
		{"gpu", "want 1 to 64 devices"},
		{"gpu=0", "want 1 to 64 devices"},
		{"gpu=65", "want 1 to 64 devices"},
		{"gpu=1.5", "want 1 to 64 devices"},
		{"net=0:shared", "want 0.001 to 1e6 units"},
		{"net=NaN:shared", "want 0.001 to 1e6 units"},
		{"net=1000001:shared", "want 0.001 to 1e6 units"},
		{"=8", "an offer without a name"},
		{"gpu=8,gpu=8", "offers gpu twice"},
		{"a=40,b=40", "80 devices, want at most 64"},
	} {
		if _, err := ParseOffers(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got error %v, want one with %q", test.text, err, test.want)
		}
	}
}

// Ten jobs come every 10 s and run for 10 s, with one core and 4 GPUs. From 0 to 90 s they take 400 GPU-seconds, 4.4 GPUs, and 1.1
// cores. For load 0.9 that takes 4.9 GPUs, on two nodes of 4, and 1.2 cores, on one node of 4.
func TestLoadOfTheScarcest(t *testing.T) {
	var js Jobs
	for i := range 10 {
		js.List = append(js.List, &workload.Job{
			Job:      policy.Job{ID: policy.JobID(i + 1), Submitted: policy.Time(i) * 10e9, Stages: []policy.Stage{{Tasks: 1, Cores: 1, Needs: []policy.Need{{Name: "gpu", Amount: 4000}}}}},
			Runtimes: [][]policy.Duration{{10e9}},
		})
	}
	f := ClusterFlags{Cores: 4, Load: 0.9, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 4}}}
	nodes, err := f.Fit(&js)
	if err != nil || len(nodes) != 2 {
		t.Fatalf("got %d nodes and error %v, want 2", len(nodes), err)
	}
	if got, want := Loads(js.List, nodes)["gpu"], 400./90/8; math.Abs(got-want) > 1e-12 {
		t.Errorf("got load %v of the GPUs, want %v", got, want)
	}
	f.Nodes, f.Load, f.Stretch = 1, 0.5, true
	if nodes, err = f.Fit(&js); err != nil {
		t.Fatal(err)
	}
	if got := Loads(js.List, nodes)["gpu"]; math.Abs(got-0.5) > 1e-6 { // arrivals are whole nanoseconds
		t.Errorf("stretched: got load %v of the GPUs, want 0.5", got)
	}
}

// A gang of 5 tasks, each with 3 of a node's 8 GPUs, takes 3 nodes, whatever the cores.
func TestSizeForGangsOfDevices(t *testing.T) {
	j := &workload.Job{Job: policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 5, Cores: 1, Gang: true, Needs: []policy.Need{{Name: "gpu", Amount: 3000}}}}}}
	f := ClusterFlags{Cores: 64, Load: 1, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 8}}}
	if got, err := f.Fit(&Jobs{List: []*workload.Job{j}}); err != nil || len(got) != 3 {
		t.Errorf("got %d nodes, error %v, want 3", len(got), err)
	}
}
