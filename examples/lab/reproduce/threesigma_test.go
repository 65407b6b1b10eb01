package main

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// All figures are told of.
func TestThreeSigma(t *testing.T) {
	r := reportOf(t, "threesigma", form{seeds: 1, few: 20, clock: true})
	measured, published := told(t, r, sigmaCertain())
	mentioned(t, r, "section 5", "2.1", "Fig. 5", "section 6.1", "Fig. 6", "Fig. 7", "Fig. 8", "Fig. 9", "Fig. 10", "Fig. 11")
	for key, x := range measured {
		if strings.HasSuffix(key, ", %") && (x > 100 || x < 0 && !strings.Contains(key, "below")) {
			t.Errorf("%s is %v", key, x)
		}
	}
	testSigmaPublished(t, published)
	if !slices.ContainsFunc(r.lines, func(l line) bool { return strings.HasSuffix(l.Metric, sigmaClock) }) {
		t.Error("nothing is told by the clock")
	}
}

// testSigmaPublished checks what follows from one published number for another.
func testSigmaPublished(t *testing.T, published map[string]float64) {
	t.Helper()
	for key, x := range published {
		what, ok := strings.CutSuffix(key, " less those under 3Sigma, % of all")
		if !ok {
			continue
		}
		bed, _, _ := strings.Cut(key, ": ")
		a, b := published[what+", %"], published[bed+": Fig. 5, deadlines missed under 3Sigma, %"]
		if x != a-b {
			t.Errorf("%s is published as %v, want %v less %v", key, x, a, b)
		}
		// To the digits that are printed.
		if times, ok := published[what+" over those under 3Sigma"]; ok && math.Abs(a/b-times) > 0.05 {
			t.Errorf("%s over those under 3Sigma is published as %v, want %v over %v", what, times, a, b)
		}
	}
}

// sigmaCertain are the reasons for what is always told: ratios of misses are not, where few jobs miss nothing.
func sigmaCertain() []reason {
	return slices.DeleteFunc(slices.Clone(sigmaReasons), func(y reason) bool { return strings.Contains(y.metric, "over those") })
}

// What only -full runs, on little and without real traces.
func TestThreeSigmaFull(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	r := reportOf(t, "threesigma", form{seeds: 1, few: 20, full: true, traces: t.TempDir()})
	if n := dropMissing(r); n != 2 {
		t.Errorf("%d logs are said to be missing, want 2", n)
	}
	measured, _ := told(t, r, sigmaCertain())
	for _, choice := range sigmaChoices() {
		if _, ok := measured["e2e, 600 jobs: Settings, deadlines missed under 3Sigma, "+choice.name+", less those without, % of all"]; !ok {
			t.Errorf("nothing is told of %s", choice.name)
		}
	}
}

// A choice that is the default changes nothing, so that what the others are compared with is what they change.
func TestSigmaDefaults(t *testing.T) {
	l := new(lab)
	b := sigmaE2E(form{seeds: 1, few: 80, full: true}, 80)
	usual := b.ask(l, threeSigma)
	var same []*trial[sigmaRun]
	for _, choice := range sigmaDefaults {
		same = append(same, b.ask(l, threeSigma.with(choice.name, choice.change)))
	}
	if err := l.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, other := range same {
		if diff := cmp.Diff(usual.runs, other.runs, cmp.AllowUnexported(sigmaRun{})); diff != "" {
			t.Errorf("%s (-default +named):\n%s", other.system, diff)
		}
	}
}

