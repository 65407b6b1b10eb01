package pipeline

import (
	"cmp"
	"slices"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy/wing"
)

// Advice returns the arguments of wing.Advise: the recurring templates of the log whose compute times are known, and
// the links between them. Value and Work of a template are what comes back to its completed jobs, with everything
// that depends on them. A job that is too young for that counts as the mean of the others, and if all are too young
// the template is left out. Runtime is measured from submission, since a log has no starts. Late is the longest time
// from the submission of a job that failed for lack of input to the end of a job that was running then, of a template
// that other jobs of its own template read from. The owner of a template is the organisation of most of its jobs,
// which is also its queue. A log does not record agreements, so no Link is Agreed. Advice takes O(n log n) time for n
// jobs and dependencies, and for each template that of all the templates that it reads from.
func (r *Result) Advice() ([]wing.Template, []wing.Link) {
	links := r.links()
	ups := make([][]uint32, len(r.jobs)) // templates that a template reads from
	for _, l := range links {
		ups[l.Down] = append(ups[l.Down], l.Up)
	}
	medians := r.priorities()
	number := make([]int, len(r.jobs)) // from 1; 0: not in the list
	var templates []wing.Template
	for i, jobs := range r.jobs {
		if !r.recurs(uint32(i)) {
			continue
		}
		t := r.template(jobs)
		if t.Work <= 0 {
			continue
		}
		t.Name, t.Priority = r.Log.Templates.Name(uint32(i)), medians[i]
		t.Owner = r.mode(jobs, r.organisation)
		t.Queue = t.Owner
		t.Periodic = r.Classes.Templates[i].Has(provenance.Periodic)
		if t.NoInput > 0 {
			t.Late = r.late(jobs, ups[i])
		}
		templates = append(templates, t)
		number[i] = len(templates)
	}
	kept := links[:0]
	for _, l := range links {
		if up, down := number[l.Up], number[l.Down]; up > 0 && down > 0 {
			kept = append(kept, wing.Link{Up: uint32(up - 1), Down: uint32(down - 1), Jobs: l.Jobs})
		}
	}
	return templates, kept
}

// links returns which templates read from which, by their numbers in the log, and how many jobs do so.
func (r *Result) links() []wing.Link {
	var links []wing.Link
	count := make(map[uint32]int)
	seen := make(map[uint32]bool)
	for down, jobs := range r.jobs {
		if !r.recurs(uint32(down)) {
			continue
		}
		clear(count)
		for _, j := range jobs {
			clear(seen)
			for _, up := range r.graph.In(j) {
				if t := r.Log.Jobs[up].Template; !seen[t] && r.recurs(t) {
					seen[t] = true
					count[t]++
				}
			}
		}
		for up, n := range count {
			links = append(links, wing.Link{Up: up, Down: uint32(down), Jobs: n})
		}
	}
	slices.SortFunc(links, func(a, b wing.Link) int {
		return cmp.Or(cmp.Compare(a.Up, b.Up), cmp.Compare(a.Down, b.Down))
	})
	return links
}

// template sums up the jobs of a template.
func (r *Result) template(jobs []uint32) wing.Template {
	t := wing.Template{Jobs: len(jobs), Gap: -1}
	complete, known := 0.0, 0.0
	for _, i := range jobs {
		j := &r.Log.Jobs[i]
		t.Own += r.compute[i]
		if j.State == provenance.NoInput {
			t.NoInput++
		}
		if j.State != provenance.Complete {
			continue
		}
		complete++
		if r.Windowed.Valid(i) {
			known++
			t.Value += r.aggregates[i].Value
			t.Work += r.aggregates[i].Compute
		}
		t.Runtime = max(t.Runtime, j.Completed.Sub(j.Submitted))
		if gap, ok := r.gap(i); ok && (t.Gap < 0 || gap < t.Gap) {
			t.Gap = gap
		}
	}
	if known > 0 {
		t.Value, t.Work = t.Value/known*complete, t.Work/known*complete
	}
	t.Gap = max(t.Gap, 0)
	return t
}

// gap returns the time from a job's completion until its output was first read or downloaded, and false if it never
// was.
func (r *Result) gap(i uint32) (gap time.Duration, ok bool) {
	done := r.Log.Jobs[i].Completed
	found := func(at provenance.Time) {
		if g := max(at.Sub(done), 0); !ok || g < gap {
			gap, ok = g, true
		}
	}
	if downloads := r.Found.Of(i); len(downloads) > 0 {
		found(downloads[0].Time)
	}
	all := r.Found.Dependencies
	at, _ := slices.BinarySearchFunc(all, i, func(e provenance.Dependency, i uint32) int { return cmp.Compare(e.From, i) })
	for ; at < len(all) && all[at].From == i; at++ {
		found(all[at].First)
	}
	return gap, ok
}

// late returns how much later jobs that found no input should have been submitted.
func (r *Result) late(jobs, ups []uint32) (late time.Duration) {
	for _, t := range ups {
		// Jobs of both come in order of submission: end is the latest of those that came so far.
		next, some, end := 0, false, provenance.Time(0)
		for _, i := range jobs {
			j := &r.Log.Jobs[i]
			for ; next < len(r.jobs[t]) && r.Log.Jobs[r.jobs[t][next]].Submitted <= j.Submitted; next++ {
				if up := &r.Log.Jobs[r.jobs[t][next]]; up.State == provenance.Complete && (!some || up.Completed > end) {
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
