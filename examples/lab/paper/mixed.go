package paper

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"example.com/augur/internal/calendar"
	"example.com/augur/internal/heavytail"
	"example.com/augur/internal/limits"
	"example.com/augur/internal/luck"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// Mixed generates a workload that combines everything that the five systems deal with: recurring programs whose runtimes
// drift, many tasks, stragglers, heavy tails, stages, gangs, deadlines, priorities, jobs that read the output of others,
// and requested times. None of the papers has such a workload.
//
// Some parameters are a paper's numbers, which the comments in the code name. The others are ours, and none is
// fitted to the results of a policy.
//
// Start from [DefaultMixed]. [Mixed.History] gives earlier jobs for a predictor to learn from. Arrivals, users and
// programs are those of [workload.HeavyTail].
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
// All stages of a run have the same mean task runtime: that of the program, times its drift, times noise of the run. Around
// that mean tasks differ in [workload.Luck], and so do the copies of a task. The attributes are user, program, group, hour and day.
//
// # Source
//
// Wing, section 2.3 (shares of jobs that recur, are blind, or have a higher priority than what they read). Hopper,
// sections 3.3 (tails) and 5.2 (what stages write); the sizes of first stages are those of [Facebook]. 3Sigma, section 5
// (deadlines).
type Mixed struct {
	Seed uint64
	Jobs int  // 1 to 10^8
	Bags bool // none is a gang: those that would be one are as other programs are
}

// DefaultMixed returns the parameters of the workload called mixed: 5,000 jobs over seven hours. As in Wing, 68 % of
// them are runs of programs that recur, of which there are 200. As in 3Sigma, half of them have deadlines. As in Hopper,
// 85 % of the first stages have at most 10 tasks; none has more than 500. With Bags it is mixed-bags.
func DefaultMixed() Mixed { return Mixed{Seed: 1, Jobs: 5000} }

// The parameters of the workload mixed, beside those of heavytail.
const (
	// drift is the sigma by which the logarithm of a recurring program's mean runtime changes in a day. The
	// logarithm is a Brownian motion, so sigma grows with the square root of the time.
	drift = 0.3
	// bound is that of Stragglers. Programs are in groups, all equally likely, and a group has a tail: see luck.Tail.
	bound = 100

	gangs   = 0.1 // share of the programs that are gangs, of 2 to maxGang tasks
	maxGang = 32

	// staged is the share of the other programs that have several stages: 2 to maxStages, equally likely. As in
	// Hopper, a later stage has 0.05 to 18 times the tasks of the first one, uniform in the logarithm. Each reads
	// through a pipe with probability pipes.
	staged    = 0.3
	maxStages = 4
	pipes     = 0.25

	// dependent is the share of the recurring programs whose jobs read the last job of a more popular program,
	// and wait for it. The most popular program reads nothing. In Wing 34 % of the recurring jobs are submitted
	// whether or not their input is there.
	dependent = 0.34
	// nonDefaultPriority is the share of the programs whose priority is 1 or -1, equally likely; the others have
	// priority 0. So about 17 % of the jobs that read have a higher priority than the job that they read. In Wing
	// 80 % of all jobs read, and 13 % of all jobs have a higher priority than one that they read.
	nonDefaultPriority = 0.2

	// requesting is the share of the jobs that request a time. Their longest task runtime, divided by the requested
	// time, is uniform from 1/overestimate to 1.
	requesting   = 0.5
	overestimate = 10.0

	maxMixed = 1e8 // jobs: the last of them arrives before 1e9 s
)

// What is drawn for single programs and jobs has a stream for each, so that no choice depends on another job.
const (
	mixedStream = 6 + iota
	readsStream
	requestStream
)

func draws(seed, kind uint64, id policy.JobID) *rand.Rand {
	return rand.New(rand.NewPCG(seed, kind<<32|uint64(id)))
}

// Source returns the jobs, in order of submission, from instant 0 on. The same values give the same jobs, except that times
// may differ by a nanosecond on another processor architecture. The source ends at a job that has a deadline beyond 1e9 s.
func (g Mixed) Source() (workload.Source, error) {
	if g.Jobs < 1 || g.Jobs > maxMixed {
		return nil, fmt.Errorf("paper: Mixed.Jobs is %d, want 1 to 10^8", g.Jobs)
	}
	d := workload.DefaultDeadlines()
	d.Seed = g.Seed
	return d.Source(func(yield func(*workload.Job, error) bool) {
		m := newMixed(g, false)
		for id := range policy.JobID(g.Jobs) {
			if !yield(m.next(id+1), nil) {
				return
			}
		}
	})
}

