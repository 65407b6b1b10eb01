package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/rpc"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/augur/examples/internal/processes"
	"example.com/augur/policy/host"
)

// TestMain lets the test binary be the program.
func TestMain(m *testing.M) {
	processes.Watchdog()
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	if len(os.Args) > 1 && (os.Args[1] == "-dir" || verbs[os.Args[1]].do != nil) {
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
		for _, pid := range l.machines("") {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		for deadline := time.Now().Add(10 * time.Second); len(l.left()) > 0; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("processes %v outlive their machines", l.left())
				break
			}
		}
		_ = os.RemoveAll(dir)
	})
	l.jobs(jobs(l.out))
	return l
}

func (l *lab) jobs(text string) {
	l.t.Helper()
	if err := os.WriteFile(filepath.Join(l.dir, "jobs"), []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

// start starts the program. Its first argument is the verb, perhaps empty.
func (l *lab) start(args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	l.t.Helper()
	self, err := os.Executable()
	if err != nil {
		l.t.Fatal(err)
	}
	args = append([]string{args[0], "-dir", l.dir}, args[1:]...)
	if args[0] == "" {
		args = append(args[1:], "-jobs", filepath.Join(l.dir, "jobs"))
	}
	cmd = exec.CommandContext(l.t.Context(), self, args...)
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	return cmd, stdout, stderr
}

// run runs the program to its end.
func (l *lab) run(args ...string) (stdout, stderr string, err error) {
	l.t.Helper()
	cmd, out, errs := l.start(args...)
	err = cmd.Wait()
	return out.String(), errs.String(), err
}

// until waits until something is so.
func (l *lab) until(what string, so func() bool) {
	l.t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			l.t.Fatalf("not within a minute: %s", what)
		}
	}
}

