package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"example.com/augur/internal/calendar"
	"example.com/augur/internal/limits"
	"example.com/augur/internal/luck"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// Mixed generates a workload that combines everything that the five systems deal with: recurring programs whose runtimes
// drift, many tasks, stragglers, heavy tails, stages, gangs, deadlines, priorities, jobs that read the output of others,
// and requested times. None of the papers has such a workload.
//
// Some defaults are a paper's numbers; the comment of the field names the paper. All other defaults are ours. None is
// fitted to the results of a policy.
//
// Start from [DefaultMixed]; [Mixed.Source] refuses values outside their range. [Mixed.History] gives earlier jobs for
// a predictor to learn from.
//
// # What a job is
//
// A job is a run of a program. Some programs recur, and the others run once. The program fixes the user, the stages and
// their widths, the group, the priority, and which program's output the job reads. Every task takes one core, and no
// memory. A share of the programs is not exactly that share of the jobs, since popular programs have many runs: the share
// of the jobs differs from seed to seed.
//
// A program is one of these:
//
//   - A gang, whose tasks run together and for the same time. It has no stragglers.
//   - A chain of stages. Each reads the one before it, after its end or, sometimes, through a pipe.
//   - A bag of tasks.
//
// All stages of a run have the same mean task runtime: that of the program, times its drift, times noise of the run.
// Around that mean tasks differ in [Luck], and so do the copies of a task. The attributes are user, program, group, hour
// and day.
//
// # Source
//
// Wing, section 2.3 (shares of jobs that recur, are blind, or have a higher priority than what they read). Hopper,
// sections 3.3 (tails) and 5.2 (what stages write); the sizes of first stages are those of paper.Facebook. 3Sigma, section 5
// (deadlines).
type Mixed struct {
	// HeavyTail says when jobs arrive, which programs and users there are, how many tasks the first stage of a
	// job has, and the mean runtime of a task. Its TaskSigma is not used, since tasks differ in luck.
	HeavyTail
	// Drift is the sigma by which the logarithm of a recurring program's mean runtime changes in a day, 0 to 10. The
	// logarithm is a Brownian motion, so sigma grows with the square root of the time.
	Drift float64

	// Groups is the number of groups of programs, 1 to 1000, all equally likely. Tasks have a Pareto tail. Its index
	// is finite and above 1: MinTail in the first group, MaxTail in the last one, and evenly spaced in between.
	// Bound is that of [Stragglers], above 1 or 0. Hopper's indices are 1.1 to 1.9.
	Groups                  int
	MinTail, MaxTail, Bound float64

	// Gangs is the share of the programs that are gangs, 0 to 1. They have 2 to MaxGang tasks, which is 2 to 2^20.
	Gangs   float64
	MaxGang int

	// Staged is the share of the other programs that have several stages, 0 to 1: 2 to MaxStages, equally likely.
	// MaxStages is at most 100, and MaxStages times MaxWidth at most 2^28. As in Hopper, a later stage has 0.05 to
	// 18 times the tasks of the first one, uniform in the logarithm, but at least 1 and at most MaxWidth. Each reads
	// through a pipe with probability Pipes, 0 to 1.
	Staged    float64
	MaxStages int
	Pipes     float64

	// Dependent is the share of the recurring programs, 0 to 1, whose jobs read the last job of a more popular program,
	// and wait for it. The most popular program reads nothing. In Wing 34 % of the recurring jobs are submitted
	// whether or not their input is there.
	Dependent float64
	// NonDefaultPriority is the share of the programs, 0 to 1, whose priority is 1 or -1, equally likely; the other
	// programs have priority 0. With 0.2, about 17 % of the jobs that read have a higher priority than the job that
	// they read. In Wing 80 % of all jobs read, and 13 % of all jobs have a higher priority than one that they read.
	NonDefaultPriority float64

	// Requested is the share of the jobs that request a time, 0 to 1: see policy.Job.Requested. Their longest task
	// runtime, divided by the requested time, is uniform from 1/Overestimate to 1. Overestimate is 1 to 10^6.
	Requested, Overestimate float64

	Deadlines Deadlines // its Seed is not used; by default no job prefers a partition
}

// DefaultMixed returns the parameters of the workload called mixed: 5,000 jobs over seven hours. As in Wing, 68 % of
// them are runs of programs that recur, of which there are 200. As in 3Sigma, half of them have deadlines. As in Hopper,
// 85 % of the first stages have at most 10 tasks; none has more than 500. With Gangs 0 it is mixed-bags.
func DefaultMixed() Mixed {
	g := Mixed{
		HeavyTail: DefaultHeavyTail(), Drift: 0.3,
		Groups: 9, MinTail: 1.1, MaxTail: 1.9, Bound: 100,
		Gangs: 0.1, MaxGang: 32,
		Staged: 0.3, MaxStages: 4, Pipes: 0.25,
		Dependent: 0.34, NonDefaultPriority: 0.2,
		Requested: 0.5, Overestimate: 10,
		Deadlines: DefaultDeadlines(),
	}
	g.Recurring, g.WidthTail, g.MaxWidth, g.TaskSigma = 0.68, 0.8, 500, 0
	return g
}

