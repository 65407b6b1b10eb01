package choose

import (
	"fmt"
	"math"
	"time"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/preempt"
	"example.com/augur/policy/slearn"
	"example.com/augur/predict"
	"example.com/augur/queue"
)

// A Candidate is a policy to try on a workload.
type Candidate struct {
	Name string // as in examples/compare
	Why  string // the reason to try it, a clause
	// Made says in a line how a program makes it, and Set what to set then. If Made is empty, neither is known.
	Made string
	Set  []string
	// Request is for policies that use requested times: a job that requests no time counts as requesting Request times its
	// runtime; 0: none. Such a request reveals the runtime.
	Request float64
	// New makes the policy. Advise calls it at most once. Only a policy that serves as a bound, such as SRPT with true runtimes,
	// may use the truth.
	New func(truth policy.Truth) (policy.Scheduler, error)
}

// Settings are settings of policies that depend on the scale of a workload.
type Settings struct {
	// QueueFirst and QueueLevels configure queues by attained service or by work, as in baseline.LAS and slearn.TurnConfig.
	// The first queue ends at the median work of a job, and each further queue ends at ten times the work of the one before. The
	// last queue has no end, and begins at a tenth of the largest work or above. There are 2 to 64 queues.
	QueueFirst  float64 `json:"queue_first_core_s"`
	QueueLevels int     `json:"queue_levels"`
	// Quantum is the time slice of nodes that suspend tasks, in seconds, as in kairos.NodeConfig. It is the median runtime of a
	// task, so that half of the tasks end within one quantum.
	Quantum float64 `json:"quantum_s"`
	// Report is the period of progress reports, in seconds, as in hopper.SpeculationConfig: a tenth of Quantum.
	Report float64 `json:"report_s"`
}

// Settings returns the settings that follow from the traits.
func (t *Traits) Settings() Settings {
	s := Settings{QueueFirst: t.MedianWork, QueueLevels: 2, Quantum: t.MedianTask, Report: t.MedianTask / 10}
	if t.MedianWork > 0 {
		s.QueueLevels = min(64, max(2, saturate.To[int](1+math.Ceil(math.Log10(t.MaxWork/t.MedianWork)))))
	}
	return s
}

// Predictable reports whether history predicts runtimes: WithinTwo and Rank are both at least 0.5.
func (t *Traits) Predictable() bool { return t.WithinTwo >= 0.5 && t.Rank >= 0.5 }

// Fill reports whether a policy needs backfilling: Multicore is at least 0.01, and Alike is below 1, so some jobs are narrower
// than others.
func (t *Traits) Fill() bool { return t.Multicore >= 0.01 && t.Alike < 1 }

const (
	features = " of predict.New(predict.Config{})"
	teach    = "history: before the start, teach the forecast the jobs that have ended, with its method Learn"
)

func (s Settings) queues() string {
	return fmt.Sprintf("queues of service or work (slearn.TurnConfig, baseline.LAS): First %s core-seconds, Levels %d, each ten times the one before", number(s.QueueFirst), s.QueueLevels)
}

func (s Settings) reports() string {
	return "copies (hopper.SpeculationConfig): Period " + span(s.Report)
}

// Candidates returns the policies that may suit a workload by the rules of the package comment, at most 7, the most promising
// first.
func Candidates(t *Traits) (list []Candidate) {
	s := t.Settings()
	fill, filled, filler := "", "", ""
	if t.Fill() {
		fill, filled, filler = "-easy", ", and EASY fills the gaps before wide ones", ", Fill: baseline.EASY()"
	}
	add := func(name, why, made string, of func(policy.Truth) (policy.Scheduler, error), set ...string) {
		list = append(list, Candidate{Name: name, Why: why, Made: made, Set: set, New: of})
	}
	const index = "gittins.NewScheduler with History: "
	const history = index + "forecast.NewBeliefs with a Predictor" + features
	const speculation = ", Copies: hopper.NewSpeculation"
	withHistory := func() {
		why := "history predicts most runtimes"
		if !t.Predictable() {
			why = "history predicts few runtimes, and its forecast accounts for that"
		}
		add("index"+fill, why+filled, history+filler, t.index(learned, false), teach)
	}
	blind := func() {
		add("index"+fill+"/none", "it needs no history"+filled, index+"forecast.NewBeliefs without a Predictor"+filler, t.index(blank, false))
	}
	shortest := func() {
		add("sjf"+fill, "it is simple, and uses history"+filled, "central.New with Turn: baseline.Shortest(), Forecast: forecast.NewHistory with a Predictor"+features+filler, t.shortest, teach)
	}
	saved := func() {
		add("index-preempt", "jobs can be saved, and continue after shorter ones", history+", Fill: preempt.NewFiller", saving, teach,
			"jobs: say which stages can be saved, and how long they reload (policy.Stage.Saves and Reload)")
	}
	if t.Saves >= 0.5 {
		saved()
	}
	if t.Lucky > 0 {
		add("index"+fill+"+grass", "copies of a slow task may be faster, and start if they pay"+filled, history+speculation+filler, t.index(learned, true), s.reports(), teach)
	}
	switch {
	case t.Predictable():
		withHistory()
		shortest()
		blind()
	case t.Residual <= 1 && t.Alike >= 0.9:
		add("fifo", "nothing tells short jobs from long ones, and a started job has no more work left than a new one", "baseline.NewFIFO", fifo)
		blind()
	default:
		blind()
		withHistory()
	}
	if 0 < t.Saves && t.Saves < 0.5 {
		saved()
	}
	if t.Bags == 1 && t.CV > 1 {
		add("kairos-adaptive", "tasks take one core and may be suspended, and work varies more than if exponential", "kairos.NewAdaptive", adaptive)
		if t.Many < 0.5 {
			add("index@adaptive", "the index on the same nodes, since jobs of many tasks have little of the work", "central.NewDistributed with Turn: gittins.NewTurn, Forecast: forecast.NewBeliefs with a Predictor"+features+", Node: kairos.NewAdaptiveNodes()", inPlace, teach)
		}
	}
	if t.Many >= 0.5 && !t.Predictable() {
		add("gs/pilots", "jobs have many tasks, and the first ones predict the others", "slearn.NewScheduler", t.pilots, s.queues())
	}
	if t.Many >= 0.1 && t.CV > 1 && len(list) < 5 {
		add("fair", "it needs no predictions, and work varies more than if exponential", "baseline.NewFair", fair)
	}
	if len(list) < 3 {
		shortest()
	}
	if t.Fill() && t.Requested >= 0.5 {
		add("index-easy/requested", "users request times"+filled, index+"forecast.Requested()"+filler, t.index(forecast.Requested, false), "jobs: all should request a time, since a job without one goes before all others")
	}
	return list
}

