package baseline

import (
	"cmp"
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// MultifactorConfig describes a Multifactor policy. Its zero value is the example of Slurm's documentation, with
// Slurm's other defaults.
type MultifactorConfig struct {
	// The weights of the factors, 0 to 2^32. Priorities are rounded to whole numbers, so weights below a thousand
	// distinguish few jobs. If all are 0, FairShare is 10,000 and the others are 1,000.
	Age, FairShare, Size, Priority float64

	MaxAge     policy.Duration // waiting time that counts as 1, > 0; 0 means seven days
	FavorSmall bool            // whether the factor of size is 1 for the smallest jobs, not for the largest
	// TopPriority is the [policy.Job.Priority] that counts as 1, > 0 and finite; priorities of 0 and less count as 0;
	// 0 means 1.
	TopPriority float64

	// User names the job attribute by which usage is charged; "" means "user". Jobs without it are charged to one
	// user.
	User     string
	HalfLife policy.Duration // of usage, > 0; 0 means seven days
	// CalcPeriod is the least time between two calculations of priorities, > 0; 0 means five
	// minutes.
	CalcPeriod policy.Duration
}

// withDefaults returns c with its defaults in place of what is 0.
func (c MultifactorConfig) withDefaults() MultifactorConfig {
	const week = 7 * 24 * 3600 * policy.Duration(1e9)
	if c.Age == 0 && c.FairShare == 0 && c.Size == 0 && c.Priority == 0 {
		c.Age, c.FairShare, c.Size, c.Priority = 1000, 10_000, 1000, 1000
	}
	c.MaxAge, c.HalfLife, c.CalcPeriod = cmp.Or(c.MaxAge, week), cmp.Or(c.HalfLife, week), cmp.Or(c.CalcPeriod, 300*1e9)
	c.TopPriority, c.User = cmp.Or(c.TopPriority, 1), cmp.Or(c.User, "user")
	return c
}

// Multifactor orders jobs by a weighted sum of factors between 0 and 1, as in Slurm, greatest first:
//
//   - age: the time since submission divided by MaxAge, at most 1;
//   - fair share: 2^(-U/S), where U is the user's part of the usage of all users, and S the user's share, which is
//     the same for all users so far. Usage is core-seconds, including what still runs, and decays with a half-life;
//   - size: the cores of the job's widest unit (a task, or a whole gang) divided by those of all nodes that ever
//     joined, at most 1; with FavorSmall 1 minus that;
//   - priority: [policy.Job.Priority] divided by TopPriority, between 0 and 1.
//
// Ties go to the earlier submission, then to the smaller ID. Priorities are calculated at the first event after
// CalcPeriod; a job that comes between gets its priority as of the last calculation. Since the order changes, the
// guarantee of [EASY] holds only as long as the same job is first, and jobs for which the host found no room may
// overtake again after each calculation. A restart forgets usage, except that of unfinished jobs.
//
// A step takes time logarithmic in the number of waiting jobs, and a calculation O(n log n + U) for n waiting jobs
// and U users. Each user that has ever come takes some 90 bytes for good. It returns an error that names the field
// that is out of range.
//
// # Source
//
// Slurm's documentation of its multifactor priority plugin and its classic fair-share
// algorithm, slurm.schedmd.com/priority_multifactor.html and classic_fair_share.html. We
// differ: there is no hierarchy of accounts, size counts cores only, and the job's priority
// stands for partition and quality of service.
func Multifactor(c MultifactorConfig) (central.Order, error) {
	c = c.withDefaults()
	for _, w := range []struct {
		name  string
		value float64
	}{{"Age", c.Age}, {"FairShare", c.FairShare}, {"Size", c.Size}, {"Priority", c.Priority}} {
		if !(w.value >= 0 && w.value <= 1<<32) {
			return nil, fmt.Errorf("baseline: MultifactorConfig.%s is %v, want a weight of 0 to 2^32", w.name, w.value)
		}
	}
	for _, d := range []struct {
		name  string
		value policy.Duration
	}{{"MaxAge", c.MaxAge}, {"HalfLife", c.HalfLife}, {"CalcPeriod", c.CalcPeriod}} {
		if d.value <= 0 {
			return nil, fmt.Errorf("baseline: MultifactorConfig.%s is %v, want more than 0", d.name, d.value)
		}
	}
	if !(c.TopPriority > 0) || math.IsInf(c.TopPriority, 0) {
		return nil, fmt.Errorf("baseline: MultifactorConfig.TopPriority is %v, want a finite number above 0", c.TopPriority)
	}
	p := &multifactor{
		config: c, nodes: make(map[policy.NodeID]int32), byName: make(map[string]int32), next: math.MinInt64,
		ordered: inOrder(func(a, b *entry) int {
			if c := cmp.Compare(b.key, a.key); c != 0 {
				return c
			}
			return arrival(a, b)
		}),
	}
	p.fixed = true
	return p, nil
}

// NewMultifactor returns the policy whose turn is [Multifactor] and that backfills as [EASY] does.
func NewMultifactor(c MultifactorConfig) (*central.Scheduler, error) {
	t, err := Multifactor(c)
	if err != nil {
		return nil, err
	}
	return central.New(central.Config{Turn: t, Fill: EASY()})
}

type multifactor struct {
	*ordered
	config    MultifactorConfig
	cores     int64 // of all nodes that ever joined
	nodes     map[policy.NodeID]int32
	users     []account
	byName    map[string]int32 // index in users
	charged   policy.Table[policy.JobID, charged]
	last      policy.Time // of the last calculation
	next      policy.Time // not before then
	scratch   []*entry    // for a calculation
	reordered bool
}

// charged is what Multifactor keeps of a job.
type charged struct {
	widest int64 // cores of the widest unit
	user   int32 // who pays
}

// An account is a user's usage.
type account struct {
	usage  float64 // core-seconds, faded, at the instant since
	rate   int64   // cores that run
	since  policy.Time
	factor float64 // of fair share
}

func (p *multifactor) Note(ev *policy.Event, j *central.Job) error {
	if ev.Kind != policy.Ended {
		_ = p.ordered.Note(ev, j)
	}
	switch {
	case ev.Kind == policy.Joined:
		p.cores += int64(ev.Info.Cores - p.nodes[ev.Node])
		p.nodes[ev.Node] = ev.Info.Cores
	case ev.Kind == policy.Submitted:
		p.charged.Put(j.Job.ID, &charged{widest(j.Job), p.user(j.Job, ev.Time)})
	case j != nil:
		p.charge(j, ev)
	}
	if ev.Time >= p.next {
		p.calculate(ev.Time)
	}
	if j == nil {
		return nil
	}
	e := p.jobs.Get(j.Job.ID)
	if _, queued := p.waiting.Get(e.handle); !queued {
		e.key = p.priority(e)
	}
	if ev.Kind == policy.Ended {
		p.charged.Delete(j.Job.ID)
		return p.ordered.Note(ev, j)
	}
	return nil
}

func (p *multifactor) Reordered() bool {
	before := p.reordered
	p.reordered = false
	return before
}

// user returns the account of a job, which it opens if there is none.
func (p *multifactor) user(j *policy.Job, now policy.Time) int32 {
	name, _ := j.Attr(p.config.User)
	i, ok := p.byName[name]
	if !ok {
		i = int32(len(p.users))
		p.byName[name] = i
		p.users = append(p.users, account{factor: 1, since: now})
	}
	return i
}

// charge takes note of what an event says of a user's usage.
func (p *multifactor) charge(j *central.Job, ev *policy.Event) {
	if ev.Kind < policy.Started || ev.Kind > policy.Lost {
		return // not about a copy
	}
	u, width := &p.users[p.charged.Get(j.Job.ID).user], j.Job.Stages[ev.Copy.Stage].Width()
	p.settle(u, ev.Time)
	switch {
	case ev.Kind == policy.Started, ev.Kind == policy.Resumed:
		u.rate += width
	case ev.Kind == policy.Suspended && !ev.Idle, ev.Kind.End() && !ev.Idle && !ev.Replay:
		u.rate -= width
	}
	if ev.Replay && (ev.Kind == policy.Started || ev.Kind.End()) {
		u.usage += float64(width) * ev.Service.Seconds()
	}
}

// settle updates a user's usage: the old usage has decayed, and of what has run since, the earlier part has decayed
// more.
func (p *multifactor) settle(u *account, now policy.Time) {
	if now == u.since {
		return
	}
	fade := math.Ln2 * now.Sub(u.since).Seconds() / p.config.HalfLife.Seconds()
	added := float64(u.rate) * p.config.HalfLife.Seconds() / math.Ln2 * -math.Expm1(-fade)
	u.usage = u.usage*math.Exp(-fade) + added
	u.since = now
}

// calculate calculates all factors of fair share and the priorities of jobs that wait.
func (p *multifactor) calculate(now policy.Time) {
	p.last, p.next = now, after(now, p.config.CalcPeriod)
	sum := 0.0
	for i := range p.users {
		p.settle(&p.users[i], now)
		sum += p.users[i].usage
	}
	for i := range p.users {
		u := &p.users[i]
		u.factor = 1
		if sum > 0 {
			u.factor = math.Exp2(-u.usage / sum * float64(len(p.users)))
		}
	}
	for e := range p.waiting.All() {
		p.scratch = append(p.scratch, e)
	}
	for _, e := range p.scratch { // all leave before the order changes
		p.waiting.Remove(e.handle)
	}
	for i, e := range p.scratch {
		e.key = p.priority(e)
		e.job.Refused = false // else it might never overtake again, since others become the first
		e.handle = p.waiting.Push(e)
		p.scratch[i] = nil
	}
	p.scratch = p.scratch[:0]
	p.reordered = true
}

// widest returns the cores of a job's widest unit.
func widest(j *policy.Job) (cores int64) {
	for i := range j.Stages {
		cores = max(cores, j.Stages[i].Width())
	}
	return cores
}

// priority returns the priority of a job as of the last calculation.
func (p *multifactor) priority(e *entry) float64 {
	c, j, own := &p.config, e.job.Job, p.charged.Get(e.id)
	age := min(1, max(0, p.last.Sub(j.Submitted).Seconds())/c.MaxAge.Seconds())
	size := 1.0
	if own.widest < p.cores {
		size = float64(own.widest) / float64(p.cores)
	}
	if c.FavorSmall {
		size = 1 - size
	}
	given := min(1, max(0, j.Priority/c.TopPriority))
	return math.Round(c.Age*age + c.FairShare*p.users[own.user].factor + c.Size*size + c.Priority*given)
}
