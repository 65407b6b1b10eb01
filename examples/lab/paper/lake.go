package paper

import (
	"fmt"
	"time"

	"example.com/augur/internal/limits"
	"example.com/augur/policy"
)

// Lake generates the jobs of a data lake: gangs, from many organisations, that read the output of
// other jobs. Most are runs of recurring templates, and some are worth much more than others. It
// follows the traces of Cosmos in Wing's evaluation, as far as the paper describes them. Start from
// [DefaultLake]; [Lake.Log] makes a [LakeLog] and refuses values outside their range.
//
// # What happens in it
//
// An organisation has a queue. Its users own workflows, each a list of templates, and submit
// ad-hoc jobs besides. A template has a period, an hour, a width, a runtime that varies from
// run to run, a priority, and a mean number of downloads of its output. It reads the last runs of
// earlier templates: in its workflow, elsewhere in its organisation, and sometimes hubs of other
// organisations. There are four kinds of templates, and ad-hoc jobs are of the first two:
//
//   - A root reads no job's output.
//   - A blind job is submitted by the clock, when its input is usually there, and fails at once if
//     the newest input is missing. (Ad-hoc jobs read what is there.) In an experiment it depends on
//     all jobs that it read in the log: it fails if one of them is not done.
//   - A polling job is submitted within 15 minutes of the end of its last input.
//   - A tolerant job reads what is there.
//
// The log starts with a history, which a scheduler may know. Then comes the experiment, whose jobs
// are to be scheduled, and then a week of downloads of their output. In the log no job waits for
// cores.
//
// # What is published, and what is ours
//
// Published are the figures in the comments of the fields, and the following, which result from
// all fields together: more than half of the jobs are in one connected component, and more than 80 %
// in components of ten and more; 33 % of dependencies and 17 % of those between templates cross
// organisations; 28 % of the jobs and 23 % of the recurring ones are at an end of such a
// dependency, and 20 % of the jobs read across; 13 % of the jobs read from one of a lower
// priority, and 21 % of the templates have a recurring reader of a higher one, both in their
// queue, since priorities mean nothing across queues; 83 % of a job's value comes from its
// dependents. All other parameters are fitted to these figures. The tests print them beside those
// of a generated log.
//
// Some published figures do not come out. Templates with at most one run a week make 2 % of the
// recurring jobs (published: 3 %). The jobs that could run 12 hours later are 9 % of all (14 %).
// All organisations read across (95 %). A week predicts 97 % of the dependent jobs of the next week
// (95 %) and a month 95 % (77 %), since our change has a constant rate.
//
// All else is ours: the structure of workflows, times of day, runtimes, widths, numbers and delays
// of downloads, sizes of queues, and the share of polling jobs. The runs of a template have equal
// mean numbers of downloads, so the first few jobs by rank are nearly equal, where Zipf's law falls.
//
// # Source
//
// Wing, sections 1 and 2.3 (shares), 2.2 (kinds of jobs), 3.2 (periods, change), 4.2 (how soon
// outputs are read), 4.5.3 (value of readers), 6.1 and 6.3 (numbers, weeks, values), 7.1 (value of
// ad-hoc jobs) and 7.3 (load).
type Lake struct {
	Seed uint64

	// JobsPerDay is the mean, 100 to 2^20: 40,000 in Cosmos. HistoryDays, 1 to 400, is the
	// length of the history: two weeks in the experiments, three months in the analysis.
	// The experiment takes Days, 1 to 28: a week.
	JobsPerDay        int
	HistoryDays, Days int
	// Organisations, 2 to 10,000, and Users, Organisations to 2^20: more than 150 and 1300.
	Organisations, Users int
	// DepthBias is how much more often the output at the end of long chains is downloaded, 0 to 10:
	// with one more job before it, a template has exp(DepthBias) times the odds of being first.
	DepthBias float64
	// Cores, 1 to 2^30, is the capacity of the cluster. The jobs of the experiment take a share Load of it,
	// above 0, to 10. The jobs of the paper take less than 60 % at any time. With 0.39, one queue at 40 %
	// of the cores loses about as much value as in the paper; with the default 0.3 it loses none.
	Cores int
	Load  float64
}

// DefaultLake returns the parameters of the workload called lake, a twentieth of Cosmos: 2000
// jobs a day, of 30 organisations and 130 users, and 10,000 cores; two weeks of history, and a
// week of experiment from midnight on a Monday. For all of Cosmos let JobsPerDay be 40,000,
// Organisations 150, Users 1300 and Cores 200,000.
func DefaultLake() Lake {
	return Lake{
		Seed: 1, JobsPerDay: 2000, HistoryDays: 14, Days: 7,
		Organisations: 30, Users: 130, DepthBias: 1.8, Cores: 10_000, Load: 0.3,
	}
}

