package catalog

import (
	"fmt"
	"io"
	"math/rand/v2"

	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/preempt"
	"example.com/augur/policy/slearn"
	"example.com/augur/predict"
)

// A room is the parts that answer one question.
type room struct {
	name, about string
	parts       []part
}

// A part is one answer.
type part struct {
	name, about string
	set         func(c *central.Config) // of fills, whens and places: puts the part into a scheduler

	// Of turns:
	forecast string // that it goes by unless another one is named
	asks     bool   // it goes by a forecast
	noOrder  bool   // it is no order of all jobs, so that there is nothing to fill
	ranks    bool   // it tells by how much one job goes before another
	lake     bool   // it goes by what jobs of a data lake have read and written
	plain    bool   // it orders copies as well as tasks, where these do not go in their jobs' turn
}

var turns = room{"turn", "who is next", []part{
	{name: "fifo", about: "first come, first served", plain: true},
	{name: "fair", about: "the job that has the fewest cores", plain: true},
	{name: "fewest", about: "the fewest tasks left", plain: true},
	{name: "srpt", about: "the least remaining work, by true runtimes unless a forecast is named", asks: true, plain: true},
	{name: "sjf", about: "the same, by history unless another forecast is named", asks: true, forecast: "history"},
	{name: "index", about: "the least Gittins rank, by history and a job's own tasks unless another forecast is named", asks: true, forecast: "beliefs", ranks: true},
	{name: "index-mil", about: "the least Gittins rank, divided by the value of wing-mil; needs the lake", asks: true, forecast: "beliefs", lake: true, ranks: true},
	{name: "las", about: "the least attained service, in ten levels"},
	{name: "drf", about: "dominant resource fairness of users, or of jobs without one", plain: true},
	{name: "priority", about: "the greatest priority", plain: true},
	{name: "multifactor", about: "by age, size and fair share of users"},
	{name: "random", about: "a job drawn at random", noOrder: true},
	{name: "gs", about: "SLearn's queues by work, with weighted shares; by pilots unless another forecast is named", asks: true, forecast: "pilots", noOrder: true},
	{name: "hopper", about: "Hopper's shares, which leave room for copies", noOrder: true},
	{name: "wing-prio", about: "Wing's hierarchy of queues, by priority", noOrder: true},
	{name: "wing-agg", about: "the same, by value of a job with its dependents; needs the lake", noOrder: true, lake: true},
	{name: "wing-direct", about: "the same, by value of the job alone; needs the lake", noOrder: true, lake: true},
	{name: "wing-mil", about: "wing-agg, by the value left when the job would end; needs the lake", noOrder: true, lake: true},
	{name: "3sigma", about: "3Sigma's plan by expected utility; takes a forecast only", asks: true, forecast: "history", noOrder: true},
}}

var fills = room{"fill", "which jobs may overtake one that finds no room; needs a turn that orders all jobs, and preempt needs index", []part{
	{name: "easy", about: "jobs that do not delay the first job", set: func(c *central.Config) { c.Fill = baseline.EASY() }},
	{name: "conservative", about: "jobs that delay none before them", set: func(c *central.Config) { c.Fill = baseline.Conservative() }},
	{name: "sjbf", about: "as easy, the shortest first", set: func(c *central.Config) { c.Fill = baseline.SJBF() }},
	{name: "slack", about: "jobs that delay the first job by at most half its time", set: func(c *central.Config) {
		c.Fill, _ = baseline.Backfill(baseline.BackfillConfig{Slack: 0.5}) // which is in range
	}},
	{name: "brief", about: "as easy, but no job 30 times as long on cores that the first job leaves", set: func(c *central.Config) {
		c.Fill, _ = baseline.Backfill(baseline.BackfillConfig{Longest: 30}) // which is in range
	}},
	{name: "preempt", about: "the next by rank; running jobs that can be saved are stopped for jobs of half their rank", set: func(c *central.Config) {
		c.Fill, _ = preempt.NewFiller(preempt.Config{}) // which is in range
	}},
}}

