// Package catalog makes policies by name. Most callers need no more than
//
//	scheduler, err := catalog.New("index-easy", catalog.Setting{})
//
// A name is a spec of parts,
//
//	turn[-fill][/forecast][+copy[.when]][:place][@node]
//
// for instance srpt+grass, gs/pilots:fastest or fair@kairos: the job that is next, the jobs that may overtake it, the source
// of runtimes, the rule for copies and when they start, the choice of nodes, and the order on a node. Or it is one of [Named],
// such as easy or kairos. [List] prints all names and parts, and so does
//
//	go run ./examples/compare -list
//
// which adds policies that are only for comparison.
//
// A kairos, or any spec with a node, is a policy.Distributed: its host makes a Part for each node and carries their messages, as
// package sim does. A filler uses the times that users request, unless the spec has a forecast or the turn its own; a job without
// a requested time overtakes only on cores that the first job does not need (workload.FillRequested).
//
// The mark before a name tells the kind of part: gs is a turn, SLearn's queues, and +gs is a copy rule, greedy
// speculation. The minus sign is for fillers only: the spec srpt+grass knows the true runtimes; the policy srpt-grass does
// not, and is the spec fewest+grass:locality.
//
// # When not to use it
//
// This package imports all policies. A program with one policy should import its package, whose constructors have more options.
//
// # Cost
//
// That of the policy.
//
// # Source
//
// The packages of the parts name their papers.
package catalog

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// A Setting has what a policy may know, its seed, and the parameters of its parts. Most callers set Truth and Seed. The zero
// Setting has the parameters of the papers, and knows nothing of the jobs beforehand.
type Setting struct {
	// Truth knows the true runtimes. If it is nil, New refuses policies that go by them, such as srpt.
	Truth policy.Truth
	Seed  uint64 // of all random choices
	// Past returns jobs that ended before the run. Forecasts by history learn from them. If it is nil, they start
	// without any history.
	Past func() (workload.Source, error)
	// Features are the features of forecasts by history, as in predict.Config. Nil: beliefs find their own in the jobs; other
	// forecasts have 3Sigma's and predict.All.
	Features []string

	// Queues are the queues of Wing's hierarchy. If there are none, all jobs are in one queue.
	Queues  []wing.Queue
	Inherit wing.Inheritance // the dependents whose priority a job of Wing's inherits
	// Ranker returns the priorities of jobs for a turn that goes by their value: index-mil, and all of Wing's but
	// wing-prio. If it is nil, New refuses such turns.
	Ranker func(turn string) (wing.Ranker, error)

	Hopper     hopper.Config
	Kairos     kairos.Config
	ThreeSigma threesigma.Config // Forecast and Seed are those of the spec and of this Setting
}

// New makes the policy of a name or of a spec. The error lists the known parts, says why two parts do not go together, or names
// the field of the Setting that the policy needs.
func New(name string, s Setting) (policy.Scheduler, error) {
	p, err := Find(name)
	if err != nil {
		return nil, err
	}
	return p.New(s)
}

// A Learner learns from jobs that have ended: a [forecast.History], [forecast.Beliefs] or [slearn.Forecast].
type Learner interface {
	Learn(j *policy.Job, runtimes []policy.Duration, ended policy.Time) error
}

// Teach teaches a Learner the jobs of the past, if there is one, as if each had run alone.
func (s *Setting) Teach(l Learner) error {
	if s.Past == nil {
		return nil
	}
	past, err := s.Past()
	if err != nil {
		return err
	}
	for j, err := range past {
		if err != nil {
			return err
		}
		if err := l.Learn(&j.Job, j.UnitRuntimes(), j.Submitted.Add(j.Ideal())); err != nil {
			return fmt.Errorf("job %d of the history: %w", j.ID, err)
		}
	}
	return nil
}

// A Spec is a scheduler as a choice of parts. What is "" is not chosen.
type Spec struct{ Turn, Fill, Forecast, Copy, When, Place, Node string }

// String returns the spec in the grammar.
func (l Spec) String() string {
	var text strings.Builder
	text.WriteString(l.Turn)
	for _, part := range []struct{ mark, name string }{{"-", l.Fill}, {"/", l.Forecast}, {"+", l.Copy}, {".", l.When}, {":", l.Place}, {"@", l.Node}} {
		if part.name != "" {
			text.WriteString(part.mark + part.name)
		}
	}
	return text.String()
}

