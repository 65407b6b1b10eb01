package main

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// loaded returns what a command line asks for.
func loaded(t *testing.T, args ...string) *input {
	t.Helper()
	o, err := parse(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	in, err := load(o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// Copies of a task differ as -stragglers says, and first ones too unless they are observed.
func TestStragglers(t *testing.T) {
	const jobs = "50"
	old := loaded(t, "-jobs", jobs, "-seed", "7")
	own := workload.Ratios(old.List, 10, 4096)
	for _, test := range []struct {
		spec     string
		want     workload.Luck
		observed bool
	}{
		{"tail=1.5", workload.Luck{Seed: 7, Tail: 1.5}, false},
		{"tail=1.2,bound=100,observed=on", workload.Luck{Seed: 7, Tail: 1.2, Bound: 100}, true},
		{"observed=off,ratios=own", workload.Luck{Seed: 7, Ratios: own}, false},
		{"ratios=own,observed=on", workload.Luck{Seed: 7, Ratios: own}, true},
	} {
		in := loaded(t, "-jobs", jobs, "-seed", "7", "-stragglers", test.spec)
		differ := false
		for i, j := range in.List {
			got := *j.Luck
			if len(got.Base) != len(j.Stages) {
				t.Fatalf("%s: job %d has %d bases, want %d", test.spec, j.ID, len(got.Base), len(j.Stages))
			}
			got.Base = nil
			if !reflect.DeepEqual(got, test.want) {
				t.Fatalf("%s: job %d has luck %+v, want %+v", test.spec, j.ID, got, test.want)
			}
			if !reflect.DeepEqual(j.Runtimes, old.List[i].Runtimes) {
				differ = true
			}
		}
		if differ == test.observed {
			t.Errorf("%s: first copies differ from those of the workload: %v", test.spec, differ)
		}
	}
}

// A policy that starts no second copies does not notice further copies that differ.
func TestObservedStragglers(t *testing.T) {
	args := []string{"-json", "-jobs", "200", "-policies", "fifo,srpt"}
	plain, _, err := compare(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	observed, _, err := compare(t, append(args, "-stragglers", "ratios=own,observed=on")...)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := timing.ReplaceAllString(observed, ""), timing.ReplaceAllString(plain, ""); got != want {
		t.Errorf("with stragglers among further copies only, got\n%s\nwant\n%s", got, want)
	}
	drawn, _, err := compare(t, append(args, "-stragglers", "tail=1.5,bound=100")...)
	if err != nil {
		t.Fatal(err)
	}
	if timing.ReplaceAllString(drawn, "") == timing.ReplaceAllString(plain, "") {
		t.Error("first copies that are drawn change nothing")
	}
}

// Nodes have the memory that is asked for, or as much for each core as the workload's own.
func TestMemory(t *testing.T) {
	const own = 34 << 30
	for _, test := range []struct {
		args []string
		want int64
	}{
		{[]string{"-workload", "facebook-barriers"}, 0},
		{[]string{"-workload", "facebook-memory"}, own},
		{[]string{"-workload", "facebook-memory", "-nodes", "20"}, own / 4}, // with 4 of 16 cores
		{[]string{"-workload", "facebook-memory", "-nodes", "20", "-cores", "32"}, own * 2},
		{[]string{"-workload", "facebook-memory", "-memory", "0"}, 0},
		{[]string{"-workload", "facebook-memory", "-memory", "8e9"}, 8e9},
		{[]string{"-workload", "kairos", "-memory", "16e9"}, 16e9},
	} {
		in := loaded(t, append(test.args, "-jobs", "20")...)
		for _, n := range in.cluster {
			if n.Memory != test.want {
				t.Fatalf("%v: node %d has %d bytes, want %d", test.args, n.ID, n.Memory, test.want)
			}
		}
	}
	// What needs more than a node has fails, and is said to.
	out, _, err := compare(t, "-workload", "kairos", "-jobs", "3", "-memory", "1e9", "-policies", "fifo")
	if err != nil {
		t.Fatal(err)
	}
	if want := "failed under fifo: 3 TooLarge\n"; !strings.Contains(out, want) {
		t.Errorf("the output has no %q:\n%s", want, out)
	}
}

// A gang needs as many nodes as its tasks fill, in cores or in memory.
func TestSizeForGangs(t *testing.T) {
	for _, test := range []struct {
		cores  int32 // of a task
		tasks  uint32
		memory int64 // of a task
		node   int64 // memory of a node of 4 cores
		want   int   // nodes
	}{
		{1, 8, 6, 0, 2},
		{1, 8, 6, 24, 2},
		{1, 8, 6, 23, 3},
		{1, 8, 6, 11, 8},
		{2, 8, 0, 1, 4},
		{2, 8, 6, 11, 8},
		{1, 8, 6, 5, 8}, // too large for any number of nodes
	} {
		j := &workload.Job{Job: policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: test.tasks, Cores: test.cores, Memory: test.memory, Gang: true}}}}
		in := &input{}
		in.List = []*workload.Job{j}
		got, err := in.size(&options{cores: 4, memory: test.node, load: 1})
		if err != nil || got != test.want {
			t.Errorf("%+v: got %d nodes, error %v", test, got, err)
		}
	}
}
