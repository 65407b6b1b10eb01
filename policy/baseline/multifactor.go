package baseline

import (
	"cmp"
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// MultifactorConfig has the weights of the factors of [Multifactor], 0 to 2^32. Priorities are rounded to whole numbers, so
// weights below a thousand distinguish few jobs. If all are 0, they are those of the example in Slurm's documentation:
// FairShare is 10,000 and the others are 1,000.
type MultifactorConfig struct{ Age, FairShare, Size, Priority float64 }

// Multifactor orders jobs by a weighted sum of factors between 0 and 1, as in Slurm, greatest first:
//
//   - age: the time since submission divided by seven days, at most 1;
//   - fair share: 2^(-U/S), where U is the user's part of the usage of all users, and S the user's share, which is
//     the same for all users so far. The user is the job's attribute "user"; jobs without it are charged to one user.
//     Usage is core-seconds, including what still runs, and decays with a half-life of seven days;
//   - size: the cores of the job's widest unit (a task, or a whole gang) divided by those of all nodes that ever
//     joined, at most 1;
//   - priority: [policy.Job.Priority], between 0 and 1.
//
// Ties go to the earlier submission, then to the smaller ID. Priorities are calculated at the first event after
// five minutes, as in Slurm; a job that comes between gets its priority as of the last calculation. Since the order changes, the
// guarantee of [EASY] holds only as long as the same job is first. A restart without [policy.Keeper]'s Load forgets usage, except that of unfinished jobs.
//
// A step takes time logarithmic in the number of waiting jobs, and a calculation O(n log n + U) for n waiting jobs
// and U users. Each user that has ever come takes some 90 bytes for good. It returns an error that names the weight
// that is out of range.
//
// # Source
//
// Slurm's documentation of its multifactor priority plugin and its classic fair-share
// algorithm, slurm.schedmd.com/priority_multifactor.html and classic_fair_share.html. We
// differ: there is no hierarchy of accounts, size counts cores only, and the job's priority
// stands for partition and quality of service.
func Multifactor(c MultifactorConfig) (central.Order, error) {
	if c == (MultifactorConfig{}) {
		c = MultifactorConfig{Age: 1000, FairShare: 10_000, Size: 1000, Priority: 1000}
	}
	for _, w := range []struct {
		name  string
		value float64
	}{{"Age", c.Age}, {"FairShare", c.FairShare}, {"Size", c.Size}, {"Priority", c.Priority}} {
		if !(w.value >= 0 && w.value <= 1<<32) {
			return nil, fmt.Errorf("baseline: MultifactorConfig.%s is %v, want a weight of 0 to 2^32", w.name, w.value)
		}
	}
	const week = 7 * 24 * 3600 * policy.Duration(1e9)
	p := &multifactor{
		weights: c, maxAge: week, halfLife: week, period: 300e9, next: math.MinInt64,
		nodes: make(map[policy.NodeID]int32), byName: make(map[string]int32),
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
	weights   MultifactorConfig
	maxAge    policy.Duration // waiting time that counts as 1; shorter in tests, as the next two
	halfLife  policy.Duration // of usage
	period    policy.Duration // between two calculations
	cores     int64           // of all nodes that ever joined
	nodes     map[policy.NodeID]int32
	users     []account
	byName    map[string]int32 // index in users
	charged   policy.Table[policy.JobID, charged]
	last      policy.Time // of the last calculation
	next      policy.Time // not before then
	scratch   []*entry    // for a calculation
	reordered bool
	loaded    bool // usage is that of a snapshot, with what ran then
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
	name, _ := j.Attr("user")
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
	if ev.Replay && !p.loaded && (ev.Kind == policy.Started || ev.Kind.End()) {
		u.usage += float64(width) * ev.Service.Seconds()
	}
}

// settle updates a user's usage: the old usage has decayed, and of what has run since, the earlier part has decayed
// more.
func (p *multifactor) settle(u *account, now policy.Time) {
	if now <= u.since {
		return
	}
	fade := math.Ln2 * now.Sub(u.since).Seconds() / p.halfLife.Seconds()
	added := float64(u.rate) * p.halfLife.Seconds() / math.Ln2 * -math.Expm1(-fade)
	u.usage = u.usage*math.Exp(-fade) + added
	u.since = now
}

// calculate calculates all factors of fair share and the priorities of jobs that wait.
func (p *multifactor) calculate(now policy.Time) {
	p.last, p.next = now, after(now, p.period)
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
	w, j, own := &p.weights, e.job.Job, p.charged.Get(e.id)
	age := min(1, max(0, p.last.Sub(j.Submitted).Seconds())/p.maxAge.Seconds())
	size := 1.0
	if own.widest < p.cores {
		size = float64(own.widest) / float64(p.cores)
	}
	given := min(1, max(0, j.Priority))
	return math.Round(w.Age*age + w.FairShare*p.users[own.user].factor + w.Size*size + w.Priority*given)
}
