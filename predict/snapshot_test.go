package predict

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/histogram"
)

// snapshotConfigs are of all kinds.
var snapshotConfigs = map[string]Config{
	"default":    {Features: []string{"user", "program", "user+program", All}},
	"few values": {Features: []string{"user", "program", "user+program"}, Values: 15},
	"window":     {Features: []string{"user", "program", All}, Window: 50 * time.Hour},
	"half-life":  {Features: []string{"user", "program", All}, HalfLife: 10 * time.Hour},
	"numbers":    {Features: []string{"log(bytes)", "user+log(bytes)"}},
	"found":      {HalfLife: 10 * time.Hour},
	"found too":  {Window: 50 * time.Hour},
}

func snapshot(t testing.TB, p *Predictor) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// observeRandomly returns the time after n jobs.
func observeRandomly(t testing.TB, p *Predictor, rng *rand.Rand, n int, now time.Time) time.Time {
	for range n {
		job, runtime := randomJob(rng)
		now = now.Add(time.Duration(rng.ExpFloat64() * float64(10*time.Minute)))
		if err := p.Observe(job, runtime, now); err != nil {
			t.Fatal(err)
		}
	}
	return now
}

func TestRestoreGivesTheSameAnswers(t *testing.T) {
	for name, c := range snapshotConfigs {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(3) {
				rng := rand.New(rand.NewPCG(seed, 2))
				p, err := New(c)
				if err != nil {
					t.Fatal(err)
				}
				q, err := New(c)
				if err != nil {
					t.Fatal(err)
				}
				now := observeRandomly(t, q, rng, 20, time.Unix(1e9, 0)) // of which nothing must be left
				now = observeRandomly(t, p, rng, rng.IntN(200), now)
				b := snapshot(t, p)
				if err := q.Restore(iotest.OneByteReader(bytes.NewReader(b))); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(snapshot(t, q), b) {
					t.Fatal("the snapshot of what was restored differs")
				}
				for range 60 {
					job, runtime := randomJob(rng)
					now = now.Add(time.Duration(rng.ExpFloat64() * float64(time.Hour)))
					equal(t, p, q, job, now)
					for _, p := range []*Predictor{p, q} {
						if err := p.Observe(job, runtime, now); err != nil {
							t.Fatal(err)
						}
					}
				}
				if !bytes.Equal(snapshot(t, p), snapshot(t, q)) {
					t.Error("snapshots differ in the end")
				}
			}
		})
	}
}

// equal fails the test unless two predictors say the same of a job, to the last bit.
func equal(t *testing.T, p, q *Predictor, job Job, now time.Time) {
	t.Helper()
	var want, got Prediction
	p.Predict(job, now, &want)
	q.Predict(job, now, &got)
	diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Prediction{}), cmpopts.EquateNaNs())
	if diff != "" || !sameHistogram(want.Distribution(), got.Distribution()) {
		t.Fatalf("of %v, predictions differ (-want +got):\n%s", job, diff)
	}
}

