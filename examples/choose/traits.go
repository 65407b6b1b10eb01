package choose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// Traits describe a workload in numbers. Shares are 0 to 1. A trait that cannot be computed is 0. Multiplying all times of a
// workload by a factor changes Span, MedianWork, MaxWork and MedianTask, and nothing else.
type Traits struct {
	Jobs  int     `json:"jobs"`
	Tasks int     `json:"tasks"`
	Cores int64   `json:"cores"`  // of the cluster
	Span  float64 `json:"span_s"` // of the middle 99 % of the arrivals, s
	Load  float64 `json:"load"`   // work of the jobs in the span, over span times the cores, each times its speed

	// Sizes. The work of a job is in core-seconds. Residual is the largest mean residual work, over the mean work of a job. The
	// mean residual work at x is what jobs of more work than x still need when they have had x, on average; x goes from the 10th
	// to the 99th percentile of the work, since outside that range it depends on few jobs. If Residual is above 1, the work is not
	// new better than used in expectation (NBUE). A coefficient of variation above 1 implies the same; one below 1 implies nothing.
	MedianWork float64 `json:"median_work_core_s"`
	MaxWork    float64 `json:"max_work_core_s"`
	CV         float64 `json:"work_cv"`              // coefficient of variation of the jobs' work: 1 if it is exponential
	Residual   float64 `json:"residual_over_mean"`   // largest mean residual work over the mean work: 1 if it is exponential
	Top        float64 `json:"work_in_top_percent"`  // share of all work in the largest hundredth of the jobs, at least one job
	MedianTask float64 `json:"median_task_s"`        // runtime of a task or gang, s
	Tail       float64 `json:"task_p99_over_median"` // of the runtimes of tasks and gangs

	// History. The runtime of a job is the mean runtime of its tasks and gangs. A predict.Predictor with the features of 3Sigma
	// predicts it when the job is submitted, from the jobs that would have ended by then if no job had to wait.
	Programs  float64 `json:"jobs_with_program"` // jobs that have a program or a job name
	Recurring float64 `json:"recurring"`         // jobs with the user and the program (or job name) of an earlier one
	WithinTwo float64 `json:"within_factor_2"`   // jobs whose prediction is half to twice the runtime
	Error     float64 `json:"median_error"`      // median of |prediction - runtime| / runtime, of the jobs that have both
	Rank      float64 `json:"rank_correlation"`  // Spearman's, of predictions and runtimes

	// Shape.
	Requested float64 `json:"request_time"`            // jobs that request a time
	Gangs     float64 `json:"gang_jobs"`               // jobs that have a gang
	Bags      float64 `json:"one_core_jobs"`           // jobs without gangs whose tasks all take one core and no named resource
	Multicore float64 `json:"work_of_many_cores"`      // work in gangs, and in tasks of several cores or with needs
	Alike     float64 `json:"jobs_of_commonest_shape"` // jobs of the most common numbers of tasks, cores and needs
	Many      float64 `json:"work_of_ten_tasks"`       // work in stages of at least 10 tasks, other than gangs
	Spread    float64 `json:"slowest_over_median"`     // longest task over the median one, the median of these stages
	Stages    float64 `json:"jobs_of_stages"`          // jobs of several stages
	Saves     float64 `json:"jobs_that_can_be_saved"`  // jobs with a stage that can be saved and go on later
	Inputs    float64 `json:"jobs_reading_others"`     // jobs that read the output of others
	Lucky     float64 `json:"jobs_whose_copies_differ"`
	Deadlines float64 `json:"jobs_with_deadlines"`
}

// Describe returns the traits of jobs on a cluster. The jobs must be in order of submission, and not all be submitted at one
// instant. An error names the job or the node that is wrong. A job of one task takes some 20 µs, and a job of more takes longer
// in proportion to its tasks.
func Describe(jobs []*workload.Job, nodes []policy.Node) (Traits, error) {
	if err := check(jobs, nodes); err != nil {
		return Traits{}, err
	}
	t := Traits{Jobs: len(jobs)}
	for i := range nodes {
		t.Cores += int64(nodes[i].Cores)
	}
	offered := workload.Measure(jobs)
	if t.Span = offered.Span(); t.Span > 0 {
		t.Load = offered.Load(workload.Capacity(nodes))
	}
	t.sizes(jobs)
	t.shape(jobs)
	if err := t.history(jobs); err != nil {
		return Traits{}, err
	}
	return t, nil
}

