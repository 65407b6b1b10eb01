package provenance_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
)

// randomJobs makes jobs of a few templates and dependencies between them, on a coarse grid of time
// so that there are ties, and thresholds are met exactly.
func randomJobs(rng *rand.Rand) (*provenance.Log, []provenance.Dependency) {
	l := new(provenance.Log)
	for i := range 1 + rng.IntN(5) {
		l.Templates.Number(fmt.Sprint("t", i))
		regular, shift, gap := rng.IntN(2) == 0, rng.IntN(3), 1+rng.IntN(8)
		wild := provenance.State(1 + rng.IntN(2)*rng.IntN(3))
		for k := range rng.IntN(16) {
			at := shift + k*gap
			if !regular {
				at = rng.IntN(44) - 2
			}
			j := provenance.Job{Template: uint32(i), User: uint32(rng.IntN(2)), Org: uint32(rng.IntN(2)), Submitted: provenance.Time(at), Priority: float64(rng.IntN(3)), State: wild, Compute: 1}
			if rng.IntN(12) == 0 {
				j.State = provenance.State(rng.IntN(4))
			}
			j.Completed = j.Submitted + provenance.Time(rng.IntN(4))
			if j.State == provenance.Running {
				j.Completed = 0
			}
			l.Jobs = append(l.Jobs, j)
		}
	}
	follows := rng.IntN(3) == 0
	if follows { // a template that polls
		l.Templates.Number("follows")
		for _, j := range l.Jobs {
			if j.Template == 0 {
				at := j.Completed + provenance.Time(rng.IntN(2))
				l.Jobs = append(l.Jobs, provenance.Job{Template: uint32(l.Templates.Len() - 1), Submitted: at, Completed: at + 1, State: provenance.Complete, Compute: 1})
			}
		}
	}
	for i := range 2 {
		l.Users.Number(fmt.Sprint("u", i))
		l.Orgs.Number(fmt.Sprint("o", i))
	}
	var deps []provenance.Dependency
	far := 1 + rng.IntN(6)
	share := rng.IntN(3)
	for from := range l.Jobs {
		for to := range l.Jobs {
			a, b := l.Jobs[from], l.Jobs[to]
			if follows && int(b.Template) == l.Templates.Len()-1 {
				if a.Template == 0 && a.Submitted < b.Submitted && a.Completed <= b.Submitted && a.Completed+1 >= b.Submitted {
					deps = append(deps, provenance.Dependency{From: uint32(from), To: uint32(to), Files: 1, Reads: 1, First: b.Submitted})
				}
				continue
			}
			if gap := b.Submitted - a.Submitted; gap > 0 && gap <= provenance.Time(far) && (a.Template != b.Template || rng.IntN(4) == 0) && rng.IntN(3) >= share {
				deps = append(deps, provenance.Dependency{From: uint32(from), To: uint32(to), Files: 1, Reads: 1, First: b.Submitted + provenance.Time(rng.IntN(2))})
			}
		}
	}
	return l, deps
}

