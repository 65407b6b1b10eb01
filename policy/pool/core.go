package pool

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"example.com/augur/predict"
	"example.com/augur/queue"
)

// A core is what a [Pool] and a [Queue] share: the tasks that wait, in their order, and what counts of those that run. It starts
// nothing and reads no clock. One caller at a time may use it, but for predict and learn.
type core struct {
	config   Config
	aging    queue.Aging        // of MaxWait
	history  *predict.Predictor // nil: it learns nothing
	learned  atomic.Uint32      // tasks
	began    time.Time          // instants are nanoseconds since then
	begins   bool               // it has begun
	tenanted bool               // some task had the attribute of Config.Tenant

	tenants map[string]*tenant
	shares  *queue.Sharing[*tenant] // those that have tasks that may start take turns
	due     *queue.Heap[place]      // of the tasks that run: when, ns, they will have taken longer than is held for them
	bounds  []*bound                // of tasks that run, by attribute
	refill  func(*tenant)           // is called when a task has left the queue of its tenant; nil: nothing is
	number  uint64                  // of the last task
	running int
	sweep   int // number of tenants at which to look for some to forget

	served    float64 // s, by all tasks that have run
	count     float64 // of them
	explorers int     // tasks that have ended, had a feature, and had no prediction when they started
}

// A tenant has the tasks of one tenant.
type tenant struct {
	name    string
	share   queue.Handle
	kept    bool // it has a weight of its own
	root    branch
	blocked *queue.Heap[*Task] // of a Pool, those that are not accepted yet, the oldest first; nil if there never was one
	waiting int                // tasks
	unknown int                // of these, those of which nothing is known
	running int

	exploring int     // tasks that run and of which nothing was known when they started
	explored  int     // core.explorers when what waits was predicted again
	owed      float64 // s, that shorter known tasks are to have before one explores again
}

// A place is that of a task in a heap: the least key goes first, and of equal ones the task that was submitted first.
type place struct {
	key    float64
	number uint64
	*entry
}

func compare(a, b place) int {
	switch {
	case a.key < b.key:
		return -1
	case a.key > b.key:
		return 1
	}
	return cmp.Compare(a.number, b.number)
}

// An entry is a task of a core.
type entry struct {
	forecast // while the task waits, that of its group holds
	owner    any
	tenant   *tenant
	group    *group // nil until it is added
	attrs    predict.Prepared
	at       int64        // when it was submitted
	number   uint64       // the order of submission
	told     float64      // the first estimate, s; NaN: there was none
	held     float64      // s, that the tenant is charged with while the task runs
	newer    *entry       // in ages of the group
	older    *entry       // in ages of the group
	age      queue.Handle // in the strays there
	turn     queue.Handle // in due, or in blocked of the tenant
	novel    bool         // nothing was known of it when it started
	runs     bool
}

// newCore makes a core of a Config that has been checked. The error names the field that is wrong.
func newCore(path string, c Config) (*core, error) {
	if c.Tenant == "" && len(c.Weights) > 0 {
		return nil, errors.New("pool: Config.Weights has tenants, but Config.Tenant is empty: name the attribute that tells tenants apart")
	}
	if strings.Contains(c.Tenant, "+") {
		return nil, fmt.Errorf("pool: Config.Tenant is %q, want one attribute: give tasks one that has both values", c.Tenant)
	}
	bounds, err := newBounds(c.Limits, c.Tenant)
	if err != nil {
		return nil, err
	}
	aging, err := queue.NewAging(c.MaxWait, minRank)
	if err != nil {
		return nil, err // MaxWait is more than 0
	}
	o := &core{config: c, aging: aging, tenants: make(map[string]*tenant), bounds: bounds, due: queue.NewHeap(compare)}
	switch {
	case len(c.Features) > 0 && path != "":
		o.history, err = predict.Open(path, predict.Config{Features: c.Features})
	case len(c.Features) > 0:
		o.history, err = predict.New(predict.Config{Features: c.Features})
	case path != "":
		err = errNoFeatures
	}
	if err != nil {
		return nil, fmt.Errorf("pool: %w", err)
	}
	o.shares, _ = queue.NewSharing[*tenant](queue.ByService)
	for _, name := range slices.Sorted(maps.Keys(c.Weights)) {
		if err := o.setWeight(name, c.Weights[name]); err != nil {
			return nil, fmt.Errorf("pool: Config.Weights of tenant %q: %w", name, err)
		}
	}
	if o.tenants[""] == nil {
		o.addTenant("").kept = true
	}
	return o, nil
}

var errNoFeatures = errors.New("Config.Features is empty, so nothing is learned that a file could keep: name attributes")

// since returns an instant in nanoseconds. The first call, for which it returns 0, sets where they begin.
func (c *core) since(t time.Time) int64 {
	if !c.begins {
		c.began, c.begins = t, true
	}
	return int64(t.Sub(c.began))
}

// prepare readies a new task, which is submitted now, and predicts it.
func (c *core) prepare(e *entry, attrs predict.Job, now time.Time) {
	e.told = math.NaN()
	if c.history == nil {
		return
	}
	c.history.Prepare(&e.attrs, attrs)
	e.forecast = c.predict(&e.attrs, now)
	if e.known {
		e.told = e.predicted
	}
	if e.known && c.config.Order == Index {
		e.told, _ = c.history.Estimate(&e.attrs, now)
	}
}

// tenantOf returns the tenant of a task with these attributes.
func (c *core) tenantOf(attrs predict.Job) *tenant {
	name := c.nameOf(attrs)
	c.tenanted = c.tenanted || name != ""
	if t := c.tenants[name]; t != nil {
		return t
	}
	return c.addTenant(name)
}

