package lakelab

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/policy/workload"
)

// small is a lake of about 6000 jobs.
var small = sync.OnceValues(func() (*paper.LakeLog, error) {
	l := paper.DefaultLake()
	l.JobsPerDay, l.Load = 300, 0.05
	return l.Log()
})

func smallLog(t *testing.T) *paper.LakeLog {
	t.Helper()
	log, err := small()
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func smallLab(t *testing.T, c pipeline.Config) *Lab {
	t.Helper()
	l, err := Open(smallLog(t)).Learn(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// At any instant only what is past is known: of a job that runs, that it was submitted. Of jobs from
// before the first instant it is known what they wrote, but not that they did.
func TestPast(t *testing.T) {
	log := smallLog(t)
	lake, all := Open(log), log.Provenance()
	day := provenance.Time(24 * time.Hour)
	begin := provenance.Time(log.Begin())
	for _, test := range []struct{ from, at provenance.Time }{
		{0, 0}, {0, day * 5 / 4}, {0, begin}, {begin - 5*day, begin}, {0, math.MaxInt64},
	} {
		got := lake.Past(test.from, test.at)
		var first uint32
		n, running := 0, 0
		for i, want := range all.Jobs {
			if want.Submitted < test.from || want.Submitted >= test.at {
				continue
			}
			if n == 0 {
				first = uint32(i)
			}
			if n++; n > len(got.Jobs) {
				t.Fatalf("%v: %d jobs, want more", test, len(got.Jobs))
			}
			if want.Completed >= test.at {
				running++
				want.State, want.Completed, want.Compute = provenance.Running, 0, 0
			}
			if j := got.Jobs[uint32(i)-first]; j != want {
				t.Fatalf("%v: job %d is known as %+v, want %+v", test, i, j, want)
			}
		}
		if n != len(got.Jobs) || test.at == begin && running == 0 {
			t.Errorf("%v: %d jobs, of which %d run; want %d, some of which run when the experiment begins", test, len(got.Jobs), running, n)
		}
		var want []provenance.Op
		for _, op := range all.Ops {
			download := op.Job == provenance.User
			known := !download && n > 0 && op.Job >= first
			op.Job -= first
			if !known {
				op.Job = provenance.User
			}
			if op.Time < test.at && (known || download || op.Kind == provenance.Write) {
				want = append(want, op)
			}
		}
		if !slices.Equal(got.Ops, want) {
			t.Fatalf("%v: %d operations, want %d, or others", test, len(got.Ops), len(want))
		}
		if !reflect.DeepEqual(got.Files, all.Files) || !reflect.DeepEqual(got.Templates, all.Templates) {
			t.Errorf("%v: files or templates have other names", test)
		}
	}
}

// What is attained is in percent of what the jobs of the run can attain, not all.
func TestAttained(t *testing.T) {
	log := smallLog(t)
	lake := Open(log)
	rng := rand.New(rand.NewPCG(1, 2))
	asInLog, later, never := &sim.Result{}, &sim.Result{}, &sim.Result{}
	sum, achievable, all := 0, 0, 0
	for i, r := range log.Provenance().Jobs {
		id, completed := policy.JobID(i+1), policy.Time(r.Completed)
		if policy.Time(r.Submitted) < log.Begin() {
			continue
		}
		all += len(log.Downloads(id))
		if rng.IntN(3) == 0 {
			continue
		}
		j := sim.JobRecord{ID: id, Outcome: policy.Done, Ended: completed}
		asInLog.Jobs = append(asInLog.Jobs, j)
		j.Ended += policy.Time(rng.Int64N(int64(4 * week / 7)))
		if rng.IntN(5) == 0 {
			j.Outcome = policy.NoInput
		}
		later.Jobs = append(later.Jobs, j)
		for _, d := range log.Downloads(id) {
			achievable++
			if d >= j.Ended && j.Outcome == policy.Done {
				sum++
			}
		}
		j.Outcome = policy.NoInput
		never.Jobs = append(never.Jobs, j)
	}
	if all != log.Achievable() || achievable == all {
		t.Errorf("the jobs are worth %d, of which %d are those of the run; want all to be %d", all, achievable, log.Achievable())
	}
	for _, test := range []struct {
		r    *sim.Result
		want float64
	}{
		{asInLog, 100},
		{later, 100 * float64(sum) / float64(achievable)},
		{never, 0},
	} {
		if got := lake.Attained(test.r); got != test.want {
			t.Errorf("attained %v %%, want %v", got, test.want)
		}
	}
	if sum == 0 || sum == achievable {
		t.Errorf("later ends attain %d of %d, want some", sum, achievable)
	}
	if got := lake.Attained(&sim.Result{}); !math.IsNaN(got) {
		t.Errorf("no jobs attain %v %%, want no number", got)
	}
}

// An oracle knows the truth: a job's own value is that of the log, and what its dependents are
// worth comes back to it in equal parts from each to all that it reads.
func TestOracle(t *testing.T) {
	l := Open(smallLog(t))
	o, err := l.oracle()
	if err != nil {
		t.Fatal(err)
	}
	agg := slices.Clone(o.own.value)
	for i := len(agg) - 1; i >= 0; i-- { // dependents have greater numbers
		if got, want := o.own.value[i], float64(len(l.Log.Downloads(policy.JobID(i+1)))); got != want {
			t.Errorf("job %d is worth %v by itself, want %v", i+1, got, want)
		}
		ups := o.graph.In(uint32(i))
		for _, up := range ups {
			agg[up] += agg[i] / float64(len(ups))
		}
	}
	for i := range agg {
		if got, want := o.agg.value[i], agg[i]; math.Abs(got-want) > 1e-9*want {
			t.Errorf("job %d is worth %v with all that depends on it, want %v", i+1, got, want)
		}
	}
	// At its own end in the log a job still has all its value.
	ranker, err := l.OracleMIL(false)
	if err != nil {
		t.Fatal(err)
	}
	direct, err := l.Oracle(false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range l.Log.Provenance().Jobs {
		j := &policy.Job{ID: policy.JobID(i + 1), Submitted: policy.Time(r.Submitted)}
		got, _ := ranker.Rank(j, j.Submitted)
		want, _ := direct.Rank(j, j.Submitted)
		if got != want && !(r.State == provenance.NoInput && got == 0) {
			t.Fatalf("job %d is worth %v a core-second when it is submitted, want %v", j.ID, got, want)
		}
	}
	// Each job has the same multiplier whenever it is asked for.
	n := 0.0
	multiplied, err := l.Oracle(false, func() float64 { n++; return n })
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, id := range []policy.JobID{2, 7, 1} {
			j := &policy.Job{ID: id}
			got, _ := multiplied.Rank(j, 0)
			if want, _ := direct.Rank(j, 0); got != want*float64(id) {
				t.Errorf("job %d has priority %v, want %v times %d", id, got, want, id)
			}
		}
	}
}

// Many may ask a lab for policies at once, and get the same.
func TestAtOnce(t *testing.T) {
	l := smallLab(t, pipeline.Config{})
	var rankers [4]wing.Ranker
	var group sync.WaitGroup
	for i := range rankers {
		group.Go(func() {
			var err error
			if rankers[i], err = l.MIL(pipeline.ValuationConfig{Dependents: true}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	jobs, err := workload.ReadAll(l.Log.Source())
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for i := range jobs {
		j := &jobs[i].Job
		first, _ := rankers[0].Rank(j, j.Submitted)
		if first > 0 {
			known++
		}
		for _, r := range rankers[1:] {
			if got, _ := r.Rank(j, j.Submitted); got != first {
				t.Fatalf("job %d has priority %v, and %v", j.ID, first, got)
			}
		}
	}
	if known == 0 {
		t.Error("nothing is worth anything")
	}
}

// Worth is what MIL divides by the work, and never 0, whatever is known of a job.
func TestWorth(t *testing.T) {
	lab := smallLab(t, pipeline.Config{})
	c := pipeline.ValuationConfig{Dependents: true}
	worth, err := lab.Worth(c)
	if err != nil {
		t.Fatal(err)
	}
	mil, err := lab.MIL(c)
	if err != nil {
		t.Fatal(err)
	}
	values, err := lab.valuations(c)
	if err != nil {
		t.Fatal(err)
	}
	var above, least int
	for j := range lab.Log.Source() {
		v, _ := values(&j.Job)
		for _, wait := range []time.Duration{0, week / 7, week} {
			now := j.Submitted.Add(wait)
			priority, until := mil.Rank(&j.Job, now)
			want := max(priority*v.Work, leastWorth)
			if got, when := worth.Rank(&j.Job, now); math.Abs(got-want) > 1e-9*want || when != until {
				t.Fatalf("job %d after %v: worth %v until %v, want %v until %v", j.ID, wait, got, when, want, until)
			}
			if want > leastWorth {
				above++
			} else {
				least++
			}
		}
	}
	if above == 0 || least == 0 {
		t.Errorf("%d times worth more than the least, %d times not; want some of both", above, least)
	}
}

// By compute time only jobs that are worth nothing have another order: below all others.
func TestDirectByCompute(t *testing.T) {
	lab := smallLab(t, pipeline.Config{})
	direct, err := lab.Direct()
	if err != nil {
		t.Fatal(err)
	}
	tied, err := lab.DirectByCompute()
	if err != nil {
		t.Fatal(err)
	}
	var worth int
	nothing := map[float64]bool{}
	for j := range lab.Log.Source() {
		want, _ := direct.Rank(&j.Job, j.Submitted)
		got, _ := tied.Rank(&j.Job, j.Submitted)
		switch {
		case want > 0 && got == want:
			worth++
		case want == 0 && got < 0:
			nothing[got] = true
		default:
			t.Fatalf("job %d has priority %v, where Wing-Direct has %v", j.ID, got, want)
		}
	}
	if worth == 0 || len(nothing) < 10 {
		t.Errorf("%d jobs are worth something, and others have %d priorities; want some and at least 10", worth, len(nothing))
	}
}

// The queues share the whole cluster.
func TestQueues(t *testing.T) {
	l := Open(smallLog(t))
	for _, hard := range []bool{false, true} {
		sum := 0.0
		for _, q := range l.Queues(hard) {
			sum += q.Share.Guaranteed
			if hard != (q.Share.Maximum == q.Share.Guaranteed) {
				t.Errorf("hard %v: queue %s has %+v", hard, q.Name, q.Share)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("all queues have %v of the cluster, want 1", sum)
		}
	}
}

func TestLearnErrors(t *testing.T) {
	l := paper.DefaultLake()
	l.JobsPerDay, l.Load, l.HistoryDays = 300, 0.05, 10
	short, err := l.Log()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(short).Learn(pipeline.Config{}); err == nil || !strings.Contains(err.Error(), "240h0m0s, want at least two weeks") {
		t.Errorf("a history of ten days: error %v", err)
	}
	log := smallLog(t)
	if _, err := Open(log).Learn(pipeline.Config{Window: 2 * week}); err == nil || !strings.Contains(err.Error(), "window of 336h0m0s") {
		t.Errorf("a window of all the history: error %v", err)
	}
	if _, err := Open(log).Learn(pipeline.Config{Hops: -1}); err == nil || !strings.Contains(err.Error(), "Hops is -1") {
		t.Errorf("fewer than no hops: error %v", err)
	}
}
