package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// counter counts to 120, ten times a second. It writes on SIGTERM how far it has come, and begins from there.
const counter = `n=0
test $SAVED = 0 || n=$(cat %[1]s.count)
echo from $n >> %[1]s
trap 'echo $n > %[1]s.count; echo saved $n >> %[1]s; exit 0' TERM
while test $n -lt 120; do sleep 0.1 & wait $!; n=$((n + 1)); done
echo counted >> %[1]s
`

// One core counts for 12 s, and a short job comes. The counter is saved for it as soon as its exempt time of 10 s is over, and goes on
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
	one := []string{"", "-policy", "index-preempt", "-machines", "1", "-cores", "1"}
	cmd, _, _ := l.start(one...)
	l.until("something is saved", func() bool { return strings.Contains(l.text(), "saved") })
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	stdout, stderr, err := l.run(one...)
	if err != nil || !strings.Contains(stdout, " 1 times saved") {
		t.Fatalf("%v, want one save; stderr: %s\n%s", err, stderr, stdout)
	}
	text := l.text()
	var saved, from int
	if n, err := fmt.Sscanf(text, "from 0\nsaved %d\nshort\nfrom %d\ncounted\n", &saved, &from); n != 2 || saved < 1 || from != saved {
		t.Errorf("error %v, tasks wrote %q, want that the counter is saved, that short runs, and that it goes on from there", err, text)
	}
}
