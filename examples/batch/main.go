// Batch is a batch scheduler: a host to copy. It runs the jobs of a file on machines, which are processes of its own, as a
// policy says, and it may be killed at any moment: start it again with the same directory, and it goes on.
//
//	go run ./examples/batch -dir /tmp/run -policy gs
//	go run ./examples/batch -dir /tmp/run            # goes on after a kill
//	go run ./examples/batch -dir /tmp/other -policy kairos -machines 3 -cores 1 -jobs jobs.txt
//
// A job is a line with its name and the second at which it comes, and its stages follow. A stage has a name, a number of tasks, the
// stages that it waits for, and a command:
//
//	job count 1.5
//	stage split 1: split -n l/4 input part.
//	stage count 4 after split: wc -w part.$(printf %02d $TASK)
//
// Each task is a process, sh -c COMMAND, which takes one core. It finds JOB, STAGE, TASK and COPY in its environment, and
// must exit with status 0. A stage may say that its tasks can be saved, and how long they take to go on from there:
//
//	stage train 1 saves 2s: exec ./train --checkpoint $JOB.$TASK
//
// A policy such as index-preempt may then stop a task for a shorter one. All processes of the task get SIGTERM, the shell too: hence the
// exec. If the task exits with status 0 within 10 s, it has written a checkpoint, from which its next copy has to go on, on any machine:
// SAVED in its environment says how many seconds of work are saved, 0 if it begins anew. Otherwise it is killed, and goes on from the
// checkpoint before, which it must not spoil. A task that is done when the signal comes runs once more.
//
// A task that fails is tried again, and fails its job after -attempts times. A -policy is gs (SLearn), kairos, or a line of parts as
// compare has them, such as index or fair@kairos.
//
// # Where to read
//
// Begin with host.go, which has the loop. The book in book.go is what the host knows of jobs and copies. machines.go is the
// scheduler's side of the machines, machine_linux.go is a machine, and wire.go is what passes between them. The [journal.Ledger]
// knows what the host still has to do, before a restart and after it. A [check.Checker] watches host and policy, also over restarts.
//
// # What a host must do
//
//   - Journal each event with its Step. Sync before anything leaves the process.
//   - Give each order the number of its copy. A machine that has this copy, or had it, does not start it again.
//   - Let each machine keep its reports, in their order, until they are in the journal. A report that was lost with the
//     scheduler comes again, and a report that comes twice changes nothing.
//   - After a restart, wait for the machines first, and tell the policy what they report. Then carry out what the Ledger
//     still has open.
//   - Tell Ready and Ended because the state says so, and not because of the event before: it may have been told by another life.
//   - After Refused, tell Woken a little later.
//   - Give each event an instant of its own, so that there is no order within an instant to keep. The clock begins at the time of
//     day, or just after the last event if the time of day is earlier, and then goes on with the monotonic clock. If the
//     time of day is set while the scheduler runs, nothing changes; if it is set while there is none, time jumps forth or
//     goes on from the last event, and it never goes back.
//
// # What it promises
//
// If the scheduler dies, tasks go on, and each is done once. A task is started again only if it failed, or if its machine died. In
// the latter case it may have done some of its work, or all of it, before. Machines that have had no scheduler for -patience kill
// their tasks and end.
//
// # What it leaves out
//
// All parts of a policy run in the scheduler and share its journal, so nodes under kairos do not decide by themselves. Tasks take
// one core each. There are no second copies of tasks, since commands do not say how far they are, and no memory, gangs and pipelines.
// Machines are on the scheduler's machine: a lock tells it whether they live. Elsewhere it would have to wait for them for a
// while, and then could not know whether the tasks of those that are silent still run. The journal is never begun anew; a
// scheduler that runs for months calls Renew, as the example of package journal does.
//
// It needs Linux. It exits with status 1 if a job fails, with 2 if a flag or the file of jobs is wrong.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/lines"
)

func main() { cli.Main("batch", run) }

type options struct {
	Policy                    string // this and what follows the journal keeps
	Machines, Cores, Attempts int

	dir, jobs string
	patience  time.Duration
	machine   int
}

