package workload

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"example.com/augur/policy"
)

// Source returns the jobs of the original trace, in order of submission. The same values
// give the same jobs, but that times may differ by a nanosecond on another kind of
// processor. The error names the field that is outside its range.
func (g SLearn) Source() (Source, error) { return g.source(g.Jobs) }

// History returns the jobs of the first half of the original trace: those that
// [SLearn.Source] yields first.
func (g SLearn) History() (Source, error) { return g.source(g.Jobs / 2) }

func (g SLearn) source(jobs int) (Source, error) {
	if err := g.validate(); err != nil {
		return nil, err
	}
	return &slearnSource{newTrace(g), jobs}, nil
}

type slearnSource struct {
	*slearnTrace
	left int
}

func (s *slearnSource) Next() (*Job, error) {
	if s.left == 0 {
		return nil, io.EOF
	}
	s.left--
	return s.job(s.next()), nil
}

// A slearnTrace yields the runs of the original trace, without their tasks.
type slearnTrace struct {
	SLearn
	rng   *rand.Rand
	names [][]slearnName // by band
	rates []float64      // of the epochs of this half, cumulated up to 1
	made  int
	level float64 // of the cumulated rate: of this half's arrivals the share up to now
}

// A run is a job of the original trace, without its tasks.
type run struct {
	*slearnName
	number  int     // 1 is the first job
	at      float64 // seconds
	runtime float64 // mean of the tasks, s
	spread  float64 // coefficient of variation of the tasks that is aimed at
}

type slearnName struct {
	name, program, user string
	cpu, memory         string
	width               int
	mean                float64 // of the mean task runtimes of the runs, s
	sigma               float64 // of their logarithm
}

func newTrace(g SLearn) *slearnTrace {
	t := &slearnTrace{SLearn: g, rng: rand.New(rand.NewPCG(g.Seed, 0x736c6561726e))}
	t.names = g.newNames(t.rng)
	return t
}

// next returns the next run. It is called at most Jobs times.
func (t *slearnTrace) next() run {
	half := t.Jobs / 2
	if t.made%half == 0 {
		t.rates = t.newRates()
		t.level = 0
	}
	// The next of so many that are uniform on what is left.
	left := float64(half - t.made%half)
	t.level = 1 - float64((1-t.level)*math.Pow(1-t.rng.Float64(), 1/left))
	epoch, _ := slices.BinarySearch(t.rates, t.level)
	epoch = min(epoch, len(t.rates)-1)
	from := 0.0
	if epoch > 0 {
		from = t.rates[epoch-1]
	}
	within := (t.level - from) / (t.rates[epoch] - from)
	length := float64(t.Days) * 86400 / 2
	at := length * (float64(t.made/half) + (float64(epoch)+min(within, 1))/float64(t.Epochs))

	name := t.pick()
	t.made++
	r := run{slearnName: name, number: t.made, at: at}
	r.runtime = min(name.mean*math.Exp(float64(name.sigma*t.rng.NormFloat64())-name.sigma*name.sigma/2), maxSeconds)
	space := t.TaskMedian * math.Exp(t.TaskSigma*t.rng.NormFloat64())
	r.spread = space * math.Sqrt(pilots*float64(name.width))
	return r
}

// pilots is the share of a job's tasks that the variation across space supposes to be
// sampled (section 4.2).
const pilots = 0.03

// pick returns a name: one of those of a band that is picked in proportion to its share.
func (t *slearnTrace) pick() *slearnName {
	u, last := t.rng.Float64(), 0
	for i, b := range t.Bands {
		if b.Share == 0 {
			continue
		}
		last = i
		if u -= b.Share; u < 0 {
			break
		}
	}
	return &t.names[last][t.rng.IntN(len(t.names[last]))]
}

// newRates returns the rates of arrivals in the epochs of half a trace, cumulated up to 1.
func (t *slearnTrace) newRates() []float64 {
	rates := make([]float64, t.Epochs)
	for i := range rates {
		rates[i] = 1 / float64(t.Epochs)
	}
	if t.Bursts > 0 {
		for i := range rates {
			rates[i] *= 1 - t.Burst
		}
		for _, i := range t.rng.Perm(t.Epochs)[:t.Bursts] {
			rates[i] += t.Burst / float64(t.Bursts)
		}
	}
	sum := 0.0
	for i := range rates {
		sum += rates[i]
		rates[i] = sum
	}
	rates[len(rates)-1] = 1
	return rates
}

// job returns a run with its tasks. They depend only on the seed and the run's number.
func (t *slearnTrace) job(r run) *Job {
	submitted := policy.Duration(r.at * 1e9)
	at := t.Start.Add(submitted)
	return &Job{
		Job: policy.Job{
			ID:        policy.JobID(r.number),
			Submitted: policy.Time(submitted),
			At:        at,
			Attrs: []policy.Attr{
				{Name: "program", Value: r.program},
				{Name: "jobname", Value: r.name},
				{Name: "user", Value: r.user},
				{Name: "day", Value: strconv.Itoa(int(at.Weekday()))},
				{Name: "hour", Value: strconv.Itoa(at.Hour())},
				{Name: "cpu", Value: r.cpu},
				{Name: "memory", Value: r.memory},
			},
			Stages: []policy.Stage{{Tasks: uint32(r.width), Cores: 1}},
		},
		Runtimes: [][]policy.Duration{t.tasks(r)},
	}
}

// tasks returns the runtimes of the tasks of a run: lognormal, with its mean and its spread,
// both exactly but for rounding and for a least runtime of 1 ms.
func (t *slearnTrace) tasks(r run) []policy.Duration {
	rng := rand.New(rand.NewPCG(t.Seed, 0x9e3779b97f4a7c15*uint64(r.number)))
	x := make([]float64, r.width)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	lognormal(x, r.spread)
	runtimes := make([]policy.Duration, len(x))
	for i := range x {
		runtimes[i] = policy.Duration(math.Round(max(1e6, min(x[i]*r.runtime, maxSeconds)*1e9)))
	}
	return runtimes
}

// newNames makes the job names, those of each band apart. Within a band widths, runtimes and
// variations come from quantiles that are spread evenly, so that few names are enough.
func (g *SLearn) newNames(rng *rand.Rand) [][]slearnName {
	bands := make([][]slearnName, len(g.Bands))
	made := 0
	for i, b := range g.Bands {
		n := max(1, int(math.Round(float64(b.Share*float64(g.Names)))))
		names := make([]slearnName, n)
		widths, means, covs := strata(rng, n), strata(rng, n), strata(rng, n)
		for k := range names {
			least, most := math.Log(float64(b.Least)), math.Log(float64(b.Most)+1)
			width := min(b.Most, max(b.Least, int(math.Exp(least+float64(widths[k]*(most-least))))))
			cov := g.RunMedian * math.Exp(g.RunSigma*quantile(covs[k]))
			program := rng.IntN(g.Programs)
			names[k] = slearnName{
				name:    "j" + strconv.Itoa(made),
				program: "p" + strconv.Itoa(program),
				user:    "u" + strconv.Itoa(program%g.Users),
				cpu:     requests[rng.IntN(len(requests))],
				memory:  requests[rng.IntN(len(requests))],
				width:   width,
				mean:    b.Work.Seconds() / float64(width) * math.Exp(b.Sigma*quantile(means[k])),
				sigma:   math.Sqrt(math.Log1p(cov * cov)),
			}
			made++
		}
		bands[i] = names
	}
	return bands
}

// requests of CPU and of memory.
var requests = []string{"0.25", "0.5", "1", "2", "4"}
