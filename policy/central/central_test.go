package central_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/policytest"
)

// What a Scheduler of parts promises.
func TestPromises(t *testing.T) {
	t.Run("copies go before the tasks of their job, after these, or after those of all jobs", copiesGoInTheirTurn)
	t.Run("tasks and copies take as many cores as there are for them, whatever the others leave", reserved)
	t.Run("what is wider than the cores for its kind waits until it has them to itself", reservedWide)
	t.Run("the host is woken when the order changes, if cores are free then", alarms)
	t.Run("a job that the host found no room for tries alone, one task at a time", refusedTriesAlone)
	t.Run("a job that a Turn refuses leaves nothing behind", turnRefuses)
	t.Run("a copy that is not wanted any more leaves the reservation of its job as it was", fillersKeepReservations)
	t.Run("a part serves one Scheduler, and a second one is refused", partsAreNotShared)
	t.Run("New names what is wrong", newNamesWhatIsWrong)
}

const second = policy.Time(time.Second)

func newGRASS() *hopper.Speculation {
	rule := jobtest.Must(hopper.NewGRASS(hopper.GRASSConfig{}))
	return jobtest.Must(hopper.NewSpeculation(hopper.SpeculationConfig{Rule: rule, Period: time.Second}))
}

func newRandom() central.Turn {
	return jobtest.Must(baseline.Random(rand.NewPCG(1, 2)))
}

// A host tells a scheduler what the test wants told, and answers nothing by itself.
type host struct {
	jobtest.Hand[*central.Scheduler]
}

// newHost returns a host with one node.
func newHost(t testing.TB, c central.Config, cores int32) *host {
	t.Helper()
	h := &host{jobtest.Hand[*central.Scheduler]{TB: t, Policy: jobtest.Must(central.New(c))}}
	h.Join(1, cores)
	return h
}

// job submits a job of which nothing is ready.
func (h *host) job(job policy.Job) {
	h.Helper()
	h.Tell(policy.Event{Kind: policy.Submitted, Copy: copyOf(job.ID, 0, 0, 0), Job: &job, More: true})
}

func (h *host) ready(id policy.JobID, stage uint32) []policy.Action {
	h.Helper()
	return h.Tell(policy.Event{Kind: policy.Ready, Copy: copyOf(id, stage, 0, 0)})
}

// submit submits a job of one stage, which is ready.
func (h *host) submit(id policy.JobID, stage policy.Stage) []policy.Action {
	h.Helper()
	h.job(policy.Job{ID: id, Submitted: h.Now, Stages: []policy.Stage{stage}})
	return h.ready(id, 0)
}

func (h *host) copy(kind policy.EventKind, c policy.Copy) []policy.Action {
	h.Helper()
	return h.Tell(policy.Event{Kind: kind, Copy: c, Node: 1})
}

func copyOf(id policy.JobID, stage, index, n uint32) policy.Copy {
	return policy.Copy{Task: policy.Task{Job: id, Stage: stage, Index: index}, N: n}
}

// started returns the copies that actions start.
func started(actions []policy.Action) string {
	var all []string
	for _, a := range actions {
		if a.Kind == policy.Start {
			all = append(all, a.Copy.String())
		}
	}
	return strings.Join(all, " ")
}

// eager is a copier that always wants another copy of the first task of a job, if that runs.
type eager struct {
	most int64        // cores of each job
	only policy.JobID // 0: copies are of all jobs
}

func (*eager) Bind(central.Books) error { return nil }

func (e *eager) Note(ev *policy.Event, j *central.Job, actions []policy.Action) ([]policy.Action, bool) {
	return actions, false
}

func (e *eager) Review(actions []policy.Action) []policy.Action { return actions }

func (e *eager) Wants(j *central.Job) bool {
	extra, _ := j.Extra()
	return (e.only == 0 || e.only == j.Job.ID) && j.Cores > extra && extra < e.most
}

