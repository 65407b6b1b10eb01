package plan

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
)

// readCBC reads the file of a solution that cbc has written, and judges it.
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
	nothing := p.solution(newUse(p).keep(nil))
	nothing.Bound = max(bound, nothing.Objective) // which can always be had
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
	s := p.solution(choice)
	if !(math.Abs(s.Objective+told) <= 1e-5*(1+s.Objective)) {
		return Solution{}, fmt.Errorf("the objective is said to be %v, and that of the columns is %v", -told, s.Objective)
	}
	s.Bound = max(bound, s.Objective)
	if proved {
		s.Bound, s.Proved = s.Objective, true
	}
	if _, err := p.Value(choice); err != nil {
		u := newUse(p)
		u.set(choice)
		for i, x := range u.taken {
			if x > u.limit[i]+1e-6 {
				return Solution{}, fmt.Errorf("an answer that is wrong: %w", err)
			}
		}
		s.Choice, s.Proved = u.keep(choice), false
		s.Objective = p.solution(s.Choice).Objective
	}
	return s, nil
}

// readColumn notes in a choice what a line says.
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
		return fmt.Errorf("the solution has column %q, which the problem has not", f[1])
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

// cbcBound returns the bound that a log ends with, and +Inf if there is none. It is written with
// six digits; what rounding may have taken away is added.
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
	return -x + float64(5e-6*math.Abs(x))
}
