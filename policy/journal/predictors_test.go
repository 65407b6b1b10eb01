package journal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"example.com/augur/dag/value"
	"example.com/augur/histogram"
	"example.com/augur/internal/whole"
	"example.com/augur/predict"
)

// All that learns outside of a policy, and can be saved, is saved at a random instant and restored in a
// new process, which observes the rest: the answers are then those of what was never interrupted.

// A learner is something that learns from jobs, and the files that it is saved in.
type learner struct {
	// save writes a part of what it knows; there are so many parts.
	parts   int
	save    func(part int, w io.Writer) error
	restore func(part int, r io.Reader) error
	// learn observes the i-th job, and ask says what is expected of it.
	learn func(i int, j *job) error
	ask   func(i int, j *job) string
}

type job struct {
	attrs   predict.Attrs
	tasks   []float64
	runtime float64
	now     time.Time
}

// stream draws jobs, the same for the same seed in any process.
func stream(seed uint64, n int) []job {
	rng := rand.New(rand.NewPCG(seed, 77))
	jobs := make([]job, n)
	now := time.Unix(1e9, 0)
	for i := range jobs {
		now = now.Add(time.Duration(rng.ExpFloat64() * float64(20*time.Minute)))
		j := job{now: now, attrs: predict.Attrs{
			"user": strconv.Itoa(rng.IntN(5)), "program": strconv.Itoa(int(rng.ExpFloat64() * 4)), "hour": strconv.Itoa(now.Hour()),
		}}
		for range 1 + rng.IntN(5) {
			j.tasks = append(j.tasks, math.Round(rng.ExpFloat64()*600))
			j.runtime += j.tasks[len(j.tasks)-1]
		}
		jobs[i] = j
	}
	return jobs
}

// exact writes a number with all its bits.
func exact(x float64) string { return strconv.FormatFloat(x, 'x', -1, 64) }

var features = []string{"user", "program", "user+program", predict.All}

// predictors makes as many predictors as one needs of a kind.
func predictors(n int, c predict.Config) ([]*predict.Predictor, learner, error) {
	list := make([]*predict.Predictor, n)
	for i := range list {
		var err error
		if list[i], err = predict.New(c); err != nil {
			return nil, learner{}, err
		}
	}
	return list, learner{
		parts:   n,
		save:    func(part int, w io.Writer) error { return list[part].Snapshot(w) },
		restore: func(part int, r io.Reader) error { return list[part].Restore(r) },
	}, nil
}

func predictorOf(c predict.Config) func() (learner, error) {
	return func() (learner, error) {
		list, l, err := predictors(1, c)
		if err != nil {
			return l, err
		}
		p := list[0]
		l.learn = func(_ int, j *job) error { return p.Observe(j.attrs, j.runtime, j.now) }
		l.ask = func(_ int, j *job) string {
			x, ok := p.Estimate(j.attrs, j.now)
			var whole predict.Prediction
			if !p.Predict(j.attrs, j.now, &whole) {
				return "nothing is known"
			}
			d := whole.Distribution()
			return fmt.Sprint(exact(x), ok, whole.String(), exact(d.Quantile(0.1)), exact(d.Mean()), exact(d.CDF(x)))
		}
		return l, nil
	}
}

