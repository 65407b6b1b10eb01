package choose

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

const s = time.Second

// of gives a job a user and a program.
func of(j *workload.Job, user, program string) *workload.Job {
	j.Attrs = []policy.Attr{{Name: "user", Value: user}, {Name: "program", Value: program}}
	return j
}

func nodes(n int, cores int32) []policy.Node {
	return sim.Cluster(sim.Partition{Nodes: n, Cores: cores})
}

// The numbers of five jobs, worked out by hand.
func TestDescribe(t *testing.T) {
	gang := of(jobtest.Bag(3, 40*s, 10*s, 40*s, 20*s), "b", "p") // 120 core-seconds, as the longest decides
	gang.Stages[0].Gang = true
	gang.Requested = 60 * s
	many := jobtest.Bag(4, 60*s, s, s, s, s, s, s, s, s, s, 5*s) // 14
	many.SLO = &policy.SLO{Deadline: 1e12}
	many.Stages[0].Saves = true
	jobs := []*workload.Job{
		of(jobtest.Bag(1, 0, 10*s), "a", "p"), of(jobtest.Bag(2, 20*s, 12*s), "a", "p"), gang, many, jobtest.Bag(5, 100*s, 10*s),
	}
	got, err := Describe(jobs, nodes(10, 2))
	if err != nil {
		t.Fatal(err)
	}
	fast := nodes(10, 2)
	for i := range fast {
		fast[i].Speed = 4
	}
	if quarter, err := Describe(jobs, fast); err != nil || quarter.Load != got.Load/4 {
		t.Errorf("at speed 4 the load is %v, error %v, want a quarter of %v", quarter.Load, err, got.Load)
	}
	const mean = (10 + 12 + 120 + 14 + 10) / 5.0
	squares := 0.0
	for _, w := range []float64{10, 12, 120, 14, 10} {
		squares += (w - mean) * (w - mean)
	}
	want := Traits{
		Jobs: 5, Tasks: 16, Cores: 20, Span: 100, Load: 166.0 / 2000,
		MedianWork: 12, MaxWork: 120, CV: math.Sqrt(squares/5) / mean, Top: 120.0 / 166,
		Residual: (120 - 14) / mean, // the largest job, when it has had as much as the second largest has in all
		// The units run 9 times for 1 s, then 5, 10, 10, 12 and 40.
		MedianTask: 1, Tail: 40,
		// The first job of a program that comes again is the second. Predicted are 10 s of 12, 12 of the gang's 40 or so, and
		// so on: what the predictor says is its own affair.
		Programs: 3.0 / 5, Recurring: 1.0 / 5,
		Requested: 1.0 / 5, Gangs: 1.0 / 5, Bags: 4.0 / 5, Multicore: 120.0 / 166, Alike: 3.0 / 5,
		Many: 14.0 / 166, Spread: 5, Deadlines: 1.0 / 5, Saves: 1.0 / 5,
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 0), cmpopts.IgnoreFields(Traits{}, "WithinTwo", "Error", "Rank")); diff != "" {
		t.Errorf("traits, want less got:\n%s", diff)
	}
}

// drawn returns jobs of one task, whose runtimes are drawn, and every 10 s one is submitted. Program i of four runs for so
// long as runtime says.
func drawn(n int, runtime func(r *rand.Rand, program int) float64) []*workload.Job {
	r := rand.New(rand.NewPCG(5, 6))
	var jobs []*workload.Job
	for i := range n {
		p := r.IntN(4)
		d := time.Duration(runtime(r, p) * 1e9)
		jobs = append(jobs, of(jobtest.Bag(policy.JobID(i+1), time.Duration(i)*10*s, d), "ann", string(rune('a'+p))))
	}
	return jobs
}

