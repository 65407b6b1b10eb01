package wing_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"example.com/augur/dag"
	"example.com/augur/dag/value"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
)

// numbers reads numbers of a fuzzer's bytes, 8 for each.
func numbers(data []byte) (list []float64) {
	for ; len(data) >= 8 && len(list) < 40; data = data[8:] {
		list = append(list, math.Float64frombits(binary.LittleEndian.Uint64(data)))
	}
	return list
}

// FuzzInherit holds Inherit to what repeating "at least as much as those that depend on it" comes to.
func FuzzInherit(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add(binary.LittleEndian.AppendUint64(make([]byte, 16), math.Float64bits(3)), []byte{0, 1, 1, 2, 2, 0, 1, 1})
	f.Add(binary.LittleEndian.AppendUint64(make([]byte, 8), math.Float64bits(math.Inf(-1))), []byte{1, 0, 0, 200})
	f.Fuzz(func(t *testing.T, data, pairs []byte) {
		priorities := numbers(data)
		var edges []dag.Edge
		wrong := slices.ContainsFunc(priorities, math.IsNaN)
		for ; len(pairs) >= 2; pairs = pairs[2:] {
			e := dag.Edge{From: uint32(pairs[0]), To: uint32(pairs[1])}
			if e.From == 255 {
				e.From = math.MaxUint32
			}
			wrong = wrong || max(e.From, e.To) >= uint32(len(priorities))
			edges = append(edges, e)
		}
		got, err := wing.Inherit([]float64{7}, priorities, edges)
		if wrong != (err != nil) || err != nil && !slices.Equal(got, []float64{7}) {
			t.Fatalf("priorities %v, edges %v: %v, error %v", priorities, edges, got, err)
		}
		if err != nil {
			return
		}
		want := slices.Clone(priorities)
		for range want {
			for _, e := range edges {
				want[e.From] = max(want[e.From], want[e.To])
			}
		}
		if !slices.Equal(got[1:], want) {
			t.Fatalf("priorities %v, edges %v: got %v, want %v", priorities, edges, got[1:], want)
		}
	})
}

// FuzzRank holds Millennium, raised by a dependent, to the priority that it has at an instant until the
// instant at which it is to be asked again.
func FuzzRank(f *testing.F) {
	f.Add(int64(5e9), int64(0), int64(2e9), 3.0, int64(6e9), 4.0, int64(9e9), 1.0, 2.0, int64(10e9), int64(4e9))
	f.Add(int64(math.MaxInt64), int64(math.MinInt64), int64(math.MaxInt64), 1.0, int64(math.MinInt64), 1.0, int64(math.MaxInt64), 1.0, 5.0, int64(math.MinInt64), int64(math.MaxInt64))
	f.Add(int64(-3), int64(-7), int64(1), math.MaxFloat64, int64(-5), math.MaxFloat64, int64(-4), math.SmallestNonzeroFloat64, math.NaN(), int64(3), int64(0))
	f.Fuzz(func(t *testing.T, now, origin, runtime int64, work float64, first int64, drop float64, second int64, dropped, raised float64, after, lead int64) {
		worth, err := value.NewFunction(0.5, []value.Drop{{At: first, Value: drop}, {At: second, Value: dropped}})
		if err != nil {
			return
		}
		mil, err := wing.NewMIL(wing.MILConfig{Value: func(*policy.Job) (wing.Valuation, bool) {
			return wing.Valuation{Value: worth, Origin: policy.Time(origin), Runtime: policy.Duration(runtime), Work: work}, true
		}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := wing.NewRaise(wing.RaiseConfig{Ranker: mil, LeadTime: policy.Duration(lead), Dependents: func(*policy.Job) []wing.Dependent {
			return []wing.Dependent{{Priority: raised, After: policy.Duration(after)}}
		}})
		if err != nil {
			return
		}
		j := &policy.Job{ID: 1}
		at := policy.Time(now)
		priority, until := r.Rank(j, at)
		if math.IsNaN(priority) || until <= at && until != policy.Never {
			t.Fatalf("at %d the priority is %v until %d", at, priority, until)
		}
		// It holds until then, and is another one or due again after it.
		for _, same := range []policy.Time{at + 1, at/2 + until/2, until - 1} {
			if same <= at || same >= until {
				continue
			}
			if p, u := r.Rank(j, same); p != priority || u != until {
				t.Fatalf("at %d the priority is %v until %d, and at %d it is %v until %d", at, priority, until, same, p, u)
			}
		}
	})
}
