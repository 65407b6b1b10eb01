package plan

import (
	"bufio"
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
	"strings"
	"time"
)

// CBC solves with cbc, the branch and cut program of COIN-OR, which must be installed (the Debian package is
// coinor-cbc). It is written for version 2.10. It passes the problem as MPS in a temporary directory, which it
// removes.
//
// An iteration is a node of cbc's tree. Solve checks the answer as [Problem.Value] does. It returns an error if the
// answer is no choice, or is not worth what cbc says. cbc may exceed a capacity by a ten millionth of a node or so; a
// choice that needs that, up to a millionth, is cut to what fits, and not proved. A proof holds to the tolerances of
// cbc, which does not look for improvements below some 10^-5.
//
// If ctx has a deadline, cbc is told to stop when nine tenths of the remaining time are over, and writes what it has.
// It ignores this limit while it solves its first linear program, which takes seconds for 10^4 options. When ctx ends
// cbc is killed. The Solution is SolveConfig.Start if cbc has nothing better, so pass that of [Greedy]. The Bound is
// that of cbc's log, or +Inf if there is none.
type CBC struct {
	// Path is the program, as exec.LookPath takes it. "" means cbc.
	Path string
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
	f := flatten(p)
	kept, _ := f.keep(o.Start)
	start := f.solution(kept)
	if len(f.live) == 0 {
		start.Bound, start.Proved = 0, true
		return start, nil
	}
	dir, err := os.MkdirTemp("", "augur-plan-")
	if err != nil {
		return Solution{}, fmt.Errorf("plan: CBC: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // what is left there does no harm
	if err := p.writeFiles(dir, start.Choice); err != nil {
		return Solution{}, fmt.Errorf("plan: CBC: %w", err)
	}

	var log bytes.Buffer
	cmd := exec.CommandContext(ctx, path, cbcArgs(ctx, o, start.Objective > 0)...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = &log, &log
	// After this cbc is killed, and what is left of its output not waited for.
	cmd.WaitDelay = 100 * time.Millisecond
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

// orStart returns the better of cbc's solution and the start.
func (s Solution) orStart(start Solution) Solution {
	if start.Objective > s.Objective {
		if s.Proved && start.Objective > s.Objective+1e-5*(1+s.Objective) {
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

// cbcArgs returns cbc's arguments, in the order in which cbc runs them.
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

// writeFiles writes the problem and, as cbc writes solutions, a choice.
func (p *Problem) writeFiles(dir string, choice []int) error {
	f, err := os.Create(filepath.Join(dir, cbcProblem))
	if err != nil {
		return err
	}
	if err := errors.Join(p.WriteMPS(f), f.Close()); err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("Stopped - objective value 0\n") // which is not read
	for j, o := range choice {
		if o != None {
			fmt.Fprintf(&b, "%d x%d_%d 1 0\n", j, j, o)
		}
	}
	return os.WriteFile(filepath.Join(dir, cbcStart), b.Bytes(), 0o600)
}

// tail returns the end of a log, for an error.
func tail(log []byte) string {
	log = bytes.TrimSpace(log)
	return string(log[max(0, len(log)-300):])
}

// readCBC reads a solution file of cbc, and checks it.
func (p *Problem) readCBC(name string, log []byte) (Solution, error) {
	f, err := os.Open(name)
	if err != nil {
		return Solution{}, fmt.Errorf("%w: %s", err, tail(log))
	}
	defer func() { _ = f.Close() }()
	return p.parseCBC(f, cbcBound(log))
}

// parseCBC reads a solution as cbc writes it. The first line is its status and minus its objective;
// each that follows has the number of a column, its name, its value and its utility, if the value
// is not 0.
func (p *Problem) parseCBC(r io.Reader, bound float64) (Solution, error) {
	lines := bufio.NewScanner(r)
	if !lines.Scan() {
		return Solution{}, errors.Join(errors.New("the solution is empty"), lines.Err())
	}
	status, number, ok := strings.Cut(lines.Text(), " - objective value ")
	told, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil {
		return Solution{}, fmt.Errorf("status %q, want one with an objective value", lines.Text())
	}
	f := flatten(p)
	nothing := f.solution(f.nothing())
	nothing.Bound = max(bound, 0) // which can always be had
	proved := strings.HasPrefix(status, "Optimal")
	switch {
	case strings.Contains(status, "no integer solution"):
		return nothing, nil // the values are those of the linear program
	case !proved && !strings.HasPrefix(status, "Stopped"):
		// To choose nothing is always allowed, and utilities are finite.
		return Solution{}, fmt.Errorf("status %q, want Optimal or Stopped", status)
	}
	choice := nothing.Choice
	for lines.Scan() {
		if err := p.readColumn(lines.Text(), choice); err != nil {
			return Solution{}, err
		}
	}
	if err := lines.Err(); err != nil {
		return Solution{}, err
	}
	s := Solution{Choice: choice}
	for j, o := range choice {
		if o != None {
			s.Objective += p.Jobs[j].Options[o].Utility
		}
	}
	if !(math.Abs(s.Objective+told) <= 1e-5*(1+s.Objective)) {
		return Solution{}, fmt.Errorf("the objective is said to be %v, and that of the columns is %v", -told, s.Objective)
	}
	s.Bound = max(bound, s.Objective)
	if proved {
		s.Bound, s.Proved = s.Objective, true
	}
	if _, err := p.Value(choice); err != nil {
		for i := range f.limit {
			taken := 0.0
			for j, o := range choice {
				if o != None {
					taken += p.at(j, o, i/f.slots, i%f.slots)
				}
			}
			if taken > f.limit[i]+1e-6 {
				return Solution{}, fmt.Errorf("an answer that is wrong: %w", err)
			}
		}
		kept, _ := f.keep(choice)
		bound := s.Bound
		s = f.solution(kept)
		s.Bound = bound
	}
	return s, nil
}

// readColumn sets in a choice what a line says.
func (p *Problem) readColumn(line string, choice []int) error {
	f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "**")) // stars: it is out of its bounds, a little
	if len(f) != 4 {
		return fmt.Errorf("line %q of the solution, want number, name, value and utility", line)
	}
	value, err := strconv.ParseFloat(f[2], 64)
	if err != nil || !(math.Abs(value) <= 1e-5 || math.Abs(value-1) <= 1e-5) {
		return fmt.Errorf("column %s is %s, want 0 or 1", f[1], f[2])
	}
	job, option, _ := strings.Cut(strings.TrimPrefix(f[1], "x"), "_")
	j, err1 := strconv.Atoi(job)
	o, err2 := strconv.Atoi(option)
	if err1 != nil || err2 != nil || j < 0 || j >= len(choice) || o < 0 || o >= len(p.Jobs[j].Options) ||
		!(p.Jobs[j].Options[o].Utility > 0) {
		return fmt.Errorf("the solution has column %q, which the problem does not have", f[1])
	}
	if value < 0.5 {
		return nil
	}
	if choice[j] != None {
		return fmt.Errorf("job %d has options %d and %d, want one at most", j, choice[j], o)
	}
	choice[j] = o
	return nil
}

// cbcBound returns the last bound of a log, +Inf if there is none. The log has six digits; the result allows for
// their rounding.
func cbcBound(log []byte) float64 {
	_, rest, ok := bytes.Cut(log, []byte("\nLower bound:"))
	if !ok {
		return math.Inf(1)
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	x, err := strconv.ParseFloat(string(bytes.TrimSpace(line)), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return math.Inf(1)
	}
	return -x + 5e-6*math.Abs(x)
}
