package baseline

import (
	"fmt"
	"math/rand/v2"

	"example.com/augur/policy"
)

// Random gives each free core to a job drawn at random, all jobs with something to start
// being equally likely (service in random order). If the drawn job's next task, or gang,
// finds no room, all wait until it does.
//
// Step takes constant time for each event and action.
type Random struct {
	view    policy.View[place]
	rng     *rand.Rand
	waiting []*policy.JobView[place] // jobs with something to start
	drawn   *policy.JobView[place]   // whose turn it is, nil if nobody's
}

// place is a job's place in Random.waiting plus one, 0 if it is not there.
type place int

// NewRandom returns a Random policy that draws from src, or an error if that is nil.
func NewRandom(src rand.Source) (*Random, error) {
	if src == nil {
		return nil, fmt.Errorf("baseline: Random without a source of randomness")
	}
	return &Random{rng: rand.New(src)}, nil
}

// Step implements [policy.Scheduler].
func (p *Random) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := p.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	p.note(j)
	if !p.view.Decide(ev) {
		return actions, nil
	}
	for len(p.waiting) > 0 && p.view.Free(0) > 0 { // there is something to draw for
		if p.drawn == nil {
			p.drawn = p.waiting[p.rng.IntN(len(p.waiting))]
		}
		j := p.drawn
		if !p.view.Fits(j) {
			break
		}
		actions = append(actions, p.view.Start(j, 0))
		p.drawn = nil
		p.note(j)
	}
	return actions, nil
}

// note keeps the list of waiting jobs up to date.
func (p *Random) note(j *policy.JobView[place]) {
	if j == nil || (j.Waiting > 0) == (j.Own > 0) {
		return
	}
	if j.Waiting > 0 {
		p.waiting = append(p.waiting, j)
		j.Own = place(len(p.waiting))
		return
	}
	last := len(p.waiting) - 1
	moved := p.waiting[last]
	p.waiting[j.Own-1], moved.Own = moved, j.Own
	p.waiting[last] = nil
	p.waiting, j.Own = p.waiting[:last], 0
	if p.drawn == j {
		p.drawn = nil
	}
}
