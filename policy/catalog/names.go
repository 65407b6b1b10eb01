package catalog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/wing"
)

// A Policy is one that can be chosen: by a spec, or by a name of its own.
type Policy struct {
	Name, About string // About is "" for a spec
	Spec        string // that it stands for; "": there is none
	Requests    bool   // it goes by the times that users request, or falls back on them
	Lake        bool   // it goes by what jobs of a data lake have read and written, as Setting.Ranker knows it

	of func(*Setting) (policy.Scheduler, error) // if Spec is ""
}

// New makes the policy.
func (p *Policy) New(s Setting) (policy.Scheduler, error) {
	if p.Spec == "" {
		return p.of(&s)
	}
	l, err := Parse(p.Spec)
	if err != nil {
		return nil, err
	}
	return l.New(s)
}

// Named returns the policies with a name, those of the papers among them.
func Named() []Policy { return slices.Clone(named) }

var named = []Policy{
	{Name: "fifo", About: "first come, first served", Spec: "fifo"},
	{Name: "fair", About: "each free core to the job that has the fewest cores", Spec: "fair"},
	{Name: "srpt", About: "least remaining work first; knows the true runtimes", Spec: "srpt"},
	{Name: "las", About: "least attained service first, in ten levels, of which the first ends at 1000 core-seconds", Spec: "las"},
	{Name: "drf", About: "dominant resource fairness of users, or of jobs without one", Spec: "drf"},
	{Name: "easy", About: "FIFO with EASY backfilling, by requested times", Spec: "fifo-easy", Requests: true},
	{Name: "conservative", About: "FIFO with conservative backfilling, by requested times", Spec: "fifo-conservative", Requests: true},
	{Name: "sjbf", About: "easy, but the shortest job overtakes first", Spec: "fifo-sjbf", Requests: true},
	{Name: "easy++", About: "sjbf by the user's last two runtimes: fifo-sjbf/last-two", Spec: "fifo-sjbf/last-two", Requests: true},
	{Name: "multifactor", About: "by age, size and fair share of users, with EASY backfilling", Spec: "multifactor-easy", Requests: true},
	{Name: "priority", About: "greatest priority first", Spec: "priority"},
	{Name: "random", About: "each free core to a job drawn at random", Spec: "random"},
	{Name: "shortest", About: "shortest predicted first, by history: the spec sjf", Spec: "sjf"},
	{Name: "index", About: "least Gittins rank first, by history and a job's own tasks; index/none is without history", Spec: "index"},
	{Name: "gs-oracle", About: "SLearn's generic scheduler, by true runtimes", Spec: "gs/truth"},
	{Name: "gs-slearn", About: "the same, by the runtimes of sampled tasks: SLearn", Spec: "gs/pilots"},
	{Name: "gs-3sigma", About: "the same, by history: 3Sigma", of: gsByHistory(slearn.HistoryConfig{})},
	{Name: "gs-3sigmatl", About: "gs-3sigma, but thin jobs go first", of: gsByHistory(slearn.HistoryConfig{ThinLimit: 3})},
	{Name: "gs-pointest", About: "gs-3sigma, by the median of history", of: gsByHistory(slearn.HistoryConfig{Point: slearn.Median})},
	{Name: "gs-hybrid", About: "by history, corrected by sampled tasks", Spec: "gs/hybrid"},
	{Name: "gs-chooser", About: "by history or sampled tasks, whichever has erred less on like jobs", Spec: "gs/chooser"},
	{Name: "gs-slearn-dag", About: "by sampled tasks of the first stage, and history for the others: SLearn-DAG", of: gs((*Setting).dag)},
	{Name: "gs-3sigma-dag", About: "by history of each stage: 3Sigma-DAG", of: gsByHistory(slearn.HistoryConfig{Stages: true})},
	{Name: "gs-las", About: "by attained service", Spec: "gs/nothing"},
	{Name: "kairos", About: "least attained service on every node", of: underKairos(kairos.LeastVariance)},
	{Name: "kairos-random", About: "kairos, with ties between nodes broken at random", of: underKairos(kairos.AtRandom)},
	{Name: "kairos-sum", About: "kairos, with ties between nodes to the least sum of attained service", of: underKairos(kairos.LeastSum)},
	{Name: "kairos-adaptive", About: "fair shares; on its node a new task may suspend an older one; no parameters", of: adaptive},
	{Name: "hopper", About: "hopper+grass:locality: shares by remaining tasks and tails, with room for copies by GRASS", Spec: "hopper+grass:locality"},
	{Name: "srpt-late", About: "fewest+late:locality: fewest tasks left first; copies by LATE, best effort", Spec: "fewest+late:locality"},
	{Name: "srpt-mantri", About: "fewest+mantri:locality: the same, with copies by Mantri", Spec: "fewest+mantri:locality"},
	{Name: "srpt-grass", About: "fewest+grass:locality: the same, with copies by GRASS; the spec srpt+grass knows the true runtimes", Spec: "fewest+grass:locality"},
	{Name: "srpt-budgeted", About: "srpt-grass, with a tenth of the cores reserved for copies", Spec: "fewest+grass.reserved:locality"},
	{Name: "fair-grass", About: "fair+grass:locality: fair, with copies by GRASS", Spec: "fair+grass:locality"},
	{Name: "drf-grass", About: "dominant resource fairness of jobs; copies by GRASS", of: drfGRASS},
	{Name: "wing-prio", About: "greatest priority first, in the organisations' queues", Spec: "wing-prio"},
	{Name: "wing-raise", About: "the same, but a job has at least the priority of the jobs that are expected to read its output", of: underWing("wing-raise"), Lake: true},
	{Name: "wing-agg", About: "greatest value per compute time first, both of a job with its dependents: Wing-Agg", Spec: "wing-agg", Lake: true},
	{Name: "wing-direct", About: "the same, both of the job alone: Wing-Direct", Spec: "wing-direct", Lake: true},
	{Name: "wing-mil", About: "wing-agg, but by the value left when the job would end: Wing-MIL", Spec: "wing-mil", Lake: true},
	{Name: "mil", About: "wing-direct, but by the value left when the job would end: Millennium", of: underWing("mil"), Lake: true},
	{Name: "index-mil", About: "least Gittins rank, divided by the value of wing-mil, first", Spec: "index-mil", Lake: true},
}

