package processes

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/host"
	"example.com/augur/policy/host/hosttest"
)

func TestMain(m *testing.M) {
	Watchdog()
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // of watchdogs
	os.Exit(m.Run())
}

// A desk is an engine that orders what a test wants.
type desk struct {
	t       *testing.T
	orders  chan host.Order
	reports chan host.Report
}

func (d *desk) Join(context.Context, string, policy.Node, ...host.Report) (host.Link, error) {
	return d, nil
}

func (d *desk) Next(ctx context.Context) (host.Order, error) {
	select {
	case o := <-d.orders:
		return o, nil
	case <-ctx.Done():
		return host.Order{}, context.Cause(ctx)
	}
}

func (d *desk) Report(_ context.Context, reports ...host.Report) error {
	for _, x := range reports {
		d.reports <- x
	}
	return nil
}

func (d *desk) Close() error                { return nil }
func (d *desk) Leave(context.Context) error { return nil }

// run runs a machine whose tasks are the Data of their orders. The function that it returns ends the machine.
func run(t *testing.T, m *Machine) (d *desk, stop func()) {
	d = &desk{t, make(chan host.Order), make(chan host.Report, 10)}
	m.Name, m.Node, m.Command = "m", policy.Node{Cores: 4}, func(o host.Order) (*exec.Cmd, error) { return exec.Command("sh", "-c", string(o.Data)), nil }
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- m.Run(ctx, d) }()
	stop = func() {
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		ran <- nil
	}
	t.Cleanup(stop)
	return d, stop
}

func (d *desk) hear() host.Report {
	d.t.Helper()
	select {
	case x := <-d.reports:
		return x
	case <-time.After(30 * time.Second):
		d.t.Fatal("no report within 30 s")
		panic("")
	}
}

var stage = &policy.Stage{Tasks: 1, Cores: 1, Saves: true}

func start(command string) host.Order {
	return host.Order{Do: policy.Start, Copy: policy.Copy{Task: policy.Task{Job: 1}, N: 1}, Data: []byte(command), Stage: stage}
}

// A machine keeps the contract.
func TestContract(t *testing.T) {
	t.Parallel()
	const patience = time.Second
	mark := t.TempDir()
	hosttest.Run(t, hosttest.Config{
		New: func(*testing.T) hosttest.Machine {
			return &Machine{Name: "m", Node: policy.Node{Cores: 4}, Mark: mark, Patience: patience, Command: func(o host.Order) (*exec.Cmd, error) {
				return exec.Command("sh", "-c", string(o.Data)), nil
			}}
		},
		Short: []byte("sleep 0.1"), Long: []byte("sleep 1000 & wait"), Fails: []byte("exit 1"),
		Saves:    []byte("trap 'exit 0' TERM; sleep 1000 & wait"),
		Cannot:   []policy.ActionKind{policy.Report},
		Running:  func() int { return len(marked(mark)) / 2 }, // a shell and what it has started
		Patience: patience,
	})
}

// marked returns the processes that the tasks of a machine have started.
func marked(mark string) (pids []string) {
	names, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range names {
		if b, err := os.ReadFile(name); err == nil && has(string(b), func(life string) bool { return strings.HasPrefix(life, mark+"/") }) {
			pids = append(pids, name)
		}
	}
	return pids
}

// What a machine reports of copies that are to save, by what they do then.
func TestSaves(t *testing.T) {
	const before = 5 * time.Second
	save, kill, suspend := host.Order{Do: policy.Kill, Save: true}, host.Order{Do: policy.Kill}, host.Order{Do: policy.Suspend}
	for name, c := range map[string]struct {
		command string
		do      []host.Order
		saved   bool
	}{
		"saves":            {"trap 'exit 0' TERM; touch $READY; while :; do sleep 0.01; done", []host.Order{save}, true},
		"asked twice":      {"trap 'sleep 0.1; exit 0' TERM; touch $READY; while :; do sleep 0.01; done", []host.Order{save, save}, true},
		"stands":           {"trap 'exit 0' TERM; touch $READY; while :; do sleep 0.01; done", []host.Order{suspend, save}, true},
		"cannot":           {"touch $READY; exec sleep 60", []host.Order{save}, false},
		"fails":            {"trap 'exit 1' TERM; touch $READY; while :; do sleep 0.01; done", []host.Order{save}, false},
		"takes too long":   {"trap '' TERM; touch $READY; while :; do sleep 0.01; done", []host.Order{save}, false},
		"killed meanwhile": {"trap '' TERM; touch $READY; while :; do sleep 0.01; done", []host.Order{save, kill}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ready := filepath.Join(t.TempDir(), "ready")
			d, _ := run(t, &Machine{Grace: time.Second})
			o := start("READY=" + ready + "; " + c.command)
			o.Saved = before
			d.orders <- o
			for _, err := os.Stat(ready); err != nil; _, err = os.Stat(ready) {
				time.Sleep(time.Millisecond)
			}
			for _, do := range c.do {
				do.Copy = o.Copy
				d.orders <- do
			}
			x := d.hear()
			if x.Kind == policy.Suspended {
				x = d.hear()
			}
			if want := map[bool]time.Duration{false: before, true: x.Service}[c.saved]; x.Kind != policy.Killed || x.Service <= before || x.Saved != want {
				t.Errorf("the report is %+v, want Killed, more than %v of service, %v saved", x, before, want)
			}
		})
	}
}

