// Package choose describes a workload and advises a policy for it.
//
// [Advise] describes a part of the jobs, by default the first half. Rules pick a few policies that may suit these jobs.
// Advise runs them and FIFO on that part, and advises the policy with the least ratio of mean completion time to FIFO's: the
// geometric mean over windows of these jobs, not the ratio of the means of all. The advice compares the policies, with
// 95 % intervals, and says how to make the advised one and what to set:
//
//	advice, err := choose.Advise(ctx, choose.Config{Jobs: jobs, Nodes: nodes})
//	...
//	err = advice.Write(os.Stdout)
//
// [Describe] only describes jobs, and [Candidates] only applies the rules.
//
// # Rules
//
// The rules list policies to try, the most promising first. They use the names of examples/compare: the index is package
// gittins, sjf is shortest predicted job first, and gs/pilots is SLearn.
//
//   - If history predicts runtimes ([Traits.Predictable]): the index with history, sjf, and the index without history.
//   - Otherwise, if nine tenths of the jobs ask for the same and their work is new better than used in expectation
//     (NBUE): FIFO, and the index without history. NBUE means that a job that has run has no more work left, on
//     average, than a new job has in all; FIFO then is the Gittins policy. [Traits.Residual] tests it on the given
//     jobs.
//   - Otherwise: the index without history, and the index with history, which accounts for the errors of its predictions.
//   - If a copy of a task may run for another time than the task: before these, the index with copies by GRASS.
//   - If a hundredth of the work or more is in gangs, in tasks of several cores or in tasks that need named resources,
//     and not all jobs ask for the same: EASY backfilling is added to the index and to sjf. FIFO with EASY is run for
//     comparison. It uses requested times if half of the jobs have one, otherwise history. In the first case the
//     index by requested times is tried too.
//   - If half of the jobs or more can be saved and continue later: index-preempt, before all these. If fewer can: after them.
//   - If all tasks take one core, and the coefficient of variation of the jobs' work is above 1: kairos-adaptive, for
//     nodes that can suspend tasks. If less than half of the work is in stages of at least 10 tasks, index@adaptive too,
//     the index on the same nodes: tasks never move to another node, so jobs of many tasks wait for their slowest.
//   - If half of the work is in stages of at least 10 tasks, and history does not predict runtimes: gs/pilots.
//   - If a tenth of the work is in such stages, and the coefficient of variation is above 1: fair, whose mean
//     completion time depends little on how the work varies.
//   - If these are fewer than three: sjf.
//
// # When not to use it
//
// The advice is about the mean completion time. If deadlines or values matter more, see packages threesigma and wing,
// whose policies are not tried. The advice holds for jobs like those of the part. The intervals are too narrow where a
// backlog lasts longer than a window, since neighbouring windows are then alike. The rules come from theory, and none
// of their constants was fitted; docs/advise.md checks the advice on real traces.
//
// # Cost
//
// Describe takes some 20 µs for a job of one task, and more in proportion to its tasks. Advise spends most of its time
// on the runs: one for each policy, of up to 9, with at most [Config.Most] jobs.
//
// # Source
//
//   - S. Aalto, U. Ayesta and R. Righter, "On the Gittins index in the M/G/1 queue", Queueing Systems 63, 2009: FIFO
//     for work that is NBUE, and LAS for decreasing hazard rates, as special cases of the index.
//   - L. Kleinrock, "Queueing systems", volume 2, 1976: processor sharing has a smaller mean than FIFO if the
//     coefficient of variation is above 1.
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma: distribution-based cluster
//     scheduling for runtime uncertainty", technical report CMU-PDL-17-107, 2017, section 2.1: the share of predictions within a factor of two.
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for cluster job
//     scheduling", NSDI 2022: a job's first tasks predict the others.
//   - A. Law and W. Kelton, "Simulation modeling and analysis", 2000, section 9.5.3: batch means, the windows of one
//     run as samples.
//
// How the rules are put together is this library's own.
package choose

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Config describes a workload, and the part of it to advise on. Jobs and Nodes are required.
type Config struct {
	Jobs  []*workload.Job // in order of submission; jobs that do not fit in the empty cluster are left out
	Nodes []policy.Node   // their IDs are 1, 2, 3 and so on: see sim.Cluster
	// From and To are where the part begins and ends, as shares of the jobs, 0 ≤ From < To ≤ 1; To 0 means 0.5. Jobs
	// before the part run too, but do not count. Jobs after it do not run. To check an advice on the other half, name
	// its policies in Candidates and set From to 0.5 and To to 1.
	From, To float64
	// SaveCost is as in sim.Config, for policies that save tasks.
	SaveCost policy.Duration
	// Windows is the number of windows, of equally many jobs each, in which policies are compared, 2 to 1,000; 0 means
	// 10.
	Windows int
	// Most is the largest number of jobs that run, > 0; 0 means 50,000. It includes the jobs before the part, and may end
	// the part earlier.
	Most int
	// Candidates are the policies to try, the one expected to be best first. If it is nil, the rules choose them.
	Candidates []Candidate
}

const (
	least    = 20  // jobs of a window, at least: a mean of fewer says nothing
	tailJobs = 100 // jobs of a window with a 99th percentile: with fewer it is the maximum
)

