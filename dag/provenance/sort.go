package provenance

import (
	"cmp"
	"slices"
)

// Sort numbers everything anew: jobs in order of submission, and of one instant by ID; templates,
// users, organisations and files by name. Operations are then in order of time, and of one instant
// writes come first, by file, then reads, by file and job; writes of one file at one instant stay
// in order, since the last of them counts.
//
// So what a log says is numbered in one way, in whatever order and from however many files its
// rows were read. What is sorted by number comes out in the same order then, and jobs that
// follow one another lie side by side in memory.
//
// Jobs without ID must have different instants of submission for that. It takes O(n log n) time
// and, meanwhile, twice the memory of jobs and names.
func (l *Log) Sort() {
	jobs := make([]uint32, len(l.Jobs))
	for i := range jobs {
		jobs[i] = uint32(i)
	}
	slices.SortFunc(jobs, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(l.Jobs[a].Submitted, l.Jobs[b].Submitted), cmp.Compare(l.IDs.Name(a), l.IDs.Name(b)), cmp.Compare(a, b))
	})
	number := make([]uint32, len(jobs)) // of a job, anew
	sorted := make([]Job, len(jobs))
	for to, from := range jobs {
		number[from], sorted[to] = uint32(to), l.Jobs[from]
	}
	l.Jobs = sorted
	l.IDs = l.IDs.inOrder(jobs)

	templates, users, orgs, files := l.Templates.sort(), l.Users.sort(), l.Orgs.sort(), l.Files.sort()
	for i := range l.Jobs {
		j := &l.Jobs[i]
		j.Template, j.User, j.Org = renumber(templates, j.Template), renumber(users, j.User), renumber(orgs, j.Org)
	}
	for i := range l.Ops {
		op := &l.Ops[i]
		op.Job, op.File = renumber(number, op.Job), renumber(files, op.File) // User is none of the numbers
	}
	slices.SortStableFunc(l.Ops, func(a, b Op) int {
		if c := cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.File, b.File)); c != 0 || a.Kind == Write {
			return c
		}
		return cmp.Compare(a.Job, b.Job)
	})
}

// renumber returns the new number for an old one, and leaves alone one that is none of them.
func renumber(numbers []uint32, old uint32) uint32 {
	if int64(old) < int64(len(numbers)) {
		return numbers[old]
	}
	return old
}

// sort numbers names in alphabetical order, and returns the new numbers of all.
func (n *Names) sort() []uint32 {
	order := make([]uint32, len(n.list))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(n.list[a], n.list[b]) })
	numbers := make([]uint32, len(order))
	for to, from := range order {
		numbers[from] = uint32(to)
	}
	*n = n.inOrder(order)
	return numbers
}

// inOrder returns the names of some numbers, in their order. Numbers without a name get "".
func (n *Names) inOrder(numbers []uint32) Names {
	if len(n.list) == 0 {
		return Names{}
	}
	o := Names{make(map[string]uint32, len(numbers)), make([]string, len(numbers))}
	for to, from := range numbers {
		o.list[to] = n.Name(from)
		if int64(from) < int64(len(n.list)) {
			o.index[o.list[to]] = uint32(to)
		}
	}
	return o
}
