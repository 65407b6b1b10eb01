package threesigma

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy/threesigma/plan"
)

// A Window is how far a plan looks ahead. The first slot begins now. A plan lets jobs start when slots begin, the
// last slot at the latest. It ignores what jobs hold after the last slot. The paper says neither how far its plans reach nor
// how wide slots are.
type Window struct {
	Width float64 // of a slot, s, finite, above 0
	Slots int     // 1 to 2^20
}

// maxSlots is the largest number of slots: each takes 8 bytes in every profile.
const maxSlots = 1 << 20

func (w Window) check() error {
	switch {
	case !(w.Width > 0) || math.IsInf(w.Width, 1):
		return fmt.Errorf("threesigma: Window.Width is %v s, want finite, above 0", w.Width)
	case w.Slots < 1 || w.Slots > maxSlots:
		return fmt.Errorf("threesigma: Window.Slots is %d, want 1 to %d", w.Slots, maxSlots)
	}
	return nil
}

// begins returns when the slots begin, in seconds from now.
func (w Window) begins() []float64 {
	at := make([]float64, w.Slots)
	for k := range at {
		at[k] = min(w.Width*float64(k), math.MaxFloat64)
	}
	return at
}

// A site is a place where a job could run.
type site struct {
	place plan.Place // what it would take there
	worth float64    // by how much the job's utility counts if it runs there, finite, above 0
	// runtime is how long the job would run there. Nil means unknown: the job then holds its place for the whole
	// window, is worth what it would be if it ended at its start, and is offered only the first slot.
	runtime Distribution
}

// A draft turns jobs into a problem for package plan, one for each cycle (3Sigma, sections 3.1, 3.2 and 4.3). Each
// cycle calls begin. Then it calls occupy for running jobs that stay, hold for running jobs that may be stopped, and
// offer for waiting jobs. Errors are only about distributions, and change nothing. The problem's slices are reused
// for the next one.
type draft struct {
	window  Window
	at      []float64 // when slots begin, s from now
	now     float64
	problem plan.Problem
	scratch []float64
}

func newDraft(w Window) draft { return draft{window: w, at: w.begins()} }

// begin drops the last problem and begins one at an instant, in seconds, with this many nodes in each pool.
func (d *draft) begin(now float64, nodes []float64) {
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
}

// occupy subtracts the remaining consumption of a running job (section 3.2): all that it holds of a place now, and
// less and less as it becomes likely that it has ended. runtime comes from Increments.After, or is nil if unknown:
// the job then holds its place for the whole window. A pool that is overdrawn counts as empty.
func (d *draft) occupy(place plan.Place, runtime Distribution, elapsed float64) error {
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

// profile appends a job's consumption by slots since its start, or since now if it runs.
func (d *draft) profile(dst []float64, runtime Distribution, elapsed float64) ([]float64, error) {
	if runtime != nil {
		return appendShares(dst, runtime, elapsed, d.at)
	}
	for range d.at {
		dst = append(dst, 1)
	}
	return dst, nil
}

// job adds a job without options, and returns it with its index. It reuses slices of earlier jobs.
func (d *draft) job() (*plan.Job, int) {
	n := len(d.problem.Jobs)
	d.problem.Jobs = resized(d.problem.Jobs, n+1)
	j := &d.problem.Jobs[n]
	j.Profiles, j.Places, j.Options = j.Profiles[:0], j.Places[:0], j.Options[:0]
	return j, n
}

// drop removes the last job.
func (d *draft) drop() { d.problem.Jobs = d.problem.Jobs[:len(d.problem.Jobs)-1] }

// addProfile adds a profile to a job.
func (d *draft) addProfile(j *plan.Job, runtime Distribution, elapsed float64) error {
	n := len(j.Profiles)
	j.Profiles = resized(j.Profiles, n+1)
	profile, err := d.profile(j.Profiles[n][:0], runtime, elapsed)
	j.Profiles[n] = profile
	return err
}

// hold adds a running job that may be stopped, and returns its index in the problem. Its one option is to go on: it
// has the given value, and takes what occupy would take. If a plan does not choose it, the job is to be stopped, and
// all its work is lost.
func (d *draft) hold(value float64, place plan.Place, runtime Distribution, elapsed float64) (job int, err error) {
	if math.IsNaN(value) {
		return 0, errNoValues
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

// offer adds a waiting job, and returns its index in the problem. It has an option for each site and each slot in
// which the job may start, worth the expected utility of that start, plus up to a millionth for an earlier start. The
// option's place is that of its site. Options that are worth nothing are left out.
func (d *draft) offer(u Utility, sites []site) (job int, err error) {
	j, n := d.job()
	for i := range sites {
		if err := d.offerSite(j, u, int32(i), &sites[i]); err != nil {
			d.drop()
			return 0, err
		}
	}
	return n, nil
}

func (d *draft) offerSite(j *plan.Job, u Utility, i int32, s *site) error {
	if err := d.addProfile(j, s.runtime, 0); err != nil {
		return err
	}
	j.Places = append(j.Places, s.place)
	profile := int32(len(j.Profiles) - 1)
	if s.runtime == nil {
		return option(j, s.worth*u.At(d.now), plan.Option{Place: i, Profile: profile})
	}
	for t := range d.at {
		left := float64(len(d.at)-t) / float64(len(d.at))
		value := s.worth * u.Expected(s.runtime, d.start(int32(t)))
		if err := option(j, value*(1+sooner*left), plan.Option{Place: i, Start: int32(t), Profile: profile}); err != nil {
			return err
		}
	}
	return nil
}

// option adds an option to a job, unless it is worth nothing.
func option(j *plan.Job, utility float64, o plan.Option) error {
	if math.IsNaN(utility) {
		return errNoValues
	}
	if o.Utility = utility; utility > 0 {
		j.Options = append(j.Options, o)
	}
	return nil
}

// sooner is the bonus, as a share of its utility, of an option in the first slot over one after the last.
const sooner = 1e-6

func (d *draft) start(slot int32) float64 { return d.now + d.at[slot] }

// slot returns the first slot that begins this many seconds from now or later, up to rounding. If there is none it
// returns the number of slots. It takes logarithmic time.
func (d *draft) slot(seconds float64) int {
	k, _ := slices.BinarySearch(d.at, seconds-1e-9*d.window.Width)
	return k
}

// moved converts the prices of a problem that began this many seconds ago to one that begins now.
func (d *draft) moved(old plan.Prices, seconds float64) plan.Prices {
	shift := math.Round(seconds / d.window.Width)
	return old.Shift(saturate.To[int](min(shift, float64(d.window.Slots))))
}

// resized returns a slice of n elements, those that s has or once had among them.
func resized[E any](s []E, n int) []E {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]E, n-cap(s))...)
}
