package paper_test

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// The join of reads with the last writes before them (section 4.2) finds what is true, and
// credits downloads to the jobs whose they are.
func TestLakeOperationsTellReads(t *testing.T) {
	for _, log := range []*paper.LakeLog{defaultLake(t), lakeLog(t, small())} {
		jobs := lakeJobs(t, log)
		reads := make([]map[policy.JobID]bool, len(jobs))
		downloads := make([][]policy.Time, len(jobs))
		writer := make(map[uint32]policy.JobID)
		last, wrote, fromOutside, overwritten := provenance.Time(0), true, 0, 0
		for _, o := range provenanceOf(log).Ops {
			write, download := o.Kind == provenance.Write, o.Job == provenance.User
			if o.Time < last || o.Time == last && write && !wrote {
				t.Fatalf("%+v comes after %v, where a write was last: %v", o, last, wrote)
			}
			last, wrote = o.Time, write
			if !download && int(o.Job) >= len(jobs) {
				t.Fatalf("%+v is by a job that is not in the log", o)
			}
			by, known := writer[o.File]
			switch {
			case download:
				if write || !known {
					t.Fatalf("%+v: want a read of a file that a job wrote", o)
				}
				downloads[by-1] = append(downloads[by-1], policy.Time(o.Time))
			case write:
				if known {
					overwritten++
				}
				writer[o.File] = policy.JobID(o.Job + 1)
				if got := jobs[o.Job].Completed; got != policy.Time(o.Time) {
					t.Fatalf("job %d is done at %v and writes at %v", o.Job+1, got, o.Time)
				}
			case !known:
				fromOutside++
			default:
				if reads[o.Job] == nil {
					reads[o.Job] = make(map[policy.JobID]bool)
				}
				reads[o.Job][by] = true
			}
		}
		for i := range jobs {
			if got := reads[i]; len(got) != len(jobs[i].Reads) {
				t.Fatalf("job %d of kind %v: found that it reads %v, want %v", i+1, jobs[i].Kind, got, jobs[i].Reads)
			}
			for _, id := range jobs[i].Reads {
				if !reads[i][id] {
					t.Fatalf("job %d: found that it reads %v, want %v", i+1, reads[i], jobs[i].Reads)
				}
			}
			if want := log.Downloads(jobs[i].ID); !slices.Equal(want, downloads[i]) {
				t.Fatalf("job %d: found %d downloads, want %d at\n%v", i+1, len(downloads[i]), len(want), cmp.Diff(want, downloads[i]))
			}
		}
		if fromOutside == 0 || overwritten == 0 {
			t.Errorf("%d reads of what no job wrote, %d files written again; want some", fromOutside, overwritten)
		}
	}
}

// Names without dates, numbers and hashes are those of templates, and those of ad-hoc jobs do
// not come again.
func TestLakeNamesTellTemplates(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	strip := regexp.MustCompile(`[0-9a-f]{16}|[0-9TZ]+`)
	names, templates := make(map[string]int), make(map[int]string)
	runs := 0
	log := defaultLake(t)
	jobs := lakeJobs(t, log)
	for i, r := range slices.Concat(jobtest.All(t, log.History()), jobtest.All(t, log.Source())) {
		j := &jobs[i]
		jobname, _ := r.Attr("jobname")
		name := strip.ReplaceAllString(jobname, "")
		template, seen := names[name]
		if seen && (template != j.Template || template < 0) {
			t.Fatalf("job %d of template %d has name %q, which template %d has", j.ID, j.Template, jobname, template)
		}
		names[name] = j.Template
		if j.Template < 0 {
			continue
		}
		if before, seen := templates[j.Template]; seen && before != name {
			t.Fatalf("template %d has names %q and %q", j.Template, before, name)
		}
		if name == jobname {
			t.Fatalf("job %d: name %q has neither date nor number", j.ID, jobname)
		}
		templates[j.Template] = name
		runs++
	}
	if runs < 5*len(templates) {
		t.Errorf("%d runs of %d templates", runs, len(templates))
	}
}

// Jobs do what their kind says.
func TestLakeKinds(t *testing.T) {
	log := defaultLake(t)
	jobs := lakeJobs(t, log)
	kinds := make(map[paper.LakeKind]int)
	for i := range jobs {
		j := &jobs[i]
		kinds[j.Kind]++
		if truth, _ := log.Truth(j.ID); (j.Kind == paper.LakeRoot) && len(truth.Reads) > 0 {
			t.Fatalf("job %d reads %v, want nothing", j.ID, truth.Reads)
		}
		if j.MissingInput && (j.Kind != paper.LakeBlind || j.Completed != j.Submitted || len(log.Downloads(j.ID)) > 0) {
			t.Fatalf("job %+v was without input; want a blind one, over at once, without downloads", j)
		}
		if !j.MissingInput && j.Completed <= j.Submitted {
			t.Fatalf("job %+v took no time", j)
		}
		if j.Kind != paper.LakePolling || j.Submitted < policy.Time(16*24*time.Hour) || len(j.Reads) == 0 {
			continue // or what it read last may be from before the log
		}
		done := policy.Time(0)
		for _, id := range j.Reads {
			done = max(done, jobs[id-1].Completed)
		}
		if wait := j.Submitted.Sub(done); wait < 0 || wait > 15*time.Minute {
			t.Fatalf("job %d polls and is submitted %v after its input is there, want 0 to 15 min", j.ID, wait)
		}
	}
	for k := range paper.LakeKind(4) {
		if kinds[k] == 0 {
			t.Errorf("no job is %v", k)
		}
	}
}

