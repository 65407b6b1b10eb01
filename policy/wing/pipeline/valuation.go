package pipeline

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
)

// ValuationConfig says how jobs are valued. The zero ValuationConfig makes MIL.
type ValuationConfig struct {
	// Dependents counts what comes back by dependents too: Wing-MIL.
	Dependents bool
	// Hard keeps the value of dependents that do not fail without the job (Table 1): it is never lost. The paper's
	// functions do not distinguish them. It matters only with Dependents; see Config.Classes.
	Hard bool
	// Steps is the largest number of steps of a function, ≥ 1; 0 means 32. A waiting job's priority changes at each step.
	Steps int
}

// Valuations returns a function for wing.NewMIL, which says how the value of a job falls with time. It learns that
// from the logged jobs of the same template, or from the user's ad-hoc jobs. The result is MIL or, with dependents,
// Wing-MIL. The function knows nothing of a job whose template recurs but has no job that is complete and old enough,
// of jobs that took no compute time, and of users without a name.
//
// The function does not change, and many goroutines may call it at once. It cannot be saved as a Store can: after a restart
// the host analyses its log again. The example Weekly of this package replaces the function by that of a newer log.
//
// A value function is the mean of those of the jobs, each with its submission at time 0: it falls by a part of a download at
// the age at which one of these jobs was downloaded. With dependents it also includes, for each template that is predicted
// to read the output (T1), the mean value that came back through it; that is lost when the first job of that template is
// expected (T2). What comes back through other templates is never lost, since it is not known when they come.
//
// The runtime of a job is the median time from submission to completion, since a log has no starts. It is too long if
// jobs wait long.
//
// Valuations returns an error that names the field that is out of range. For each job whose dependents count it takes
// a pass over everything that depends on the job, for each direct dependent.
//
// # Source
//
// Wing, sections 4.3 (Fig. 5) and 6.2. That a function is a mean, and how unpredicted dependents count, is ours.
func (r *Result) Valuations(c ValuationConfig) (func(j *policy.Job) (wing.Valuation, bool), error) {
	if c.Steps = cmp.Or(c.Steps, 32); c.Steps < 1 {
		return nil, fmt.Errorf("pipeline: ValuationConfig.Steps is %d, want at least 1", c.Steps)
	}
	f := &valuations{r.Config.Template, r.Config.User, make(map[string]wing.Valuation), make(map[string]wing.Valuation), make(map[string]bool)}
	templates, users := make([][]uint32, r.Log.Templates.Len()), make([][]uint32, r.Log.Users.Len())
	for i := range r.Log.Jobs {
		switch j := &r.Log.Jobs[i]; {
		case j.State != provenance.Complete || !r.Windowed.Valid(uint32(i)):
		case r.recurs(j.Template):
			templates[j.Template] = append(templates[j.Template], uint32(i))
		case r.Log.Users.Name(j.User) != "":
			users[j.User] = append(users[j.User], uint32(i))
		}
	}
	put := func(all map[string]wing.Valuation, name string, jobs []uint32, after map[uint32]time.Duration) error {
		known, err := r.course(jobs, after, &c)
		if err != nil {
			return fmt.Errorf("pipeline: valuation of %q: %w", name, err)
		}
		if known.Work > 0 {
			all[name] = known
		}
		return nil
	}
	for t, jobs := range templates {
		if !r.recurs(uint32(t)) {
			continue
		}
		name := r.Log.Templates.Name(uint32(t))
		f.recurring[name] = true
		if len(jobs) == 0 {
			continue
		}
		after := make(map[uint32]time.Duration)
		if c.Dependents {
			for _, p := range r.Predictor.Predict(nil, uint32(t), provenance.BestThreshold) {
				after[p.Template] = p.TimeToDependency
			}
		}
		if err := put(f.byTemplate, name, jobs, after); err != nil {
			return nil, err
		}
	}
	for u, jobs := range users {
		if len(jobs) == 0 {
			continue
		}
		if err := put(f.byUser, r.Log.Users.Name(uint32(u)), jobs, nil); err != nil {
			return nil, err
		}
	}
	return f.of, nil
}

// valuations are the valuations of a log.
type valuations struct {
	template, user     func(*policy.Job) string
	byTemplate, byUser map[string]wing.Valuation
	recurring          map[string]bool
}

// of returns the valuation of a job.
func (f *valuations) of(j *policy.Job) (wing.Valuation, bool) {
	known, ok := wing.Valuation{}, false
	if name := f.template(j); f.recurring[name] {
		known, ok = f.byTemplate[name]
	} else {
		known, ok = f.byUser[f.user(j)]
	}
	known.Origin = j.Submitted
	return known, ok
}

