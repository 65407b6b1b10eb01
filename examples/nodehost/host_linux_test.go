package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/augur/examples/internal/processes"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/kairos"
)

// TestMain lets the test binary be the program, and a child of it.
func TestMain(m *testing.M) {
	processes.Watchdog()
	if os.Getenv("NODEHOST") != "" || len(os.Args) > 1 && os.Args[1] == "burn" {
		main()
		return
	}
	os.Exit(m.Run())
}

func node(t *testing.T) policy.Scheduler {
	t.Helper()
	p, err := catalog.New("fifo@kairos", catalog.Setting{Kairos: kairos.Config{Node: kairos.NodeConfig{Quantum: 20 * time.Millisecond}, Queue: kairos.MaxQueue}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func child(t *testing.T, kind string, at, need time.Duration, more ...string) job {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return job{kind, at, append([]string{self, "burn", need.String()}, more...)}
}

func TestShortJobPassesByLongOne(t *testing.T) {
	const need = time.Second // a busy machine may need half of it to start the short one
	jobs := []job{child(t, "long", 0, need), child(t, "short", 100*time.Millisecond, 10*time.Millisecond)}
	tasks, err := runJobs(t.Context(), jobs, 1, node(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	long, short := tasks[0], tasks[1]
	if long.preemptions == 0 || short.ended >= long.ended {
		t.Errorf("the long job ended at %v after %d preemptions, the short one at %v; want it before, in its place", long.ended, long.preemptions, short.ended)
	}
	if long.used < need || short.used < 10*time.Millisecond {
		t.Errorf("they took %v and %v of processor time, want all that they need", long.used, short.used)
	}

	if tasks, err = runJobs(t.Context(), jobs, 1, baseline.NewFIFO(), nil); err != nil {
		t.Fatal(err)
	}
	if long, short := tasks[0], tasks[1]; long.preemptions != 0 || short.ended <= long.ended {
		t.Errorf("first come, first served, the long job ended at %v after %d preemptions, the short one at %v", long.ended, long.preemptions, short.ended)
	}
}

func TestChildrenThatFail(t *testing.T) {
	jobs := []job{
		{"none", 0, []string{filepath.Join(t.TempDir(), "none")}},
		child(t, "bad", 0, 0, "deaf"),
		child(t, "good", 0, 10*time.Millisecond),
	}
	jobs[1].args[2] = "long"
	for name, p := range map[string]policy.Scheduler{"kairos": node(t), "fifo": baseline.NewFIFO()} {
		tasks, err := runJobs(t.Context(), jobs, 1, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tasks[0].err == nil || tasks[1].err == nil || tasks[2].err != nil {
			t.Errorf("%s: errors %v, %v, %v, want those of the first two", name, tasks[0].err, tasks[1].err, tasks[2].err)
		}
		if got := tasks[2]; got.ended == 0 || got.used == 0 {
			t.Errorf("%s: the good job ended at %v, after %v", name, got.ended, got.used)
		}
	}
}

func TestCancelKillsChildren(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var pids []int
	var jobs []job
	for range 6 {
		jobs = append(jobs, child(t, "long", 0, time.Hour, "deaf"))
	}
	show := func(f frame) {
		pids = pids[:0]
		for _, p := range f.processes {
			pids = append(pids, p.PID)
		}
		if len(pids) == len(jobs) {
			cancel()
		}
	}
	if _, err := runJobs(ctx, jobs, 2, node(t), show); err == nil {
		t.Error("no error")
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
			t.Errorf("process %d: %v, want none", pid, err)
		}
	}
}

// TestNoChildOutlivesTheProgram ends the program by a signal while children that ignore
// signals run and stand still.
func TestNoChildOutlivesTheProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(s.String(), func(t *testing.T) {
			cmd := exec.Command(self, "-deaf", "-scale", "100")
			cmd.Env = append(os.Environ(), "NODEHOST=1")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var pids []int
			for deadline := time.Now().Add(30 * time.Second); len(pids) == 0; pids = children(t, cmd.Process.Pid) {
				if time.Now().After(deadline) {
					t.Fatalf("no children within 30 s; stderr: %s", stderr.String())
				}
				time.Sleep(10 * time.Millisecond)
			}
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err == nil {
				t.Error("it exited with status 0")
			}
			for _, pid := range pids {
				for deadline := time.Now().Add(30 * time.Second); alive(pid); time.Sleep(10 * time.Millisecond) {
					if time.Now().After(deadline) {
						t.Errorf("process %d still runs", pid)
						break
					}
				}
			}
		})
	}
}

// children returns the processes whose parent is the given one, but for the watchdog, which goes last.
func children(t *testing.T, parent int) (pids []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range stats {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // it is over
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			if err != nil {
				t.Fatal(err)
			}
			if line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline")); strings.Contains(string(line), "burn") {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// alive reports whether a process is there and not dead but for its parent's notice.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func TestBadCommandLines(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-cores", "0"}, "-cores"},
		{[]string{"-quantum", "-1s"}, "Quantum"},
		{[]string{"-scale", "NaN"}, "-scale is NaN"},
		{[]string{"-commands", filepath.Join(dir, "none")}, "none"},
		{[]string{"-commands", file("empty", "\n")}, "no commands"},
		{[]string{"-commands", file("time", "0 true\nsoon true\n")}, `time:2: the second is "soon"`},
		{[]string{"-commands", file("bare", "1\n")}, "bare:1: no command"},
		{[]string{"-commands", file("wide", "0 "+strings.Repeat("x", 1<<16))}, "wide: "},
		{[]string{"-commands", file("order", "1 true\n0.5 true\n")}, "order:2: second 0.5 is before"},
	} {
		var out bytes.Buffer
		if err := run(t.Context(), c.args, &out, &out); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q in it", c.args, err, c.want)
		}
	}
}

func TestCommandsOfAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(name, []byte("0 true\n\n0.05 sleep 0.1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-commands", name}, &out, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"fifo", "kairos", "sleep", "true"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the table:\n%s", want, out.String())
		}
	}
}

// TestCommandsThatFail: what the others did is worth knowing.
func TestCommandsThatFail(t *testing.T) {
	name := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(name, []byte("0 /nowhere/none\n0 false\n0.05 true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := run(t.Context(), []string{"-commands", name}, &out, &out)
	for _, want := range []string{"fifo: job 1: ", "fifo: job 2: ", "kairos: job 1: ", "kairos: job 2: "} {
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "job 3") {
			t.Errorf("error %v, want %q in it, and no third job", err, want)
		}
	}
	for _, want := range []string{"fifo", "kairos"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the table:\n%s", want, out.String())
		}
	}
}
