package pipeline_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy/wing/pipeline"
)

// randomLog returns a log of up to 30 jobs in [0, 1000), which goes on until 1300, so that instants
// are often equal. Organisations and users of a template vary, one user has no name, jobs are in no
// order, and some ran into End or did not come to an end.
func randomLog(rng *rand.Rand) *provenance.Log {
	l := new(provenance.Log)
	for i := range 5 {
		l.Templates.Number(fmt.Sprintf("t%d", i))
	}
	for _, name := range []string{"ann", "bob", ""} {
		l.Users.Number(name)
	}
	for i := range 3 {
		l.Orgs.Number(fmt.Sprintf("o%d", i))
	}
	op := func(at provenance.Time, job uint32, kind provenance.OpKind) {
		file := uint32(rng.IntN(8))
		l.Files.Number(fmt.Sprintf("f%d", file))
		l.Ops = append(l.Ops, provenance.Op{Time: at, Job: job, File: file, Kind: kind})
	}
	for i := range uint32(rng.IntN(31)) {
		l.IDs.Number(fmt.Sprintf("j%d", i))
		j := provenance.Job{
			Template: uint32(rng.IntN(5)), User: uint32(rng.IntN(3)), Org: uint32(rng.IntN(3)),
			State:     provenance.State(max(1, rng.IntN(10)-5)), // one in ten each has failed or had no input
			Submitted: provenance.Time(rng.IntN(110) * 10),
			Priority:  float64(rng.IntN(5)), Compute: float64(rng.IntN(4) * 8),
		}
		if j.State > provenance.NoInput || rng.IntN(10) == 0 {
			j.State = provenance.Running
		}
		j.Completed = j.Submitted + provenance.Time(rng.IntN(12)*10)
		if j.State == provenance.Complete || rng.IntN(3) == 0 {
			for range rng.IntN(4) {
				op(j.Submitted+provenance.Time(rng.IntN(3)*10), i, provenance.Read)
			}
			for range rng.IntN(3) {
				op(j.Completed-provenance.Time(max(0, rng.IntN(6)-3)*10), i, provenance.Write) // some too early
			}
		}
		if j.State == provenance.Running {
			j.Completed = 0
		}
		l.Jobs = append(l.Jobs, j)
	}
	for range rng.IntN(60) {
		op(provenance.Time(rng.IntN(131)*10), provenance.User, provenance.Read)
	}
	if rng.IntN(2) == 0 {
		slices.SortStableFunc(l.Ops, func(a, b provenance.Op) int { return cmp.Compare(a.Time, b.Time) })
	}
	return l
}

// randomConfig returns one for a randomLog.
func randomConfig(rng *rand.Rand) pipeline.Config {
	c := pipeline.Config{
		Start: 0, End: 1000, Window: time.Duration(max(1, rng.IntN(60)*10+rng.IntN(2))), Join: time.Duration(50 + rng.IntN(400)),
		Classes: provenance.ClassConfig{Month: 400, Months: 2, Submissions: 3},
		Train:   provenance.TrainConfig{From: 100, To: 1000},
	}
	if rng.IntN(3) == 0 {
		c.Hops = 1 + rng.IntN(4)
	}
	switch rng.IntN(4) {
	case 0: // worth nothing with one download
		c.Value = func(j *provenance.Job, downloads []provenance.Download) float64 { return float64(len(downloads) / 2) }
	case 1: // worth something without downloads too
		c.Value = func(j *provenance.Job, downloads []provenance.Download) float64 {
			return float64(j.Template) + 3*float64(len(downloads))
		}
	}
	return c
}

// A naive knows of a log what the definitions say, by looking at all of it each time.
type naive struct {
	*provenance.Log
	c    pipeline.Config
	ops  []provenance.Op
	deps map[[2]uint32]provenance.Time // when first
}

func newNaive(l *provenance.Log, c pipeline.Config) *naive {
	n := &naive{Log: l, c: c, deps: make(map[[2]uint32]provenance.Time)}
	for _, op := range l.Ops {
		if op.Time < c.End {
			n.ops = append(n.ops, op)
		}
	}
	for _, read := range n.ops {
		if read.Kind != provenance.Read || read.Job == provenance.User {
			continue
		}
		w, ok := n.written(read)
		if !ok || l.Jobs[w.Job].Submitted >= l.Jobs[read.Job].Submitted {
			continue
		}
		pair := [2]uint32{w.Job, read.Job}
		if first, ok := n.deps[pair]; !ok || read.Time < first {
			n.deps[pair] = read.Time
		}
	}
	return n
}

