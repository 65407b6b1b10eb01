package pool

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"example.com/augur/predict"
	"example.com/augur/queue"
)

// A naiveQueue keeps its tasks in a list, and looks at all of them for the next one. To list several it starts them in a copy.
type naiveQueue struct {
	Config
	history *predict.Predictor
	learned int // tasks
	shares  *queue.Sharing[string]
	tenants map[string]naiveTenant
	tasks   []naiveTask
	number  int
	served  float64
	count   float64
	found   int // tasks that have ended and had no prediction when they started
}

type naiveTenant struct {
	share     queue.Handle
	exploring int
	found     int
	owed      float64
}

type naiveTask struct {
	id, number             int
	attrs                  predict.Attrs
	like                   string // tasks that are alike have the same
	at, due                time.Duration
	rank, predicted, held  float64
	learned                int
	known, nameless, novel bool
	runs                   bool
}

func (q *naiveQueue) copy() *naiveQueue {
	c := *q
	c.shares, c.tasks, c.tenants = q.shares.Clone(), slices.Clone(q.tasks), maps.Clone(q.tenants)
	return &c
}

// held reports whether a limit holds back a task.
func (q *naiveQueue) held(t *naiveTask) bool {
	for _, l := range q.Limits {
		value, ok := t.attrs[l.Attr]
		own := slices.ContainsFunc(q.Limits, func(o Limit) bool { return o.Attr == l.Attr && o.Value == value })
		if !ok || l.Value != value && (l.Value != "" || own) {
			continue
		}
		n := 0
		for _, o := range q.tasks {
			if v, ok := o.attrs[l.Attr]; o.runs && ok && v == value {
				n++
			}
		}
		if n >= l.Running {
			return true
		}
	}
	return false
}

// like names what a task is like: its features and its limits.
func (q *naiveQueue) like(attrs predict.Attrs) string {
	like := map[string]string{}
	for name, value := range attrs {
		applies := func(l Limit) bool { return l.Attr == name && (l.Value == value || l.Value == "") }
		if name == "kind" || name == "size" || name == "tenant" || slices.ContainsFunc(q.Limits, applies) {
			like[name] = value
		}
	}
	return fmt.Sprint(like)
}

// believe gives those that wait and are like a task its prediction, and its rank if they move.
func (q *naiveQueue) believe(t *naiveTask, move bool) {
	for i := range q.tasks {
		if o := &q.tasks[i]; !o.runs && o.like == t.like {
			o.predicted, o.known, o.nameless, o.learned = t.predicted, t.known, t.nameless, t.learned
			if move {
				o.rank = max(t.predicted, minRank)
			}
		}
	}
}

// some returns the tasks of a tenant that wait and may start, of which something is known or not.
func (q *naiveQueue) some(tenant string, known bool) (list []*naiveTask) {
	for i := range q.tasks {
		if t := &q.tasks[i]; !t.runs && t.attrs["tenant"] == tenant && t.known == known && !q.held(t) {
			list = append(list, t)
		}
	}
	return list
}

// settle lets the tenants wait for turns that have something to start.
func (q *naiveQueue) settle() {
	for _, name := range []string{"a", "b", "c"} {
		if t, ok := q.tenants[name]; ok {
			if len(q.some(name, true))+len(q.some(name, false)) > 0 {
				q.shares.Join(t.share)
			} else {
				q.shares.Leave(t.share)
			}
		}
	}
}

func (q *naiveQueue) find(id int) int {
	return slices.IndexFunc(q.tasks, func(t naiveTask) bool { return t.id == id })
}

func (q *naiveQueue) predict(t *naiveTask, now time.Time) {
	t.learned = q.learned
	if q.Order == Index {
		t.predicted, t.known = q.history.Mean(t.attrs, now)
	} else {
		t.predicted, t.known = q.history.Estimate(t.attrs, now)
	}
	t.nameless = !t.known && !q.history.HasFeature(t.attrs)
}

func (q *naiveQueue) review(t *naiveTask, now time.Time) bool {
	if t.learned == q.learned {
		return false
	}
	before := t.known
	q.predict(t, now)
	move := q.Order != FirstCome && (t.known != before || t.known && t.predicted > 2*t.rank)
	q.believe(t, move)
	return move
}

func byAgeNaive(a, b *naiveTask) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.number, b.number))
}

