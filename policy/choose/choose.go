// Package choose says what a workload is like, and which policy suits it.
//
// [Advise] describes the first half of some jobs, takes a few policies that may suit them by the rules below, and runs
// these on that half, beside FIFO. It says which one it advises, by how much its mean completion time is better,
// with 95 % intervals, and what to set:
//
//	advice, err := choose.Advise(ctx, choose.Config{Jobs: jobs, Nodes: nodes})
//	...
//	err = advice.Write(os.Stdout)
//
// [Describe] and [Candidates] are its halves, for those who want the numbers or the rules alone.
//
// # Rules
//
// The rules say what is tried, in which order. The names are those of examples/compare.
//
//   - History predicts runtimes ([Traits.Predictable]): the index, with history; then shortest predicted first; then the index
//     without history.
//   - Nothing tells the jobs apart: they ask for the same and their work varies less than if it were exponential. Then FIFO,
//     and the index without history. FIFO is the Gittins policy where the expected remaining work never exceeds that of a
//     new job. Such work varies less than exponential work, though not all work that varies less is such.
//   - Else the index without history, and then with it: its forecast is as wide as its errors.
//   - Copies of tasks differ: the index with copies by GRASS goes before these.
//   - A hundredth of the work or more is in gangs or tasks of several cores: EASY fills the gaps, and FIFO with EASY is run too,
//     by requested times if half of the jobs have one, else by history.
//   - All tasks take one core and the work varies more: kairos-adaptive too, on nodes that can suspend tasks.
//   - Half of the work is in stages of at least 10 tasks, and history does not predict: SLearn's queues by pilots too.
//   - A tenth of it is, and the work varies more: Fair too, whose mean does not depend on how the work varies.
//   - If these are fewer than three: shortest predicted first too.
//
// The one with the least mean completion time is advised, and the advice names those that cannot be told from it.
//
// # When not to use it
//
// The advice is about the mean completion time. If deadlines or values count more, see packages threesigma and wing, which are
// not tried here. It is about the jobs that it sees: if the other half is different, so is the best policy. The
// intervals are narrower than they should be where a backlog lasts longer than a window, since windows are then alike. The
// rules are from theory, and no constant in them was fitted; docs/advise.md shows how the advice came out on real traces.
//
// # Cost
//
// To describe a job takes some 20 µs, and time in proportion to its tasks. The runs take most: one of each policy, of up to 7,
// with [Config.Most] jobs at most, however long the trace.
//
// # Source
//
//   - S. Aalto, U. Ayesta and R. Righter, "On the Gittins index in the M/G/1 queue", Queueing Systems 63, 2009: FIFO, and LAS
//     for heavy tails, as special cases of the index.
//   - L. Kleinrock, "Queueing systems", volume 2, 1976: shares instead of FIFO pay if the coefficient of variation is above 1.
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma: distribution-based cluster
//     scheduling for runtime uncertainty", EuroSys 2018, section 2: predictions within a factor of two.
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for cluster job scheduling",
//     NSDI 2022: jobs of many tasks.
//
// Windows of one run as samples are the method of batch means: A. Law and W. Kelton, "Simulation modeling and analysis", 2000,
// section 9.5.3. How the rules are put together is this library's own.
package choose

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Config describes a workload and how much of it is looked at. Jobs and Nodes are required.
type Config struct {
	Jobs  []*workload.Job // in order of submission
	Nodes []policy.Node   // their IDs are 1, 2, 3 and so on: see sim.Cluster
	// From and To are the shares of the jobs after which the part begins and ends that the advice is made from, 0 ≤ From < To ≤ 1;
	// To 0 means 0.5. What comes before the part runs too, but does not count; what comes after it stays for whoever wants to
	// check the advice: with From 0.5 and To 1, say.
	From, To float64
	// Windows is the number of windows of the part that are compared, 2 to 1,000; 0 means 10.
	Windows int
	// Most is how many jobs are run with each policy at most, > 0; 0 means 50,000. The part ends earlier then.
	Most int
	// Candidates are tried in place of those of the rule, the one that is expected to be best first; nil: those of the rule.
	Candidates []Candidate
}

// least is the least number of jobs of a window: a mean of fewer tells nothing.
const least = 20

// An Advice says what a workload is like, and which policy suits it.
type Advice struct {
	Given    int      `json:"jobs_given"`
	Before   int      `json:"jobs_before"` // the part looked at, of which Traits.Jobs is the number
	Traits   Traits   `json:"traits"`
	Settings Settings `json:"settings"`
	Windows  int      `json:"windows"`     // 0: too few jobs to measure
	Size     int      `json:"window_jobs"` // jobs of each window
	// Measured are the candidates in the order of the rule, then those that they are measured against. Without windows only
	// names and reasons are known.
	Measured []Measured `json:"-"`
	// Best is the policy that is advised: the one with the least ToFIFO.Mean, and of equal ones the first. If nothing was run
	// it is the first candidate.
	Best string `json:"advised"`
}

// Measured is what came out for a policy in the windows. The intervals are of 95 %.
type Measured struct {
	Name, Why string
	JCT       sim.Interval // mean completion time, s
	ToFIFO    sim.Interval // ratio of the mean completion times, window by window, as geometric mean
	P99       sim.Interval // the same of the 99th percentiles
	ToBest    sim.Interval // that of the mean completion times to the policy that is advised
}

// Equal reports whether the mean completion time cannot be told from that of the policy that is advised.
func (m *Measured) Equal() bool { return m.ToBest.Low <= 1 && 1 <= m.ToBest.High }

// Advise describes a part of a workload, takes the candidates of the rule, and runs them on it. The part is cut into two more
// windows than Config.Windows; the first and the last do not count, since the cluster fills and empties. If windows would have
// fewer than 20 jobs nothing is run, and the first candidate is advised. The same Config gives the same Advice, on any number of
// cores. The error names the field, the job or the policy that is wrong.
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
		return nil, fmt.Errorf("choose: Config.Candidates is empty, want at least 1, or nil for those of the rule")
	}
	for i := range c.Candidates {
		if c.Candidates[i].New == nil {
			return nil, fmt.Errorf("choose: Config.Candidates[%d], %s, has no New, want a function that makes a policy", i, c.Candidates[i].Name)
		}
	}
	before := int(math.Ceil(c.From * float64(len(c.Jobs))))
	jobs := c.Jobs[:min(most, int(math.Ceil(to*float64(len(c.Jobs)))))]
	if before >= len(jobs) && before > 0 {
		return nil, fmt.Errorf("choose: the part begins after %d jobs, by Config.From, and ends after %d, want it to end later; see Config.Most", before, len(jobs))
	}
	t, err := Describe(jobs[before:], c.Nodes)
	if err != nil {
		return nil, err
	}
	candidates := slices.Clone(c.Candidates)
	if candidates == nil {
		candidates = Candidates(&t)
	}
	a := &Advice{Given: len(c.Jobs), Before: before, Traits: t, Settings: t.Settings(), Best: candidates[0].Name}
	for _, b := range t.baselines() {
		if !slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Name == b.Name }) {
			candidates = append(candidates, b)
		}
	}
	for _, c := range candidates {
		a.Measured = append(a.Measured, Measured{Name: c.Name, Why: c.Why})
	}
	size := t.Jobs / (windows + 2)
	if size < least {
		return a, nil
	}
	a.Windows, a.Size = windows, size
	return a, a.measure(ctx, jobs, c.Nodes, candidates, before+size)
}
