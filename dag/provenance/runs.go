package provenance

import (
	"bytes"
	"cmp"
	"fmt"
)

// A run is what events have told of a run of OpenLineage.
type run struct {
	id        string
	job, org  uint32 // of the texts of the reader, as the latest event has them
	named     stamp
	submitted Time
	started   bool
	start     Time // the first START, if started
	state     State
	ended     stamp
	user      said[string]   // first
	priority  said[*float64] // first

	inputs  map[uint32]bool
	outputs map[uint32]output // the last change of each
	flows   []flow            // of RUNNING events

	parent           said[string]     // last: ID of the run that has started it; "": none is known
	part             bool             // it counts for its parent
	group            bool             // its job is known to be a group of others
	streaming, batch bool             // its job is known to be so
	upstream         said[[]upstream] // last
}

// said is something that events say, the first one or the last one that does.
type said[T any] struct {
	it T
	by stamp // no row: nobody
}

func (s *said[T]) first(now stamp, it T) {
	if s.by.row == 0 || !now.after(s.by) {
		*s = said[T]{it, now}
	}
}

func (s *said[T]) last(now stamp, it T) {
	if s.by.row == 0 || now.after(s.by) {
		*s = said[T]{it, now}
	}
}

// A stamp orders events: by time, and at one instant by row.
type stamp struct {
	at  Time
	row uint64
}

func (s stamp) compare(t stamp) int {
	return cmp.Or(cmp.Compare(s.at, t.at), cmp.Compare(s.row, t.row))
}
func (s stamp) after(t stamp) bool { return s.compare(t) >= 0 }

// An output is how a run changes a file.
type output struct {
	stamp
	kind     string // of lifecycleStateChange; "": written
	previous uint32 // what it was called before, of a RENAME with that
	renamed  bool
}

// A flow is what a RUNNING event tells of a file.
type flow struct {
	file   uint32
	writes bool
	output
}

// An upstream is a run that another one is declared to depend on. It may be known by its job only.
type upstream struct{ run, job string }

// event processes an event. If there is a problem, it changes nothing.
func (r *Reader) event(text []byte, c *clock) *problem {
	if len(text) > maxLine {
		return &problem{"row is longer than 2^24 bytes", ""}
	}
	if n := bytes.Count(text, []byte("{")) + bytes.Count(text, []byte("[")); n > maxParts {
		return &problem{"row has more than 2^18 objects and lists", fmt.Sprint(n)}
	}
	var e runEvent
	if err := e.read(text); err != nil {
		return &problem{"row is no event in JSON", err.Error()}
	}
	if e.Run == nil && (e.Job != nil || e.Dataset != nil) {
		r.notes["event is of no run, and passed over"]++
		return nil
	}
	t, zone, state, p := e.told()
	if p != nil {
		return p
	}
	if _, ok := r.log.IDs.Find(e.Run.RunID); ok {
		return &problem{"run is a job of a table", "run " + e.Run.RunID}
	}
	if p := r.check(c, t); p != nil {
		return p
	}
	if !zone {
		r.notes["eventTime has no zone, and is taken to be in UTC"]++
	}
	i := r.runIDs.Number(e.Run.RunID)
	if int(i) == len(r.runs) {
		r.runs = append(r.runs, run{id: r.runIDs.Name(i), submitted: t})
	}
	u, now := &r.runs[i], stamp{t, r.rows}
	u.submitted = min(u.submitted, t)
	if now.after(u.named) || u.named.row == 0 {
		u.named, u.job, u.org = now, r.texts.Number(e.Job.Name), r.texts.Number(e.Job.Namespace)
	}
	if r.startOrEnd(u, e.EventType == "START", now, state) {
		r.notes["event comes twice"]++
	}
	if owner := e.owner(); owner != "" {
		u.user.first(now, owner)
	}
	if p := e.Run.Facets.Airflow.Task.Priority; p != nil {
		u.priority.first(now, p)
	}
	if id := e.Run.Facets.Parent.Run.ID; id != "" && id != u.id {
		u.parent.last(now, r.texts.Name(r.texts.Number(id)))
	}
	if e.part() {
		u.part = true
		r.application(&e, t)
		u = &r.runs[i]
	}
	kind := &e.Job.Facets.Type
	u.group = u.group || kind.Type == "DAG"
	u.streaming = u.streaming || kind.Processing == "STREAMING" || kind.Processing == "SERVICE"
	u.batch = u.batch || kind.Processing == "BATCH"
	if list := e.upstream(); list != nil {
		u.upstream.last(now, list)
	}
	r.files(u, &e, now)
	return nil
}

