package workload

import (
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"time"

	"example.com/augur/internal/calendar"
	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// HeavyTail generates jobs like those of analytics clusters: most are short and narrow, few hold most of the work, and many
// are runs of a recurring program. Jobs are bags of one-core tasks. Their attributes, from which a predictor may learn, are
// user, program, and hour and day of submission.
//
// A program belongs to one user and has a width and a runtime of its own, drawn from bounded Pareto and lognormal
// distributions; a recurring job is a run of a program picked by Zipf's law, with noise on its runtime. Any other job is a
// program that runs once. Arrivals are a Poisson process whose rate swings with the hour of the day. They begin at midnight,
// where it is half the mean: of the first 500 jobs the load is a third of that of 5,000, so give fewer jobs a smaller
// cluster, or call [ToLoad]. No job requests a time: [FillRequested] does.
//
// It is made for comparing policies, not fitted to a trace. Start from [DefaultHeavyTail].
type HeavyTail struct {
	Seed uint64
	Jobs int // 1 to 10^8
}

// DefaultHeavyTail returns the parameters of the workload called heavytail: 5,000 jobs
// with about 21,000 tasks over seven hours, from midnight on a Monday.
func DefaultHeavyTail() HeavyTail { return HeavyTail{Seed: 1, Jobs: 5000} }

// maxGenerated bounds the jobs of a generator: the last of them arrives before 1e9 s.
const maxGenerated = 1e8

func checkJobs(of string, jobs int) error {
	return check(of, []option{{"Jobs", jobs, jobs >= 1 && jobs <= maxGenerated, "1 to 10^8"}})
}

// The parameters of the workloads heavytail and mixed.
const (
	meanGap       = 4.0 // between arrivals, s
	swing         = 0.5 // at midnight the rate is 1-swing times its mean, at noon 1+swing times
	users         = 40
	recurring     = 200  // programs
	medianRuntime = 20.0 // of the mean task runtimes of programs, s
	runtimeSigma  = 1.6  // of the logarithm of that mean
	runSigma      = 0.3  // ... between the runs of a program
	taskSigma     = 0.4  // ... between the tasks of a run
)

// start is the calendar time of instant 0.
var start = time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC)

// Source returns the jobs, in order of submission, the first at instant 0 or a little later. The
// same values give the same jobs, except that times may differ by a nanosecond on another
// processor architecture, whose exponential rounds differently.
func (g HeavyTail) Source() (Source, error) {
	if err := checkJobs("HeavyTail", g.Jobs); err != nil {
		return nil, err
	}
	return func(yield func(*Job, error) bool) {
		h := &heavyTail{recurring: 0.7, widthTail: 1.1, maxWidth: 1000}
		h.begin(g.Seed, 0x6865617679)
		for range g.Jobs {
			if !yield(h.next(), nil) {
				return
			}
		}
	}, nil
}

// A heavyTail draws instants and programs of jobs, one after the other.
type heavyTail struct {
	recurring float64 // share of the jobs that are runs of a recurring program
	widthTail float64 // Pareto index of the number of tasks of a program
	maxWidth  int     // the largest number

	rng        *rand.Rand
	programs   []program
	popularity []float64 // cumulated
	made       int
	now        float64 // seconds
	once       string  // prefix of the names of programs that run once
}

type program struct {
	user, name string
	width      int
	runtime    float64 // median over runs of the mean over tasks, s
}

// begin draws the recurring programs from a stream of random numbers. The jobs continue the stream.
func (h *heavyTail) begin(seed, stream uint64) {
	h.rng, h.once = rand.New(rand.NewPCG(seed, stream)), "adhoc"
	// Zipf's law with exponent 1: program i is picked in proportion to 1/(i+1).
	sum := 0.0
	for i := range recurring {
		h.programs = append(h.programs, h.newProgram("p"+strconv.Itoa(i)))
		sum += 1 / float64(i+1)
		h.popularity = append(h.popularity, sum)
	}
}

func (h *heavyTail) newProgram(name string) program {
	// The inverse of the bounded Pareto distribution on [1, maxWidth+1).
	low := math.Pow(float64(h.maxWidth)+1, -h.widthTail)
	width := math.Pow(1-h.rng.Float64()*(1-low), -1/h.widthTail)
	return program{
		user:    "u" + strconv.Itoa(h.rng.IntN(users)),
		name:    name,
		width:   min(h.maxWidth, max(1, saturate.To[int](width))),
		runtime: medianRuntime * math.Exp(runtimeSigma*h.rng.NormFloat64()),
	}
}

// arrive advances to the instant of the next job.
func (h *heavyTail) arrive() {
	h.made++
	// Thinning: candidates at the greatest rate, kept in proportion to the rate then.
	for {
		h.now += h.rng.ExpFloat64() * meanGap / (1 + swing)
		day := 2 * math.Pi * math.Mod(h.now, 86400) / 86400
		if h.rng.Float64()*(1+swing) < 1-swing*math.Cos(day) {
			return
		}
	}
}

// draw returns the program of the next job, and its index if it recurs, otherwise -1.
func (h *heavyTail) draw() (program, int) {
	if h.rng.Float64() < h.recurring {
		i := h.pick()
		return h.programs[i], i
	}
	return h.newProgram(h.once + strconv.Itoa(h.made)), -1
}

// next returns the next job.
func (h *heavyTail) next() *Job {
	h.arrive()
	p, _ := h.draw()
	mean := p.runtime * math.Exp(runSigma*h.rng.NormFloat64())
	runtimes := make([]policy.Duration, p.width)
	for i := range runtimes {
		// A lognormal with mean 1, so that mean is the mean over tasks.
		x := mean * math.Exp(taskSigma*h.rng.NormFloat64()-taskSigma*taskSigma/2)
		runtimes[i] = saturate.To[policy.Duration](math.Round(min(x, limits.Seconds) * 1e9))
	}
	submitted := saturate.To[policy.Duration](h.now * 1e9)
	j := &Job{
		Job: policy.Job{
			ID:        policy.JobID(h.made),
			Submitted: policy.Time(submitted),
			At:        start.Add(submitted),
			Attrs: []policy.Attr{
				{Name: "user", Value: p.user},
				{Name: "program", Value: p.name},
			},
			Stages: []policy.Stage{{Tasks: uint32(p.width), Cores: 1}},
		},
		Runtimes: [][]policy.Duration{runtimes},
	}
	calendar.Add(&j.Job)
	return j
}

// pick draws the index of a recurring program.
func (h *heavyTail) pick() int {
	u := h.rng.Float64() * h.popularity[len(h.popularity)-1]
	return sort.Search(len(h.popularity)-1, func(i int) bool { return h.popularity[i] > u })
}
