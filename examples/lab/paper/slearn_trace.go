package paper

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"example.com/augur/internal/calendar"
	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// History returns the jobs of the first half of the original trace, in order of submission. examples/compare teaches
// them, in this order, to policies that learn, as catalog.Setting.Teach does: with Submitted
// plus Ideal as the instant of the end. The paper leaves out jobs that are similar to no job of the execution trace;
// here names recur, so there are hardly any. The same values give the same jobs, except that times may differ by a
// nanosecond on another processor architecture. The error names the field that is outside its range.
func (g SLearn) History() (workload.Source, error) { return g.original(g.Jobs / 2) }

// original returns the given number of jobs from the start of the original trace.
func (g SLearn) original(jobs int) (workload.Source, error) {
	if err := g.validate(); err != nil {
		return nil, err
	}
	return func(yield func(*workload.Job, error) bool) {
		t := newSLearnTrace(g)
		for range jobs {
			if !yield(t.job(t.next()), nil) {
				return
			}
		}
	}, nil
}

// A slearnTrace yields the runs of the original trace, without their tasks.
type slearnTrace struct {
	SLearn
	rng    *rand.Rand
	names  [][]slearnName // by band
	shares [2][]float64   // of the bands: see bandShares
	rates  []float64      // of the epochs of this half, cumulated up to 1
	bursty []bool         // of the same epochs: have a burst
	made   int
	level  float64 // of the cumulated rate: of this half's arrivals the share up to now
}

// A slearnRun is a job of the original trace, without its tasks.
type slearnRun struct {
	*slearnName
	number int     // 1 is the first job
	at     float64 // seconds
	z      float64 // standard normal: how far its mean runtime is from that of the name
	spread float64 // coefficient of variation of the tasks that is aimed at
}

type slearnName struct {
	name, program, user string
	cpu, memory         string
	width               int
	mean                float64 // of the mean task runtimes of the runs, s
	sigma               float64 // of their logarithm
}

func newSLearnTrace(g SLearn) *slearnTrace {
	t := &slearnTrace{SLearn: g, rng: rand.New(rand.NewPCG(g.Seed, 0x736c6561726e))}
	t.names = g.newNames(t.rng)
	t.shares = g.bandShares()
	return t
}

// next returns the next run. It is called at most Jobs times.
func (t *slearnTrace) next() slearnRun {
	half := t.Jobs / 2
	if t.made%half == 0 {
		t.rates = t.newRates()
		t.level = 0
	}
	// The next of so many that are uniform on what is left.
	left := float64(half - t.made%half)
	t.level = 1 - (1-t.level)*math.Pow(1-t.rng.Float64(), 1/left)
	epoch, _ := slices.BinarySearch(t.rates, t.level)
	from, within := 0.0, 0.0
	if epoch > 0 {
		from = t.rates[epoch-1]
	}
	rate := t.rates[epoch] - from
	if t.level > from {
		within = (t.level - from) / rate
	}
	length := float64(t.days) * 86400 / 2
	at := length * (float64(t.made/half) + (float64(epoch)+within)/float64(t.epochs))

	shares := t.shares[0]
	if t.bursty[epoch] {
		shares = t.shares[1]
	}
	names := t.names[pickShare(rate*t.rng.Float64(), shares)]
	name := &names[t.rng.IntN(len(names))]
	t.made++
	z := t.rng.NormFloat64()
	space := t.taskMedian * math.Exp(t.taskSigma*t.rng.NormFloat64())
	return slearnRun{
		slearnName: name,
		number:     t.made,
		at:         at,
		z:          z,
		spread:     space * math.Sqrt(0.03*float64(name.width)), // section 4.2
	}
}

