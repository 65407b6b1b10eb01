package value

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// randomRecords draws jobs of few templates and users, and values of which some are equal.
func randomRecords(rng *rand.Rand) []Record {
	records := make([]Record, rng.IntN(60))
	amount := func() float64 {
		switch rng.IntN(4) {
		case 0:
			return 0
		case 1:
			return math.Copysign(0, -1)
		case 2:
			return float64(rng.IntN(10))
		}
		return math.Exp(5 * rng.NormFloat64())
	}
	for i := range records {
		r := &records[i]
		if rng.IntN(5) > 0 {
			r.Template = fmt.Sprint("t", rng.IntN(8))
			r.Recurring = r.Template < "t5"
		}
		if rng.IntN(5) > 0 {
			r.User = fmt.Sprint("u", rng.IntN(5))
		}
		r.Own = Worth{amount(), amount()}
		r.Valid = rng.IntN(3) > 0
		r.Aggregate = Worth{r.Own.Value + amount(), r.Own.Compute + amount()}
		r.Runtime, r.FanIn = time.Duration(rng.IntN(1e9)), rng.IntN(5)
		if rng.IntN(5) > 0 {
			r.FanOut, r.TimeToDependency = 1+rng.IntN(3), time.Duration(rng.IntN(100))
			r.Downstream = r.FanOut + rng.IntN(30)
		}
		if !r.Valid && rng.IntN(2) == 0 { // which does not count, whatever it is
			r.Own, r.Aggregate, r.TimeToDependency = Worth{-1, math.Inf(1)}, Worth{math.NaN(), -1}, -1
		}
	}
	return records
}

// naive sums up records by the definitions.
func naive(records []Record, mine func(r Record) bool) (p Profile, ok bool) {
	mid := func(xs []float64) float64 {
		slices.Sort(xs)
		lo, hi := xs[(len(xs)-1)/2], xs[len(xs)/2]
		if lo == hi {
			return lo
		}
		return (lo + hi) / 2
	}
	sum := func(ws []Worth) (s Summary) {
		var v, c []float64
		for _, w := range ws {
			v, c = append(v, w.Value), append(c, w.Compute)
		}
		if len(ws) == 0 {
			return s
		}
		s = Summary{Value: mid(v), Compute: mid(c)}
		switch {
		case s.Value == 0:
			s.Efficiency = 0
		case s.Compute == 0:
			s.Efficiency = math.Inf(1)
		default:
			s.Efficiency = s.Value / s.Compute
		}
		return s
	}
	var own, agg []Worth
	var first []float64
	var spread [6][]float64
	for _, r := range records {
		if !mine(r) {
			continue
		}
		p.Jobs++
		if r.Valid {
			own = append(own, r.Own)
			agg = append(agg, r.Aggregate)
			for i, x := range []float64{r.Runtime.Seconds(), r.Own.Compute, float64(r.FanIn), float64(r.FanOut), float64(r.Downstream)} {
				spread[i] = append(spread[i], x)
			}
			if r.FanOut > 0 {
				first = append(first, float64(r.TimeToDependency))
				spread[5] = append(spread[5], r.TimeToDependency.Seconds())
			}
		}
	}
	for i, d := range []*Deciles{
		&p.Spread.Runtime, &p.Spread.Compute, &p.Spread.FanIn, &p.Spread.FanOut, &p.Spread.Downstream, &p.Spread.TimeToDependency,
	} {
		slices.Sort(spread[i])
		for k := range d {
			if n := len(spread[i]); n > 0 {
				at := float64(n-1) * float64(k) / 10
				lo, up := spread[i][int(at)], spread[i][int(math.Ceil(at))]
				d[k] = lo*(1-(at-math.Floor(at))) + up*(at-math.Floor(at))
			}
		}
	}
	p.Valid, p.Own, p.Aggregate, p.WithDependents = len(own), sum(own), sum(agg), len(first)
	if len(first) > 0 {
		p.TimeToDependency = time.Duration(mid(first)) // cut off, as halves are
	}
	return p, p.Jobs > 0
}

