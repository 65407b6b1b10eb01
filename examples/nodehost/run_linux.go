package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/kairos"
)

// options are the flags.
type options struct {
	cores    int
	quantum  time.Duration
	scale    float64
	deaf     bool
	commands string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "burn" {
		return burn(args[1:])
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer stop()
	context.AfterFunc(ctx, stop)
	o := options{cores: 2}
	fs := flag.NewFlagSet("nodehost", flag.ContinueOnError)
	fs.Func("cores", "`number` of processes that run at a time (default 2)", cli.Whole(&o.cores, 1, 1024))
	fs.DurationVar(&o.quantum, "quantum", 250*time.Millisecond, "time slice of processes of equal service")
	fs.Float64Var(&o.scale, "scale", 1, "factor on the processor time of its own children, and on the gaps between them")
	fs.BoolVar(&o.deaf, "deaf", false, "let its own children ignore all signals that they can")
	fs.StringVar(&o.commands, "commands", "", "run the commands of `FILE`: a second and a command a line")
	switch _, err := cli.Parse(fs, args, stdout, "Nodehost runs processes by least attained service, and first come, first served. Flags:"); {
	case err != nil:
		return err
	case !(o.scale > 0 && o.scale <= 1000):
		return cli.Usagef("-scale is %v, want a number above 0, up to 1000", o.scale)
	}
	jobs, err := o.jobs()
	if err != nil {
		return cli.Usage(err)
	}
	// All tasks share the machine from the start.
	node, err := catalog.New("fifo@kairos", catalog.Setting{Kairos: kairos.Config{Node: kairos.NodeConfig{Quantum: o.quantum}, Queue: kairos.MaxQueue}})
	if err != nil {
		return cli.Usage(err)
	}

	var outcomes []outcome
	var failed error
	for _, way := range []struct {
		name   string
		policy policy.Scheduler
	}{{"fifo", baseline.NewFIFO()}, {"kairos", node}} {
		done, err := runJobs(ctx, jobs, o.cores, way.policy, display(stderr, way.name, o.cores))
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		outcomes = append(outcomes, outcome{way.name, done})
		for i, t := range done {
			if t.err != nil {
				failed = errors.Join(failed, fmt.Errorf("%s: job %d: %w", way.name, i+1, t.err))
			}
		}
	}
	return errors.Join(writeTable(stdout, outcomes), failed)
}

// A job is a process to be run.
type job struct {
	kind string // short or long; its program, if it was given
	at   time.Duration
	args []string
}

// jobs returns what is to be run, in the order in which it comes.
func (o *options) jobs() ([]job, error) {
	if o.commands != "" {
		return readCommands(o.commands)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	scaled := func(seconds float64) time.Duration { return time.Duration(seconds * o.scale * 1e9) }
	own := func(kind string, at, need float64) job {
		args := []string{self, "burn", scaled(need).String()}
		if o.deaf {
			args = append(args, "deaf")
		}
		return job{kind, scaled(at), args}
	}
	var jobs []job
	for i := range 16 { // two long ones for each core, as many short ones as make them late
		if i%4 == 0 {
			jobs = append(jobs, own("long", 0.5*float64(i), 3))
		}
		jobs = append(jobs, own("short", 0.5*float64(i)+0.25, 0.2))
	}
	return jobs, nil
}

// readCommands reads lines of a second and a command.
func readCommands(name string) (jobs []job, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for line := 1; s.Scan(); line++ {
		fields := strings.Fields(s.Text())
		if len(fields) == 0 {
			continue
		}
		at, err := strconv.ParseFloat(fields[0], 64)
		switch {
		case err != nil || !(at >= 0 && at <= 1e6):
			return nil, fmt.Errorf("%s:%d: the second is %q, want a number of 0 to 1e6", name, line, fields[0])
		case len(fields) == 1:
			return nil, fmt.Errorf("%s:%d: no command after the second", name, line)
		}
		j := job{fields[1], time.Duration(at * 1e9), fields[1:]}
		if n := len(jobs); n > 0 && j.at < jobs[n-1].at {
			return nil, fmt.Errorf("%s:%d: second %s is before that of the line before it", name, line, fields[0])
		}
		jobs = append(jobs, j)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("%s: no commands", name)
	}
	return jobs, nil
}