// next returns the task whose turn it is, or -1.
func (q *naiveQueue) next(at time.Duration, now time.Time, workers int) int {
	running := []*naiveTask{}
	for i := range q.tasks {
		if q.tasks[i].runs {
			running = append(running, &q.tasks[i])
		}
	}
	for len(running) > 0 {
		t := slices.MinFunc(running, func(a, b *naiveTask) int { return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.number, b.number)) })
		if t.due > at {
			break
		}
		q.shares.Hold(q.tenants[t.attrs["tenant"]].share, t.held)
		t.due += seconds(t.held)
		t.held *= 2
	}
	name, ok := q.shares.Next()
	if !ok {
		q.shares.EndBusyPeriod()
		return -1
	}
	for first := true; ; first = false {
		known, unknown, n := q.some(name, true), q.some(name, false), q.tenants[name]
		all := slices.Concat(known, unknown)
		oldest := slices.MinFunc(all, byAgeNaive)
		if q.Order == FirstCome || at-oldest.at >= q.MaxWait {
			q.review(oldest, now)
			return q.find(oldest.id)
		}
		if first && n.found != q.found {
			n.found = q.found
			q.tenants[name] = n
			for i := range q.tasks {
				if t := &q.tasks[i]; !t.runs && !t.known && t.attrs["tenant"] == name {
					q.review(t, now)
				}
			}
			continue
		}
		var next *naiveTask
		if len(known) > 0 {
			key := func(t *naiveTask) float64 { return math.Log(t.rank) + float64(t.at)/float64(q.MaxWait) }
			next = slices.MinFunc(known, func(a, b *naiveTask) int { return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(a.number, b.number)) })
		}
		if len(unknown) > 0 {
			first, limit := slices.MinFunc(unknown, byAgeNaive), 1
			waiting, blank := 0, 0
			for _, t := range q.tasks {
				if !t.runs && t.attrs["tenant"] == name {
					waiting++
					if !t.known {
						blank++
					}
				}
			}
			if first.nameless {
				limit = max(1, workers*blank/waiting)
			}
			if next == nil || n.exploring < limit && n.owed <= next.rank {
				next = first
			}
		}
		if !q.review(next, now) {
			return q.find(next.id)
		}
	}
}

func (q *naiveQueue) start(i int, at time.Duration) {
	t := &q.tasks[i]
	name := t.attrs["tenant"]
	n := q.tenants[name]
	t.runs = true
	if t.novel = !t.known; t.novel {
		n.exploring++
	}
	switch {
	case t.known:
		t.held = max(t.predicted, minRank)
	case q.count > 0:
		t.held = max(q.served/q.count, minRank)
	default:
		t.held = 1
	}
	t.due = at + seconds(t.held)
	q.shares.Hold(n.share, t.held)
	if !slices.ContainsFunc(q.tasks, func(o naiveTask) bool { return !o.runs && o.known && o.attrs["tenant"] == name }) {
		n.owed = 0
	}
	q.tenants[name] = n
	q.settle()
}

func (q *naiveQueue) list(n int, at time.Duration, now time.Time) (ids []int) {
	running := 0
	for _, t := range q.tasks {
		if t.runs {
			running++
		}
	}
	c := q
	for len(ids) < n {
		i := c.next(at, now, running+n)
		if i < 0 {
			break
		}
		ids = append(ids, c.tasks[i].id)
		// What was predicted anew is remembered, and what was started is not.
		for _, t := range c.tasks {
			old := &q.tasks[q.find(t.id)]
			old.rank, old.predicted, old.known, old.nameless, old.learned = t.rank, t.predicted, t.known, t.nameless, t.learned
			if old.runs {
				old.due, old.held = t.due, t.held
			}
		}
		for name, t := range c.tenants {
			was := q.tenants[name]
			was.found = t.found
			q.tenants[name] = was
		}
		if c == q {
			c = q.copy()
		}
		c.start(i, at)
	}
	return ids
}