// sameDeciles allows for rounding, but not of the least value and the greatest.
var sameDeciles = cmp.Comparer(func(a, b Deciles) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-12*a[i] {
			return false
		}
	}
	return a[0] == b[0] && a[10] == b[10]
})

func buildOfRecords(t *testing.T) {
	unknown, noAggregate, adhoc, infinite := 0, 0, 0, 0
	for seed := range uint64(250) {
		rng := rand.New(rand.NewPCG(seed, 11))
		records := randomRecords(rng)
		s, err := Build(records)
		if err != nil {
			t.Fatal(err)
		}
		templates, users := map[string]Profile{}, map[string]Profile{}
		for i := range 10 {
			name := fmt.Sprint("t", i)
			if want, ok := naive(records, func(r Record) bool { return r.Recurring && r.Template == name }); ok {
				templates[name] = want
			}
			name = fmt.Sprint("u", i)
			if want, ok := naive(records, func(r Record) bool { return !r.Recurring && r.User == name }); ok {
				users[name] = want
			}
		}
		collect := func(all func(func(string, Profile) bool)) map[string]Profile {
			m, last := map[string]Profile{}, ""
			for name, p := range all {
				if name <= last {
					t.Fatalf("seed %d: %q comes after %q", seed, name, last)
				}
				m[name], last = p, name
			}
			return m
		}
		got := collect(s.Templates())
		if diff := cmp.Diff(templates, got, sameDeciles); diff != "" {
			t.Fatalf("seed %d: templates (-want +got):\n%s", seed, diff)
		}
		if diff := cmp.Diff(users, collect(s.Users()), sameDeciles); diff != "" {
			t.Fatalf("seed %d: users (-want +got):\n%s", seed, diff)
		}
		for name, want := range got {
			if got, ok := s.Template(name); !ok || got != want {
				t.Fatalf("seed %d: %q is %v when asked for, want %v", seed, name, got, want)
			}
		}
		for range 30 {
			template, user := fmt.Sprint("t", rng.IntN(10)), fmt.Sprint("u", rng.IntN(7))
			if rng.IntN(8) == 0 {
				template, user = "", ""
			}
			direct, aggregate, known := Summary{}, Summary{}, false
			if p, ok := templates[template]; ok {
				direct, aggregate, known = p.Own, p.Aggregate, p.Valid > 0
			} else if p, ok := users[user]; ok {
				direct, aggregate, known = p.Own, p.Aggregate, p.Valid > 0
				adhoc++
			} else {
				unknown++
			}
			if !known {
				noAggregate++
			}
			if got, ok := s.Direct(template, user); got != direct || ok != known {
				t.Fatalf("seed %d: Direct(%s, %s): got %v, %v, want %v, %v", seed, template, user, got, ok, direct, known)
			}
			if math.IsInf(aggregate.Efficiency, 1) {
				infinite++
			}
			if got, ok := s.Priority(template, user); got != aggregate || ok != known {
				t.Fatalf("seed %d: Priority(%s, %s): got %v, %v, want %v, %v", seed, template, user, got, ok, aggregate, known)
			}
		}
		rng.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		again, err := Build(records)
		if err != nil {
			t.Fatal(err)
		}
		if string(bytesOf(t, again)) != string(bytesOf(t, s)) {
			t.Fatalf("seed %d: the order of the records matters", seed)
		}
	}
	for name, n := range map[string]int{"unknown": unknown, "without aggregate": noAggregate, "ad hoc": adhoc, "infinite": infinite} {
		if n < 100 {
			t.Errorf("%s: got %d lookups, want 100", name, n)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	good := Record{User: "u"}
	for _, test := range []struct {
		name   string
		change func(r *Record)
		want   string
	}{
		{"template", func(r *Record) { r.Recurring = true }, "record 1: a recurring job has no Template"},
		{"value", func(r *Record) { r.Valid, r.Own.Value = true, -1 }, "record 1: Own.Value is -1"},
		{"compute", func(r *Record) { r.Valid, r.Own.Compute = true, math.NaN() }, "record 1: Own.Compute is NaN"},
		{"aggregate", func(r *Record) { r.Valid, r.Aggregate.Value = true, math.Inf(1) }, "record 1: Aggregate.Value is +Inf"},
		{"aggregate compute", func(r *Record) { r.Valid, r.Aggregate.Compute = true, -2 }, "record 1: Aggregate.Compute is -2"},
		{"first", func(r *Record) { r.Valid, r.TimeToDependency = true, -1 }, "record 1: TimeToDependency is -1"},
		{"runtime", func(r *Record) { r.Valid, r.Runtime = true, -1 }, "record 1: Runtime is -1"},
		{"fan-in", func(r *Record) { r.Valid, r.FanIn = true, -1 }, "record 1: FanIn is -1"},
		{"fan-out", func(r *Record) { r.Valid, r.FanOut = true, -1 }, "record 1: FanOut is -1"},
		{"downstream", func(r *Record) { r.Valid, r.Downstream = true, -1 }, "record 1: Downstream is -1"},
	} {
		records := []Record{good, good}
		test.change(&records[1])
		if s, err := Build(records); s != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.want)
		}
	}
	if s, err := Build([]Record{good, {Valid: true, Own: Worth{1, 2}}}); err != nil || len(s.users) != 1 {
		t.Errorf("got %v, %v, want no profile of a job without user", s, err)
	}
}