// Parse reads a spec. The error names a part that is unknown, with those that are known, or it says why two parts do not go
// together.
func Parse(text string) (l Spec, err error) {
	rest := text
	cut := func(mark string) (after string) {
		rest, after, _ = strings.Cut(rest, mark)
		return after
	}
	l.Node = cut("@")
	l.Place = cut(":")
	l.Copy = cut("+")
	l.Copy, l.When, _ = strings.Cut(l.Copy, ".")
	l.Forecast = cut("/")
	l.Turn = rest
	if at := strings.LastIndexByte(rest, '-'); at >= 0 && at < len(rest)-1 && !turns.has(rest) && (turns.has(rest[:at]) || fills.has(rest[at+1:])) {
		l.Turn, l.Fill = rest[:at], rest[at+1:]
	}
	for _, c := range []struct {
		room *room
		name string
	}{{&turns, l.Turn}, {&fills, l.Fill}, {&forecasts, l.Forecast}, {&copiers, l.Copy}, {&whens, l.When}, {&places, l.Place}, {&nodes, l.Node}} {
		if (c.name != "" || c.room == &turns) && !c.room.has(c.name) {
			return l, fmt.Errorf("%q has %s %q, want one of %s", text, c.room.name, c.name, strings.Join(c.room.names(), ", "))
		}
	}
	if l.String() != text {
		return l, fmt.Errorf("%q has an empty part, want %s", text, grammar)
	}
	if err := l.check(); err != nil {
		return l, fmt.Errorf("%q: %w", text, err)
	}
	return l, nil
}

// grammar is that of specs.
const grammar = "turn[-fill][/forecast][+copy[.when]][:place][@node]"

// check returns why parts do not go together.
func (l Spec) check() error {
	switch {
	case l.Turn == "3sigma" && (l.Fill != "" || l.Copy != "" || l.Place != "" || l.Node != ""):
		return fmt.Errorf("3sigma plans for all jobs at once, and takes a forecast only")
	case l.Fill == "preempt" && !turns.get(l.Turn).ranks:
		return fmt.Errorf("preempt needs ranks, and %s has none; take index", l.Turn)
	case l.Fill != "" && turns.get(l.Turn).noOrder:
		return fmt.Errorf("%s needs a turn that orders all jobs, and %s does not; leave %s out, or take fifo, fair, drf or index", l.Fill, l.Turn, l.Fill)
	case l.When != "" && l.Copy == "":
		return fmt.Errorf("%s says when copies start, and the spec has no copy rule", l.When)
	case l.Fill == "preempt" && l.Copy != "":
		return fmt.Errorf("preempt saves and stops tasks, which does not go with copies of them")
	case l.Fill != "" && l.When == "reserved":
		return fmt.Errorf("%s counts all cores as free for tasks, and reserved keeps some for copies", l.Fill)
	case l.Node != "" && (l.Fill != "" || l.Place != ""):
		return fmt.Errorf("%s has queues on nodes, so it takes neither a fill nor a place", l.Node)
	case l.Node != "" && l.Copy == "mantri":
		return fmt.Errorf("mantri kills copies, which may not have begun yet on nodes with queues")
	case l.Node != "" && l.When == "reserved":
		return fmt.Errorf("%s has queues on nodes, and no cores to reserve", l.Node)
	case l.Forecast != "" && !turns.get(l.Turn).asks && l.Fill == "" && l.Copy == "":
		return fmt.Errorf("%s does not ask for a forecast", l.Turn)
	}
	return nil
}

// Lake reports whether the spec goes by what jobs of a data lake have read and written.
func (l Spec) Lake() bool { return turns.get(l.Turn).lake }

// Requests reports whether the spec goes by the times that users request.
func (l Spec) Requests() bool {
	return l.Forecast == "requested" || l.Forecast == "last-two" || l.Fill != "" && l.Forecast == "" && turns.get(l.Turn).forecast == ""
}

// New makes the scheduler.
func (l Spec) New(s Setting) (policy.Scheduler, error) { return l.scheduler(&s) }

func (l Spec) scheduler(s *Setting) (policy.Scheduler, error) {
	var c central.Config
	var err error
	if name := l.Forecast; name != "" || turns.get(l.Turn).forecast != "" {
		if name == "" {
			name = turns.get(l.Turn).forecast
		}
		if c.Forecast, err = forecastOf(name, s); err != nil {
			return nil, err
		}
	}
	if l.Turn == "3sigma" {
		p := s.ThreeSigma
		p.Forecast, p.Seed, p.Overestimate.Handling = c.Forecast, s.Seed, threesigma.Adaptive
		return threesigma.NewScheduler(p)
	}
	if l.Fill != "" {
		fills.get(l.Fill).set(&c)
	}
	if l.Place != "" {
		places.get(l.Place).set(&c)
	}
	if l.Copy != "" {
		if err := l.copies(&c, s); err != nil {
			return nil, err
		}
	}
	if l.Node == "" && l.Place == "" && c.CopyWhen == central.InTurn && c.Reserved == 0 && turns.get(l.Turn).ranks {
		o := gittins.Options{History: c.Forecast, Fill: c.Fill, Copies: c.Copy}
		if o.Worth, err = l.worth(s); err != nil {
			return nil, err
		}
		return gittins.NewScheduler(o)
	}
	if c.Turn, err = l.turn(s); err != nil {
		return nil, err
	}
	if l.Node == "" {
		return central.New(c)
	}
	if l.Node == "adaptive" {
		c.Node = kairos.NewAdaptiveNodes()
		return central.NewDistributed(c)
	}
	k := s.Kairos
	k.Src = rand.NewPCG(s.Seed, 0x6b6169726f73)
	if c.Node, err = kairos.NewNodes(k); err != nil {
		return nil, err
	}
	return central.NewDistributed(c)
}

