package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
)

// counter counts to 120, ten times a second. It writes on SIGTERM how far it has come, and begins from there.
const counter = `n=0
test $SAVED = 0 || n=$(cat %[1]s.count)
echo from $n >> %[1]s
trap 'echo $n > %[1]s.count; echo saved $n >> %[1]s; exit 0' TERM
while test $n -lt 120; do sleep 0.1 & wait $!; n=$((n + 1)); done
echo counted >> %[1]s
`

// One core counts for 12 s, and a short job comes. The counter is saved for it as soon as its guard of 10 s is over, and goes on
// afterwards, also if the scheduler is killed meanwhile.
func TestSavedForAShortJob(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(out string) string {
		script := filepath.Join(filepath.Dir(out), "counter")
		if err := os.WriteFile(script, fmt.Appendf(nil, counter, out), 0o600); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("job quick\nstage all 1: true\njob long 0.5\nstage count 1 saves 100ms: exec sh %s\njob short 1\nstage all 1: echo short >> %s; sleep 0.5\n", script, out)
	})
	one := []string{"-machines", "1", "-cores", "1"}
	cmd, _, _ := l.scheduler("index-preempt", 0, one...)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if text, _ := os.ReadFile(l.out); strings.Contains(string(text), "saved") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing was saved within a minute")
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	cmd, stdout, stderr := l.scheduler("index-preempt", 0, one...)
	if err := cmd.Wait(); err != nil || !strings.Contains(stdout.String(), " 1 times saved") {
		t.Fatalf("%v, want one save; stderr: %s\n%s", err, stderr, stdout)
	}
	text, err := os.ReadFile(l.out)
	if err != nil {
		t.Fatal(err)
	}
	var saved, from int
	if n, err := fmt.Sscanf(string(text), "from 0\nsaved %d\nshort\nfrom %d\ncounted\n", &saved, &from); n != 2 || saved < 1 || from != saved {
		t.Errorf("error %v, tasks wrote %q, want that the counter is saved, that short runs, and that it goes on from there", err, text)
	}
}

// What a machine reports of copies that are to save, by what they do then.
func TestMachineSaves(t *testing.T) {
	for name, c := range map[string]struct {
		command string
		do      []verb
		kind    policy.EventKind
		saved   bool
	}{
		"saves":            {"trap 'exit 0' TERM; touch $READY; while :; do sleep 0.01; done", []verb{save}, policy.Killed, true},
		"asked twice":      {"trap 'sleep 0.1; exit 0' TERM; touch $READY; while :; do sleep 0.01; done", []verb{save, save}, policy.Killed, true},
		"stands":           {"trap 'exit 0' TERM; touch $READY; while :; do sleep 0.01; done", []verb{suspend, save}, policy.Killed, true},
		"cannot":           {"touch $READY; exec sleep 60", []verb{save}, policy.Killed, false},
		"fails":            {"trap 'exit 1' TERM; touch $READY; while :; do sleep 0.01; done", []verb{save}, policy.Killed, false},
		"takes too long":   {"trap '' TERM; touch $READY; while :; do sleep 0.01; done", []verb{save}, policy.Killed, false},
		"killed meanwhile": {"trap '' TERM; touch $READY; while :; do sleep 0.01; done", []verb{save, kill}, policy.Killed, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ready := filepath.Join(t.TempDir(), "ready")
			m := &machine{copies: make(map[policy.Copy]*process), ends: make(chan *process), late: make(chan *process)}
			var said bytes.Buffer
			m.out = json.NewEncoder(&said)
			of := policy.Copy{Task: policy.Task{Job: 1}, N: 1}
			const before = policy.Duration(5e9)
			m.obey(order{Do: start, Copy: of, Command: c.command, Env: []string{"READY=" + ready}, Saved: before})
			defer m.killAll()
			for _, err := os.Stat(ready); err != nil; _, err = os.Stat(ready) {
				time.Sleep(time.Millisecond)
			}
			for _, do := range c.do {
				m.obey(order{Do: do, Copy: of})
			}
			for !m.copies[of].over {
				select {
				case p := <-m.ends:
					m.ended(p)
				case p := <-m.late:
					m.obey(order{Do: kill, Copy: p.copy})
				}
			}
			first, last := m.log[0], m.log[len(m.log)-1]
			if first.Kind != policy.Started || first.Service != before {
				t.Errorf("the first report is %+v, want Started with what was saved before", first)
			}
			if want := map[bool]policy.Duration{false: before, true: last.Service}[c.saved]; last.Kind != c.kind || last.Service <= before || last.Saved != want {
				t.Errorf("the last report is %+v, want %v, more than %v of service, %v saved", last, c.kind, before, want)
			}
		})
	}
}

// A copy that reloads does no work until it has.
func TestReloadIsNoService(t *testing.T) {
	m := &machine{copies: make(map[policy.Copy]*process), ends: make(chan *process), late: make(chan *process)}
	of := policy.Copy{Task: policy.Task{Job: 1}, N: 1}
	m.obey(order{Do: start, Copy: of, Command: "sleep 0.1", Saved: 5e9, Reload: 60e9})
	m.ended(<-m.ends)
	if last := m.log[1]; last.Kind != policy.Finished || last.Service != 5e9 {
		t.Errorf("the last report is %+v, want Finished with the 5 s that were saved before", last)
	}
}
