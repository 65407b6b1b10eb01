package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// gang makes a job of one gang of one-core tasks, as batch systems run them.
func gang(id policy.JobID, submitted policy.Duration, width uint32, runtime, requested policy.Duration) *workload.Job {
	runtimes := make([]policy.Duration, width)
	for i := range runtimes {
		runtimes[i] = runtime
	}
	j := bag(id, submitted, runtimes...)
	j.Stages[0].Gang = true
	j.Requested = requested
	return j
}

// batch makes jobs that load so many cores. All are gangs that run for at most as long as
// requested, or, if wild, any of what breaks that: bags, jobs that request nothing or too
// little.
func batch(seed uint64, n, cores int, wild bool) (jobs []*workload.Job) {
	rng := rand.New(rand.NewPCG(seed, 8))
	now := policy.Duration(0)
	for id := policy.JobID(1); id <= policy.JobID(n); id++ {
		now += policy.Duration(rng.IntN(12)) * s
		width := uint32(1 + rng.IntN(cores))
		if rng.IntN(3) > 0 {
			width = uint32(1 + rng.IntN(max(1, cores/4)))
		}
		runtime := policy.Duration(1+rng.IntN(20)) * s
		requested := runtime + policy.Duration(rng.IntN(3)*rng.IntN(20))*s
		if !wild {
			jobs = append(jobs, gang(id, now, width, runtime, requested))
			continue
		}
		switch rng.IntN(6) {
		case 0:
			requested = 0
		case 1:
			requested = max(1, requested/4)
		}
		j := gang(id, now, width, runtime, requested)
		if rng.IntN(3) == 0 {
			j.Stages[0].Gang, j.Stages[0].Cores = false, int32(1+rng.IntN(3))
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// literal is EASY as it is told: lists, and a loop over all that waits.
type literal struct {
	jobs      []*literalJob // by ID, the order of their submission
	running   []*literalUnit
	free      int64
	overtaken int // units that started before one of an earlier job
}

type literalJob struct {
	*policy.Job
	waiting int // units
	width   int64
}

type literalUnit struct {
	job  *literalJob
	copy policy.Copy
	end  policy.Time // requested
}

func (l *literal) observe(ev *policy.Event) {
	job := func() *literalJob {
		return l.jobs[slices.IndexFunc(l.jobs, func(j *literalJob) bool { return j.ID == ev.Copy.Job })]
	}
	switch {
	case ev.Kind == policy.Joined:
		l.free += int64(ev.Info.Cores)
	case ev.Kind == policy.Submitted:
		l.jobs = append(l.jobs, &literalJob{Job: ev.Job, width: ev.Job.Stages[0].Width()})
	case ev.Kind == policy.Ready:
		job().waiting = int(job().Stages[0].Units())
	case ev.Kind.End():
		j := job()
		l.free += j.width
		l.running = slices.DeleteFunc(l.running, func(u *literalUnit) bool { return u.copy == ev.Copy })
		if ev.Again {
			j.waiting++
		}
	case ev.Kind == policy.Ended:
		l.jobs = slices.DeleteFunc(l.jobs, func(j *literalJob) bool { return j.ID == ev.Copy.Job })
	}
}

// decide returns the units that start, and the shadow time, 0 if nothing waits.
func (l *literal) decide(now policy.Time) (starts []*literalUnit, shadow policy.Time) {
	extra := int64(0)
	var first *literalJob
	for _, j := range l.jobs {
		end := policy.Time(math.MaxInt64)
		if j.Requested > 0 {
			end = now.Add(j.Requested)
		}
		for j.waiting > 0 {
			if first == nil && j.width > l.free {
				first = j
				shadow, extra = l.shadow(now, j.width)
			}
			if first != nil {
				bySize := j.width <= extra
				byTime := end <= shadow && end < math.MaxInt64
				if j == first || j.width > l.free || !bySize && !byTime {
					break
				}
				if !byTime {
					extra -= j.width
				}
				l.overtaken++
			}
			u := &literalUnit{job: j, end: end}
			starts = append(starts, u)
			l.running = append(l.running, u)
			l.free -= j.width
			j.waiting--
		}
	}
	return starts, shadow
}

// shadow returns the first instant at which so many cores will be free, and how many more.
func (l *literal) shadow(now policy.Time, width int64) (at policy.Time, extra int64) {
	at = math.MaxInt64
	for _, u := range l.running {
		if end := max(u.end, now); end < at && l.freeAt(end) >= width {
			at, extra = end, l.freeAt(end)-width
		}
	}
	return at, extra
}

func (l *literal) freeAt(at policy.Time) int64 {
	free := l.free
	for _, u := range l.running {
		if u.end <= at {
			free += u.job.width
		}
	}
	return free
}

// Whatever EASY starts, at each decision, is what the definition starts, in that order.
func TestEASYAgainstDefinition(t *testing.T) {
	overtaken := 0
	for seed := range uint64(40) {
		const cores = 16
		js, truth := workload.Split(workload.Of(batch(seed, 150, cores, seed%2 == 1)))
		var l literal
		easy := NewEASY()
		p := watch{easy, func(ev *policy.Event, actions []policy.Action) error {
			l.observe(ev)
			if ev.More {
				return nil
			}
			want, reserved := l.decide(ev.Time)
			for i := range max(len(actions), len(want)) {
				if i >= len(actions) || i >= len(want) || actions[i].Copy.Job != want[i].job.ID {
					return fmt.Errorf("%d starts, want %d; number %d differs", len(actions), len(want), i)
				}
				want[i].copy = actions[i].Copy
			}
			if r := easy.Reservation(); r.At != reserved {
				return fmt.Errorf("reserved %+v, want it at %v", r, reserved)
			}
			return nil
		}}
		config := sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: cores, Cores: 1}), Jobs: js, Truth: truth,
			Faults: sim.Faults{Seed: seed, TaskFailure: 0.02},
		}
		if seed%2 == 1 {
			config.Nodes = sim.Cluster(sim.Partition{Nodes: 1, Cores: cores})
		}
		if _, err := sim.Run(t.Context(), config, p); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		overtaken += l.overtaken
	}
	if overtaken < 1000 {
		t.Errorf("%d units overtook others, want more", overtaken)
	}
}

// If no job runs for longer than requested, each starts at the latest when it was told
// first, at the moment when it became the first that waits.
func TestEASYKeepsReservations(t *testing.T) {
	kept, early := 0, 0
	for seed := range uint64(40) {
		const cores = 64
		js, truth := workload.Split(workload.Of(batch(seed, 200, cores, false)))
		reserved := map[policy.JobID]policy.Time{}
		easy := NewEASY()
		p := watch{easy, func(ev *policy.Event, actions []policy.Action) error {
			r := easy.Reservation()
			if _, ok := reserved[r.Job]; r.Job != 0 && !ok {
				reserved[r.Job] = r.At
			}
			for _, a := range actions {
				at, ok := reserved[a.Copy.Job]
				switch {
				case !ok:
				case ev.Time > at:
					return fmt.Errorf("job %d starts at %v, but was reserved for %v", a.Copy.Job, ev.Time, at)
				case ev.Time < at:
					early++
				default:
					kept++
				}
			}
			return nil
		}}
		config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: cores, Cores: 1}), Jobs: js, Truth: truth}
		if _, err := sim.Run(t.Context(), config, p); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	if kept < 100 || early < 100 {
		t.Errorf("%d jobs started when reserved and %d earlier, want more", kept, early)
	}
}
