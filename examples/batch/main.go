// Batch is a batch scheduler over policy/host, for a person who runs jobs on a few machines. One command runs the jobs of a file
// on machines that it starts itself, and ends when they are done:
//
//	go run ./examples/batch -dir /tmp/run -jobs examples/samples/batch.txt
//	go run ./examples/batch -dir /tmp/run                      # goes on after a kill
//
// Or a scheduler stays, and machines and jobs come and go:
//
//	batch serve -dir /tmp/batch -policy index &
//	batch machine -dir /tmp/batch -name m1 -cores 8 -memory 16GB &
//	batch submit -dir /tmp/batch jobs.txt
//	batch list -dir /tmp/batch
//	batch wait -dir /tmp/batch count
//	batch cancel -dir /tmp/batch count
//
// All speak to the scheduler over unix sockets in its -dir, so a machine elsewhere needs only ssh, which forwards a socket. There
// the directory must exist, without the socket of an earlier run:
//
//	ssh -R /tmp/batch/machines:/tmp/batch/machines m2 batch machine -dir /tmp/batch -name m2 -cores 8
//
// # Jobs
//
// A job is a line with its name, the second of its submission (by default the previous job's), and a time limit for each of its
// tasks. Its stages follow: the number of tasks, what each task needs, the stages to wait for, and a command:
//
//	job count-17 1.5 program count user ann limit 10m
//	stage split 1: split -n l/4 input part.
//	stage count 4 cores 2 memory 1GB after split: wc -w part.$(printf %02d $TASK)
//
// Names of jobs are unique in a -dir. The policy predicts runtimes by user and program, by default the name. Memory is counted
// and not enforced. Each task is a process, sh -c COMMAND, in the directory in which its machine was started. It finds JOB, STAGE,
// TASK and COPY in its environment, and must exit with status 0. Its output is in out/JOB.STAGE.TASK of the machine's -dir.
// A stage may say that its tasks can be saved, and how long they take to reload:
//
//	stage train 1 saves 2s: exec ./train --checkpoint $JOB.$TASK
//
// A policy such as index-preempt may then stop a task for a shorter one, and a machine that ends stops its tasks. All processes
// of the task get SIGTERM, the shell too: hence the exec. If the task exits with status 0 within 10 s, it has written a
// checkpoint, and its next copy must continue from there, on any machine: SAVED in its environment is the number of seconds
// of saved work, 0 for a new start. Otherwise it is killed, and continues from the checkpoint before, which it must not spoil. A
// task that is done when the signal comes runs once more.
//
// # What it promises
//
// Scheduler and machines may be killed at any moment and started again. Tasks continue without a scheduler. Each task is done
// once: it is started again only if it failed, up to -attempts times, or if its machine died; then it may have done some or all
// of its work before. A machine that has no scheduler for its -patience kills its tasks. When a machine dies, all processes of
// its tasks die. Changed flags and files are reported on stderr, and used from then on.
//
// # What it leaves out
//
// Gangs and devices, which the engine supports, and copies that race each other, since commands report no progress. Whoever may
// write to -dir may do anything.
//
// It needs Linux. It exits with status 1 if a job is not done, and with 2 if a flag or the file of jobs is wrong.
package main

import (
	"context"
	"flag"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/processes"
)

func main() {
	processes.Watchdog()
	cli.Main("batch", run)
}

type options struct {
	dir, policy, jobs         string
	machines, cores, attempts int
	memory                    amount
	patience                  time.Duration
	name                      string
	once                      bool
	given                     map[string]bool
	files                     []string // or names of jobs
	flags                     *flag.FlagSet
	stdout, stderr            io.Writer
}

// A verb is one of batch's commands.
type verb struct {
	about string
	flags string // that it has, besides -dir
	files bool   // it takes arguments
	do    func(context.Context, *options) error
}

var verbs = map[string]verb{
	"": {"Batch runs the jobs of a file under a policy, on machines that are processes of its own. After a kill, start it again\n" +
		"with the same -dir. For a scheduler that stays: batch serve, machine, submit, list, wait and cancel, each with -help.\n",
		"jobs policy attempts patience machines cores memory", false, once},
	"serve":   {"Serve runs a scheduler until it is interrupted.\n", "policy attempts patience", false, serve},
	"machine": {"Machine runs tasks for the scheduler of -dir.\n", "name cores memory patience once", false, beMachine},
	"submit":  {"Submit submits the jobs of files (- is standard input), each at its second.\n", "", true, submit},
	"list":    {"List shows the machines, and the named jobs or those that have not ended.\n", "", true, list},
	"wait":    {"Wait waits until the named jobs, or all, have ended.\n", "", true, wait},
	"cancel":  {"Cancel cancels the named jobs.\n", "", true, cancel},
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	v, ok := verbs[name]
	if !ok {
		return cli.Usagef("%q is no command, want flags or one of %s", name, strings.Join(slices.Sorted(maps.Keys(verbs))[1:], " "))
	}
	o := &options{stdout: stdout, stderr: stderr}
	all, fs := flag.NewFlagSet("", flag.ContinueOnError), flag.NewFlagSet(strings.TrimSpace("batch "+name), flag.ContinueOnError)
	o.flags = fs
	all.StringVar(&o.dir, "dir", "", "`directory` of the scheduler, with its journal and sockets; made if it does not exist")
	all.StringVar(&o.jobs, "jobs", "", "`file` of jobs; a few small ones if empty")
	all.StringVar(&o.policy, "policy", "index", "`policy`: a name or spec of parts as compare -list has them")
	all.IntVar(&o.machines, "machines", 2, "how many machines, 1 to 1000")
	all.IntVar(&o.cores, "cores", 2, "cores of each machine")
	all.Var(&o.memory, "memory", "memory of each machine, such as 16GB (default no limit)")
	all.IntVar(&o.attempts, "attempts", 3, "how often a task may fail before its job does")
	patience := time.Minute
	if name == "machine" {
		patience = earlier(patience)
	}
	all.DurationVar(&o.patience, "patience", patience, "how long a machine may be without its scheduler; then the scheduler starts its tasks elsewhere, and the machine has already killed them: its own patience is shorter")
	all.StringVar(&o.name, "name", "", "`name` of the machine, unique among the machines of a scheduler")
	all.BoolVar(&o.once, "once", false, "end after -patience without a scheduler, instead of waiting for the next one")
	all.VisitAll(func(f *flag.Flag) {
		if f.Name == "dir" || slices.Contains(strings.Fields(v.flags), f.Name) {
			fs.Var(f.Value, f.Name, f.Usage)
			fs.Lookup(f.Name).DefValue = f.DefValue
		}
	})
	var err error
	if v.files {
		o.given, o.files, err = cli.ParseFiles(fs, args, stdout, v.about)
	} else {
		o.given, err = cli.Parse(fs, args, stdout, v.about)
	}
	switch {
	case err != nil:
		return err
	case o.dir == "":
		return cli.Usagef("-dir is empty, want the directory of the scheduler")
	case o.machines < 1 || o.machines > 1000:
		return cli.Usagef("-machines is %d, want 1 to 1000", o.machines)
	case o.cores < 1 || o.cores > 100_000:
		return cli.Usagef("-cores is %d, want 1 to 100,000", o.cores)
	case o.attempts < 1:
		return cli.Usagef("-attempts is %d, want at least 1", o.attempts)
	case o.patience < time.Second:
		return cli.Usagef("-patience is %v, want at least 1s", o.patience)
	}
	return v.do(ctx, o)
}

// earlier is the patience of the machines of a scheduler.
func earlier(patience time.Duration) time.Duration { return patience * 3 / 4 }

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