// check returns an error that names the first thing wrong with the jobs or the nodes.
func check(jobs []*workload.Job, nodes []policy.Node) error {
	if len(nodes) == 0 {
		return fmt.Errorf("choose: there are no nodes, want at least 1")
	}
	for i := range nodes {
		if err := nodes[i].Validate(); err != nil {
			return fmt.Errorf("choose: %w", err)
		}
	}
	for i, j := range jobs {
		if err := j.Validate(); err != nil {
			return fmt.Errorf("choose: number %d of the jobs: %w", i+1, err)
		}
		if i > 0 && j.Submitted < jobs[i-1].Submitted {
			return fmt.Errorf("choose: job %d is submitted before job %d, which precedes it; want order of submission, as of workload.ReadAll", j.ID, jobs[i-1].ID)
		}
	}
	if len(jobs) == 0 || jobs[0].Submitted == jobs[len(jobs)-1].Submitted {
		return fmt.Errorf("choose: %d jobs are submitted at one instant, want jobs of two at least", len(jobs))
	}
	return nil
}

// sizes sets the traits of work and runtimes.
func (t *Traits) sizes(jobs []*workload.Job) {
	var works, units []float64
	var m estimate.Moments
	for _, j := range jobs {
		w := j.Work()
		works = append(works, w)
		_ = m.Add(w) // work is finite and at least 0
		t.Tasks += j.Tasks()
		for i, tasks := range j.Runtimes {
			if j.Stages[i].Gang {
				units = append(units, slices.Max(tasks).Seconds())
				continue
			}
			for _, d := range tasks {
				units = append(units, d.Seconds())
			}
		}
	}
	slices.Sort(works)
	slices.Sort(units)
	largest := len(works) - max(1, len(works)/100)
	top := 0.0
	for _, w := range works[largest:] {
		top += w
	}
	residual, above := 0.0, top // above is the sum of works[i:]
	for i := largest; i > len(works)/10; i-- {
		residual = max(residual, above/float64(len(works)-i)-works[i-1])
		above += works[i-1]
	}
	t.MedianWork, t.MaxWork = quantile(works, 0.5), works[len(works)-1]
	t.MedianTask = quantile(units, 0.5)
	t.Top = over(top, m.Sum())
	mean, _ := m.Mean()
	variance, _ := m.Variance()
	t.CV, t.Residual = over(math.Sqrt(variance), mean), over(residual, mean)
	t.Tail = over(quantile(units, 0.99), t.MedianTask)
}

// shape sets the traits of widths, tasks, copies and dependencies.
func (t *Traits) shape(jobs []*workload.Job) {
	shapes := make(map[string]int) // what jobs ask for
	var spreads []float64
	all, multicore, many := 0.0, 0.0, 0.0
	count := func(x *float64, yes bool) {
		if yes {
			*x++
		}
	}
	for _, j := range jobs {
		gang, bag, saves := false, true, false
		for i := range j.Stages {
			s := &j.Stages[i]
			one := workload.Job{Job: policy.Job{Stages: j.Stages[i : i+1]}, Runtimes: j.Runtimes[i : i+1]}
			work := one.Work()
			all += work
			gang, saves = gang || s.Gang, saves || s.Saves
			bag = bag && !s.Gang && s.Cores == 1 && len(s.Needs) == 0
			if s.Width() > 1 || len(s.Needs) > 0 {
				multicore += work
			}
			if s.Tasks >= 10 && !s.Gang {
				many += work
				sorted := slices.Sorted(slices.Values(j.Runtimes[i]))
				if median := sorted[(len(sorted)-1)/2].Seconds(); median > 0 {
					spreads = append(spreads, sorted[len(sorted)-1].Seconds()/median)
				}
			}
		}
		var asks strings.Builder
		for i := range j.Stages {
			s := &j.Stages[i]
			fmt.Fprint(&asks, s.Tasks, s.Cores, s.Gang, s.Needs, ";")
		}
		shapes[asks.String()]++
		count(&t.Gangs, gang)
		count(&t.Bags, bag)
		count(&t.Saves, saves)
		count(&t.Requested, j.Requested > 0)
		count(&t.Stages, len(j.Stages) > 1)
		count(&t.Inputs, j.Inputs != nil)
		count(&t.Lucky, j.Luck != nil)
		count(&t.Deadlines, j.SLO != nil)
	}
	for _, n := range shapes {
		t.Alike = max(t.Alike, float64(n))
	}
	for _, x := range []*float64{&t.Gangs, &t.Bags, &t.Saves, &t.Requested, &t.Stages, &t.Inputs, &t.Lucky, &t.Deadlines, &t.Alike} {
		*x /= float64(len(jobs))
	}
	t.Multicore, t.Many = over(multicore, all), over(many, all)
	slices.Sort(spreads)
	t.Spread = quantile(spreads, 0.5)
}

