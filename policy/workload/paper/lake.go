package paper

import (
	"fmt"
	"time"

	"example.com/augur/internal/limits"
	"example.com/augur/policy"
)

// Lake generates the jobs of a data lake: gangs that read what other jobs wrote, of many
// organisations, most of them runs of templates that recur, some of them worth much more than
// others. It is made like the traces of Cosmos that Wing was evaluated with, as far as their
// paper describes them. Start from [DefaultLake]; [Lake.Log] makes a [LakeLog] and refuses
// values outside their range.
//
// # What happens in it
//
// An organisation has a queue. Its users own workflows, each a list of templates, and submit
// ad-hoc jobs besides. A template has a period, an hour, a width, a runtime that varies from
// run to run, a priority, and a mean number of downloads of its output. It reads the last runs
// of templates before it: in its workflow, elsewhere in its organisation, and some of hubs of
// other organisations. It is one of four kinds, and so are ad-hoc jobs, of the first two:
//
//   - A root reads no job's output.
//   - A blind one is submitted by the clock, when what it reads is usually there, and fails at
//     once if the newest of that is not. (Ad-hoc jobs read what is there.) In an experiment it is bound
//     to all jobs that it read in the log: if one of them is not done, it fails.
//   - A polling one is submitted within 15 minutes of the end of the last job that it reads.
//   - A tolerant one reads of what there is.
//
// The log begins with a history, which a scheduler may know; then comes the experiment, whose
// jobs are to be scheduled; then a week of downloads of what these wrote. In the log no job
// waits for cores.
//
// # What is published, and what is ours
//
// Published are the figures in the comments of the fields and of lakeShape, and these, which follow from all of
// them together: more than half of the jobs are in one connected component, and more than 80 %
// in components of ten and more; 33 % of dependencies and 17 % of those between templates cross
// organisations; 28 % of the jobs and 23 % of the recurring ones are at an end of such a
// dependency, and 20 % of the jobs read across; 13 % of the jobs read from one of a lower
// priority, and 21 % of the templates have a recurring reader of a higher one, both in their
// queue, since priorities mean nothing across queues; 83 % of a job's value is that of what
// reads from it. All other parameters are fitted to these.
// The tests print the published figures beside what comes out.
//
// These do not come out: the templates of which a run comes once a week or less often make 2 %
// of the recurring jobs (published: 3 %); of the jobs that could be shifted by some hours, those
// for 12 hours are 9 % of all instead of 14 %; all organisations read across, not 95 %; and a week
// predicts 97 % of the dependent jobs of the next one and a month 95 % (published: 95 and 77 %),
// since change goes on at a constant rate.
//
// All else is ours: how workflows are built, times of day, runtimes, widths, numbers of
// downloads and how soon they come, sizes of queues, and the share of polling ones. The runs of
// a template are downloaded equally often, but for chance; so the first few jobs by rank are
// nearly equal, where Zipf's law has them fall.
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
	// Deep says how much more is downloaded of what is at the end of long chains, 0 to 10:
	// with one more job before it, a template has exp(Deep) times the odds of being first.
	Deep float64
	// Cores, 1 to 2^30, is the capacity of the cluster. The jobs of the experiment take a
	// share Load of it, above 0, to 10. The paper's take less than 60 % at any time.
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
		Organisations: 30, Users: 130, Deep: 1.8, Cores: 10_000, Load: 0.3,
	}
}

func (l *Lake) validate() error {
	if err := check("Lake",
		field{"JobsPerDay", l.JobsPerDay, l.JobsPerDay >= 100 && l.JobsPerDay <= 1<<20, "100 to 2^20"},
		field{"HistoryDays", l.HistoryDays, l.HistoryDays >= 1 && l.HistoryDays <= 400, "1 to 400"},
		field{"Days", l.Days, l.Days >= 1 && l.Days <= 28, "1 to 28"},
		field{"Organisations", l.Organisations, l.Organisations >= 2 && l.Organisations <= 10_000, "2 to 10,000"},
		field{"Users", l.Users, l.Users >= l.Organisations && l.Users <= 1<<20, "Organisations to 2^20"},
		field{"Deep", l.Deep, l.Deep >= 0 && l.Deep <= 10, "0 to 10"},
		field{"Cores", l.Cores, l.Cores >= 1 && l.Cores <= 1<<30, "1 to 2^30"},
		field{"Load", l.Load, l.Load > 0 && l.Load <= 10, "above 0, to 10"},
	); err != nil {
		return err
	}
	if days := l.HistoryDays + l.Days; days*l.JobsPerDay > limits.ID {
		return fmt.Errorf("paper: %d days of Lake.JobsPerDay %d are more than 2^28 jobs", days, l.JobsPerDay)
	}
	return nil
}