// Templates are downloaded by Zipf's law, and jobs as often as they: the paper fits s = 1
// to the jobs, but for those with few downloads.
func TestLakeDownloadsAreZipf(t *testing.T) {
	log := defaultLake(t)
	means := make(map[int]float64)
	var jobs []float64
	total, from := 0, 0
	for _, j := range lakeJobs(t, log) {
		if j.Template >= 0 {
			means[j.Template] = j.LakeTruth.Downloads
		}
		times := log.Downloads(j.ID)
		if j.Submitted >= log.Begin() {
			total += len(times)
			from++
		}
		jobs = append(jobs, float64(len(times)))
		for _, at := range times {
			if d := at.Sub(j.Completed); d < 0 || d > 7*24*time.Hour {
				t.Fatalf("job %d is downloaded %v after it is done, want 0 to a week", j.ID, d)
			}
		}
	}
	if total != log.Achievable() {
		t.Errorf("%d jobs of the experiment are worth %d, want %d", from, log.Achievable(), total)
	}
	var templates []float64
	for _, x := range means {
		templates = append(templates, x)
	}
	slices.Sort(templates)
	slices.Reverse(templates)
	for i, x := range templates {
		if got := x * float64(i+1) / templates[0]; math.Abs(got-1) > 0.02 { // a template may be without runs
			t.Fatalf("rank %d has %v of the downloads of rank 1, want 1/%d", i+1, x/templates[0], i+1)
		}
	}
	// Runs of a template share its rank: there are about 24 for each.
	slices.Sort(jobs)
	slices.Reverse(jobs)
	slope := math.Log(jobs[5000]/jobs[200]) / math.Log(5000./200)
	t.Logf("slope of jobs' downloads over rank, 200 to 5000: %.3f; %v have none", slope, slices.Index(jobs, 0))
	if math.Abs(slope+1) > 0.15 {
		t.Errorf("downloads fall with rank to the power of %.3f, want -1 within 0.15", slope)
	}
}

func TestLakeAttained(t *testing.T) {
	log := lakeLog(t, small())
	rng := rand.New(rand.NewPCG(1, 1))
	jobs := lakeJobs(t, log)
	for range 2000 {
		j := &jobs[rng.IntN(len(jobs))]
		at := j.Submitted.Add(policy.Duration(rng.Int64N(int64(9 * 24 * time.Hour))))
		times := log.Downloads(j.ID)
		if len(times) > 0 && rng.IntN(2) == 0 {
			at = times[rng.IntN(len(times))] // a download at that instant is attained
		}
		want := 0
		for _, d := range times {
			if d >= at {
				want++
			}
		}
		if got := log.Attained(j.ID, at); got != want {
			t.Fatalf("job %d, done at %v: attained %d, want %d", j.ID, at, got, want)
		}
		if got := log.Attained(j.ID, j.Completed); got != len(times) {
			t.Fatalf("job %d, in time: attained %d, want %d", j.ID, got, len(times))
		}
	}
	for _, id := range []policy.JobID{0, policy.JobID(len(jobs) + 1), math.MaxUint32} {
		if log.Attained(id, 0) != 0 || log.Downloads(id) != nil {
			t.Errorf("job %d is not in the log, but downloaded", id)
		}
		if _, err := log.Truth(id); err == nil || !strings.Contains(err.Error(), "is not in the log, want 1 to") {
			t.Errorf("truth about job %d: got error %v", id, err)
		}
	}
}

