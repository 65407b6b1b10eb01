package trace

import (
	"fmt"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A csvGroup is a job that may get more rows.
type csvGroup struct {
	name    string
	rank    int // among all jobs, by first row
	job     *workload.Job
	stages  map[string]uint32 // by the name of the stage, or of the task that is one; nil: one
	parents []string          // of each stage, the names of the tasks that it reads; nil: none
}

// task adds a row to its job.
func (t *csvTable) task(r *csvRow) *problem {
	name := t.text(csvJob)
	g := t.groups.jobs[string(name)]
	if g == nil {
		g = &csvGroup{name: string(name), rank: len(t.groups.jobs), job: new(workload.Job)}
		t.describe(g.job, r)
		t.groups.jobs[g.name] = g
	}
	i, p := g.stage(t)
	if p != nil {
		return p
	}
	j, s := g.job, &g.job.Stages[i]
	s.Tasks++
	s.Cores, s.Memory = max(s.Cores, r.cores), max(s.Memory, r.memory)
	mostNeeds(s, r.needs)
	j.Runtimes[i] = append(j.Runtimes[i], r.runtime)
	j.Requested, j.Limited = max(j.Requested, r.requested), j.Limited || r.limited
	if r.submitted < j.Submitted {
		j.Submitted, j.At = r.submitted, r.at
	}
	return nil
}

// stage returns the stage that a row belongs to, which may be new.
func (g *csvGroup) stage(t *csvTable) (uint32, *problem) {
	key, graph := t.text(csvStage), t.header.has(csvTask)
	if graph {
		key = t.text(csvTask)
	}
	i, ok := g.stages[string(key)]
	switch {
	case ok && graph:
		return 0, &problem{"a job has two tasks of the same name", fmt.Sprintf("job %s, task %s", quote([]byte(g.name)), quote(key))}
	case ok || key == nil && len(g.job.Stages) > 0:
		return i, nil
	}
	i = uint32(len(g.job.Stages))
	g.job.Stages = append(g.job.Stages, policy.Stage{})
	g.job.Runtimes = append(g.job.Runtimes, nil)
	if key != nil {
		if g.stages == nil {
			g.stages = make(map[string]uint32)
		}
		g.stages[string(key)] = i
	}
	if graph {
		g.parents = append(g.parents, string(t.text(csvParents)))
	}
	return i, nil
}

// whole converts a job that has all its rows.
func (g *csvGroup) whole() (*workload.Job, *problem) {
	for i, parents := range g.parents {
		s := &g.job.Stages[i]
		for parent := range strings.FieldsFuncSeq(parents, func(c rune) bool { return strings.ContainsRune(" \t,[]'", c) }) {
			from, ok := g.stages[parent]
			if !ok {
				return nil, &problem{"a parent is no task of its job", fmt.Sprintf("job %s, parent %s", quote([]byte(g.name)), quote([]byte(parent)))}
			}
			s.Reads = append(s.Reads, policy.Dep{Stage: from})
		}
	}
	g.job.Name = g.name
	return g.job, nil
}