func (c *core) nameOf(attrs predict.Job) (name string) {
	if c.config.Tenant != "" && attrs != nil {
		name, _ = attrs.Attr(c.config.Tenant)
	}
	return name
}

// submit gives a task its tenant and its number.
func (c *core) submit(e *entry, t *tenant, submitted time.Time) {
	c.number++
	e.tenant, e.number, e.at = t, c.number, c.since(submitted)
}

// add puts a task into the queue that was submitted.
func (c *core) add(e *entry, attrs predict.Job) {
	g := c.groupOf(e, attrs)
	e.group = g
	if g.open++; g.waiting == 0 || int32(e.learned-g.learned) > 0 { // else the task was blocked for long
		g.believe(e.forecast)
		c.place(g)
	}
	c.put(e)
}

// put puts a task into its queue.
func (c *core) put(e *entry) {
	t, g := e.tenant, e.group
	g.waiting++
	t.waiting++
	if !g.known {
		t.unknown++
	}
	if g.ages.push(e); g.ages.first() == e {
		c.settle(g)
	}
}

// take takes a task out of the queue.
func (c *core) take(e *entry) {
	t, g := e.tenant, e.group
	g.waiting--
	t.waiting--
	if !g.known {
		t.unknown--
	}
	if t.waiting == t.unknown {
		t.owed = 0 // nobody waits for it
	}
	if g.ages.remove(e); g.head == e {
		c.settle(g)
	}
}

// leave takes a task that waits out of the queue. It will not run.
func (c *core) leave(e *entry) {
	e.forecast = e.group.forecast
	c.take(e)
	c.gone(e)
}

// gone takes note that a task neither waits nor runs any more.
func (c *core) gone(e *entry) {
	e.group.open--
	e.group.forget()
	c.forget()
}

// next returns the task that is to start, of the given number of workers of which one is free; nil if none may start.
func (c *core) next(now time.Time, workers int) *entry {
	at := c.since(now)
	c.overrun(at)
	t, ok := c.shares.Next()
	if !ok {
		c.shares.EndBusyPeriod()
		return nil
	}
	return c.first(t, at, now, workers)
}

// start takes note that a task starts.
func (c *core) start(e *entry, now time.Time) {
	t := e.tenant
	e.forecast = e.group.forecast
	e.runs = true
	if e.novel = !e.known; e.novel {
		t.exploring++
	}
	// What a tenant holds makes the next worker go to another one.
	e.held = c.expected(e)
	c.shares.Hold(t.share, e.held)
	c.take(e)
	e.turn = c.due.Push(place{float64(c.since(now)) + float64(e.held*1e9), e.number, e})
	c.running++
	t.running++
	c.occupy(e.group, 1)
	if c.refill != nil {
		c.refill(t)
	}
}

// stop takes note that a task does not run any more.
func (c *core) stop(e *entry) {
	e.runs = false
	c.due.Remove(e.turn)
	c.running--
	e.tenant.running--
	if e.novel {
		e.tenant.exploring--
	}
	c.occupy(e.group, -1)
}

// end takes note that a task has ended that ran, and charges its tenant with what it took, s.
func (c *core) end(e *entry, took float64, now time.Time) {
	c.stop(e)
	if t := e.tenant; e.novel {
		t.owed = took
		if !e.nameless {
			c.explorers++
		}
	} else {
		t.owed -= took
	}
	c.served += took
	c.count++
	c.shares.Charge(e.tenant.share, took)
	c.shares.Hold(e.tenant.share, -e.held)
	c.gone(e)
}

// lose takes note that a task has gone that ran. Nobody knows what it took.
func (c *core) lose(e *entry) {
	c.stop(e)
	c.shares.Hold(e.tenant.share, -e.held)
	c.gone(e)
}

// list returns up to n tasks that are to start one after the other, and leaves all as it was. Who is next after one of them
// depends on what its tenant then holds, so it starts them, beside shares of which it lets go.
func (c *core) list(n int, now time.Time) (list []*entry) {
	workers, shares, refill := c.running+n, c.shares, c.refill
	var owed []float64
	if n > 1 {
		c.overrun(c.since(now))
		c.shares, c.refill = shares.Clone(), nil
	}
	for len(list) < n {
		e := c.next(now, workers)
		if e == nil {
			break
		}
		list = append(list, e)
		if n > 1 {
			owed = append(owed, e.tenant.owed)
			c.start(e, now)
		}
	}
	if n > 1 {
		for i, e := range slices.Backward(list) {
			c.stop(e)
			c.put(e)
			e.tenant.owed = owed[i]
		}
		c.shares, c.refill = shares, refill
		c.shares.EndBusyPeriod() // which changes nothing if a task may start
	}
	return list
}

// learn learns how long a task takes, s: what it took, or more than that if it failed.
func (c *core) learn(e *entry, took float64, err error, now time.Time) {
	if c.history == nil {
		return
	}
	if err != nil {
		err = c.history.ObserveCensored(&e.attrs, took, now)
	} else {
		err = c.history.ObserveEstimated(&e.attrs, e.told, took, now)
	}
	if err == nil {
		c.learned.Add(1)
	}
}

// save writes what was learned to its file.
func (c *core) save() error {
	if c.history == nil {
		return fmt.Errorf("pool: %w", errNoFeatures)
	}
	if err := c.history.Save(); err != nil {
		return fmt.Errorf("pool: %w", err)
	}
	return nil
}
