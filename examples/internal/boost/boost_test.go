package boost

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/augur/examples/internal/owner"
)

var start = time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)

// of returns a workload that is a run of a Job.
func of(job string, submitted time.Time) Workload {
	return Workload{Namespace: "team", Name: "job-" + job, Queue: "batch", Submitted: submitted, Owner: owner.Object{Kind: "Job", Name: job}, Image: "registry/work:v7"}
}

func booster(t *testing.T, c Config) *Booster {
	t.Helper()
	b, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// runs are n runs of a Job of some seconds.
func runs(job string, n int, seconds float64) (all []Run) {
	for i := range n {
		end := start.Add(time.Duration(i-n) * time.Minute)
		w := of(fmt.Sprintf("%s-%d", job, 29374120+i), end.Add(-time.Hour))
		all = append(all, Run{ID: w.Owner.Name, Workload: w, Start: end.Add(-time.Duration(seconds * 1e9)), End: end})
	}
	return all
}

func ExampleBooster_Decide() {
	b, _ := New(Config{Tau: 10 * time.Minute})
	b.Learn(append(runs("long", 3, 3600), runs("short", 3, 10)...))
	long := b.Decide(of("long-29375000", start), 1000, start)
	short := b.Decide(of("short-29375060", start.Add(time.Minute)), 1000, start.Add(time.Minute))
	fmt.Println("predicted", long.Seconds, short.Seconds, "short first:", short.Boost > long.Boost)
	late := b.Decide(of("short-29375060", start.Add(time.Hour)), 1000, start.Add(time.Hour))
	fmt.Println("an hour later, short first:", late.Boost > long.Boost)
	// Output:
	// predicted 3600 10 short first: true
	// an hour later, short first: false
}

// TestDecide has one instant each, with what is learned before.
func TestDecide(t *testing.T) {
	learned := append(runs("long", 3, 3600), runs("short", 3, 10)...)
	for _, tc := range []struct {
		name   string
		runs   []Run
		a, b   Workload
		aFirst bool
	}{
		{name: "short before long", runs: learned, a: of("short-29999999", start), b: of("long-29999999", start.Add(-time.Hour)), aFirst: true},
		{name: "long before a short one of six hours later", runs: learned, a: of("long-29999999", start.Add(-6*time.Hour)), b: of("short-29999999", start), aFirst: true},
		{name: "nothing known: first come, first served", a: of("long-29999999", start.Add(-time.Hour)), b: of("short-29999999", start), aFirst: true},
		{name: "nothing known comes before what is learned since", a: of("x", start.Add(-time.Hour)), b: of("short-29999999", start), aFirst: true},
		{name: "unknown goes by all that is known", runs: learned, a: Workload{Namespace: "other", Submitted: start}, b: of("long-29999999", start), aFirst: true},
	} {
		b := booster(t, Config{})
		if tc.runs != nil {
			if err := b.Learn(tc.runs); err != nil {
				t.Fatal(err)
			}
		}
		x, y := b.Decide(tc.a, math.MaxInt32, start), b.Decide(tc.b, math.MaxInt32, start)
		if (x.Boost > y.Boost) != tc.aFirst {
			t.Errorf("%s: boosts are %+v and %+v, want the first greater", tc.name, x, y)
		}
		if x.Boost < 1 || y.Boost < 1 || x.Boost > 1_000_000 || y.Boost > 1_000_000 {
			t.Errorf("%s: boosts are %+v and %+v, want 1 to 1,000,000", tc.name, x, y)
		}
	}
}

// What is written stays until the epoch ends, whatever is learned meanwhile, also by a Booster that has just started.
func TestWrittenStays(t *testing.T) {
	for _, room := range []int32{math.MaxInt32, 999, 99, 9, 1} {
		b := booster(t, Config{})
		w := of("short-29999999", start)
		w.Written = b.Decide(w, room, start)
		if w.Written.Boost < 1 || w.Written.Boost > room {
			t.Errorf("boost is %d, want 1 to %d", w.Written.Boost, room)
		}
		if err := b.Learn(runs("short", 9, 7777)); err != nil {
			t.Fatal(err)
		}
		for _, b := range []*Booster{b, booster(t, Config{})} {
			if got := b.Decide(w, room, start.Add(time.Second)); got != w.Written {
				t.Errorf("room %d: %+v becomes %+v", room, w.Written, got)
			}
		}
	}
}

// With a room of 99 and a Tau of an hour an epoch takes seven hours. Whenever it is, boosts are in the order of the keys, for
// submissions of the last seven hours and runtimes up to two weeks, but for ties of nearly equal keys.
func TestEpochs(t *testing.T) {
	const room, tau, resolution = 99, 3600.0, 28.0 / 99
	b := booster(t, Config{})
	r := rand.New(rand.NewPCG(1, 2))
	changed := 0
	for range 20_000 {
		now := start.Add(time.Duration(r.Int64N(int64(30 * 24 * time.Hour)))).Truncate(time.Second)
		draw := func() (Workload, float64) {
			ago := r.Float64() * 7 * tau
			w := Workload{Submitted: now.Add(-time.Duration(ago * 1e9)), Written: Written{Boost: 1, Seconds: round(math.Exp(r.Float64() * 14))}}
			return w, math.Log(w.Written.Seconds) - ago/tau
		}
		x, kx := draw()
		y, ky := draw()
		bx, by := b.Decide(x, room, now).Boost, b.Decide(y, room, now).Boost
		if (bx > by && kx > ky) || (bx == by && math.Abs(kx-ky) > resolution+1e-9) {
			t.Fatalf("at %v: boosts %d and %d for keys %v and %v", now, bx, by, kx, ky)
		}
		if b.Decide(x, room, now.Add(7*time.Hour)).Boost > bx {
			changed++
		}
	}
	if changed < 19_000 {
		t.Errorf("%d of 20000 boosts are greater in the next epoch, want nearly all", changed)
	}
}

// A workload is passed only by those that come within Tau·(ln(ratio of runtimes) + Resolution) after it.
func TestBound(t *testing.T) {
	const tau = 100 * time.Second
	b := booster(t, Config{Tau: tau})
	r := rand.New(rand.NewPCG(3, 4))
	late := 0.0
	for range 100_000 {
		long := Workload{Submitted: start, Written: Written{1, round(10 * math.Exp(3*r.Float64()))}}
		short := Workload{Submitted: start.Add(time.Duration(r.Int64N(int64(10 * tau)))), Written: Written{1, round(10 * r.Float64() * r.Float64())}}
		bound := tau.Seconds() * (math.Log(long.Written.Seconds/max(short.Written.Seconds, 1)) + 0.2)
		after := short.Submitted.Sub(start).Seconds()
		if b.Decide(short, math.MaxInt32, start).Boost > b.Decide(long, math.MaxInt32, start).Boost {
			late = max(late, after/bound)
		}
	}
	if late > 1 || late < 0.9 {
		t.Errorf("passed by one that came %.2f of the bound after it, want at most 1, and nearly so", late)
	}
}

// Those that wait have few boosts, so that Kueue's scheduling by equivalence still puts many into one class.
func TestFewBoosts(t *testing.T) {
	b := booster(t, Config{})
	r := rand.New(rand.NewPCG(5, 6))
	distinct := make(map[int32]bool)
	for range 10_000 {
		ago := time.Duration(r.Int64N(int64(2 * time.Hour)))
		w := Workload{Submitted: start.Add(-ago), Written: Written{1, math.Exp(8 * r.Float64())}} // 1 s to 50 min
		distinct[b.Decide(w, math.MaxInt32, start).Boost] = true
	}
	if n := len(distinct); n < 50 || n > 52 { // (8 + 2)/0.2 and the ends
		t.Errorf("10,000 workloads have %d boosts, want 50", n)
	}
}

func TestLearn(t *testing.T) {
	b := booster(t, Config{})
	all := append(runs("short", 3, 10), runs("short", 3, 10)...) // the same twice
	bad := all[1]
	bad.ID, bad.End = "bad", bad.Start.Add(-time.Second)
	err := b.Learn(append(all, bad))
	if err == nil || !strings.Contains(err.Error(), "team/job-short-29374121") {
		t.Errorf("error is %v, want one that names the workload that ended before it started", err)
	}
	if err := b.Learn(all); err != nil || b.predictor.Observed() != 3 {
		t.Errorf("learned from %d runs, %v, want 3", b.predictor.Observed(), err)
	}
	b.Forget(all[0].ID)
	if len(b.learned) != 3 { // with the bad one
		t.Errorf("remembers %d IDs, want 3", len(b.learned))
	}
	// Runs that are told in any order count in the order of their ends: the last ones are the longest.
	var grows []Run
	for i := range 40 {
		r := runs("grows", 40, float64(10+10*(i/30)*(i-28)))[i]
		r.ID = fmt.Sprint(100 - i)
		grows = append(grows, r)
	}
	if err := b.Learn(grows); err != nil {
		t.Fatal(err)
	}
	if got := b.Decide(of("grows-29999999", start), 1000, start).Seconds; got < 90 {
		t.Errorf("%v s are predicted after runs of up to 120 s, want at least 90", got)
	}
	// What is written has three digits.
	if err := b.Learn(runs("odd", 5, 12.3456)); err != nil {
		t.Fatal(err)
	}
	if got := b.Decide(of("odd-29999999", start), 1000, start).Seconds; got != 12.3 {
		t.Errorf("%v s are written, want 12.3", got)
	}
}

func TestNewErrors(t *testing.T) {
	for _, tc := range []struct {
		c    Config
		want string
	}{
		{Config{Tau: -1}, "tau"},
		{Config{Floor: -1}, "floor"},
		{Config{Resolution: math.NaN()}, "Resolution"},
		{Config{Resolution: -0.1}, "Resolution"},
		{Config{Band: -1}, "Band"},
		{Config{Features: []string{"namespace+user"}}, `"user"`},
		{Config{Features: []string{"label:"}}, `"label:"`},
		{Config{Features: []string{"owner", "owner"}}, "owner"},
	} {
		if _, err := New(tc.c); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: error is %v, want one that has %q", tc.c, err, tc.want)
		}
	}
	if _, err := New(Config{Features: []string{"label:app+queue", "*"}}); err != nil {
		t.Error(err)
	}
}

// A workload counts by the quota that it takes for its runtime: a wide one of ten seconds goes after a narrow one of a minute, and
// one without a quota counts as a core.
func TestQuota(t *testing.T) {
	b := booster(t, Config{})
	now := time.Unix(1.7e9, 0)
	boostOf := func(seconds, quota float64) int32 {
		w := Workload{Submitted: now, Quota: quota, Written: Written{Seconds: seconds}}
		return b.Decide(w, 1000, now).Boost
	}
	if wide, narrow := boostOf(10, 20), boostOf(60, 1); wide >= narrow {
		t.Errorf("boost %d for 20 cores of 10 s, %d for a core of 60 s, want less", wide, narrow)
	}
	if one, none := boostOf(60, 1), boostOf(60, 0); one != none {
		t.Errorf("boost %d for a core, %d without a request, want the same", one, none)
	}
}
