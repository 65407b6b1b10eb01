// Package threesigma schedules jobs, with or without deadlines, whose runtimes are known only as distributions: 3σSched,
// the scheduler of 3Sigma. Most callers need no more than
//
//	scheduler, err := threesigma.NewScheduler(threesigma.Config{Interval: time.Second})
//
// which has a history of its own, and learns runtimes as jobs end: from jobs with like Attrs, such as user and program. A job's
// deadline is its SLO. Let package host drive the scheduler, or step it as package policy says.
//
// In each cycle the [Scheduler] plans when and where the waiting jobs should start, so that the sum of their expected
// utilities is greatest. It starts what the plan starts now, and plans the rest anew in the next cycle. It kills jobs without a
// deadline, and starts them again later, if jobs with deadlines need their nodes, unless Config.NoPreemption is set. A node of the
// paper is a core here. Being in time is worth the utility of the SLO. A job without a deadline is worth 0.01, less the later it
// ends and more the longer it has waited. A plan looks 24 intervals ahead. The Scheduler's parts work alone too:
//
//   - [Utility] is what a job is worth, by when it completes: a step, or any piecewise linear curve
//     ([NewUtility]). [Utility.Expected] is the expected utility of a start (section 3.1). [Config.Utility] gives a job
//     a curve of its own.
//   - [After] is the distribution of the runtime of a job that has already run, from which its remaining consumption
//     follows (section 3.2).
//   - [Increments] handles under-estimates by exponential increments: it predicts the end of a job that has run
//     longer than any before it (section 4.2).
//   - [Overestimate] is the adaptive over-estimate handling: a job that by its history would miss its deadline even if
//     it started at its submission gets a utility for being late, for perhaps the history is wrong (section 4.2).
//   - Package threesigma/plan solves the MILP that chooses between the places and slots in which jobs may start
//     (section 4.3).
//
// # Where to begin to read
//
// cycle.go is a cycle of the Scheduler from end to end: gather the jobs, formulate the MILP, solve it, carry it out. draft.go
// formulates it: the options of a job, and what they take; plan/milp.go has its formulae. planned.go solves it and keeps the
// plan, and start.go starts and kills. scheduler.go takes the events, and cluster.go knows the partitions. The parts above are
// in utility.go, consumption.go and misestimates.go. Expert selection, by which 3σPredict chooses among the features of a job,
// is in expert.go of package predict.
//
// # Distributions
//
// Anything with CDF and Quantile is a [Distribution] of runtimes, in seconds: a histogram, such as that of a
// prediction of package predict, a fitted distribution, or one of gonum. A point
// estimate is one as well: [forecast.Known]. The mass that a distribution has below 0 counts as a runtime of 0.
//
// # Formulae
//
// F is the distribution function of the runtime T, so 1 - F is the probability that the job still runs. The expected
// utility of a start at s, for a curve U that is constant from its last point on, is
//
//	E[U(s+T)] = ∫ U(s+t) dF(t) = U(∞) - Σ jump·F(x-s) - Σ slope·∫ F(x-s) dx
//
// over all jumps at x ≥ s, each what U is just after x less what it is at x, and all straight pieces from s on, with the integral from the
// beginning of a piece to its end. What falls has negative jumps and slopes. Integrated by parts, it needs no density, and is exact
// also if many jobs have the same runtime. With deadline d, a step is worth F(d-s) times its value. The remaining
// consumption of a job that holds k nodes and has run for e is, when it has run for t,
//
//	k·(1 - F(t | e)) = k·(1 - F(t)) / (1 - F(e))   for t ≥ e
//
// The MILP is in package plan. Each waiting job has an option for each slot and place, whose utility is this expectation. Its
// profile is 1 - F, and what is free in a slot are all cores less the remaining consumption of what runs.
// ExampleUtility_Expected in expected_test.go has the first as a plain function, and Example_milp in
// plan/example_milp_test.go the MILP.
//
// # When not to use it
//
// If runtimes are known well, or only their mean counts, order jobs by it (package baseline). Without deadlines the
// expected value of a linear utility depends only on the mean runtime, as long as all of the distribution is before
// the horizon. Expectations are of one job at a time. They assume that the job starts when the plan says, which
// depends on how long the jobs before it really take.
//
// # Cost
//
// A cycle of the [Scheduler], every ten seconds by default (1 s is better, see Interval of [Config]), takes some
// microseconds for each running task or gang, 0.2 µs for each slot and place of each waiting job, and the time of the
// solver, which Iterations or a Context bound. A distribution of [forecast.History] takes some 7 kB a job.
// [Utility.Expected] takes a call of CDF for each jump and one of SurvivalIntegral for each slope: 0.1 to 0.2 µs with a
// table of 80 bins.
//
// # Source
//
// 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
// distribution-based cluster scheduling for runtime uncertainty", technical report
// CMU-PDL-17-107, 2017, sections 3 to 6. There is a version of EuroSys 2018 too.
package threesigma

