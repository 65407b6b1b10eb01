package baseline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// audited is an order whose answers are compared with one another.
type audited struct {
	central.Order
	wants   map[policy.JobID]*central.Job
	touched map[policy.JobID]bool // those about which something has come since the list was made
	list    []*central.Job        // those that want something, in order
	asked   int
	err     error
}

func (o *audited) Note(ev *policy.Event, j *central.Job) error {
	if j != nil {
		o.touched[j.Job.ID] = true
	}
	return o.Order.Note(ev, j)
}

func (o *audited) Claim(j *central.Job, c central.Claim) {
	o.touched[j.Job.ID] = true
	o.Order.Claim(j, c)
	if c.Wants {
		o.wants[j.Job.ID] = j
	} else {
		delete(o.wants, j.Job.ID)
	}
}

// Next checks that the first of those that want something is next.
func (o *audited) Next() *central.Job {
	next := o.Order.Next()
	if next == nil && len(o.wants) > 0 {
		o.err = fmt.Errorf("nobody is next, but %d jobs want something", len(o.wants))
	}
	for _, j := range o.wants {
		if j == next {
			continue
		}
		o.asked++
		if o.Compare(next, j) >= 0 || o.Compare(j, next) <= 0 {
			o.err = fmt.Errorf("job %d is next, but job %d goes before it", next.Job.ID, j.Job.ID)
		}
	}
	return next
}

// settle checks that the order of those about which nothing has come is as it was, unless the order says that
// it has changed.
func (o *audited) settle() {
	var now []*central.Job
	for _, j := range o.wants {
		now = append(now, j)
	}
	slices.SortFunc(now, o.Compare)
	known := func(list []*central.Job) []*central.Job {
		return slices.DeleteFunc(slices.Clone(list), func(j *central.Job) bool { return o.touched[j.Job.ID] })
	}
	if was, is := known(o.list), known(now); !o.Reordered() && !slices.Equal(was, is) {
		o.err = fmt.Errorf("the order has changed of jobs about which nothing has come")
	}
	o.list = now
	clear(o.touched)
}

// whims is a Copier by which jobs want copies at any time, and then get none.
type whims struct {
	rng   *rand.Rand
	wants map[policy.JobID]bool
}

func (*whims) Bind(central.Books) error { return nil }

func (w *whims) Note(ev *policy.Event, j *central.Job, actions []policy.Action) ([]policy.Action, bool) {
	if j != nil {
		w.wants[j.Job.ID] = ev.Kind != policy.Ended && w.rng.IntN(4) == 0
	}
	return actions, false
}

func (*whims) Review(actions []policy.Action) []policy.Action { return actions }

func (w *whims) Wants(j *central.Job) bool { return w.wants[j.Job.ID] }

func (w *whims) Next(j *central.Job, actions []policy.Action) (policy.Task, []policy.Action, bool) {
	w.wants[j.Job.ID] = false
	return policy.Task{}, actions, false
}

func (*whims) Began(_ *central.Job, _ policy.Copy, _ bool, actions []policy.Action) []policy.Action {
	return actions
}

// Of every order, the first of the jobs that want something is next, and it changes only when it says so.
func TestOrdersKeepTheirWord(t *testing.T) {
	for _, test := range orders {
		t.Run(test.name, func(t *testing.T) {
			asked := 0
			for seed := range uint64(40) {
				config := small(seed)
				config.Faults.TaskFailure = 0.1
				config.Jobs, config.Truth = workload.Split(mixed(seed, 30, 16, seed%2 == 1))
				turn := &audited{Order: test.make(config.Truth), wants: map[policy.JobID]*central.Job{}, touched: map[policy.JobID]bool{}}
				copies := &whims{rand.New(rand.NewPCG(seed, 9)), map[policy.JobID]bool{}}
				p := watch{must(central.New(central.Config{Turn: turn, Copy: copies})), func(*policy.Event, []policy.Action) error {
					turn.settle()
					return turn.err
				}}
				if _, err := sim.Run(t.Context(), config, p); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				asked += turn.asked
			}
			if asked < 2000 {
				t.Errorf("%d pairs of jobs were compared, want more", asked)
			}
		})
	}
}