// Find returns the policy of a name or of a spec.
func Find(name string) (Policy, error) {
	i := slices.IndexFunc(named, func(p Policy) bool { return p.Name == name })
	if i >= 0 {
		return named[i], nil
	}
	l, err := Parse(name)
	if err == nil {
		return Policy{Name: name, Spec: name, Requests: l.Requests(), Lake: l.Lake()}, nil
	}
	if l.Fill != "" && !fills.has(l.Fill) {
		return Policy{}, fmt.Errorf("catalog: policy %w, or the name of a policy", err)
	}
	if turns.has(l.Turn) {
		return Policy{}, fmt.Errorf("catalog: policy %w", err)
	}
	if i := slices.IndexFunc(named, func(p Policy) bool { return strings.EqualFold(p.Name, strings.TrimSpace(name)) }); i >= 0 {
		return Policy{}, fmt.Errorf("catalog: unknown policy %q, want %s", name, named[i].Name)
	}
	var whole Policy // that the spec begins with
	for _, p := range named {
		rest, begins := strings.CutPrefix(name, p.Name)
		if begins && len(p.Name) > len(whole.Name) && strings.ContainsAny(rest[:min(1, len(rest))], "-/+:@") {
			whole = p
		}
	}
	if whole.Name != "" {
		instead := "and a spec of parts is " + grammar
		if spec := whole.Spec + name[len(whole.Name):]; whole.Spec != "" {
			if _, err := Parse(spec); err == nil {
				instead = "write " + spec
			}
		}
		return Policy{}, fmt.Errorf("catalog: unknown policy %q: %s is the name of a whole policy, %s", name, whole.Name, instead)
	}
	return Policy{}, fmt.Errorf("catalog: unknown policy %q, want a name or a spec of parts, %s, with a turn of %s (catalog.List prints all)",
		name, grammar, strings.Join(turns.names(), ", "))
}

// gs makes SLearn's generic scheduler over an estimator, with the paper's parameters.
func gs(estimator func(*Setting) (slearn.Estimator, error)) func(*Setting) (policy.Scheduler, error) {
	return func(s *Setting) (policy.Scheduler, error) {
		e, err := estimator(s)
		f, err := taught(s, slearn.NewForecast(e), err)
		if err != nil {
			return nil, err
		}
		return slearn.NewScheduler(slearn.Config{Forecast: f})
	}
}

func gsByHistory(c slearn.HistoryConfig) func(*Setting) (policy.Scheduler, error) {
	return gs(func(s *Setting) (slearn.Estimator, error) { return s.byHistory(c) })
}

// underKairos makes Kairos, with a way to break ties between nodes.
func underKairos(tie kairos.Tie) func(*Setting) (policy.Scheduler, error) {
	return func(s *Setting) (policy.Scheduler, error) {
		c := s.Kairos
		c.Tie, c.Src = tie, rand.NewPCG(s.Seed, 0x6b6169726f73)
		return kairos.NewScheduler(c)
	}
}

func adaptive(*Setting) (policy.Scheduler, error) { return kairos.NewAdaptive(), nil }

// drfGRASS makes dominant resource fairness of jobs with copies by GRASS. No attribute has the name that it takes for
// the user's, so each job counts as a user of its own.
func drfGRASS(s *Setting) (policy.Scheduler, error) {
	c := central.Config{Place: new(hopper.Locality), CopyWhen: s.Hopper.CopyWhen}
	var err error
	for _, turn := range []*central.Turn{&c.Turn, &c.CopyTurn} {
		if *turn, err = baseline.DRF(baseline.DRFConfig{User: "\x00"}); err != nil {
			return nil, err
		}
	}
	sc := s.Hopper.SpeculationConfig
	sc.Rule, sc.Loss = nil, 0 // the defaults: GRASS, and copies must pay
	if c.Copy, err = hopper.NewSpeculation(sc); err != nil {
		return nil, err
	}
	return central.New(c)
}

// underWing makes Wing's scheduler with one of its rankers.
func underWing(name string) func(*Setting) (policy.Scheduler, error) {
	return func(s *Setting) (policy.Scheduler, error) {
		r, err := s.ranker(name)
		if err != nil {
			return nil, err
		}
		return wing.NewScheduler(wing.Config{Ranker: r, Inherit: s.Inherit, Queues: s.Queues})
	}
}
