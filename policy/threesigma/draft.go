package threesigma

import (
	"errors"
	"fmt"
	"math"

	"example.com/augur/policy/threesigma/plan"
)

// A Window says how far a plan looks ahead: slots of one width, of which the first begins now. Nothing is planned
// to start later than in the last slot, and what a job holds after it does not count.
type Window struct {
	Width float64 // of a slot, s, finite, above 0
	Slots int     // 1 to 2^20
}

func (w Window) check() error {
	switch {
	case !(w.Width > 0) || math.IsInf(w.Width, 1):
		return fmt.Errorf("threesigma: Window.Width is %v s, want finite, above 0", w.Width)
	case w.Slots < 1 || w.Slots > maxSlots:
		return fmt.Errorf("threesigma: Window.Slots is %d, want 1 to %d", w.Slots, maxSlots)
	}
	return nil
}

// A Site is somewhere that a job could run.
type Site struct {
	Place plan.Place // what it would take there
	// Worth is the share of the job's utility that it would be worth to run there, finite and above 0:
	// less than 1 if only a part of its tasks would; 0 means 1.
	Worth float64
	// Runtime is how long it would run on the nodes that are there, in seconds. Nil means that nothing is known. Then
	// the job holds what it takes for the whole window, is worth what it would be worth if it ended at its start,
	// and is offered the first slot alone.
	Runtime Distribution
}

// A Draft turns jobs into a problem for package plan, one for each cycle of a scheduler. In each cycle call Begin.
// Then call, in any order, Occupy for what runs and stays, Hold for what runs and may be stopped, and Offer for what
// waits. Problem then returns what a plan.Solver solves.
//
// A Draft keeps its memory, so after some cycles it allocates nothing. It is not safe for concurrent use.
//
// # Source
//
// 3Sigma, sections 3.1, 3.2 and 4.3.
type Draft struct {
	window  Window
	now     float64
	problem plan.Problem
	scratch []float64
}

// NewDraft returns a Draft; the error names the field of the window that is out of range.
func NewDraft(w Window) (*Draft, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	return &Draft{window: w}, nil
}

// Begin forgets what was drafted before, and begins anew at an instant, in seconds, with so many nodes in each
// pool, 0 to [plan.MaxNodes]. There is at least one pool. What an earlier Problem returned is no longer valid.
func (d *Draft) Begin(now float64, nodes []float64) error {
	if now-now != 0 {
		return fmt.Errorf("threesigma: a draft begins at %v s, want a finite time", now)
	}
	if len(nodes) == 0 {
		return errors.New("threesigma: a draft without pools, want at least one")
	}
	for i, n := range nodes {
		if !(n >= 0 && n <= plan.MaxNodes) {
			return fmt.Errorf("threesigma: pool %d of a draft has %v nodes, want 0 to %v", i, n, plan.MaxNodes)
		}
	}
	d.now = now
	d.problem.Capacity = resized(d.problem.Capacity, len(nodes))
	for i, n := range nodes {
		slots := resized(d.problem.Capacity[i], d.window.Slots)
		for t := range slots {
			slots[t] = n
		}
		d.problem.Capacity[i] = slots
	}
	d.problem.Jobs = d.problem.Jobs[:0]
	return nil
}

// Occupy takes away the remaining consumption of a running job (section 3.2): all that it holds of a place now, and
// less and less as it becomes likely that it has ended. Runtime is that of [After] or of [Increments.After], which
// also serves a job that has run longer than its distribution says. Nil means that nothing is known: the job
// then holds its place for the whole window. Elapsed is for how long it has run, in seconds. A pool of which more
// is taken than it has is empty then. On an error nothing has changed.
func (d *Draft) Occupy(place plan.Place, runtime Distribution, elapsed float64) error {
	if err := place.Validate(len(d.problem.Capacity)); err != nil {
		return fmt.Errorf("threesigma: place of a running job: %w", err)
	}
	profile, err := d.profile(d.scratch[:0], runtime, elapsed)
	if err != nil {
		return err
	}
	d.scratch = profile
	for _, share := range place {
		slots := d.problem.Capacity[share.Pool]
		for t, x := range profile {
			slots[t] = max(0, slots[t]-share.Nodes*x)
		}
	}
	return nil
}

// profile is AppendConsumption over the window.
func (d *Draft) profile(dst []float64, runtime Distribution, elapsed float64) ([]float64, error) {
	if len(d.problem.Capacity) == 0 {
		return dst, errors.New("threesigma: a draft that has not begun, want a call of Begin first")
	}
	if runtime == nil {
		if err := checkElapsed(elapsed, d.window.Width); err != nil {
			return dst, err
		}
		for range d.window.Slots {
			dst = append(dst, 1)
		}
		return dst, nil
	}
	return AppendConsumption(dst, runtime, elapsed, d.window.Width, d.window.Slots)
}