import (
	"context"
	"fmt"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma/plan"
	"example.com/augur/predict"
)

// Config describes a [Scheduler]. The zero Config is 3Sigma as in the paper.
type Config struct {
	// Forecast predicts runtimes, at speed 1 in a partition that the stage prefers. Nil: a
	// [example.com/augur/policy/forecast.History] with a new Predictor that has the paper's features and predict.All;
	// [example.com/augur/policy/forecast.Nothing] knows nothing. A job of unknown runtime starts as soon as there is room, in
	// the partitions that it prefers or else in others; of several of as many cores the one worth more now goes first. The
	// Forecast is asked about each stage when the stage is Ready and, as long as it knows nothing, again
	// whenever something of the job has ended. Its answer must not change, and is kept until the job ends. Each cycle
	// calls it some hundred times: pass a histogram.Table instead of a distribution without closed forms, see
	// [Distribution]. A Forecast is for one Scheduler.
	Forecast central.Forecast
	// Interval is the least time between two cycles, at most a century; 0 means 10 s. If the last cycle is
	// longer ago than that when a job comes, the job is planned at once. Then there is a cycle each Interval as long as anything waits.
	// Nothing starts in between, so Interval should be much less than jobs can wait for their deadlines. The default is
	// the paper's; on the paper's jobs fewer deadlines are missed with 1 s: docs/choose.md.
	Interval policy.Duration
	// Window is how far to plan ahead. Width 0 means Interval, and Slots 0 means 24.
	Window Window
	// Utility returns what a job is worth by when it completes, in seconds since its Submitted, for jobs with a curve of
	// their own: section 3.1 lets an administrator or an expert user define the utility function job by job. Values are 0
	// to policy.MaxUtility and never rise with time. The zero Utility, and a nil function, leave the job its default:
	// Overestimate's if it has an SLO, BestEffort's otherwise. A curve takes the place of SLO.Utility and of a tail, and
	// of BestEffort's bonus for having waited. It weighs against the SLO.Utility of other jobs, and against BestEffort.Value,
	// by default 0.01, and their bonus, of those that have neither. A job whose curve leaves it no expected utility above 0
	// goes on as a best-effort job: see GiveUpLate. Only the SLO makes a job one with a deadline, which may have others killed
	// and is not killed itself. The function is called once, when the job is Submitted, and must return the same for the
	// same job. If it fails or the curve is not allowed, Step returns an error that names the job, and refuses the job.
	Utility func(j *policy.Job) (Utility, error)
	// Overestimate says which jobs with deadlines get a utility for being late.
	Overestimate Overestimate
	BestEffort   BestEffort
	// GiveUpLate gives up jobs with a deadline or a Utility of their own whose expected utility is 0 wherever they would
	// start, now or later. The paper never tries such jobs. Otherwise they continue as best-effort jobs.
	GiveUpLate bool
	// NoPreemption lets everything run to its end. Otherwise best-effort jobs are killed if jobs with deadlines need
	// their nodes, and restart later, from where they were if their stage Saves.
	NoPreemption bool
	// Candidates is how many waiting jobs one cycle considers; 0 means 400. Those with deadlines come first, earliest
	// deadline first, then others in the order of their submission. If there are more, the last quarter is for the
	// jobs with the fewest cores, which may fit where others do not.
	Candidates int

	// Solver solves the MILP; nil means plan.Search. Its answers are checked, and if it fails plan.Greedy takes its
	// place; see Cycle.Err. The problem is valid during the call. plan.Greedy takes a quarter of the time and misses no
	// more deadlines, but in overload best-effort jobs get less: docs/choose.md.
	Solver plan.Solver
	// Iterations is the solver's budget in each cycle; 0 means 1000, or none if there is a Context.
	Iterations int
	// Context, if not nil, is called for each cycle, and bounds the time of the solver. The host provides it, since
	// policies read no clock. The paper has 75 % of Interval:
	//
	//	func() (context.Context, context.CancelFunc) {
	//		return context.WithTimeout(ctx, interval*3/4)
	//	}
	//
	// Decisions then depend on how fast the machine is. Nil: Iterations alone.
	Context func() (context.Context, context.CancelFunc)
	// Seed is the seed of the solver.
	Seed uint64
}