// naiveClasses follows Table 1 word by word, for the given thresholds.
func naiveClasses(l *provenance.Log, deps []provenance.Dependency, c provenance.ClassConfig) *provenance.Classes {
	inside := func(j provenance.Job) bool { return c.Start <= j.Submitted && j.Submitted < c.End }
	jobsOf := func(template uint32) (jobs []int) {
		for i, j := range l.Jobs {
			if j.Template == template && inside(j) {
				jobs = append(jobs, i)
			}
		}
		return jobs
	}
	out := &provenance.Classes{Templates: make([]provenance.Traits, l.Templates.Len()), Dependencies: make([]provenance.Traits, len(deps))}
	for template := range out.Templates {
		jobs := jobsOf(uint32(template))
		recurring := false
		for begin := c.Start; begin+provenance.Time(c.Months)*provenance.Time(c.Month) <= c.End; begin += provenance.Time(c.Month) {
			total, each := 0, true
			for m := range c.Months {
				from := begin + provenance.Time(m)*provenance.Time(c.Month)
				n := 0
				for _, i := range jobs {
					if s := l.Jobs[i].Submitted; from <= s && s < from+provenance.Time(c.Month) {
						n++
					}
				}
				total += n
				each = each && n > 0
			}
			recurring = recurring || each && total >= c.Submissions
		}
		if !recurring {
			continue
		}
		out.Templates[template] = provenance.Recurring
		var at []float64
		for _, i := range jobs {
			at = append(at, float64(l.Jobs[i].Submitted))
		}
		slices.Sort(at)
		if n := float64(len(at) - 1); n >= 2 {
			mean, variance := (at[len(at)-1]-at[0])/n, 0.0
			for i := 1; i < len(at); i++ {
				variance += math.Pow(at[i]-at[i-1]-mean, 2) / n
			}
			if math.Sqrt(variance) <= c.MaxCV*mean*(1+1e-12) {
				out.Templates[template] |= provenance.Periodic
				continue
			}
		}
		polls := true
		for _, i := range jobs {
			last, n := provenance.Time(math.MinInt64), 0
			for _, d := range deps {
				if int(d.To) == i {
					n++
					last = max(last, l.Jobs[d.From].Completed)
					polls = polls && l.Jobs[d.From].State != provenance.Running
				}
			}
			wait := l.Jobs[i].Submitted - last
			polls = polls && n > 0 && l.Jobs[i].State != provenance.NoInput && wait >= 0 && wait <= provenance.Time(c.Poll)
		}
		if polls {
			out.Templates[template] |= provenance.Polling
		}
	}
	for i, d := range deps {
		up, down := l.Jobs[d.From].Template, l.Jobs[d.To].Template
		if out.Templates[down].Has(provenance.Polling) {
			out.Dependencies[i] |= provenance.Polling
		}
		if !out.Templates[up].Has(provenance.Recurring) || !out.Templates[down].Has(provenance.Recurring) {
			out.Dependencies[i] |= provenance.Hard
			continue
		}
		out.Dependencies[i] |= provenance.Recurring
		ones, counted, numbers := 0, 0, map[int]bool{}
		for _, job := range jobsOf(down) {
			if s := l.Jobs[job].State; s == provenance.Running || s == provenance.NoInput {
				continue
			}
			n := 0
			for _, e := range deps {
				if int(e.To) == job && l.Jobs[e.From].Template == up {
					n++
				}
			}
			counted++
			numbers[n] = true
			if n == 1 {
				ones++
			}
		}
		if counted > 0 && (float64(ones)/float64(counted) > c.HardShare || len(numbers) == 1 && !numbers[0]) {
			out.Dependencies[i] |= provenance.Hard
		}
	}
	return out
}

func classifyAgreesWithTheNaiveOne(t *testing.T) {
	seen := map[string]int{}
	for seed := range seeds(3000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		l, deps := randomJobs(rng)
		c := provenance.ClassConfig{Start: provenance.Time(rng.IntN(3)), End: 40, Month: 10, Months: 1 + rng.IntN(3), Submissions: 1 + rng.IntN(6),
			MaxCV: 0.01 + 0.5*rng.Float64(), Poll: time.Duration(1 + rng.IntN(5)), HardShare: 0.75}
		want := naiveClasses(l, deps, c)
		got, err := provenance.Classify(l, deps, c)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: -want +got:\n%s", seed, diff)
		}
		for _, traits := range slices.Concat(got.Templates, got.Dependencies) {
			seen[traits.String()]++
		}
	}
	for _, traits := range []string{"ad hoc", "recurring", "recurring periodic", "recurring polling", "ad hoc hard", "recurring hard", "recurring polling hard"} {
		if seen[traits] < 50 && !testing.Short() {
			t.Errorf("the generator is poor: %d %s", seen[traits], traits)
		}
	}
}

