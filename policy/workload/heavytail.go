package workload

import (
	"fmt"
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

// HeavyTail generates jobs like those of analytics clusters: most are short and narrow, few hold
// most of the work, and many are runs of a recurring program. Jobs are bags of one-core tasks.
// Their attributes, from which a predictor may learn, are user, program, and hour and day of
// submission.
//
// A program belongs to one user and has a width and a runtime of its own, drawn from
// bounded Pareto and lognormal distributions; a recurring job is a run of a program
// picked by Zipf's law, with noise on its runtime. Any other job is a program that runs
// once. Arrivals are a Poisson process whose rate swings with the hour of the day. They begin at midnight, where it is
// half the mean: of the first 500 jobs the load is a third of that of 5,000, so give fewer jobs a smaller cluster, or call
// [ToLoad]. No job requests a time: [FillRequested] does.
//
// It is made for comparing policies, not fitted to a trace. Start from
// [DefaultHeavyTail] and change what you like; [HeavyTail.Source] refuses values outside
// their range.
type HeavyTail struct {
	Seed uint64
	Jobs int // 1 to 2^28

	MeanGap policy.Duration // mean time between arrivals, > 0
	// Swing is the amplitude of the diurnal cycle of the rate, 0 to 1: at midnight the rate
	// is 1-Swing times its mean, at noon 1+Swing times.
	Swing     float64
	Start     time.Time // calendar time of instant 0
	Users     int       // 1 to 2^20
	Programs  int       // that recur, 1 to 2^20
	Recurring float64   // share of jobs that are runs of those, 0 to 1

	WidthTail float64 // Pareto index of the number of tasks of a program, > 0
	MaxWidth  int     // the largest number, 1 to 2^28

	MedianRuntime policy.Duration // of the mean task runtimes of programs, > 0
	RuntimeSigma  float64         // sigma of the logarithm of that mean, 0 to 10
	RunSigma      float64         // ... between the runs of a program, 0 to 10
	TaskSigma     float64         // ... between the tasks of a run, 0 to 10
}

// DefaultHeavyTail returns the parameters of the workload called heavytail: 5,000 jobs
// with about 21,000 tasks over seven hours, from midnight on a Monday.
func DefaultHeavyTail() HeavyTail {
	return HeavyTail{
		Seed: 1, Jobs: 5000, MeanGap: 4 * time.Second, Swing: 0.5,
		Start: time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC),
		Users: 40, Programs: 200, Recurring: 0.7, WidthTail: 1.1, MaxWidth: 1000,
		MedianRuntime: 20 * time.Second, RuntimeSigma: 1.6, RunSigma: 0.3, TaskSigma: 0.4,
	}
}

func (g *HeavyTail) validate() error {
	return check("HeavyTail", []option{
		{"Jobs", g.Jobs, g.Jobs >= 1 && g.Jobs <= limits.ID, "1 to 2^28"},
		{"MeanGap", g.MeanGap, g.MeanGap > 0, "above 0 s"},
		{"Swing", g.Swing, g.Swing >= 0 && g.Swing <= 1, "0 to 1"},
		{"Users", g.Users, g.Users >= 1 && g.Users <= 1<<20, "1 to 2^20"},
		{"Programs", g.Programs, g.Programs >= 1 && g.Programs <= 1<<20, "1 to 2^20"},
		{"Recurring", g.Recurring, g.Recurring >= 0 && g.Recurring <= 1, "0 to 1"},
		{"WidthTail", g.WidthTail, g.WidthTail > 0 && !math.IsInf(g.WidthTail, 0), "finite, above 0"},
		{"MaxWidth", g.MaxWidth, g.MaxWidth >= 1 && g.MaxWidth <= policy.MaxTasks, "1 to 2^28"},
		{"MedianRuntime", g.MedianRuntime, g.MedianRuntime > 0, "above 0 s"},
		{"RuntimeSigma", g.RuntimeSigma, g.RuntimeSigma >= 0 && g.RuntimeSigma <= 10, "0 to 10"},
		{"RunSigma", g.RunSigma, g.RunSigma >= 0 && g.RunSigma <= 10, "0 to 10"},
		{"TaskSigma", g.TaskSigma, g.TaskSigma >= 0 && g.TaskSigma <= 10, "0 to 10"},
	})
}

// Source returns the jobs, in order of submission, the first at instant 0 or a little later. The
// same values give the same jobs, except that times may differ by a nanosecond on another
// processor architecture, whose exponential rounds differently. The error names the field that
// is outside its range.
func (g HeavyTail) Source() (Source, error) {
	if err := g.validate(); err != nil {
		return nil, err
	}
	return func(yield func(*Job, error) bool) {
		h := newHeavyTail(g, 0x6865617679)
		for range g.Jobs {
			j, err := h.next()
			if !yield(j, err) || err != nil {
				return
			}
		}
	}, nil
}