// turn makes the turn.
func (l Spec) turn(s *Setting) (central.Turn, error) {
	switch l.Turn {
	case "fifo":
		return baseline.FIFO(), nil
	case "fair":
		return baseline.Fair(), nil
	case "fewest":
		return baseline.Fewest(), nil
	case "index", "index-mil":
		worth, err := l.worth(s)
		if err != nil {
			return nil, err
		}
		return gittins.NewTurn(gittins.Config{Worth: worth})
	case "sjf":
		return baseline.Shortest(), nil
	case "srpt":
		if l.Forecast != "" {
			return baseline.Shortest(), nil
		}
		return baseline.SRPT(s.Truth)
	case "las":
		return baseline.LAS(queue.MultilevelConfig{})
	case "drf":
		return baseline.DRF(baseline.DRFConfig{})
	case "priority":
		return baseline.Priority(), nil
	case "multifactor":
		return baseline.Multifactor(baseline.MultifactorConfig{})
	case "random":
		return baseline.Random(rand.NewPCG(s.Seed, 0x72616e646f6d))
	case "gs":
		return slearn.NewTurn(slearn.TurnConfig{})
	case "hopper":
		return hopper.NewTurn(s.Hopper.TurnConfig)
	}
	c := wing.Config{Ranker: wing.ByPriority(), Queues: s.Queues, Inherit: s.Inherit}
	if l.Turn != "wing-prio" {
		var err error
		if c.Ranker, err = s.ranker(l.Turn); err != nil {
			return nil, err
		}
	}
	return wing.NewTurn(c)
}

// worth returns the worth of jobs under an index that goes by it.
func (l Spec) worth(s *Setting) (func(*policy.Job, policy.Time) (float64, policy.Time), error) {
	if !l.Lake() {
		return nil, nil
	}
	r, err := s.ranker(l.Turn)
	if err != nil {
		return nil, err
	}
	return r.Rank, nil
}

// ranker makes the ranker of a turn that goes by the values of jobs.
func (s *Setting) ranker(turn string) (wing.Ranker, error) {
	if s.Ranker == nil {
		return nil, fmt.Errorf("%s needs to know what jobs have read and written, want the jobs of a data lake", turn)
	}
	return s.Ranker(turn)
}

// copies adds the part that says which tasks get copies, and when these start.
func (l Spec) copies(c *central.Config, s *Setting) (err error) {
	sc := s.Hopper.SpeculationConfig
	if l.Turn != "hopper" {
		sc.Loss = 0 // the default, as copies must pay
	} else if sc.Loss == 0 {
		sc.Loss = math.Inf(1) // as under Hopper's own scheduler
	}
	switch l.Copy {
	case "simple":
		sc.Rule, err = hopper.NewSimple(hopper.SimpleConfig{})
	case "late":
		sc.Rule, err = hopper.NewLATE(hopper.LATEConfig{})
	case "mantri":
		sc.Rule, err = hopper.NewMantri(hopper.MantriConfig{})
	case "gs":
		sc.Rule, err = hopper.NewGRASS(hopper.GRASSConfig{Waves: math.Inf(1)})
	case "ras":
		sc.Rule, err = hopper.NewGRASS(hopper.GRASSConfig{Waves: math.SmallestNonzeroFloat64})
	case "grass":
		sc.Rule, err = hopper.NewGRASS(hopper.GRASSConfig{})
	}
	if err != nil {
		return err
	}
	if c.Copy, err = hopper.NewSpeculation(sc); err != nil {
		return err
	}
	switch {
	case l.When != "":
		whens.get(l.When).set(c)
	case l.Turn == "hopper" && s.Hopper.CopyWhen == central.AfterAll:
		c.CopyWhen = central.InTurn // which has slots for copies
	default:
		c.CopyWhen = s.Hopper.CopyWhen
	}
	c.CopyTurn = baseline.Fewest()
	if t := turns.get(l.Turn); t.plain && l.Forecast == "" {
		c.CopyTurn, err = l.turn(s)
	}
	return err
}
