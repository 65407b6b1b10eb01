package plan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// CBC solves with cbc, the branch and cut program of COIN-OR, which must be installed (the package
// of Debian is coinor-cbc). It is written for version 2.10. The problem goes to it as MPS in a
// temporary directory, which is removed.
//
// An iteration is a node of its tree. Its answer is checked as [Problem.Value] does, and an error
// if it is not a choice, or is worth something else than cbc says. cbc lets a capacity be exceeded
// by a ten millionth of a node or so; a choice that needs that, up to a millionth, is cut to what
// fits, and not proved. What is proved is proved to the tolerances of cbc, which does not look for
// what is better by less than some 10^-5.
//
// If ctx has a deadline, cbc is told to stop when nine tenths of the time left are over, and writes
// what it has; it does not look at its limit while it solves its first linear program, which takes seconds for
// 10^4 options. When ctx ends it is interrupted or killed, see Grace. The Solution is SolveConfig.Start
// if cbc has nothing better, so give it that of [Greedy]. The Bound is that of its log, or +Inf if
// it did not come to one.
type CBC struct {
	// Path is the program, as exec.LookPath takes it. "" means cbc.
	Path string
	// Grace is how much longer than ctx cbc may take to write down what it has. 0 or less: none, it is
	// killed. It is of no use on Windows, where a program cannot be interrupted.
	Grace time.Duration
}

var _ Solver = CBC{}

// Names of files in the temporary directory.
const (
	cbcProblem  = "problem.mps"
	cbcStart    = "start.txt"
	cbcSolution = "solution.txt"
)

// Solve implements [Solver].
func (c CBC) Solve(ctx context.Context, p *Problem, o SolveConfig) (Solution, error) {
	if err := p.validate(o); err != nil {
		return Solution{}, err
	}
	path, err := c.look()
	if err != nil {
		return Solution{}, err
	}
	start := p.solution(newUse(p).keep(o.Start))
	if !p.anyUseful() {
		start.Bound, start.Proved = 0, true
		return start, nil
	}
	dir, err := os.MkdirTemp("", "augur-plan-")
	if err != nil {
		return Solution{}, fmt.Errorf("plan: CBC: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // what is left there does no harm
	switch err := p.writeFiles(ctx, dir, start.Choice); {
	case ctx.Err() != nil:
		return start, nil
	case err != nil:
		return Solution{}, fmt.Errorf("plan: CBC: %w", err)
	}

	var log bytes.Buffer
	cmd := exec.CommandContext(ctx, path, cbcArgs(ctx, o, start.Objective > 0)...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = &log, &log
	// After this cbc is killed, and what is left of its output not waited for.
	cmd.WaitDelay = max(c.Grace, 100*time.Millisecond)
	if c.Grace > 0 {
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	}
	err = cmd.Run()
	if cmd.ProcessState == nil || !cmd.ProcessState.Success() {
		if ctx.Err() != nil {
			start.Bound = cbcBound(log.Bytes())
			start.Bound = max(start.Bound, start.Objective)
			return start, nil // the solution may be half written
		}
		return Solution{}, fmt.Errorf("plan: CBC: %w: %s", err, tail(log.Bytes()))
	}
	s, err := p.readCBC(filepath.Join(dir, cbcSolution), log.Bytes())
	if err != nil {
		return Solution{}, fmt.Errorf("plan: CBC: %w", err)
	}
	return s.orStart(start), nil
}

// look returns the absolute path of cbc.
func (c CBC) look() (string, error) {
	path := c.Path
	if path == "" {
		path = "cbc"
	}
	path, err := exec.LookPath(path)
	if err == nil {
		path, err = filepath.Abs(path) // since it runs in another directory
	}
	if err != nil {
		return "", fmt.Errorf("plan: CBC: %w", err)
	}
	return path, nil
}

// orStart returns the better one of what cbc has found and where it began.
func (s Solution) orStart(start Solution) Solution {
	if start.Objective > s.Objective {
		if s.Proved && start.Objective > s.Objective+float64(1e-5*(1+s.Objective)) {
			s.Bound = math.Inf(1) // what it says is wrong
		}
		s.Choice, s.Objective, s.Proved = start.Choice, start.Objective, s.Proved && !math.IsInf(s.Bound, 1)
	}
	s.Bound = max(s.Bound, s.Objective)
	if s.Proved {
		s.Bound = s.Objective
	}
	return s
}

func (p *Problem) anyUseful() bool {
	for j := range p.Jobs {
		if p.useful(j) {
			return true
		}
	}
	return false
}

// cbcArgs returns what is to be done, in the order in which cbc does it.
func cbcArgs(ctx context.Context, o SolveConfig, start bool) []string {
	args := []string{cbcProblem}
	if start {
		// With the default, sos, cbc 2.10.8 ends with an illegal index of a column if there is a
		// start.
		args = append(args, "-mipstart", cbcStart, "-preprocess", "on")
	}
	if o.Iterations > 0 {
		args = append(args, "-maxNodes", strconv.Itoa(min(o.Iterations, math.MaxInt32)))
	}
	if o.Seed != 0 {
		args = append(args, "-randomCbcSeed", strconv.FormatUint(o.Seed%math.MaxInt32, 10))
	}
	if end, ok := ctx.Deadline(); ok {
		left := max(0.001, 0.9*time.Until(end).Seconds())
		args = append(args, "-timeMode", "elapsed", "-seconds", strconv.FormatFloat(left, 'f', 3, 64))
	}
	return append(args, "-solve", "-solution", cbcSolution)
}

// writeFiles writes the problem and, as cbc writes solutions, a choice. It fails when ctx ends.
func (p *Problem) writeFiles(ctx context.Context, dir string, choice []int) error {
	if err := writeFile(ctx, filepath.Join(dir, cbcProblem), p.WriteMPS); err != nil {
		return err
	}
	return writeFile(ctx, filepath.Join(dir, cbcStart), func(w io.Writer) error {
		var b bytes.Buffer
		b.WriteString("Stopped - objective value 0\n") // which is not read
		for j, o := range choice {
			if o != None {
				fmt.Fprintf(&b, "%d x%d_%d 1 0\n", j, j, o)
			}
		}
		_, err := w.Write(b.Bytes())
		return err
	})
}

func writeFile(ctx context.Context, name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(ending{ctx, f}), f.Close())
}

// An ending is a Writer until ctx ends.
type ending struct {
	ctx context.Context
	w   io.Writer
}

func (e ending) Write(b []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.w.Write(b)
}

// tail returns the end of a log, for an error.
func tail(log []byte) string {
	log = bytes.TrimSpace(log)
	return string(log[max(0, len(log)-300):])
}
