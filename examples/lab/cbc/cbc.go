// Package cbc solves the problems of package plan with cbc, the branch and cut program of COIN-OR, which must be
// installed (the Debian package is coinor-cbc). It is written for version 2.10. 3Sigma passes its problems to an
// external solver too; here one is compared with [plan.Search], or takes its place:
//
//	threesigma.Config{Solver: cbc.Solver{}, Iterations: 1000}
//
// It passes a problem as MPS in a temporary directory, which it removes.
package cbc

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
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/augur/policy/threesigma/plan"
)

// A Solver solves with cbc. The zero Solver runs the cbc of PATH.
//
// An iteration is a node of cbc's tree. Solve checks the answer as [plan.Problem.Value] does. It returns an error if
// the answer is no choice, or is not worth what cbc says. cbc may exceed a capacity by a ten millionth of a node or
// so; of a choice that needs that, up to a millionth, what fits is kept, and nothing is proved. A proof holds to the
// tolerances of cbc, which does not look for improvements below some 10^-5.
//
// cbc begins with what [plan.Greedy] finds, and the Solution is never worse. If ctx has a deadline, cbc is told to stop
// when nine tenths of the remaining time are over, and writes what it has. It ignores this limit while it solves its
// first linear program, which takes seconds for 10^4 options. When ctx ends cbc is killed. The Bound is that of cbc's
// log, or +Inf if there is none.
type Solver struct {
	// Path is the program, as exec.LookPath takes it. "" means cbc.
	Path string
}

var _ plan.Solver = Solver{}

// Names of files in the temporary directory.
const (
	problemFile  = "problem.mps"
	startFile    = "start.txt"
	solutionFile = "solution.txt"
)

// Solve implements [plan.Solver].
func (c Solver) Solve(ctx context.Context, p *plan.Problem, o plan.SolveConfig) (plan.Solution, error) {
	start, err := plan.Greedy{}.Solve(ctx, p, o)
	if err != nil {
		return plan.Solution{}, err
	}
	path, err := c.look()
	if err != nil {
		return plan.Solution{}, fmt.Errorf("cbc: %w", err)
	}
	if start.Proved {
		return start, nil
	}
	s, err := solve(ctx, path, p, o, start)
	if err != nil {
		return plan.Solution{}, fmt.Errorf("cbc: %w", err)
	}
	return better(s, start), nil
}

