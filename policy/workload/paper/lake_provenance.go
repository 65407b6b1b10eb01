package paper

import (
	"cmp"
	"slices"
	"strconv"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy"
)

// lakeOp is an operation in few bytes.
type lakeOp struct {
	at       policy.Time
	job      int32 // whose file it is
	by       int32 // that reads or writes it; of a download, the user, whom the log does not name
	file     int8  // of the job; -1: the latest of its template, -2: from outside
	kind     provenance.OpKind
	download bool
}

// operations returns all operations in order of time, writes first.
func (l *LakeLog) operations() []lakeOp {
	g := l.lake
	rng := lakeRNG(g.Seed, 1)
	ops := make([]lakeOp, 0, 2*len(g.reads)+len(l.downloads)+2*len(g.jobs))
	for i := l.before; i < len(g.jobs); i++ {
		j := &g.jobs[i]
		for _, at := range l.Downloads(l.id(i)) {
			user := j.user
			if of := g.users[j.org]; rng.IntN(4) > 0 {
				user = of[rng.IntN(len(of))]
			}
			ops = append(ops, lakeOp{at: at, job: int32(i), by: user, file: int8(rng.IntN(int(j.files))), download: true})
		}
		if j.failed {
			continue
		}
		for _, up := range g.reads[j.from:j.to] {
			u := &g.jobs[up]
			if j.latest && u.template >= 0 && g.templates[u.template].latest {
				ops = append(ops, lakeOp{at: j.submitted, job: up, by: int32(i), file: -1})
				continue
			}
			for f := range u.files {
				if f == 0 || rng.IntN(2) == 0 {
					ops = append(ops, lakeOp{at: j.submitted, job: up, by: int32(i), file: int8(f)})
				}
			}
		}
		if j.from == j.to {
			ops = append(ops, lakeOp{at: j.submitted, job: int32(i), by: int32(i), file: -2})
		}
		for f := range j.files {
			ops = append(ops, lakeOp{at: j.completed, job: int32(i), by: int32(i), file: int8(f), kind: provenance.Write})
		}
		if j.template >= 0 && g.templates[j.template].latest {
			ops = append(ops, lakeOp{at: j.completed, job: int32(i), by: int32(i), file: -1, kind: provenance.Write})
		}
	}
	slices.SortFunc(ops, func(a, b lakeOp) int {
		if a.at != b.at {
			return cmp.Compare(a.at, b.at)
		}
		return cmp.Or(cmp.Compare(b.kind, a.kind), cmp.Compare(a.job, b.job), cmp.Compare(a.by, b.by), cmp.Compare(a.file, b.file))
	})
	return ops
}

// Provenance returns what was known of history and experiment when all was over: job number i, in
// order of submission, is the one with the ID i+1, and so it is called in IDs. Its template is that of
// its name (see [provenance.Template]). Jobs read when they are submitted, and write when they are done;
// those whose input was missing do nothing. Files may be written by many jobs, one after another, and
// those that no job of the log wrote come from outside or from before.
//
// It is made anew at each call, and takes 64 bytes a job, 24 an operation, of which there are a dozen a
// job, and what the names take.
func (l *LakeLog) Provenance() *provenance.Log {
	g := l.lake
	log := &provenance.Log{Jobs: make([]provenance.Job, 0, len(g.jobs)-l.before)}
	var name []byte
	for i := l.before; i < len(g.jobs); i++ {
		j := &g.jobs[i]
		name = l.appendName(name[:0], i)
		known := provenance.Job{
			Template: log.Templates.Number(provenance.Template(string(name))),
			User:     log.Users.Number(l.users[j.user]), Org: log.Orgs.Number(l.organisations[j.org]),
			State:     provenance.Complete,
			Submitted: provenance.Time(j.submitted), Completed: provenance.Time(j.completed),
			Priority: j.priority,
			Compute:  j.completed.Sub(j.submitted).Seconds() * float64(j.width),
		}
		if j.failed {
			known.State = provenance.NoInput
		}
		log.IDs.Number(strconv.FormatUint(uint64(l.id(i)), 10))
		log.Jobs = append(log.Jobs, known)
	}
	ops := l.operations()
	log.Ops = make([]provenance.Op, len(ops))
	for i := range ops {
		op := &ops[i]
		job := uint32(op.by) - uint32(l.before)
		if op.download {
			job = provenance.User
		}
		name = l.appendFile(name[:0], op)
		log.Ops[i] = provenance.Op{Time: provenance.Time(op.at), Job: job, File: log.Files.Number(string(name)), Kind: op.kind}
	}
	return log
}