func (e *eager) Next(j *central.Job, actions []policy.Action) (policy.Task, []policy.Action, bool) {
	return policy.Task{Job: j.Job.ID}, actions, e.Wants(j)
}

func (e *eager) Began(_ *central.Job, _ policy.Copy, _ bool, actions []policy.Action) []policy.Action {
	return actions
}

func newNamesWhatIsWrong(t *testing.T) {
	fifo := baseline.FIFO
	for _, test := range []struct {
		c    central.Config
		want string // part of the error, "": none
	}{
		{central.Config{}, "Config.Turn is nil"},
		{central.Config{Turn: fifo(), CopyWhen: 3}, "Config.CopyWhen is When(3)"},
		{central.Config{Turn: fifo(), Reserved: -0.1}, "Config.Reserved is -0.1"},
		{central.Config{Turn: fifo(), Reserved: 1}, "Config.Reserved is 1"},
		{central.Config{Turn: fifo(), Reserved: math.NaN()}, "Config.Reserved is NaN"},
		{central.Config{Turn: fifo(), Copy: &eager{most: 1}, CopyWhen: central.AfterAll}, "Config.CopyTurn is nil"},
		{central.Config{Turn: fifo(), Copy: &eager{most: 1}, Reserved: 0.5}, "Config.CopyTurn is nil"},
		{central.Config{Turn: newRandom(), Fill: baseline.EASY()}, "Config.Fill is set"},
		{central.Config{Turn: fifo(), Fill: stopper{baseline.EASY()}, Copy: &eager{most: 1}}, "Config.Fill stops copies, and Copy is set"},
		{central.Config{Turn: fifo(), Fill: stopper{baseline.EASY()}}, ""},
		{central.Config{Turn: newRandom()}, ""},
		{central.Config{Turn: fifo(), CopyWhen: central.AfterAll, Reserved: 0.5}, ""}, // there are no copies
		{central.Config{Turn: fifo(), Copy: &eager{most: 1}, CopyWhen: central.AfterOwn}, ""},
		{central.Config{Turn: fifo(), Copy: &eager{most: 1}, CopyWhen: central.AfterAll, CopyTurn: fifo()}, ""},
		{central.Config{Turn: fifo(), Fill: baseline.Conservative(), Place: new(hopper.Locality), Copy: &eager{most: 1}}, ""},
	} {
		s, err := central.New(test.c)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("got error %q, want none", err)
		case test.want != "" && (s != nil || err == nil || !strings.HasPrefix(err.Error(), "central: "+test.want)):
			t.Errorf("got %v, want an error that begins with %q", err, test.want)
		}
	}
}

type stopper struct{ central.Filler }

func (stopper) Stop(actions []policy.Action) []policy.Action { return actions }

func TestWhenString(t *testing.T) {
	if got := fmt.Sprint(central.InTurn, central.AfterOwn, central.AfterAll, central.When(9)); got != "InTurn AfterOwn AfterAll When(9)" {
		t.Errorf("got %s", got)
	}
}

func reserved(t *testing.T) {
	for _, test := range []struct {
		cores         int32
		reserved      float64
		tasks, copies int64 // that are wanted
		want          [2]int64
	}{
		{4, 0.5, 100, 100, [2]int64{2, 2}},
		{4, 0.5, 1, 100, [2]int64{1, 2}},
		{4, 0.5, 100, 1, [2]int64{2, 1}},
		{10, 0.25, 100, 100, [2]int64{7, 3}},
		{3, 0.99, 100, 100, [2]int64{1, 2}}, // one at least is for tasks
		{24, 0.01, 2, 100, [2]int64{2, 0}},  // less than half a core is none
		{1, 0.9, 100, 100, [2]int64{1, 0}},
		{4, 0, 2, 100, [2]int64{2, 2}},
	} {
		h := newHost(t, central.Config{
			Turn: baseline.Fair(), Copy: &eager{most: test.copies}, CopyTurn: baseline.Fair(), Reserved: test.reserved, CopyWhen: central.AfterAll,
		}, test.cores)
		h.submit(1, policy.Stage{Tasks: uint32(test.tasks), Cores: 1})
		j, extra := h.Policy.View().Job(1), h.Policy.View().Extra()
		if got := [2]int64{j.Cores - extra, extra}; got != test.want {
			t.Errorf("%v of %d cores are reserved: %d tasks and %d copies run, want %d and %d",
				test.reserved, test.cores, got[0], got[1], test.want[0], test.want[1])
		}
	}
}

