package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary be the scheduler, which kills itself at the point of its life that DIE says, and its machines.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-dir" {
		if left, err := strconv.Atoi(os.Getenv("DIE")); err == nil {
			point = func() {
				if left--; left <= 0 {
					_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
					select {} // the signal may take a moment
				}
			}
		}
		main()
		return
	}
	os.Exit(m.Run())
}

// A lab is a directory in which schedulers live one after the other.
type lab struct {
	t   *testing.T
	dir string
	out string // what tasks have written
}

func newLab(t *testing.T, jobs func(out string) string) *lab {
	dir, err := os.MkdirTemp("", "batch") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t, dir, filepath.Join(dir, "lines")}
	t.Cleanup(func() {
		for _, pid := range l.machines(0) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = os.RemoveAll(dir)
	})
	if err := os.WriteFile(filepath.Join(dir, "jobs"), []byte(jobs(l.out)), 0o600); err != nil {
		t.Fatal(err)
	}
	return l
}

// scheduler starts a scheduler that dies at a point, or does not if that is 0.
func (l *lab) scheduler(policy string, die int, args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	l.t.Helper()
	self, err := os.Executable()
	if err != nil {
		l.t.Fatal(err)
	}
	cmd = exec.CommandContext(l.t.Context(), self, append([]string{"-dir", l.dir, "-jobs", filepath.Join(l.dir, "jobs"), "-policy", policy}, args...)...)
	if die > 0 {
		cmd.Env = append(os.Environ(), fmt.Sprint("DIE=", die))
	}
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	return cmd, stdout, stderr
}

// machines returns the processes that are the machine of a number, or all machines if that is 0.
func (l *lab) machines(number int) (pids []int) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range lines {
		b, err := os.ReadFile(name)
		args := strings.Split(string(b), "\x00")
		if err != nil || len(args) < 5 || args[2] != l.dir || args[3] != "-machine" || number > 0 && args[4] != fmt.Sprint(number) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// lines returns how often each line was written.
func (l *lab) lines() map[string]int {
	b, err := os.ReadFile(l.out)
	if err != nil {
		l.t.Fatal(err)
	}
	times := make(map[string]int)
	for line := range strings.Lines(string(b)) {
		times[strings.TrimSpace(line)]++
	}
	return times
}

// killed reports whether a scheduler was killed, and not ended.
func killed(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}

const (
	kills = 20
	plain = 12 // jobs that do not fail
)

// manyJobs are jobs of two stages, one whose tasks fail at first, and one that always fails. Each copy writes one line.
func manyJobs(out string) string {
	var text strings.Builder
	line := func(name string, tasks int, after, more string) {
		fmt.Fprintf(&text, "stage %s %d %s: sleep 0.0$((TASK + 2)); echo $JOB $STAGE $TASK $COPY >> %s%s\n", name, tasks, after, out, more)
	}
	for i := range plain {
		fmt.Fprintf(&text, "job plain%d %g\n", i, float64(i)/10)
		line("first", 4, "", "")
		line("second", 2, "after first", "")
	}
	text.WriteString("job flaky\n")
	line("once", 3, "", "; test $COPY -gt 0")
	text.WriteString("job broken\n")
	line("never", 1, "", "; exit 3")
	return text.String()
}

// A scheduler is killed at twenty points of its lives that are drawn: before and after events are in the journal, before and after
// that is synced, between two orders to machines. In the end every copy was run once, and every job has ended as it should.
func TestKilledAtTwentyPoints(t *testing.T) {
	for i, policy := range []string{"gs", "kairos"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, manyJobs)
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			restored := 0
			for n := range kills {
				cmd, _, stderr := l.scheduler(policy, 1+rng.IntN(40))
				if err := cmd.Wait(); !killed(err) {
					t.Fatalf("life %d ended with %v, want that it was killed; stderr: %s", n, err, stderr)
				}
				if strings.Contains(stderr.String(), "restored") {
					restored++
				}
			}
			cmd, stdout, stderr := l.scheduler(policy, 0)
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "1 jobs were not done: broken") {
				t.Fatalf("the last life ended with %v, want that broken was not done; stderr: %s", err, stderr)
			}
			if got := strings.Count(stdout.String(), " Done "); got != plain+1 {
				t.Errorf("%d jobs are done, want %d:\n%s", got, plain+1, stdout)
			}
			want := make(map[string]int)
			for i := range plain {
				for k := range 4 {
					want[fmt.Sprintf("plain%d first %d 0", i, k)] = 1
				}
				for k := range 2 {
					want[fmt.Sprintf("plain%d second %d 0", i, k)] = 1
				}
			}
			for k := range 3 {
				want[fmt.Sprintf("flaky once %d 0", k)], want[fmt.Sprintf("flaky once %d 1", k)] = 1, 1
				want[fmt.Sprintf("broken never 0 %d", k)] = 1
			}
			got := l.lines()
			for line, n := range got {
				if n != want[line] {
					t.Errorf("%q was run %d times, want %d", line, n, want[line])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d copies were run, want %d", len(got), len(want))
			}
			t.Logf("%d kills, %d restarts from a journal; %d jobs, %d copies, %d lines\n%s", kills, restored, plain+2, len(want), len(got), stdout)
		})
	}
}

// A machine is killed while its tasks run, once beside its scheduler and once while there is none. Its tasks are done on another one
// or on the next machine of its number.
func TestMachineGoesAway(t *testing.T) {
	for _, policy := range []string{"gs", "kairos"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			// A task names its machine, and waits until there is a file.
			l := newLab(t, func(out string) string {
				return fmt.Sprintf("job long\nstage all 8: echo on $PPID >> %[1]s; until test -e %[1]s.go; do sleep 0.05; done; echo $TASK >> %[1]s\n", out)
			})
			busy := func(not int) int {
				for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
					text, _ := os.ReadFile(l.out)
					for _, pid := range l.machines(1) {
						if pid != not && strings.Contains(string(text), fmt.Sprintf("on %d\n", pid)) {
							return pid
						}
					}
					if time.Now().After(deadline) {
						t.Fatal("no machine has a task within a minute")
					}
				}
			}
			cmd, _, _ := l.scheduler(policy, 0)
			first := busy(0)
			_ = syscall.Kill(first, syscall.SIGKILL)
			second := busy(first)
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			_ = syscall.Kill(second, syscall.SIGKILL)
			if err := os.WriteFile(l.out+".go", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd, stdout, stderr := l.scheduler(policy, 0)
			if err := cmd.Wait(); err != nil {
				t.Fatalf("%v; stderr: %s", err, stderr)
			}
			got := l.lines()
			for k := range 8 {
				if got[fmt.Sprint(k)] == 0 {
					t.Errorf("task %d was never done", k)
				}
			}
			if strings.Contains(stdout.String(), " 0 lost") || !strings.Contains(stdout.String(), " Done ") {
				t.Errorf("want that some copies were lost, and the job is done:\n%s", stdout)
			}
		})
	}
}
