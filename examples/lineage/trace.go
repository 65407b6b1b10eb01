package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// readTrace reads a trace of package policy/workload/trace, which has to say which jobs precede others.
func readTrace(ctx context.Context, o *options, path string, stdin io.Reader, stderr io.Writer) (*cli.Lineages, error) {
	if o.ofTables != "" {
		return nil, cli.Usagef("-%s is for events and tables, and %s is a trace", o.ofTables, path)
	}
	flags := cli.JobFlags{Trace: path, Format: "auto", Strict: o.strict, Preceding: true, Stdin: stdin, Stderr: stderr}
	js, err := flags.Read(ctx, 1)
	if err != nil {
		if strings.Contains(err.Error(), "of no known format") {
			return nil, cli.NoLineage(path)
		}
		return nil, err
	}
	l := logOf(js.List, o.reader.Template)
	if l == nil {
		return nil, cli.Usagef("%s is a trace in which no job waits for another, want one that names preceding jobs, events of OpenLineage, or tables of jobs and operations", path)
	}
	return &cli.Lineages{Log: l, Dropped: js.Dropped, Notes: append(js.Skipped, "jobs of a trace are taken to run when they are submitted and those before them are done")}, nil
}

// logOf makes a log of jobs, nil if none waits for another. A job that others wait for writes, when it is done, a file that
// they read. Each is taken to be submitted when those before it are done, and to run then, for as long as it must. If templates
// is true, these are made of the names of programs.
func logOf(jobs []*workload.Job, templates bool) *provenance.Log {
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
		if j.Inputs != nil {
			for _, id := range j.Inputs.Jobs {
				submitted = max(submitted, l.Jobs[numbers[id]].Completed)
			}
		}
		template := cmp.Or(attr("program"), attr("jobname"), "job")
		if templates {
			template = provenance.Template(template)
		}
		job := provenance.Job{
			Template: l.Templates.Number(template), User: l.Users.Number(attr("user")), Org: l.Orgs.Number(cmp.Or(attr("group"), j.Queue)),
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
			l.Ops = append(l.Ops, provenance.Op{Time: submitted, Job: uint32(i), File: file})
			depend = true
		}
	}
	if !depend {
		return nil
	}
	return l
}