// newRates returns the rates of arrivals in the epochs of half a trace, cumulated up to 1.
func (t *slearnTrace) newRates() []float64 {
	rates := make([]float64, t.epochs)
	for i := range rates {
		rates[i] = (1 - t.burst) / float64(t.epochs)
	}
	t.bursty = make([]bool, t.epochs)
	for _, i := range t.rng.Perm(t.epochs)[:t.bursts] {
		rates[i] += t.burst / float64(t.bursts)
		t.bursty[i] = true
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
func (t *slearnTrace) job(r slearnRun) *workload.Job {
	submitted := saturate.To[policy.Duration](r.at * 1e9)
	at := slearnStart.Add(submitted)
	j := &workload.Job{
		Job: policy.Job{
			ID:        policy.JobID(r.number),
			Submitted: policy.Time(submitted),
			At:        at,
			Attrs: []policy.Attr{
				{Name: "program", Value: r.program},
				{Name: "jobname", Value: r.name},
				{Name: "user", Value: r.user},
				{Name: "cpu", Value: r.cpu},
				{Name: "memory", Value: r.memory},
			},
			Stages: []policy.Stage{{Tasks: uint32(r.width), Cores: 1}},
		},
		Runtimes: [][]policy.Duration{t.tasks(r)},
	}
	calendar.Add(&j.Job)
	return j
}

// tasks returns the runtimes of the tasks of a run: lognormal, with its mean and its spread,
// both exactly but for rounding and for a least runtime of 1 ms.
func (t *slearnTrace) tasks(r slearnRun) []policy.Duration {
	rng := rand.New(rand.NewPCG(t.Seed, 0x9e3779b97f4a7c15*uint64(r.number)))
	x := make([]float64, r.width)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	spreadTasks(x, r.spread)
	// Runs are lognormal, and the mean over them is that of the name.
	runtime := min(r.mean*math.Exp(r.sigma*r.z-r.sigma*r.sigma/2), limits.Seconds)
	runtimes := make([]policy.Duration, len(x))
	for i := range x {
		runtimes[i] = saturate.To[policy.Duration](math.Round(max(1e6, min(x[i]*runtime, limits.Seconds)*1e9)))
	}
	return runtimes
}

// newNames makes the job names, those of each band apart. Within a band widths, runtimes and
// variations come from quantiles that are spread evenly, so that few names are enough.
func (g *SLearn) newNames(rng *rand.Rand) [][]slearnName {
	bands := make([][]slearnName, len(g.bands))
	made := 0
	for i, b := range g.bands {
		n := max(1, saturate.To[int](math.Round(b.share*float64(g.jobNames))))
		names := make([]slearnName, n)
		widths, means, covs := strata(rng, n), strata(rng, n), strata(rng, n)
		for k := range names {
			least, most := math.Log(float64(b.minWidth)), math.Log(float64(b.maxWidth)+1)
			width := min(b.maxWidth, max(b.minWidth, saturate.To[int](math.Exp(least+widths[k]*(most-least)))))
			cov := g.runMedian * math.Exp(g.runSigma*normalQuantile(covs[k]))
			program := rng.IntN(slearnPrograms)
			names[k] = slearnName{
				name:    "j" + strconv.Itoa(made),
				program: "p" + strconv.Itoa(program),
				user:    "u" + strconv.Itoa(program%slearnUsers),
				cpu:     slearnRequests[rng.IntN(len(slearnRequests))],
				memory:  slearnRequests[rng.IntN(len(slearnRequests))],
				width:   width,
				mean:    b.work.Seconds() / float64(width) * math.Exp(b.sigma*normalQuantile(means[k])),
				sigma:   math.Sqrt(math.Log1p(cov * cov)),
			}
			made++
		}
		bands[i] = names
	}
	return bands
}

// slearnRequests are those of CPU and of memory: labels, no more.
var slearnRequests = []string{"0.25", "0.5", "1", "2", "4"}

// Source returns the jobs of the execution trace, in order of submission, numbered from
// 1, the first at instant 0: jobs drawn with equal chances from the second half of the
// original trace. The calendar time of a job, its day and its hour are those in the original
// trace. All jobs are made before the first is yielded. The error names the field that is
// outside its range.
func (g SLearn) Source() (workload.Source, error) {
	if err := g.validate(); err != nil {
		return nil, err
	}
	t := newSLearnTrace(g)
	for range g.Jobs / 2 {
		t.next()
	}
	jobs, err := t.draw()
	if err != nil {
		return nil, err
	}
	work := 0.0
	for _, j := range jobs {
		work += j.Work()
	}
	length := work / g.Load / float64(g.Cores)
	if !(length <= limits.Seconds) {
		return nil, fmt.Errorf("paper: SLearn.Load of %v puts the last job beyond 1e9 s, want a greater one", g.Load)
	}
	first := jobs[0].Submitted
	span := max(1, float64(jobs[len(jobs)-1].Submitted.Sub(first)))
	for i, j := range jobs {
		j.ID = policy.JobID(i + 1)
		j.Submitted = saturate.To[policy.Time](math.Round(float64(j.Submitted.Sub(first)) / span * length * 1e9))
	}
	return workload.Of(jobs), nil
}

// draw returns the jobs of the execution trace, submitted when they are in the second half.
func (t *slearnTrace) draw() ([]*workload.Job, error) {
	rng := rand.New(rand.NewPCG(t.Seed, 0x6472617773))
	runs := make([]slearnRun, t.Jobs/2)
	for i := range runs {
		runs[i] = t.next()
	}
	rng.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
	left := make(map[*slearnName][]slearnRun) // of each name, in the order in which they are drawn
	for _, r := range runs {
		left[r.slearnName] = append(left[r.slearnName], r)
	}
	var jobs []*workload.Job
	for _, r := range runs {
		if len(jobs) == t.Drawn {
			break
		}
		stages := t.minStages + rng.IntN(t.maxStages-t.minStages+1)
		same := left[r.slearnName]
		if len(same) < stages || same[0].number != r.number {
			continue // too few of the name are left, or this one is a stage of another job
		}
		left[r.slearnName] = same[stages:]
		jobs = append(jobs, t.chain(same[:stages]))
	}
	if len(jobs) < t.Drawn {
		return nil, fmt.Errorf("paper: SLearn.Drawn is %d, want fewer: no job name has enough runs left", t.Drawn)
	}
	slices.SortFunc(jobs, func(a, b *workload.Job) int { return cmp.Compare(a.ID, b.ID) })
	return jobs, nil
}

// chain returns a job that is submitted as the first of the runs and of which each run is a
// stage. Runs after the first are made more like it, by alike.
func (t *slearnTrace) chain(runs []slearnRun) *workload.Job {
	slices.SortFunc(runs, func(a, b slearnRun) int { return cmp.Compare(a.number, b.number) })
	j := t.job(runs[0])
	for i, r := range runs[1:] {
		r.z = float64(t.alike*runs[0].z) + float64(math.Sqrt(1-float64(t.alike*t.alike))*r.z)
		j.Stages = append(j.Stages, policy.Stage{
			Tasks: uint32(r.width), Cores: 1, Reads: []policy.Dep{{Stage: uint32(i)}},
		})
		j.Runtimes = append(j.Runtimes, t.tasks(r))
	}
	return j
}
