package provenance

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// A settlement makes jobs of runs.
type settlement struct {
	*Reader
	log   *Log
	owner []uint32 // by run, the run that it counts for
	job   []uint32 // by run, its job; User if it has none
	ready []Time   // by run, when what it depends on has ended, if it started before; else when it was submitted
	ops   []Op     // of declared dependencies
}

// settle adds the jobs and operations of all runs to a log.
func (r *Reader) settle(l *Log) {
	s := &settlement{Reader: r, log: l}
	s.own()
	s.number()
	s.declared()
	s.together()
	s.operations()
	if len(r.links) > 0 {
		to := r.aliases(l)
		for i := range l.Ops {
			l.Ops[i].File = to[l.Ops[i].File]
		}
	}
}

// up returns the parent of a run.
func (s *settlement) up(i uint32) (uint32, bool) {
	if s.runs[i].parent.it == "" {
		return 0, false
	}
	return s.runIDs.Find(s.runs[i].parent.it)
}

// own finds the owners, and gives those what their parts tell.
func (s *settlement) own() {
	const none, onPath = math.MaxUint32, math.MaxUint32 - 1
	s.owner = slices.Repeat([]uint32{none}, len(s.runs))
	var path []uint32 // of parts, each of the next
	for i := range uint32(len(s.runs)) {
		owner := i
		for path = path[:0]; s.owner[owner] == none && s.runs[owner].part; {
			up, ok := s.up(owner)
			if !ok {
				break
			}
			s.owner[owner], path = onPath, append(path, owner)
			owner = up
		}
		switch known := s.owner[owner]; known {
		case none:
			s.owner[owner] = owner
		case onPath: // these are parts of each other, and so of none
			begin := slices.Index(path, owner)
			for _, part := range path[begin:] {
				s.owner[part] = part
			}
			path = path[:begin]
		default:
			owner = known
		}
		for _, part := range path {
			s.owner[part] = owner
		}
	}
	for i := range s.runs {
		u, o := &s.runs[i], &s.runs[s.owner[i]]
		o.submitted = min(o.submitted, u.submitted)
		if o.named.row == 0 && u.state != Running && u.ended.after(o.ended) { // it has no events of its own
			o.state, o.ended = u.state, u.ended
		}
	}
}

// number makes the jobs, without those runs that are but the parents of others.
func (s *settlement) number() {
	does, parent := make([]bool, len(s.runs)), make([]bool, len(s.runs))
	for i := range s.runs {
		u := &s.runs[i]
		if does[s.owner[i]] = does[s.owner[i]] || len(u.inputs)+len(u.outputs) > 0; u.part {
			continue
		}
		if up, ok := s.up(uint32(i)); ok {
			parent[up] = true
		}
	}
	s.job = make([]uint32, len(s.runs))
	for i := range s.runs {
		u := &s.runs[i]
		s.ready = append(s.ready, u.submitted)
		switch {
		case int(s.owner[i]) != i:
		case !does[i] && (u.group || parent[i]):
			s.job[i] = User
			s.notes["run is but the parent of others, and no job"]++
		default:
			s.job[i] = s.log.IDs.Number(u.id)
			s.log.Jobs = append(s.log.Jobs, s.newJob(uint32(i)))
		}
	}
	for i, owner := range s.owner {
		s.job[i] = s.job[owner]
	}
}

func (s *settlement) newJob(i uint32) Job {
	u := &s.runs[i]
	org := s.texts.Name(u.org)
	j := Job{
		Template: s.log.Templates.Number(org + " " + s.template(s.texts.Name(u.job))), Org: s.log.Orgs.Number(org),
		State: u.state, Submitted: u.submitted, Completed: u.ended.at,
	}
	user, priority := u.user.it, u.priority.it
	for range 8 { // parents of parents are few
		var ok bool
		if i, ok = s.up(i); !ok {
			break
		}
		user, priority = cmp.Or(user, s.runs[i].user.it), cmp.Or(priority, s.runs[i].priority.it)
	}
	j.User = s.log.Users.Number(user)
	if priority != nil {
		j.Priority = *priority
	}
	return j
}

// declared adds what the dependencies come to that are declared.
func (s *settlement) declared() {
	if !slices.ContainsFunc(s.runs, func(u run) bool { return u.upstream.it != nil }) {
		return
	}
	byJob := make(map[string][]uint32) // those that are complete, by their end; of a job, and of a job in a parent
	for i := range s.runs {
		if u := &s.runs[i]; !u.part && u.state == Complete {
			name := s.jobName(u)
			byJob[name] = append(byJob[name], uint32(i))
			if parent := u.parent.it; parent != "" {
				byJob[parent+" "+name] = append(byJob[parent+" "+name], uint32(i))
			}
		}
	}
	for _, list := range byJob {
		slices.SortFunc(list, func(a, b uint32) int { return s.runs[a].ended.compare(s.runs[b].ended) })
	}
	written := make(map[uint32]bool)
	for i := range s.runs {
		u := &s.runs[i]
		for _, ref := range u.upstream.it {
			w, ok := s.find(ref, uint32(i), byJob)
			if !ok || s.job[w] == User || s.job[i] == User || s.job[w] == s.job[i] || s.runs[w].state != Complete || u.state != Running && s.runs[w].ended.at > u.ended.at {
				s.notes["dependency is declared on no job of the log that is done before"]++
				continue
			}
			end := s.runs[w].ended.at
			if s.runs[w].submitted == end && u.submitted <= end && (u.state == Running || u.ended.at > end) {
				end++ // of an instant: the one comes after the other all the same
			}
			file := s.log.Files.Number("end of run " + s.runs[w].id)
			if !written[w] {
				written[w] = true
				s.ops = append(s.ops, Op{s.runs[w].ended.at, s.job[w], file, Write})
			}
			s.ops = append(s.ops, Op{max(end, u.begun()), s.job[i], file, Read})
			s.ready[i] = max(s.ready[i], end)
			s.notes["dependency is declared"]++
		}
	}
}