func reservedWide(t *testing.T) {
	copies := &eager{most: 100}
	h := newHost(t, central.Config{Turn: baseline.Fair(), Copy: copies, CopyTurn: baseline.Fair(), Reserved: 0.5}, 8)
	if got := started(h.submit(1, policy.Stage{Tasks: 3, Cores: 3})); got != "1/0/0#0 1/0/0#1" {
		t.Errorf("tasks of 3 cores, of which 4 of 8 are for copies: %s start, want one task and one copy", got)
	}
	h = newHost(t, central.Config{Turn: baseline.Fair(), Copy: new(eager), CopyTurn: baseline.Fair(), Reserved: 0.75}, 8)
	if got := started(h.submit(1, policy.Stage{Tasks: 3, Cores: 3})); got != "1/0/0#0" {
		t.Errorf("tasks of 3 cores, of which 2 are for tasks: %s start, want one", got)
	}
}

func copiesGoInTheirTurn(t *testing.T) {
	for _, test := range []struct {
		copies central.When
		want   string
	}{
		{central.InTurn, "1/0/0#0 1/0/0#1 1/0/1#0 1/0/2#0 2/0/0#0 2/0/0#1 2/0/1#0"},
		{central.AfterOwn, "1/0/0#0 1/0/1#0 1/0/2#0 1/0/0#1 2/0/0#0 2/0/1#0 2/0/0#1"},
		{central.AfterAll, "1/0/0#0 1/0/1#0 1/0/2#0 2/0/0#0 2/0/1#0 2/0/0#1 1/0/0#1"}, // the newest job's first
	} {
		h := newHost(t, central.Config{
			Turn: baseline.FIFO(), Copy: &eager{most: 1}, CopyWhen: test.copies, CopyTurn: baseline.Ordered(newest),
		}, 8)
		h.job(policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 1}}})
		h.job(policy.Job{ID: 2, Submitted: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}})
		h.Tell(policy.Event{Kind: policy.Ready, Copy: copyOf(1, 0, 0, 0), More: true})
		if got := started(h.ready(2, 0)); got != test.want {
			t.Errorf("%v: %s start, want %s", test.copies, got, test.want)
		}
	}
}

// strict is a Forecast that must not be asked about a job that it has not been told of, or whose end it has been told.
type strict struct {
	*testing.T
	jobs map[policy.JobID]bool
}

func (strict) Bind(central.Books) error { return nil }

func (f strict) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		f.jobs[j.Job.ID] = true
	case policy.Ended:
		delete(f.jobs, j.Job.ID)
	}
	return nil
}

func (f strict) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	if !f.jobs[j.Job.ID] {
		f.Errorf("asked about job %d, which is not there", j.Job.ID)
	}
	return forecast.Known(1), true
}

// A turn for tests: the job that came first of those that want something is next. It asks the Forecast, if there is one, at
// each Update.
type plain struct {
	forecast central.Forecast

	jobs   []*central.Job
	usages map[policy.JobID]central.Usage
	began  []string
	// refuses is the error for a job that is to be refused.
	refuses func(id policy.JobID) error
}

func newPlain() *plain { return &plain{usages: map[policy.JobID]central.Usage{}} }

func (p *plain) Bind(b central.Books) error {
	p.forecast = b.Forecast
	return nil
}

