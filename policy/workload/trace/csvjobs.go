package trace

import (
	"fmt"
	"strings"

	"example.com/augur/internal/calendar"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// csvGroups are the jobs whose tasks are rows, in the order of their first rows.
type csvGroups struct {
	byName map[string]*csvGroup
	order  []*csvGroup
}

// A csvGroup is a job that may get more rows.
type csvGroup struct {
	name    string
	job     *workload.Job
	stages  map[string]uint32 // by the name of the stage, or of the task that is one; nil: one
	parents []string          // of each stage, the names of the tasks that it reads; nil: none
}

// task adds a row to its job.
func (t *csvTable) task(r *csvRow) *problem {
	name := t.text(csvJob)
	g := t.groups.byName[string(name)]
	if g == nil {
		g = &csvGroup{name: string(name), job: new(workload.Job)}
		t.describe(g.job, r)
		t.groups.byName[g.name] = g
		t.groups.order = append(t.groups.order, g)
		t.bytes += 200 + weight(g.job)
	}
	stages := len(g.job.Stages)
	i, p := g.stage(t)
	if p != nil {
		return p
	}
	if len(g.job.Stages) > stages {
		t.bytes += 300 + int64(len(t.text(csvStage))+len(t.text(csvTask))+len(t.text(csvParents)))
	}
	t.bytes += 16 + 24*int64(len(r.needs)) // lists grow to twice what they need
	j, s := g.job, &g.job.Stages[i]
	s.Tasks++
	s.Cores, s.Memory = max(s.Cores, r.cores), max(s.Memory, r.memory)
	mostNeeds(s, r.needs)
	j.Runtimes[i] = append(j.Runtimes[i], r.runtime)
	j.Requested = max(j.Requested, r.requested)
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

// next returns the next job, which has no number yet; nil after the last.
func (g *csvGroups) next() (*workload.Job, *problem) {
	if len(g.order) == 0 {
		g.byName = nil
		return nil, nil
	}
	next := g.order[0]
	g.order[0] = nil
	g.order = g.order[1:]
	delete(g.byName, next.name)
	for i, parents := range next.parents {
		s := &next.job.Stages[i]
		for parent := range strings.FieldsSeq(parents) {
			from, ok := next.stages[parent]
			if !ok {
				return nil, &problem{"a parent is no task of its job", fmt.Sprintf("job %s, parent %s", quote([]byte(next.name)), quote([]byte(parent)))}
			}
			s.Reads = append(s.Reads, policy.Dep{Stage: from})
		}
	}
	calendar.Add(&next.job.Job)
	return next.job, nil
}
