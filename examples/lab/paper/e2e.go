package paper

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// E2E generates the jobs of 3Sigma's evaluation: gangs of one-core tasks, one per node. They are
// drawn from classes that k-means finds among the logarithms of runtimes in the Google trace of
// 2011. Runtime, width, user and program are drawn independently from the distributions of the
// job's class, but see ByProgram. A predictor may learn from user and program. Half of the jobs
// are SLO jobs, see [workload.Deadlines]. Arrivals come in bursts.
//
// The paper gives neither the classes nor their number. Ours are of jobs that started in 9.9 hours
// of the trace; examples/lab/classes computes them. The paper does not say either which
// jobs it clustered, only that 600 jobs arrive in two hours at a load of 1.4 on 256 nodes. The
// classes of [E2ETwoHours] come near that. Those of [E2EFinished] are of smaller jobs, 600 of which
// arrive in about 40 minutes.
//
// Start from [DefaultE2E]; [E2E.Source] refuses values outside their range.
//
// # Source
//
// 3Sigma, section 5.
type E2E struct {
	Seed uint64
	Jobs int // 2 to 2^28
	// Nodes is the number of nodes of one core in the cluster, 1 to 2^24. No job is wider,
	// nor wider than 256.
	Nodes int
	// Load is what the jobs offer to the nodes, as [workload.Measure] measures it, above 0, to 1000.
	// It sets the mean time between arrivals.
	Load float64
	// ByProgram draws a runtime from those of the job's user and program in its class, and not
	// from those of the whole class. The paper says the latter, but with our classes that makes
	// jobs harder to predict than those of the trace.
	ByProgram bool
	Deadlines workload.Deadlines // its Seed is not used
	// Trace selects the jobs of the trace from which the classes were made.
	Trace E2ETrace
}

// e2eGapCV2 is the squared coefficient of variation of the times between arrivals. They are drawn from two exponential
// distributions that take up half of the time each.
const e2eGapCV2 = 4.0

// E2ETrace selects the jobs of the trace from which the classes of [E2E] are made by clustering. The paper does not say
// which jobs it used.
type E2ETrace uint8

const (
	E2EFinished E2ETrace = iota // the jobs that finished within the trace
	E2ETwoHours                 // those that ended, also by failing or being killed, within two hours
)

var e2eTraces = [...]*e2eClasses{&finished, &endedInTwoHours}

// e2eClasses are the classes of jobs in a trace, and the programs of its users.
type e2eClasses struct {
	classes  []e2eClass
	features []e2eFeature
}

// e2eClass is a class of jobs: the number of jobs, the number of jobs with more than one task, and
// the mean and standard deviation of the logarithms of the runtimes in seconds and of the numbers of
// tasks above 1.
type e2eClass struct {
	jobs                     int
	logRuntime, sigmaRuntime float64
	wide                     int
	logWidth, sigmaWidth     float64
}

// e2eFeature is a user with one program, or with all unnamed programs.
type e2eFeature struct {
	user, program string
	cells         []e2eCell // by class; those of the last classes are left out if they have no jobs
}

// e2eCell is the jobs of a class with the same features: their number, and the mean and standard
// deviation of the logarithms of their runtimes in seconds.
type e2eCell struct {
	jobs                     int
	logRuntime, sigmaRuntime float64
}

// cell returns the jobs of a class with the features.
func (f *e2eFeature) cell(class int) e2eCell {
	if class < len(f.cells) {
		return f.cells[class]
	}
	return e2eCell{}
}

// DefaultE2E returns the workload E2E: 600 jobs that offer load 1.4 to 256 nodes, half of
// them with deadlines. They prefer three of the partitions 1 to 4, of 64 nodes each.
func DefaultE2E() E2E {
	e := E2E{Seed: 1, Jobs: 600, Nodes: 256, Load: 1.4, Deadlines: workload.DefaultDeadlines()}
	e.Deadlines.Partitions = []policy.PartitionID{1, 2, 3, 4}
	return e
}

func (e *E2E) validate() error {
	if err := check("E2E",
		field{"Jobs", e.Jobs, e.Jobs >= 2 && e.Jobs <= limits.ID, "2 to 2^28"},
		field{"Nodes", e.Nodes, e.Nodes >= 1 && e.Nodes <= 1<<24, "1 to 2^24"},
		field{"Load", e.Load, e.Load > 0 && e.Load <= 1000, "above 0, to 1000"},
		field{"Trace", e.Trace, e.Trace <= E2ETwoHours, "E2EFinished or E2ETwoHours"},
	); err != nil {
		return err
	}
	_, err := e.Deadlines.Source(workload.Of(nil))
	return err
}

// Source returns the jobs, in order of submission, the first a gap after instant 0. It draws all
// jobs twice, since the load depends on all of them, but keeps none. The same values give the same
// jobs, except that times may differ by a few nanoseconds on another processor architecture. The
// error names the field that is outside its range.
func (e E2E) Source() (workload.Source, error) {
	g, err := e.generator(0x653265, "once")
	if err != nil {
		return nil, err
	}
	e.Deadlines.Seed = e.Seed
	return e.Deadlines.Source(g.source(0))
}

