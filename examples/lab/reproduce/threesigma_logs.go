package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// What a segment of a log is to be like: that of the paper's workloads but E2E.
const (
	sigmaSegment = 5 * 3600 // s
	sigmaNodes   = 256
	sigmaLoad    = 1.4
)

// sigmaLogs is Fig. 6 with real jobs, in place of the two logs of the paper, which we have not: segments of five
// hours, without jobs wider than the 256 nodes. Predictors have seen the jobs that were done before, if
// they began at once, for when they did the batch log does not say. Each job is a gang. Neither log has a
// segment of the load of E2E, so what each seed has is drawn in one case, and squeezed in the other. The
// other batch log, wagap-2013, has such segments; but its jobs run for days and weeks, which is some hundred
// thousand cycles for each run.
func sigmaLogs(f form) ([]item, error) {
	var items []item
	for _, log := range []struct {
		name string
		read func(f form) (func(seed uint64) (sigmaJobs, error), error)
	}{
		{"google2011, thinned", sigmaGoogle},
		{"NASA-iPSC-1993, a day or more in five hours", sigmaNASA},
	} {
		draw, err := log.read(f)
		if errors.Is(err, fs.ErrNotExist) {
			items = append(items, skipped("Fig. 6", log.name, err))
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", log.name, err)
		}
		b := &sigmaBed{name: log.name, nodes: sigmaNodes, seeds: f.seeds, share: 1, draw: draw}
		items = append(items, sigmaPredicted(b), sigmaFour(f, "Fig. 6", b, sigmaPublished{}))
	}
	return items, nil
}

// sigmaGoogle is what the tables of Google's trace have. It is of 12,583 machines, and has no other five
// hours than its second half: so of the jobs of that as many are drawn as have the load.
func sigmaGoogle(f form) (func(seed uint64) (sigmaJobs, error), error) {
	h, err := readGoogle(f.traces, googleFinished, sigmaNodes)
	if err != nil {
		return nil, err
	}
	begin := (googleBegin + googleEnd) / 2
	return func(seed uint64) (sigmaJobs, error) {
		wanted := sigmaLoad * sigmaNodes * googleEnd.Sub(begin).Seconds()
		rng := rand.New(rand.NewPCG(seed, 6))
		var drawn []*workload.Job
		for _, i := range rng.Perm(len(h.execution)) {
			if wanted -= h.execution[i].Work(); wanted < 0 {
				break
			}
			drawn = append(drawn, h.execution[i])
		}
		slices.SortFunc(drawn, func(a, b *workload.Job) int {
			return cmp.Or(cmp.Compare(a.Submitted, b.Submitted), cmp.Compare(a.ID, b.ID))
		})
		jobs, err := workload.Window(drawn, begin, googleEnd)
		if err != nil {
			return sigmaJobs{}, err
		}
		return withDeadlines(seed, gangs(jobs), gangs(h.history))
	}, nil
}

// sigmaNASA is of a machine of 128 nodes, so that no five hours of it have the load on 256: arrivals of
// as long a time as has the work come in five hours.
func sigmaNASA(f form) (func(seed uint64) (sigmaJobs, error), error) {
	jobs, err := readBatch(f.traces, "NASA-iPSC-1993-3.1-cln.swf.gz")
	if err != nil {
		return nil, err
	}
	return func(seed uint64) (sigmaJobs, error) {
		// From the second to the ninth tenth of the jobs: something is known, and there is enough left.
		rng := rand.New(rand.NewPCG(seed, 6))
		first := len(jobs)/10 + rng.IntN(len(jobs)*8/10)
		begin, work, end := jobs[first].Submitted, 0.0, jobs[first].Submitted
		for i := first; i < len(jobs) && work < sigmaLoad*sigmaNodes*sigmaSegment; i++ {
			work += jobs[i].Work()
			end = jobs[i].Submitted + 1
		}
		segment, err := workload.Window(jobs, begin, end)
		if err != nil {
			return sigmaJobs{}, err
		}
		if segment, err = workload.Stretch(segment, sigmaSegment/end.Sub(begin).Seconds()); err != nil {
			return sigmaJobs{}, err
		}
		return withDeadlines(seed, segment, doneBefore(jobs, begin))
	}, nil
}

// readBatch reads a log of gangs.
func readBatch(folder, name string) ([]*workload.Job, error) {
	r, err := trace.Open(filepath.Join(folder, "swf", name), trace.ReaderConfig{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	jobs, err := workload.ReadAll(r.Jobs())
	if err != nil {
		return nil, err
	}
	jobs = slices.DeleteFunc(jobs, func(j *workload.Job) bool { return j.Tasks() > sigmaNodes })
	if len(jobs) == 0 {
		return nil, fmt.Errorf("%s has no jobs", name)
	}
	return jobs, nil
}

// gangs returns the jobs with tasks that run together.
func gangs(jobs []*workload.Job) []*workload.Job {
	return each(jobs, func(j *workload.Job) *workload.Job {
		gang := *j
		gang.Stages = slices.Clone(j.Stages)
		for i := range gang.Stages {
			gang.Stages[i].Gang = true
		}
		return &gang
	})
}

// doneBefore returns the jobs that were done before an instant, if they began at once, in the order in which they were.
func doneBefore(jobs []*workload.Job, t policy.Time) []*workload.Job {
	ended := func(j *workload.Job) policy.Time { return j.Submitted.Add(j.Ideal()) }
	var done []*workload.Job
	for _, j := range jobs {
		if ended(j) < t {
			done = append(done, j)
		}
	}
	slices.SortStableFunc(done, func(a, b *workload.Job) int { return cmp.Compare(ended(a), ended(b)) })
	return done
}

// withDeadlines gives half of the jobs deadlines, as E2E has them.
func withDeadlines(seed uint64, jobs, history []*workload.Job) (d sigmaJobs, err error) {
	deadlines := paper.DefaultE2E().Deadlines
	deadlines.Seed = seed
	source, err := deadlines.Source(workload.Of(jobs))
	if err != nil {
		return d, err
	}
	d.history = history
	d.jobs, err = workload.ReadAll(source)
	return d, err
}
