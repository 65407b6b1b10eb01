package workload

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"example.com/augur/internal/calendar"
	"example.com/augur/internal/limits"
	"example.com/augur/internal/luck"
	"example.com/augur/policy"
)

// mixed makes the jobs of a Mixed, one after the other.
type mixed struct {
	Mixed
	seed     uint64    // of the jobs; in the past another one than that of the recurring programs
	past     bool      // time runs backwards from instant 0
	arrivals heavyTail // and which programs run
	programs []*mixedProgram
}

// A mixedProgram is what the runs of a program have in common.
type mixedProgram struct {
	stages   []policy.Stage
	group    int
	priority float64
	reads    int // the place of the program whose last run it reads; -1: none

	drift float64      // the logarithm of the factor by which its runtime has changed
	at    float64      // when it had, s from instant 0
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

// newProgram draws what the runs of a program have in common. The program with that number has random numbers of its
// own, so Gangs can be changed and all other programs stay. The first stage of a bag or chain has the width.
func (m *mixed) newProgram(number, width int) *mixedProgram {
	rng := draws(m.seed, mixedStream, policy.JobID(number))
	p := &mixedProgram{group: rng.IntN(m.Groups), reads: -1}
	odd, sign := rng.Float64() < m.Odd, float64(2*rng.IntN(2)-1)
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
	for i := range 1 + rng.IntN(m.MostStages-1) {
		tasks := math.Round(float64(width) * 0.05 * math.Pow(18/0.05, rng.Float64()))
		p.stages = append(p.stages, policy.Stage{
			Tasks: uint32(min(max(tasks, 1), float64(m.MaxWidth))), Cores: 1,
			Reads: []policy.Dep{{Stage: uint32(i), Pipe: rng.Float64() < m.Pipes}},
		})
	}
	return p
}

// next returns the next job, or, in the past, the one before. It is called at most Jobs times.
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
		p.drift += float64(m.Drift * math.Sqrt(days) * h.rng.NormFloat64())
		p.at = h.now
	} else {
		p = m.newProgram(len(m.programs)+h.made, run.width)
	}
	mean := min(run.runtime*math.Exp(p.drift+float64(m.RunSigma*h.rng.NormFloat64())), limits.Seconds)
	submitted := policy.Duration(h.now * 1e9)
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
	m.runtimes(j, policy.Duration(math.Round(mean*1e9)), p.group)
	if p.reads >= 0 && m.programs[p.reads].last > 0 {
		j.Inputs = &policy.Inputs{Jobs: []policy.JobID{m.programs[p.reads].last}, Wait: true}
	}
	p.last = id
	if rng := draws(m.seed, requestStream, id); rng.Float64() < m.Requested {
		j.Requested = requested(j, 1/(1-float64(rng.Float64()*(1-1/m.Overestimate))))
	}
	return j, nil
}

// runtimes lets the tasks of a job run for so long in the mean.
func (m *mixed) runtimes(j *Job, mean policy.Duration, group int) {
	if j.Stages[0].Gang {
		j.Runtimes = [][]policy.Duration{slices.Repeat([]policy.Duration{mean}, int(j.Stages[0].Tasks))}
		return
	}
	j.Luck = &Luck{
		Seed: m.seed, Tail: luck.Tail(group, m.Groups, m.LeastTail, m.MostTail), Bound: m.Bound,
		Base: slices.Repeat([]policy.Duration{mean}, len(j.Stages)),
	}
	j.Runtimes = j.Luck.Runtimes(&j.Job)
}