// Between the middle two of even numbers is the mean, whatever they are.
func TestDeciles(t *testing.T) {
	for _, test := range []struct {
		xs   []float64
		want Deciles
	}{
		{nil, Deciles{}},
		{[]float64{3}, Deciles{3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}},
		{[]float64{5, 1}, Deciles{1, 1.4, 1.8, 2.2, 2.6, 3, 3.4, 3.8, 4.2, 4.6, 5}},
		{[]float64{9, 1, 2, 4, 3, 5, 8, 7, 6, 20, 0}, Deciles{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20}},
		{[]float64{0, 0, 1, 1}, Deciles{0, 0, 0, 0, 0.2, 0.5, 0.8, 1, 1, 1, 1}},
		{[]float64{0.1, 0.1}, Deciles{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}},
		{[]float64{5e-324, 5e-324}, Deciles{5e-324, 5e-324, 5e-324, 5e-324, 5e-324, 5e-324, 5e-324, 5e-324, 5e-324, 5e-324, 5e-324}},
		{[]float64{0, MaxSum}, Deciles{0, MaxSum * 0.1, MaxSum * 0.2, MaxSum * 0.3, MaxSum * 0.4, MaxSum / 2, MaxSum * 0.6, MaxSum * 0.7, MaxSum * 0.8, MaxSum * 0.9, MaxSum}},
	} {
		var records []*Record
		for _, x := range test.xs {
			records = append(records, &Record{Own: Worth{Value: x}})
		}
		got := deciles(records, func(r *Record) float64 { return r.Own.Value })
		if !cmp.Equal(got, test.want, sameDeciles) || got[5] != test.want[5] {
			t.Errorf("%v: got %v, want %v", test.xs, got, test.want)
		}
	}
	s, err := Build([]Record{
		{User: "u", Valid: true, TimeToDependency: math.MaxInt64},
		{User: "u", Valid: true, TimeToDependency: math.MaxInt64 - 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	if p := maps.Collect(s.Users())["u"]; p.TimeToDependency != math.MaxInt64-1 {
		t.Errorf("got %d, want the mean of two long spans", p.TimeToDependency)
	}
}

func TestEfficiency(t *testing.T) {
	zero := math.Copysign(0, -1)
	for _, test := range []struct {
		w    Worth
		want float64
	}{
		{Worth{6, 4}, 1.5}, {Worth{0, 4}, 0}, {Worth{0, 0}, 0}, {Worth{zero, zero}, 0},
		{Worth{6, 0}, math.Inf(1)}, {Worth{6, zero}, math.Inf(1)},
	} {
		if got := test.w.Efficiency(); got != test.want || math.Signbit(got) {
			t.Errorf("%v: got %v, want %v", test.w, got, test.want)
		}
	}
}

// Records of a log agree with what the log says.
func TestRecord(t *testing.T) {
	followed, atOnce, known, unknown := 0, 0, 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 12))
		g, submitted, completed := randomLog(rng)
		own, compute := randomOwn(rng, g.Len()), randomOwn(rng, g.Len())
		w, err := NewWindowed(g, submitted, completed, WindowConfig{Width: 20, End: 160}, own, compute)
		if err != nil {
			t.Fatal(err)
		}
		for j := range uint32(g.Len()) {
			got, err := w.Record(j)
			if err != nil {
				t.Fatal(err)
			}
			want := Record{Own: Worth{own[j], compute[j]}}
			if want.Valid = w.Valid(j); want.Valid {
				c, _ := w.Aggregate(nil, j)
				want.Aggregate = Worth{c[0], c[1]}
				want.Runtime, want.FanIn = time.Duration(completed[j]-submitted[j]), len(g.In(j))
				first := int64(math.MaxInt64)
				within := func(d uint32) bool { return submitted[d] <= completed[j]+20 }
				for _, d := range g.Out(j) {
					if within(d) {
						first = min(first, submitted[d]-submitted[j])
						want.FanOut++
					}
				}
				for range Reach().Dependents(g, j, within) {
					want.Downstream++
				}
				if want.FanOut > 0 {
					want.TimeToDependency = time.Duration(first)
					followed++
					if first == 0 {
						atOnce++
					}
				}
				known++
			} else {
				unknown++
			}
			if got != want {
				t.Fatalf("seed %d: job %d: got %+v, want %+v", seed, j, got, want)
			}
		}
		if _, err := w.Record(uint32(g.Len())); err == nil {
			t.Fatal("got a record of no job")
		}
		one, err := NewWindowed(g, submitted, completed, WindowConfig{}, own)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := one.Record(0); err == nil {
			t.Fatal("got a record without compute time")
		}
	}
	if followed < 300 || atOnce < 100 || known < 1000 || unknown < 300 {
		t.Errorf("got %d jobs with dependents, %d with one at the same instant, %d known, %d not, want 300, 100, 1000, 300", followed, atOnce, known, unknown)
	}
	if got := span(math.MinInt64, math.MaxInt64); got != math.MaxInt64 {
		t.Errorf("got %d for the longest span, want the longest Duration", got)
	}
}

