package main

import (
	"cmp"
	"slices"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy/wing/pipeline"
)

// facts are what advise needs of a log.
type facts struct {
	*pipeline.Result
	jobs   [][]uint32 // by template, in order of submission
	inputs [][]uint32 // by template, those that it reads from
}

// gather returns the recurring templates of the log whose compute times are known, and the links between them. Value and work of
// a template are what comes back to its completed jobs, with everything that depends on them. A job that is too young for that
// counts as the mean of the others, and if all are too young the template is left out. The runtime is measured from submission,
// since a log has no starts. Late is the longest time from the submission of a job that failed for lack of input to the end of a
// job that was running then, of a template that other jobs of its own template read from. The owner of a template is the
// organisation of most of its jobs. It takes O(n log n) time for n jobs and dependencies, and for each template that of all the
// templates that it reads from.
func gather(r *pipeline.Result) ([]template, []link) {
	f := &facts{r, make([][]uint32, r.Log.Templates.Len()), make([][]uint32, r.Log.Templates.Len())}
	for i := range r.Log.Jobs { // in order of submission: the log is sorted
		if j := &r.Log.Jobs[i]; j.Submitted < r.Config.End && f.recurs(j.Template) {
			f.jobs[j.Template] = append(f.jobs[j.Template], uint32(i))
		}
	}
	links := f.links()
	for _, l := range links {
		f.inputs[l.down] = append(f.inputs[l.down], l.up)
	}
	number := make([]int, len(f.jobs)) // from 1; 0: not in the list
	var templates []template
	for i := range f.jobs {
		if t := f.template(uint32(i)); t.work > 0 {
			templates = append(templates, t)
			number[i] = len(templates)
		}
	}
	kept := links[:0]
	for _, l := range links {
		if up, down := number[l.up], number[l.down]; up > 0 && down > 0 {
			kept = append(kept, link{uint32(up - 1), uint32(down - 1), l.jobs})
		}
	}
	return templates, kept
}

func (f *facts) recurs(template uint32) bool {
	return f.Classes.Templates[template].Has(provenance.Recurring)
}

// links returns which recurring templates read from which, by their numbers in the log, and how many jobs do so.
func (f *facts) links() (links []link) {
	type reader struct {
		pair
		job uint32
	}
	seen, count := make(map[reader]bool), make(map[pair]int)
	for _, d := range f.Found.Dependencies {
		p := pair{f.Log.Jobs[d.From].Template, f.Log.Jobs[d.To].Template}
		if r := (reader{p, d.To}); !seen[r] && f.recurs(p.up) && f.recurs(p.down) {
			seen[r] = true
			count[p]++
		}
	}
	for p, n := range count {
		links = append(links, link{p.up, p.down, n})
	}
	slices.SortFunc(links, func(a, b link) int { return pair{a.up, a.down}.compare(pair{b.up, b.down}) })
	return links
}

// template sums up the jobs of a template.
func (f *facts) template(number uint32) template {
	jobs := f.jobs[number]
	t := template{
		name: f.Log.Templates.Name(number), owner: f.owner(jobs), jobs: len(jobs), gap: -1,
		periodic: f.Classes.Templates[number].Has(provenance.Periodic),
	}
	var priorities []float64
	complete, known := 0.0, 0.0
	for _, i := range jobs {
		j := &f.Log.Jobs[i]
		priorities = append(priorities, j.Priority)
		t.own += j.Compute
		if j.State == provenance.NoInput {
			t.noInput++
		}
		if j.State != provenance.Complete {
			continue
		}
		complete++
		if f.Windowed.Valid(i) {
			known++
			t.value += f.Aggregates[i].Value
			t.work += f.Aggregates[i].Compute
		}
		t.runtime = max(t.runtime, j.Completed.Sub(j.Submitted))
		if gap, ok := f.gap(i); ok && (t.gap < 0 || gap < t.gap) {
			t.gap = gap
		}
	}
	if known > 0 {
		t.value, t.work = t.value/known*complete, t.work/known*complete
	}
	if n := len(priorities); n > 0 {
		slices.Sort(priorities)
		t.priority = priorities[(n-1)/2]/2 + priorities[n/2]/2
	}
	t.gap = max(t.gap, 0)
	if t.noInput > 0 {
		t.late = f.late(jobs, f.inputs[number])
	}
	return t
}

// owner returns the organisation of most jobs; ties go to that of the last job.
func (f *facts) owner(jobs []uint32) string {
	count, most := make(map[uint32]int), 0
	for _, i := range jobs {
		org := f.Log.Jobs[i].Org
		count[org]++
		most = max(most, count[org])
	}
	for _, i := range slices.Backward(jobs) {
		if org := f.Log.Jobs[i].Org; count[org] == most {
			return f.Log.Orgs.Name(org)
		}
	}
	return ""
}

// gap returns the time from a job's completion until its output was first read or downloaded, and false if it never was.
func (f *facts) gap(job uint32) (gap time.Duration, ok bool) {
	done := f.Log.Jobs[job].Completed
	found := func(at provenance.Time) {
		if g := max(at.Sub(done), 0); !ok || g < gap {
			gap, ok = g, true
		}
	}
	if downloads := f.Found.Of(job); len(downloads) > 0 {
		found(downloads[0].Time)
	}
	all := f.Found.Dependencies
	at, _ := slices.BinarySearchFunc(all, job, func(e provenance.Dependency, i uint32) int { return cmp.Compare(e.From, i) })
	for ; at < len(all) && all[at].From == job; at++ {
		found(all[at].First)
	}
	return gap, ok
}

// late returns how much later jobs that found no input should have been submitted.
func (f *facts) late(jobs, inputs []uint32) (late time.Duration) {
	for _, t := range inputs {
		// Jobs of both come in order of submission: end is the latest of those that came so far.
		next, some, end := 0, false, provenance.Time(0)
		for _, i := range jobs {
			j := &f.Log.Jobs[i]
			for ; next < len(f.jobs[t]) && f.Log.Jobs[f.jobs[t][next]].Submitted <= j.Submitted; next++ {
				if up := &f.Log.Jobs[f.jobs[t][next]]; up.State == provenance.Complete && (!some || up.Completed > end) {
					some, end = true, up.Completed
				}
			}
			if some && j.State == provenance.NoInput {
				late = max(late, end.Sub(j.Submitted))
			}
		}
	}
	return late
}
