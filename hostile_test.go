package augur_test

import (
	"cmp"
	"context"
	"go/token"
	"go/types"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/dag"
	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/estimate"
	"example.com/augur/histogram"
	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/choose"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/pool"
	"example.com/augur/policy/probing"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/threesigma/plan"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/paper"
	"example.com/augur/policy/workload/trace"
	"example.com/augur/predict"
	"example.com/augur/queue"
)

// swimText is a trace of one job.
const swimText = "job0\t0\t3\t10\t10\t10\tin\t\t\n"

// TestNumbers calls all exported functions and methods that take numbers with hostile ones.
// A new constructor needs a line in subjects. Its methods are found.
func TestNumbers(t *testing.T) {
	f := hostile.Fuzzer{Module: module, Pool: legal(), Panics: panics, NaN: mayBeNaN, Loose: loose, Skip: skip, Whole: []reflect.Type{reflect.TypeFor[*policy.Job](), reflect.TypeFor[*workload.Job]()}, Sane: sane, Called: map[string]int{}}
	file := filepath.Join(t.TempDir(), "two.swim")
	if err := os.WriteFile(file, []byte(swimText), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range append(subjects(), of(trace.Open, file, trace.ReaderConfig{Format: "swim", Budget: 1e6})) {
		f.Try(t, s)
	}
	l := loader{token.NewFileSet(), map[string]*types.Package{}}
	for dir := range house {
		if dir == "policy/policytest" {
			continue // its functions are tests
		}
		pkg, err := l.Import(module + dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range takeNumbers(pkg) {
			if f.Called[dir+"."+name] == 0 {
				t.Errorf("%s.%s takes a number, and no line of subjects leads to it", dir, name)
			}
		}
	}
}

// TestRefused pins a limit that depends on another number.
func TestRefused(t *testing.T) {
	c := kairos.DefaultConfig()
	c.KeepAlive, c.Centres, c.Central.Src = 0, 2, rand.NewPCG(1, 2)
	if _, err := kairos.NewScheduler(c); err == nil || !strings.Contains(err.Error(), "KeepAlive") {
		t.Errorf("KeepAlive of 0 with two centres: error %v, want one that names it", err)
	}
}

func of(f any, args ...any) hostile.Subject { return hostile.Subject{New: f, Args: args} }

// then is of with a function that prepares what f returns.
func then(prepare, f any, args ...any) hostile.Subject {
	return hostile.Subject{New: f, Args: args, Then: prepare}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func check(errs ...error) {
	if err := cmp.Or(errs...); err != nil {
		panic(err)
	}
}

// panics are the functions whose comments say that they panic at a number that they do not know.
var panics = regexp.MustCompile(`^(dag\.Graph\.(In|Out)|policy/view\.View\.(Slowdown|SlowdownOn)|policy/workload\.Luck\.Runtimes?)$`)

// mayBeNaN are the functions whose comments say that they return NaN if there is no such number.
var mayBeNaN = regexp.MustCompile(`(Quantile|Gittins\.(Rank|RankDiscrete)|hopper\.Rate|OfferedLoad\.Load|hopper\.VirtualSize|Multilevel\.Threshold)$`)

// loose are the functions whose errors tell how all that they know goes together.
var loose = regexp.MustCompile(`^(estimate\.Hill|policy/workload\.(Stretch|Window|ToLoad|Mixed\.Source)|policy/slearn\..*\.(Plan|Learn)|policy/threesigma\.AppendConsumption|policy/sim\.Checker\..*)$`)

var skipped = regexp.MustCompile(`(\.Step|Advisor\.Observe|\.Reset|kairos\.Nodes\..*)$`)

// skip leaves out what reads or writes files, what forgets all, and what only package central calls,
// with jobs of its own.
func skip(name string, f reflect.Type) bool {
	for in := range f.Ins() {
		if in == reflect.TypeFor[*central.Job]() || in == reflect.TypeFor[central.Books]() || in == reflect.TypeFor[func(*central.Job) bool]() {
			return true
		}
	}
	return skipped.MatchString(name)
}

// sane runs the policies that a constructor made, or that consist of the part that it made.
func sane(made any) error {
	made, err := policyOf(made)
	if p, ok := made.(policy.Scheduler); ok && err == nil {
		return trial(p)
	}
	return err
}

// policyOf makes a policy of a part.
func policyOf(made any) (any, error) {
	switch made := made.(type) {
	case slearn.Estimator:
		return slearn.NewGS(slearn.GSConfig{Forecast: slearn.NewForecast(made)})
	case central.Nodes:
		return central.NewDistributed(central.Config{Turn: baseline.Fair(), Node: made})
	case central.Turn:
		return central.New(central.Config{Turn: made, Forecast: forecast.Nothing()})
	case central.Filler:
		return central.New(central.Config{Turn: baseline.FIFO(), Fill: made})
	case central.Forecast:
		return slearn.NewGS(slearn.GSConfig{Forecast: made})
	case central.Copier:
		return central.New(central.Config{Turn: baseline.Fair(), Copy: made})
	case hopper.Speculator:
		copier, err := hopper.NewSpeculation(hopper.SpeculationConfig{Rule: made, Period: time.Second})
		if err != nil {
			return nil, err
		}
		return central.New(central.Config{Turn: baseline.Fair(), Copy: copier})
	case wing.Ranker:
		return wing.NewScheduler(wing.Config{Ranker: made})
	}
	return made, nil
}

// legal has legal arguments by type.
func legal() []any {
	return []any{
		some, io.Discard, rand.NewPCG(1, 2), context.Background(), &job, distribution, time.Unix(1e9, 0), predict.Attrs{"user": "ann"}, bins([]float64{1, 4}, []float64{1, 2}),
	}
}

var (
	job          = policy.Job{ID: 1, Attrs: []policy.Attr{{Name: "user", Value: "ann"}}, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}
	distribution = forecast.Known(4)
)

// some is a histogram that is not empty.
var some = func() *histogram.Histogram {
	h := must(histogram.New(histogram.Config{}))
	check(h.Add(2), h.Add(3))
	return h
}()

// bins is a distribution as a sequence of values and weights.
func bins(values, weights []float64) iter.Seq2[float64, float64] {
	return func(yield func(value, weight float64) bool) {
		for i, v := range values {
			if !yield(v, weights[i]) {
				return
			}
		}
	}
}

// subjects are the constructors and functions of the library, with legal arguments.
func subjects() []hostile.Subject {
	return slices.Concat(algorithms(), graphs(), contract(), parts(), policies(), workloads())
}

func algorithms() []hostile.Subject {
	samples := []float64{3, 5, 9}
	predictor := func() *predict.Predictor { return must(predict.New(predict.Config{})) }
	return []hostile.Subject{
		then(func(h *histogram.Histogram) { check(h.Add(2), h.AddN(3, 2), h.Add(7)) }, histogram.New, histogram.Config{Bins: 4}),
		then(func(t *histogram.Table) { t.Fill(some) }, func() *histogram.Table { return new(histogram.Table) }),

		of(func(values, weights []float64) (float64, error) {
			return estimate.CertaintyEquivalent(bins(values, weights))
		}, samples, samples),
		of(estimate.Hill, samples, samples, 2),
		of(func() estimate.Gittins { return estimate.Gittins{Tasks: 3, Pilots: 1, Nonpreemptive: true} }),
		then(func(b *estimate.Belief) { check(b.ObserveCensored(1, 1)) }, func() *estimate.Belief { return new(estimate.Belief) }),
		then(func(s *estimate.Stacking) []estimate.Opinion {
			said := []estimate.Opinion{{Expert: 1, Value: 3}}
			check(s.Observe(said, 4))
			return said
		}, estimate.NewStacking, 3),
		of(estimate.PilotCount, 100, 0.03),
		of(estimate.Pilots, []int{}, 100, 3, rand.NewPCG(1, 2)),
		of(estimate.SpaceCoV, estimate.Moments{}, 0.03),
		then(func(m *estimate.Moments) { check(m.Add(1), m.Add(0.5), m.Add(3)) }, func() *estimate.Moments { return new(estimate.Moments) }),
		then(func(n *estimate.NMAE) { check(n.Add(1, 2)) }, func() *estimate.NMAE { return new(estimate.NMAE) }),
		then(func(w *estimate.Within) { check(w.Add(1, 2)) }, func() *estimate.Within { return new(estimate.Within) }),
		then(func(s *estimate.Sample) float64 { check(s.Add(1), s.Add(3), s.Add(4)); return 0.25 }, func() *estimate.Sample { return new(estimate.Sample) }),
		then(func(c *estimate.Conformal) { check(c.Add(1, 2, 3), c.Add(1, 3, 2)) }, estimate.NewConformal, estimate.ConformalConfig{Coverage: 0.5, Window: 3, Rate: 0.1}),
		of(estimate.NewConformal, estimate.ConformalConfig{Relative: true}),
		then(func(t *estimate.Tracker) { t.Observe(true) }, estimate.NewTracker, estimate.TrackerConfig{Coverage: 0.5, Rate: 0.1}),
		then(func(p *estimate.Posterior) { check(p.Add(1), p.Add(1)) }, estimate.NewPosterior, estimate.PosteriorConfig{Mean: 1, Between: 2, Within: 3}),
		then(func(w *estimate.Window) { check(w.Add(-1, 3), w.Add(0, 4)) }, estimate.NewWindow, time.Second),

		then(func(p *predict.Predictor) {
			for i := range 9 {
				check(p.Observe(predict.Attrs{"user": "ann"}, float64(i), time.Unix(int64(i), 0)))
			}
		}, predict.New, predict.Config{Features: []string{"user"}, Histogram: histogram.Config{Bins: 20}, Recent: 3, Alpha: 0.5, Unscored: 1, Values: 100, HalfLife: time.Hour}),
		of(func() *predict.Hybrid { return &predict.Hybrid{Means: predictor(), Spreads: predictor()} }),
		of(func() *predict.Chooser { return &predict.Chooser{Sampling: predictor(), History: predictor()} }),

		then(func(d *queue.DRF[string]) queue.Handle { h := must(d.Add("a")); d.Join(h); return h }, queue.NewDRF[string], 10.0),
		then(func(m *queue.Multilevel[string]) queue.Handle { h, _ := m.Push("a", 1); return h }, queue.NewMultilevel[string], queue.MultilevelConfig{Levels: 3, First: 1, Growth: 2}),
		of(queue.NewMultilevel[string], queue.MultilevelConfig{First: 1}),
		then(func(s *queue.Sharing[string]) queue.Handle { h := must(s.Add("a", 1)); s.Join(h); return h }, queue.NewSharing[string], queue.ByService),
		then(func(s *queue.Sharing[string]) queue.Handle { h := must(s.Add("a", 1)); s.Join(h); return h }, queue.NewSharing[string], queue.ByUse),
		then(func(t *queue.Tree[string]) queue.Handle {
			return must(t.Add(t.Root(), "a", queue.Share{Guaranteed: 0.5}))
		}, queue.NewTree[string], "root", 10.0),
		then(func(t *queue.Tree[string]) queue.Handle { return t.Root() }, queue.NewTree[string], "root", 10.0),
	}
}

func graphs() []hostile.Subject {
	rhombus := func() *dag.Graph {
		return must(dag.New(4, []dag.Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 3}, {From: 2, To: 3}}))
	}
	g := rhombus()
	four := []float64{1, 2, 3, 4}
	log, found, classes := provenanceLog()
	const end = provenance.Time(4 * time.Hour)
	train := provenance.TrainConfig{To: end}
	return []hostile.Subject{
		of(dag.New, 4, []dag.Edge{{From: 0, To: 1}, {From: 2, To: 3}}),

		of(value.Aggregate, []float64{}, g, four),
		of(value.Dependents, []value.Drop{}, 1.0, g, uint32(1), []int64{1, 2, 3, 4}, four, func(uint32) bool { return false }),
		of(value.NewFunction, 1.0, []value.Drop{{At: 10, Value: 2}, {At: 5, Value: 3}}),
		of(value.Build, []value.Record{{Template: "a", User: "u", Recurring: true, Valid: true, Own: value.Worth{Value: 3, Compute: 4}, Aggregate: value.Worth{Value: 3, Compute: 4}, TimeToDependency: time.Hour}}, value.Config{}),
		of(value.NewWindowed, g, []int64{1, 2, 3, 4}, []int64{2, 3, 4, 5}, value.WindowConfig{Width: time.Second, End: 9, MinWeight: 0.5}, four, four),

		of(provenance.Find, log.Ops, []provenance.Time{0, 1, 2}, time.Hour),
		of(provenance.NewReader, provenance.ReaderConfig{Lateness: time.Hour, Unit: time.Millisecond}),
		of(func() *provenance.Log { return log.Clone() }),
		then(func(*provenance.Lineage) int { return 3 }, func() *provenance.Lineage { return found }),
		of(func() *provenance.Names { return new(provenance.Names) }),
		of(func() provenance.Time { return 1 }),
		of(func() provenance.Traits { return 1 }),
		of(provenance.Classify, log, found.Dependencies, classConfig),
		of(provenance.Train, log, found.Dependencies, classes, train),
		of(provenance.Evaluate, must(provenance.Train(log, found.Dependencies, classes, train)), log, found.Dependencies, classes, provenance.EvaluateConfig{To: end, End: end}),
		of(provenance.Observe, log, found, classes, provenance.ObserveConfig{Worst: 3, Shifts: []time.Duration{time.Hour, time.Minute}}),
	}
}

var classConfig = provenance.ClassConfig{End: provenance.Time(4 * time.Hour), Month: time.Hour, Months: 3, Submissions: 1, MaxCV: 1, Poll: time.Second, HardShare: 0.5}

// provenanceLog is of three jobs: the second reads what the first wrote, and the third runs.
func provenanceLog() (*provenance.Log, *provenance.Lineage, *provenance.Classes) {
	l := new(provenance.Log)
	l.Users.Number("user")
	l.Orgs.Number("org")
	l.Files.Number("file")
	for i, name := range []string{"import", "report", "ad hoc"} {
		at := provenance.Time(i) * provenance.Time(time.Hour)
		l.Templates.Number(name)
		l.IDs.Number(name)
		l.Jobs = append(l.Jobs, provenance.Job{Template: uint32(i), State: provenance.Complete, Submitted: at, Completed: at + 5, Priority: 1, Compute: 2})
	}
	l.Jobs[2].State = provenance.Running
	l.Ops = []provenance.Op{{Time: 2, Job: 0, Kind: provenance.Write}, {Time: provenance.Time(time.Hour) + 2, Job: 1}, {Time: provenance.Time(2 * time.Hour), Job: provenance.User}}
	found := must(l.Find(0))
	return l, found, must(provenance.Classify(l, found.Dependencies, classConfig))
}

func contract() []hostile.Subject {
	node := policy.Node{ID: 1, Partition: 1, Cores: 1, Memory: 1, Speed: 1}
	gpus := policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 2}}}
	rich := job
	rich.Requested, rich.Priority, rich.SLO = 5, 1, &policy.SLO{Deadline: 10e9, Utility: 3}
	rich.Stages = []policy.Stage{{Tasks: 3, Cores: 1, Memory: 1, Elsewhere: 2, Prefer: []policy.PartitionID{2}}, {Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0}}}}
	events := []policy.Event{
		{Kind: policy.Joined, Node: 1, Info: &node},
		{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: &job},
		{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: 1}}},
	}
	tell := func(observe func(*policy.Event) error) {
		for i := range events {
			check(observe(&events[i]))
		}
	}
	advisor := func(a *advise.Advisor) { tell(a.Observe) }
	checker := func(c *sim.Checker) {
		tell(func(ev *policy.Event) error { return c.Event(0, ev) })
	}
	return []hostile.Subject{
		of(policy.NewStock, &gpus),
		then(func(f *baseline.Fragmentation) (*policy.Stock, *policy.Stage) {
			check(f.Add(&rich.Stages[0], 1))
			return policy.NewStock(&gpus), &rich.Stages[0]
		}, func() *baseline.Fragmentation { return new(baseline.Fragmentation) }),
		of(func() *policy.Job { return new(rich) }), of(func() *policy.Node { return new(node) }), of(func() *policy.Stage { return new(rich.Stages[0]) }),
		of(func() policy.Time { return 7 }),
		of(func() *policy.Outcome { return new(policy.Done) }), of(func() *policy.EventKind { return new(policy.Ready) }), of(func() *policy.ActionKind { return new(policy.Wake) }),
		then(func(t *policy.Table[policy.NodeID, int]) policy.NodeID { t.Put(5, new(1)); return 5 }, func() *policy.Table[policy.NodeID, int] { return new(policy.Table[policy.NodeID, int]) }),
		then(advisor, func() (*advise.Advisor, error) { return advise.New(baseline.NewFIFO()) }),
		then(func(v *central.View) { tell(func(ev *policy.Event) error { _, err := v.Observe(ev); return err }) }, func() *central.View { return new(central.View) }),
		then(checker, sim.NewChecker),
		then(func(m *sim.Monitor) {
			tell(func(ev *policy.Event) error { m.Event(0, ev); return nil })
		}, func() *sim.Monitor { return &sim.Monitor{Span: func(sim.Span) {}, Use: func(sim.Use) {}} }),
		of(sim.Cluster, sim.Partition{Nodes: 1, Cores: 1, Memory: 1, Speed: 1}),
	}
}