func (p *plain) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		if p.refuses != nil {
			if err := p.refuses(j.Job.ID); err != nil {
				return err
			}
		}
		p.jobs = append(p.jobs, j)
	case policy.Ended:
		if p.usages[j.Job.ID] != (central.Usage{}) {
			return errors.New("a job that has ended has something")
		}
		p.jobs = slices.DeleteFunc(p.jobs, func(other *central.Job) bool { return other == j })
		delete(p.usages, j.Job.ID)
	}
	return nil
}

func (p *plain) Update(j *central.Job, u central.Usage) {
	if !slices.Contains(p.jobs, j) {
		panic(fmt.Sprintf("an Update of job %d, which is not there", j.Job.ID))
	}
	p.usages[j.Job.ID] = u
	if p.forecast != nil {
		p.forecast.Runtime(j, 0)
	}
}

func (p *plain) Next() *central.Job {
	for _, j := range p.jobs {
		if p.usages[j.Job.ID].Wants {
			return j
		}
	}
	return nil
}

func (p *plain) Began(j *central.Job, c policy.Copy, another bool) {
	p.began = append(p.began, fmt.Sprint(c, another))
}

// A Turn hears what jobs have, without what is for copies where these have a turn of their own, and of starts.
func TestTurnHears(t *testing.T) {
	const both = "[1/0/0#0 false 1/0/0#1 true]"
	for _, test := range []struct {
		copies    central.When
		want      central.Usage
		wantApart central.Usage
	}{
		{central.InTurn, central.Usage{Cores: 4, Memory: 10}, central.Usage{}},
		{central.AfterAll, central.Usage{Cores: 2, Memory: 5}, central.Usage{Cores: 2, Memory: 5}},
	} {
		turn, apart := newPlain(), newPlain()
		h := newHost(t, central.Config{Turn: turn, Copy: &eager{most: 1}, CopyWhen: test.copies, CopyTurn: apart}, 8)
		h.submit(1, policy.Stage{Tasks: 1, Cores: 2, Memory: 5})
		if turn.usages[1] != test.want || apart.usages[1] != test.wantApart {
			t.Errorf("%v: usages are %+v and %+v, want %+v and %+v", test.copies, turn.usages[1], apart.usages[1], test.want, test.wantApart)
		}
		if got := fmt.Sprint(turn.began); got != both {
			t.Errorf("%v: the turn has heard of %s, want %s", test.copies, got, both)
		}
		h.Tell(policy.Event{Kind: policy.Ended, Copy: copyOf(1, 0, 0, 0), Outcome: policy.Cancelled}) // its Note says if the usages go on
		if len(turn.jobs) > 0 {
			t.Errorf("%v: the turn has a job that has ended", test.copies)
		}
	}
}

// alarmed is a turn with an alarm.
type alarmed struct {
	*plain
	until policy.Time
}

func (a *alarmed) Until() policy.Time { return a.until }

func alarms(t *testing.T) {
	turn := &alarmed{newPlain(), policy.Never}
	h := newHost(t, central.Config{Turn: turn}, 1)
	wakes := func(what string, actions []policy.Action, want ...policy.Time) {
		t.Helper()
		var got []policy.Time
		for _, a := range actions {
			if a.Kind == policy.Wake {
				got = append(got, a.At)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: alarms at %v, want %v", what, got, want)
		}
	}
	h.job(policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}})
	turn.until = 5 * second
	wakes("another event is to follow", h.Tell(policy.Event{Kind: policy.Woken, More: true}))
	wakes("a core is free", h.Tell(policy.Event{Kind: policy.Woken}), 5*second)
	wakes("again", h.Tell(policy.Event{Kind: policy.Arrived}))
	wakes("none is free", h.ready(1, 0), policy.Never)
	turn.until = 7 * second
	wakes("none is free, and the order is to change", h.copy(policy.Started, copyOf(1, 0, 0, 0)))
	wakes("the last task takes the core", h.copy(policy.Finished, copyOf(1, 0, 0, 0)))
	h.copy(policy.Started, copyOf(1, 0, 1, 0))
	wakes("the core is free", h.copy(policy.Finished, copyOf(1, 0, 1, 0)), 7*second)
	h.Now, turn.until = 7*second, 9*second
	wakes("it has come", h.Tell(policy.Event{Kind: policy.Woken}), 9*second)
	wakes("the host has woken it for another reason, and may have no alarm left", h.Tell(policy.Event{Kind: policy.Woken}), 9*second)
	turn.until = policy.Never
	wakes("the order stays", h.Tell(policy.Event{Kind: policy.Arrived}), policy.Never)

	h = newHost(t, central.Config{Turn: newPlain()}, 1)
	wakes("a turn without an alarm", h.Tell(policy.Event{Kind: policy.Woken}))
}