// course returns the mean of the value functions of some jobs. after says when jobs of a template are expected.
func (r *Result) course(jobs []uint32, after map[uint32]time.Duration, c *ValuationConfig) (wing.Valuation, error) {
	var (
		n        = float64(len(jobs))
		scale    = math.Ldexp(1, -bits.Len(uint(len(jobs)))) // a power of 2, so that no sum overflows, and none is rounded for it
		work     float64
		rest     float64
		drops    []value.Drop
		lost     = make(map[uint32]float64) // what comes back by jobs of a template
		runtimes []time.Duration
		credits  []float64
	)
	expected := func(i, d uint32) bool {
		_, ok := after[r.Log.Jobs[d].Template]
		return ok && (!c.Hard || r.hard(i, d))
	}
	for _, i := range jobs {
		j := &r.Log.Jobs[i]
		runtimes = append(runtimes, j.Completed.Sub(j.Submitted))
		downloads := r.downloads(i)
		// What is not worth 1 a download falls in equal parts.
		for _, d := range downloads {
			drops = append(drops, value.Drop{At: int64(d.Time.Sub(j.Submitted)), Value: r.value[i] / float64(len(downloads)) * scale})
		}
		if len(downloads) == 0 {
			rest += r.value[i] * scale
		}
		if !c.Dependents {
			work += r.compute[i] * scale
			continue
		}
		all := r.Aggregates[i]
		work += all.Compute * scale
		if !slices.ContainsFunc(r.graph.Out(i), func(d uint32) bool { return expected(i, d) }) {
			// Nothing is lost, so that it need not be known what comes back by whom.
			rest += (all.Value - r.value[i]) * scale
			continue
		}
		for _, d := range r.graph.Out(i) {
			credits, _ = r.Windowed.Through(credits[:0], i, d)
			if expected(i, d) {
				lost[r.Log.Jobs[d].Template] += credits[0] * scale
			} else {
				rest += credits[0] * scale
			}
		}
	}
	for t, lost := range lost {
		drops = append(drops, value.Drop{At: int64(after[t]), Value: lost})
	}
	drops = coarse(drops, c.Steps)
	for i := range drops {
		drops[i].Value /= n * scale
	}
	f, err := value.NewFunction(rest/(n*scale), drops)
	return wing.Valuation{Value: f, Runtime: median(runtimes), Work: work / (n * scale)}, err
}

// hard reports whether d fails if j is not done.
func (r *Result) hard(j, d uint32) bool {
	all := r.Found.Dependencies // by From, and then by To
	i, ok := slices.BinarySearchFunc(all, [2]uint32{j, d}, func(e provenance.Dependency, k [2]uint32) int {
		return cmp.Or(cmp.Compare(e.From, k[0]), cmp.Compare(e.To, k[1]))
	})
	return ok && r.Classes.Dependencies[i].Has(provenance.Hard)
}

// median returns the median of some durations, and sorts them.
func median(spans []time.Duration) time.Duration {
	slices.Sort(spans)
	n := len(spans)
	return spans[(n-1)/2] + (spans[n/2]-spans[(n-1)/2])/2
}

// coarse merges drops into at most that many steps, none of 0 and no two at one instant. If there are more drops, the
// steps have about equal value, each at the time at which half of it is lost. At no instant is then more than one
// step's value lost too early or too late.
func coarse(drops []value.Drop, steps int) []value.Drop {
	slices.SortFunc(drops, func(a, b value.Drop) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Value, b.Value))
	})
	n := 0
	for _, d := range drops {
		switch {
		case d.Value == 0:
		case n > 0 && drops[n-1].At == d.At:
			drops[n-1].Value += d.Value
		default:
			drops[n] = d
			n++
		}
	}
	if drops = drops[:n]; n <= steps {
		return drops
	}
	total := 0.0
	for _, d := range drops {
		total += d.Value
	}
	part := total / float64(steps)
	var joined []value.Drop
	sum := 0.0
	for i := 0; i < len(drops); {
		end, group := i, 0.0
		bound := part * float64(len(joined)+1)
		for end < len(drops) && (end == i || sum+drops[end].Value <= bound || len(joined) == steps-1) {
			group += drops[end].Value
			sum += drops[end].Value
			end++
		}
		half, at := 0.0, i
		for half += drops[at].Value; 2*half < group && at < end-1; half += drops[at].Value {
			at++
		}
		joined = append(joined, value.Drop{At: drops[at].At, Value: group})
		i = end
	}
	return joined
}
