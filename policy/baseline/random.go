package baseline

import (
	"fmt"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Random gives each free core to a random job, with equal probability for all jobs with something to start (service
// in random order). If the drawn job's next task, or gang, finds no room, all wait until it does. A step takes
// constant time. It returns an error if src is nil.
func Random(src rand.Source) (central.Turn, error) {
	if src == nil {
		return nil, fmt.Errorf("baseline: Random without a source of randomness, want one, such as rand.NewPCG(1, 2)")
	}
	return &random{src: src, rng: rand.New(src)}, nil
}

// NewRandom returns the policy whose turn is [Random].
func NewRandom(src rand.Source) (*central.Scheduler, error) {
	t, err := Random(src)
	if err != nil {
		return nil, err
	}
	return of(t), nil
}

type random struct {
	src     rand.Source
	rng     *rand.Rand                      // of src
	at      policy.Table[policy.JobID, int] // the place of a job in waiting plus one, 0 if it is not there
	waiting []*central.Job                  // jobs with something to start
	drawn   *central.Job                    // whose turn it is, nil if nobody's
}

// Bind implements [central.Part].
func (*random) Bind(central.Books) error { return nil }

func (p *random) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		p.at.Put(j.Job.ID, new(int))
	case policy.Ended:
		p.at.Delete(j.Job.ID)
	}
	return nil
}

// Began hears of a start: the next core is drawn for anew.
func (p *random) Began(*central.Job, policy.Copy, bool) { p.drawn = nil }

func (p *random) Next() *central.Job {
	if p.drawn == nil && len(p.waiting) > 0 {
		p.drawn = p.waiting[p.rng.IntN(len(p.waiting))]
	}
	return p.drawn
}

func (p *random) Update(j *central.Job, u central.Usage) {
	at := p.at.Get(j.Job.ID)
	if u.Wants == (*at > 0) {
		return
	}
	if u.Wants {
		p.waiting = append(p.waiting, j)
		*at = len(p.waiting)
		return
	}
	last := len(p.waiting) - 1
	moved := p.waiting[last]
	*p.at.Get(moved.Job.ID) = *at
	p.waiting[*at-1] = moved
	p.waiting[last] = nil
	p.waiting, *at = p.waiting[:last], 0
	if p.drawn == j {
		p.drawn = nil
	}
}