func (g *Mixed) validate() error {
	if err := g.HeavyTail.validate(); err != nil {
		return err
	}
	share := func(x float64) bool { return x >= 0 && x <= 1 }
	if err := check("Mixed", []option{
		{"Drift", g.Drift, g.Drift >= 0 && g.Drift <= 10, "0 to 10"},
		{"Groups", g.Groups, g.Groups >= 1 && g.Groups <= 1000, "1 to 1000"},
		{"MinTail", g.MinTail, finite(g.MinTail) && g.MinTail > 1, "finite, above 1"},
		{"MaxTail", g.MaxTail, finite(g.MaxTail) && g.MaxTail > 1, "finite, above 1"},
		{"Bound", g.Bound, g.Bound == 0 || finite(g.Bound) && g.Bound > 1, "finite, above 1, or 0"},
		{"Gangs", g.Gangs, share(g.Gangs), "0 to 1"},
		{"MaxGang", g.MaxGang, g.MaxGang >= 2 && g.MaxGang <= 1<<20, "2 to 2^20"},
		{"Staged", g.Staged, share(g.Staged), "0 to 1"},
		{"MaxStages", g.MaxStages, g.MaxStages >= 2 && g.MaxStages <= 100 && g.MaxStages <= policy.MaxTasks/g.MaxWidth, "2 to 100, and times MaxWidth at most 2^28"},
		{"Pipes", g.Pipes, share(g.Pipes), "0 to 1"},
		{"Dependent", g.Dependent, share(g.Dependent), "0 to 1"},
		{"NonDefaultPriority", g.NonDefaultPriority, share(g.NonDefaultPriority), "0 to 1"},
		{"Requested", g.Requested, share(g.Requested), "0 to 1"},
		{"Overestimate", g.Overestimate, g.Overestimate >= 1 && g.Overestimate <= 1e6, "1 to 10^6"},
	}); err != nil {
		return err
	}
	return g.Deadlines.validate()
}

// Source returns the jobs, in order of submission, from instant 0 on. The same values give the same jobs, except that
// times may differ by a nanosecond on another processor architecture. The error names the field that is outside its
// range. The source ends at a job that arrives, or has a deadline, beyond 1e9 s.
func (g Mixed) Source() (Source, error) {
	if err := g.validate(); err != nil {
		return nil, err
	}
	g.Deadlines.Seed = g.Seed
	return g.Deadlines.Source(func(yield func(*Job, error) bool) {
		m := newMixed(g, false)
		for id := range policy.JobID(g.Jobs) {
			j, err := m.next(id + 1)
			if !yield(j, err) || err != nil {
				return
			}
		}
	})
}

// History returns the given number of earlier jobs, 1 to 2^28, for a predictor to learn from: runs of the same recurring
// programs, submitted before instant 0. None has a deadline or reads another one. Their IDs also are 1, 2 and so on. The
// jobs of [Mixed.Source] do not depend on their number. History makes all jobs before it yields the first. The error
// names the field that is outside its range.
func (g Mixed) History(jobs int) (Source, error) {
	if jobs < 1 || jobs > limits.ID {
		return nil, fmt.Errorf("workload: a history of %d jobs, want 1 to 2^28", jobs)
	}
	if err := g.validate(); err != nil {
		return nil, err
	}
	g.Dependent = 0
	return func(yield func(*Job, error) bool) {
		// Arrivals and drift look the same backwards, so the last job comes first.
		m := newMixed(g, true)
		var list []*Job
		for id := policy.JobID(jobs); id > 0; id-- {
			j, err := m.next(id)
			if err != nil {
				yield(nil, err)
				return
			}
			list = append(list, j)
		}
		for _, j := range slices.Backward(list) {
			if !yield(j, nil) {
				return
			}
		}
	}, nil
}

// mixed makes the jobs of a Mixed, one after the other.
type mixed struct {
	Mixed
	seed     uint64    // of the jobs; for the past, not that of the recurring programs
	past     bool      // time runs backwards from instant 0
	arrivals heavyTail // instants and programs of the jobs
	programs []*mixedProgram
}

// A mixedProgram is what the runs of a program have in common.
type mixedProgram struct {
	stages   []policy.Stage
	group    int
	priority float64
	reads    int // index of the program whose last run it reads; -1: none

	drift float64      // logarithm of the factor by which its runtime has changed
	at    float64      // instant of drift, s from instant 0
	last  policy.JobID // its last run; 0: none
}