// An Advice describes a workload and says which policy suits it.
type Advice struct {
	Given    int      `json:"jobs_given"`     // without those that were left out
	TooLarge int      `json:"jobs_too_large"` // left out
	Load     float64  `json:"load_given"`     // that all given jobs offer, as Traits.Load is for the part; 0 if it cannot be known
	Before   int      `json:"jobs_before"`    // the part; the part has Traits.Jobs jobs
	Traits   Traits   `json:"traits"`
	Settings Settings `json:"settings"`
	Enough   int      `json:"jobs_enough"` // jobs that the part must have for the candidates to run
	Windows  int      `json:"windows"`     // 0 if it has fewer, and nothing was run
	Size     int      `json:"window_jobs"` // jobs of each window
	// Measured has the candidates in their order, then FIFO and, if [Traits.Fill], FIFO with EASY, unless they are
	// candidates. If Windows is 0, only what a Candidate has is set.
	Measured []Measured `json:"-"`
	// Best names the advised policy: the one with the least ToFIFO.Mean. Ties go to the first. If Windows is 0 it is
	// the first candidate of the rules. It is empty if Windows is 0 and Config.Candidates is set: no rule applies to
	// those.
	Best string `json:"advised"`
}

// Measured has the results of one policy, with 95 % intervals over the windows. Ratios are geometric means of a ratio in
// each window.
type Measured struct {
	Name, Why, Made string   // as in Candidate
	Set             []string // the same

	JCT    experiment.Interval // mean completion time, s
	ToFIFO experiment.Interval // mean completion time over that of FIFO
	P99    experiment.Interval // 99th percentile of completion times over that of FIFO; zero if a window has fewer than 100 jobs
	ToBest experiment.Interval // mean completion time over that of the advised policy
}

// Equal reports whether the policy cannot be told from the advised one: the interval of ToBest contains 1.
func (m *Measured) Equal() bool { return m.ToBest.Low <= 1 && 1 <= m.ToBest.High }

// Advise describes a part of a workload, runs the candidates on it and advises the best one. It cuts the part into
// Config.Windows + 2 windows. The first and the last do not count, since the cluster fills and empties in them. If a
// window would have fewer than 20 jobs, Advise runs nothing, and advises by rule alone. The same Config gives the same
// Advice, on any number of cores. An error names the field, the job or the policy that is wrong.
func Advise(ctx context.Context, c Config) (*Advice, error) {
	to, windows, most := cmp.Or(c.To, 0.5), cmp.Or(c.Windows, 10), cmp.Or(c.Most, 50_000)
	switch {
	case !(to > 0 && to <= 1):
		return nil, fmt.Errorf("choose: Config.To is %v, want a share above 0, at most 1", to)
	case !(c.From >= 0 && c.From < to):
		return nil, fmt.Errorf("choose: Config.From is %v, want a share of at least 0, below %v where the part ends", c.From, to)
	case windows < 2 || windows > 1000:
		return nil, fmt.Errorf("choose: Config.Windows is %d, want 2 to 1000", windows)
	case most < 1:
		return nil, fmt.Errorf("choose: Config.Most is %d, want at least 1", most)
	case c.Candidates != nil && len(c.Candidates) == 0:
		return nil, fmt.Errorf("choose: Config.Candidates is empty, want at least 1, or nil for the rules")
	}
	for i := range c.Candidates {
		if c.Candidates[i].New == nil {
			return nil, fmt.Errorf("choose: Config.Candidates[%d], %s, has no New, want a function that makes a policy", i, c.Candidates[i].Name)
		}
	}
	if err := check(c.Jobs, c.Nodes); err != nil {
		return nil, err
	}
	all := len(c.Jobs)
	c.Jobs = slices.DeleteFunc(slices.Clone(c.Jobs), func(j *workload.Job) bool { return !sim.Holds(c.Nodes, &j.Job) })
	before := saturate.To[int](math.Ceil(c.From * float64(len(c.Jobs))))
	jobs := c.Jobs[:min(most, saturate.To[int](math.Ceil(to*float64(len(c.Jobs)))))]
	if before >= len(jobs) && before > 0 {
		return nil, fmt.Errorf("choose: Config.From begins the part after %d jobs, and it ends after %d, want it to end later; see Config.Most", before, len(jobs))
	}
	t, err := Describe(jobs[before:], c.Nodes)
	if err != nil {
		return nil, err
	}
	candidates := slices.Clone(c.Candidates)
	if candidates == nil {
		candidates = Candidates(&t)
	}
	a := &Advice{Given: len(c.Jobs), TooLarge: all - len(c.Jobs), Before: before, Traits: t, Settings: t.Settings(), Enough: least * (windows + 2)}
	if c.Candidates == nil {
		a.Best = candidates[0].Name
	}
	if offered := workload.Measure(c.Jobs); offered.Span() > 0 {
		a.Load = offered.Load(workload.Capacity(c.Nodes))
	}
	for _, b := range t.baselines() {
		if !slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Name == b.Name }) {
			candidates = append(candidates, b)
		}
	}
	for _, c := range candidates {
		a.Measured = append(a.Measured, Measured{Name: c.Name, Why: c.Why, Made: c.Made, Set: c.Set})
	}
	size := t.Jobs / (windows + 2)
	if size < least {
		return a, nil
	}
	a.Windows, a.Size = windows, size
	return a, a.measure(ctx, sim.Config{Nodes: c.Nodes, SaveCost: c.SaveCost}, jobs, candidates, before+size)
}