// Each case is a template whose jobs are submitted at the given days of 90 and end an hour later; the
// jobs of up are submitted daily, at hours that differ so much that it is not periodic.
func table1(t *testing.T) {
	const d, h, m = provenance.Time(24 * time.Hour), provenance.Time(time.Hour), provenance.Time(time.Minute)
	days := func(n int, at func(i int) provenance.Time) (times []provenance.Time) {
		for i := range n {
			times = append(times, at(i))
		}
		return times
	}
	daily := days(90, func(i int) provenance.Time { return provenance.Time(i)*d + provenance.Time(i*7%11)*h })
	upon := days(90, func(i int) provenance.Time { return daily[i] + h + provenance.Time(i%15)*m })
	first := func(i int, two bool) []int {
		if two {
			return []int{i, i - 1}
		}
		return []int{i}
	}
	for _, test := range []struct {
		name           string
		times          []provenance.Time
		reads          func(i int) (jobs []int) // of the jobs of up
		template, deps string
	}{
		{"each month", []provenance.Time{0, 30 * d, 60 * d}, nil, "recurring periodic", ""},
		{"each month, at its end", []provenance.Time{29 * d, 30 * d, 89 * d}, nil, "recurring", ""},
		{"twice only", []provenance.Time{0, 89 * d}, nil, "ad hoc", ""},
		{"not in the second month", []provenance.Time{0, 29 * d, 60 * d, 70 * d}, nil, "ad hoc", ""},
		{"by the clock, give or take", days(90, func(i int) provenance.Time { return provenance.Time(i)*d + provenance.Time(i*7%11)*h/10 }), nil, "recurring periodic", ""},
		{"now and then", daily, nil, "recurring", ""},
		{"polls what is periodic", days(90, func(i int) provenance.Time { return provenance.Time(i)*d + 13*h + provenance.Time(i%15)*m }), nil, "recurring periodic", ""},
		{"polls", upon, func(i int) []int { return []int{i} }, "recurring polling", "recurring polling hard"},
		{"polls, once too late", slices.Concat(upon[:89], []provenance.Time{upon[89] + 16*m}), func(i int) []int { return []int{i} }, "recurring", "recurring hard"},
		{"polls, once without", upon, func(i int) []int { return []int{i}[min(i/89, 1):] }, "recurring", "recurring hard"},
		{"always two", upon[1:], func(i int) []int { return []int{i, i + 1} }, "recurring polling", "recurring polling hard"},
		{"always two, but for the first", upon, func(i int) []int { return []int{i, i - 1}[:1+min(i, 1)] }, "recurring polling", "recurring polling"},
		{"one of 30 reads two", upon, func(i int) []int { return first(i, (i+1)%30 == 0) }, "recurring polling", "recurring polling hard"},
		{"one of 10 reads two", upon, func(i int) []int { return first(i, (i+1)%10 == 0) }, "recurring polling", "recurring polling"},
		{"ad hoc", upon[:1], func(i int) []int { return []int{i} }, "ad hoc", "ad hoc hard"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := new(provenance.Log)
			var deps []provenance.Dependency
			l.Templates.Number("up")
			l.Templates.Number("down")
			for _, at := range daily {
				l.Jobs = append(l.Jobs, provenance.Job{Template: 0, Submitted: at, Completed: at + h, State: provenance.Complete})
			}
			for i, at := range test.times {
				l.Jobs = append(l.Jobs, provenance.Job{Template: 1, Submitted: at, Completed: at + h, State: provenance.Complete})
				if test.reads != nil {
					for _, up := range test.reads(i) {
						deps = append(deps, provenance.Dependency{From: uint32(up), To: uint32(90 + i)})
					}
				}
			}
			got, err := provenance.Classify(l, deps, provenance.ClassConfig{End: 90 * d})
			if err != nil {
				t.Fatal(err)
			}
			if up := got.Templates[0].String(); up != "recurring" {
				t.Errorf("up is %s", up)
			}
			if down := got.Templates[1].String(); down != test.template {
				t.Errorf("template: got %s, want %s", down, test.template)
			}
			for i, d := range got.Dependencies {
				if d.String() != test.deps {
					t.Fatalf("dependency %d: got %s, want %s", i, d, test.deps)
				}
			}
		})
	}
}

func TestClassifyRefuses(t *testing.T) {
	const d = provenance.Time(24 * time.Hour)
	l := new(provenance.Log)
	l.Templates.Number("t")
	l.Jobs = []provenance.Job{{}, {Submitted: 1}}
	good := provenance.ClassConfig{End: 90 * d}
	for _, test := range []struct {
		option string
		change func(c *provenance.ClassConfig)
	}{
		{"2 months of 720h0m0s, want at least 3", func(c *provenance.ClassConfig) { c.End-- }},
		{"End is -1", func(c *provenance.ClassConfig) { c.End = -1 }},
		{"Month is", func(c *provenance.ClassConfig) { c.Month = -1 }},
		{"Months is", func(c *provenance.ClassConfig) { c.Months = -1 }},
		{"Submissions is", func(c *provenance.ClassConfig) { c.Submissions = -1 }},
		{"MaxCV is", func(c *provenance.ClassConfig) { c.MaxCV = math.NaN() }},
		{"Poll is", func(c *provenance.ClassConfig) { c.Poll = -1 }},
		{"HardShare is", func(c *provenance.ClassConfig) { c.HardShare = 1 }},
	} {
		c := good
		test.change(&c)
		if _, err := provenance.Classify(l, nil, c); err == nil || !strings.Contains(err.Error(), test.option) {
			t.Errorf("got error %v, want one with %q", err, test.option)
		}
	}
	if _, err := provenance.Classify(l, []provenance.Dependency{{From: 0, To: 2}}, good); err == nil {
		t.Error("a dependency on no job: got no error")
	}
	if _, err := provenance.Classify(l, []provenance.Dependency{{From: 0, To: 1}}, good); err != nil {
		t.Error(err)
	}
	l.Jobs[1].Template = 1
	if _, err := provenance.Classify(l, nil, good); err == nil {
		t.Error("a template without a name: got no error")
	}
}