// solve runs cbc, from a start.
func solve(ctx context.Context, path string, p *plan.Problem, o plan.SolveConfig, start plan.Solution) (plan.Solution, error) {
	dir, err := os.MkdirTemp("", "augur-cbc-")
	if err != nil {
		return plan.Solution{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // what is left there does no harm
	if err := writeFiles(dir, p, start.Choice); err != nil {
		return plan.Solution{}, err
	}
	var log bytes.Buffer
	cmd := exec.CommandContext(ctx, path, args(ctx, o, start.Objective > 0)...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = &log, &log
	// After this cbc is killed, and what is left of its output not waited for.
	cmd.WaitDelay = 100 * time.Millisecond
	err = cmd.Run()
	if cmd.ProcessState == nil || !cmd.ProcessState.Success() {
		if ctx.Err() == nil {
			return plan.Solution{}, fmt.Errorf("%w: %s", err, tail(log.Bytes()))
		}
		start.Bound = lastBound(log.Bytes())
		return start, nil // the solution may be half written
	}
	f, err := os.Open(filepath.Join(dir, solutionFile))
	if err != nil {
		return plan.Solution{}, fmt.Errorf("%w: %s", err, tail(log.Bytes()))
	}
	defer func() { _ = f.Close() }()
	return parse(ctx, p, f, lastBound(log.Bytes()))
}

// look returns the absolute path of cbc.
func (c Solver) look() (string, error) {
	path := c.Path
	if path == "" {
		path = "cbc"
	}
	path, err := exec.LookPath(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path) // since it runs in another directory
}

// better returns the better of cbc's solution and the start.
func better(s, start plan.Solution) plan.Solution {
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

// args returns cbc's arguments, in the order in which cbc runs them.
func args(ctx context.Context, o plan.SolveConfig, start bool) []string {
	args := []string{problemFile}
	if start {
		// With the default, sos, cbc 2.10.8 ends with an illegal index of a column if there is a
		// start.
		args = append(args, "-mipstart", startFile, "-preprocess", "on")
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
	return append(args, "-solve", "-solution", solutionFile)
}

// writeFiles writes the problem and, as cbc writes solutions, a choice.
func writeFiles(dir string, p *plan.Problem, choice []int) error {
	f, err := os.Create(filepath.Join(dir, problemFile))
	if err != nil {
		return err
	}
	if err := errors.Join(writeMPS(p, f), f.Close()); err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("Stopped - objective value 0\n") // which is not read
	for j, o := range choice {
		if o != plan.None {
			fmt.Fprintf(&b, "%d x%d_%d 1 0\n", j, j, o)
		}
	}
	return os.WriteFile(filepath.Join(dir, startFile), b.Bytes(), 0o600)
}

// tail returns the end of a log, for an error.
func tail(log []byte) string {
	log = bytes.TrimSpace(log)
	return string(log[max(0, len(log)-300):])
}

// parse reads a solution as cbc writes it. The first line is its status and minus its objective; each that follows has
// the number of a column, its name, its value and its utility, if the value is not 0.
func parse(ctx context.Context, p *plan.Problem, r io.Reader, bound float64) (plan.Solution, error) {
	lines := bufio.NewScanner(r)
	if !lines.Scan() {
		return plan.Solution{}, errors.Join(errors.New("the solution is empty"), lines.Err())
	}
	status, number, ok := strings.Cut(lines.Text(), " - objective value ")
	told, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil {
		return plan.Solution{}, fmt.Errorf("status %q, want one with an objective value", lines.Text())
	}
	s := plan.Solution{Choice: slices.Repeat([]int{plan.None}, len(p.Jobs)), Bound: max(bound, 0)}
	s.Proved = strings.HasPrefix(status, "Optimal")
	switch {
	case strings.Contains(status, "no integer solution"):
		return s, nil // the values are those of the linear program
	case !s.Proved && !strings.HasPrefix(status, "Stopped"):
		// To choose nothing is always allowed, and utilities are finite.
		return plan.Solution{}, fmt.Errorf("status %q, want Optimal or Stopped", status)
	}
	for lines.Scan() {
		if err := readColumn(p, lines.Text(), s.Choice); err != nil {
			return plan.Solution{}, err
		}
	}
	if err := lines.Err(); err != nil {
		return plan.Solution{}, err
	}
	for j, o := range s.Choice {
		if o != plan.None {
			s.Objective += p.Jobs[j].Options[o].Utility
		}
	}
	if !(math.Abs(s.Objective+told) <= 1e-5*(1+s.Objective)) {
		return plan.Solution{}, fmt.Errorf("the objective is said to be %v, and that of the columns is %v", -told, s.Objective)
	}
	s.Bound = max(bound, s.Objective)
	if s.Proved {
		s.Bound = s.Objective
	}
	_, wrong := p.Value(s.Choice)
	if wrong == nil {
		return s, nil
	}
	if _, err := loose(p).Value(s.Choice); err != nil {
		return plan.Solution{}, fmt.Errorf("an answer that is wrong: %w", wrong)
	}
	cut, err := plan.Greedy{}.Solve(ctx, p, plan.SolveConfig{Start: s.Choice})
	cut.Bound, cut.Proved = max(s.Bound, cut.Objective), false
	return cut, err
}

// loose returns a problem with a millionth of a node more everywhere.
func loose(p *plan.Problem) *plan.Problem {
	more := &plan.Problem{Jobs: p.Jobs}
	for _, row := range p.Capacity {
		row = slices.Clone(row)
		for t := range row {
			row[t] = min(row[t]+1e-6, plan.MaxNodes)
		}
		more.Capacity = append(more.Capacity, row)
	}
	return more
}

// readColumn sets in a choice what a line says.
func readColumn(p *plan.Problem, line string, choice []int) error {
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
	if choice[j] != plan.None {
		return fmt.Errorf("job %d has options %d and %d, want one at most", j, choice[j], o)
	}
	choice[j] = o
	return nil
}

// lastBound returns the last bound of a log, +Inf if there is none. The log has six digits; the result allows for
// their rounding.
func lastBound(log []byte) float64 {
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
