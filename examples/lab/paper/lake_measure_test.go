package paper_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
)

func lakeLog(t testing.TB, l paper.Lake) *paper.LakeLog {
	t.Helper()
	log, err := l.Log()
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// theLake is the default one, made once.
var theLake = sync.OnceValues(func() (*paper.LakeLog, error) { return paper.DefaultLake().Log() })

func defaultLake(t testing.TB) *paper.LakeLog {
	t.Helper()
	log, err := theLake()
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// provenances are made once for each log.
var provenances sync.Map

func provenanceOf(log *paper.LakeLog) *provenance.Log {
	l, ok := provenances.Load(log)
	if !ok {
		l, _ = provenances.LoadOrStore(log, log.Provenance())
	}
	return l.(*provenance.Log)
}

// lakeJob is what is known of a job, by its names, and the truth.
type lakeJob struct {
	paper.LakeTruth
	ID                       policy.JobID
	Name, User, Organisation string // Name is that of its template
	Submitted, Completed     policy.Time
	MissingInput             bool
	Priority, CoreSeconds    float64
}

func lakeJobs(t testing.TB, log *paper.LakeLog) []lakeJob {
	t.Helper()
	var jobs []lakeJob
	l := provenanceOf(log)
	for i, j := range l.Jobs {
		id := policy.JobID(i + 1)
		truth, err := log.Truth(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.IDs.Name(uint32(i)); got != fmt.Sprint(id) {
			t.Fatalf("got job %q, want %d", got, id)
		}
		missing := j.State == provenance.NoInput
		if missing {
			truth.Reads = nil // it read nothing
		}
		jobs = append(jobs, lakeJob{
			truth, id, l.Templates.Name(j.Template), l.Users.Name(j.User), l.Orgs.Name(j.Org),
			policy.Time(j.Submitted), policy.Time(j.Completed), missing, j.Priority, j.Compute,
		})
	}
	return jobs
}

// lakeFigures are those that the paper has of Cosmos: what is published, and what is one unit
// of its last digit. Wanted says what is to come out: that (fields of [paper.Lake] are such,
// or fitted), more, less, or what comes out is only shown.
var lakeFigures = []struct {
	name            string
	published, unit float64
	wanted          byte
}{
	{"jobs a day", 2000, 50, '='}, // a twentieth
	{"recurring jobs", 0.68, 0.01, '='},
	{"dependent jobs", 0.80, 0.01, '='},
	{"blind of recurring jobs", 0.34, 0.01, '='},
	{"dependencies a job", 4, 0.1, '='},
	{"recurring of dependencies", 0.79, 0.01, '='},
	{"dependencies within a week", 0.98, 0.01, ' '},
	{"cross-organisation dependencies", 0.33, 0.01, '='},
	{"... of those between templates", 0.17, 0.01, '='},
	{"jobs at an end of one", 0.28, 0.01, '='},
	{"... of recurring jobs", 0.23, 0.01, '='},
	{"jobs that read across", 0.20, 0.01, '='},
	{"organisations with such, up to", 0.95, 0.01, ' '},
	{"jobs in the largest component, more than", 0.50, 0.01, '>'},
	{"jobs in components of ten, more than", 0.80, 0.01, '>'},
	{"jobs that read from a lower priority", 0.13, 0.01, '='},
	{"templates read from a higher priority", 0.21, 0.01, '='},
	{"ad-hoc jobs above their queue, up to", 0.33, 0.01, '='},
	{"jobs to shift by 1 h", 0.31, 0.01, ' '},
	{"jobs to shift by 3 h", 0.27, 0.01, ' '},
	{"jobs to shift by 6 h", 0.22, 0.01, ' '},
	{"jobs to shift by 12 h", 0.14, 0.01, ' '},
	{"templates with gaps of a week", 0.11, 0.01, '='},
	{"... their share of recurring jobs", 0.03, 0.01, ' '},
	{"downloads of ad-hoc jobs", 0.10, 0.01, '='},
	{"value not in jobs but in their readers", 0.83, 0.01, '='},
	{"jobs whose input was missing, less than", 0.01, 0.01, '<'},
}

// lakeShare counts what has a property.
type lakeShare struct{ some, all float64 }

func (s *lakeShare) count(is bool) {
	if s.all++; is {
		s.some++
	}
}

// measureLake measures the figures by what is true of a log. Jobs and reads count from the
// eighth day on, since what was written long before the log is not in it.
func measureLake(t testing.TB, log *paper.LakeLog) map[string]float64 {
	t.Helper()
	const week = 7 * 24 * time.Hour
	jobs := lakeJobs(t, log)
	shares := make(map[string]*lakeShare)
	share := func(name string) *lakeShare {
		shares[name] = new(lakeShare)
		return shares[name]
	}
	within, recurDeps, crossDeps := share("dependencies within a week"), share("recurring of dependencies"), share("cross-organisation dependencies")
	crossPairs, crossReads, lowerReads := share("... of those between templates"), share("jobs that read across"), share("jobs that read from a lower priority")
	dependent, recurring, missing := share("dependent jobs"), share("recurring jobs"), share("jobs whose input was missing, less than")
	blind, inLargest, inTen := share("blind of recurring jobs"), share("jobs in the largest component, more than"), share("jobs in components of ten, more than")
	atEnd, recurAtEnd, above := share("jobs at an end of one"), share("... of recurring jobs"), share("ad-hoc jobs above their queue, up to")
	slowTemplates, slowJobs, readAbove := share("templates with gaps of a week"), share("... their share of recurring jobs"), share("templates read from a higher priority")
	hours := [...]policy.Duration{1, 3, 6, 12}
	var shifts [len(hours)]*lakeShare
	for k, h := range hours {
		shifts[k] = share(fmt.Sprintf("jobs to shift by %d h", h))
	}

	parent := make([]int, len(jobs))
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	across, firstUse := make([]bool, len(jobs)), make([]policy.Time, len(jobs))
	for i := range jobs {
		parent[i], firstUse[i] = i, math.MaxInt64
		if d := log.Downloads(jobs[i].ID); len(d) > 0 {
			firstUse[i] = d[0]
		}
	}
	crossing, pairs, below := make(map[string]bool), make(map[[2]int]bool), make(map[int]bool)
	sums, counts := make(map[string]float64), make(map[string]float64)
	runs := make(map[int][]policy.Time)
	dependencies, n := 0.0, 0.0
	for i := range jobs {
		j := &jobs[i]
		if j.Template >= 0 {
			runs[j.Template] = append(runs[j.Template], j.Submitted)
			sums[j.Organisation] += j.Priority
			counts[j.Organisation]++
		}
		for _, id := range j.Reads {
			u := &jobs[id-1]
			if u.Completed > j.Submitted || u.ID >= j.ID || u.MissingInput {
				t.Fatalf("job %d at %v reads from job %d that is done at %v, missing %v", j.ID, j.Submitted, u.ID, u.Completed, u.MissingInput)
			}
			firstUse[id-1] = min(firstUse[id-1], j.Submitted)
			parent[find(i)] = find(int(id) - 1)
			if u.Organisation != j.Organisation {
				across[i], across[id-1] = true, true
				crossing[u.Organisation], crossing[j.Organisation] = true, true
			}
		}
		if j.Submitted < policy.Time(week) {
			continue
		}
		n++
		dependencies += float64(len(j.Reads))
		recurs, inverted, reads := j.Template >= 0, false, false
		for _, id := range j.Reads {
			u := &jobs[id-1]
			cross := u.Organisation != j.Organisation
			within.count(j.Submitted.Sub(u.Completed) <= week)
			recurDeps.count(recurs && u.Template >= 0)
			crossDeps.count(cross)
			reads = reads || cross
			lower := !cross && u.Priority < j.Priority
			inverted = inverted || lower
			if recurs && u.Template >= 0 {
				if lower {
					below[u.Template] = true
				}
				if pair := [2]int{u.Template, j.Template}; !pairs[pair] {
					pairs[pair] = true
					crossPairs.count(cross)
				}
			}
		}
		crossReads.count(reads)
		lowerReads.count(inverted)
		dependent.count(j.Kind != paper.LakeRoot)
		recurring.count(recurs)
		missing.count(j.MissingInput)
		if recurs {
			blind.count(j.Kind == paper.LakeBlind)
		}
	}

	// Value flows upstream, in equal parts (section 4.5), here without a window.
	value, sizes := make([]float64, len(jobs)), make([]int, len(jobs))
	aggregate, local, adHoc := 0.0, 0.0, 0.0
	for i := len(jobs) - 1; i >= 0; i-- {
		own := float64(len(log.Downloads(jobs[i].ID)))
		if value[i] += own; jobs[i].Template < 0 {
			adHoc += own
		}
		local += own
		aggregate += value[i]
		for _, id := range jobs[i].Reads {
			value[id-1] += value[i] / float64(len(jobs[i].Reads))
		}
		sizes[find(i)]++
	}
	largest := slices.Max(sizes)
	for i := range jobs {
		j := &jobs[i]
		size := sizes[find(i)]
		inLargest.count(size == largest)
		inTen.count(size >= 10)
		if j.Submitted < policy.Time(week) {
			continue
		}
		atEnd.count(across[i])
		if j.Template < 0 {
			above.count(j.Priority > sums[j.Organisation]/counts[j.Organisation])
		} else {
			recurAtEnd.count(across[i])
		}
		for k, h := range hours {
			shift := h * time.Hour
			shifts[k].count(j.Template >= 0 && j.Completed.Sub(j.Submitted) < shift && firstUse[i].Sub(j.Completed) > shift)
		}
	}
	for _, template := range slices.Sorted(maps.Keys(runs)) {
		times := runs[template]
		// A gap is a little less than a week where a run is a little late.
		slow := len(times) < 2 || float64(times[len(times)-1].Sub(times[0])) >= 0.99*float64(week)*float64(len(times)-1)
		slowTemplates.count(slow)
		readAbove.count(below[template])
		for range times {
			slowJobs.count(slow)
		}
	}
	figures := map[string]float64{
		"jobs a day":                             n / (log.End().Sub(policy.Time(week)).Hours() / 24),
		"dependencies a job":                     dependencies / n,
		"organisations with such, up to":         float64(len(crossing)) / float64(len(maps.Collect(log.Queues()))),
		"downloads of ad-hoc jobs":               adHoc / local,
		"value not in jobs but in their readers": 1 - local/aggregate,
	}
	for name, s := range shares {
		figures[name] = s.some / max(1, s.all)
	}
	return figures
}

// The figures that the paper has of Cosmos beside those that come out, in the mean over seeds.
func lakeIsLikeCosmos(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	const seeds = 3
	values := make(map[string][]float64)
	for seed := range uint64(seeds) {
		l := paper.DefaultLake()
		l.Seed = seed + 1
		for name, x := range measureLake(t, lakeLog(t, l)) {
			values[name] = append(values[name], x)
		}
	}
	t.Logf("%-42s %9s %9s %9s", "", "published", "mean", "sigma")
	for _, f := range lakeFigures {
		mean, sigma := jobtest.Moments(values[f.name])
		t.Logf("%-42s %9.3f %9.3f %9.4f", f.name, f.published, mean, sigma)
		// The published figure is rounded, and the mean as uncertain as the seeds differ.
		within := f.unit/2 + 4*sigma/math.Sqrt(float64(seeds))
		switch {
		case f.wanted == '=' && !(math.Abs(mean-f.published) <= within),
			f.wanted == '>' && !(mean > f.published),
			f.wanted == '<' && !(mean < f.published):
			t.Errorf("%s: got %.4f in the mean, want %c %v within %.4f", f.name, mean, f.wanted, f.published, within)
		}
	}
	if len(values) != len(lakeFigures) {
		t.Errorf("got %d figures, want %d", len(values), len(lakeFigures))
	}
}