// A job that is done in time, one that is late, one that is given up, and two of best effort: the second was
// killed once and ends after the last job has come.
func TestSigmaMeasure(t *testing.T) {
	const hour = policy.Time(time.Hour)
	slo := &policy.SLO{Deadline: 2 * hour}
	got := sigmaMeasure(&sim.Result{Jobs: []sim.JobRecord{
		{Outcome: policy.Done, Tasks: 2, Submitted: 0, Ended: 2 * hour, Service: 2 * 3600, SLO: slo},
		{Outcome: policy.Done, Tasks: 1, Submitted: 0, Ended: 3 * hour, Service: 2 * 3600, SLO: slo},
		{Outcome: policy.GivenUp, Tasks: 9, Ended: hour, Ideal: 2*time.Hour - 9*time.Second, SLO: slo},
		{Outcome: policy.Done, Tasks: 3, Submitted: hour, Ended: 2 * hour, Service: 3 * 3600},
		{Outcome: policy.Done, Tasks: 1, Submitted: hour, Ended: 6 * hour, Service: 5 * 3600, Wasted: 2 * 3600},
	}}, 4*hour)
	want := sigmaRun{miss: 200. / 3, tight: 50, givenUp: 50, goodput: 2 + 2 + 3 + 1, best: 3 + 1, latency: 3 * 3600, lost: 2}
	if math.Abs(got.miss-want.miss) > 1e-9 {
		t.Errorf("%v %% missed, want %v", got.miss, want.miss)
	}
	got.miss = want.miss
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The closed form against numbers.
func TestSigmaNormal(t *testing.T) {
	for _, n := range []sigmaNormal{{distuv.Normal{Mu: 10, Sigma: 3}}, {distuv.Normal{Mu: 1, Sigma: 2}}, {distuv.Normal{Mu: -5, Sigma: 1}}, {distuv.Normal{Mu: 1e4, Sigma: 100}}} {
		for _, at := range [][2]float64{{0, 1}, {0, 10}, {5, 12}, {9.9, 10.1}, {0, 100}, {9_000, 11_000}, {7, 7}} {
			want := quad.Fixed(n.Survival, at[0], at[1], 200, nil, 0)
			if got := n.SurvivalIntegral(at[0], at[1]); math.Abs(got-want) > 1e-9*max(1, at[1]) {
				t.Errorf("%+v from %v to %v: got %v, want %v", n.Normal, at[0], at[1], got, want)
			}
		}
		if got := n.SurvivalIntegral(0, 1e300); math.IsNaN(got) || math.IsInf(got, 0) {
			t.Errorf("%+v without end: %v", n.Normal, got)
		}
	}
}

// All times of the jobs are longer by one factor, so that what they offer is the same.
func TestSigmaOver(t *testing.T) {
	short := sigmaE2E(form{seeds: 1, few: 100}, 100)
	a, err := short.draw(3)
	if err != nil {
		t.Fatal(err)
	}
	b, err := short.over(2).draw(3)
	if err != nil {
		t.Fatal(err)
	}
	factor := 7200 / a.jobs[99].Submitted.Seconds()
	for i, x := range a.jobs {
		y := b.jobs[i]
		near := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want*factor) > 1e-6 {
				t.Errorf("job %d: %s is %v s, want %v times %v", i, what, got, factor, want)
			}
		}
		near("submission", y.Submitted.Seconds(), x.Submitted.Seconds())
		near("runtime", y.Ideal().Seconds(), x.Ideal().Seconds())
		if x.SLO != nil {
			near("deadline", y.SLO.Deadline.Seconds(), x.SLO.Deadline.Seconds())
		}
	}
	if got, want := workload.Measure(b.jobs).Load(256), workload.Measure(a.jobs).Load(256); math.Abs(got-want) > 1e-6 {
		t.Errorf("load is %v, was %v", got, want)
	}
}

// With the same samples PointRealEst is told their mean, and more samples begin as fewer do.
func TestSigmaSampled(t *testing.T) {
	d, err := sigmaE2E(form{seeds: 1, few: 10}, 10).draw(1)
	if err != nil {
		t.Fatal(err)
	}
	differ := false
	for _, j := range d.jobs {
		mean := func(s sigmaSystem, samples int) float64 {
			f, err := sampled(s, samples).forecast(&d)
			if err != nil {
				t.Fatal(err)
			}
			x, ok := f.(*sigmaSampled).runtime(&j.Job, j.Submitted)
			if !ok {
				t.Fatal("a job is not known")
			}
			return x.Mean()
		}
		for _, samples := range []int{1, 2, 50} {
			if got, want := mean(realEst, samples), mean(threeSigma, samples); got != want {
				t.Errorf("job %d by %d samples: PointRealEst knows %v, 3Sigma %v", j.ID, samples, got, want)
			}
		}
		differ = differ || mean(realEst, 1) != mean(realEst, 2)
	}
	if !differ { // all samples of a job of which one runtime is known are that
		t.Error("more samples say the same of all jobs")
	}
}

// Of the errors that PointRealEst is told of instead of its own as many are within a factor of two as are published.
func TestSigmaErring(t *testing.T) {
	s := &sigmaErring{seed: 1}
	near, n := 0.0, 20_000
	for id := range n {
		if x := s.factor(policy.JobID(id + 1)); 0.5 <= x && x <= 2 {
			near++
		}
	}
	if got := near / float64(n); math.Abs(got-0.92) > 0.006 {
		t.Errorf("%v are within a factor of two, want 0.92", got)
	}
}

// A greedy Prio kills the best-effort job that started last, and one that is aware of what a job prefers the last there.
func TestSigmaGreedy(t *testing.T) {
	job := func(id policy.JobID, submitted time.Duration) *workload.Job {
		return &workload.Job{
			Job:      policy.Job{ID: id, Submitted: policy.Time(submitted), Stages: []policy.Stage{{Tasks: 1, Cores: 1, Gang: true}}},
			Runtimes: [][]policy.Duration{{100 * time.Second}},
		}
	}
	urgent := job(3, 4*time.Second)
	urgent.SLO = &policy.SLO{Deadline: policy.Time(time.Hour), Utility: 1}
	urgent.Stages[0].Prefer, urgent.Stages[0].Elsewhere = []policy.PartitionID{1}, 2
	for aware, want := range map[bool][]float64{true: {201, 101, 104}, false: {100, 200, 204}} {
		jobs, truth := workload.Split([]*workload.Job{job(1, 0), job(2, time.Second), urgent})
		nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}, sim.Partition{Nodes: 1, Cores: 1})
		result, err := sim.Run(t.Context(), sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, newSigmaGreedy(aware))
		if err != nil {
			t.Fatal(err)
		}
		got := each(result.Jobs, func(j sim.JobRecord) float64 { return j.Ended.Seconds() })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("aware %v (-want +got):\n%s", aware, diff)
		}
	}
}