// processes returns those whose command line or environment is so.
func (l *lab) processes(file string, so func(fields []string) bool) (pids []int) {
	names, _ := filepath.Glob("/proc/[0-9]*/" + file)
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil || !so(strings.Split(string(b), "\x00")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// machines returns the processes that are the machine of a name, or all machines if that is "".
func (l *lab) machines(name string) (pids []int) {
	return l.processes("cmdline", func(args []string) bool {
		return len(args) > 5 && args[1] == "machine" && args[3] == l.dir && (name == "" || args[5] == name)
	})
}

// left returns the processes that machines have started, or these in turn.
func (l *lab) left() []int {
	return l.processes("environ", func(entries []string) bool {
		for _, entry := range entries {
			if strings.HasPrefix(entry, "MACHINE_LIFE="+l.dir+"/") {
				return true
			}
		}
		return false
	})
}

// text returns what tasks have written.
func (l *lab) text() string {
	b, _ := os.ReadFile(l.out)
	return string(b)
}

// lines returns how often each line was written.
func (l *lab) lines() map[string]int {
	times := make(map[string]int)
	for line := range strings.Lines(l.text()) {
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
	kills = 50
	plain = 60 // jobs that do not fail
)

// manyJobs are jobs of two stages, one whose tasks fail at first, and one that always fails. Each copy writes one line.
func manyJobs(out string) string {
	var text strings.Builder
	line := func(name string, tasks int, after, more string) {
		fmt.Fprintf(&text, "stage %s %d %s: sleep 0.0$((TASK + 2)); echo $JOB $STAGE $TASK $COPY >> %s%s\n", name, tasks, after, out, more)
	}
	for i := range plain {
		fmt.Fprintf(&text, "job plain%d %g program plain\n", i, float64(i)/10)
		line("first", 4, "", "")
		line("second", 2, "after first", "")
	}
	text.WriteString("job flaky\n")
	line("once", 3, "", "; test $COPY -gt 0")
	text.WriteString("job broken\n")
	line("never", 1, "", "; exit 3")
	return text.String()
}

// A scheduler is killed at fifty instants that are drawn, each time after it went on from its journal. In the end every task was run once, and every job has ended as
// it should.
func TestKilledAtFiftyPoints(t *testing.T) {
	t.Parallel()
	for i, policy := range []string{"index", "kairos"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, manyJobs)
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			kills := kills
			if testing.Short() {
				kills = 15
			}
			restored, within := 0, 120*time.Millisecond
			for n := 0; restored < kills; n++ {
				cmd, _, stderr := l.start("", "-policy", policy)
				time.Sleep(time.Duration(rng.Int64N(int64(within))))
				_ = cmd.Process.Kill()
				if err := cmd.Wait(); !killed(err) {
					break // all is done
				}
				if strings.Contains(stderr.String(), "restored") {
					restored++
				} else if n > 0 { // it was not given time to begin
					within += 5 * time.Millisecond
				}
			}
			if restored < kills/3 {
				t.Errorf("%d schedulers were killed before all was done, want more", restored)
			}
			t.Logf("%d schedulers were killed", restored)
			stdout, stderr, err := l.run("", "-policy", policy)
			if err == nil || !strings.Contains(stderr, "1 jobs were not done: broken") {
				t.Fatalf("the last life ended with %v, want that broken was not done; stderr: %s", err, stderr)
			}
			if got := strings.Count(stdout, " Done "); got != plain+1 {
				t.Errorf("%d jobs are done, want %d:\n%s", got, plain+1, stdout)
			}
			// A copy whose order a scheduler took with it counts as lost, and the next copy of its task does the work.
			want := make(map[string]int)
			for i := range plain {
				for k := range 4 {
					want[fmt.Sprintf("plain%d first %d", i, k)] = 1
				}
				for k := range 2 {
					want[fmt.Sprintf("plain%d second %d", i, k)] = 1
				}
			}
			for k := range 3 {
				want[fmt.Sprintf("flaky once %d", k)] = 2 // or once, if that was not the first copy
			}
			want["broken never 0"] = 3
			got := make(map[string]int)
			for line, n := range l.lines() {
				got[line[:strings.LastIndexByte(line, ' ')]] += n
				if n != 1 {
					t.Errorf("%q was run %d times, want once", line, n)
				}
			}
			for task, n := range want {
				if got[task] != n && !(got[task] == 1 && strings.HasPrefix(task, "flaky")) {
					t.Errorf("%q was run %d times, want %d", task, got[task], n)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d tasks were run, want %d", len(got), len(want))
			}
		})
	}
}

// A machine is killed while its tasks run, once beside its scheduler and once while there is none. Its tasks are done on another one
// or on the next machine of its name.
func TestMachineGoesAway(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"index", "kairos"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			// A task names its machine, and waits until there is a file, in a process of its own that outlives a mere kill of the shell.
			l := newLab(t, func(out string) string {
				return fmt.Sprintf("job long\nstage all 8: echo on $PPID >> %[1]s; (until test -e %[1]s.go; do sleep 0.05; done; echo $TASK >> %[1]s); true\n", out)
			})
			busy := func(not int) (pid int) {
				l.until("a machine has a task", func() bool {
					for _, pid = range l.machines("m1") {
						if pid != not && strings.Contains(l.text(), fmt.Sprintf("on %d\n", pid)) {
							return true
						}
					}
					return false
				})
				return pid
			}
			cmd, _, _ := l.start("", "-policy", policy)
			first := busy(0)
			of := func(entry string) []int {
				return l.processes("environ", func(entries []string) bool {
					return slices.ContainsFunc(entries, func(e string) bool { return strings.HasPrefix(e, entry+"="+l.dir+"/m1/") })
				})
			}
			_ = syscall.Kill(first, syscall.SIGKILL)
			second := busy(first)
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			for _, pid := range append(of("MACHINE_WATCHES"), second) { // so that nobody is left who could kill the tasks
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			time.Sleep(50 * time.Millisecond)
			left := of("MACHINE_LIFE")
			if len(left) == 0 {
				t.Error("the tasks of a machine die with it and its watchdog, so this test shows nothing of the next machine")
			}
			cmd, stdout, stderr := l.start("", "-policy", policy)
			l.until("the next machine has killed what was left", func() bool {
				return !slices.ContainsFunc(of("MACHINE_LIFE"), func(pid int) bool { return slices.Contains(left, pid) })
			})
			if err := os.WriteFile(l.out+".go", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Fatalf("%v; stderr: %s", err, stderr)
			}
			got := l.lines()
			for k := range 8 {
				if got[fmt.Sprint(k)] != 1 {
					t.Errorf("task %d was done %d times, want once", k, got[fmt.Sprint(k)])
				}
			}
			if stdout := stdout.String(); strings.Contains(stdout, " 0 lost") || !strings.Contains(stdout, " Done ") {
				t.Errorf("want that some copies were lost, and the job is done:\n%s", stdout)
			}
		})
	}
}

