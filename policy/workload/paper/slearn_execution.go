package paper

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.com/augur/internal/limits"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

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
		return nil, fmt.Errorf("paper: SLearn.Load of %v puts the last job beyond 1e9 s", g.Load)
	}
	first := jobs[0].Submitted
	span := max(1, float64(jobs[len(jobs)-1].Submitted.Sub(first)))
	for i, j := range jobs {
		j.ID = policy.JobID(i + 1)
		j.Submitted = policy.Time(math.Round(float64(j.Submitted.Sub(first)) / span * length * 1e9))
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
		stages := t.LeastStages + rng.IntN(t.MostStages-t.LeastStages+1)
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
// stage.
func (t *slearnTrace) chain(runs []slearnRun) *workload.Job {
	slices.SortFunc(runs, func(a, b slearnRun) int { return cmp.Compare(a.number, b.number) })
	j := t.job(runs[0])
	for i, r := range runs[1:] {
		j.Stages = append(j.Stages, policy.Stage{
			Tasks: uint32(r.width), Cores: 1, Reads: []policy.Dep{{Stage: uint32(i)}},
		})
		j.Runtimes = append(j.Runtimes, t.tasks(r))
	}
	return j
}
