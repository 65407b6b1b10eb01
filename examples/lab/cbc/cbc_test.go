package cbc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy/threesigma/plan"
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
	temp, err := os.MkdirTemp("", "augur-cbc-test-")
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
		if err := os.WriteFile(solutionFile, []byte("Stopped on time - objective value -5\n  3 x0_0  1 -5\n"), 0o600); err != nil {
			return 1
		}
		fmt.Print("Result\n\nLower bound:                    -8.5\nGap: 1\n")
	case "garbage":
		if err := os.WriteFile(solutionFile, []byte("Infeasible - objective value 0\n"), 0o600); err != nil {
			return 1
		}
	}
	return 0
}

// at returns the place that takes nodes of pool 0.
func at(nodes float64) plan.Place { return plan.Place{{Nodes: nodes}} }

// pair has two jobs that exclude each other, of 5 and 3.
func pair() *plan.Problem {
	return &plan.Problem{Capacity: [][]float64{{4}}, Jobs: []plan.Job{
		{Profiles: [][]float64{{1}}, Places: []plan.Place{at(3), nil}, Options: []plan.Option{{Utility: 5}, {Utility: 0, Place: 1}}},
		{Profiles: [][]float64{{1}}, Places: []plan.Place{at(2)}, Options: []plan.Option{{Utility: 3}, {Utility: 2}}},
	}}
}

// judge returns what is wrong with a solution, whatever its quality.
func judge(p *plan.Problem, s plan.Solution) error {
	v, err := p.Value(s.Choice)
	switch {
	case err != nil:
		return err
	case v != s.Objective:
		return fmt.Errorf("objective %v, and the choice is worth %v", s.Objective, v)
	case !(s.Bound >= s.Objective):
		return fmt.Errorf("bound %v below objective %v", s.Bound, s.Objective)
	case s.Proved && s.Bound != s.Objective:
		return fmt.Errorf("proved, and the bound %v is not the objective %v", s.Bound, s.Objective)
	}
	return nil
}

// installed skips a test where there is no cbc.
func installed(t *testing.T) {
	if _, err := exec.LookPath("cbc"); err != nil {
		t.Skip(err)
	}
}

// drawn returns a problem of a few jobs, with ties and exact fits, that plan.Search proves at once.
func drawn(rng *rand.Rand) *plan.Problem {
	slots := 1 + rng.IntN(4)
	p := &plan.Problem{Jobs: make([]plan.Job, 4+rng.IntN(6))}
	for range 2 {
		row := make([]float64, slots)
		for t := range row {
			row[t] = float64(2+rng.IntN(7)) * []float64{1, rng.Float64()}[rng.IntN(2)]
		}
		p.Capacity = append(p.Capacity, row)
	}
	for j := range p.Jobs {
		job := &p.Jobs[j]
		job.Profiles = [][]float64{{1, 0.5, 0.25}, {1, rng.Float64()}}
		for range 2 {
			job.Places = append(job.Places, plan.Place{{Pool: 0, Nodes: float64(1 + rng.IntN(4))}, {Pool: 1, Nodes: 4 * rng.Float64()}}[rng.IntN(2):])
		}
		for range 4 {
			job.Options = append(job.Options, plan.Option{
				Utility: float64(rng.IntN(12)-2) + []float64{0, rng.Float64()}[rng.IntN(2)],
				Place:   rng.Int32N(2), Start: rng.Int32N(int32(slots)), Profile: rng.Int32N(2),
			})
		}
	}
	return p
}

// cbc finds what plan.Search proves to be best, and proves it too.
func TestAgainstSearch(t *testing.T) {
	t.Parallel()
	installed(t)
	better := 0
	for seed := range uint64(30) {
		p := drawn(rand.New(rand.NewPCG(seed, 8)))
		want, err := plan.Search{}.Solve(t.Context(), p, plan.SolveConfig{Seed: seed})
		if err != nil || !want.Proved {
			t.Fatal(want, err)
		}
		greedy, err := plan.Greedy{}.Solve(t.Context(), p, plan.SolveConfig{})
		if err != nil {
			t.Fatal(err)
		}
		if greedy.Objective < want.Objective-1e-9 {
			better++
		}
		s, err := Solver{}.Solve(t.Context(), p, plan.SolveConfig{Seed: seed})
		if err == nil {
			err = judge(p, s)
		}
		if err != nil || !s.Proved || math.Abs(s.Objective-want.Objective) > 2e-5 {
			t.Fatalf("seed %d: %v, bound %v, proved %v, error %v, want %v", seed, s.Objective, s.Bound, s.Proved, err, want.Objective)
		}
	}
	if better < 3 {
		t.Errorf("Greedy misses %d: the problems are too easy", better)
	}
}

