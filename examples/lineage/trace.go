package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// readTrace reads a trace of package policy/workload/trace, which has to say which jobs precede others.
func readTrace(ctx context.Context, o *options, path string, stdin io.Reader, stderr io.Writer) (*cli.Lineages, error) {
	flags := cli.JobFlags{Trace: path, Format: "auto", Strict: o.strict, Preceding: true, Stdin: stdin, Stderr: stderr}
	js, err := flags.Read(ctx, 1)
	if err != nil {
		if cli.Status(err) == 2 {
			return nil, cli.NoLineage(path)
		}
		return nil, err
	}
	l := logOf(js.List)
	if l == nil {
		return nil, cli.Usagef("%s is a trace in which no job waits for another, want one that names preceding jobs, events of OpenLineage, or tables of jobs and operations", path)
	}
	return &cli.Lineages{Log: l, Dropped: js.Dropped, Notes: append(js.Skipped, "jobs of a trace are taken to run when they are submitted")}, nil
}

// logOf makes a log of jobs, nil if none waits for another. A job that others wait for writes, when it is done, a file that
// they read. Each is taken to run when it is submitted, for as long as it must.
func logOf(jobs []*workload.Job) *provenance.Log {
	l := new(provenance.Log)
	numbers := make(map[policy.JobID]uint32, len(jobs))
	depend := false
	for i, j := range jobs {
		attr := func(name string) string {
			value, _ := j.Attr(name)
			return value
		}
		name := cmp.Or(j.Name, fmt.Sprint(j.ID))
		if _, ok := l.IDs.Find(name); ok { // of another file
			name = fmt.Sprintf("%s (%d)", name, j.ID)
		}
		numbers[j.ID] = l.IDs.Number(name)
		submitted := provenance.Time(j.Submitted)
		if !j.At.IsZero() {
			submitted = provenance.Time(j.At.UnixNano())
		}
		job := provenance.Job{
			Template: l.Templates.Number(cmp.Or(attr("program"), attr("jobname"), "job")), User: l.Users.Number(attr("user")), Org: l.Orgs.Number(cmp.Or(attr("group"), j.Queue)),
			State: provenance.Complete, Submitted: submitted, Completed: submitted + provenance.Time(j.Ideal()), Priority: j.Priority, Compute: j.Work(),
		}
		l.Jobs = append(l.Jobs, job)
		if j.Inputs == nil {
			continue
		}
		for _, id := range j.Inputs.Jobs {
			up := numbers[id]
			file, ok := l.Files.Find("of job " + l.IDs.Name(up))
			if !ok {
				file = l.Files.Number("of job " + l.IDs.Name(up))
				l.Ops = append(l.Ops, provenance.Op{Time: l.Jobs[up].Completed, Job: up, File: file, Kind: provenance.Write})
			}
			l.Ops = append(l.Ops, provenance.Op{Time: max(submitted, l.Jobs[up].Completed), Job: uint32(i), File: file})
			depend = true
		}
	}
	if !depend {
		return nil
	}
	return l
}