// century is the longest time between two cycles: the next one comes within what a policy.Time can hold.
const century = 876_000 * time.Hour

// NewScheduler returns a Scheduler. It plans with plan.Search every 10 s unless Config.Solver and Interval say otherwise. It
// returns an error that names the field that is out of range, or the error of the Forecast.
func NewScheduler(c Config) (*Scheduler, error) {
	if c.Interval == 0 {
		c.Interval = 10 * time.Second
	}
	if c.Window.Width == 0 {
		c.Window.Width = c.Interval.Seconds()
	}
	if c.Window.Slots == 0 {
		c.Window.Slots = 24
	}
	if c.BestEffort.Value == 0 {
		c.BestEffort.Value = 0.01
	}
	if c.BestEffort.Horizon == 0 {
		c.BestEffort.Horizon = time.Hour
	}
	if c.Candidates == 0 {
		c.Candidates = 400
	}
	if c.Iterations == 0 && c.Context == nil {
		c.Iterations = 1000
	}
	if c.Solver == nil {
		c.Solver = plan.Search{}
	}
	switch {
	case c.Interval < 0 || c.Interval > century:
		return nil, fmt.Errorf("threesigma: Config.Interval is %v, want above 0, at most a century, or 0 for 10 s", c.Interval)
	case !(c.BestEffort.Value > 0 && c.BestEffort.Value <= 1e6):
		return nil, fmt.Errorf("threesigma: Config.BestEffort.Value is %v, want above 0, at most 1e+06, or 0 for 0.01", c.BestEffort.Value)
	case c.BestEffort.Horizon < time.Millisecond:
		return nil, fmt.Errorf("threesigma: Config.BestEffort.Horizon is %v, want at least 1ms, or 0 for an hour", c.BestEffort.Horizon)
	case c.Candidates < 0:
		return nil, fmt.Errorf("threesigma: Config.Candidates is %d, want above 0, or 0 for 400", c.Candidates)
	case c.Iterations < 0:
		return nil, fmt.Errorf("threesigma: Config.Iterations is %d, want at least 0", c.Iterations)
	}
	over, err := c.Overestimate.filled()
	if err != nil {
		return nil, err
	}
	c.Overestimate = over
	if err := c.Window.check(); err != nil {
		return nil, err
	}
	if c.Forecast == nil {
		p, err := predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
		if err != nil {
			return nil, err
		}
		if c.Forecast, err = forecast.NewHistory(forecast.HistoryConfig{Predictor: p}); err != nil {
			return nil, err
		}
	}
	s := &Scheduler{config: c, draft: newDraft(c.Window), alarm: policy.Never, units: make(map[policy.Copy]*unit)}
	s.view.Resumes = true
	if err := c.Forecast.Bind(central.Books{View: &s.view, Forecast: c.Forecast}); err != nil {
		return nil, fmt.Errorf("threesigma: Config.Forecast: %w", err)
	}
	if f, ok := c.Forecast.(central.StartHearer); ok {
		s.began = f.Began
	}
	if f, ok := c.Forecast.(central.Constant); ok {
		s.fixed = f.Fixed()
	}
	return s, nil
}
