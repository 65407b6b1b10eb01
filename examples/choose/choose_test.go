package choose

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// What the advice promises.
func TestPromises(t *testing.T) {
	t.Run("of jobs whose history tells their runtimes, an order by history is better than FIFO", adviceByHistory)
	t.Run("the least mean wins, and of equal ones the first", bestOfCandidates)
	t.Run("jobs after the part that is measured change nothing", laterJobs)
	t.Run("of jobs that can be saved, the advice says what saving is worth, and what to do without", adviceOfSaving)
	t.Run("few jobs are described, and the rule alone advises", fewJobs)
	t.Run("a job that the cluster cannot hold is left out and counted", tooLargeIsLeftOut)
	t.Run("each rule adds its policy, and each policy can be made", candidatesRun)
	t.Run("the means are those of the windows of a run", measureNaive)
}

// programs returns jobs of four programs, whose runtimes are ten times apart, at a load of about 0.9 of one core.
func programs(n int) []*workload.Job {
	return drawn(n, func(r *rand.Rand, program int) float64 {
		return 0.033 * math.Pow(10, float64(program)) * (0.95 + 0.1*r.Float64())
	})
}

func advise(t *testing.T, c Config) *Advice {
	t.Helper()
	a, err := Advise(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Runtimes that history predicts: who goes by history is measurably better than FIFO, the same twice, and in 40 lines.
func adviceByHistory(t *testing.T) {
	c := Config{Jobs: programs(2000), Nodes: nodes(1, 1)}
	a := advise(t, c)
	if a.Best != "index" && a.Best != "sjf" || a.Windows != 10 || a.Size != 83 || a.Traits.Jobs != 1000 || a.Given != 2000 {
		t.Errorf("%+v, want one by history, by 10 windows of 83 of the first 1000 jobs of 2000", a)
	}
	if m := a.Measured[0]; m.Name != "index" || !(m.ToFIFO.High < 1) || !m.Equal() || m.P99 != (experiment.Interval{}) {
		t.Errorf("%+v, want the index to be better than FIFO, and no P99 of 83 jobs", m)
	}
	if diff := cmp.Diff(a, advise(t, c), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("the advice changes: %s", diff)
	}
	var text bytes.Buffer
	if err := a.Write(&text); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), "\n"); n > 40 || !strings.Contains(text.String(), "with a mean completion time 0.") || !strings.Contains(text.String(), "no P99") {
		t.Errorf("%d lines, want at most 40, by how much it is better, and that there is no P99:\n%s", n, &text)
	}
}

// The means are those of the windows of a run of FIFO, found by looking at each job.
func measureNaive(t *testing.T) {
	jobs := programs(640)
	c := Config{Jobs: jobs, Nodes: nodes(1, 1), From: 0.25, To: 0.75, Windows: 4}
	a := advise(t, c)
	const size = 320 / 6
	if a.Before != 160 || a.Traits.Jobs != 320 || a.Size != size {
		t.Fatalf("%+v, want windows of %d of the 320 jobs after 160", a, size)
	}
	result := runtest.Run(t, sim.Config{Nodes: c.Nodes}, jobs[:480], baseline.NewFIFO())
	means := make([]float64, 4)
	for _, r := range result.Jobs { // job number n is submitted as the n-th
		if w := (int(r.ID) - 1 - 160) / size; int(r.ID) > 160 && 1 <= w && w <= 4 {
			means[w-1] += r.JCT().Seconds() / size
		}
	}
	i := slices.IndexFunc(a.Measured, func(m Measured) bool { return m.Name == "fifo" })
	if got, want := a.Measured[i].JCT, experiment.MeanWithin(means, 0, math.Inf(1)); !cmp.Equal(got, want, cmpopts.EquateApprox(1e-9, 0)) {
		t.Errorf("FIFO takes %v, want %v", got, want)
	}
}

func laterJobs(t *testing.T) {
	jobs := programs(1000)
	want := advise(t, Config{Jobs: jobs, Nodes: nodes(1, 1)})
	for _, j := range jobs[500:] {
		j.Attrs, j.Runtimes[0][0] = nil, 1000*s
	}
	butLoad := cmpopts.IgnoreFields(Advice{}, "Load") // which is of all jobs
	if diff := cmp.Diff(want, advise(t, Config{Jobs: jobs, Nodes: nodes(1, 1)}), butLoad); diff != "" {
		t.Errorf("other later jobs change the advice: %s", diff)
	}
	cut := advise(t, Config{Jobs: jobs, Nodes: nodes(1, 1), To: 1, Most: 500})
	if diff := cmp.Diff(want, cut, butLoad); diff != "" {
		t.Errorf("500 jobs at most, of all: %s", diff)
	}
}