func parts() []hostile.Subject {
	predictor := func() *predict.Predictor { return must(predict.New(predict.Config{Features: []string{"user"}})) }
	sampling := slearn.SamplingConfig{Src: rand.NewPCG(1, 2), ThinLimit: 4}
	history := slearn.HistoryConfig{Predictor: predictor(), ThinLimit: 3}
	stages := slearn.HistoryConfig{Predictor: predictor(), Stages: true}
	phase := func(hopper.Speculator) *hopper.Phase {
		return &hopper.Phase{New: 2, Slots: 6, Waiting: 1, Finished: []float64{1, 2, 3}, Running: []hopper.Running{
			{Task: 0, Copies: 1, Elapsed: 20, Youngest: 15, Progress: 0.5, Rate: 0.25, Remaining: 1, New: 2}, {Task: 1, Copies: 2, Elapsed: 20, Progress: 0.5, Rate: 0.05, Remaining: 9, New: 2, Last: 1},
		}}
	}
	demands := []hopper.Demand{{Tasks: 4, Tail: 1.5, Weight: 1}, {Tasks: 9, Tail: 1.2, Weight: 2, Downstream: 1}}
	solve := plan.SolveConfig{Iterations: 100, Start: []int{0, plan.None}, Seed: 1}
	problem := &plan.Problem{Capacity: [][]float64{{4, 4}, {2, 3}}, Jobs: []plan.Job{
		{Profiles: [][]float64{{0.5, 0}}, Places: []plan.Place{{{Pool: 0, Nodes: 3}}}, Options: []plan.Option{{Utility: 5}}},
		{Profiles: [][]float64{{0.5, 0}, {0.25}}, Places: []plan.Place{{{Pool: 0, Nodes: 3}}}, Options: []plan.Option{{Utility: 3}, {Utility: 2, Start: 1, Profile: 1}}},
	}}
	solver := func(plan.Solver) (*plan.Problem, plan.SolveConfig) { return problem, solve }
	node := kairos.NodeConfig{Cores: 1, Quantum: 5 * time.Second, Counter: 4, Undisturbed: 2, Hysteresis: time.Second, Memory: 100}
	return []hostile.Subject{
		of(func() forecast.Known { return distribution }),
		of(forecast.NewHistory, forecast.HistoryConfig{Predictor: predictor()}),
		of(forecast.NewBeliefs, forecast.BeliefsConfig{Predictor: predictor()}),
		of(gittins.New, gittins.Config{MaxWait: 9}),
		of(pool.New, pool.Config{Workers: 2, Queue: 3, Order: pool.Shortest, Predict: predict.Config{Features: []string{"user"}}, MaxWait: time.Hour, Tenant: "user", Weights: map[string]float64{"ann": 2}}),
		of(slearn.NewSampling, sampling),
		of(slearn.NewSampling, slearn.SamplingConfig{Src: rand.NewPCG(1, 2), Ratio: 0.5}),
		of(slearn.NewHistory, history),
		of(slearn.NewHybrid, slearn.HybridConfig{Sampling: sampling, History: &predict.Hybrid{Means: predictor(), Spreads: predictor()}}),
		of(slearn.NewChooser, slearn.ChooserConfig{Sampling: sampling, History: must(slearn.NewHistory(history)), Errors: &predict.Chooser{Sampling: predictor(), History: predictor()}}),
		of(slearn.NewDAG, slearn.DAGConfig{Sampling: sampling, History: must(slearn.NewHistory(stages))}),
		of(slearn.NewForecast, must(slearn.NewSampling(sampling))),
		of(slearn.NewQueues, slearn.QueuesConfig{Queues: queue.MultilevelConfig{First: 5}, PilotQueue: true, Decay: 2}),

		of(threesigma.AppendConsumption, []float64{}, distribution, 1.0, 0.5, 10),
		of(threesigma.After, distribution, 1.0),
		of(func() *threesigma.Increments { return new(threesigma.Increments) }),
		of(func() threesigma.Overestimate {
			return threesigma.Overestimate{Handling: threesigma.Always, Threshold: 0.5, Tail: 3}
		}),
		of(threesigma.NewStep, 10.0, 5.0),
		of(threesigma.NewUtility, threesigma.Point{Time: 0, Value: 3}, threesigma.Point{Time: 10, Value: -1}),
		then(func(threesigma.System) *predict.Predictor { return predictor() }, func() threesigma.System { return threesigma.ThreeSigma }),
		then(solver, func() plan.Solver { return plan.Exact{} }), then(solver, func() plan.Solver { return plan.Greedy{} }),
		then(solver, func() plan.Solver { return plan.Search{} }), then(solver, func() plan.Solver { return plan.CBC{Path: "/nowhere"} }),
		then(func(*plan.Problem) []int { return []int{0, plan.None} }, func() *plan.Problem { return problem }),
		of(func() plan.Place { return problem.Jobs[0].Places[0] }),
		of(func() plan.Prices { return plan.Prices{{1, 2, 3}, {4}, nil} }),

		then(func(n *kairos.Node[string]) (policy.Time, int64) {
			_, err := n.TaskArrived(1e9, "a", 50, nil)
			check(err)
			return 2e9, 30
		}, kairos.NewNode[string], node),
		then(func(c *kairos.Central[string]) (policy.NodeID, uint64, kairos.Report) {
			check(c.Joined(1, 2))
			a := must(c.Adopt("a", 1))
			return 1, a.Number, kairos.Report{Node: 1, Number: 5, Seen: a.Number, Tasks: 1, Variance: 1, Sum: 2}
		}, kairos.NewCentral[string], kairos.CentralConfig{Queue: 3, Src: rand.NewPCG(1, 2)}),
		then(func(n *kairos.AdaptiveNode[string]) (policy.Time, int64) {
			_, err := n.TaskArrived(1e9, "a", 50, nil)
			check(err)
			return 2e9, 30
		}, kairos.NewAdaptiveNode[string], kairos.AdaptiveNodeConfig{Cores: 1, Floor: time.Second, Memory: 100}),
		of(kairos.Claim, 3, policy.Duration(1e9)),
		of(kairos.NewAdvisor, 3), of(kairos.NewAdaptiveAdvisor, (*histogram.Histogram)(nil)),

		of(hopper.Allocate, []float64{}, 100.0, demands), of(hopper.EpsilonFair, []float64{}, 100.0, 0.1, demands),
		of(hopper.Rate, 12.0, 4.0, 1.5), of(hopper.VirtualSize, 4.0, 1.5, 2.0),
		then(phase, hopper.NewSimple, hopper.SimpleConfig{Delay: time.Second}), then(phase, hopper.NewLATE, hopper.LATEConfig{Cap: 0.5, Slow: 0.5, Age: time.Second}),
		then(phase, hopper.NewMantri, hopper.MantriConfig{Period: time.Second, Chance: 0.5, Restarts: 1, Copies: 2, Gain: 1}), then(phase, hopper.NewGRASS, hopper.GRASSConfig{Waves: 2}),
		of(hopper.NewSpeculation, hopper.SpeculationConfig{Rule: must(hopper.NewGRASS(hopper.GRASSConfig{})), Period: time.Second}),
		of(hopper.NewVirtualSizes, hopper.DefaultConfig().VirtualSizesConfig),
		of(hopper.NewVirtualSizes, hopper.VirtualSizesConfig{Memory: true}),
		of(func() *hopper.Tracker {
			t := new(hopper.Tracker)
			check(t.Start(1, 0, 0, 0), t.Start(2, 1, 0, 0), t.Report(3, 1, 0, time.Second, 0.5), t.Suspend(4, 0, 0, time.Second))
			return t
		}),

		of(wing.Advise, []wing.Template{
			{Name: "a", Queue: "q", Owner: "x", Jobs: 10, Priority: 3, Value: 5, Work: 7, Own: 6, NoInput: 4, Late: time.Hour, Runtime: time.Hour, Gap: 7 * time.Hour, Periodic: true},
			{Name: "b", Queue: "q", Owner: "y", Jobs: 20, Priority: 9, Value: 1, Work: 9, Own: 5, NoInput: 4},
		}, []wing.Link{{Up: 0, Down: 1, Jobs: 5}}, wing.AdviceConfig{MinGap: 0.1, Delays: []time.Duration{time.Hour, time.Minute}}),
		of(wing.Inherit, []float64{}, []float64{1, 2, 3}, []dag.Edge{{From: 1, To: 2}, {From: 2, To: 0}}),
		of(wing.ByPriority), of(func() wing.Fixed { return func(*policy.Job) float64 { return 1 } }),
		of(wing.NewRaise, wing.RaiseConfig{Ranker: wing.ByPriority(), Dependents: func(*policy.Job) []wing.Dependent { return nil }, LeadTime: 8 * time.Second}),
		of(wing.NewHierarchy, wing.Config{Ranker: wing.ByPriority(), Queues: []wing.Queue{{Name: "q", Share: queue.Share{Guaranteed: 0.25, Maximum: 0.5}}}}),
	}
}