// The greatest nodes and utilities that a problem may have are not too great for cbc.
func TestEdges(t *testing.T) {
	t.Parallel()
	installed(t)
	one := func(nodes, utility float64) plan.Job {
		return plan.Job{Profiles: [][]float64{{1}}, Places: []plan.Place{at(nodes)}, Options: []plan.Option{{Utility: utility}}}
	}
	for _, c := range []struct {
		name     string
		capacity float64
		jobs     []plan.Job
		want     float64
	}{
		{"nothing", 0, nil, 0},
		{"fits nowhere", 3, []plan.Job{one(4, 9), one(3, 1)}, 1},
		{"the most nodes", plan.MaxNodes, []plan.Job{one(plan.MaxNodes, 1), one(plan.MaxNodes, 2)}, 2},
		{"the greatest utilities", 2, []plan.Job{
			one(1, plan.MaxUtility/4), one(1, plan.MaxUtility), one(1, 1), one(1, plan.MaxUtility/2),
		}, 1.5 * plan.MaxUtility},
	} {
		p := &plan.Problem{Capacity: [][]float64{{c.capacity}}, Jobs: c.jobs}
		s, err := Solver{}.Solve(t.Context(), p, plan.SolveConfig{})
		if err == nil {
			err = judge(p, s)
		}
		if err != nil || s.Objective != c.want {
			t.Errorf("%s: %v, %v, want %v", c.name, s.Objective, err, c.want)
		}
	}
	p := pair()
	p.Jobs[0].Places[0][0].Pool = 1
	if s, err := (Solver{}).Solve(t.Context(), p, plan.SolveConfig{}); err == nil || s.Choice != nil {
		t.Errorf("an invalid problem: %v, %v", s, err)
	}
}

// With another program in its place: what it does wrong is an error, unless ctx is the reason.
func TestWithFake(t *testing.T) {
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
		{do: "nothing", err: solutionFile},
		{do: "garbage", err: "Infeasible"},
		{do: "answer", objective: 5, bound: 8.5},
		{do: "sleep", timeout: time.Second, objective: 5, bound: 77},
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
			s, err := Solver{Path: path}.Solve(ctx, pair(), plan.SolveConfig{})
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

func TestNotInstalled(t *testing.T) {
	_, err := Solver{Path: filepath.Join(t.TempDir(), "cbc")}.Solve(t.Context(), pair(), plan.SolveConfig{})
	if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("no such program: %v", err)
	}
}

func TestParse(t *testing.T) {
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
		s, err := parse(t.Context(), pair(), strings.NewReader(c.text), inf)
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
	s, err := parse(t.Context(), p, strings.NewReader("Optimal - objective value -8\n 1 x0_0 1 -5\n 2 x1_0 1 -3\n"), inf)
	if err != nil || s.Objective != 5 || s.Proved || !(s.Bound >= 8) || judge(p, s) != nil {
		t.Errorf("a little too much: %+v, %v", s, err)
	}
}

// FuzzParse lets a text be the answer of cbc: it is refused, or a choice that fits.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"Optimal - objective value -5.00000000\n   2 x0_0   1   -5\n",
		"Stopped on nodes - objective value -5\n 2 x0_0 0.999999 -5\n** 3 x1_0 1e-7 -3\n",
		"Stopped on time (no integer solution - continuous used) - objective value -6.5\n 1 x0_0 0.5 -5\n",
		"Optimal - objective value NaN\n 1 x1_1 1 -2\n", "Infeasible - objective value 0\n",
	} {
		f.Add(text, "Result\n\nLower bound:                    -8.5\nGap: 1\n")
	}
	f.Add("Stopped on time - objective value -5\n 3 x0_0 1 -5\n", "\nLower bound: Inf\n")
	f.Fuzz(func(t *testing.T, text, log string) {
		s, err := parse(t.Context(), pair(), strings.NewReader(text), lastBound([]byte(log)))
		if err != nil {
			return
		}
		if err := judge(pair(), s); err != nil {
			t.Fatal(err)
		}
	})
}
