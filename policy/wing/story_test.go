package wing_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/workload"
)

// A download is what users take of a job's output at an instant; it is attained if the job has
// completed by then (section 6).
type download struct {
	at    policy.Duration
	count float64
}

// The log of a morning on 4 cores. Each job is a gang of them all, so one runs at a time.
//
//	job     template  submitted  runs   priority  downloads
//	1       bulk          0 s    40 s      7      1 at 100 s
//	2       memo          0 s    10 s      5      10 at 25 s
//	3       feed          0 s    10 s      1      none, but the report reads it
//	4       report       20 s    10 s      8      100 at 60 s
//
// The feed has a lower priority than the report that reads it: observation 2 finds 21 % of templates
// where that can happen.
const (
	bulk = iota
	memo
	feed
	report
)

var downloads = [][]download{{{100 * s, 1}}, {{25 * s, 10}}, nil, {{60 * s, 100}}}

// morning returns the jobs. The report waits for the feed, or fails without it.
func morning(waits bool) []*workload.Job {
	make := func(id policy.JobID, template string, at, runs policy.Duration, priority float64) *workload.Job {
		j := &workload.Job{Job: policy.Job{
			ID: id, Submitted: policy.Time(at), Priority: priority, Attrs: []policy.Attr{{Name: "template", Value: template}},
			Stages: []policy.Stage{{Tasks: 4, Cores: 1, Gang: true}},
		}}
		j.Runtimes = [][]policy.Duration{{runs, runs, runs, runs}}
		return j
	}
	jobs := []*workload.Job{
		make(1, "bulk", 0, 40*s, 7), make(2, "memo", 0, 10*s, 5), make(3, "feed", 0, 10*s, 1), make(4, "report", 20*s, 10*s, 8),
	}
	jobs[report].Inputs = &policy.Inputs{Jobs: []policy.JobID{3}, Wait: waits}
	return jobs
}

// attained runs the jobs under a policy, and returns the downloads attained.
func attained(t *testing.T, c wing.Config, jobs []*workload.Job) (value float64, outcomes []policy.Outcome) {
	t.Helper()
	source, truth := workload.Split(jobs)
	result, err := sim.Run(t.Context(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 2}), Jobs: source, Truth: truth,
	}, must(wing.NewScheduler(c)))
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range result.Jobs {
		outcomes = append(outcomes, r.Outcome)
		for _, d := range downloads[i] {
			if r.Done() && r.Ended <= policy.Time(d.at) {
				value += d.count
			}
		}
	}
	return value, outcomes
}

// What each ranker attains of the morning's 111 downloads, and why.
func TestMorning(t *testing.T) {
	// Efficiencies of the log, in downloads per core-second: of the job alone, and with all that
	// depends on it. Only the feed differs: it is worth nothing by itself, and 100 in the 40
	// core-seconds of its own and the 40 of the report.
	direct := map[string]float64{"bulk": 1. / 160, "memo": 10. / 40, "feed": 0, "report": 100. / 40}
	aggregate := map[string]float64{"bulk": 1. / 160, "memo": 10. / 40, "feed": 100. / 80, "report": 100. / 40}
	lookup := func(e map[string]float64) wing.Ranker {
		return must(wing.NewLookup(wing.LookupConfig{Efficiency: medians{templates: e}.of}))
	}
	oracle := wing.Fixed(func(j *policy.Job) float64 { return []float64{1. / 160, 10. / 40, 100. / 80, 100. / 40}[j.ID-1] })
	// Functions of the instant of completion. The report's submission, at 20 s, takes from the feed what
	// the report is worth; the feed's own value is 0 all the time.
	own := func(id policy.JobID, work float64, runs policy.Duration, until policy.Duration, value, left float64) wing.Valuation {
		return wing.Valuation{Value: steps([]int64{int64(until)}, []float64{value, left}), Runtime: runs, Work: work}
	}
	local := valuations{
		1: own(1, 160, 40*s, 100*s, 1, 0), 2: own(2, 40, 10*s, 25*s, 10, 0), 3: own(3, 40, 10*s, 0, 0, 0), 4: own(4, 40, 10*s, 60*s, 100, 0),
	}
	informed := valuations{1: local[1], 2: local[2], 3: own(3, 80, 10*s, 20*s, 100, 0), 4: local[4]}
	mil := func(v valuations) wing.Ranker { return must(wing.NewMIL(wing.MILConfig{Value: v.of})) }
	raise := must(wing.NewRaise(wing.RaiseConfig{Ranker: wing.ByPriority(), Dependents: feedIsRead}))

	for _, test := range []struct {
		name   string
		c      wing.Config
		waits  bool
		want   float64
		report policy.Outcome
	}{
		// The bulk runs first, until 40 s. The report comes at 20 s, finds no feed and fails; the memo
		// comes too late for its readers. What is left is the bulk's one download.
		{"PRIO", wing.Config{Ranker: wing.ByPriority()}, false, 1, policy.NoInput},
		// The memo is worth most for its time, so its 10 are saved. The feed is worth nothing by
		// itself: the bulk goes before it, and the report fails as before.
		{"Wing-Direct", wing.Config{Ranker: lookup(direct)}, false, 11, policy.NoInput},
		// The feed goes first, since the report hangs on it; it is there at 20 s, and nothing is lost.
		{"Wing-Agg", wing.Config{Ranker: lookup(aggregate)}, false, 111, policy.Done},
		{"Oracle Wing-Agg", wing.Config{Ranker: oracle}, false, 111, policy.Done},
		// The same two ways to value the feed, with value that falls.
		{"MIL", wing.Config{Ranker: mil(local)}, false, 11, policy.NoInput},
		{"Wing-MIL", wing.Config{Ranker: mil(informed)}, false, 111, policy.Done},
		// Raised to the report's 8, the feed goes before the bulk. The report runs after the bulk, until
		// 60 s, just in time; the memo's priority is still too low.
		{"PRIO raised", wing.Config{Ranker: raise}, false, 101, policy.Done},
		// A report that waits for the feed does not fail, but the memo goes before the feed, and at
		// 60 s the report is not done. If the feed inherits the report's priority, it is.
		{"PRIO, report waits", wing.Config{Ranker: wing.ByPriority()}, true, 1, policy.Done},
		{"PRIO inherited, report waits", wing.Config{Ranker: wing.ByPriority(), Inherit: wing.FromQueue}, true, 101, policy.Done},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, outcomes := attained(t, test.c, morning(test.waits))
			if got != test.want || outcomes[report] != test.report {
				t.Errorf("%v downloads attained, and the report ends %v, want %v and %v", got, outcomes[report], test.want, test.report)
			}
			for _, i := range []int{bulk, memo, feed} {
				if outcomes[i] != policy.Done {
					t.Errorf("job %d ends %v", i+1, outcomes[i])
				}
			}
		})
	}
}

// feedIsRead predicts that a report comes 20 s after each feed.
func feedIsRead(j *policy.Job) []wing.Dependent {
	if template, _ := j.Attr("template"); template == "feed" {
		return []wing.Dependent{{Priority: 8, After: 20 * s}}
	}
	return nil
}