func policies() []hostile.Subject {
	src := rand.NewPCG(1, 2)
	known := func(*policy.Job) (policy.Duration, bool) { return 5 * time.Second, true }
	levels := queue.MultilevelConfig{First: 3, Growth: 2, Levels: 4}
	factors := baseline.MultifactorConfig{Age: 1, FairShare: 2, Size: 3, Priority: 4, MaxAge: time.Hour, TopPriority: 5, HalfLife: time.Hour, CalcPeriod: time.Minute}
	weights := baseline.DRFConfig{User: "user", Weights: map[string]float64{"u": 2}}
	nodes := kairos.DefaultConfig()
	nodes.Centres, nodes.Central.Src = 2, src
	adaptive := kairos.AdaptiveConfig{Floor: time.Second, Heartbeat: time.Second, KeepAlive: time.Minute}
	return []hostile.Subject{
		of(central.New, hostile.Make(func() any {
			return central.Config{Turn: baseline.Fair(), CopyWhen: central.AfterAll, Reserved: 0.2}
		})),
		of(central.NewDistributed, hostile.Make(func() any {
			return central.Config{Turn: baseline.Fair(), Node: must(kairos.NewNodes(kairos.DefaultConfig())), CopyWhen: central.AfterOwn}
		})),
		of(baseline.LAS, levels), of(baseline.NewLAS, levels), of(baseline.DRF, weights), of(baseline.NewDRF, weights),
		of(baseline.Backfill, baseline.BackfillConfig{Shortest: true, Slack: 0.5}),
		of(baseline.Multifactor, factors), of(baseline.NewMultifactor, factors),
		of(probing.NewSparrow, probing.Config{Src: src, ProbeRatio: 2}),
		of(probing.NewHawk, probing.Config{Src: src, Estimate: known, Cutoff: 3 * time.Second, LongShare: 0.5, ProbeRatio: 2}),
		of(probing.NewEagle, probing.Config{Src: src, Estimate: known, Cutoff: 3 * time.Second, LongShare: 0.5, ProbeRatio: 2, Bypass: 5}),
		of(probing.NewBigC, probing.BigCConfig{Estimate: known, Cutoff: 3 * time.Second, ShortShare: 0.5}),
		of(slearn.NewGS, slearn.GSConfig{Forecast: forecast.Nothing(), QueuesConfig: slearn.QueuesConfig{Queues: queue.MultilevelConfig{First: 5}}}),
		of(threesigma.NewScheduler, threesigma.Config{Interval: 5 * time.Second, Iterations: 100}),
		of(kairos.NewScheduler, nodes), of(kairos.NewNodes, nodes),
		of(kairos.NewAdaptive, adaptive), of(kairos.NewAdaptiveNodes, adaptive),
		of(hopper.NewScheduler, hopper.DefaultConfig()),
		of(wing.NewScheduler, wing.Config{Ranker: wing.ByPriority(), Queues: []wing.Queue{{Name: "q", Share: queue.Share{Guaranteed: 0.25, Maximum: 0.5}}}}),
	}
}