// History returns the given number of earlier jobs, 2 to 2^28, for a predictor to learn from. They
// have the same distributions and load as those of Source, are independent of them, and are
// submitted before instant 0. None has a deadline. Their IDs also are 1, 2 and so on. The error
// names the field that is outside its range.
func (e E2E) History(jobs int) (workload.Source, error) {
	if jobs < 2 || jobs > limits.ID {
		return nil, fmt.Errorf("paper: a history of %d jobs, want 2 to 2^28", jobs)
	}
	e.Jobs = jobs
	g, err := e.generator(0x686973746f7279, "before")
	if err != nil {
		return nil, err
	}
	return g.source(-g.length), nil
}

type e2e struct {
	E2E
	stream   uint64
	once     string // prefix of the names of programs that run once
	rng      *rand.Rand
	from     *e2eClasses
	classes  []int   // jobs in this one and those before it
	features [][]int // the same of features, by class
	short    float64 // the probability of the phase with short gaps
	scale    float64 // the mean gap, s
	length   float64 // from instant 0 to the last arrival, s
	made     int
	now      float64 // s
}

// generator returns a generator whose gaps are scaled to the load.
func (e E2E) generator(stream uint64, once string) (*e2e, error) {
	if err := e.validate(); err != nil {
		return nil, err
	}
	// Two phases with balanced means: with this probability the rate is twice it, else twice
	// what is left to 1. The mean is 1.
	g := &e2e{E2E: e, stream: stream, once: once, short: (1 + math.Sqrt((e2eGapCV2-1)/(e2eGapCV2+1))) / 2}
	g.from = e2eTraces[e.Trace]
	total := 0
	for i, c := range g.from.classes {
		total += c.jobs
		g.classes = append(g.classes, total)
		n := 0
		var upTo []int
		for _, f := range g.from.features {
			n += f.cell(i).jobs
			upTo = append(upTo, n)
		}
		g.features = append(g.features, upTo)
	}
	g.rng = g.random()
	// As Measure does: without half a per cent of the jobs at each end.
	cut, now, begin, end, work := e.Jobs/200, 0.0, 0.0, 0.0, 0.0
	for i := range e.Jobs {
		d := g.draw()
		now += d.gap
		if i < cut || i > e.Jobs-1-cut {
			continue
		}
		if i == cut {
			begin = now
		}
		end = now
		work += d.runtime.Seconds() * float64(d.width)
	}
	g.scale = work / ((end - begin) * e.Load * float64(e.Nodes))
	g.length = now * g.scale
	if !(g.length <= limits.Seconds) {
		return nil, fmt.Errorf("paper: %d jobs at E2E.Load %v arrive over %g s, want at most 1e9 s", e.Jobs, e.Load, g.length)
	}
	return g, nil
}

func (g *e2e) random() *rand.Rand { return rand.New(rand.NewPCG(g.Seed, g.stream)) }

// source yields the jobs from an instant on, given in seconds.
func (g *e2e) source(from float64) workload.Source {
	return func(yield func(*workload.Job, error) bool) {
		s := *g
		s.rng, s.now = g.random(), from
		for range g.Jobs {
			if !yield(s.next(), nil) {
				return
			}
		}
	}
}

func (g *e2e) next() *workload.Job {
	g.made++
	d := g.draw()
	g.now += d.gap * g.scale
	f := g.from.features[d.feature]
	if f.program == "" {
		f.program = g.once + strconv.Itoa(g.made)
	}
	return &workload.Job{
		Job: policy.Job{
			ID:        policy.JobID(g.made),
			Submitted: saturate.To[policy.Time](math.Floor(g.now * 1e9)),
			Attrs:     []policy.Attr{{Name: "user", Value: f.user}, {Name: "program", Value: f.program}},
			Stages:    []policy.Stage{{Tasks: uint32(d.width), Cores: 1, Gang: true}},
		},
		Runtimes: [][]policy.Duration{slices.Repeat([]policy.Duration{d.runtime}, d.width)},
	}
}

// drawn holds the random properties of a job.
type drawn struct {
	gap     float64 // since the job before; 1 on average
	feature int
	width   int
	runtime policy.Duration
}

func (g *e2e) draw() drawn {
	var d drawn
	p := g.short
	if g.rng.Float64() >= p {
		p = 1 - p
	}
	d.gap = g.rng.ExpFloat64() / (2 * p)
	class := g.pick(g.classes)
	d.feature = g.pick(g.features[class])
	c := &g.from.classes[class]
	mean, sigma := c.logRuntime, c.sigmaRuntime
	if g.ByProgram {
		cell := g.from.features[d.feature].cell(class)
		mean, sigma = cell.logRuntime, cell.sigmaRuntime
	}
	x := math.Exp(mean + sigma*g.rng.NormFloat64())
	d.runtime = saturate.To[policy.Duration](math.Round(min(x, limits.Seconds) * 1e9))
	d.width = 1
	if widest := min(g.Nodes, 256); widest > 1 && g.rng.IntN(c.jobs) < c.wide {
		for d.width = 0; d.width < 2 || d.width > widest; {
			d.width = saturate.To[int](math.Round(min(math.Exp(c.logWidth+c.sigmaWidth*g.rng.NormFloat64()), 1000)))
		}
	}
	return d
}

// pick draws a place by its share of counts, which are cumulated.
func (g *e2e) pick(upTo []int) int {
	n := g.rng.IntN(upTo[len(upTo)-1])
	i, _ := slices.BinarySearch(upTo, n+1)
	return i
}
