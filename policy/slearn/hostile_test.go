package slearn

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/augur/histogram"
	"example.com/augur/internal/hostile"
	"example.com/augur/internal/hostile/trial"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/predict"
	"example.com/augur/queue"
)

func is(f any) func() (any, func() string) { return func() (any, func() string) { return f, nil } }

// schedules lets a GS go by an estimator.
func schedules(results []any) error {
	g, err := NewGS(GSConfig{Forecast: NewForecast(results[0].(Estimator))})
	if err != nil {
		return err
	}
	return trial.Run(g)
}

func pastOf(t *testing.T) *predict.Predictor {
	p, err := predict.New(predict.Config{Features: []string{"user"}, Histogram: histogram.Config{Bins: 4}, Values: 10})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestHostileNumbersOfConfigs(t *testing.T) {
	src := func() rand.Source { return rand.NewPCG(1, 2) }
	sampling := SamplingConfig{Src: src(), ThinLimit: 4, AdaptLimit: true, Window: 20}
	ratio := hostile.Between(0, 1)
	sampled := func(at string) hostile.Rules {
		return hostile.Rules{
			at + "ThinLimit": hostile.Where(func(x float64) bool { return x == 0 || x >= 2 && x <= math.MaxInt32-5 }, hostile.Refuses),
			at + "Ratio":     ratio, at + "Window": hostile.Between(0, 255),
		}
	}
	history := func() *History { return must(NewHistory(HistoryConfig{Predictor: pastOf(t)})) }
	stages := must(NewHistory(HistoryConfig{Predictor: pastOf(t), Stages: true}))
	hybrid := &predict.Hybrid{Means: pastOf(t), Spreads: pastOf(t)}
	errors := &predict.Chooser{Sampling: pastOf(t), History: pastOf(t)}
	config := QueuesConfig{Queues: queue.MultilevelConfig{First: 5}, Apart: true}
	queues := hostile.Rules{
		"Queues.Levels": hostile.Between(0, 63), "Queues.First": hostile.NotNegative, "Queues.Growth": hostile.Where(func(x float64) bool { return x == 0 || x > 1 }, hostile.Refuses),
		"Decay":   hostile.Where(func(x float64) bool { return x == 0 || x >= 1 && x < math.MaxFloat64 }, hostile.Refuses), // of which a power underflows
		"Sharing": hostile.Only(hostile.Refuses, 0, 1, 2),
	}
	all := hostile.Rules{}
	for place, rule := range queues {
		all["QueuesConfig."+place] = rule
	}
	hostile.Test(t,
		hostile.Call{
			Name: "NewSampling", New: is(NewSampling), Sane: schedules, Args: []hostile.Arg{{Name: "c", Value: sampling, Rules: sampled("")}},
			Cases: []hostile.Case{{Name: "no source", Args: []any{SamplingConfig{}}, Want: hostile.Refuses}},
		},
		hostile.Call{Name: "NewSampling", New: is(NewSampling), Sane: schedules, Args: []hostile.Arg{{Name: "c", Value: SamplingConfig{Src: src(), Ratio: 0.5}, Rules: hostile.Rules{
			"ThinLimit": hostile.NotNegative, "Ratio": ratio, "Window": hostile.Between(0, 255),
		}}}},
		hostile.Call{
			Name: "NewHistory", New: is(NewHistory), Sane: schedules, Args: []hostile.Arg{{Name: "c", Value: HistoryConfig{Predictor: pastOf(t), ThinLimit: 3}, Rules: hostile.Rules{
				"Point": hostile.Only(hostile.Refuses, 0, 1, 2), "ThinLimit": hostile.NotNegative,
			}}},
			Cases: []hostile.Case{{Name: "no predictor", Args: []any{HistoryConfig{}}, Want: hostile.Refuses}},
		},
		hostile.Call{
			Name: "NewHybrid", New: is(NewHybrid), Sane: schedules, Args: []hostile.Arg{{Name: "c", Value: HybridConfig{Sampling: sampling, History: hybrid}, Rules: sampled("Sampling.")}},
			Cases: []hostile.Case{{Name: "half a history", Args: []any{HybridConfig{Sampling: sampling, History: &predict.Hybrid{Means: pastOf(t)}}}, Want: hostile.Refuses}},
		},
		hostile.Call{
			Name: "NewChooser", New: is(NewChooser), Sane: schedules,
			Args:  []hostile.Arg{{Name: "c", Value: ChooserConfig{Sampling: sampling, History: history(), Errors: errors}, Rules: sampled("Sampling.")}},
			Cases: []hostile.Case{{Name: "no errors", Args: []any{ChooserConfig{Sampling: sampling, History: history()}}, Want: hostile.Refuses}},
		},
		hostile.Call{
			Name: "NewDAG", New: is(NewDAG), Sane: schedules, Args: []hostile.Arg{{Name: "c", Value: DAGConfig{Sampling: sampling, History: stages}, Rules: sampled("Sampling.")}},
			Cases: []hostile.Case{{Name: "a history without stages", Args: []any{DAGConfig{Sampling: sampling, History: history()}}, Want: hostile.Refuses}},
		},
		hostile.Call{
			Name: "NewGS", New: is(NewGS), Sane: func(results []any) error { return trial.Run(results[0].(*GS)) },
			Args:  []hostile.Arg{{Name: "c", Value: GSConfig{Forecast: forecast.Nothing(), QueuesConfig: config, BySpeed: true}, Rules: all}},
			Cases: []hostile.Case{{Name: "zero", Args: []any{GSConfig{}}, Want: hostile.Refuses}},
		},
		hostile.Call{
			Name: "NewQueues", New: is(NewQueues), Args: []hostile.Arg{{Name: "c", Value: config, Rules: queues}},
			Sane: func(results []any) error {
				s, err := central.New(central.Config{Turn: results[0].(*Queues), Forecast: forecast.Nothing()})
				if err != nil {
					return err
				}
				return trial.Run(s)
			},
			Cases: []hostile.Case{{Name: "zero", Args: []any{QueuesConfig{}}, Want: hostile.Takes}},
		},
	)
}

func TestHostileNumbersOfGS(t *testing.T) {
	two := func(f central.Forecast) *GS {
		g := must(NewGS(GSConfig{Forecast: f}))
		for id := policy.JobID(1); id <= 2; id++ {
			of := policy.Copy{Task: policy.Task{Job: id}}
			for _, ev := range []policy.Event{{Kind: policy.Submitted, Copy: of, Job: userJob(id, "u", 4)}, {Kind: policy.Ready, Copy: of}} {
				if _, err := g.Step(&ev, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		return g
	}
	g := two(forecast.Nothing())
	// heard is a method of the turn that hears of job 1, which is sampled.
	var sampled *GS
	heard := func(method func(q *Queues, j *central.Job) any) func() (any, func() string) {
		return func() (any, func() string) {
			sampled = two(NewForecast(must(NewSampling(SamplingConfig{Src: rand.NewPCG(1, 2)}))))
			return method(sampled.queues, sampled.View().Job(1)), nil
		}
	}
	told := func(method func(f *Forecast, j *central.Job) any) func() (any, func() string) {
		return heard(func(q *Queues, j *central.Job) any { return method(q.forecast.(*Forecast), j) })
	}
	next := func([]any) error {
		if j := sampled.queues.Next(); j == nil {
			return fmt.Errorf("nobody is next")
		}
		return nil
	}
	always := func(result any) hostile.Rules { return hostile.Rules{"": hostile.Always(hostile.Gives(result))} }
	hostile.Test(t,
		hostile.Call{Name: "GS.Explain", New: is(g.Explain), Args: []hostile.Arg{
			{Name: "id", Value: policy.JobID(1), Rules: hostile.Rules{"": hostile.Always(hostile.Gives(Explanation{}, false))}},
		}},
		hostile.Call{Name: "GS.Resistance", New: is(g.Resistance), Args: []hostile.Arg{
			{Name: "id", Value: policy.JobID(1), Rules: hostile.Rules{"": hostile.Always(hostile.Gives(0.0, false))}},
		}},
		hostile.Call{Name: "Queues.Explain", New: is(g.queues.Explain), Args: []hostile.Arg{
			{Name: "id", Value: policy.JobID(1), Rules: hostile.Rules{"": hostile.Always(hostile.Gives(Explanation{}, false))}},
		}},
		hostile.Call{Name: "Queues.Resistance", New: is(g.queues.Resistance), Args: []hostile.Arg{
			{Name: "id", Value: policy.JobID(1), Rules: hostile.Rules{"": hostile.Always(hostile.Gives(0.0, false))}},
		}},
		hostile.Call{Name: "Queues.Claim", Sane: next, New: heard(func(q *Queues, j *central.Job) any {
			return func(c central.Claim) { q.Claim(j, c) }
		}), Args: []hostile.Arg{
			{Name: "c", Value: central.Claim{Cores: 1, Memory: 1, Wants: true}, Rules: hostile.Rules{"Cores": hostile.Any, "Memory": hostile.Any}},
		}},
		hostile.Call{Name: "Forecast.Began", Sane: next, New: told(func(f *Forecast, j *central.Job) any {
			return func(c policy.Copy, another bool) { f.Began(j, c, another) }
		}), Args: []hostile.Arg{
			{Name: "c", Value: policy.Copy{Task: policy.Task{Job: 1}}, Rules: hostile.Rules{
				"Task.Job": hostile.Any, "Task.Stage": hostile.Only(hostile.Panics, 0), "Task.Index": hostile.Any, "N": hostile.Any,
			}}, {Name: "another", Value: false},
		}},
		hostile.Call{Name: "Forecast.Runtime", Sane: next, New: told(func(f *Forecast, j *central.Job) any {
			return func(stage uint32) bool { _, ok := f.Runtime(j, stage); return ok }
		}), Args: []hostile.Arg{{Name: "stage", Value: uint32(0), Rules: hostile.Rules{"": hostile.Always(hostile.Gives(false))}}}},
		hostile.Call{Name: "Forecast.Pilot", Sane: next, New: told(func(f *Forecast, _ *central.Job) any { return f.Pilot }), Args: []hostile.Arg{
			{Name: "t", Value: policy.Task{Job: 1}, Rules: hostile.Rules{
				"Job": hostile.Always(hostile.Gives(false)), "Stage": hostile.Always(hostile.Gives(false)), "Index": hostile.Always(hostile.Gives(false)),
			}},
		}},
		// A job that is not there goes after both.
		hostile.Call{Name: "GS.Compare", New: is(func(a, b policy.JobID) int { return cmp.Compare(g.Compare(a, b), 0) }), Args: []hostile.Arg{
			{Name: "a", Value: policy.JobID(1), Rules: always(1)}, {Name: "b", Value: policy.JobID(2), Rules: always(-1)},
		}},
	)
}

// A Record may be of anything, and what an estimator says afterwards is a plan or a work that is none.
func TestHostileNumbersOfEstimators(t *testing.T) {
	job := userJob(7, "u", 8)
	record := Record{
		Outcome: policy.Done, Now: 90e9, JCT: 60e9, Runtimes: moments(1, 2, 3, 4, 5, 6, 7, 8), Work: 72, Estimate: 60, Estimated: true,
		Plan: Plan{When: Later, Work: 1, Pilots: 3, Tasks: []int{1}, Ratio: 0.03, Limit: 3},
	}
	places := []string{"Outcome", "Now", "JCT", "Work", "Estimate", "Plan.When", "Plan.Work", "Plan.Pilots", "Plan.Tasks[]", "Plan.Stage", "Plan.Ratio", "Plan.Limit"}
	anything := hostile.Rules{}
	for _, place := range places {
		anything[place] = hostile.Any
	}
	now := hostile.Arg{Name: "now", Value: policy.Time(50e9), Rules: hostile.Rules{"": hostile.Any}}
	pilots := hostile.Arg{Name: "pilots", Value: []float64{1, 2, 3}, Rules: hostile.Rules{"[]": hostile.Any}}
	records := hostile.Arg{Name: "r", Value: record, Rules: anything}
	noPilots := []hostile.Case{{Name: "no pilots", Args: []any{policy.Time(0), nil}, Want: hostile.Takes}}

	var e Estimator
	sane := func([]any) error {
		for id := range policy.JobID(3) {
			p, err := e.Plan(userJob(20+id, "u", 8), 100e9)
			if err == nil {
				err = p.check(job)
			}
			if err != nil {
				return err
			}
			e.Ended(userJob(20+id, "u", 8), record)
		}
		if s, ok := e.(*Sampling); ok && strings.Contains(hostile.Dump(s), "NaN") {
			return fmt.Errorf("there is NaN in it: %s", hostile.Dump(s))
		}
		return checkWork(job, e.Work(job, 100e9, []float64{1, 2, 3}))
	}
	of := func(make func() Estimator, method func(Estimator) any) func() (any, func() string) {
		return func() (any, func() string) {
			e = make()
			for id := range policy.JobID(3) {
				p, err := e.Plan(userJob(id, "u", 8), 10e9)
				if err != nil {
					t.Fatal(err)
				}
				r := record
				r.Plan = p
				e.Ended(userJob(id, "u", 8), r)
			}
			return method(e), func() string {
				if c, ok := e.(*Chooser); ok { // but for what its history said last
					return hostile.Dump(c.sampling.ratio) + hostile.Dump(c.config.Errors) + hostile.Dump(c.config.History.config)
				}
				return hostile.Dump(e)
			}
		}
	}
	plan := func(e Estimator) any {
		return func(now policy.Time) error {
			p, err := e.Plan(userJob(9, "u", 8), now)
			return cmp.Or(err, p.check(job))
		}
	}
	work := func(e Estimator) any {
		return func(now policy.Time, pilots []float64) float64 { return e.Work(job, now, pilots) }
	}
	ended := func(e Estimator) any { return func(r Record) { e.Ended(job, r) } }
	src := rand.NewPCG(1, 2)
	config := SamplingConfig{Src: src, AdaptLimit: true, Window: 2}
	sampling := func() Estimator { return must(NewSampling(config)) }
	history := func() Estimator { return must(NewHistory(HistoryConfig{Predictor: pastOf(t)})) }
	hybrid := func() Estimator {
		return must(NewHybrid(HybridConfig{Sampling: config, History: &predict.Hybrid{Means: pastOf(t), Spreads: pastOf(t)}}))
	}
	chooser := func() Estimator {
		return must(NewChooser(ChooserConfig{Sampling: config, History: must(NewHistory(HistoryConfig{Predictor: pastOf(t)})), Errors: &predict.Chooser{Sampling: pastOf(t), History: pastOf(t)}}))
	}
	dag := func() Estimator {
		return must(NewDAG(DAGConfig{Sampling: config, History: must(NewHistory(HistoryConfig{Predictor: pastOf(t), Stages: true}))}))
	}
	nothing := func(place string) hostile.Arg {
		return hostile.Arg{Name: place, Value: pilots.Value, Rules: hostile.Rules{"[]": hostile.Always(hostile.Gives(0.0))}}
	}
	learned := hostile.Arg{Name: "work", Value: 64.0, Rules: hostile.Rules{"": hostile.Between(0, 1e100)}} // which a predictor bounds
	hostile.Test(t,
		hostile.Call{Name: "Sampling.Plan", New: of(sampling, plan), Sane: sane, Args: []hostile.Arg{now}},
		hostile.Call{Name: "Sampling.Work", New: of(sampling, work), Sane: sane, Args: []hostile.Arg{now, pilots}, Cases: noPilots},
		hostile.Call{Name: "Sampling.Ended", New: of(sampling, ended), Sane: sane, Args: []hostile.Arg{records}},
		hostile.Call{Name: "History.Plan", New: of(history, plan), Sane: sane, Args: []hostile.Arg{now}},
		hostile.Call{Name: "History.Work", New: of(history, work), Sane: sane, Args: []hostile.Arg{now, nothing("pilots")}},
		hostile.Call{Name: "History.Ended", New: of(history, ended), Sane: sane, Args: []hostile.Arg{records}},
		hostile.Call{Name: "History.Predict", New: of(history, func(e Estimator) any {
			return func(now policy.Time) error {
				if work, ok := e.(*History).Predict(job, now); !ok || checkWork(job, work) != nil {
					return fmt.Errorf("it predicts %v, %v", work, ok)
				}
				return nil
			}
		}), Sane: sane, Args: []hostile.Arg{now}},
		hostile.Call{Name: "History.Learn", New: of(history, func(e Estimator) any {
			return func(work float64) error { return e.(*History).Learn(job, work, time.Time{}) }
		}), Sane: sane, Args: []hostile.Arg{learned}},
		hostile.Call{Name: "Hybrid.Plan", New: of(hybrid, plan), Sane: sane, Args: []hostile.Arg{now}},
		hostile.Call{Name: "Hybrid.Work", New: of(hybrid, work), Sane: sane, Args: []hostile.Arg{now, pilots}, Cases: noPilots},
		hostile.Call{Name: "Hybrid.Ended", New: of(hybrid, ended), Sane: sane, Args: []hostile.Arg{records}},
		hostile.Call{Name: "Chooser.Plan", New: of(chooser, plan), Sane: sane, Args: []hostile.Arg{now}},
		hostile.Call{Name: "Chooser.Work", New: of(chooser, work), Sane: sane, Args: []hostile.Arg{now, pilots}, Cases: noPilots},
		hostile.Call{Name: "Chooser.Ended", New: of(chooser, ended), Sane: sane, Args: []hostile.Arg{records}},
		hostile.Call{Name: "Chooser.Learn", New: of(chooser, func(e Estimator) any {
			return func(work float64) error { return e.(*Chooser).Learn(job, record.Runtimes, work, time.Time{}) }
		}), Sane: sane, Args: []hostile.Arg{learned}},
		hostile.Call{Name: "DAG.Plan", New: of(dag, plan), Sane: sane, Args: []hostile.Arg{now}},
		hostile.Call{Name: "DAG.Work", New: of(dag, work), Sane: sane, Args: []hostile.Arg{now, pilots}, Cases: noPilots},
		hostile.Call{Name: "DAG.Ended", New: of(dag, ended), Sane: sane, Args: []hostile.Arg{records}},
	)
}

// A job without tasks takes no work. Nothing is learned of it.
func TestLearnOfNothing(t *testing.T) {
	nothing := &policy.Job{ID: 8, Attrs: []policy.Attr{{Name: "user", Value: "u"}}}
	c := must(NewChooser(ChooserConfig{
		Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: must(NewHistory(HistoryConfig{Predictor: pastOf(t)})),
		Errors: &predict.Chooser{Sampling: pastOf(t), History: pastOf(t)},
	}))
	if err := c.Learn(userJob(7, "u", 8), moments(1, 2, 3, 4, 5, 6, 7, 8), 72, time.Time{}); err != nil {
		t.Fatal(err)
	}
	state := func() string { return hostile.Dump(c.config.Errors) + hostile.Dump(c.config.History.config) }
	before := state()
	for i, err := range []error{
		c.Learn(nothing, moments(), 5, time.Time{}), c.config.History.Learn(nothing, 5, time.Time{}), c.config.History.Learn(nothing, 0, time.Time{}),
	} {
		if err == nil || !strings.Contains(err.Error(), "job 8") {
			t.Errorf("call %d: error %v, want one that names the job", i, err)
		}
	}
	if after := state(); after != before {
		t.Errorf("it has become %s, from %s", after, before)
	}
}
