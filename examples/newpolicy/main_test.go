package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
)

// The policy keeps to the contract: this is all that a test of one needs.
func TestSmallest(t *testing.T) {
	policytest.Test(t, policytest.Config{
		New: func(truth policy.Truth) (policy.Scheduler, error) { return filled(nil, truth) },
	})
}

// The program is as short as its readers are told.
func TestFiftyLines(t *testing.T) {
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(program, []byte("\n")); lines > 50 {
		t.Errorf("main.go has %d lines, want at most 50", lines)
	}
}

// TestMain is the program itself when TestProgram starts it.
func TestMain(m *testing.M) {
	if os.Getenv("NEWPOLICY") != "" {
		main()
		return
	}
	m.Run()
}

// A newcomer asks for help, and has tasks of several cores.
func TestProgram(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "wide.jsonl")
	if err := os.WriteFile(trace, []byte(`{"id":1,"stages":[{"tasks":3,"cores":16}],"runtimes":[[1,2,3]]}`+"\n"+
		`{"id":2,"submitted":9,"stages":[{"tasks":1,"cores":128}],"runtimes":[[5]]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]string{"-help": "usage: newpolicy [-cores 128] [FILE of a trace]\n", trace: "\n       smallest "} {
		program := exec.CommandContext(t.Context(), os.Args[0], arg)
		program.Env = append(os.Environ(), "NEWPOLICY=1")
		out, err := program.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("newpolicy %s: got error %v and\n%swant %q", arg, err, out, want)
		}
	}
}

// The jobs are such that backfilling matters, under FIFO and under the order.
func TestFillingMatters(t *testing.T) {
	if testing.Short() {
		t.Skip("five runs of 5000 jobs")
	}
	program := exec.CommandContext(t.Context(), os.Args[0])
	program.Env = append(os.Environ(), "NEWPOLICY=1")
	out, err := program.Output()
	if err != nil {
		t.Fatal(err)
	}
	means := make(map[string]float64)
	for line := range strings.Lines(string(out)) {
		var name string
		var mean float64
		if n, _ := fmt.Sscan(line, &name, &mean); n == 2 {
			means[name] = mean
		}
	}
	for filled, order := range map[string]string{"easy": "fifo", "smallest-easy": "smallest"} {
		if f, o := means[filled], means[order]; !(f > 0 && f < o) {
			t.Errorf("the mean completion time is %v s under %s and %v s under %s, want less", f, filled, o, order)
		}
	}
}

// The order is by the time that is requested for all tasks together.
func TestOrder(t *testing.T) {
	job := func(requested policy.Duration, tasks uint32) *policy.Job {
		return &policy.Job{Requested: requested, Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}}
	}
	for _, test := range []struct {
		a, b *policy.Job
		want int
	}{
		{job(1e9, 3), job(2e9, 2), -1},
		{job(1e9, 4), job(2e9, 2), 0},
		{job(1e9, 5), job(2e9, 2), 1},
		{job(1e18, 1<<20), job(1e18, 1<<19), 1}, // what they ask for is more than a Duration holds
	} {
		if got := order(test.a, test.b); got != test.want {
			t.Errorf("order %d, want %d", got, test.want)
		}
	}
}