func workloads() []hostile.Subject {
	heavy := workload.DefaultHeavyTail()
	heavy.Jobs = 20
	jobs := must(workload.ReadAll(must(heavy.Source())))
	mixed := workload.DefaultMixed()
	mixed.Jobs = 20
	source := func() workload.Source { return workload.Of(jobs) }
	deadlines := workload.DefaultDeadlines()
	deadlines.Partitions = []policy.PartitionID{1}
	e2e := paper.DefaultE2E()
	e2e.Deadlines, e2e.Jobs = deadlines, 50
	facebook := paper.Facebook()
	facebook.Jobs, facebook.NodeMemory = 30, paper.HopperNodeMemory
	google := paper.Google11()
	google.Bands, google.Jobs, google.Drawn = google.Bands[:1], 2000, 20
	google.Bands[0].Share = 1
	kairos := paper.DefaultKairos()
	kairos.Jobs = 20
	lake := paper.DefaultLake()
	lake.JobsPerDay, lake.HistoryDays, lake.Days, lake.Organisations, lake.Users, lake.Load = 100, 1, 1, 3, 10, 0.05
	swim := func() any { return strings.NewReader(swimText) }
	config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2, Memory: 4}, sim.Partition{Nodes: 1, Cores: 2}), Delay: 1e9, SuspendCost: 1e9, ResumeCost: 1e9, MaxFailures: 3}
	faults := sim.Faults{
		MeanUp: 100e9, MeanDown: 10e9, Outages: []sim.Outage{{Node: 1, At: 20e9, For: 5e9}}, TaskFailure: 0.25, TaskEviction: 0.25,
		PostLoss: 0.25, PostLate: 0.25, PostEarly: 0.25, PostTwice: 0.25, MeanLate: 1e9, ActionLate: 0.25, ActionForgotten: 0.25, MeanSlip: 1e9,
		MeanSteady: 50e9, MeanJump: 1e9, Jumps: []sim.Jump{{At: 10e9, For: 1e9}}, Cancels: []sim.Cancel{{Job: 1, At: 30e9}}, Restarts: []policy.Time{15e9},
		NewPolicy: func() (policy.Scheduler, error) { return baseline.NewFIFO(), nil },
	}
	run := func(c sim.Config) error {
		c.Jobs, c.Truth = workload.Split(jobs[:2])
		// A run of centuries with a fault every minute is right, and slow.
		ctx, stop := context.WithTimeout(context.Background(), 10*time.Millisecond)
		defer stop()
		if _, err := sim.Run(ctx, c, baseline.NewFIFO()); err != nil && ctx.Err() == nil && !strings.Contains(err.Error(), "fit into policy.Time") {
			return err
		}
		return nil
	}
	var state *sim.State
	paused := config
	paused.Jobs, paused.Truth = workload.Split(jobs[:2])
	paused.Pause = func(st *sim.State, now, due policy.Time) { state = st }
	must(sim.Run(context.Background(), paused, baseline.NewFIFO()))
	sweep := sim.Sweep{Seeds: []uint64{1, 2}, Setup: func(uint64) (c sim.Config, err error) {
		c.Nodes = config.Nodes
		c.Jobs, c.Truth = workload.Split(jobs[:2])
		return c, nil
	}, Policies: []sim.Contender{{Name: "fifo", New: func(uint64, *sim.Config) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }}}, Trim: 0.1}
	jct := func(*sim.SweepResult) sim.Figure { return func(r *sim.SweepRun) float64 { return r.MeanJCT } }
	log, _, _ := provenanceLog()
	const end = provenance.Time(4 * time.Hour)
	lineage := pipeline.Config{
		End: end, Window: time.Hour, Join: time.Hour, Hops: 5, Least: 0.5,
		Classes: classConfig, Train: provenance.TrainConfig{To: end},
	}
	return []hostile.Subject{
		of(choose.Advise, context.Background(), choose.Config{Jobs: jobs, Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 4}), From: 0.2, To: 0.8, Windows: 2, Most: 300}),
		of(choose.Describe, jobs, sim.Cluster(sim.Partition{Nodes: 4, Cores: 4})), of(choose.Candidates, &choose.Traits{Jobs: 3, Tasks: 4, MedianWork: 2, MaxWork: 5, MedianTask: 1}),
		of(func() *choose.Advice {
			return &choose.Advice{Best: "fifo", Measured: []choose.Measured{{Name: "fifo"}}}
		}),
		of(func() *choose.Traits { return &choose.Traits{MedianWork: 2, MaxWork: 5, MedianTask: 1} }),
		of(func() workload.HeavyTail { return heavy }), then(func(workload.Mixed) int { return 10 }, func() workload.Mixed { return mixed }),
		then(func(workload.Deadlines) workload.Source { return source() }, func() workload.Deadlines { return deadlines }),
		then(func(workload.Locality) workload.Source { return source() }, func() workload.Locality { return workload.Locality{Nodes: 20, Replicas: 2, Elsewhere: 2} }),
		then(func(workload.Stragglers) workload.Source { return source() }, func() workload.Stragglers { return workload.Stragglers{Tail: 1.5, Bound: 10} }),
		of(func() *workload.Job { return jobs[0] }), of(func() workload.OfferedLoad { return workload.Measure(jobs) }),
		of(func() *workload.Luck {
			return &workload.Luck{Tail: 1.5, Bound: 10, Base: []policy.Duration{time.Second, time.Second}}
		}),
		of(func() *workload.Truth { _, truth := workload.Split(jobs); return truth }),
		of(workload.Ratios, jobs, 2, 10), of(workload.Stretch, jobs, 2.0), of(workload.ToLoad, jobs, 100.0, 0.8),
		of(workload.Window, jobs, policy.Time(0), policy.Time(time.Hour)), of(workload.FillRequested, source(), 2.0),
		then(func(paper.E2E) int { return 10 }, func() paper.E2E { return e2e }),
		of(func() paper.Hopper { return facebook }), of(func() paper.Kairos { return kairos }), of(func() paper.SLearn { return google }),
		of(func() paper.Lake { return lake }), of(func() (*paper.LakeLog, error) { return lake.Log() }),
		of(trace.NewReader, "x", hostile.Make(swim), trace.ReaderConfig{Format: "swim", Throughput: 1e6, Budget: 1e6}),
		{Name: "policy/sim.Run", New: run, Args: []any{config}},
		{Name: "policy/sim.Run", New: func(f sim.Faults) error { return run(sim.Config{Nodes: config.Nodes, Faults: f}) }, Args: []any{faults}},
		of(func() *sim.State { return state }),
		of(func() *sim.Result {
			return &sim.Result{Jobs: []sim.JobRecord{{ID: 1, Outcome: policy.Done, Ended: 5}, {ID: 2, Submitted: 3, Ended: 9}}, Available: 9}
		}),
		of(func() *sim.Gantt {
			return &sim.Gantt{Nodes: config.Nodes, Begin: 1, End: 9, Spans: []sim.Span{{Node: 1, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Cores: 2, Begin: 2, End: 7, How: policy.Finished}}}
		}),
		of(func() *sim.Sweep { return new(sweep) }), then(jct, func() (*sim.SweepResult, error) { return sweep.Run(context.Background()) }),
		of(sim.MeanInterval, []float64{1, 2, 4}), of(sim.MeanWithin, []float64{1, 2, 4}, 0.0, 5.0), of(sim.RatioInterval, []float64{1, 2, 4}, []float64{2, 2, 3}),
		of(pipeline.Run, log, lineage),
		of(func() (*pipeline.Result, error) { return pipeline.Run(log, lineage) }),
	}
}

