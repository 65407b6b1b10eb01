package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fakePrefix is what the name begins with under which the program of this test is called in the place of cbc;
// what follows says what it does.
const fakePrefix = "fake-cbc-"

func TestMain(m *testing.M) {
	if do, ok := strings.CutPrefix(filepath.Base(os.Args[0]), fakePrefix); ok {
		os.Exit(fake(do))
	}
	os.Exit(testMain(m))
}

// testMain runs all tests, and sees to it that they leave no temporary files.
func testMain(m *testing.M) int {
	if _, err := exec.LookPath("cbc"); err == nil {
		solvers["CBC"] = CBC{}
	}
	temp, err := os.MkdirTemp("", "augur-plan-test-")
	if err == nil {
		defer func() { _ = os.RemoveAll(temp) }()
		err = os.Setenv("TMPDIR", temp)
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	code := m.Run()
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		fmt.Printf("%d temporary files are left, %v\n", len(left), err)
		code = max(code, 1)
	}
	return code
}

func fake(do string) int {
	switch do {
	case "fail":
		fmt.Println("it has failed")
		return 3
	case "nothing":
	case "sleep":
		fmt.Print("x\nLower bound:  -77\n")
		time.Sleep(time.Minute)
	case "answer":
		if err := os.WriteFile(cbcSolution, []byte("Stopped on time - objective value -5\n  3 x0_0  1 -5\n"), 0o600); err != nil {
			return 1
		}
		fmt.Print("Result\n\nLower bound:                    -8.5\nGap: 1\n")
	case "garbage":
		if err := os.WriteFile(cbcSolution, []byte("Infeasible - objective value 0\n"), 0o600); err != nil {
			return 1
		}
	}
	return 0
}

// pair has two jobs that exclude each other, of 5 and 3.
func pair() *Problem {
	return &Problem{Capacity: [][]float64{{4}}, Jobs: []Job{
		{Profiles: [][]float64{{1}}, Places: []Place{at(3, 0), nil}, Options: []Option{{Utility: 5}, {Utility: 0, Place: 1}}},
		{Profiles: [][]float64{{1}}, Places: []Place{at(2, 0)}, Options: []Option{{Utility: 3}, {Utility: 2}}},
	}}
}

// With another program in its place: what it does wrong is an error, unless ctx is the reason.
func TestCBCWithFake(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		do        string
		timeout   time.Duration
		objective float64
		bound     float64
		err       string
	}{
		{do: "fail", err: "it has failed"},
		{do: "nothing", err: cbcSolution},
		{do: "garbage", err: "Infeasible"},
		{do: "answer", objective: 5, bound: 8.5},
		{do: "sleep", timeout: time.Second, objective: 3, bound: 77},
	} {
		t.Run(c.do, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), fakePrefix+c.do)
			if err := os.Symlink(self, path); err != nil {
				t.Skip(err)
			}
			ctx, cancel := t.Context(), func() {}
			if c.timeout > 0 {
				ctx, cancel = context.WithTimeout(ctx, c.timeout)
			}
			began := time.Now()
			s, err := CBC{Path: path}.Solve(ctx, pair(), SolveConfig{Start: []int{None, 0}})
			cancel()
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("it took %v", took)
			}
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want one with %q", err, c.err)
				}
				return
			}
			if err == nil {
				err = judge(pair(), s)
			}
			if err != nil || s.Objective != c.objective || !(s.Bound >= c.bound && (s.Bound <= c.bound*1.001)) || s.Proved {
				t.Errorf("%+v, %v, want %v and bound %v", s, err, c.objective, c.bound)
			}
		})
	}
}

func TestCBCNotInstalled(t *testing.T) {
	_, err := CBC{Path: filepath.Join(t.TempDir(), "cbc")}.Solve(t.Context(), pair(), SolveConfig{})
	if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("no such program: %v", err)
	}
}

func TestParseCBC(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name, text string
		objective  float64
		proved     bool
		err        string
	}{
		{"optimal", "Optimal - objective value -5.00000000\n   2 x0_0   1   -5\n", 5, true, ""},
		{"nearly whole", "Stopped on nodes - objective value -5\n 2 x0_0 0.999999 -5\n** 3 x1_0 1e-7 -3\n", 5, false, ""},
		{"nothing is best", "Optimal - objective value 0\n", 0, true, ""},
		{"linear program only", "Stopped on time (no integer solution - continuous used) - objective value -6.5\n 1 x0_0 0.5 -5\n", 0, false, ""},
		{"empty", "", 0, false, "empty"},
		{"no status", "hello\n", 0, false, `status "hello"`},
		{"no number", "Optimal - objective value many\n", 0, false, "many"},
		{"no number, but one of none", "Optimal - objective value NaN\n   2 x0_0   1   -5\n", 0, false, "said to be NaN"},
		{"infeasible", "Infeasible - objective value 0\n", 0, false, `status "Infeasible"`},
		{"fraction", "Optimal - objective value -5\n 1 x0_0 0.5 -5\n", 0, false, "column x0_0 is 0.5"},
		{"not a number", "Optimal - objective value -5\n 1 x0_0 nan -5\n", 0, false, "column x0_0 is nan"},
		{"two", "Optimal - objective value -5\n 1 x0_0 2 -5\n", 0, false, "column x0_0 is 2"},
		{"no such job", "Optimal - objective value -5\n 1 x2_0 1 -5\n", 0, false, `"x2_0"`},
		{"no such option", "Optimal - objective value -5\n 1 x1_2 1 -5\n", 0, false, `"x1_2"`},
		{"option without a column", "Optimal - objective value 0\n 1 x0_1 1 0\n", 0, false, `"x0_1"`},
		{"another name", "Optimal - objective value -5\n 1 y 1 -5\n", 0, false, `"y"`},
		{"cut off", "Optimal - objective value -5\n 1 x0_0\n", 0, false, "line"},
		{"two options of a job", "Optimal - objective value -5\n 1 x1_0 1 -3\n 2 x1_1 1 -2\n", 0, false, "job 1 has options 0 and 1"},
		{"another objective", "Optimal - objective value -6\n 1 x0_0 1 -5\n", 0, false, "said to be 6"},
		{"too much", "Optimal - objective value -8\n 1 x0_0 1 -5\n 2 x1_0 1 -3\n", 0, false, "pool 0 has 4 nodes"},
	} {
		s, err := pair().parseCBC(strings.NewReader(c.text), inf)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want one with %q", c.name, err, c.err)
			}
		} else if err != nil || s.Objective != c.objective || s.Proved != c.proved || judge(pair(), s) != nil {
			t.Errorf("%s: %+v, %v, want %v, proved %v", c.name, s, err, c.objective, c.proved)
		}
	}
	// Over capacity by less than cbc minds: what does not fit is left out, and nothing proved.
	p := pair()
	p.Capacity[0][0] = 5 - 1e-7
	s, err := p.parseCBC(strings.NewReader("Optimal - objective value -8\n 1 x0_0 1 -5\n 2 x1_0 1 -3\n"), inf)
	if err != nil || s.Objective != 5 || s.Proved || !(s.Bound >= 8) || judge(p, s) != nil {
		t.Errorf("a little too much: %+v, %v", s, err)
	}
}