// A scheduler and three machines that come and go are killed in turn while jobs are submitted. Every task is done, and twice only if it
// may have been in a machine that was killed.
func TestAllAreKilled(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(out string) string { return "job none\nstage x 1: true\n" })
	const jobs, machines, deaths = 30, 3, 6
	ctx, stop := context.WithCancel(t.Context())
	keep := func(args ...string) (current func() *os.Process) { // starts a process again whenever it has ended
		now := make(chan *os.Process, 1)
		now <- nil
		go func() {
			for ctx.Err() == nil {
				cmd, _, _ := l.start(args...)
				<-now
				now <- cmd.Process
				_ = cmd.Wait()
			}
		}()
		return func() *os.Process {
			p := <-now
			now <- p
			return p
		}
	}
	killable := []func() *os.Process{keep("serve", "-policy", "fair")}
	for i := range machines {
		killable = append(killable, keep("machine", "-name", fmt.Sprint("m", i), "-cores", "2"))
	}
	l.until("a scheduler is there", func() bool {
		_, _, err := l.run("list")
		return err == nil
	})
	submitted := make(chan bool)
	go func() {
		defer close(submitted)
		for n := range jobs {
			file := filepath.Join(l.dir, fmt.Sprint("job", n))
			_ = os.WriteFile(file, fmt.Appendf(nil, "job j%d\nstage x 3: sleep 0.0$((TASK+3)); echo $JOB $TASK >> %s\n", n, l.out), 0o600)
			for ctx.Err() == nil {
				if _, stderr, err := l.run("submit", file); err == nil || strings.Contains(stderr, "there is a job of this name") {
					break
				}
			}
		}
	}()
	rng := rand.New(rand.NewPCG(5, 5))
	for n := range deaths * len(killable) {
		time.Sleep(time.Duration(rng.IntN(120)) * time.Millisecond)
		if p := killable[n%len(killable)](); p != nil {
			_ = p.Kill()
		}
	}
	<-submitted
	stdout, stderr, err := "", "", error(nil)
	l.until("a scheduler answers", func() bool {
		stdout, stderr, err = l.run("wait")
		return err == nil
	})
	got := l.lines()
	twice := 0
	for n := range jobs {
		for k := range 3 {
			switch times := got[fmt.Sprintf("j%d %d", n, k)]; {
			case times == 0:
				t.Errorf("task %d of job %d was never done; wait says %s %s", k, n, stdout, stderr)
			case times > 1:
				twice++
			}
		}
	}
	if most := deaths * machines * 2; twice > most {
		t.Errorf("%d tasks were done twice, want at most the %d that machines of 2 cores had when they were killed", twice, most)
	}
	t.Logf("%d schedulers and %d machines killed, %d of %d tasks done twice", deaths, deaths*machines, twice, jobs*3)
	stop()
	for _, p := range killable {
		_ = p().Kill()
	}
}

// What a person does beside a running scheduler.
func TestVerbs(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(out string) string {
		return fmt.Sprintf("job a program p user u\nstage x 2 cores 2 memory 1GB: echo $TASK; echo $JOB >> %s\njob slow limit 300ms\nstage x 1: sleep 60\njob long\nstage x 1: sleep 60 & wait\njob bad\nstage x 1: sleep 0.01; exit 7\n", out)
	})
	serve, _, said := l.start("serve", "-policy", "fifo")
	l.until("the scheduler is there", func() bool { _, _, err := l.run("list"); return err == nil })
	machine, _, _ := l.start("machine", "-name", "m1", "-cores", "4", "-memory", "4GB")
	if _, stderr, err := l.run("submit", filepath.Join(l.dir, "jobs")); err != nil {
		t.Fatal(stderr)
	}
	if _, stderr, err := l.run("submit", filepath.Join(l.dir, "jobs")); err == nil || !strings.Contains(stderr, `job "a": there is a job of this name`) {
		t.Errorf("submitted twice, want an error, got %q", stderr)
	}
	stdout, stderr, err := l.run("wait", "a", "slow", "bad")
	if want := "a Done\nslow TimedOut\nbad TaskFailed\n"; stdout != want || err == nil || !strings.Contains(stderr, "2 jobs were not done: slow, bad") {
		t.Errorf("got %q, error %v, stderr %q, want %q", stdout, err, stderr, want)
	}
	if b, err := os.ReadFile(filepath.Join(l.dir, "out", "a.x.1")); string(b) != "1\n" {
		t.Errorf("output %q, error %v, want what the task has printed", b, err)
	}
	stdout, _, err = l.run("list")
	for _, want := range []string{"policy fifo", "m1", "long  -"} {
		if err != nil || !strings.Contains(stdout, want) {
			t.Errorf("error %v, list says\n%s\nwant %q in it", err, stdout, want)
		}
	}
	if _, stderr, err := l.run("cancel", "long"); err != nil {
		t.Error(stderr)
	}
	if stdout, _, _ := l.run("wait", "long"); stdout != "long Cancelled\n" {
		t.Errorf("got %q, want that long is cancelled", stdout)
	}
	l.until("its processes are killed, all of them", func() bool { return len(l.left()) == 0 })
	if stdout, _, _ := l.run("list", "bad"); !strings.Contains(stdout, "TaskFailed") || !strings.Contains(stdout, "exit status 7") {
		t.Errorf("list says\n%s\nwant why bad has failed", stdout)
	}
	for _, cmd := range []*exec.Cmd{machine, serve} {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v after an interrupt; the scheduler says %s", err, said)
		}
	}
	if _, stderr, err := l.run("list"); err == nil || !strings.Contains(stderr, "no scheduler is there") {
		t.Errorf("list says %q without a scheduler", stderr)
	}
}

