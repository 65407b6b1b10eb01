package predict_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/traces"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
	"example.com/augur/predict"
)

// An event is a submission or an end of a job.
type event struct {
	at  time.Duration
	end bool
	job *workload.Job
}

// replay lists what happens to the jobs of a trace, each of which starts when it is
// submitted.
func replay(t testing.TB, name string) []event {
	t.Helper()
	r, err := trace.Open(traces.Path(t, name), trace.ReaderConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	jobs, err := workload.ReadAll(r.Jobs())
	if err != nil {
		t.Fatal(err)
	}
	var events []event
	for _, j := range jobs {
		events = append(events, event{time.Duration(j.Submitted), false, j},
			event{time.Duration(j.Submitted) + lasted(j), true, j})
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return events
}

func lasted(j *workload.Job) time.Duration { return time.Duration(j.Runtimes[0][0]) }

// quantile sorts the durations.
func quantile(d []time.Duration, p float64) float64 {
	slices.Sort(d)
	return float64(d[int(p*float64(len(d)-1))])
}

// Google's jobs, in the order of their submissions and ends, by a new predictor, and then by
// one that has seen them all before.
func BenchmarkReplayGoogle(b *testing.B) {
	events := replay(b, "google2011/jobs_first_half.csv.gz")
	touched := 0
	b.ReportAllocs()
	var predicts, observes [2][]time.Duration
	for b.Loop() {
		p := newPredictor(b, predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
		var next predict.Prediction
		for pass := range 2 {
			predicts[pass], observes[pass] = predicts[pass][:0], observes[pass][:0]
			for _, e := range events {
				at := time.Unix(0, int64(e.at))
				for _, a := range e.job.Attrs { // a host has just seen the job
					touched += len(a.Name) + strings.Count(a.Value, "x")
				}
				x := lasted(e.job).Seconds()
				begin := time.Now()
				if e.end {
					if err := p.Observe(e.job, x, at); err != nil {
						b.Fatal(err)
					}
					observes[pass] = append(observes[pass], time.Since(begin))
				} else {
					p.Predict(e.job, at, &next)
					predicts[pass] = append(predicts[pass], time.Since(begin))
				}
			}
		}
	}
	for pass, name := range []string{"new", "old"} {
		b.ReportMetric(quantile(predicts[pass], 0.5), name+"-predict-p50-ns")
		b.ReportMetric(quantile(predicts[pass], 0.99), name+"-predict-p99-ns")
		b.ReportMetric(quantile(observes[pass], 0.5), name+"-observe-p50-ns")
		b.ReportMetric(quantile(observes[pass], 0.99), name+"-observe-p99-ns")
	}
	b.ReportMetric(float64(len(predicts[0])), "jobs")
}

// Jobs of all features of the default, of which the predictor has seen many.
func hot(b *testing.B) (*predict.Predictor, []*predict.Calendar, []float64) {
	rng := rand.New(rand.NewPCG(1, 1))
	p := newPredictor(b, predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
	jobs := make([]*predict.Calendar, 256)
	runtimes := make([]float64, 1<<12)
	for i := range runtimes {
		runtimes[i] = math.Exp(5 + 2*rng.NormFloat64())
	}
	for i := range jobs {
		jobs[i] = &predict.Calendar{Job: &policy.Job{Attrs: []policy.Attr{
			{Name: "user", Value: fmt.Sprint("u", i%8)}, {Name: "program", Value: fmt.Sprint("l", i%32)},
			{Name: "jobname", Value: fmt.Sprint("j", i)}, {Name: "cpu", Value: "0.0125"}, {Name: "memory", Value: "0.0159"},
		}}, At: start.Add(time.Duration(i) * time.Hour)}
	}
	for i := range 100 * len(jobs) {
		observe(b, p, jobs[i%len(jobs)], runtimes[i%len(runtimes)])
	}
	return p, jobs, runtimes
}

func BenchmarkObserve(b *testing.B) {
	p, jobs, runtimes := hot(b)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if err := p.Observe(jobs[i%len(jobs)], runtimes[i%len(runtimes)], start); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

// Each job is of another program, as whoever floods a predictor would have it. Nobody can choose programs that fall on
// the same place of the index: 46 times as many values may cost what misses of the cache cost, and no more.
func BenchmarkObserveFlooded(b *testing.B) {
	for _, n := range []int{1000, 46_000} {
		b.Run(fmt.Sprint("values=", n), func(b *testing.B) {
			p := newPredictor(b, predict.Config{Features: []string{"program"}})
			jobs := make([]predict.Job, n)
			for i := range jobs {
				jobs[i] = predict.Attrs{"program": fmt.Sprintf("%016d", i)}
				observe(b, p, jobs[i], 1)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				observe(b, p, jobs[i%n], 1)
				i += 7919
			}
		})
	}
}

func BenchmarkPredict(b *testing.B) {
	p, jobs, _ := hot(b)
	b.ReportAllocs()
	var next predict.Prediction
	i := 0
	for b.Loop() {
		if !p.Predict(jobs[i%len(jobs)], start, &next) {
			b.Fatal("no prediction")
		}
		i++
	}
}

func BenchmarkEstimate(b *testing.B) {
	p, jobs, _ := hot(b)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, ok := p.Estimate(jobs[i%len(jobs)], start); !ok {
			b.Fatal("no estimate")
		}
		i++
	}
}

// Goroutines that predict and observe jobs of which most have values in common; run it with
// -cpu 1,2,4.
func BenchmarkParallel(b *testing.B) {
	for name, observes := range map[string]int{"predict": 0, "half": 2, "observe": 1} {
		b.Run(name, func(b *testing.B) {
			p, jobs, runtimes := hot(b)
			b.RunParallel(func(pb *testing.PB) {
				var next predict.Prediction
				i := rand.IntN(len(jobs))
				for pb.Next() {
					i++
					job := *jobs[i%len(jobs)]
					if observes > 0 && i%observes == 0 {
						if err := p.Observe(&job, runtimes[i%len(runtimes)], start); err != nil {
							b.Error(err)
						}
					} else {
						p.Predict(&job, start, &next)
					}
				}
			})
		})
	}
}