const about = `Batch runs the jobs of a file on machines, which are processes of its own, as a policy says. It may be
killed at any moment, and goes on when it is started again with the same -dir.
`

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	fs := flag.NewFlagSet("batch", flag.ContinueOnError)
	fs.StringVar(&o.dir, "dir", "", "`directory` of the journal; made if it does not exist")
	fs.StringVar(&o.jobs, "jobs", "", "`file` of jobs; a few small ones if empty; read when -dir is new")
	fs.StringVar(&o.Policy, "policy", "gs", "`policy`: gs, kairos or a line of parts; read when -dir is new")
	fs.IntVar(&o.Machines, "machines", 2, "how many machines; read when -dir is new")
	fs.IntVar(&o.Cores, "cores", 2, "cores of each machine; read when -dir is new")
	fs.IntVar(&o.Attempts, "attempts", 3, "how often a task may fail before its job does; read when -dir is new")
	fs.DurationVar(&o.patience, "patience", time.Minute, "how long a machine waits for a scheduler that is gone")
	fs.IntVar(&o.machine, "machine", 0, "be the machine of this `number`; the scheduler starts them")
	if _, err := cli.Parse(fs, args, stdout, about); err != nil {
		return err
	}
	switch {
	case o.dir == "":
		return cli.Usagef("-dir is empty, want a directory for the journal")
	case o.Machines < 1 || o.Machines > 1000:
		return cli.Usagef("-machines is %d, want 1 to 1000", o.Machines)
	case o.Cores < 1 || o.Cores > 1000:
		return cli.Usagef("-cores is %d, want 1 to 1000", o.Cores)
	case o.Attempts < 1:
		return cli.Usagef("-attempts is %d, want at least 1", o.Attempts)
	}
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return cli.Usage(err)
	}
	if o.machine > 0 {
		return beMachine(ctx, &o)
	}
	h, err := open(&o)
	if err != nil {
		return err
	}
	defer h.close()
	if err := h.run(ctx); err != nil {
		return err
	}
	return h.print(stdout)
}

// print prints what became of the jobs.
func (h *host) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "job\toutcome\ttasks\tseconds")
	var failed []string
	for id := policy.JobID(1); int(id) <= len(h.scripts); id++ {
		j := h.jobs[id]
		fmt.Fprintf(t, "%s\t%v\t%d\t%.2f\n", h.scripts[id-1].name, j.outcome, j.spec.Tasks(), j.ended.Sub(j.spec.Submitted).Seconds())
		if j.outcome != policy.Done {
			failed = append(failed, h.scripts[id-1].name)
		}
	}
	fmt.Fprintf(t, "\n%d copies started, %d failed, %d lost with their machine, %d times suspended, %d times saved\n", h.started, h.failed, h.lost, h.suspended, h.saves)
	if err := t.Flush(); err != nil {
		return err
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d jobs were not done: %s; the machines' logs in %s say why", len(failed), strings.Join(failed, ", "), h.options.dir)
	}
	return nil
}

// keep returns what the journal keeps of the command line with which it began.
func (o *options) keep() (map[string][]byte, error) {
	text := []byte(someJobs)
	if o.jobs != "" {
		var err error
		if text, err = os.ReadFile(o.jobs); err != nil {
			return nil, cli.Usage(err)
		}
	}
	if _, err := readScripts(string(text), cmp.Or(o.jobs, "jobs")); err != nil {
		return nil, cli.Usage(err)
	}
	options, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"jobs": text, "options": options}, nil
}

// newPolicy makes the policy of a name.
func newPolicy(name string) (policy.Scheduler, error) {
	line := name
	if name == "kairos" {
		line = "fifo@kairos"
	}
	l, err := lines.Parse(line)
	switch {
	case err != nil:
		return nil, cli.Usagef("-policy %w", err)
	case l.Copy != "":
		return nil, cli.Usagef("-policy %s starts second copies of slow tasks, and commands do not say how far they are; want a line without +%s", name, l.Copy)
	}
	p, err := l.New(lines.Setting{Seed: 1, Kairos: kairos.Config{Node: kairos.NodeConfig{Quantum: time.Second}}}) // tasks take seconds here
	if err != nil {
		return nil, cli.Usagef("-policy %s: %w", name, err)
	}
	return p, nil
}

func (o *options) journal() string { return filepath.Join(o.dir, "journal") }
func (o *options) socket() string  { return filepath.Join(o.dir, "socket") }

// errStopped is the error of a scheduler that was interrupted.
var errStopped = errors.New("interrupted; the tasks go on, and so does the scheduler if it is started again with the same -dir")

const someJobs = `job words
stage split 1: sleep 0.3
stage count 4 after split: sleep 0.$((TASK + 1))
stage sum 1 after count: echo $JOB is done
job short 0.5
stage all 6: sleep 0.1
job flaky 1
stage once 2: test $COPY -gt 0
job broken 1
stage never 1: exit 3
`