func (l *Lake) validate() error {
	if err := check("Lake",
		field{"JobsPerDay", l.JobsPerDay, l.JobsPerDay >= 100 && l.JobsPerDay <= 1<<20, "100 to 2^20"},
		field{"HistoryDays", l.HistoryDays, l.HistoryDays >= 1 && l.HistoryDays <= 400, "1 to 400"},
		field{"Days", l.Days, l.Days >= 1 && l.Days <= 28, "1 to 28"},
		field{"Organisations", l.Organisations, l.Organisations >= 2 && l.Organisations <= 10_000, "2 to 10,000"},
		field{"Users", l.Users, l.Users >= l.Organisations && l.Users <= 1<<20, "Organisations to 2^20"},
		field{"DepthBias", l.DepthBias, l.DepthBias >= 0 && l.DepthBias <= 10, "0 to 10"},
		field{"Cores", l.Cores, l.Cores >= 1 && l.Cores <= 1<<30, "1 to 2^30"},
		field{"Load", l.Load, l.Load > 0 && l.Load <= 10, "above 0, to 10"},
	); err != nil {
		return err
	}
	if days := l.HistoryDays + l.Days; days*l.JobsPerDay > limits.ID {
		return fmt.Errorf("paper: %d days of Lake.JobsPerDay %d are more than 2^28 jobs, want at most that", days, l.JobsPerDay)
	}
	return nil
}

// lakeStart is the calendar time of instant 0, at which the log begins.
var lakeStart = time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC)

// Constants of all lakes: published figures of Cosmos, or fitted to them. Shares are fractions, and sigmas are those
// of a logarithm. The type float64 makes constant expressions round as at run time.
const (
	lakeRecurring float64 = 0.68 // share of jobs that are runs of templates: 68 %
	lakeSteps     float64 = 8    // templates in a workflow, in the mean

	lakeDependent    float64 = 0.8  // share of jobs that read from others: nearly 80 %
	lakeBlindShare   float64 = 0.34 // share of the recurring jobs that read blindly: 34 %
	lakePollingShare float64 = 0.2  // share of the recurring jobs that poll; other dependent ones are tolerant
	// lakeIrregular is the share of roots and tolerant templates whose times of submission vary by a
	// quarter of the period.
	lakeIrregular float64 = 0.3

	// Published are 4 dependencies per job (160,000 a day), 79 % of them between recurring jobs. Here a few per cent
	// find nothing to read.
	lakeDependencies      float64 = 4.8 // jobs that a recurring job is to read from, in the mean over all
	lakeAdHocDependencies float64 = 2.7 // the same of ad-hoc jobs
	lakeFanSigma          float64 = 0.8 // of the number, between templates
	// lakeRuns is the mean number of last runs of a template that its readers read, but at most a week of
	// runs: 98 % of dependencies are within a week.
	lakeRuns float64 = 1.2
	// lakeChurn is the share of dependencies between templates that are replaced each week. (A week
	// predicts 95 % of the next one, a month 77 %.)
	lakeChurn float64 = 0.05
	// lakeClosed is the share of recurring jobs in workflows that neither read from others nor are
	// read by them; as many of the ad-hoc jobs read from one of these only.
	lakeClosed float64 = 0.4

	lakeCrossReaders      float64 = 0.118 // share of recurring jobs that read from other organisations too
	lakeCrossDependencies float64 = 12.9  // jobs there that each of them reads, in the mean
	lakeCrossRuns         float64 = 6     // of each template there, in the mean
	lakeHubs              float64 = 0.18  // share of the recurring jobs that other organisations read
	lakeCrossAdHoc        float64 = 0.38  // share of ad-hoc jobs that read from other organisations

	lakeOdd       float64 = 0.04  // share of workflows whose priority is above or below that of most in their queue
	lakeOddClosed float64 = 0.5   // the same of closed ones
	lakeOddStep   float64 = 0.115 // share of templates above it, whatever their workflow is
	lakeOddAdHoc  float64 = 0.33  // share of ad-hoc jobs above it, up to 33 %; the others are below
	// lakeInformed is the probability that an odd workflow's priority follows its downloads: above if it has more
	// downloads than half of its queue's workflows, below otherwise. Else it is random.
	lakeInformed float64 = 0.5

	// Downloads follow Zipf's law with s = 1 over templates, and over ad-hoc jobs. The time from the end of the job to a
	// download is exponential, cut at a week, with the mean of its template.
	lakeDownloads      float64         = 4              // a job, in the mean
	lakeAdHocDownloads float64         = 0.1            // share of ad-hoc jobs: recurring ones carry nine times the value
	lakeDownloadSigma  float64         = 0.3            // of the mean, between runs of a template
	lakeMedianDelay    policy.Duration = 24 * time.Hour // median of the means of templates

	lakeLeastCapacity float64         = 0.2              // each job fits into this share of its queue's part of the cores
	lakeMedianRuntime policy.Duration = 20 * time.Minute // of templates; no job takes more than a day
	lakeRuntimeSigma  float64         = 1.1              // between templates
	lakeRunSigma      float64         = 0.25             // between runs of a template
	lakeSlow          float64         = 0.01             // share of the runs that take 2 to 10 times as long
	lakeWidthSigma    float64         = 1                // between templates, all of whose runs are as wide
)

const (
	lakeDay  = 24 * time.Hour
	lakeWeek = 7 * lakeDay
	// lakeWarm is the time that is generated before the log begins, so that the first jobs of
	// the log have something to read.
	lakeWarm = 16 * lakeDay
)