var forecasts = room{"forecast", "what is known of runtimes", []part{
	{name: "history", about: "distributions of similar jobs"},
	{name: "beliefs", about: "history and a job's own tasks in one posterior"},
	{name: "none", about: "beliefs without history: a job's own tasks, and the runtimes of all jobs"},
	{name: "point", about: "history's best point estimate"},
	{name: "pilots", about: "the mean of some tasks that run first"},
	{name: "hybrid", about: "history, corrected by pilots"},
	{name: "chooser", about: "history or pilots, whichever has erred less"},
	{name: "requested", about: "the times that users request"},
	{name: "last-two", about: "the mean of the user's last two runtimes, corrected when outrun, at most the requested time; with sjbf: EASY++"},
	{name: "truth", about: "the true runtimes"},
	{name: "nothing", about: "nothing"},
}}

var copiers = room{"copy", "which tasks get another copy", []part{
	{name: "simple", about: "tasks with longer to run than a new copy"},
	{name: "late", about: "the slow task that will end last"},
	{name: "mantri", about: "tasks whose copies save time and slots; also kills and restarts"},
	{name: "gs", about: "greedy speculation"},
	{name: "ras", about: "resource-aware speculation"},
	{name: "grass", about: "ras far from the end of the job, gs near it"},
}}

var whens = room{"when", "when copies start, in their job's turn unless named", []part{
	{name: "after-own", about: "when no task of the job waits", set: func(c *central.Config) { c.CopyWhen = central.AfterOwn }},
	{name: "after-all", about: "when no task of any job waits", set: func(c *central.Config) { c.CopyWhen = central.AfterAll }},
	{name: "reserved", about: "on a tenth of the cores, reserved for copies", set: func(c *central.Config) { c.Reserved = 0.1 }},
}}

var places = room{"place", "where tasks start, wherever there is room unless named", []part{
	{name: "preferred", about: "partitions that the stage prefers", set: func(c *central.Config) { c.Place = baseline.Preferred() }},
	{name: "locality", about: "where the data is", set: func(c *central.Config) { c.Place = new(hopper.Locality) }},
	{name: "least-loaded", about: "the node with the most free cores", set: func(c *central.Config) { c.Place = baseline.LeastLoaded() }},
	{name: "least-variance", about: "least-loaded, ties to the node whose tasks vary least in service", set: func(c *central.Config) { c.Place = baseline.LeastVariance() }},
	{name: "best-fit", about: "the node with the least room left, so that wide tasks find room elsewhere", set: func(c *central.Config) { c.Place = baseline.BestFit() }},
	{name: "least-fragmentation", about: "the node where the task fragments the devices least", set: func(c *central.Config) { c.Place = baseline.LeastFragmentation() }},
	{name: "fastest", about: "where the task runs fastest", set: func(c *central.Config) { c.Place = baseline.Fastest() }},
}}

var nodes = room{"node", "how nodes serve tasks, each to its end unless named", []part{
	{name: "kairos", about: "Kairos: least attained service, with short queues"},
	{name: "adaptive", about: "kairos-adaptive's: a new task may suspend an older one; no parameters"},
}}

// get returns a part that there is.
func (r *room) get(name string) *part {
	for i := range r.parts {
		if r.parts[i].name == name {
			return &r.parts[i]
		}
	}
	return nil
}

func (r *room) has(name string) bool { return r.get(name) != nil }

func (r *room) names() (names []string) {
	for _, p := range r.parts {
		names = append(names, p.name)
	}
	return names
}

// List writes the policies with a name and then the parts, room by room, in lines of two columns with a tab between.
func List(w io.Writer) {
	fmt.Fprintln(w, "policies")
	for _, p := range named {
		about := p.About
		if p.Lake {
			about += "; needs the jobs of a data lake"
		}
		fmt.Fprintf(w, "  %s\t%s\n", p.Name, about)
	}
	fmt.Fprintf(w, "parts\t%s; the mark tells the kind: gs is a turn, +gs a copy rule\n", grammar)
	for _, r := range []*room{&turns, &fills, &forecasts, &copiers, &whens, &places, &nodes} {
		fmt.Fprintf(w, "  %s\t%s\n", r.name, r.about)
		for _, p := range r.parts {
			fmt.Fprintf(w, "    %s\t%s\n", p.name, p.about)
		}
	}
}