func describe(t *testing.T, jobs []*workload.Job, nodes []policy.Node) Traits {
	t.Helper()
	got, err := Describe(jobs, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func first(t *Traits) string { return Candidates(t)[0].Name }

// Exponential runtimes that no attribute tells.
func TestExponential(t *testing.T) {
	jobs := drawn(4000, func(r *rand.Rand, _ int) float64 { return 5 * r.ExpFloat64() })
	for _, j := range jobs {
		j.Attrs = nil
	}
	got := describe(t, jobs, nodes(1, 1))
	// The standard error of the coefficient of variation of n exponential numbers is 1/sqrt(n), and that of the
	// correlation of ranks too. That of the mean residual work is largest where 40 jobs are left.
	if se := 1 / math.Sqrt(4000); math.Abs(got.CV-1) > 4*se || math.Abs(got.Residual-1) > 4/math.Sqrt(40) || math.Abs(got.Rank) > 4*se || got.Recurring != 0 || got.Predictable() {
		t.Errorf("%+v, want a coefficient of variation of 1, no correlation, and no prediction", got)
	}
}

// Nothing is known of jobs that are alike, and their work is NBUE: FIFO. Few giants, or two kinds, make it otherwise.
func TestNothingKnown(t *testing.T) {
	jobs := drawn(500, func(r *rand.Rand, _ int) float64 { return 10 * r.Float64() })
	for _, j := range jobs {
		j.Attrs = nil
	}
	little := describe(t, jobs, nodes(1, 1))
	if got := first(&little); got != "fifo" {
		t.Errorf("%s is first, want fifo: %+v", got, little)
	}
	jobs[40].Runtimes[0][0] = 1000 * s
	if giant := describe(t, jobs, nodes(1, 1)); first(&giant) != "index/none" {
		t.Errorf("%s is first, want index/none: %+v", first(&giant), giant)
	}
	// Half of the jobs run for 1 s and half for 10 s. The mean is 5.5 s, and who has run for 1 s and goes on has 9 s left.
	for i, j := range jobs {
		j.Runtimes[0][0] = []time.Duration{s, 10 * s}[i%2]
	}
	two := describe(t, jobs, nodes(1, 1))
	if want := 9 / 5.5; first(&two) != "index/none" || math.Abs(two.Residual-want) > 1e-9 || two.CV > 1 {
		t.Errorf("%s is first, want index/none; the residual %v, want %v, at a coefficient of variation below 1: %+v", first(&two), two.Residual, want, two)
	}
}

// Programs whose runtimes are a factor of ten apart, and within 5 % of their own.
func TestRecurring(t *testing.T) {
	got := describe(t, programs(1000), nodes(1, 1))
	if !got.Predictable() || got.Error > 0.05 || got.Rank < 0.9 || got.Recurring < 0.99 {
		t.Errorf("%+v, want jobs that are predicted to 5 %%", got)
	}
	if got := first(&got); got != "index" {
		t.Errorf("%s is first, want index", got)
	}
}

// One-core tasks need no filling and may be suspended; wide gangs need it.
func TestWidths(t *testing.T) {
	heavy := func(r *rand.Rand, _ int) float64 { return math.Exp(2 * r.NormFloat64()) }
	narrow := describe(t, drawn(500, heavy), nodes(10, 2))
	jobs := drawn(500, heavy)
	for i, j := range jobs {
		if i%2 == 0 {
			d := j.Runtimes[0][0]
			j.Runtimes[0] = []policy.Duration{d, d, d, d, d}
			j.Stages[0].Tasks, j.Stages[0].Gang = 5, true
		}
	}
	wide := describe(t, jobs, nodes(10, 2))
	names := func(t *Traits) (names []string) {
		for _, c := range Candidates(t) {
			names = append(names, c.Name)
		}
		return names
	}
	if diff := cmp.Diff([]string{"index/none", "index", "kairos-adaptive", "index@adaptive"}, names(&narrow)); diff != "" || narrow.Bags != 1 || narrow.Multicore != 0 {
		t.Errorf("of one-core tasks, want less got:\n%s%+v", diff, narrow)
	}
	if diff := cmp.Diff([]string{"index-easy/none", "index-easy", "sjf-easy"}, names(&wide)); diff != "" || wide.Bags != 0.5 || wide.Gangs != 0.5 || wide.Multicore < 0.5 {
		t.Errorf("of wide gangs, want less got:\n%s%+v", diff, wide)
	}
}

// If all jobs are as wide there is nothing narrower to fill gaps with.
func TestAlike(t *testing.T) {
	jobs := drawn(50, func(r *rand.Rand, _ int) float64 { return r.Float64() })
	for _, j := range jobs {
		j.Stages[0].Cores = 2
	}
	if got := describe(t, jobs, nodes(2, 2)); got.Fill() || got.Multicore != 1 || got.Alike != 1 {
		t.Errorf("%+v, want no filling", got)
	}
	jobs[7].Stages[0].Cores = 1
	if got := describe(t, jobs, nodes(2, 2)); !got.Fill() {
		t.Errorf("%+v, want filling", got)
	}
}

// A job is predicted by those that have ended when it is submitted, and by no others.
func TestOnlyEnded(t *testing.T) {
	for submitted, want := range map[time.Duration]float64{99 * s: 0, 100 * s: 0.5} {
		jobs := []*workload.Job{of(jobtest.Bag(1, 0, 100*s), "a", "p"), of(jobtest.Bag(2, submitted, 110*s), "a", "p")}
		if got := describe(t, jobs, nodes(2, 1)); got.WithinTwo != want || math.Abs(got.Error-want/5.5) > 1e-12 || got.Recurring != 0.5 {
			t.Errorf("submitted after %v: %v are predicted, error %v, want %v and %v", submitted, got.WithinTwo, got.Error, want, want/5.5)
		}
	}
}

// Multiplying all times by a factor changes times, and nothing else.
func TestScale(t *testing.T) {
	jobs := jobtest.Generate(t, 400)
	const factor = 7
	var longer []*workload.Job
	for _, j := range jobs {
		l := *j
		l.Submitted *= factor
		l.Runtimes = nil
		for _, tasks := range j.Runtimes {
			var times []policy.Duration
			for _, d := range tasks {
				times = append(times, factor*d)
			}
			l.Runtimes = append(l.Runtimes, times)
		}
		longer = append(longer, &l)
	}
	want, got := describe(t, jobs, nodes(9, 4)), describe(t, longer, nodes(9, 4))
	for _, x := range []*float64{&want.Span, &want.MedianWork, &want.MaxWork, &want.MedianTask} {
		*x *= factor
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("traits of times as long, want less got:\n%s", diff)
	}
	if a, b := want.Settings(), got.Settings(); !cmp.Equal(a, b, cmpopts.EquateApprox(1e-9, 0)) {
		t.Errorf("settings are %+v and %+v, want the same", b, a)
	}
}

func TestSettings(t *testing.T) {
	got := (&Traits{MedianWork: 20, MaxWork: 1999, MedianTask: 3}).Settings()
	// Levels end at 20 and 200. The last has no end, and ten times its beginning exceeds the largest job.
	if want := (Settings{QueueFirst: 20, QueueLevels: 3, Quantum: 3, Report: 0.3}); !cmp.Equal(want, got, cmpopts.EquateApprox(1e-12, 0)) {
		t.Errorf("settings are %+v, want %+v", got, want)
	}
	if got := (&Traits{MedianWork: 1e-300, MaxWork: 1e300}).Settings().QueueLevels; got != 64 { // their ratio is infinite
		t.Errorf("%d levels for work without bound, want 64", got)
	}
}

// Spearman's correlation by its formula without ties, and what ties and orders do to it.
func TestSpearman(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5}, []float64{2, 1, 40, 3, 50}
	if got, want := spearman(x, y), 1-6*(1+1+1+1+0)/(5.0*24); math.Abs(got-want) > 1e-12 {
		t.Errorf("correlation %v, want %v", got, want)
	}
	if got := spearman(x, []float64{7, 7, 7, 7, 7}); got != 0 {
		t.Errorf("correlation with equal numbers %v, want 0", got)
	}
	if got := ranks([]float64{3, 1, 3, 2, 3}); !cmp.Equal(got, []float64{3, 0, 3, 1, 3}) {
		t.Errorf("ranks %v, want equal ones to share theirs", got)
	}
	for _, x := range [][]float64{nil, {1}} {
		if got := spearman(x, x); got != 0 {
			t.Errorf("correlation of %v with itself %v, want 0", x, got)
		}
	}
}