func (s *settlement) jobName(u *run) string {
	return eventName{s.texts.Name(u.org), s.texts.Name(u.job)}.String()
}

// find returns the run that another one is declared to depend on. Where only its job is known, that is the last one of the
// same parent, or else the last one that ended before the other began.
func (s *settlement) find(ref upstream, i uint32, byJob map[string][]uint32) (w uint32, ok bool) {
	if ref.run != "" {
		return s.runIDs.Find(ref.run)
	}
	u := &s.runs[i]
	if u.parent.it != "" {
		list := byJob[u.parent.it+" "+ref.job]
		if n := len(list); n > 0 && list[n-1] == i {
			list = list[:n-1]
		}
		if n := len(list); n > 0 {
			return list[n-1], true
		}
	}
	list, begun := byJob[ref.job], u.begun()
	n, _ := slices.BinarySearchFunc(list, begun, func(w uint32, begun Time) int {
		if s.runs[w].ended.at <= begun {
			return -1
		}
		return 1
	})
	if n > 0 && list[n-1] == i { // it takes no time
		n--
	}
	if n == 0 {
		return 0, false
	}
	return list[n-1], true
}

// together finds the runs of one parent that all start at one instant, and when each of them has what others of them write.
func (s *settlement) together() {
	members := make(map[string][]uint32)
	for i := range s.runs {
		if u := &s.runs[i]; u.parent.it != "" && !u.part && s.job[i] != User {
			members[u.parent.it] = append(members[u.parent.it], uint32(i))
		}
	}
	for _, list := range members {
		first := &s.runs[list[0]]
		if len(list) < 2 || slices.ContainsFunc(list, func(i uint32) bool { return !s.runs[i].started || s.runs[i].start != first.start }) {
			continue
		}
		ends := make(map[uint32][]Time) // of those that write a file
		for _, i := range list {
			if s.runs[i].state == Complete {
				for file := range s.runs[i].outputs {
					ends[file] = append(ends[file], s.runs[i].ended.at)
				}
			}
		}
		for _, times := range ends {
			slices.Sort(times)
		}
		for _, i := range list {
			u := &s.runs[i]
			for file := range u.inputs {
				before := ends[file]
				if u.state != Running {
					n, _ := slices.BinarySearch(before, u.ended.at)
					before = before[:n]
				}
				if n := len(before); n > 0 {
					s.ready[i] = max(s.ready[i], before[n-1])
				}
			}
		}
	}
}

// begun returns when a run read its inputs, as far as it says.
func (u *run) begun() Time {
	if u.started {
		return u.start
	}
	return u.submitted
}

// operations adds those of all runs. Of two that write a file at one instant, the one whose end is the later row is the last.
func (s *settlement) operations() {
	ops := append(s.log.Ops, s.ops...)
	var ended []uint32
	for i := range s.runs {
		u, job := &s.runs[i], s.job[i]
		if job == User {
			continue
		}
		at := u.begun()
		if s.ready[i] > u.submitted {
			at = max(at, s.ready[i])
			if int(s.owner[i]) == i {
				s.log.Jobs[job].Submitted = s.ready[i]
			}
		}
		for _, file := range slices.Sorted(maps.Keys(u.inputs)) {
			ops = append(ops, Op{at, job, file, Read})
		}
		if u.streaming || u.state == Running {
			for k := range u.flows {
				switch f := &u.flows[k]; {
				case f.writes:
					ops = writes(drops(ops, job, at, f.at, &f.output), job, f.file, f.at, &f.output)
				case f.at > at:
					ops = append(ops, Op{f.at, job, f.file, Read})
				}
			}
		}
		if u.state == Complete {
			ended = append(ended, uint32(i))
		}
	}
	slices.SortFunc(ended, func(a, b uint32) int { return cmp.Compare(s.runs[a].ended.row, s.runs[b].ended.row) })
	for _, i := range ended {
		u := &s.runs[i]
		files := slices.Sorted(maps.Keys(u.outputs))
		for _, file := range files {
			o := u.outputs[file]
			ops = drops(ops, s.job[i], u.begun(), u.ended.at, &o)
		}
		for _, file := range files {
			o := u.outputs[file]
			ops = writes(ops, s.job[i], file, u.ended.at, &o)
		}
	}
	s.log.Ops = ops
}