func sameHistogram(a, b *histogram.Histogram) bool {
	x, errA := a.MarshalBinary()
	y, errB := b.MarshalBinary()
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

func TestRestoreRefusesWhatIsDamaged(t *testing.T) {
	for name, c := range snapshotConfigs {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 3))
			p, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			now := observeRandomly(t, p, rng, 60, time.Unix(1e9, 0))
			good := snapshot(t, p)
			observeRandomly(t, p, rng, 60, now)
			before := snapshot(t, p)
			check := func(what string, at int, b []byte) {
				t.Helper()
				err := p.Restore(bytes.NewReader(b))
				if err == nil || !strings.HasPrefix(err.Error(), "predict: ") {
					t.Fatalf("%s at %d: error is %v", what, at, err)
				}
				if at%97 == 0 && !bytes.Equal(snapshot(t, p), before) {
					t.Fatalf("%s at %d changed the predictor", what, at)
				}
			}
			for i := rng.IntN(3); i < len(good); i += 1 + rng.IntN(30) {
				check("cut", i, good[:i])
				b := bytes.Clone(good)
				b[i] ^= 1 << rng.IntN(8)
				check("flip", i, b)
			}
			check("more", len(good), append(bytes.Clone(good), 0))
			if !bytes.Equal(snapshot(t, p), before) {
				t.Fatal("the predictor has changed")
			}
			if err := p.Restore(bytes.NewReader(good)); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestRestoreSaysWhatIsWrong(t *testing.T) {
	p, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Restore(nil); err == nil || err.Error() != "predict: Restore from a reader that is nil" {
		t.Errorf("no reader: error %v, want one that says so", err)
	}
	if err := p.Snapshot(nil); err == nil || err.Error() != "predict: Snapshot to a writer that is nil" {
		t.Errorf("no writer: error %v, want one that says so", err)
	}
	observeRandomly(t, p, rand.New(rand.NewPCG(4, 4)), 10, time.Time{})
	b := snapshot(t, p)
	before := snapshot(t, p)
	for _, test := range []struct {
		config Config
		want   string
	}{
		{Config{HalfLife: time.Hour}, "with HalfLife 0s, this one has 1h0m0s"},
		{Config{Window: time.Hour}, "with Window 0s, this one has 1h0m0s"},
	} {
		q, err := New(test.config)
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Restore(bytes.NewReader(b)); err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, ErrFormat) {
			t.Errorf("error is %v, want %s", err, test.want)
		}
	}
	if err := p.Restore(bytes.NewReader(b[:20])); !errors.Is(err, ErrFormat) {
		t.Errorf("error of a cut snapshot is %v", err)
	}
	broken := errors.New("broken pipe")
	if err := p.Restore(io.MultiReader(bytes.NewReader(b[:20]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("error of a broken reader is %v", err)
	}

	q, err := New(Config{Values: 1000}) // another limit is fine
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Restore(bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	if got := q.Config().Values; got != 1000 || !bytes.Equal(snapshot(t, q), before) {
		t.Errorf("with another limit, now %d, something else is known", got)
	}

	for _, v := range p.store.values {
		v.recent, v.runtimes = nil, with(v.runtimes, 1)
	}
	if err := p.Restore(bytes.NewReader(snapshot(t, p))); !errors.Is(err, ErrFormat) {
		t.Errorf("error of values without recent runtimes is %v", err)
	}
}

// Whoever forges a snapshot that Restore takes gets no panic and no estimate that is not a number.
func TestForgedSnapshots(t *testing.T) {
	job, now := Attrs{"user": "ann", "bytes": "1e6"}, time.Unix(1e9, 0)
	for _, test := range []struct {
		name  string
		forge func(p *Predictor, v *value) // the value of a feature with a number
		taken bool
	}{
		{"nothing", func(*Predictor, *value) {}, true},
		{"a number without its line", func(_ *Predictor, v *value) { v.fit = nil }, true},
		{"a line without a number", func(p *Predictor, _ *value) {
			for _, v := range p.store.values {
				v.fit = new(fit)
			}
		}, true},
		{"numbers that spread less than not at all", func(_ *Predictor, v *value) { *v.fit = fit{x: 3 * v.weight, xx: 9*v.weight - 1} }, true},
		{"a line that is no number", func(_ *Predictor, v *value) { v.fit.xy = math.NaN() }, false},
		{"sums that are too great", func(_ *Predictor, v *value) { v.fit.x = 1e200 }, false},
		{"too many attributes", func(p *Predictor, _ *value) { p.discovery.seen = make([]string, 33) }, false},
		{"found features without All", func(p *Predictor, _ *value) { p.features.features[0].name = "program" }, true},
		{"a feature twice", func(p *Predictor, _ *value) { p.features.features[0].name = "user" }, false},
		{"a value of no feature", func(_ *Predictor, v *value) { v.feature = 4 }, false},
		{"too many features", func(p *Predictor, _ *value) { p.discovery.pending = make([]string, 1025) }, false},
	} {
		p, _ := newPair(t, Config{})
		for range 3 {
			if err := p.Observe(job, 7, now); err != nil {
				t.Fatal(err)
			}
		}
		k := p.features.keys(job, &p.secret, new(places))
		for _, v := range p.store.values {
			v.errors = [...]float64{1, 1, 1, 1} // so that the power law wins
		}
		test.forge(p, p.store.values[k.of[1]]) // of log(bytes)
		q, _ := newPair(t, Config{})
		if err := q.Restore(bytes.NewReader(snapshot(t, p))); (err == nil) != test.taken || err != nil && !errors.Is(err, ErrFormat) {
			t.Errorf("%s: error %v, want one: %v", test.name, err, !test.taken)
		}
		for range 2 {
			var next Prediction
			if q.Predict(job, now, &next); !(next.Runtime >= 0) && test.taken {
				t.Errorf("%s: %v is predicted", test.name, &next)
			}
			if err := q.Observe(job, 7, now); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A snapshot during which another is restored is of what was there when it began.
func TestSnapshotWhileRestoring(t *testing.T) {
	p, err := New(snapshotConfigs["default"])
	if err != nil {
		t.Fatal(err)
	}
	nothing := snapshot(t, p)
	for i := range 2 * chunk {
		if err := p.Observe(Attrs{"user": strconv.Itoa(i)}, float64(i), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	want := snapshot(t, p)
	var got bytes.Buffer
	err = p.Snapshot(writerFunc(func(b []byte) (int, error) {
		if err := p.Restore(bytes.NewReader(nothing)); err != nil {
			t.Error(err)
		}
		return got.Write(b)
	}))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the snapshot differs from that taken before")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// No bytes whatever, even with the right checksum, make a predictor panic.
func FuzzRestore(f *testing.F) {
	for _, c := range snapshotConfigs {
		p, err := New(c)
		if err != nil {
			f.Fatal(err)
		}
		for _, n := range []int{0, 3, 30} {
			observeRandomly(f, p, rand.New(rand.NewPCG(uint64(n), 5)), n, time.Unix(1e9, 0))
			b := snapshot(f, p)
			f.Add(b[:len(b)-8])
		}
	}
	for _, name := range []string{"plain.v7", "numbers.v7", "found.v7"} {
		b := file(f, name)
		f.Add(b[:len(b)-8])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = binary.LittleEndian.AppendUint64(bytes.Clone(b), crc64.Checksum(b, crcTable))
		for _, c := range snapshotConfigs {
			p, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			if p.Restore(bytes.NewReader(b)) != nil {
				continue
			}
			if got := p.Values(); got > c.Values && c.Values > 0 {
				t.Fatalf("%d values with a limit of %d", got, c.Values)
			}
			again := snapshot(t, p)
			var next Prediction
			rng := rand.New(rand.NewPCG(6, 6))
			for i := range 50 {
				job, runtime := randomJob(rng)
				now := time.Unix(1e9+int64(i)*1e4, 0)
				if p.Predict(job, now, &next) && math.IsNaN(next.Runtime) {
					t.Fatalf("no runtime is predicted: %v", &next)
				}
				if err := p.Observe(job, runtime, now); err != nil {
					t.Fatal(err)
				}
			}
			if err := p.Restore(bytes.NewReader(again)); err != nil {
				t.Fatalf("its own snapshot is refused: %v", err)
			}
		}
	})
}
