package main

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/examples/internal/cli"
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
	in, err := load(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// Nodes have room for the widest task unless somebody says how many cores they have.
func TestNodesForWideTasks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wide.csv")
	if err := os.WriteFile(path, []byte("t,d,n\n0,60,16\n10,60,1\n20,60,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-trace", path, "-columns", "submit=t,runtime=d,cores=n", "-policies", "fifo", "-wide"}
	const note = "\nnodes have 16 cores, as the widest task needs; -cores chooses\n"
	for _, test := range []struct {
		args []string
		want string
		note bool
	}{
		{nil, "fifo     3       0", true},
		{[]string{"-nodes", "2"}, "on 2 nodes with 32 cores", true},
		{[]string{"-cores", "20"}, "fifo     3       0", false},
	} {
		out, _, err := compare(t, append(args, test.args...)...)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out, test.want) || strings.Contains(out, note) != test.note {
			t.Errorf("%q: want %q, and a note on the cores: %v; got\n%s", test.args, test.want, test.note, out)
		}
	}
	const want = "1 of 3 jobs need up to 16 cores on one node; the largest has 4"
	if out, exit, err := compare(t, append(args, "-cores", "4")...); err == nil || exit != 1 || !strings.HasPrefix(err.Error(), want) || out != "" {
		t.Errorf("on nodes of 4 cores: status %d, error %v and\n%s\nwant %s", exit, err, out, want)
	}
}

// Copies of a task differ as -stragglers says, and first ones too unless they are observed.
func TestStragglers(t *testing.T) {
	const jobs = "50"
	old := loaded(t, "-jobs", jobs, "-seed", "7")
	own := ownRatios(old.List, 10, 4096)
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

// What tasks read lies on as many nodes as -locality says, all of the cluster; without it,
// as the workload has it, on a cluster of any size.
func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		args      []string
		nodes     int // 0: as many as it takes
		replicas  int // 0: nothing lies anywhere
		elsewhere float64
	}{
		{[]string{"-workload", "heavytail"}, 0, 0, 0},
		{[]string{"-workload", "heavytail", "-locality", ""}, 0, 3, 2},
		{[]string{"-workload", "heavytail", "-locality", "replicas=2,elsewhere=1.5"}, 0, 2, 1.5},
		{[]string{"-workload", "heavytail", "-locality", "elsewhere=4", "-nodes", "2"}, 2, 2, 4},
		{[]string{"-workload", "facebook"}, 200, 3, 2},
		{[]string{"-workload", "facebook", "-locality", "replicas=1,elsewhere=1"}, 200, 1, 1},
		{[]string{"-workload", "facebook", "-nodes", "20"}, 20, 3, 2},
		{[]string{"-workload", "facebook", "-nodes", "20", "-load", "0.8"}, 20, 3, 2},
		{[]string{"-workload", "facebook-barriers", "-nodes", "2"}, 2, 2, 2},
		{[]string{"-workload", "facebook", "-load", "0.4"}, 0, 3, 2},
	} {
		in := loaded(t, append(test.args, "-jobs", "100")...)
		if test.nodes > 0 && len(in.cluster) != test.nodes {
			t.Fatalf("%v: %d nodes, want %d", test.args, len(in.cluster), test.nodes)
		}
		used := make(map[policy.NodeID]bool)
		for _, j := range in.List {
			for k := range j.Stages {
				stage := &j.Stages[k]
				replicas, elsewhere := test.replicas, test.elsewhere
				if len(stage.Reads) > 0 {
					replicas, elsewhere = 0, 0
				}
				for i := range stage.Tasks {
					holders := stage.HoldersOf(i)
					if len(holders) != replicas || stage.Elsewhere != elsewhere {
						t.Fatalf("%v: job %d, stage %d has %d holders and factor %v, want %d and %v", test.args, j.ID, k, len(holders), stage.Elsewhere, replicas, elsewhere)
					}
					for _, id := range holders {
						used[id] = true
						if int(id) > len(in.cluster) {
							t.Fatalf("%v: node %d holds data, of %d nodes", test.args, id, len(in.cluster))
						}
					}
				}
			}
		}
		if test.replicas > 0 && len(used) < len(in.cluster)*9/10 {
			t.Errorf("%v: %d of %d nodes hold data, want nearly all", test.args, len(used), len(in.cluster))
		}
	}
	// On the cluster that it is made for, the workload is as it was made.
	flags := cli.JobFlags{Workload: "facebook", Jobs: 100}
	made, err := flags.Read(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range loaded(t, "-workload", "facebook", "-jobs", "100").List {
		if !slices.Equal(j.Stages[0].Holders, made.List[i].Stages[0].Holders) {
			t.Fatalf("job %d lies elsewhere than in the workload", j.ID)
		}
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
		{[]string{"-workload", "facebook-memory", "-nodes", "20"}, own},
		{[]string{"-workload", "facebook-memory", "-nodes", "20", "-cores", "4"}, own / 4},
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
	const want = "3 of 3 jobs need memory or other resources that the nodes do not have"
	if _, _, err := compare(t, "-workload", "kairos", "-jobs", "3", "-memory", "1e9", "-policies", "fifo"); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// The history goes up to the first of the jobs, and is of the same lake, however many jobs are
// asked for: more than usual make the whole lake busier.
func TestLakeHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for _, n := range []string{"100", "16000"} {
		in := loaded(t, "-workload", "lake", "-jobs", n)
		past, err := in.History()
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := workload.ReadAll(past)
		if err != nil {
			t.Fatal(err)
		}
		first, last := in.List[0], jobs[len(jobs)-1]
		if first.ID != last.ID+1 || first.Submitted < in.LakeLog.Begin() || last.Submitted >= in.LakeLog.Begin() {
			t.Errorf("-jobs %s: the history ends with job %d at %v, and the jobs begin with %d at %v; want the next one, and %v between them",
				n, last.ID, last.Submitted, first.ID, first.Submitted, in.LakeLog.Begin())
		}
	}
}

// E2E's history ends before the jobs begin, has no deadlines, and has seen most of their users.
func TestE2EHistory(t *testing.T) {
	in := loaded(t, "-workload", "e2e", "-jobs", "300")
	source, err := in.History()
	if err != nil {
		t.Fatal(err)
	}
	past, err := workload.ReadAll(source)
	if err != nil {
		t.Fatal(err)
	}
	users := make(map[string]bool)
	for _, j := range past {
		user, _ := j.Attr("user")
		users[user] = true
		if j.SLO != nil || j.Submitted > in.List[0].Submitted {
			t.Fatalf("job %d of the history is submitted at %v, deadline %v; want at most %v and none", j.ID, j.Submitted, j.SLO, in.List[0].Submitted)
		}
	}
	known := 0
	for _, j := range in.List {
		if user, _ := j.Attr("user"); users[user] {
			known++
		}
	}
	if len(past) != 3000 || known < 270 {
		t.Errorf("the history has %d jobs, and %d of 300 users in it, want 3,000 and nearly all", len(past), known)
	}
}

// With -saves jobs can be saved, and the list from which they are made stays.
func TestSaves(t *testing.T) {
	old := []*workload.Job{{Job: policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}}}
	s, err := parseSaves("reload=5s,cost=1s")
	if err != nil || s.cost != time.Second {
		t.Fatalf("%+v, error %v; want a cost of 1 s", s, err)
	}
	if got := s.on(old)[0].Stages[0]; !got.Saves || got.Reload != 5*time.Second || old[0].Stages[0].Saves {
		t.Errorf("%+v of %+v, want a new stage that saves and reloads for 5 s", got, old[0].Stages[0])
	}
}
