package slearn

import (
	"cmp"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

func newErrors() *predict.Chooser {
	byUser := predict.Config{Features: []string{"user"}}
	return &predict.Chooser{Sampling: must(predict.New(byUser)), History: must(predict.New(byUser))}
}

func newChooser(c ChooserConfig) *Chooser {
	c.Sampling.Src, c.Sampling.ThinLimit = rand.NewPCG(1, 2), 3
	c.History, c.Errors = newHistory(HistoryConfig{Point: Winner}), newErrors()
	return must(NewChooser(c))
}

// Ann's jobs recur: their tasks differ, but they take 100 s in the mean, each time. The tasks
// of each of Bob's jobs are alike, but no job is like another. Cid is new.
func ExampleChooser() {
	byUser := predict.Config{Features: []string{"user"}}
	var predictors [3]*predict.Predictor
	for i := range predictors {
		var err error
		if predictors[i], err = predict.New(byUser); err != nil {
			log.Fatal(err)
		}
	}
	history, err := NewHistory(HistoryConfig{Predictor: predictors[0]})
	if err != nil {
		log.Fatal(err)
	}
	chooser, err := NewChooser(ChooserConfig{
		Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: history,
		Errors: &predict.Chooser{Sampling: predictors[1], History: predictors[2]},
	})
	if err != nil {
		log.Fatal(err)
	}
	job := func(user string) *policy.Job {
		return &policy.Job{ID: 1, Attrs: []policy.Attr{{Name: "user", Value: user}}, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}}
	}
	learn := func(user string, runtimes ...float64) {
		var m estimate.Moments
		for _, x := range runtimes {
			if err := m.Add(x); err != nil {
				log.Fatal(err)
			}
		}
		if err := chooser.Learn(job(user), m, m.Sum(), time.Time{}); err != nil {
			log.Fatal(err)
		}
	}
	for i := range 5 {
		learn("ann", 10, 190, 50, 150)
		long := 10 * math.Pow(3, float64(i))
		learn("bob", long, long*1.01, long, long*0.99)
	}
	for _, user := range []string{"ann", "bob", "cid"} {
		plan, err := chooser.Plan(job(user), 0)
		if err != nil {
			log.Fatal(err)
		}
		if plan.When == Now {
			fmt.Printf("%s: %.0f core-seconds, by history\n", user, plan.Work)
		} else {
			fmt.Printf("%s: %d pilot\n", user, plan.Pilots)
		}
	}
	// Output:
	// ann: 400 core-seconds, by history
	// bob: 1 pilot
	// cid: 1 pilot
}

// Under GS, with nothing known before, jobs that recur come to go by history, and the others
// never do. Both errors are those of all jobs, however they were estimated.
func TestChooserLearnsUnderGS(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var jobs []*workload.Job
	for i := range 120 {
		runtimes := make([]policy.Duration, 10)
		user := []string{"recurs", "varies"}[i%2]
		scale := math.Exp(2 * rng.NormFloat64())
		for k := range runtimes {
			runtimes[k] = policy.Duration(float64(k*2+1) * float64(s)) // 10 s in the mean
			if user == "varies" {
				runtimes[k] = policy.Duration(10 * scale * float64(s) * (0.95 + 0.1*rng.Float64()))
			}
		}
		j := bag(policy.JobID(i+1), policy.Duration(i)*200*s, runtimes...)
		j.Attrs = []policy.Attr{{Name: "user", Value: user}}
		jobs = append(jobs, j)
	}
	chooser := newChooser(ChooserConfig{})
	byHistory := map[string]int{}
	js, truth := workload.Split(jobs)
	g := must(NewGS(GSConfig{Forecast: NewForecast(ended{chooser, func(j *policy.Job, r Record) {
		if user, _ := j.Attr("user"); r.Plan.When == Now {
			byHistory[user]++
			if math.Abs(r.Estimate-100) > 1e-6 {
				t.Errorf("job %d: %v core-seconds by history, want 100", j.ID, r.Estimate)
			}
		}
	}})}))
	if _, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 10}), Jobs: js, Truth: truth}, g); err != nil {
		t.Fatal(err)
	}
	if byHistory["recurs"] < 55 || byHistory["varies"] > 0 {
		t.Errorf("of 60 jobs each, by history: %v, want nearly all of those that recur and none of those that vary", byHistory)
	}
	if n := chooser.sampling.ratio; n == nil {
		t.Error("the ratio is not adaptive")
	}
}