// lakeShape is what all lakes have in common.
type lakeShape struct {
	Start time.Time // calendar time of instant 0, at which the log begins

	// Recurring is the share of jobs that are runs of templates: 68 %. Steps is the mean number of
	// templates in a workflow.
	Recurring, Steps float64
	// Dependent is the share of jobs that read from others: nearly 80 %. Of the recurring jobs a
	// share Blind does so blindly, 34 %, and a share Polling polls; the rest of the dependent ones
	// is tolerant.
	Dependent, Blind, Polling float64
	// Irregular is the share of roots and tolerant templates that are submitted not by the clock,
	// but at times that vary by a quarter of the period.
	Irregular float64
	// Dependencies is how many jobs a recurring job is to read from, in the mean over all, and
	// AdHocDependencies the same of ad-hoc jobs: 4 a job of both (160,000 a day), and 79 % of them
	// between recurring jobs. A few per cent find nothing to read. FanSigma is that of the
	// logarithm of the number, between templates.
	Dependencies, AdHocDependencies, FanSigma float64
	// Runs is how many of the last runs of a template its readers read, in the mean, but not more
	// than a week of them: 98 % of dependencies are within a week.
	Runs float64
	// Churn is the share of dependencies between templates of which others take the place each
	// week. (A week predicts 95 % of the next one, a month 77 %.)
	Churn float64
	// Closed is the share of recurring jobs in workflows that neither read from others nor are
	// read by them; as many of the ad-hoc jobs read from one of these only.
	Closed float64

	// CrossReaders is the share of recurring jobs that read from other organisations too:
	// CrossDependencies jobs each, and CrossRuns of each template, in the mean. They read from
	// hubs, a share Hubs of the recurring jobs. CrossAdHoc is the share of ad-hoc jobs that do so.
	CrossReaders, CrossDependencies, CrossRuns, Hubs, CrossAdHoc float64

	// Odd is the share of workflows whose priority is above or below that of most in their
	// queue, OddClosed the same of closed ones, and OddStep the share of templates that are
	// above whatever their workflow is. OddAdHoc is the share of ad-hoc jobs above it: up to 33 %;
	// the others are below. Informed is the probability that an odd workflow is above if it has
	// more downloads than half of its queue's, and else below; otherwise it is either by chance.
	Odd, OddClosed, OddStep, OddAdHoc, Informed float64

	// Downloads is the mean number a job. Over templates, and over ad-hoc jobs, which have a share
	// AdHocDownloads of all, they follow Zipf's law with s = 1. The share is a tenth: recurring jobs
	// carry nine times the value. DownloadSigma is that of the logarithm of the mean, between runs
	// of a template. A download comes a time after the job is done that is exponential up to a
	// week; its mean is that of the template, and has itself the median MedianDelay.
	Downloads, AdHocDownloads, DownloadSigma float64
	MedianDelay                              policy.Duration

	// Each job fits into the share LeastCapacity of its queue's part of the cores.
	LeastCapacity float64
	// MedianRuntime is that of templates, RuntimeSigma that of the logarithm between templates,
	// and RunSigma between runs of one. A share Slow of the runs takes 2 to 10 times as long. No
	// job takes more than a day. WidthSigma is that of the logarithm of the widths of templates,
	// all of whose runs are as wide.
	MedianRuntime                            policy.Duration
	RuntimeSigma, RunSigma, WidthSigma, Slow float64
}

// cosmos has the figures of Cosmos that are published, or fitted to them.
var cosmos = lakeShape{
	Start:     time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC),
	Recurring: 0.68, Steps: 8,
	Dependent: 0.8, Blind: 0.34, Polling: 0.2, Irregular: 0.3,
	Dependencies: 4.8, AdHocDependencies: 2.7, FanSigma: 0.8,
	Runs: 1.2, Churn: 0.05,
	Closed:       0.4,
	CrossReaders: 0.118, Hubs: 0.18, CrossAdHoc: 0.38, CrossDependencies: 12.9, CrossRuns: 6,
	Odd: 0.04, OddClosed: 0.5, OddStep: 0.115, OddAdHoc: 0.33, Informed: 0.5,
	Downloads: 4, AdHocDownloads: 0.1, DownloadSigma: 0.3, MedianDelay: 24 * time.Hour,
	LeastCapacity: 0.2,
	MedianRuntime: 20 * time.Minute, RuntimeSigma: 1.1, RunSigma: 0.25, WidthSigma: 1, Slow: 0.01,
}

const (
	lakeDay  = 24 * time.Hour
	lakeWeek = 7 * lakeDay
	// lakeWarm is what is generated before the log begins, so that jobs at its beginning
	// read what was written before.
	lakeWarm = 16 * lakeDay
)