// A loader type-checks the declarations of the module's packages. Of others it knows time.Duration.
type loader struct {
	files  *token.FileSet
	loaded map[string]*types.Package
}

// Import is for the type checker, too.
func (l loader) Import(file string) (*types.Package, error) {
	if p := l.loaded[file]; p != nil {
		return p, nil
	}
	pkg := types.NewPackage(file, path.Base(file))
	if dir, ours := strings.CutPrefix(file, module); ours {
		files, err := sources(l.files, dir)
		if err != nil {
			return nil, err
		}
		config := types.Config{Importer: l, IgnoreFuncBodies: true, Error: func(error) {}} // names of other modules are not known
		pkg, _ = config.Check(file, l.files, files, nil)
	} else if file == "time" {
		name := types.NewTypeName(token.NoPos, pkg, "Duration", nil)
		types.NewNamed(name, types.Typ[types.Int64], nil)
		pkg.Scope().Insert(name)
	}
	pkg.MarkComplete()
	l.loaded[file] = pkg
	return pkg, nil
}

// takeNumbers returns the exported functions and methods of a package that take numbers.
func takeNumbers(pkg *types.Package) (names []string) {
	takes := func(f *types.Func) bool {
		s := f.Signature()
		for param := range s.Params().Variables() {
			if p := param.Type().String(); strings.HasPrefix(p, "*"+module+"policy/view.Job") || p == "*"+module+"policy/central.Job" {
				return false // package central calls it, with jobs of its own
			}
		}
		for param := range s.Params().Variables() {
			if holdsNumber(param.Type()) {
				return true
			}
		}
		if recv := s.Recv(); recv != nil && s.Results().Len() > 0 {
			last := s.Results().At(s.Results().Len() - 1).Type().String()
			if last == "error" || strings.HasPrefix(last, "iter.Seq") || strings.HasSuffix(last, "workload.Source") {
				t := recv.Type()
				if p, ok := t.(*types.Pointer); ok {
					t = p.Elem()
				}
				return holdsNumber(t)
			}
		}
		return false
	}
	for _, name := range pkg.Scope().Names() {
		switch o := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			if o.Exported() && takes(o) {
				names = append(names, name)
			}
		case *types.TypeName:
			named, ok := o.Type().(*types.Named)
			if !o.Exported() || !ok || types.IsInterface(named) {
				continue
			}
			for m := range named.Methods() {
				if m.Exported() && m.Name() != "Step" && takes(m) {
					names = append(names, name+"."+m.Name())
				}
			}
		}
	}
	return names
}

// holdsNumber reports whether a caller passes numbers with a value of the type, or of one that
// a parameter may be. Bytes are text or code.
func holdsNumber(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsNumeric != 0 && u.Kind() != types.Byte || t != u && u.Kind() == types.Byte
	case *types.Slice:
		return holdsNumber(u.Elem())
	case *types.Array:
		return holdsNumber(u.Elem())
	case *types.Map:
		return holdsNumber(u.Key()) || holdsNumber(u.Elem())
	case *types.Struct:
		if n, ok := t.(*types.Named); ok && (n.Obj().Pkg() == nil || !strings.HasPrefix(n.Obj().Pkg().Path()+"/", module)) {
			return false
		}
		for f := range u.Fields() {
			if f.Exported() && holdsNumber(f.Type()) {
				return true
			}
		}
	}
	return false
}