// written returns the write that a read depends on, or that a download is credited to.
func (n *naive) written(read provenance.Op) (last provenance.Op, ok bool) {
	for _, w := range n.ops { // the later row of equal times counts
		if w.Kind == provenance.Write && w.File == read.File && w.Time <= read.Time && (!ok || w.Time >= last.Time) {
			last, ok = w, true
		}
	}
	return last, ok && last.Job != provenance.User && read.Time-last.Time <= provenance.Time(n.c.Join)
}

// state is that at the end of the log.
func (n *naive) state(j uint32) provenance.State {
	if n.Jobs[j].Completed >= n.c.End {
		return provenance.Running
	}
	return n.Jobs[j].State
}

// valid jobs are complete and old enough.
func (n *naive) valid(j uint32) bool {
	return n.state(j) == provenance.Complete && n.Jobs[j].Completed+provenance.Time(n.c.Window) <= n.c.End
}

// downloads are those of a job that count for it.
func (n *naive) downloads(j uint32) (list []provenance.Time) {
	for _, op := range n.ops {
		if op.Kind != provenance.Read || op.Job != provenance.User {
			continue
		}
		if w, ok := n.written(op); ok && w.Job == j && (n.state(j) == provenance.Running || op.Time <= n.Jobs[j].Completed+provenance.Time(n.c.Window)) {
			list = append(list, op.Time)
		}
	}
	slices.Sort(list)
	return list
}

// own is the worth of a job by itself, as far as it was known at the end of the log.
func (n *naive) own(j uint32) value.Worth {
	v := float64(len(n.downloads(j)))
	if n.c.Value != nil {
		v = n.c.Value(&n.Jobs[j], make([]provenance.Download, len(n.downloads(j))))
	}
	w := value.Worth{Value: v, Compute: n.Jobs[j].Compute}
	if n.Jobs[j].State != provenance.Running && n.state(j) == provenance.Running {
		w.Compute = 0
	}
	return w
}

func (n *naive) dependents(j uint32) (list []uint32) {
	for d := range n.Jobs {
		if _, ok := n.deps[[2]uint32{j, uint32(d)}]; ok {
			list = append(list, uint32(d))
		}
	}
	return list
}

func (n *naive) fanIn(j uint32) (count float64) {
	for pair := range n.deps {
		if pair[1] == j {
			count++
		}
	}
	return count
}

// below sums what comes back to job j by all paths that begin with job d, which has the given weight.
func (n *naive) below(j, d uint32, weight float64, hops int) value.Worth {
	own := n.own(d)
	sum := value.Worth{Value: weight * own.Value, Compute: weight * own.Compute}
	if hops == 0 {
		return sum
	}
	for _, e := range n.dependents(d) {
		if n.inWindow(j, e) {
			part := n.below(j, e, weight/n.fanIn(e), hops-1)
			sum.Value += part.Value
			sum.Compute += part.Compute
		}
	}
	return sum
}

func (n *naive) inWindow(j, d uint32) bool {
	return n.Jobs[d].Submitted <= n.Jobs[j].Completed+provenance.Time(n.c.Window)
}

// of returns the jobs for which keep holds that were submitted before the end, in that order.
func (n *naive) of(keep func(j uint32) bool) (list []uint32) {
	for j := range n.Jobs {
		if n.Jobs[j].Submitted < n.c.End && keep(uint32(j)) {
			list = append(list, uint32(j))
		}
	}
	slices.SortStableFunc(list, func(a, b uint32) int { return cmp.Compare(n.Jobs[a].Submitted, n.Jobs[b].Submitted) })
	return list
}

// most returns what most jobs have, of equal ones the last.
func most(jobs []uint32, of func(j uint32) string) (best string) {
	top := 0
	for _, j := range jobs {
		count := 0
		for _, k := range jobs {
			if of(k) == of(j) {
				count++
			}
		}
		if count >= top {
			best, top = of(j), count
		}
	}
	return best
}

// medianOf is NaN of none.
func medianOf(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	n := len(list)
	if n == 0 {
		return 0
	}
	return (list[(n-1)/2] + list[n/2]) / 2
}