func bestOfCandidates(t *testing.T) {
	srpt := func(truth policy.Truth) (policy.Scheduler, error) { return baseline.NewSRPT(truth) }
	for name, test := range map[string]struct {
		candidates []Candidate
		want       string
		equal      []bool // with that
	}{
		"the same":      {[]Candidate{{Name: "a", New: fifo}, {Name: "b", New: fifo}}, "a", []bool{true, true, true}},
		"second better": {[]Candidate{{Name: "a", New: fifo}, {Name: "b", New: srpt}}, "b", []bool{false, true, false}},
		"first better":  {[]Candidate{{Name: "a", New: srpt}, {Name: "b", New: fifo}}, "a", []bool{true, false, false}},
		"FIFO is there": {[]Candidate{{Name: "fifo", New: fifo}, {Name: "b", New: srpt}}, "b", []bool{false, true}},
	} {
		a := advise(t, Config{Jobs: programs(1000), Nodes: nodes(1, 1), Candidates: test.candidates})
		var equal []bool
		for i := range a.Measured {
			equal = append(equal, a.Measured[i].Equal())
		}
		if a.Best != test.want || !slices.Equal(equal, test.equal) {
			t.Errorf("%s: %s is advised, as good are %v; want %s, %v", name, a.Best, equal, test.want, test.equal)
		}
	}
}

func candidatesRun(t *testing.T) {
	jobs := jobtest.Generate(t, 400)
	for name, test := range map[string]struct {
		change func(*Traits)
		has    string
	}{
		"copies":         {func(t *Traits) { t.Lucky = 1 }, "index+grass"},
		"pilots":         {func(t *Traits) { t.Many, t.CV, t.Rank = 0.6, 2, 0.1 }, "gs/pilots"},
		"fair":           {func(t *Traits) { t.Many, t.CV, t.Bags, t.Rank = 0.2, 2, 0, 0.8 }, "fair"},
		"sjf":            {func(t *Traits) { t.WithinTwo, t.Rank, t.Multicore = 0.6, 0.6, 0.5 }, "sjf-easy"},
		"saving":         {func(t *Traits) { t.Saves = 0.5 }, "index-preempt"},
		"saving some":    {func(t *Traits) { t.Saves = 0.1 }, "index-preempt"},
		"in place":       {func(t *Traits) { t.Bags, t.CV, t.Many = 1, 2, 0.4 }, "index@adaptive"},
		"suspending":     {func(t *Traits) { t.Bags, t.CV = 1, 2 }, "kairos-adaptive"},
		"EASY, requests": {func(t *Traits) { t.Multicore, t.Requested = 0.5, 0.5 }, "fifo-easy"},
		"requests":       {func(t *Traits) { t.Multicore, t.Requested = 0.5, 0.5 }, "index-easy/requested"},
		"EASY, none":     {func(t *Traits) { t.Multicore, t.Requested = 0.5, 0.4 }, "fifo-easy/beliefs"},
	} {
		traits := describe(t, jobs, nodes(8, 4))
		test.change(&traits)
		list := append(Candidates(&traits), traits.baselines()...)
		i := slices.IndexFunc(list, func(c Candidate) bool { return c.Name == test.has })
		if i < 0 || len(Candidates(&traits)) > 8 {
			t.Errorf("%s: %v, want %s among at most 7", name, list, test.has)
			continue
		}
		if a := advise(t, Config{Jobs: jobs, Nodes: nodes(8, 4), To: 1, Candidates: list[i : i+1]}); a.Measured[0].JCT.Mean <= 0 {
			t.Errorf("%s: %+v, want a mean above 0", name, a.Measured[0])
		}
	}
}

// A long job of a hundred holds up the others on one core. Where it is saved for them it is what they gain, less if saving takes long.
func adviceOfSaving(t *testing.T) {
	jobs := drawn(1000, func(r *rand.Rand, _ int) float64 { return 1 + 600*float64(r.IntN(100)/99) })
	for _, j := range jobs {
		j.Attrs, j.Stages[0].Saves, j.Stages[0].Reload = nil, true, s
	}
	c := Config{Jobs: jobs, Nodes: nodes(1, 1)}
	a := advise(t, c)
	if m := a.Measured[0]; a.Best != "index-preempt" || m.Name != a.Best || !(m.ToFIFO.High < 0.5) {
		t.Errorf("%s is advised, the first is %+v, want index-preempt, with half of FIFO's mean", a.Best, m)
	}
	var text bytes.Buffer
	if err := a.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"saving: 100 % of the jobs", "\n  if jobs cannot be saved: index", "how long they reload"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("want %q in\n%s", want, &text)
		}
	}
	c.SaveCost = 20 * s
	if slow := advise(t, c).Measured[0]; slow.Name != "index-preempt" || !(slow.JCT.Mean > a.Measured[0].JCT.Mean) {
		t.Errorf("if saving takes 20 s: %+v, want a mean above %v", slow, a.Measured[0].JCT.Mean)
	}
}