// The error to be expected of pilots is that which random pilots of normal runtimes turn out to
// have, in the mean over jobs.
func TestChooserExpectsTheErrorOfPilots(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, test := range []struct {
		tasks int
		ratio float64 // 0: adaptive, for which 3 % stand
	}{{10, 0}, {60, 0}, {100, 0}, {200, 0}, {100, 0.2}} {
		n := test.tasks
		c := ChooserConfig{Sampling: SamplingConfig{Src: rng}, History: newHistory(HistoryConfig{}), Errors: newErrors()}
		c.Sampling.Ratio = test.ratio
		chooser := must(NewChooser(c))
		pilots := must(estimate.PilotCount(n, cmp.Or(test.ratio, 0.03)))
		got, want := 0.0, 0.0
		for user := range 400 {
			runtimes := make([]float64, n)
			for i := range runtimes {
				runtimes[i] = 100 + 20*rng.NormFloat64()
			}
			all := moments(runtimes...)
			mean, _ := all.Mean()
			job := userJob(1, strconv.Itoa(user), uint32(n))
			if err := chooser.Learn(job, all, 2*all.Sum(), time.Time{}); err != nil {
				t.Fatal(err)
			}
			expected, _ := c.Errors.Sampling.Estimate(job, time.Time{})
			got += expected
			const draws = 30
			for range draws {
				rng.Shuffle(n, func(i, j int) { runtimes[i], runtimes[j] = runtimes[j], runtimes[i] })
				some := moments(runtimes[:pilots]...)
				sampled, _ := some.Mean()
				want += math.Abs(sampled-mean) / mean / draws
			}
		}
		// Of ten runtimes the sample standard deviation is 3 % too small in the mean.
		if math.Abs(got/want-1) > 0.04 {
			t.Errorf("%d tasks, ratio %v: expected error %v, want %v", n, test.ratio, got/400, want/400)
		}
	}
}

// Which errors are learned of which jobs.
func TestChooserErrors(t *testing.T) {
	wide, thin := userJob(1, "u", 4), userJob(2, "u", 2)
	later, now := Plan{When: Later}, Plan{}
	tasks := moments(1, 3, 1, 3) // 16 core-seconds; a pilot's variance is 4/3 * (1 - 1/4), its mean 2
	expected := math.Sqrt(2 / math.Pi * math.Log(1.25))
	for _, test := range []struct {
		why           string
		job           *policy.Job
		r             Record
		sampling, old float64 // errors; -1 if none
	}{
		{"sampled", wide, Record{Plan: later, Estimated: true, Estimate: 24, Runtimes: tasks, Work: 16}, math.Log(1.5), math.Ln2},
		{"by history", wide, Record{Plan: now, Estimated: true, Estimate: 24, Runtimes: tasks, Work: 16}, expected, math.Ln2},
		{"no estimate", wide, Record{Plan: later, Runtimes: tasks, Work: 16}, expected, math.Ln2},
		{"thin", thin, Record{Plan: Plan{Bypass: true}, Runtimes: moments(1, 3), Work: 8}, -1, -1},
		{"cancelled", wide, Record{Outcome: policy.Cancelled, Plan: later, Runtimes: moments(1), Work: 2}, -1, -1},
		{"without work", wide, Record{Plan: now, Runtimes: moments(0, 0, 0, 0)}, 0, 50},
	} {
		c := ChooserConfig{Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: newHistory(HistoryConfig{}), Errors: newErrors()}
		if err := c.History.Learn(wide, 32, time.Time{}); err != nil { // 4 s a task
			t.Fatal(err)
		}
		test.r.Outcome = max(test.r.Outcome, policy.Done)
		must(NewChooser(c)).Ended(test.job, test.r)
		for i, want := range []float64{test.sampling, test.old} {
			got, ok := []*predict.Predictor{c.Errors.Sampling, c.Errors.History}[i].Estimate(wide, time.Time{})
			if ok != (want >= 0) || ok && math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: error %d is %v (%v), want %v", test.why, i, got, ok, want)
			}
		}
	}
}

func TestChooserConfigErrors(t *testing.T) {
	p := must(predict.New(predict.Config{}))
	h, sampling := newHistory(HistoryConfig{}), SamplingConfig{Src: rand.NewPCG(1, 2)}
	for _, test := range []struct {
		want string
		c    ChooserConfig
	}{
		{"History is nil", ChooserConfig{Sampling: sampling, Errors: newErrors()}},
		{"Errors lacks", ChooserConfig{Sampling: sampling, History: h}},
		{"Errors lacks", ChooserConfig{Sampling: sampling, History: h, Errors: &predict.Chooser{Sampling: p}}},
		{"Src is nil", ChooserConfig{History: h, Errors: newErrors()}},
	} {
		if _, err := NewChooser(test.c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one with %q", err, test.want)
		}
	}
	if err := newChooser(ChooserConfig{}).Learn(userJob(1, "u", 3), moments(1), math.NaN(), time.Time{}); err == nil {
		t.Error("a work of NaN gives no error")
	}
}
