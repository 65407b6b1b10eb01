package cli

import (
	"cmp"
	"slices"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/internal/calendar"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// lineageFormat is the format of what [ReadLineages] reads, beside those of package trace.
const lineageFormat = "openlineage"

// jobs returns the jobs whose start and end are known, in order of submission. Each is one task of one core. It also returns
// how many others there are. If they wait for what they read, their inputs are the jobs that wrote it and had ended when they were submitted:
// one that reads a stream does not wait for its end.
func (l *Lineages) jobs(wait bool) (list []*workload.Job, unended int, err error) {
	order := make([]uint32, 0, len(l.Jobs))
	for i := range l.Jobs {
		if j := &l.Jobs[i]; j.State == provenance.Running || j.Completed == j.Submitted {
			unended++
		} else {
			order = append(order, uint32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(l.Jobs[a].Submitted, l.Jobs[b].Submitted) })
	ids := make(map[uint32]policy.JobID, len(order))
	for _, i := range order {
		from := &l.Jobs[i]
		at := time.Unix(0, int64(from.Submitted)).UTC()
		runtime := policy.Duration(from.Completed.Sub(from.Submitted))
		j := workload.NewJob(at, 1, []policy.Duration{runtime}, "user", l.Users.Name(from.User), "program", l.Templates.Name(from.Template), "group", l.Orgs.Name(from.Org))
		j.Attrs = slices.DeleteFunc(j.Attrs, func(a policy.Attr) bool { return a.Value == "" })
		calendar.Add(&j.Job)
		j.ID, j.Name, j.Priority = policy.JobID(len(list)+1), l.IDs.Name(i), from.Priority
		j.Submitted = policy.Time(from.Submitted.Sub(l.Jobs[order[0]].Submitted))
		ids[i] = j.ID
		list = append(list, j)
	}
	if !wait {
		return list, unended, nil
	}
	found, err := l.Find(0)
	if err != nil {
		return nil, 0, err
	}
	for _, d := range found.Dependencies {
		up, down := ids[d.From], ids[d.To]
		if up == 0 || down == 0 || l.Jobs[d.From].Completed > l.Jobs[d.To].Submitted {
			continue
		}
		j := list[down-1]
		if j.Inputs == nil {
			j.Inputs = &policy.Inputs{Wait: true}
		}
		j.Inputs.Jobs = append(j.Inputs.Jobs, up)
	}
	return list, unended, nil
}