// job adds a job without options, and returns it with its index. Slices that earlier jobs left are used
// again.
func (d *Draft) job() (*plan.Job, int) {
	n := len(d.problem.Jobs)
	d.problem.Jobs = resized(d.problem.Jobs, n+1)
	j := &d.problem.Jobs[n]
	j.Profiles, j.Places, j.Options = j.Profiles[:0], j.Places[:0], j.Options[:0]
	return j, n
}

// drop takes the last job away.
func (d *Draft) drop() { d.problem.Jobs = d.problem.Jobs[:len(d.problem.Jobs)-1] }

// addProfile adds a profile to a job.
func (d *Draft) addProfile(j *plan.Job, runtime Distribution, elapsed float64) error {
	n := len(j.Profiles)
	j.Profiles = resized(j.Profiles, n+1)
	profile, err := d.profile(j.Profiles[n][:0], runtime, elapsed)
	j.Profiles[n] = profile
	return err
}

// Hold adds a running job that may be stopped. Its one option is to go on; this has the given value, at most
// [plan.MaxUtility] in magnitude, and takes what Occupy would take away. If a plan does not choose it, the job is
// to be stopped, and all its work is lost. Hold returns the index of the job in the problem. On an error nothing
// has changed.
func (d *Draft) Hold(value float64, place plan.Place, runtime Distribution, elapsed float64) (job int, err error) {
	if !(math.Abs(value) <= plan.MaxUtility) {
		return 0, fmt.Errorf("threesigma: a running job is worth %v, want -%v to %v", value, plan.MaxUtility, plan.MaxUtility)
	}
	if err := place.Validate(len(d.problem.Capacity)); err != nil {
		return 0, fmt.Errorf("threesigma: place of a running job: %w", err)
	}
	j, n := d.job()
	if err := d.addProfile(j, runtime, elapsed); err != nil {
		d.drop()
		return 0, err
	}
	j.Places = append(j.Places, place)
	j.Options = append(j.Options, plan.Option{Utility: value})
	return n, nil
}

// Offer adds a job that waits, with an option for each site and slot that it may start in. An option is worth the
// expected utility of the start ([Utility.Expected]), and up to a millionth more the sooner it is. Its place is that
// of the site with the same index. Options that are worth nothing are left out. Offer returns the index of the job
// in the problem.
//
// It takes one call of Expected and one of CDF for each site and slot. The error says what is wrong with a
// site, or that the job would be worth more than [plan.MaxUtility] there; nothing has changed then.
func (d *Draft) Offer(u Utility, sites []Site) (job int, err error) {
	j, n := d.job()
	for i := range sites {
		if err := d.offer(j, u, int32(i), &sites[i]); err != nil {
			d.drop()
			return 0, fmt.Errorf("threesigma: site %d of a job: %w", i, err)
		}
	}
	return n, nil
}

func (d *Draft) offer(j *plan.Job, u Utility, i int32, site *Site) error {
	worth := site.Worth
	if worth == 0 {
		worth = 1
	}
	if !(worth > 0) || math.IsInf(worth, 1) {
		return fmt.Errorf("its Worth is %v, want finite, above 0", site.Worth)
	}
	if err := site.Place.Validate(len(d.problem.Capacity)); err != nil {
		return fmt.Errorf("its place: %w", err)
	}
	if err := d.addProfile(j, site.Runtime, 0); err != nil {
		return err
	}
	j.Places = append(j.Places, site.Place)
	if site.Runtime == nil {
		return option(j, worth, worth*u.At(d.now), plan.Option{Place: i, Profile: i})
	}
	end, falls := u.end()
	idle := u.At(math.Inf(1)) <= 0
	for t := range int32(d.window.Slots) {
		start := d.start(t)
		if idle && (!falls || start > end) {
			break // and so are all later ones
		}
		left := float64(int32(d.window.Slots)-t) / float64(d.window.Slots)
		value := worth * u.Expected(site.Runtime, start)
		if err := option(j, worth, value*(1+sooner*left), plan.Option{Place: i, Start: t, Profile: i}); err != nil {
			return err
		}
	}
	return nil
}

// option adds an option to a job, unless it is worth nothing.
func option(j *plan.Job, worth, utility float64, o plan.Option) error {
	if !(utility <= plan.MaxUtility) {
		return fmt.Errorf("with Worth %v its expected utility in slot %d is %v, want at most %v", worth, o.Start, utility, plan.MaxUtility)
	}
	if o.Utility = utility; utility > 0 {
		j.Options = append(j.Options, o)
	}
	return nil
}

// sooner is the share of its utility that an option in the first slot is worth more than one after the last.
const sooner = 1e-6

func (d *Draft) start(slot int32) float64 { return d.now + float64(slot)*d.window.Width }

// Problem returns what has been drafted since Begin. It is the Draft's, and valid until the next Begin.
func (d *Draft) Problem() *plan.Problem { return &d.problem }

// resized returns a slice of n elements, those that s has or once had among them.
func resized[E any](s []E, n int) []E {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]E, n-cap(s))...)
}
