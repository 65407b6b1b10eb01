package main

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/sim"
)

// outputs are the files that flags ask for. None may be the trace, or another of them.
type outputs struct {
	files      cli.Files
	records    map[string]*os.File // by policy
	jobs       *csv.Writer
	deadlines  deadlines // of the jobs
	cpuprofile *os.File
}

// openOutputs creates the files.
func openOutputs(o *options, chosen []contender, d deadlines) (*outputs, error) {
	out := &outputs{files: cli.Files{Trace: o.Trace}, records: make(map[string]*os.File), deadlines: d}
	if err := out.open(o, chosen); err != nil {
		return nil, errors.Join(err, out.close())
	}
	return out, nil
}

func (out *outputs) open(o *options, chosen []contender) (err error) {
	if o.record != "" {
		for _, p := range chosen {
			name := o.record
			if ext := filepath.Ext(name); len(chosen) > 1 {
				name = strings.TrimSuffix(name, ext) + "." + strings.NewReplacer("/", "_", ":", "_").Replace(p.name) + ext
			}
			if out.records[p.name], err = out.files.Create(name); err != nil {
				return err
			}
		}
	}
	if o.jobsCSV != "" {
		f, err := out.files.Create(o.jobsCSV)
		if err != nil {
			return err
		}
		out.jobs = csv.NewWriter(f)
		header := []string{
			"policy", "job", "outcome", "submitted_s", "first_start_s", "ended_s", "tasks", "ideal_s", "mean_task_s",
			"mean_wait_s", "service_s", "wasted_s", "preemptions", "copies", "deadline_s",
		}
		if out.deadlines.some {
			header = append(header, deadlineColumns...)
		}
		out.jobs.Write(header)
	}
	if o.cpuprofile != "" {
		out.cpuprofile, err = out.files.Create(o.cpuprofile)
	}
	return err
}

// writeJobs writes the jobs of a run, if that is asked for.
func (out *outputs) writeJobs(name string, r *sim.Result) error {
	if out.jobs == nil {
		return nil
	}
	for i := range r.Jobs {
		j := &r.Jobs[i]
		start, deadline := "", ""
		if j.Copies > 0 {
			start = cli.Exact(j.FirstStart.Seconds())
		}
		if j.SLO != nil {
			deadline = cli.Exact(j.SLO.Deadline.Seconds())
		}
		columns := []string{
			name, strconv.FormatUint(uint64(j.ID), 10), j.Outcome.String(), cli.Exact(j.Submitted.Seconds()), start,
			cli.Exact(j.Ended.Seconds()), strconv.Itoa(j.Tasks), cli.Exact(j.Ideal.Seconds()), cli.Exact(j.MeanTask.Seconds()),
			cli.Exact(j.MeanWait.Seconds()), cli.Exact(j.Service), cli.Exact(j.Wasted), strconv.Itoa(j.Preemptions),
			strconv.Itoa(j.Copies), deadline,
		}
		if out.deadlines.some {
			columns = append(columns, out.deadlines.row(j)...)
		}
		if err := out.jobs.Write(columns); err != nil {
			return err
		}
	}
	return nil
}

func (out *outputs) close() error {
	if out.jobs == nil {
		return out.files.Close()
	}
	out.jobs.Flush()
	return errors.Join(out.jobs.Error(), out.files.Close())
}