// baselines returns the policies that candidates are compared with: FIFO, and EASY if jobs need backfilling.
func (t *Traits) baselines() []Candidate {
	list := []Candidate{{Name: "fifo", Why: "first come, first served", Made: "baseline.NewFIFO", New: fifo}}
	switch {
	case !t.Fill():
	case t.Requested >= 0.5:
		list = append(list, Candidate{
			Name: "fifo-easy", Why: "the default of most batch systems, by requested times", Made: "baseline.NewEASY",
			New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewEASY(), nil },
		})
	default:
		list = append(list, Candidate{
			Name: "fifo-easy/beliefs", Why: "the default of most batch systems, but by history, since few jobs request a time",
			Made: "central.New with Turn: baseline.FIFO(), Forecast: forecast.NewBeliefs with a Predictor" + features + ", Fill: baseline.EASY()",
			Set:  []string{teach},
			New: func(policy.Truth) (policy.Scheduler, error) {
				return central.New(central.Config{Turn: baseline.FIFO(), Fill: baseline.EASY(), Forecast: learned()})
			},
		})
	}
	return list
}

func fifo(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }

func fair(policy.Truth) (policy.Scheduler, error) { return baseline.NewFair(), nil }

func adaptive(policy.Truth) (policy.Scheduler, error) {
	return kairos.NewAdaptive(), nil
}

// index returns a function that makes the index, with a forecast, and with copies by GRASS or without.
func (t *Traits) index(of func() central.Forecast, copies bool) func(policy.Truth) (policy.Scheduler, error) {
	return func(policy.Truth) (policy.Scheduler, error) {
		o := gittins.Options{History: of()}
		if copies {
			period := max(1, saturate.To[time.Duration](t.Settings().Report*1e9))
			o.Copies = must(hopper.NewSpeculation(hopper.SpeculationConfig{Period: period}))
		}
		if t.Fill() {
			o.Fill = baseline.EASY()
		}
		return gittins.NewScheduler(o)
	}
}

// saving makes the index that saves what runs for jobs of a much better rank.
func saving(policy.Truth) (policy.Scheduler, error) {
	return gittins.NewScheduler(gittins.Options{History: learned(), Fill: must(preempt.NewFiller(preempt.Config{}))})
}

// inPlace makes the index on nodes that suspend tasks, which go on where they are.
func inPlace(policy.Truth) (policy.Scheduler, error) {
	return central.NewDistributed(central.Config{Turn: must(gittins.NewTurn(gittins.Config{})), Forecast: learned(), Node: kairos.NewAdaptiveNodes()})
}

// shortest makes shortest predicted first, by history.
func (t *Traits) shortest(policy.Truth) (policy.Scheduler, error) {
	c := central.Config{Turn: baseline.Shortest(), Forecast: must(forecast.NewHistory(forecast.HistoryConfig{Predictor: newPredictor()}))}
	if t.Fill() {
		c.Fill = baseline.EASY()
	}
	return central.New(c)
}

// pilots makes SLearn's generic scheduler by pilots, with queues that suit the workload.
func (t *Traits) pilots(policy.Truth) (policy.Scheduler, error) {
	queues := slearn.TurnConfig{Queues: queue.MultilevelConfig{First: t.MedianWork, Levels: t.Settings().QueueLevels}}
	s, err := slearn.NewScheduler(slearn.Config{Seed: 1, TurnConfig: queues})
	if err != nil {
		return nil, fmt.Errorf("choose: %w", err)
	}
	return s, nil
}

// learned makes a forecast by history, which has learnt nothing yet, and blank one without.
func learned() central.Forecast {
	return must(forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: newPredictor()}))
}

func blank() central.Forecast { return must(forecast.NewBeliefs(forecast.BeliefsConfig{})) }

// newPredictor returns a predictor that also answers for jobs like none before.
func newPredictor() *predict.Predictor {
	return must(predict.New(predict.Config{}))
}

// must returns what was made of a configuration that is always right.
func must[T any](x T, err error) T {
	if err != nil {
		panic("choose: internal error: " + err.Error())
	}
	return x
}