// A scheduler that cannot write its journal any more says why and ends, so that whoever keeps it alive can start another.
func TestServeEndsWhenTheDiskIsFull(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(string) string { return "job a\nstage x 1: true\n" })
	serve, _, said := l.start("serve")
	l.until("the scheduler is there", func() bool { _, _, err := l.run("list"); return err == nil })
	if out, err := exec.Command("prlimit", "--pid", strconv.Itoa(serve.Process.Pid), "--fsize=100").CombinedOutput(); err != nil {
		t.Skipf("prlimit: %v: %s", err, out)
	}
	if _, stderr, err := l.run("submit", filepath.Join(l.dir, "jobs")); err == nil {
		t.Errorf("a job was taken: %s", stderr)
	}
	if err := serve.Wait(); err == nil || !strings.Contains(said.String(), "file too large") {
		t.Errorf("error %v, said %q, want why it has ended", err, said)
	}
}

// A scheduler that ends has answered all that it was asked: those who wait learn that it has closed, and ask the next one.
func TestAnswersBeforeTheEnd(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(string) string { return "job a\nstage x 1: true\n" })
	serve, _, said := l.start("serve")
	l.until("the scheduler is there", func() bool { _, _, err := l.run("list"); return err == nil })
	if _, stderr, err := l.run("submit", filepath.Join(l.dir, "jobs")); err != nil {
		t.Fatal(stderr)
	}
	waits := make(chan *rpc.Call, 50)
	for range cap(waits) {
		c, err := rpc.Dial("unix", filepath.Join(l.dir, "socket"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.Go("Desk.Wait", "a", new(host.Status), waits)
		if err := c.Call("Desk.List", []string(nil), new(Answer)); err != nil { // which is read after the other
			t.Fatal(err)
		}
	}
	mute, err := net.Dial("unix", filepath.Join(l.dir, "socket")) // it never reads
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	ask := gob.NewEncoder(mute)
	for seq := range uint64(5000) {
		_ = mute.SetWriteDeadline(time.Now().Add(time.Second))
		if errors.Join(ask.Encode(rpc.Request{ServiceMethod: "Desk.List", Seq: seq}), ask.Encode([]string(nil))) != nil {
			break // its answers are stuck
		}
	}
	_ = serve.Process.Signal(os.Interrupt)
	if err := serve.Wait(); err != nil {
		t.Errorf("%v; the scheduler says %s", err, said)
	}
	for range cap(waits) {
		if done := <-waits; done.Error != rpc.ServerError(host.ErrClosed.Error()) {
			t.Errorf("the answer is %v, want %v", done.Error, host.ErrClosed)
		}
	}
}

// What is not as it was before is said, and used.
func TestChangesAreSaid(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(string) string {
		return "job a\nstage x 1: true\njob b\nstage x 1: sleep 60\njob c\nstage x 1: true\n"
	})
	cmd, _, stderr := l.start("", "-policy", "fifo", "-machines", "2")
	l.until("both machines are there", func() bool { return len(l.machines("")) == 2 })
	l.until("b runs", func() bool {
		stdout, _, _ := l.run("list", "b")
		return strings.Contains(stdout, "0/1   1")
	})
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if strings.Contains(stderr.String(), "from now on") {
		t.Errorf("the first scheduler says %s", stderr)
	}
	l.jobs("job a\nstage x 1: true\njob b\nstage x 1: true\njob d\nstage x 1: true\n")
	cmd, stdout, stderr := l.start("", "-policy", "fair", "-machines", "1")
	l.until("one machine is there, and d is done", func() bool {
		stdout, _, _ := l.run("list", "d")
		return len(l.machines("")) == 1 && strings.Contains(stdout, "Done")
	})
	if stdout, _, _ := l.run("list"); !strings.Contains(stdout, "policy fair") {
		t.Errorf("list says\n%s\nwant the new policy", stdout)
	}
	if _, stderr, err := l.run("cancel", "b"); err != nil {
		t.Error(stderr)
	}
	_ = cmd.Wait()
	for _, want := range []string{"-policy was fifo and is fair", "-machines was 2 and is 1", "job b has changed in", "job c is no longer in", "job d of", "1 jobs were not done: b"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("the second scheduler says %s\nwant %q in it", stderr, want)
		}
	}
	for _, want := range []string{"a ", "b ", "c ", "d "} {
		if !strings.Contains(stdout.String(), "\n"+want) {
			t.Errorf("got\n%s\nwant job %sin it", stdout, want)
		}
	}
}
