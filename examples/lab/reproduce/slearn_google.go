package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// What is read of the tables of Google's trace of 2011: of that of tasks, which attempts are
// tasks, and of that of jobs, which only tells names, no matter how long they run.
const (
	googleTasks = "job=job_id,submit=submit_us:us,start=schedule_us:us,end=end_us:us,id=job_id," +
		"user=user,cpu=cpu_request,@memory=memory_request,?submit_us>0,"
	googleFinished = "?end_event=FINISH"
	googleEnded    = "?end_event,?end_event!=EVICT,?end_event!=LOST" // finished, failed or killed
	googleJobs     = "submit=submit_us:us,start=submit_us:us,end=submit_us:us,id=job_id,program=logical_job_name,jobname=job_name,?submit_us"

	googleTaskFile = "google2011/tasks_parts_00000-00006.csv.gz"
	googleJobFile  = "google2011/jobs_first_half.csv.gz"
)

// The table of tasks begins 600 s after instant 0 and ends 9.9 hours after it.
const googleBegin, googleEnd = policy.Time(600 * time.Second), policy.Time(35_678 * time.Second)

// readGoogle reads the tables, and divides the jobs into those submitted in the first half
// of the time and those submitted in the second one (section 4.3), without those that have more
// tasks than the widest may.
//
// A task is an attempt that ended as it is asked for, so that one that was tried again counts
// again; an attempt that was evicted, or still runs when the table ends, is none, and a job that
// has no others is left out. The paper does not say whether those count that failed or were
// killed. A task takes one core, whatever it requests. Jobs of the first half with a task that
// ends in the second one are left out, as no predictor would know them in time; so neither half
// has tasks that run past its end. There is no feature for the time of submission: no hour of
// the second half is in the first.
func readGoogle(folder, ended string, widest int) (h halved, err error) {
	const middle = (googleBegin + googleEnd) / 2
	jobs, err := readTable(folder, googleTaskFile, googleTasks+ended)
	if err != nil {
		return h, err
	}
	found, err := nameJobs(jobs, folder)
	if err != nil {
		return h, err
	}
	if found < len(jobs) {
		return h, fmt.Errorf("%d of %d jobs with tasks are in %s, want all", found, len(jobs), googleJobFile)
	}
	late, err := readTable(folder, googleTaskFile, fmt.Sprintf("%s%s,?end_us>%d", googleTasks, ended, int64(middle/1000)))
	if err != nil {
		return h, err
	}
	straddles := make(map[string]bool)
	for _, j := range late {
		id, _ := j.Attr("id")
		straddles[id] = true
	}
	for _, j := range jobs {
		id, _ := j.Attr("id")
		switch {
		case j.Tasks() > widest:
		case j.Submitted >= middle:
			h.execution = append(h.execution, j)
		case !straddles[id]:
			h.history = append(h.history, j)
		}
	}
	return h, nil
}

// nameJobs adds to jobs the attributes that the table of jobs has of them, and returns how many jobs are in it.
func nameJobs(jobs []*workload.Job, folder string) (found int, err error) {
	byID := make(map[string]*workload.Job)
	for _, j := range jobs {
		id, _ := j.Attr("id")
		byID[id] = j
	}
	names, err := trace.Open(filepath.Join(folder, googleJobFile), trace.ReaderConfig{Columns: googleJobs})
	if err != nil {
		return 0, err
	}
	defer names.Close()
	for named, err := range names.Jobs() {
		if err != nil {
			return 0, err
		}
		id, _ := named.Attr("id")
		j := byID[id]
		if j == nil {
			continue
		}
		found++
		delete(byID, id)
		for _, a := range named.Attrs {
			if _, ok := j.Attr(a.Name); !ok {
				j.Attrs = append(j.Attrs, a)
			}
		}
	}
	return found, nil
}

func readTable(folder, name, columns string) ([]*workload.Job, error) {
	r, err := trace.Open(filepath.Join(folder, name), trace.ReaderConfig{Columns: columns})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return workload.ReadAll(r.Jobs())
}

// draw returns the trace of a seed, at the load of gtrace11: 1250 jobs of the second half, with the
// time between their arrivals changed (section 4.3).
func (h halved) draw(seed uint64) (halved, error) {
	const jobs = 1250
	if len(h.execution) < jobs {
		return h, fmt.Errorf("the second half has %d jobs, want %d", len(h.execution), jobs)
	}
	places := rand.New(rand.NewPCG(seed, 3)).Perm(len(h.execution))[:jobs]
	slices.Sort(places)
	drawn := each(places, func(i int) *workload.Job { return h.execution[i] })
	drawn, err := workload.ToLoad(drawn, 150, paper.Google11().Load)
	return halved{h.history, drawn}, err
}

// googles are the jobs of these tables. How often those count that failed or were killed no paper says, so there are both.
var googles = []struct{ name, ends string }{
	{"google2011", googleFinished},
	{"google2011, failed and killed too", googleEnded},
}

// onGoogle are the rows of both beside a claim.
func onGoogle(item, metric string) (rows []beside) {
	for _, real := range googles {
		rows = append(rows, beside{"the same", name{item, real.name, metric}})
	}
	return rows
}

// slearnGoogle tells of jobs that Google ran in 2011, as far as they are in the folder of real
// traces: ten hours of the 29 days that gtrace11 is made after. What is published of gtrace11
// stands beside it.
func slearnGoogle(f form) (items []item, err error) {
	for _, real := range googles {
		google, err := readGoogle(f.traces, real.ends, 150)
		if errors.Is(err, fs.ErrNotExist) {
			return []item{skipped("Fig. 6", real.name, err)}, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", real.name, err)
		}
		t := *slearnTraces(f)[1]
		t.name, t.draw = real.name, google.draw
		for _, it := range slearnBrief {
			items = append(items, it(&t, t.rounds()))
		}
	}
	return items, nil
}
