package sim

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/journal"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/workload"
)

// guests are policies that ask for all kinds of actions but GiveUp: central ones with copies, and parts that suspend.
var guests = map[string]func(map[string][]byte) (policy.Scheduler, error){
	"hopper": func(map[string][]byte) (policy.Scheduler, error) { return hopper.NewScheduler(hopper.Config{}) },
	"mantri": func(map[string][]byte) (policy.Scheduler, error) {
		c := hopper.Config{}
		var err error
		if c.Rule, err = hopper.NewMantri(hopper.MantriConfig{}); err != nil {
			return nil, err
		}
		return hopper.NewScheduler(c)
	},
	"kairos": func(map[string][]byte) (policy.Scheduler, error) {
		c := kairos.Config{}
		c.Node.Quantum, c.Heartbeat = 5*time.Second, 100*time.Millisecond
		return kairos.NewScheduler(c)
	},
}

// A due is an open order, as the Ledger and the cluster both know it.
type due struct {
	part policy.NodeID
	kind policy.ActionKind
	copy policy.Copy
	to   policy.NodeID // of a message
	msg  string
}

// owing is what a Ledger says.
type owing struct {
	open   []journal.Order
	news   policy.Event
	owes   bool
	ringer policy.NodeID
	rings  policy.Time
	set    bool
}

func owedBy(l *journal.Ledger) (o owing) {
	o.open = l.Open()
	o.news, o.owes = l.Unheard()
	o.ringer, o.rings, o.set = l.Alarm()
	return o
}

// At every instant at which time passes, the Ledger has open what the cluster has under way, and nothing else. When the
// journal is read again, up to any such instant, it has the same.
func TestLedgerAgainstCluster(t *testing.T) {
	seen := make(map[policy.ActionKind]int)
	for name, guest := range guests {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s/seed=%d", name, seed), func(t *testing.T) { againstCluster(t, guest, seed, seen) })
		}
	}
	for _, kind := range []policy.ActionKind{policy.Start, policy.Kill, policy.Report, policy.Send, policy.Suspend, policy.Resume} {
		if seen[kind] == 0 {
			t.Errorf("no %v was ever open: the test does not test it", kind)
		}
	}
}

func againstCluster(t *testing.T, guest func(map[string][]byte) (policy.Scheduler, error), seed uint64, seen map[policy.ActionKind]int) {
	name := filepath.Join(t.TempDir(), "events")
	var ledger journal.Ledger
	j, err := journal.Open(name, journal.Config{New: guest, Ledger: &ledger})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	g := workload.DefaultHeavyTail()
	g.Jobs, g.Seed = 60, seed
	source, err := g.Source()
	if err != nil {
		t.Fatal(err)
	}
	list, err := workload.ReadAll(source)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 9))
	for _, j := range list { // 60 short jobs in two minutes
		j.Submitted /= 2
		program := 4e9 * math.Exp(0.8*rng.NormFloat64())
		for i := range j.Runtimes[0] {
			j.Runtimes[0][i] = policy.Duration(program * math.Exp(0.4*rng.NormFloat64()))
		}
	}
	type mark struct {
		size int64
		owing
	}
	var marks []mark
	early := make(map[policy.Copy]bool)
	jobs, truth := workload.Split(list)
	c := Config{
		Nodes: Cluster(Partition{Nodes: 5, Cores: 2}), Jobs: jobs, Truth: truth,
		SuspendCost: time.Second / 4 * policy.Duration(seed/2),
		Faults:      Faults{Seed: seed, MeanUp: 2 * time.Minute, MeanDown: 10 * time.Second, TaskFailure: 0.05, TaskEviction: 0.05, Cancels: []Cancel{{Job: 5, At: policy.Time(20 * time.Second)}}},
		Pause: func(st *State, now, _ policy.Time) {
			if !t.Failed() {
				compare(t, st.s, &ledger, now, seen, early)
			}
			if rng.IntN(20) == 0 {
				marks = append(marks, mark{j.Size(), owedBy(&ledger)})
			}
		},
	}
	if seed%2 == 1 {
		c.Delay = 300 * time.Millisecond
		c.Faults.ActionLate, c.Faults.MeanSlip = 0.1, time.Second
	}
	if _, err := Run(t.Context(), c, j.Scheduler()); err != nil {
		t.Fatal(err)
	}
	if err := j.Sync(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range marks {
		if i%8 != 0 {
			continue
		}
		cut := filepath.Join(t.TempDir(), "cut")
		if err := os.WriteFile(cut, whole[:m.size], 0o600); err != nil {
			t.Fatal(err)
		}
		var again journal.Ledger
		r, err := journal.Open(cut, journal.Config{New: guest, Ledger: &again})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		got := owedBy(&again)
		m.open = slices.DeleteFunc(m.open, func(o journal.Order) bool { return o.Kind == policy.Post })
		if len(got.open) != len(m.open) || got.owes != m.owes || !reflect.DeepEqual(got.news, m.news) || got.ringer != m.ringer || got.rings != m.rings || got.set != m.set {
			t.Fatalf("at byte %d: restored %+v, want %+v", m.size, got, m.owing)
		}
		for i, o := range got.open {
			next, ok := again.Next()
			if want := m.open[i]; !ok || !reflect.DeepEqual(next, o) || o.Part != want.Part || !reflect.DeepEqual(o.Action, want.Action) {
				t.Fatalf("at byte %d: restored %+v, Next %+v, want %+v", m.size, o, next, want)
			}
		}
	}
}

