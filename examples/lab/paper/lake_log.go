package paper

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/internal/calendar"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A LakeLog is the log of a data lake, and the jobs for an experiment. Its jobs have the IDs 1, 2, 3
// and so on, in order of submission.
//
// A scheduler may know [LakeLog.Provenance] as of the current instant, or as of Begin if it schedules
// the experiment. [LakeLog.Truth] returns what an analysis of the log should find. A LakeLog does not
// change and is safe for concurrent use.
type LakeLog struct {
	lake      *lake
	before    int // jobs from before the log
	first     int // the first job of the experiment
	downloads []policy.Time
	total     int // downloads of the jobs of the experiment

	organisations, users []string
}

// Log makes the log. The same values give the same log, except that times, and with them what is
// read, may differ by some nanoseconds on another processor architecture. Log takes O(n log n)
// time for n jobs, and 220 bytes per job, six times as many while it runs. The error names the
// field that is outside its range.
func (l Lake) Log() (*LakeLog, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	g := l.newLake()
	g.newTemplates()
	g.popularity()
	g.prioritise()
	for i := range g.templates {
		g.run(int32(i))
	}
	g.adHoc()
	g.sort()
	if err := g.fit(); err != nil {
		return nil, err
	}
	log := &LakeLog{lake: g, before: g.since(0), first: g.since(g.begin), downloads: g.download()}
	log.setNames()
	if log.first < len(g.jobs) {
		log.total = len(log.downloads) - int(g.jobs[log.first].downloads)
	}
	return log, nil
}

// Begin returns the start of the experiment, which is the end of the history.
func (l *LakeLog) Begin() policy.Time { return l.lake.begin }

// End returns the end of the submissions of the experiment. Downloads go on until a week after the
// last job is done.
func (l *LakeLog) End() policy.Time { return l.lake.end }

func (l *LakeLog) id(i int) policy.JobID { return policy.JobID(max(0, i+1-l.before)) }

// place returns the index of a job, and false if there is no job with that ID.
func (l *LakeLog) place(id policy.JobID) (int, bool) {
	i := int64(id) - 1 + int64(l.before)
	return int(i), id > 0 && i < int64(len(l.lake.jobs))
}

// Queues yields the queues of all organisations, the largest first, each with its share of the
// cluster. The shares add up to 1. They are proportional to rank to the power of -0.8, as are the
// mean numbers of workflows and users.
func (l *LakeLog) Queues() iter.Seq2[string, float64] {
	return func(yield func(name string, share float64) bool) {
		for o, name := range l.organisations {
			if !yield(name, l.lake.share(o)) {
				return
			}
		}
	}
}

// Downloads returns the instants at which the output of a job is downloaded, in order. The caller
// must not change the slice. It is empty if the job is not in the log.
func (l *LakeLog) Downloads(id policy.JobID) []policy.Time {
	i, ok := l.place(id)
	if !ok {
		return nil
	}
	end := len(l.downloads)
	if i+1 < len(l.lake.jobs) {
		end = int(l.lake.jobs[i+1].downloads)
	}
	return l.downloads[l.lake.jobs[i].downloads:end:end]
}

// Attained returns the value that a job attains if it is done at the given instant: the number of
// downloads at or after it (section 6). A job that is never done attains nothing; do not call
// Attained for it. It takes time logarithmic in the number of downloads.
func (l *LakeLog) Attained(id policy.JobID, done policy.Time) int {
	return len(after(l.Downloads(id), done))
}

// Achievable returns the total value that the jobs of the experiment attain if each is done no
// later than in the log. Divide attained values by it.
func (l *LakeLog) Achievable() int { return l.total }

// LakeTruth is what the log does not say about a job.
type LakeTruth struct {
	Template int // number of the template of a recurring job; -1: ad hoc
	Kind     LakeKind
	// Periodic: its template is submitted by the clock.
	Periodic bool
	// Reads are the jobs that it read, or wanted to read if input was missing, in order. Jobs from
	// before the log are left out.
	Reads []policy.JobID
	// Downloads is the mean number of a recurring job's template.
	Downloads float64
}