// history sets the traits of how well earlier jobs predict later ones.
func (t *Traits) history(jobs []*workload.Job) error {
	p := must(predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)}))
	order := endings(jobs)
	seen := make(map[[2]string]bool)
	var predictions, runtimes, errors []float64
	programs, recurring, within := 0, 0, 0
	for _, j := range jobs {
		for len(order) > 0 && order[0].at <= j.Submitted {
			old := order[0]
			if err := p.Observe(old, old.MeanUnit(), old.Calendar(old.at)); err != nil {
				return fmt.Errorf("choose: job %d: %w", old.ID, err)
			}
			order = order[1:]
		}
		if key, ok := program(j); ok {
			programs++
			if seen[key] {
				recurring++
			}
			seen[key] = true
		}
		x := j.MeanUnit()
		if got, ok := p.Estimate(j, j.Calendar(j.Submitted)); ok && x > 0 {
			predictions, runtimes = append(predictions, got), append(runtimes, x)
			errors = append(errors, math.Abs(got-x)/x)
			if x <= 2*got && got <= 2*x {
				within++
			}
		}
	}
	slices.Sort(errors)
	n := float64(len(jobs))
	t.Programs, t.Recurring, t.WithinTwo = float64(programs)/n, float64(recurring)/n, float64(within)/n
	t.Error, t.Rank = quantile(errors, 0.5), spearman(predictions, runtimes)
	return nil
}

// An ended is a job and the instant at which it would have ended if it had not waited.
type ended struct {
	*workload.Job
	at policy.Time
}

// endings returns the jobs in the order in which they would have ended if none had waited.
func endings(jobs []*workload.Job) []ended {
	order := make([]ended, len(jobs))
	for i, j := range jobs {
		order[i] = ended{j, j.Submitted.Add(j.Ideal())}
	}
	slices.SortStableFunc(order, func(a, b ended) int { return cmp.Compare(a.at, b.at) })
	return order
}

// program returns the user and the program of a job, or its name if it has no program. It returns false if it has neither.
func program(j *workload.Job) (key [2]string, ok bool) {
	key[0], _ = j.Attr("user")
	if key[1], ok = j.Attr("program"); !ok {
		key[1], ok = j.Attr("jobname")
	}
	return key, ok
}

// quantile returns the empirical quantile p of sorted numbers, 0 if there are none.
func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return stat.Quantile(p, stat.Empirical, sorted, nil)
}

// over returns a/b, 0 if b is 0.
func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// spearman returns Spearman's rank correlation of two lists, 0 if all numbers of one are equal.
func spearman(x, y []float64) float64 {
	if c := stat.Correlation(ranks(x), ranks(y), nil); c >= -1 { // not NaN
		return min(1, c)
	}
	return 0
}

// ranks returns the rank of each number, from 0. Equal numbers share the mean of their ranks.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	r := make([]float64, len(x))
	for i := 0; i < len(order); {
		k := i + 1
		for k < len(order) && x[order[k]] == x[order[i]] {
			k++
		}
		for _, at := range order[i:k] {
			r[at] = float64(i+k-1) / 2
		}
		i = k
	}
	return r
}