// newHeavyTail draws the recurring programs from a stream of random numbers. The jobs continue the stream.
func newHeavyTail(g HeavyTail, stream uint64) *heavyTail {
	h := &heavyTail{HeavyTail: g, rng: rand.New(rand.NewPCG(g.Seed, stream)), once: "adhoc"}
	h.programs = make([]program, g.Programs)
	for i := range h.programs {
		h.programs[i] = h.newProgram("p" + strconv.Itoa(i))
	}
	// Zipf's law with exponent 1: program i is picked in proportion to 1/(i+1).
	h.popularity = make([]float64, g.Programs)
	hour, minute, second := g.Start.Clock()
	h.clock = float64(hour*3600 + minute*60 + second)
	sum := 0.0
	for i := range h.popularity {
		sum += 1 / float64(i+1)
		h.popularity[i] = sum
	}
	return h
}

type heavyTail struct {
	HeavyTail
	rng        *rand.Rand
	programs   []program
	popularity []float64 // cumulated
	made       int
	now        float64 // seconds
	clock      float64 // seconds from midnight to instant 0
	once       string  // prefix of the names of programs that run once
}

type program struct {
	user, name string
	width      int
	runtime    float64 // median over runs of the mean over tasks, s
}

func (h *heavyTail) newProgram(name string) program {
	// The inverse of the bounded Pareto distribution on [1, MaxWidth+1).
	low := math.Pow(float64(h.MaxWidth)+1, -h.WidthTail)
	width := math.Pow(1-h.rng.Float64()*(1-low), -1/h.WidthTail)
	return program{
		user:    "u" + strconv.Itoa(h.rng.IntN(h.Users)),
		name:    name,
		width:   min(h.MaxWidth, max(1, saturate.To[int](width))),
		runtime: h.MedianRuntime.Seconds() * math.Exp(h.RuntimeSigma*h.rng.NormFloat64()),
	}
}

// arrive advances to the instant of the next job. Call it at most Jobs times.
func (h *heavyTail) arrive() error {
	h.made++
	// Thinning: candidates at the greatest rate, kept in proportion to the rate then.
	for {
		h.now += h.rng.ExpFloat64() * h.MeanGap.Seconds() / (1 + h.Swing)
		day := 2 * math.Pi * math.Mod(h.clock+h.now, 86400) / 86400
		if h.rng.Float64()*(1+h.Swing) < 1-h.Swing*math.Cos(day) {
			break
		}
	}
	if h.now > limits.Seconds {
		return fmt.Errorf("workload: HeavyTail.MeanGap of %v puts job %d beyond 1e9 s, want a smaller one, or fewer Jobs", h.MeanGap, h.made)
	}
	return nil
}

// draw returns the program of the next job, and its index if it recurs, otherwise -1.
func (h *heavyTail) draw() (program, int) {
	if h.rng.Float64() < h.Recurring {
		i := h.pick()
		return h.programs[i], i
	}
	return h.newProgram(h.once + strconv.Itoa(h.made)), -1
}

// next returns the next job. Call it at most Jobs times.
func (h *heavyTail) next() (*Job, error) {
	if err := h.arrive(); err != nil {
		return nil, err
	}
	p, _ := h.draw()
	mean := p.runtime * math.Exp(h.RunSigma*h.rng.NormFloat64())
	runtimes := make([]policy.Duration, p.width)
	for i := range runtimes {
		// A lognormal with mean 1, so that mean is the mean over tasks.
		x := mean * math.Exp(h.TaskSigma*h.rng.NormFloat64()-h.TaskSigma*h.TaskSigma/2)
		runtimes[i] = saturate.To[policy.Duration](math.Round(min(x, limits.Seconds) * 1e9))
	}
	submitted := saturate.To[policy.Duration](h.now * 1e9)
	at := h.Start.Add(submitted)
	j := &Job{
		Job: policy.Job{
			ID:        policy.JobID(h.made),
			Submitted: policy.Time(submitted),
			At:        at,
			Attrs: []policy.Attr{
				{Name: "user", Value: p.user},
				{Name: "program", Value: p.name},
			},
			Stages: []policy.Stage{{Tasks: uint32(p.width), Cores: 1}},
		},
		Runtimes: [][]policy.Duration{runtimes},
	}
	calendar.Add(&j.Job)
	return j, nil
}

// pick draws the index of a recurring program.
func (h *heavyTail) pick() int {
	u := h.rng.Float64() * h.popularity[len(h.popularity)-1]
	return sort.Search(len(h.popularity)-1, func(i int) bool { return h.popularity[i] > u })
}
