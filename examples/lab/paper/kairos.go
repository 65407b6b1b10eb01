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

// Kairos generates the jobs of Kairos' evaluation: runs of word count in five categories, on a
// Hadoop cluster of 30 nodes with 4 cores each. A job is a stage of maps and a stage of reduces
// that reads it. Each task takes one core; a map takes 2 GB of memory and a reduce 4 GB. Arrivals
// are a Poisson process.
//
// Published are the numbers of tasks, the shares of the categories, and the runtime of a job alone
// on that cluster. How the runtime splits into tasks is ours. Maps and reduces share it in proportion to the bytes that a core
// reads: waves of maps times input per map, against waves of reduces times input per reduce, since word count of random strings
// passes on all that it reads. The runtimes of a stage are uniform from 0.9 to 1 times the longest. A job alone takes the
// published time there if tasks start in order.
//
// Start from [DefaultKairos] or [UniformKairos]; [Kairos.Source] refuses values outside
// their range. Attributes are program, which is the category, and input, its bytes.
//
// # Source
//
// Kairos, sections 5.2 and 5.3.1 and Table 1.
type Kairos struct {
	Seed    uint64
	Jobs    int             // 1 to 2^28
	MeanGap policy.Duration // mean time between arrivals, > 0
	// Shares are the shares of the categories, small to long: each 0 to 1, together 1.
	Shares [5]float64
	// LongMaps is the number of maps of a long job, 1 to 10,000. Table 1 says 224: its input of
	// 60 GB (10^9 bytes) in blocks of 256 MB (2^20 bytes), as for all other jobs. Section 5.2 says
	// blocks of 1 GB, which gives 60.
	LongMaps int
}

// DefaultKairos returns the heavy-tailed workload: 100 jobs with a mean gap of 60 s, over
// about two hours. Tasks differ by up to a tenth.
func DefaultKairos() Kairos {
	return Kairos{
		Seed: 1, Jobs: 100, MeanGap: 60e9, Shares: [5]float64{0.32, 0.31, 0.31, 0.04, 0.02},
		LongMaps: 224,
	}
}

// UniformKairos returns the uniform workload: the three categories of short jobs, with a
// mean gap of 30 s.
func UniformKairos() Kairos {
	k := DefaultKairos()
	k.MeanGap, k.Shares = 30e9, [5]float64{0.35, 0.35, 0.3}
	return k
}

// kairosSpread is how much the tasks of a stage differ.
const kairosSpread = 0.1

// kairosCores is the number of cores of the cluster: 30 nodes with 4 each.
const kairosCores = 30 * 4

// kairosCategories are the rows of Table 1.
var kairosCategories = [5]struct {
	program       string
	gigabytes     int64 // of input, 10^9 bytes
	maps, reduces int
	alone         policy.Duration // on the cluster of Kairos
}{
	{"small", 4, 15, 15, 85e9},
	{"medium small", 4, 15, 15, 201e9},
	{"medium", 8, 30, 30, 239e9},
	{"medium long", 30, 112, 60, 308e9},
	{"long", 60, 224, 60, 1175e9},
}

func (k *Kairos) validate() error {
	total, err := sumShares("Kairos", k.Shares)
	if err != nil {
		return err
	}
	return check("Kairos",
		field{"Jobs", k.Jobs, k.Jobs >= 1 && k.Jobs <= limits.ID, "1 to 2^28"},
		field{"MeanGap", k.MeanGap, k.MeanGap > 0, "above 0 s"},
		field{"Shares", k.Shares, math.Abs(total-1) < 1e-9, "1 together"},
		field{"LongMaps", k.LongMaps, k.LongMaps >= 1 && k.LongMaps <= 10_000, "1 to 10000"},
	)
}

// Source returns the jobs, in order of submission, the first a gap after instant 0. The same
// values give the same jobs, except that times may differ by a nanosecond on another processor
// architecture. The error names the field that is outside its range.
func (k Kairos) Source() (workload.Source, error) {
	if err := k.validate(); err != nil {
		return nil, err
	}
	return func(yield func(*workload.Job, error) bool) {
		rng := rand.New(rand.NewPCG(k.Seed, 0x6b6169726f73))
		now := 0.0 // seconds
		for id := range policy.JobID(k.Jobs) {
			now += rng.ExpFloat64() * k.MeanGap.Seconds()
			if now > limits.Seconds {
				yield(nil, fmt.Errorf("paper: Kairos.MeanGap of %v puts job %d beyond 1e9 s, want a smaller one, or fewer Jobs", k.MeanGap, id+1))
				return
			}
			if !yield(k.job(id+1, saturate.To[policy.Time](now*1e9), rng), nil) {
				return
			}
		}
	}, nil
}

func (k *Kairos) job(id policy.JobID, submitted policy.Time, rng *rand.Rand) *workload.Job {
	i := pickShare(rng.Float64(), k.Shares[:])
	c := kairosCategories[i]
	if i == len(kairosCategories)-1 {
		c.maps = k.LongMaps
	}
	perMap, perReduce := float64(waves(c.maps))/float64(c.maps), float64(waves(c.reduces))/float64(c.reduces)
	maps := saturate.To[policy.Duration](math.Round(float64(c.alone) * (perMap / (perMap + perReduce))))
	const gb = 1 << 30 // of memory
	return &workload.Job{
		Job: policy.Job{
			ID:        id,
			Submitted: submitted,
			Attrs: []policy.Attr{
				{Name: "program", Value: c.program},
				{Name: "input", Value: strconv.FormatInt(c.gigabytes*1e9, 10)},
			},
			Stages: []policy.Stage{
				{Tasks: uint32(c.maps), Cores: 1, Memory: 2 * gb},
				{Tasks: uint32(c.reduces), Cores: 1, Memory: 4 * gb, Reads: []policy.Dep{{Stage: 0}}},
			},
		},
		Runtimes: [][]policy.Duration{kairosTasks(c.maps, maps, rng), kairosTasks(c.reduces, c.alone-maps, rng)},
	}
}

// waves returns the number of tasks that a core of the cluster runs one after the other.
func waves(tasks int) int { return (tasks + kairosCores - 1) / kairosCores }

// kairosTasks draws the runtimes of n tasks so that the empty cluster runs them in the given time, if
// each core takes the next task when it is free.
func kairosTasks(n int, span policy.Duration, rng *rand.Rand) []policy.Duration {
	drawn := make([]float64, n)
	var free [kairosCores]float64 // when
	for i := range drawn {
		drawn[i] = 1 - float64(kairosSpread*rng.Float64())
		core := 0
		for c := range free {
			if free[c] < free[core] {
				core = c
			}
		}
		free[core] += drawn[i]
	}
	unit := float64(span) / slices.Max(free[:])
	runtimes := make([]policy.Duration, n)
	for i := range runtimes {
		runtimes[i] = saturate.To[policy.Duration](math.Round(drawn[i] * unit))
	}
	return runtimes
}