// Truth returns the truth about a job. It returns an error if the job is not in the log.
func (l *LakeLog) Truth(id policy.JobID) (LakeTruth, error) {
	i, ok := l.place(id)
	if !ok {
		return LakeTruth{}, fmt.Errorf("paper: job %d is not in the log, want 1 to %d", id, len(l.lake.jobs)-l.before)
	}
	j := &l.lake.jobs[i]
	truth := LakeTruth{Template: int(j.template), Kind: j.kind, Reads: l.inputs(j, l.before)}
	if j.template >= 0 {
		t := l.lake.templates[j.template]
		truth.Periodic, truth.Downloads = !t.irregular && t.kind != LakePolling, t.downloads
	}
	return truth, nil
}

// Source returns the jobs of the experiment, in order of submission. Each is a gang of one-core tasks
// that all run as long as the job did. If input was missing, they run for the median of the template.
// [policy.Inputs] lists the jobs of the experiment that blind and polling jobs read, and polling jobs
// wait for them; jobs of the history are known to be done.
//
// Attributes are user, jobname (for a run of a template, the template's name with a date or a number),
// program (the jobname without these, by provenance.Template), hour (0 to 23) and day (such as Monday).
// The attribute template, which Wing's policies use by default, is not among them: derive it from the
// jobname, as [LakeLog.Provenance] does.
func (l *LakeLog) Source() workload.Source { return l.source(l.first, len(l.lake.jobs)) }

// History returns the jobs of the history in the same form. Their inputs are jobs of the history.
func (l *LakeLog) History() workload.Source { return l.source(l.before, l.first) }

// source yields the jobs from first to end. Their inputs are jobs from first on.
func (l *LakeLog) source(first, end int) workload.Source {
	return func(yield func(*workload.Job, error) bool) {
		for i := first; i < end; i++ {
			if !yield(l.job(i, first), nil) {
				return
			}
		}
	}
}

// job makes a job. Its inputs are jobs from first on.
func (l *LakeLog) job(i, first int) *workload.Job {
	j := &l.lake.jobs[i]
	name := string(l.appendName(nil, i))
	job := &workload.Job{Job: policy.Job{
		ID: l.id(i), Submitted: j.submitted, At: lakeStart.Add(time.Duration(j.submitted)), Queue: l.organisations[j.org], Priority: j.priority,
		Attrs: []policy.Attr{
			{Name: "user", Value: l.users[j.user]}, {Name: "jobname", Value: name}, {Name: "program", Value: provenance.Template(name)},
		},
		Stages: []policy.Stage{{Tasks: uint32(j.width), Cores: 1, Gang: true}},
	}}
	calendar.Add(&job.Job)
	if inputs := l.inputs(j, first); len(inputs) > 0 && j.kind != LakeTolerant {
		job.Inputs = &policy.Inputs{Jobs: inputs, Wait: j.kind == LakePolling}
	}
	runtime := j.completed.Sub(j.submitted)
	if j.failed {
		runtime = l.lake.templates[j.template].runtime
	}
	job.Runtimes = [][]policy.Duration{slices.Repeat([]policy.Duration{runtime}, int(j.width))}
	return job
}

// inputs returns the jobs that a job reads, without those before first.
func (l *LakeLog) inputs(j *lakeJob, first int) []policy.JobID {
	reads := l.lake.reads[j.from:j.to] // in order
	i, _ := slices.BinarySearch(reads, int32(first))
	var ids []policy.JobID
	for _, up := range reads[i:] {
		ids = append(ids, l.id(int(up)))
	}
	return ids
}

// lakeOp is a compact operation.
type lakeOp struct {
	at       policy.Time
	job      int32 // job whose file it is
	by       int32 // job that reads or writes it; for a download, the user, whom the log does not name
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

// Provenance returns the log of history and experiment as it was known at the end. Job number i, in
// order of submission, has the ID i+1, also as its name in IDs. Its template is [provenance.Template]
// of its name. Jobs read when they are submitted and write when they are done. Jobs whose input was
// missing do neither. Many jobs may write the same file, one after another. Files that no job of the log
// wrote come from outside or from before the log.
//
// Each call makes a new log, which takes 64 bytes per job, 24 per operation (about a dozen per job), and
// the memory of the names.
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
