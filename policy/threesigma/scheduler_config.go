package threesigma

import (
	"context"
	"fmt"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/threesigma/plan"
)

// A BestEffort says what jobs without a deadline are worth: from now on linearly less the later they complete,
//
//	Value × (1 + waited/Horizon) × (1 - 0.9 × (completion - now)/Horizon)
//
// up to a Horizon from now, and then slowly down to a thousandth, so that all of them start sometime. The
// longer one has waited, up to a million Horizons, the more it is worth: without that, short and narrow jobs
// would pass a wide one for ever.
type BestEffort struct {
	// Value is above 0, at most 10^6, in the unit of policy.SLO.Utility; 0 means 0.01. Utilities are of jobs, however
	// many cores they take: by default a hundred best-effort jobs of one core each are worth a job with a
	// deadline and utility 1, also if that needs the cores of 200. A job that is killed has to do again what it
	// has done, and that is worth Value for each core and Horizon.
	Value float64
	// Horizon is at least a millisecond; 0 means an hour.
	Horizon policy.Duration
}

// Config describes a [Scheduler]. The zero Config is fine, and knows no runtimes. See [System] for those that
// the paper compares.
type Config struct {
	// Forecast says how long jobs run: at speed 1, and where a stage prefers to be. Nil: nobody does. Jobs of which
	// nothing is known are started as soon as there is room, on the partitions that they prefer or else on others;
	// see [Prio]. It is asked about each stage when that is Ready, and if it knows nothing then, again whenever
	// something of the job has ended. What it says must not change, and is kept until the job ends. That is asked
	// some hundred times in each cycle: make a histogram.Table, of some quantiles, of what has no closed forms,
	// see [Distribution]. A Forecast is for one Scheduler.
	Forecast central.Forecast
	// Interval is the least time between two cycles, at most a century; 0 means 10 s. Something that comes when the last cycle is
	// longer ago is looked at at once; after that there is a cycle each Interval as long as anything waits. It
	// should be much less than jobs may wait for their deadlines: nothing starts in between.
	Interval policy.Duration
	// Window is what is planned ahead. Width 0 means Interval, and Slots 0 means 24.
	Window Window
	// Overestimate says which jobs with deadlines get a utility for being late.
	Overestimate Overestimate
	BestEffort   BestEffort
	// GiveUpLate gives up jobs with a deadline that no start can save: whose expected utility is 0 wherever they
	// would start, now or later. So it is in the paper, where such jobs are never tried. Otherwise they go on as
	// best-effort jobs.
	GiveUpLate bool
	// NoPreemption lets all that runs go on. Otherwise best-effort jobs are killed where jobs with deadlines
	// need their nodes, and start anew later.
	NoPreemption bool
	// Candidates is how many jobs that wait are looked at in one cycle; 0 means 400: those with deadlines, earliest
	// first, then others in the order of their submission; but of the last quarter, if there are more, those
	// that take the fewest cores, which may fit where the others do not.
	Candidates int

	// Solver chooses; nil means plan.Search. Its answers are checked, and where it fails plan.Greedy chooses; see
	// Cycle.Err. The problem is valid during the call.
	Solver plan.Solver
	// Iterations is the solver's budget in each cycle; 0 means 1000, or none if there is a Context.
	Iterations int
	// Context, if not nil, is called for each cycle, and what it returns bounds the time of the solver. That
	// is for hosts: policies read no clock. The paper has 75 % of Interval:
	//
	//	func() (context.Context, context.CancelFunc) {
	//		return context.WithTimeout(ctx, interval*3/4)
	//	}
	//
	// Decisions then depend on how fast the machine is. Nil: Iterations alone.
	Context func() (context.Context, context.CancelFunc)
	// Seed is that of the solver.
	Seed uint64
}

// century is the longest time between two cycles: the next one comes within what a policy.Time can hold.
const century = 876_000 * time.Hour

// NewScheduler returns a Scheduler. The error names the field that is out of its range, or is that of the Forecast.
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
	draft, err := NewDraft(c.Window)
	if err != nil {
		return nil, err
	}
	s := &Scheduler{config: c, draft: draft, alarm: policy.Never}
	if c.Forecast == nil {
		return s, nil
	}
	if err := c.Forecast.Bind(central.Books{View: &s.view, Forecast: c.Forecast}); err != nil {
		return nil, fmt.Errorf("threesigma: Config.Forecast: %w", err)
	}
	if f, ok := c.Forecast.(interface {
		Began(j *central.Job, c policy.Copy, another bool)
	}); ok {
		s.began = f.Began
	}
	return s, nil
}
