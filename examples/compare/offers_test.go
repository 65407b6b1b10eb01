package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// One node has 2 GPUs. Job 1 has one of them until 10 s, so job 2, which needs both, has them from 10 to 20 s, and job 3 comes at
// 20 s. Until then 30 of 40 GPU-seconds are in use. The jobs take 32.5 of the 40, in 20 s. It is the same if job 2 is a gang of two
// tasks with a GPU each.
func TestOffers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gpus.csv")
	if err := os.WriteFile(path, []byte("t,d,g\n0,10,1\n0,10,2\n20,5,0.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, need := range []string{"need.gpu=g", "need.gpu=g/1"} {
		args := []string{"-trace", path, "-columns", "submit=t,runtime=d," + need, "-nodes", "1", "-cores", "8", "-offers", "gpu=2", "-policies", "fifo,fifo:best-fit"}
		r := reportOf(t, append(args, "-json")...)
		if got := r.Loads["gpu"]; math.Abs(got-32.5/40) > 1e-12 {
			t.Errorf("%s: got load %v of the GPUs, want %v", need, got, 32.5/40)
		}
		for _, p := range r.Policies {
			if p.InUse["gpu"] != 0.75 || p.Done != 3 {
				t.Errorf("%s, %s: got %v in use and %d jobs, want 0.75 of the GPUs and 3", need, p.Policy, p.InUse, p.Done)
			}
		}
		out, _, err := compare(t, args...)
		if err != nil || !strings.Contains(out, "load of gpu 0.81\n") || !strings.Contains(out, "gpu %\n") || !strings.Contains(out, " 75.0\n") {
			t.Errorf("%s: got error %v and %s", need, err, out)
		}
	}
	for _, test := range []struct {
		columns, offers, want string
	}{
		{"submit=t,runtime=d,need.gpu=g", "gpu=1", "a task of job 2 needs 2 gpu, and nodes offer gpu=1; want -offers of compare"},
		{"submit=t,runtime=d,need.tpu=g", "gpu=8", "a task of job 1 needs 1 tpu, and nodes offer gpu=8"},
		{"submit=t,runtime=d", "gpu=8", "nodes offer gpu, which no job of gpus.csv needs, want -columns that read it"},
	} {
		if _, exit, err := compare(t, "-trace", path, "-columns", test.columns, "-offers", test.offers); exit != 2 || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got status %d, error %v", test, exit, err)
		}
	}
	if _, exit, err := compare(t, "-trace", path, "-columns", "submit=t,runtime=d,need.gpu=g"); exit != 2 || !strings.Contains(err.Error(), "nodes offer nothing") {
		t.Errorf("without offers: got status %d, error %v", exit, err)
	}
}