func turnRefuses(t *testing.T) {
	refused := errors.New("what a job")
	for _, test := range []struct {
		name  string
		apart bool // the turn of copies refuses it
	}{{"turn of tasks", false}, {"turn of copies", true}} {
		t.Run(test.name, func(t *testing.T) {
			turn, apart := newPlain(), newPlain()
			who := turn
			if test.apart {
				who = apart
			}
			who.refuses = func(id policy.JobID) error {
				if id == 2 {
					return refused
				}
				return nil
			}
			f := strict{t, map[policy.JobID]bool{}}
			h := newHost(t, central.Config{Forecast: f, Turn: turn, Copy: &eager{most: 1}, CopyWhen: central.AfterAll, CopyTurn: apart}, 1)
			h.submit(1, policy.Stage{Tasks: 1, Cores: 1})
			job := &policy.Job{ID: 2, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
			for range 2 { // the second is no other
				actions, err := h.Policy.Step(&policy.Event{Kind: policy.Submitted, Copy: copyOf(2, 0, 0, 0), Job: job}, make([]policy.Action, 1))
				if !errors.Is(err, refused) || len(actions) != 1 {
					t.Fatalf("got %v, %v, want the error of the turn and no action", actions, err)
				}
			}
			if h.Policy.View().Job(2) != nil || len(turn.jobs) != 1 || len(apart.jobs) != 1 || len(turn.usages) != 1 || len(f.jobs) != 1 {
				t.Errorf("the job is there: %v, %v, %v, %v", h.Policy.View().Job(2), turn.jobs, apart.jobs, f.jobs)
			}
			refusal := policy.Event{Kind: policy.Refused, Copy: copyOf(1, 0, 0, 0), Again: true}
			if actions := h.Tell(refusal); len(actions) > 0 {
				t.Errorf("a Start is refused, and nothing else has happened: got %v, want nothing (P4)", actions)
			}
			if _, err := h.Policy.Step(&policy.Event{Kind: policy.Ready, Copy: copyOf(2, 0, 0, 0)}, nil); err == nil {
				t.Error("a stage of the job is ready, and there is no error")
			}
			who.refuses = nil
			if got := started(h.submit(2, policy.Stage{Tasks: 1, Cores: 1})); got != "1/0/0#0" {
				t.Errorf("the job comes again: %s start, want the first job's task", got)
			}
		})
	}
}

func refusedTriesAlone(t *testing.T) {
	h := newHost(t, central.Config{Turn: baseline.FIFO()}, 16)
	if got := started(h.submit(1, policy.Stage{Tasks: 3, Cores: 2})); got != "1/0/0#0 1/0/1#0 1/0/2#0" {
		t.Fatalf("%s start, want all", got)
	}
	for i := range uint32(3) {
		h.Tell(policy.Event{Kind: policy.Refused, Copy: copyOf(1, 0, i, 0), Again: true})
	}
	first := started(h.submit(2, policy.Stage{Tasks: 2, Cores: 1}))
	if !strings.HasPrefix(first, "1/0/") || strings.Contains(first, " ") {
		t.Errorf("after the refusals %q start, want one task of job 1", first)
	}
	h.Tell(policy.Event{Kind: policy.Started, Copy: copyOf(1, 0, 2, 0), Node: 1, More: true})
	if got := started(h.Tell(policy.Event{Kind: policy.Woken})); !strings.HasSuffix(got, "2/0/0#0 2/0/1#0") {
		t.Errorf("once one has got through %q start, want all", got)
	}
}

// Beside a job that tries alone no copy starts either, unless a Filler lets others pass.
func TestRefusedTriesAloneBesideCopies(t *testing.T) {
	for _, fill := range []central.Filler{nil, baseline.EASY(), baseline.Conservative()} {
		copies := new(eager)
		h := newHost(t, central.Config{Turn: baseline.FIFO(), Fill: fill, Copy: copies}, 8)
		h.submit(1, policy.Stage{Tasks: 1, Cores: 2})
		h.submit(2, policy.Stage{Tasks: 1, Cores: 1})
		h.copy(policy.Started, copyOf(2, 0, 0, 0))
		h.Tell(policy.Event{Kind: policy.Refused, Copy: copyOf(1, 0, 0, 0), Again: true, More: true})
		copies.most, copies.only = 1, 2
		h.Tell(policy.Event{Kind: policy.Progress, Copy: copyOf(2, 0, 0, 0), Node: 1, More: true})
		want := "1/0/0#0"
		if fill != nil {
			want += " 2/0/0#1"
		}
		if got := started(h.Tell(policy.Event{Kind: policy.Woken})); got != want {
			t.Errorf("%T: %q start, want %q: the task that was refused, and with a Filler the copy", fill, got, want)
		}
	}
}

// Jobs that no node could hold start when one joins that can, whichever of them have ended meanwhile.
func TestWhatNoNodeCouldHold(t *testing.T) {
	h := newHost(t, central.Config{Turn: baseline.FIFO()}, 1)
	for id := range policy.JobID(4) {
		h.submit(id+1, policy.Stage{Tasks: 1, Cores: 4})
	}
	for _, id := range []policy.JobID{1, 4} {
		h.Tell(policy.Event{Kind: policy.Ended, Copy: copyOf(id, 0, 0, 0), Outcome: policy.Cancelled})
	}
	large := policy.Node{ID: 9, Partition: 1, Cores: 8, Speed: 1}
	if got := started(h.Tell(policy.Event{Kind: policy.Joined, Node: 9, Info: &large})); got != "2/0/0#0 3/0/0#0" {
		t.Errorf("%q start, want jobs 2 and 3", got)
	}
}

// What passes the first job by a Filler is a task. A copy is not what the Filler has looked for room for.
func TestWhatPassesIsATask(t *testing.T) {
	for _, fill := range []func() central.Filler{baseline.EASY, baseline.Conservative} {
		copies := &eager{most: 1, only: 1}
		h := newHost(t, central.Config{Turn: baseline.Priority(), Fill: fill(), Copy: copies}, 6)
		h.job(policy.Job{ID: 1, Requested: 100 * time.Second, Stages: []policy.Stage{{Tasks: 1, Cores: 2}, {Tasks: 1, Cores: 1}}})
		h.job(policy.Job{ID: 2, Requested: 100 * time.Second, Priority: 9, Stages: []policy.Stage{{Tasks: 1, Cores: 4}}})
		h.Tell(policy.Event{Kind: policy.Ready, Copy: copyOf(1, 0, 0, 0), More: true})
		if got := started(h.ready(2, 0)); got != "2/0/0#0 1/0/0#0" {
			t.Fatalf("%s start, want a task of each", got)
		}
		h.copy(policy.Started, copyOf(2, 0, 0, 0))
		h.copy(policy.Started, copyOf(1, 0, 0, 0))
		// Job 3 will want 5 cores, and job 1 may pass it on the sixth only. A copy of its first task is of 2 cores.
		h.job(policy.Job{ID: 3, Requested: 100 * time.Second, Priority: 5, Stages: []policy.Stage{{Tasks: 1, Cores: 5}}})
		h.Tell(policy.Event{Kind: policy.Ready, Copy: copyOf(3, 0, 0, 0), More: true})
		h.Tell(policy.Event{Kind: policy.Ready, Copy: copyOf(1, 1, 0, 0), More: true})
		h.Now = second
		if got := started(h.copy(policy.Finished, copyOf(2, 0, 0, 0))); got != "1/1/0#0" {
			t.Errorf("%T: %s start, want the narrow task of job 1", fill(), got)
		}
	}
}

// Also without a filler, a job that waits for a named resource holds up no job that needs none of it.
func TestWaitsForAResourceAlone(t *testing.T) {
	h := &host{jobtest.Hand[*central.Scheduler]{TB: t, Policy: jobtest.Must(central.New(central.Config{Turn: baseline.FIFO()}))}}
	h.Tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Cores: 3, Speed: 1, Partition: 1, Offers: []policy.Offer{{Name: "link", Amount: 10}}}})
	link := policy.Stage{Tasks: 1, Cores: 1, Needs: []policy.Need{{Name: "link", Amount: 10}}}
	h.submit(1, link)
	h.copy(policy.Started, copyOf(1, 0, 0, 0))
	if got := started(h.submit(2, link)); got != "" {
		t.Errorf("started %s while the link is taken", got)
	}
	if got := started(h.submit(3, policy.Stage{Tasks: 1, Cores: 1})); got != "3/0/0#0" {
		t.Errorf("started %q, want the task that needs no link", got)
	}
}