// learners are all kinds of them.
var learners = map[string]func() (learner, error){
	"predictor":              predictorOf(predict.Config{Features: features}),
	"predictor of 3Sigma":    predictorOf(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)}),
	"predictor, half-life":   predictorOf(predict.Config{Features: features, HalfLife: 5 * time.Hour}),
	"predictor, window":      predictorOf(predict.Config{Features: features, Window: 30 * time.Hour, Recent: 5}),
	"predictor that forgets": predictorOf(predict.Config{Features: features, Values: 12, Histogram: histogram.Config{Bins: 5}}),
	"hybrid": func() (learner, error) {
		list, l, err := predictors(2, predict.Config{Features: features})
		if err != nil {
			return l, err
		}
		h := &predict.Hybrid{Means: list[0], Spreads: list[1]}
		l.learn = func(_ int, j *job) error { return h.Observe(j.attrs, j.tasks, j.now) }
		l.ask = func(_ int, j *job) string {
			belief, err := h.Predict(j.attrs, j.tasks[:1], j.now)
			if err != nil {
				return err.Error()
			}
			return fmt.Sprint(exact(belief.Mean()), belief.OK())
		}
		return l, nil
	},
	"chooser": func() (learner, error) {
		list, l, err := predictors(2, predict.Config{Features: features})
		if err != nil {
			return l, err
		}
		c := &predict.Chooser{Sampling: list[0], History: list[1]}
		l.learn = func(i int, j *job) error {
			return c.Observe(j.attrs, j.tasks[0]*float64(len(j.tasks)), float64(i%1000), j.runtime, j.now)
		}
		l.ask = func(_ int, j *job) string { return fmt.Sprint(c.Sample(j.attrs, j.now)) }
		return l, nil
	},
	"histogram": func() (learner, error) {
		h, err := histogram.New(histogram.Config{Bins: 20})
		return learner{
			parts: 1,
			save: func(_ int, w io.Writer) error {
				b, err := h.MarshalBinary()
				if err != nil {
					return err
				}
				_, err = w.Write(b)
				return err
			},
			restore: func(_ int, r io.Reader) error {
				b, err := io.ReadAll(r)
				if err != nil {
					return err
				}
				return h.UnmarshalBinary(b)
			},
			learn: func(_ int, j *job) error { return h.Add(j.runtime) },
			ask: func(_ int, j *job) string {
				return fmt.Sprint(exact(h.Mean()), exact(h.CDF(j.runtime)), exact(h.Variance()), exact(h.Count()))
			},
		}, err
	},
	// A store does not learn: what comes after it is in the next one.
	"value store": func() (learner, error) {
		var live value.Live
		var records []value.Record
		return learner{
			parts: 1,
			save:  func(_ int, w io.Writer) error { return live.Load().Save(w) },
			restore: func(_ int, r io.Reader) error {
				s, err := value.Load(r)
				live.Swap(s)
				return err
			},
			learn: func(i int, j *job) error {
				if i > 100 {
					return nil
				}
				records = append(records, value.Record{
					Template: "t" + j.attrs["program"], User: j.attrs["user"], Recurring: i%3 > 0, Known: true,
					Own: value.Worth{Value: j.runtime, Compute: j.tasks[0]}, Aggregate: value.Worth{Value: 2 * j.runtime, Compute: j.runtime},
				})
				s, err := value.Build(records, value.Config{})
				live.Swap(s)
				return err
			},
			ask: func(_ int, j *job) string {
				x, ok := live.Aggregate("t"+j.attrs["program"], j.attrs["user"])
				y, okay := live.Direct("t"+j.attrs["program"], j.attrs["user"])
				return fmt.Sprint(exact(x), ok, exact(y), okay)
			},
		}, nil
	},
}

// An interrupted learner was saved after so many jobs of a stream.
type interrupted struct {
	Name        string
	Seed        uint64
	Jobs, After int
	Files       string
}

func (in *interrupted) file(dir string, part int) string {
	return filepath.Join(dir, fmt.Sprintf("%s.%d", in.Files, part))
}

// goOn observes jobs from the given one on, and returns all answers, and what it saves in the end.
func (l *learner) goOn(jobs []job, from int) ([]byte, error) {
	var out bytes.Buffer
	for i := from; i < len(jobs); i++ {
		fmt.Fprintln(&out, i, l.ask(i, &jobs[i]))
		if err := l.learn(i, &jobs[i]); err != nil {
			return nil, err
		}
	}
	for part := range l.parts {
		if err := l.save(part, &out); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func TestLearnersGoOnInANewProcess(t *testing.T) {
	dir := t.TempDir()
	var all []interrupted
	want := make(map[string][]byte)
	for name, make := range learners {
		for seed := range uint64(*times) {
			in := interrupted{Name: name, Seed: seed, Jobs: 300, Files: fmt.Sprintf("%s.%d", name, seed)}
			in.After = rand.New(rand.NewPCG(seed, uint64(len(name)))).IntN(in.Jobs)
			if name == "value store" {
				in.After = max(in.After, 102) // from then on it is the same store
			}
			l, err := make()
			if err != nil {
				t.Fatal(err)
			}
			jobs := stream(seed, in.Jobs)
			for i := range in.After {
				if err := l.learn(i, &jobs[i]); err != nil {
					t.Fatal(err)
				}
			}
			for part := range l.parts {
				if err := whole.WriteFile(in.file(dir, part), func(w io.Writer) error { return l.save(part, w) }); err != nil {
					t.Fatal(err)
				}
			}
			if want[in.Files], err = l.goOn(jobs, in.After); err != nil {
				t.Fatal(err)
			}
			all = append(all, in)
		}
	}
	text, err := json.Marshal(all)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "all.json"), text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out, err := child(t, "predict on", dir).CombinedOutput(); err != nil {
		t.Fatalf("the new process: %v\n%s", err, out)
	}
	for _, in := range all {
		got, err := os.ReadFile(filepath.Join(dir, in.Files+".again"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want[in.Files]) {
			t.Errorf("%s, seed %d, saved after %d of %d jobs: the new process answers or saves otherwise", in.Name, in.Seed, in.After, in.Jobs)
		}
	}
	t.Logf("%d learners of %d kinds", len(all), len(learners))
}

// predictOn is what the new process does.
func predictOn(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "all.json"))
	if err != nil {
		return err
	}
	var all []interrupted
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for _, in := range all {
		l, err := learners[in.Name]()
		if err != nil {
			return err
		}
		for part := range l.parts {
			f, err := os.Open(in.file(dir, part))
			if err != nil {
				return err
			}
			if err := errors.Join(l.restore(part, f), f.Close()); err != nil {
				return err
			}
		}
		out, err := l.goOn(stream(in.Seed, in.Jobs), in.After)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, in.Files+".again"), out, 0o666); err != nil {
			return err
		}
	}
	return nil
}
