package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

func output(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	err := run(t.Context(), args, &stdout, &stderr)
	return stdout.String(), err
}

// In each of two windows long jobs of half of the cores let jobs of all cores wait, and EASY lets short ones pass these.
// The long ones would run for longer than they request, and end when they have run for that.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, logs[0].file) // gzip is not needed
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("; Version: 2.2\n")
	for i := range 40 { // 100 s apart: runtime, cores, request and user
		job := [][4]int{{1100, 64, 1000, 1}, {100, 128, 100, 2}, {100, 1, 100, 1}, {100, 63, 100, 3}}[i%4]
		fmt.Fprintf(&text, "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 -1 1 1 -1 -1\n", i+1, 100*i, job[0], job[1], job[1], job[2], job[3])
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := output(t, "-traces", dir, "-logs", "NASA", "-loads", "0.5,0.9", "-windows", "2", "-policies", "fifo,fair,fifo-easy")
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if err != nil || len(lines) != 4 || lines[0] != "| log | load | fifo | fair | fifo-easy |" {
		t.Fatalf("%v, %q", err, got)
	}
	for i, want := range []string{"| NASA | 0.5 | 4.55 [4.55 4.55] | 1.00 [1.00 1.00] | 0.", "| NASA | 0.9 | 12.92 [12.92 12.92] | 1.00 [1.00 1.00] | 0."} {
		if !strings.HasPrefix(lines[2+i], want) {
			t.Errorf("the row is %q, want one in which fair does as FIFO and EASY is better: %s", lines[2+i], want)
		}
	}
	for _, args := range [][]string{{"-logs", "moon"}, {"-loads", "much"}, {"-policies", "fifo-eager"}, {"-windows", "0"}, {"-f", "-1"}} {
		if _, err := output(t, append([]string{"-traces", dir}, args...)...); err == nil || !strings.Contains(err.Error(), args[0]) {
			t.Errorf("%v: error %v, want one that names the flag", args, err)
		}
	}
}

// What is drawn is uniform between the runtime and 1+f times it.
func TestRequest(t *testing.T) {
	const n = 10000
	sum := 0.0
	for id := range policy.JobID(n) {
		j := &workload.Job{Job: policy.Job{ID: id}, Runtimes: [][]policy.Duration{{time.Hour, time.Minute}}}
		r := request(j, 4)
		if r < time.Hour || r > 5*time.Hour || request(j, 0) != time.Hour {
			t.Fatalf("requests %v for an hour", r)
		}
		sum += r.Hours()
	}
	if mean := sum / n; mean < 2.95 || mean > 3.05 { // four standard errors
		t.Errorf("the mean is %v h, want 3", mean)
	}
}