// A job of which all tasks run gets its copies under a Filler too.
func TestCopiesUnderFillers(t *testing.T) {
	for _, fill := range []func() central.Filler{baseline.EASY, baseline.Conservative} {
		for _, copies := range []central.When{central.InTurn, central.AfterOwn, central.AfterAll} {
			h := newHost(t, central.Config{Turn: baseline.FIFO(), Fill: fill(), Copy: &eager{most: 1}, CopyWhen: copies, CopyTurn: baseline.FIFO()}, 4)
			got := started(h.submit(1, policy.Stage{Tasks: 2, Cores: 1}))
			if all := strings.Fields(got); len(all) != 3 || !slices.Contains(all, "1/0/0#1") {
				t.Errorf("%T, %v: %s start, want two tasks and a copy", fill(), copies, got)
			}
		}
	}
}

func TestConformance(t *testing.T) {
	for _, test := range []struct {
		name string
		c    func() central.Config
	}{
		{"EASY, in turn", func() central.Config { return central.Config{Turn: baseline.FIFO(), Fill: baseline.EASY()} }},
		{"Conservative, after own", func() central.Config {
			return central.Config{Turn: baseline.Priority(), Fill: baseline.Conservative(), CopyWhen: central.AfterOwn}
		}},
		{"EASY, after all", func() central.Config {
			return central.Config{Turn: baseline.Fair(), Fill: baseline.EASY(), CopyWhen: central.AfterAll, CopyTurn: baseline.Fair()}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
				c := test.c()
				c.Place, c.Copy = new(hopper.Locality), newGRASS()
				return central.New(c)
			}})
		})
	}
}

// unteachable is a forecast that cannot learn from jobs that have ended.
type unteachable struct{ central.Forecast }

func (unteachable) Note(ev *policy.Event, _ *central.Job) error {
	if ev.Kind == policy.Ended {
		return errors.New("cannot learn")
	}
	return nil
}

// An error of one part after the door comes when all parts have heard of the event.
func TestErrorsAfterAllHaveHeard(t *testing.T) {
	turn := newPlain()
	h := newHost(t, central.Config{Turn: turn, Forecast: unteachable{forecast.Nothing()}}, 8)
	h.submit(1, policy.Stage{Tasks: 1, Cores: 2})
	ended := policy.Event{Kind: policy.Ended, Copy: copyOf(1, 0, 0, 0), Outcome: policy.Cancelled}
	if _, err := h.Policy.Step(&ended, nil); err == nil || err.Error() != "cannot learn" {
		t.Errorf("got %v, want the error of the forecast", err)
	}
	if len(turn.jobs) > 0 {
		t.Error("the turn has not heard that the job has ended")
	}
}