func fewJobs(t *testing.T) {
	a := advise(t, Config{Jobs: programs(300), Nodes: nodes(1, 1)})
	if a.Windows != 0 || a.Best != Candidates(&a.Traits)[0].Name {
		t.Errorf("%+v, want the rule's first and no windows", a)
	}
	var text bytes.Buffer
	if err := a.Write(&text); err != nil || !strings.Contains(text.String(), "the part has 150, want 240. By rule alone") || strings.Contains(text.String(), "NaN") {
		t.Errorf("error %v, text\n%s", err, &text)
	}
	if a := advise(t, Config{Jobs: programs(300), Nodes: nodes(1, 1), Candidates: []Candidate{{Name: "a", New: fifo}}}); a.Best != "" {
		t.Errorf("%s is advised of one that was named, want none", a.Best)
	}
}

func TestRefused(t *testing.T) {
	good := func() Config { return Config{Jobs: programs(100), Nodes: nodes(1, 1)} }
	for want, change := range map[string]func(*Config){
		"Config.From is -0.1":                         func(c *Config) { c.From = -0.1 },
		"Config.From is 0.5, want a share":            func(c *Config) { c.From = 0.5 },
		"Config.From is NaN":                          func(c *Config) { c.From = math.NaN() },
		"Config.To is 1.5":                            func(c *Config) { c.To = 1.5 },
		"Config.To is NaN":                            func(c *Config) { c.To = math.NaN() },
		"Config.Windows is 1,":                        func(c *Config) { c.Windows = 1 },
		"Config.Windows is -3":                        func(c *Config) { c.Windows = -3 },
		"Config.Most is -1":                           func(c *Config) { c.Most = -1 },
		"after 40 jobs, and it ends":                  func(c *Config) { c.From, c.Most = 0.4, 30 },
		"Config.Candidates[0], a, has no New":         func(c *Config) { c.Candidates = []Candidate{{Name: "a"}} },
		"Config.Candidates is empty":                  func(c *Config) { c.Candidates = []Candidate{} },
		"there are no nodes":                          func(c *Config) { c.Nodes = nil },
		"node 1 has 0 cores":                          func(c *Config) { c.Nodes[0].Cores = 0 },
		"0 jobs are submitted at one instant":         func(c *Config) { c.Jobs = nil },
		"1 jobs are submitted at one instant":         func(c *Config) { c.Jobs = c.Jobs[:2] },
		"number 3 of the jobs: workload: a job is ni": func(c *Config) { c.Jobs[2] = nil },
		"job 8 is submitted before job 9":             func(c *Config) { c.Jobs[7], c.Jobs[8] = c.Jobs[8], c.Jobs[7] },
		"task 0 runs for -1s":                         func(c *Config) { c.Jobs[5].Runtimes[0][0] = -time.Second },
	} {
		c := good()
		change(&c)
		if _, err := Advise(t.Context(), c); err == nil || !strings.HasPrefix(err.Error(), "choose: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	c := good()
	c.Jobs = programs(1000)
	c.Candidates = []Candidate{{Name: "broken", New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewSRPT(nil) }}}
	if _, err := Advise(t.Context(), c); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("error %v, want one that names the policy", err)
	}
}

func tooLargeIsLeftOut(t *testing.T) {
	jobs := programs(100)
	wide := *jobs[3]
	wide.Stages, wide.Runtimes = []policy.Stage{{Tasks: 2, Cores: 1, Gang: true}}, [][]policy.Duration{{s, s}}
	jobs[3] = &wide
	a, err := Advise(t.Context(), Config{Jobs: jobs, Nodes: nodes(1, 1), To: 1})
	if err != nil || a.TooLarge != 1 || a.Given != 99 || a.Traits.Jobs != 99 {
		t.Errorf("advice %+v, error %v, want 99 jobs and one that is too large", a, err)
	}
}

// What a trace is like, without running a policy.
func BenchmarkDescribe(b *testing.B) {
	generator := workload.DefaultHeavyTail()
	source, err := generator.Source()
	if err != nil {
		b.Fatal(err)
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		b.Fatal(err)
	}
	nodes := nodes(23, 4)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Describe(jobs, nodes); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(jobs))/b.Elapsed().Seconds(), "jobs/s")
}