func newMixed(g Mixed, past bool) *mixed {
	const stream = 0x6d69786564
	m := &mixed{Mixed: g, seed: g.Seed, past: past, arrivals: *newHeavyTail(g.HeavyTail, stream)}
	for i, p := range m.arrivals.programs {
		m.programs = append(m.programs, m.newProgram(i, p.width))
		if u := draws(g.Seed, readsStream, policy.JobID(i)); i > 0 && u.Float64() < g.Dependent {
			m.programs[i].reads = u.IntN(i)
		}
	}
	if past {
		m.seed = ^g.Seed
		m.arrivals.rng = rand.New(rand.NewPCG(m.seed, stream))
		m.arrivals.clock, m.arrivals.once = -m.arrivals.clock, "before"
	}
	return m
}

// newProgram draws what the runs of a program have in common. Each program number has its own stream of random numbers,
// so changing Gangs leaves the other programs the same. The first stage of a bag or chain has the given width.
func (m *mixed) newProgram(number, width int) *mixedProgram {
	rng := draws(m.seed, mixedStream, policy.JobID(number))
	p := &mixedProgram{group: rng.IntN(m.Groups), reads: -1}
	odd, sign := rng.Float64() < m.NonDefaultPriority, float64(2*rng.IntN(2)-1)
	if odd {
		p.priority = sign
	}
	gang, staged := rng.Float64() < m.Gangs, rng.Float64() < m.Staged
	if gang {
		p.stages = []policy.Stage{{Tasks: uint32(min(max(width, 2), m.MaxGang)), Cores: 1, Gang: true}}
		return p
	}
	p.stages = []policy.Stage{{Tasks: uint32(width), Cores: 1}}
	if !staged {
		return p
	}
	for i := range 1 + rng.IntN(m.MaxStages-1) {
		tasks := math.Round(float64(width) * 0.05 * math.Pow(18/0.05, rng.Float64()))
		p.stages = append(p.stages, policy.Stage{
			Tasks: saturate.To[uint32](min(max(tasks, 1), float64(m.MaxWidth))), Cores: 1,
			Reads: []policy.Dep{{Stage: uint32(i), Pipe: rng.Float64() < m.Pipes}},
		})
	}
	return p
}

// next returns the next job, or the previous one in the past. Call it at most Jobs times.
func (m *mixed) next(id policy.JobID) (*Job, error) {
	h := &m.arrivals
	if err := h.arrive(); err != nil {
		return nil, err
	}
	run, place := h.draw()
	var p *mixedProgram
	if place >= 0 {
		p = m.programs[place]
		days := (h.now - p.at) / 86400
		p.drift += m.Drift * math.Sqrt(days) * h.rng.NormFloat64()
		p.at = h.now
	} else {
		p = m.newProgram(len(m.programs)+h.made, run.width)
	}
	mean := min(run.runtime*math.Exp(p.drift+m.RunSigma*h.rng.NormFloat64()), limits.Seconds)
	submitted := saturate.To[policy.Duration](h.now * 1e9)
	if m.past {
		submitted = -submitted
	}
	j := &Job{Job: policy.Job{
		ID:        id,
		Submitted: policy.Time(submitted),
		At:        m.Start.Add(submitted),
		Attrs: []policy.Attr{
			{Name: "user", Value: run.user},
			{Name: "program", Value: run.name},
			{Name: "group", Value: "g" + strconv.Itoa(p.group)},
		},
		Stages:   slices.Clone(p.stages),
		Priority: p.priority,
	}}
	calendar.Add(&j.Job)
	m.runtimes(j, saturate.To[policy.Duration](math.Round(mean*1e9)), p.group)
	if p.reads >= 0 && m.programs[p.reads].last > 0 {
		j.Inputs = &policy.Inputs{Jobs: []policy.JobID{m.programs[p.reads].last}, Wait: true}
	}
	p.last = id
	if rng := draws(m.seed, requestStream, id); rng.Float64() < m.Requested {
		j.Requested = requested(j, 1/(1-rng.Float64()*(1-1/m.Overestimate)))
	}
	return j, nil
}

// runtimes draws the runtimes of the tasks of a job, with the given mean.
func (m *mixed) runtimes(j *Job, mean policy.Duration, group int) {
	if j.Stages[0].Gang {
		j.Runtimes = [][]policy.Duration{slices.Repeat([]policy.Duration{mean}, int(j.Stages[0].Tasks))}
		return
	}
	j.Luck = &Luck{
		Seed: m.seed, Tail: luck.Tail(group, m.Groups, m.MinTail, m.MaxTail), Bound: m.Bound,
		Base: slices.Repeat([]policy.Duration{mean}, len(j.Stages)),
	}
	j.Runtimes = j.Luck.Runtimes(&j.Job)
}