// compare compares what a Ledger says with what a cluster has under way.
func compare(t *testing.T, s *simulation, l *journal.Ledger, now policy.Time, seen map[policy.ActionKind]int, early map[policy.Copy]bool) {
	// Of a node that comes or goes the centre has not heard yet.
	moving := make(map[policy.NodeID]bool)
	said := make(map[policy.Copy]bool) // news of copies that are on their way
	for _, r := range s.reports.wire.under() {
		if ev := &r.x.event; ev.Kind == policy.Joined || ev.Kind == policy.Left {
			moving[ev.Node] = true
		} else {
			said[ev.Copy] = true
		}
	}
	var want []due
	under := make(map[due]bool)
	ask := func(o *order) {
		d := due{part: o.from, kind: o.action.Kind, copy: o.action.Copy}
		if o.host || moving[o.from] {
			return
		}
		if d.kind == policy.Start {
			want = append(want, d)
		}
		d.part = 0 // a Resume that was taken up late has forgotten who asked
		under[d] = true
	}
	post := func(m *message) {
		if n := &s.parts.all[m.to]; moving[m.to] || n.policy == nil || n.life != m.node {
			return
		}
		want = append(want, due{part: m.from, to: m.to, msg: fmt.Sprintf("%+v", m.msg)})
	}
	s.underWay(func(o *order, r *report) {
		switch {
		case o != nil:
			ask(o)
		case s.parts.distributed == nil && (r.event.Kind == policy.Started || r.event.Kind == policy.Refused), r.event.Kind == policy.Refused && !r.local:
			want = append(want, due{kind: policy.Start, copy: r.event.Copy})
		}
	})
	for id := range s.machines.all {
		for i := range s.machines.all[id].wants {
			ask(&s.machines.all[id].wants[i])
		}
	}
	for i := range s.machines.asks.End() {
		ask(&s.machines.asks.At(i).order)
	}
	for _, m := range s.mail.wire.under() {
		post(&m.x)
	}
	for x := range s.slips.open {
		if x.mail {
			post(&x.message)
		}
	}

	var got []due
	for _, o := range l.Open() {
		seen[o.Kind]++
		d := due{part: o.Part, kind: o.Kind, copy: o.Copy}
		switch {
		case o.Kind == policy.Send || o.Kind == policy.Post:
			if !moving[o.Node] {
				got = append(got, due{part: o.Part, to: o.Node, msg: fmt.Sprintf("%+v", o.Msg)})
			}
		case moving[o.Part]:
		case o.Kind == policy.Start:
			got = append(got, d)
		default:
			d.part = 0
			at := s.books.find(o.Copy)
			if at == 0 && o.Kind == policy.Suspend {
				early[o.Copy] = true // it changes nothing if its Start still waits for cores
			}
			if under[d] || said[o.Copy] || at == 0 {
				delete(under, d)
				break
			}
			// It is carried out, or changes nothing.
			switch state := s.books.attempts.At(at - 1).state; {
			case o.Kind == policy.Suspend && (state != runs || early[o.Copy]), o.Kind == policy.Resume && state != suspended:
			default:
				t.Errorf("at %v s: %v of %v is open, and not under way", now.Seconds(), o.Kind, o.Copy)
			}
		}
	}
	for d := range under {
		if d.kind == policy.Kill || d.kind == policy.Report {
			if s.books.find(d.copy) > 0 && !said[d.copy] {
				t.Errorf("at %v s: %v of %v is under way, and not open", now.Seconds(), d.kind, d.copy)
			}
		}
	}
	sorted := func(list []due) []due {
		slices.SortFunc(list, func(a, b due) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		return list
	}
	if got, want := sorted(got), sorted(want); !slices.Equal(got, want) {
		t.Errorf("at %v s: open are %v, want %v", now.Seconds(), got, want)
	}
	first, owes := l.Unheard()
	wantNews := policy.Event{}
	for _, r := range s.reports.wire.under() {
		ev := &r.x.event
		if j := s.books.jobs.Get(ev.Copy.Job); s.parts.distributed == nil || ev.Kind == policy.Progress || ev.Kind == policy.Refused && (!r.x.local || len(moving) > 0) || ev.Kind == policy.Left ||
			moving[ev.Node] && ev.Kind != policy.Joined || ev.Kind != policy.Joined && (j == nil || j.told) {
			continue
		}
		wantNews = *ev
		break
	}
	if owes != (wantNews.Kind != 0) || first.Kind != wantNews.Kind || first.Copy != wantNews.Copy || first.Service != wantNews.Service || first.Node != wantNews.Node {
		if !moving[first.Node] && (first.Kind != policy.Refused || len(moving) == 0) {
			t.Errorf("at %v s: the centre is to hear %v of %v, want %v of %v", now.Seconds(), first.Kind, first.Copy, wantNews.Kind, wantNews.Copy)
		}
	}
	if s.config.Faults.ActionLate > 0 {
		return
	}
	var rings policy.Time
	set := false
	for i := range s.clock.agenda {
		if x := &s.clock.agenda[i]; x.what == alarmDue && s.parts.all[x.index].alarm == x.ticket() && (!set || x.at < rings) {
			rings, set = x.at, true
		}
	}
	_, at, ok := l.Alarm()
	if ok != set || max(at, now) != max(rings, now) && ok {
		t.Errorf("at %v s: an alarm at %v s (%v), want %v s (%v)", now.Seconds(), at.Seconds(), ok, rings.Seconds(), set)
	}
}