func liveStores(t *testing.T) {
	var live Live
	if s, ok := live.Load().Priority("t", "u"); ok || s != (Summary{}) {
		t.Errorf("the zero Live knows %v", s)
	}
	store := func(x float64) *Store {
		s, err := Build([]Record{
			{Template: "t", Recurring: true, Valid: true, Aggregate: Worth{x, 1}},
			{User: "u", Valid: true, Aggregate: Worth{x, 1}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if old := live.Swap(store(1)); old != &nothing {
		t.Errorf("got %v, want a store that knows nothing", old)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			last := 0.0
			for last < 200 {
				s := live.Load()
				a, known := s.Priority("t", "")
				b, same := s.Priority("", "u")
				if x := a.Efficiency; x < last || b.Efficiency != x || !known || !same {
					t.Errorf("after %v: got %v, %v and %v, %v, want the same, and no less", last, a, known, b, same)
					return
				}
				last = a.Efficiency
			}
		})
	}
	for x := 2; x <= 200; x++ {
		if old, _ := live.Swap(store(float64(x))).Priority("t", ""); old.Efficiency != float64(x-1) {
			t.Errorf("got store %v, want the one before %d", old.Efficiency, x)
		}
	}
	wg.Wait()
	if x, ok := live.Priority("t", ""); x != 200 || !ok {
		t.Errorf("Aggregate: got %v, %v, want 200", x, ok)
	}
	if x, ok := live.Direct("", "u"); x != 0 || !ok {
		t.Errorf("Direct: got %v, %v, want 0", x, ok)
	}
	if x, ok := live.Direct("none", "none"); x != 0 || ok {
		t.Errorf("Direct of what is not known: got %v, %v", x, ok)
	}
	if live.Swap(nil); live.Load() == nil {
		t.Error("got no store, want one that knows nothing")
	}
}

func lookupAllocatesNothing(t *testing.T) {
	s := randomStore(t, 3)
	if n := testing.AllocsPerRun(10, func() {
		s.Priority("none", "u1")
		s.Direct("t3", "")
	}); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}