// History returns the given number of earlier jobs, 1 to 10^8, for a predictor to learn from: runs of the same recurring
// programs, submitted before instant 0. None has a deadline or reads another one. Their IDs also are 1, 2 and so on. The
// jobs of [Mixed.Source] do not depend on their number. History makes all jobs before it yields the first.
func (g Mixed) History(jobs int) (workload.Source, error) {
	if jobs < 1 || jobs > maxMixed {
		return nil, fmt.Errorf("paper: a history of %d jobs, want 1 to 10^8", jobs)
	}
	return func(yield func(*workload.Job, error) bool) {
		// Arrivals and drift look the same backwards, so the last job comes first.
		m := newMixed(g, true)
		var list []*workload.Job
		for id := policy.JobID(jobs); id > 0; id-- {
			list = append(list, m.next(id))
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
	bags     bool
	seed     uint64              // of the jobs; for the past, not that of the recurring programs
	past     bool                // time runs backwards from instant 0
	arrivals heavytail.Generator // instants and programs of the jobs
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
	m := &mixed{bags: g.Bags, seed: g.Seed, past: past, arrivals: heavytail.Generator{Recurring: 0.68, WidthTail: 0.8, MaxWidth: 500}}
	m.arrivals.Begin(g.Seed, stream)
	for i, p := range m.arrivals.Programs {
		m.programs = append(m.programs, m.newProgram(i, p.Width))
		if u := draws(g.Seed, readsStream, policy.JobID(i)); i > 0 && !past && u.Float64() < dependent {
			m.programs[i].reads = u.IntN(i)
		}
	}
	if past {
		m.seed = ^g.Seed
		m.arrivals.Rng = rand.New(rand.NewPCG(m.seed, stream))
		m.arrivals.Once = "before"
	}
	return m
}

// newProgram draws what the runs of a program have in common. Each program number has its own stream of random numbers,
// so Bags leaves the other programs the same. The first stage of a bag or chain has the given width.
func (m *mixed) newProgram(number, width int) *mixedProgram {
	rng := draws(m.seed, mixedStream, policy.JobID(number))
	p := &mixedProgram{group: rng.IntN(luck.Groups), reads: -1}
	odd, sign := rng.Float64() < nonDefaultPriority, float64(2*rng.IntN(2)-1)
	if odd {
		p.priority = sign
	}
	gang, several := rng.Float64() < gangs, rng.Float64() < staged
	if gang && !m.bags {
		p.stages = []policy.Stage{{Tasks: uint32(min(max(width, 2), maxGang)), Cores: 1, Gang: true}}
		return p
	}
	p.stages = []policy.Stage{{Tasks: uint32(width), Cores: 1}}
	if !several {
		return p
	}
	for i := range 1 + rng.IntN(maxStages-1) {
		tasks := math.Round(float64(width) * 0.05 * math.Pow(18/0.05, rng.Float64()))
		p.stages = append(p.stages, policy.Stage{
			Tasks: saturate.To[uint32](min(max(tasks, 1), float64(m.arrivals.MaxWidth))), Cores: 1,
			Reads: []policy.Dep{{Stage: uint32(i), Pipe: rng.Float64() < pipes}},
		})
	}
	return p
}

// next returns the next job, or the previous one in the past.
func (m *mixed) next(id policy.JobID) *workload.Job {
	h := &m.arrivals
	h.Arrive()
	run, place := h.Draw()
	var p *mixedProgram
	if place >= 0 {
		p = m.programs[place]
		days := (h.Now - p.at) / 86400
		p.drift += drift * math.Sqrt(days) * h.Rng.NormFloat64()
		p.at = h.Now
	} else {
		p = m.newProgram(len(m.programs)+h.Made, run.Width)
	}
	mean := min(run.Runtime*math.Exp(p.drift+heavytail.RunSigma*h.Rng.NormFloat64()), limits.Seconds)
	submitted := saturate.To[policy.Duration](h.Now * 1e9)
	if m.past {
		submitted = -submitted
	}
	j := &workload.Job{Job: policy.Job{
		ID:        id,
		Submitted: policy.Time(submitted),
		At:        heavytail.Start.Add(submitted),
		Attrs: []policy.Attr{
			{Name: "user", Value: run.User},
			{Name: "program", Value: run.Name},
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
	if rng := draws(m.seed, requestStream, id); rng.Float64() < requesting {
		longest := policy.Duration(0)
		for _, tasks := range j.Runtimes {
			longest = max(longest, slices.Max(tasks))
		}
		factor := 1 / (1 - rng.Float64()*(1-1/overestimate))
		j.Requested = saturate.To[policy.Duration](min(max(math.Round(float64(longest)*factor), 1), limits.Seconds*1e9))
	}
	return j
}

// runtimes draws the runtimes of the tasks of a job, with the given mean.
func (m *mixed) runtimes(j *workload.Job, mean policy.Duration, group int) {
	if j.Stages[0].Gang {
		j.Runtimes = [][]policy.Duration{slices.Repeat([]policy.Duration{mean}, int(j.Stages[0].Tasks))}
		return
	}
	j.Luck = &workload.Luck{
		Seed: m.seed, Tail: luck.Tail(group), Bound: bound,
		Base: slices.Repeat([]policy.Duration{mean}, len(j.Stages)),
	}
	j.Runtimes = j.Luck.Runtimes(&j.Job)
}