// A machine that is to end lets copies save what they have done, and reports that.
func TestEndSaves(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	d, stop := run(t, new(Machine))
	d.orders <- start("trap 'exit 0' TERM; touch " + ready + "; while :; do sleep 0.01; done")
	for _, err := os.Stat(ready); err != nil; _, err = os.Stat(ready) {
		time.Sleep(time.Millisecond)
	}
	stop()
	if x := d.hear(); x.Kind != policy.Killed || x.Saved == 0 || x.Saved != x.Service {
		t.Errorf("the report is %+v, want Killed with all saved", x)
	}
}

// A copy that reloads does no work until it has.
func TestReloadIsNoService(t *testing.T) {
	d, _ := run(t, new(Machine))
	o := start("sleep 0.1")
	o.Saved, o.Stage = 5*time.Second, &policy.Stage{Tasks: 1, Cores: 1, Saves: true, Reload: time.Minute}
	d.orders <- o
	if x := d.hear(); x.Kind != policy.Finished || x.Service != 5*time.Second {
		t.Errorf("the report is %+v, want Finished with the 5 s that were saved before", x)
	}
}

// Nothing that a task has started outlives it if it stays in its group, and nothing at all outlives the machine.
func TestGrandchildren(t *testing.T) {
	dir := t.TempDir()
	pid := func(name string) (pid int) {
		for ; pid == 0; time.Sleep(time.Millisecond) {
			text, _ := os.ReadFile(filepath.Join(dir, name))
			pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		}
		return pid
	}
	d, stop := run(t, &Machine{Mark: dir})
	o := start("cd " + dir + "; sleep 100 & echo $! >near; setsid sh -c 'echo $$ >far; exec sleep 100' & wait")
	d.orders <- o
	near, far := pid("near"), pid("far")
	d.orders <- host.Order{Do: policy.Kill, Copy: o.Copy}
	if x := d.hear(); x.Kind != policy.Killed {
		t.Errorf("the report is %+v, want Killed", x)
	}
	for deadline := time.Now().Add(10 * time.Second); alive(near); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a process of the group outlives its task")
		}
	}
	if !alive(far) {
		t.Error("a process that has left the group is killed with it, so this test shows nothing of the watchdog")
	}
	stop()
	if alive(far) {
		t.Error("a process that has left the group outlives the machine")
	}
}

// alive reports whether a process is there and not dead but for its parent's notice.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, rest, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(rest, "Z")
}

// A shell does little itself, and its time is that of the children that it has waited for.
func TestTimeOfChildren(t *testing.T) {
	m := &Machine{Processor: true}
	d, _ := run(t, m)
	o := start(`sh -c 'i=0; while test $i -lt 200000; do i=$((i+1)); done'; sleep 60`)
	d.orders <- o
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if p := m.Processes(); len(p) == 1 && p[0].Used >= 50*time.Millisecond {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the child's time is not seen within 30 s")
		}
	}
	d.orders <- host.Order{Do: policy.Kill, Copy: o.Copy}
	if x := d.hear(); x.Kind != policy.Killed || x.Service < 50*time.Millisecond || x.Service > 20*time.Second {
		t.Errorf("the report is %+v, want Killed with the child's time", x)
	}
}

func TestProcessorTime(t *testing.T) {
	const after = " S 1 2 2 0 -1 4194560 95 0 0 0 1 20 300 4000 20 0 1 0 9 8 7"
	for _, c := range []struct {
		stat string
		want time.Duration
		ok   bool
	}{
		{"2 (sh)" + after, 43210 * time.Millisecond, true},
		{"2 (a) b)" + after, 43210 * time.Millisecond, true},
		{"2 (a) R 1 2 2 0 -1 1 1 1 1 1 1 1 1 1)" + after, 43210 * time.Millisecond, true},
		{"2 (sh) S 1 2 2 0 -1 1 1 1 1 1 1 1", 0, false},
		{"", 0, false},
	} {
		if got, ok := processorTime(c.stat); got != c.want || ok != c.ok {
			t.Errorf("%q: %v, %v, want %v, %v", c.stat, got, ok, c.want, c.ok)
		}
	}
}