// application sees to it that there is a run for the parent of a part, which may have no events of its own.
func (r *Reader) application(e *runEvent, t Time) {
	parent := &e.Run.Facets.Parent
	i := r.runIDs.Number(parent.Run.ID)
	if int(i) == len(r.runs) {
		r.runs = append(r.runs, run{id: r.runIDs.Name(i), submitted: t, job: r.texts.Number(parent.Job.Name), org: r.texts.Number(parent.Job.Namespace)})
	}
}

// startOrEnd notes the start of a run, or its end if state is not Running. It reports whether that was known.
func (r *Reader) startOrEnd(u *run, starts bool, now stamp, state State) (twice bool) {
	if starts {
		twice = u.started && u.start == now.at
		if !u.started || now.at < u.start {
			u.started, u.start = true, now.at
		}
	}
	if state != Running {
		twice = u.state == state && u.ended.at == now.at
		if u.state == Running || now.at > u.ended.at || now.at == u.ended.at && state > u.state {
			u.state, u.ended = state, now
		}
	}
	return twice
}

// files notes what an event tells of files.
func (r *Reader) files(u *run, e *runEvent, now stamp) {
	runs := e.EventType == "RUNNING" && !u.batch
	for i := range e.Inputs {
		if e.Inputs[i].Name == "" {
			r.notes["dataset has no name, and is passed over"]++
			continue
		}
		file := r.file(&e.Inputs[i])
		if u.inputs == nil {
			u.inputs = make(map[uint32]bool)
		}
		u.inputs[file] = true
		if runs {
			u.flows = append(u.flows, flow{file: file, output: output{stamp: now}})
		}
	}
	for i := range e.Outputs {
		d := &e.Outputs[i]
		if d.Name == "" {
			r.notes["dataset has no name, and is passed over"]++
			continue
		}
		file, change := r.file(d), &d.Facets.Change
		o := output{stamp: now, kind: change.Kind}
		if o.renamed = change.Kind == "RENAME" && change.Previous.Name != ""; o.renamed {
			o.previous = r.log.Files.Number(change.Previous.String())
		}
		if u.outputs == nil {
			u.outputs = make(map[uint32]output)
		}
		if last, ok := u.outputs[file]; !ok || now.after(last.stamp) && o.kind != "ALTER" || last.kind == "ALTER" {
			u.outputs[file] = o
		}
		if runs {
			u.flows = append(u.flows, flow{file, true, o})
		}
	}
}

// file returns the number of a dataset. It notes the other names that it has.
func (r *Reader) file(d *dataset) uint32 {
	file := r.log.Files.Number(d.String())
	for _, name := range d.Facets.Symlinks.Names {
		if other := r.log.Files.Number(name.String()); other != file && name.Name != "" {
			r.links[[2]uint32{file, other}] = true
		}
	}
	return file
}

// aliases returns the file that each name stands for, the least of the names that are linked.
func (r *Reader) aliases(l *Log) []uint32 {
	to := make([]uint32, l.Files.Len())
	for i := range to {
		to[i] = uint32(i)
	}
	root := func(i uint32) uint32 {
		for to[i] != i {
			to[i] = to[to[i]]
			i = to[i]
		}
		return i
	}
	for link := range r.links {
		a, b := root(link[0]), root(link[1])
		if l.Files.Name(a) > l.Files.Name(b) {
			a, b = b, a
		}
		to[b] = a
	}
	for i := range to {
		to[i] = root(uint32(i))
	}
	return to
}

// drops appends what a change of a name comes to for the one before. Of several changes at one instant these come first, so that
// a name may pass from one to another.
func drops(ops []Op, job uint32, begun, at Time, o *output) []Op {
	if o.renamed {
		ops = append(ops, Op{begun, job, o.previous, Read}, Op{at, User, o.previous, Write})
	}
	return ops
}

// writes appends what a change of a file comes to.
func writes(ops []Op, job, file uint32, at Time, o *output) []Op {
	switch o.kind {
	case "ALTER":
		return ops
	case "DROP", "TRUNCATE":
		job = User
	}
	return append(ops, Op{at, job, file, Write})
}
