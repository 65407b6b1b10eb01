// Predict replays a trace, trains predictors of runtimes on its jobs, and prints how good the predictions were.
//
//	go run ./examples/predict
//	go run ./examples/predict -trace jobs_first_half.csv.gz
//	go run ./examples/predict -trace log.swf.gz -features user,user+program,user+width
//	go run ./examples/predict -jobs-csv predictions.csv
//	go run ./examples/predict -beliefs -trace log.swf.gz
//
// Each job is predicted when it is submitted, and learned from when it would end if it started at once.
//
// The table is in percent. An error is (estimate - runtime) / runtime, and the NMAE is the sum of the absolute
// differences over the sum of the runtimes. Within factor 2 is the share of the predictions from half the runtime to twice
// it: from 50 on, an order by predictions gains much (docs/embed.md). The intervals are those of predict.Predictor.Interval
// at submission, for all jobs, and for the first 1,000 jobs after 100 have ended.
//
// With -beliefs it prints how well the beliefs that policy/forecast makes of these predictors are calibrated: see
// docs/calibration.md.
//
// The exit status is 1 if -strict meets a bad row or a run fails, and 2 if a flag, a file or a value is wrong, with one line
// on stderr.
package main

import (
	"context"
	"flag"
	"io"
	"strings"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

func main() { cli.Main("predict", execute) }

// options are the flags.
type options struct {
	cli.JobFlags
	features string
	runtime  func(*workload.Job) float64
	halfLife time.Duration
	values   int
	window   time.Duration
	seed     uint64
	json     bool
	costs    bool
	jobsCSV  string
	beliefs  bool
	list     bool
}

func execute(ctx context.Context, args []string, stdout, _ io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	if o.list {
		return cli.WriteList(stdout)
	}
	runs, err := newRuns(o)
	if err != nil {
		return err
	}
	from, err := o.Read(ctx, o.seed)
	if err != nil {
		return err
	}
	jobs := describe(from.List, o.runtime)
	if o.beliefs {
		list, err := calibrate(ctx, runs, jobs)
		switch {
		case err != nil:
			return err
		case o.json:
			return cli.WriteJSON(stdout, list)
		}
		return writeBeliefs(stdout, &from, list)
	}
	for _, r := range runs {
		if err := r.evaluate(ctx, jobs); err != nil {
			return err
		}
		if err := r.measure(ctx, jobs); err != nil {
			return err
		}
	}
	if o.jobsCSV != "" {
		if err := writeJobs(o.jobsCSV, o.Trace, runs); err != nil {
			return err
		}
	}
	if o.json {
		return writeJSON(stdout, runs, o.costs)
	}
	if err := writeTable(stdout, &from, runs); err != nil {
		return err
	}
	return writeVariation(stdout, jobs)
}

func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{runtime: runtimes["job"]}
	fs := flag.NewFlagSet("predict", flag.ContinueOnError)
	o.Register(fs)
	fs.StringVar(&o.features, "features", "paper,more", "the features: paper, 3Sigma's; more, 3Sigma's and combinations; found, chosen from the jobs' attributes; or a `LIST` such as user,user+program,day+hour of attributes of the trace, or of those of every job: width, cpu, memory, requested, queue")
	fs.Func("runtime", "what to predict: `job`, the runtime with all tasks at once, or task, the mean of the tasks (default job)", cli.OneOf(&o.runtime, runtimes, "job or task"))
	fs.Func("half-life", "`duration` after which an observation counts half, such as 72h (default: none)", cli.Span(&o.halfLife, time.Second, "a duration of at least 1s"))
	fs.Func("window", "`duration` after which an observation is forgotten (default: none)", cli.Span(&o.window, time.Second, "a duration of at least 1s"))
	fs.Func("values", "`number` of values of features to keep (default: all)", cli.Whole(&o.values, 1, 1<<30))
	cli.Seed(fs, &o.seed, "`seed` of generated jobs (default 1)")
	fs.BoolVar(&o.json, "json", false, "print a JSON array instead of a table")
	fs.BoolVar(&o.costs, "costs", true, "say in JSON what time and memory a predictor takes; with -costs=false equal runs print equal bytes")
	fs.StringVar(&o.jobsCSV, "jobs-csv", "", "write a row for each prediction to `FILE`")
	fs.BoolVar(&o.beliefs, "beliefs", false, "print instead how well a scheduler's beliefs are calibrated, by these predictors and without history")
	fs.BoolVar(&o.list, "list", false, "list the workloads and formats, and stop")
	given, err := cli.Parse(fs, args, stdout, "Predict trains predictors of runtimes on the jobs of a trace, and prints how good they were. Flags:")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"runtime", "costs", "jobs-csv"} {
		if o.beliefs && given[name] {
			return nil, cli.Usagef("-%s is given with -beliefs, want one of them", name)
		}
	}
	_, err = o.Check(given)
	return o, err
}

// newRuns makes the predictors that are asked for.
func newRuns(o *options) (runs []*run, err error) {
	add := func(name string, features []string) {
		if err != nil {
			return
		}
		values := o.values
		if values == 0 {
			values = 1 << 30
		}
		var r *run
		if r, err = newRun(name, predict.Config{Features: features, HalfLife: o.halfLife, Values: values, Window: o.window}); err != nil {
			err = cli.Usage(err)
		}
		runs = append(runs, r)
	}
	var list []string
	for name := range strings.SplitSeq(o.features, ",") {
		switch name {
		case "paper":
			add("paper", append(predict.ThreeSigmaFeatures(), predict.All))
		case "more":
			add("more", more())
		case "found":
			add("found", nil)
		default:
			list = append(list, name)
		}
	}
	if o.Features = list; len(list) > 0 {
		add("chosen", list)
	}
	return runs, err
}

// more returns the features of the paper, and what else users, programs and requests say
// together.
func more() []string {
	return append(predict.ThreeSigmaFeatures(),
		"user+program", "user+program+width", "user+program+requested", "user+jobname", "program+width",
		"user+width", "user+requested", "user+requested+width", "user+day+hour", "user+cpu+memory",
		"queue", "user+queue", "group", "group+width", "class", "user+class", "class+cpu+memory", "width",
		predict.All)
}
