package main

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// outputs are the files that flags ask for. None may be the trace, or another of them.
type outputs struct {
	files      cli.Files
	records    map[string]*os.File // by policy
	charts     map[string]*os.File // by policy
	jobs       *csv.Writer
	usage      *csv.Writer
	copies     *csv.Writer
	deadlines  deadlines // of the jobs
	cpuprofile *os.File
}

// openOutputs creates the files.
func openOutputs(o *options, chosen []contender, d deadlines) (*outputs, error) {
	out := &outputs{files: cli.Files{Inputs: []string{o.Trace}}, deadlines: d}
	if err := out.open(o, chosen); err != nil {
		return nil, errors.Join(err, out.close())
	}
	return out, nil
}

func (out *outputs) open(o *options, chosen []contender) (err error) {
	if err := out.files.Claim(o.report); err != nil {
		return err
	}
	if out.records, err = out.forEach(o.record, chosen); err != nil {
		return err
	}
	if out.charts, err = out.forEach(o.gantt, chosen); err != nil {
		return err
	}
	jobColumns := []string{
		"policy", "job", "name", "outcome", "submitted_s", "first_start_s", "ended_s", "tasks", "ideal_s", "mean_task_s",
		"mean_wait_s", "service_s", "wasted_s", "preemptions", "copies", "deadline_s",
	}
	if out.deadlines.some {
		jobColumns = append(jobColumns, deadlineColumns...)
	}
	for _, table := range []struct {
		name    string
		columns []string
		to      **csv.Writer
	}{{o.jobsCSV, jobColumns, &out.jobs}, {o.usageCSV, usageColumns, &out.usage}, {o.copiesCSV, copyColumns, &out.copies}} {
		if table.name == "" {
			continue
		}
		f, err := out.files.Create(table.name)
		if err != nil {
			return err
		}
		*table.to = csv.NewWriter(f)
		(*table.to).Write(table.columns)
	}
	if o.cpuprofile != "" {
		out.cpuprofile, err = out.files.Create(o.cpuprofile)
	}
	return err
}

// forEach creates a file for each policy: of several, with the policy's name put before the extension. It creates none if name is
// empty.
func (out *outputs) forEach(name string, chosen []contender) (map[string]*os.File, error) {
	files := make(map[string]*os.File)
	if name == "" {
		return files, nil
	}
	for _, p := range chosen {
		name := name
		if ext := filepath.Ext(name); len(chosen) > 1 {
			name = strings.TrimSuffix(name, ext) + "." + strings.NewReplacer("/", "_", ":", "_").Replace(p.Name) + ext
		}
		f, err := out.files.Create(name)
		if err != nil {
			return nil, err
		}
		files[p.Name] = f
	}
	return files, nil
}

// writeJobs writes the jobs of a run, if that is asked for, with the names that the log gives them.
func (out *outputs) writeJobs(name string, list []*workload.Job, r *sim.Result) error {
	if out.jobs == nil {
		return nil
	}
	names := make(map[policy.JobID]string, len(list))
	for _, j := range list {
		names[j.ID] = j.Name
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
			name, strconv.FormatUint(uint64(j.ID), 10), names[j.ID], j.Outcome.String(), cli.Exact(j.Submitted.Seconds()), start,
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
	var errs []error
	for _, w := range []*csv.Writer{out.jobs, out.usage, out.copies} {
		if w != nil {
			w.Flush()
			errs = append(errs, w.Error())
		}
	}
	return errors.Join(append(errs, out.files.Close())...)
}