// A random script gives the same answers of a Queue and of a naive one, with few kinds and with many: with limits and one tenant, with
// three tenants, and with limits that each apply to one of three tenants. Tenants that a limit lets go on at the same instant have no
// order that a naive queue could know.
func TestQueueIsTheNaiveOne(t *testing.T) {
	for seed := range uint64(120) {
		if err := queueTrial(rand.New(rand.NewPCG(seed, 9))); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

func queueTrial(rng *rand.Rand) error {
	tenants, mode, kinds := []string{"a"}, rng.IntN(3), 4+rng.IntN(2)*30
	c := Config{Order: Order(1 + rng.IntN(3)), Features: []string{"kind", "kind+size"}, MaxWait: time.Duration(1+rng.IntN(2000)) * time.Second, Tenant: "tenant"}
	switch mode {
	case 0:
		c.Limits = []Limit{{"kind", "a0", 2}, {"customer", "", 1}, {"customer", "7", 2}, {"kind", "", 3}, {"size", "1", 2}, {"tenant", "", 1 + rng.IntN(6)}}
	case 1:
		c.Limits = []Limit{{"kind", "a0", 2}, {"kind", "", 1}, {"tenant", "", 4}, {"tenant", "b", 1}}
	}
	rng.Shuffle(len(c.Limits), func(i, j int) { c.Limits[i], c.Limits[j] = c.Limits[j], c.Limits[i] })
	c.Limits = c.Limits[:rng.IntN(len(c.Limits)+1)]
	if mode > 0 {
		tenants, c.Weights = []string{"a", "b", "c"}, map[string]float64{"a": 1, "b": 2, "c": 4}
	}
	q, err := NewQueue[int](c)
	if err != nil {
		return err
	}
	naive := &naiveQueue{Config: q.core.config, tenants: map[string]naiveTenant{}}
	naive.history, _ = predict.New(predict.Config{Features: c.Features})
	naive.shares, _ = queue.NewSharing[string](queue.ByService)
	for i, name := range tenants {
		share, _ := naive.shares.Add(name, float64(int(1)<<i))
		naive.tenants[name] = naiveTenant{share: share}
	}
	begin := time.Unix(1000, 0)
	at := time.Duration(0)
	q.core.since(begin)
	for step := range 400 {
		at += time.Duration(rng.IntN(3)*rng.IntN(40)) * time.Second / 4
		now := begin.Add(at)
		id := rng.IntN(step + 1)
		switch i := naive.find(id); rng.IntN(8) {
		case 0, 1, 2: // Add
			kind, tenant := rng.IntN(kinds), tenants[rng.IntN(len(tenants))]
			attrs := predict.Attrs{"kind": tenant[:rng.IntN(2)] + strconv.Itoa(kind), "size": strconv.Itoa(rng.IntN(3)), "tenant": tenant, "customer": strconv.Itoa(rng.IntN(40))}
			if rng.IntN(10) == 0 {
				delete(attrs, "kind")
			}
			age := time.Duration(rng.IntN(2)*rng.IntN(100)) * time.Second
			if got, want := q.Add(step, attrs, now.Add(-age)), true; got != want {
				return fmt.Errorf("step %d: Add is %v", step, got)
			}
			naive.number++
			task := naiveTask{id: step, number: naive.number, attrs: attrs, like: naive.like(attrs), at: at - age}
			naive.predict(&task, now.Add(-age))
			alike := slices.IndexFunc(naive.tasks, func(o naiveTask) bool { return !o.runs && o.like == task.like })
			if alike >= 0 && naive.tasks[alike].learned == naive.learned {
				task.rank = naive.tasks[alike].rank
				naive.tasks = append(naive.tasks, task)
			} else {
				naive.tasks = append(naive.tasks, task)
				naive.believe(&task, true)
			}
			naive.settle()
		case 3, 4: // Next, and all start
			n := 1 + rng.IntN(5)
			var want []int
			for range 2 { // the second time, more has been predicted anew
				want = naive.list(n, at, now)
				if got := q.Next(n, now); !slices.Equal(got, want) {
					return fmt.Errorf("step %d: Next(%d) is %v, want %v", step, n, got, want)
				}
			}
			for _, id := range want[:rng.IntN(len(want)+1)] {
				q.Started(id, now)
				naive.start(naive.find(id), at)
			}
		case 5, 6: // Ended, of one that runs
			running := slices.DeleteFunc(slices.Clone(naive.tasks), func(t naiveTask) bool { return !t.runs })
			if len(running) == 0 {
				continue
			}
			task := running[rng.IntN(len(running))]
			took := time.Duration(float64(int(1)<<(2*len(task.attrs["kind"])+rng.IntN(6))) * float64(time.Second))
			var failed error
			if rng.IntN(5) == 0 {
				failed = errors.New("failed")
			}
			q.Ended(task.id, took, failed, now)
			naive.end(naive.find(task.id), took.Seconds(), failed, now)
		case 7: // Remove of one that waits
			if i < 0 || naive.tasks[i].runs {
				continue
			}
			q.Remove(id)
			name := naive.tasks[i].attrs["tenant"]
			naive.tasks = slices.Delete(naive.tasks, i, i+1)
			n := naive.tenants[name]
			if !slices.ContainsFunc(naive.tasks, func(o naiveTask) bool { return !o.runs && o.known && o.attrs["tenant"] == name }) {
				n.owed = 0
			}
			naive.tenants[name] = n
			naive.settle()
		}
		if got := q.Stats(); got.Waiting+got.Running != len(naive.tasks) {
			return fmt.Errorf("step %d: %+v, want %d tasks", step, got, len(naive.tasks))
		}
	}
	return nil
}

func (q *naiveQueue) end(i int, took float64, failed error, now time.Time) {
	t := q.tasks[i]
	name := t.attrs["tenant"]
	if failed != nil {
		_ = q.history.ObserveCensored(t.attrs, took, now)
	} else {
		_ = q.history.Observe(t.attrs, took, now)
	}
	q.learned++
	q.tasks = slices.Delete(q.tasks, i, i+1)
	q.settle()
	n := q.tenants[name]
	if t.novel {
		n.exploring--
		n.owed = took
		if !t.nameless {
			q.found++
		}
	} else {
		n.owed -= took
	}
	q.tenants[name] = n
	q.served += took
	q.count++
	q.shares.Charge(n.share, took)
	q.shares.Hold(n.share, -t.held)
}