// Predictor makes a predictor with the features of the Setting, or else 3Sigma's. For a job like none before it predicts from
// all jobs.
func (s *Setting) Predictor() (*predict.Predictor, error) {
	if s.Features != nil {
		return predict.New(predict.Config{Features: s.Features})
	}
	return predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
}

// forecastOf makes a forecast, which has learnt from the past if it can learn from that.
func forecastOf(name string, s *Setting) (central.Forecast, error) {
	switch name {
	case "nothing":
		return forecast.Nothing(), nil
	case "requested":
		return forecast.Requested(), nil
	case "last-two":
		return forecast.LastTwo(), nil
	case "truth":
		return forecast.Truth(s.Truth)
	case "pilots":
		e, err := slearn.NewSampling(s.pilots())
		return slearn.NewForecast(e), err
	case "hybrid":
		e, err := s.hybrid()
		return taught(s, slearn.NewForecast(e), err)
	case "chooser":
		e, err := s.chooser()
		return taught(s, slearn.NewForecast(e), err)
	case "none":
		f, err := forecast.NewBeliefs(forecast.BeliefsConfig{})
		return taught(s, f, err)
	}
	if name == "beliefs" {
		p, err := predict.New(predict.Config{Features: s.Features})
		if err != nil {
			return nil, err
		}
		f, err := forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: p})
		return taught(s, f, err)
	}
	p, err := s.Predictor()
	if err != nil {
		return nil, err
	}
	f, err := forecast.NewHistory(forecast.HistoryConfig{Predictor: p, Point: name == "point"})
	return taught(s, f, err)
}

// taught returns a forecast that has learnt from the past.
func taught[F interface {
	central.Forecast
	Learner
}](s *Setting, f F, err error) (central.Forecast, error) {
	if err != nil {
		return nil, err
	}
	return f, s.Teach(f)
}

// pilots are how they are chosen.
func (s *Setting) pilots() slearn.SamplingConfig {
	return slearn.SamplingConfig{Src: rand.NewPCG(s.Seed, 0x70696c6f7473)}
}

// byHistory makes SLearn's estimator by history.
func (s *Setting) byHistory(c slearn.HistoryConfig) (h *slearn.History, err error) {
	if c.Predictor, err = s.Predictor(); err != nil {
		return nil, err
	}
	return slearn.NewHistory(c)
}

// dag makes an estimator by sampling of first stages and history of the others.
func (s *Setting) dag() (slearn.Estimator, error) {
	h, err := s.byHistory(slearn.HistoryConfig{Stages: true})
	if err != nil {
		return nil, err
	}
	return slearn.NewDAG(slearn.DAGConfig{Sampling: s.pilots(), History: h})
}

// hybrid makes an estimator by history and pilots.
func (s *Setting) hybrid() (slearn.Estimator, error) {
	means, err := s.Predictor()
	if err != nil {
		return nil, err
	}
	spreads, err := s.Predictor()
	if err != nil {
		return nil, err
	}
	return slearn.NewHybrid(slearn.HybridConfig{Sampling: s.pilots(), Means: means, Spreads: spreads})
}

// chooser makes an estimator by history or pilots, whichever has erred less on like jobs.
func (s *Setting) chooser() (slearn.Estimator, error) {
	past, err := s.byHistory(slearn.HistoryConfig{})
	if err != nil {
		return nil, err
	}
	c := slearn.ChooserConfig{Sampling: s.pilots(), History: past}
	if c.SamplingErrors, err = s.Predictor(); err != nil {
		return nil, err
	}
	if c.HistoryErrors, err = s.Predictor(); err != nil {
		return nil, err
	}
	return slearn.NewChooser(c)
}
