package main

import (
	"cmp"
	"slices"

	"example.com/augur/dag/provenance"
)

// inOrder returns the same log with other numbers: jobs are in order of submission, at one instant by ID, and names in
// alphabetical order. So what is printed does not depend on the order of the rows. Writes of one file at one instant
// keep their order, since the last one counts. It changes l.
func inOrder(l *provenance.Log) *provenance.Log {
	order := make([]uint32, len(l.Jobs))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(l.Jobs[a].Submitted, l.Jobs[b].Submitted), cmp.Compare(l.IDs.Name(a), l.IDs.Name(b)))
	})
	s := &provenance.Log{Ops: l.Ops}
	jobs := make([]uint32, len(order))
	templates, users := byName(&s.Templates, &l.Templates), byName(&s.Users, &l.Users)
	orgs, files := byName(&s.Orgs, &l.Orgs), byName(&s.Files, &l.Files)
	for _, from := range order {
		jobs[from] = s.IDs.Number(l.IDs.Name(from))
		j := l.Jobs[from]
		j.Template, j.User, j.Org = templates[j.Template], users[j.User], orgs[j.Org]
		s.Jobs = append(s.Jobs, j)
	}
	for i := range s.Ops {
		op := &s.Ops[i]
		if op.File = files[op.File]; op.Job != provenance.User {
			op.Job = jobs[op.Job]
		}
	}
	slices.SortStableFunc(s.Ops, func(a, b provenance.Op) int {
		if c := cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.File, b.File)); c != 0 || a.Kind == provenance.Write {
			return c
		}
		return cmp.Compare(a.Job, b.Job)
	})
	return s
}

// byName adds the names of another table in alphabetical order, and returns their new numbers.
func byName(to, from *provenance.Names) []uint32 {
	names := make([]string, from.Len())
	for i := range names {
		names[i] = from.Name(uint32(i))
	}
	for _, name := range slices.Sorted(slices.Values(names)) {
		to.Number(name)
	}
	numbers := make([]uint32, len(names))
	for i, name := range names {
		numbers[i], _ = to.Find(name)
	}
	return numbers
}