// Jobs are those of the records, and read what is true.
func TestLakeSource(t *testing.T) {
	l, log := paper.DefaultLake(), defaultLake(t)
	history, experiment := jobtest.All(t, log.History()), jobtest.All(t, log.Source())
	records := lakeJobs(t, log)
	if len(history)+len(experiment) != len(records) {
		t.Fatalf("%d and %d jobs, want %d", len(history), len(experiment), len(records))
	}
	share := make(map[string]float64)
	sum := 0.0
	for name, x := range log.Queues() {
		share[name] = x
		sum += x
	}
	if math.Abs(sum-1) > 1e-9 || len(share) != l.Organisations {
		t.Errorf("%d queues have %v of the cluster, want %d and 1", len(share), sum, l.Organisations)
	}
	work := 0.0
	for i, j := range slices.Concat(history, experiment) {
		r := &records[i]
		if err := j.Validate(); err != nil {
			t.Fatal(err)
		}
		name, _ := j.Attr("jobname")
		program, _ := j.Attr("program")
		user, _ := j.Attr("user")
		hour, _ := j.Attr("hour")
		day, _ := j.Attr("day")
		if j.ID != r.ID || j.Submitted != r.Submitted || j.Queue != r.Organisation || provenance.Template(name) != r.Name || program != r.Name || user != r.User || j.Priority != r.Priority {
			t.Fatalf("job %+v, want that of %+v", j.Job, r)
		}
		at := time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC).Add(time.Duration(j.Submitted))
		if !j.At.Equal(at) || hour != at.Format("15") && "0"+hour != at.Format("15") || day != at.Format("Monday") {
			t.Fatalf("job %d at %v: hour %s, day %s", j.ID, j.At, hour, day)
		}
		first := policy.JobID(1)
		if i >= len(history) {
			first = policy.JobID(len(history) + 1)
			work += j.Work()
		}
		truth, _ := log.Truth(j.ID)
		var want []policy.JobID
		for _, id := range truth.Reads {
			if id >= first && r.Kind != paper.LakeTolerant {
				want = append(want, id)
			}
		}
		var got []policy.JobID
		if j.Inputs != nil {
			got = j.Inputs.Jobs
			if j.Inputs.Wait != (r.Kind == paper.LakePolling) {
				t.Fatalf("job %d of kind %v waits: %v", j.ID, r.Kind, j.Inputs.Wait)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("job %d of kind %v has inputs %v, want %v", j.ID, r.Kind, got, want)
		}
		if !r.MissingInput && (j.Ideal() != r.Completed.Sub(r.Submitted) || math.Abs(j.Work()/r.CoreSeconds-1) > 1e-12) {
			t.Fatalf("job %d runs for %v with %v core-seconds, want %v and %v", j.ID, j.Ideal(), j.Work(), r.Completed.Sub(r.Submitted), r.CoreSeconds)
		}
		if most := max(1, 0.2*share[j.Queue]*float64(l.Cores)); !j.Stages[0].Gang || float64(j.Tasks()) > most {
			t.Fatalf("job %d is %d wide, want a gang of at most %v", j.ID, j.Tasks(), most)
		}
	}
	// Widths are whole numbers, and one factor sets them all.
	if load := work / float64(l.Cores) / (log.End() - log.Begin()).Seconds(); math.Abs(load-l.Load) > 0.01*l.Load {
		t.Errorf("got load %v, want %v", load, l.Load)
	}
}

// lakeRun runs the experiment on a share of the cluster, as one queue, and returns what became
// of its jobs, and the share of the value that they attained.
func lakeRun(t testing.TB, log *paper.LakeLog, cores int, p policy.Scheduler) (*sim.Result, float64) {
	t.Helper()
	jobs, truth := workload.SplitSource(log.Source())
	// Every violation of the contract ends the run with an error.
	result, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: cores, Cores: 1}), Jobs: jobs, Truth: truth}, p)
	if err != nil {
		t.Fatal(err)
	}
	value := 0
	for i := range result.Jobs {
		if r := &result.Jobs[i]; r.Done() {
			value += log.Attained(r.ID, r.Ended)
		}
	}
	return result, float64(value) / float64(log.Achievable())
}

// On the whole cluster everything goes as it did in the log (section 7: more than 99 % of the
// jobs are done, with any policy); the smaller the cluster, the later jobs end, and the more
// of those that read from them fail.
func TestLakeRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	l, log := paper.DefaultLake(), defaultLake(t)
	jobs, missing := 0, 0
	for _, r := range lakeJobs(t, log) {
		if r.Submitted >= log.Begin() {
			jobs++
			if r.MissingInput {
				missing++
			}
		}
	}
	t.Logf("%d jobs, of which %d failed in the log; they are worth %d downloads", jobs, missing, log.Achievable())
	last, failed := 1.0, 0
	for _, percent := range []int{100, 60, 20} {
		result, value := lakeRun(t, log, l.Cores*percent/100, baseline.NewPriority())
		n, missed := 0, 0
		for i := range result.Jobs {
			switch o := result.Jobs[i].Outcome; o {
			case policy.Done:
				n++
			case policy.NoInput:
				missed++
			default:
				t.Fatalf("job %d has ended with %v", result.Jobs[i].ID, o)
			}
		}
		t.Logf("%3d %% of the cluster: %5.1f %% of the value, %4.1f %% of the jobs without input; utilization %.2f",
			percent, 100*value, 100*float64(missed)/float64(jobs), result.Metrics().Utilization)
		if n+missed != jobs {
			t.Errorf("%d jobs have ended, want %d", n+missed, jobs)
		}
		if value > last || missed < failed {
			t.Errorf("%v of the value and %d failures, want less and more than on more cores: %v and %d", value, missed, last, failed)
		}
		if percent == 100 && !(value > 0.99 && n*100 > 99*jobs && missed >= missing) {
			t.Errorf("%v of the value, and %d of %d jobs done; want more than 99 %% of both", value, n, jobs)
		}
		if percent == 20 && !(value < 0.95) {
			t.Errorf("%v of the value on a fifth of the cluster: it is not too small", value)
		}
		last, failed = value, missed
	}
}
