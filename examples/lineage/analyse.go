package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/foretold"
	"example.com/augur/policy/wing/pipeline"
)

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// An analysis is all that is known of a log.
type analysis struct {
	o   *options
	in  *read
	log *provenance.Log
	// From the first submission to just after the last one. What files are read and written may go on,
	// but where no jobs come none can depend on another, and all that is counted ends there: explain says how much is cut off.
	start, end   provenance.Time
	value        string // downloads or jobs
	compute      string // log or runtime
	month        time.Duration
	recent       time.Duration // what predictions are learnt from
	result       *pipeline.Result
	evaluation   *foretold.Evaluation
	observations []observation
	lateOps      int  // operations after the end
	lateEnds     int  // of jobs
	downloads    bool // there are some
	priorities   bool // the jobs have different ones
	advice       []finding
}

// analyse finds out all that is printed.
func analyse(ctx context.Context, o *options, in *read) (*analysis, error) {
	a := &analysis{o: o, in: in, log: in.log, value: o.value, compute: "log"}
	if _, ok := a.log.Orgs.Find(o.owner); o.owner != "" && !ok {
		return nil, cli.Usagef("-owner %s is no organisation that has jobs, want one of %s", o.owner, strings.Join(a.orgs(), ", "))
	}
	a.survey()
	if a.value == "downloads" && !a.downloads {
		return nil, cli.Usagef("-value downloads: the log has none, want -value jobs")
	}
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	for _, stage := range []func() error{
		func() (err error) { a.result, err = pipeline.Run(a.log, c); return err },
		func() (err error) {
			a.observations, err = observe(a.result, min(3, o.top))
			return err
		},
		a.explain,
		a.try,
		a.recommend,
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := stage(); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (a *analysis) orgs() (names []string) {
	for i := range uint32(a.log.Orgs.Len()) {
		names = append(names, a.log.Orgs.Name(i))
	}
	return names
}

// survey looks at what there is in the log. If it has no compute times, it puts runtimes in their
// place: 0 where the end is not known, and may be lost.
func (a *analysis) survey() {
	jobs := a.log.Jobs
	// They are sorted. A log has to be long enough for its parts to have a length.
	a.start = jobs[0].Submitted
	a.end = max(jobs[len(jobs)-1].Submitted+1, a.start+provenance.Time(4*a.o.months))
	compute := false
	for i := range jobs {
		compute = compute || jobs[i].Compute > 0
		a.priorities = a.priorities || jobs[i].Priority != jobs[0].Priority
	}
	for _, op := range a.log.Ops {
		a.downloads = a.downloads || op.Job == provenance.User && op.Kind == provenance.Read
	}
	if !compute {
		a.compute = "runtime"
		for i := range jobs {
			if j := &jobs[i]; j.State != provenance.Running {
				j.Compute = j.Completed.Sub(j.Submitted).Seconds()
			}
		}
	}
	if a.value == "" {
		a.value = "jobs"
		if a.downloads {
			a.value = "downloads"
		}
	}
}

// explain counts what comes after the end, and notes why there are no dependencies.
func (a *analysis) explain() error {
	for i := range a.log.Jobs {
		if j := &a.log.Jobs[i]; j.State != provenance.Running && j.Completed >= a.end {
			a.lateEnds++
		}
	}
	for _, op := range a.log.Ops {
		if op.Time >= a.end {
			a.lateOps++
		}
	}
	if len(a.result.Found.Dependencies) > 0 {
		return nil
	}
	earliest := make(map[uint32]provenance.Time) // submission of a job that writes the file
	for _, op := range a.log.Ops {
		if op.Kind == provenance.Write && op.Job != provenance.User {
			at := a.log.Jobs[op.Job].Submitted
			if was, ok := earliest[op.File]; ok {
				at = min(at, was)
			}
			earliest[op.File] = at
		}
	}
	reads, unwritten, noEarlier := 0, 0, 0
	for _, op := range a.log.Ops {
		if op.Kind != provenance.Read || op.Job == provenance.User {
			continue
		}
		reads++
		if at, ok := earliest[op.File]; !ok {
			unwritten++
		} else if at >= a.log.Jobs[op.Job].Submitted {
			noEarlier++
		}
	}
	a.in.Notes = append(a.in.Notes, fmt.Sprintf("no dependencies: of %s by jobs, %d are of files that no job writes, and %d of files whose writers were submitted no earlier than the reader", cli.Count(reads, "read"), unwritten, noEarlier))
	return nil
}

// config chooses what the flags leave open.
func (a *analysis) config() (pipeline.Config, error) {
	length := a.end.Sub(a.start)
	quarter := min(week, length/4)
	a.recent = quarter
	a.month = cmp.Or(a.o.month, min(30*day, length/time.Duration(a.o.months)))
	if a.month > length/time.Duration(a.o.months) {
		return pipeline.Config{}, cli.Usagef("-month %s is too long: the log of %s holds less than %d of them", days(a.month), days(length), a.o.months)
	}
	c := pipeline.Config{
		Start: a.start, End: a.end, Window: cmp.Or(a.o.window, quarter), Least: a.o.least,
		Classes: provenance.ClassConfig{Start: a.start, End: a.end, Month: a.month, Months: a.o.months},
		Train:   provenance.TrainConfig{From: a.end - provenance.Time(a.recent), To: a.end},
	}
	if a.value == "jobs" {
		c.Value = func(*provenance.Job, []provenance.Download) float64 { return 1 }
	}
	return c, nil
}

// try learns from the week before the last one and tries that on the last one. What recurs it knows
// only from what was before, with months that are shorter if need be.
func (a *analysis) try() error {
	deps := a.result.Found.Dependencies
	now := a.end - provenance.Time(a.recent)
	month := min(a.month, now.Sub(a.start)/time.Duration(a.o.months))
	classes, err := provenance.Classify(a.result.Log, deps, provenance.ClassConfig{Start: a.start, End: now, Month: month, Months: a.o.months})
	if err != nil {
		return err
	}
	p, err := provenance.Train(a.result.Log, deps, classes, provenance.TrainConfig{From: now - provenance.Time(a.recent), To: now})
	if err != nil {
		return err
	}
	a.evaluation = foretold.Evaluate(p, a.result.Log, deps, classes, foretold.Config{From: now, To: a.end, End: a.end})
	return nil
}

// recommend asks what is set up badly. If all jobs have the same priority, nobody has given any, and
// that they do not fit is no news.
func (a *analysis) recommend() error {
	templates, links := gather(a.result)
	a.advice = advise(templates, links, a.o.owner)
	if !a.priorities {
		a.advice = slices.DeleteFunc(a.advice, func(f finding) bool { return f.kind <= inverted })
	}
	return nil
}

// days writes a span in the largest of days, hours, minutes and seconds that is in it, and the
// next one.
func days(d time.Duration) string {
	if d < 0 {
		return "-" + days(-d)
	}
	units := [...]struct {
		name string
		of   time.Duration
	}{{"d", day}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}}
	for i, u := range units[:len(units)-1] {
		next := units[i+1]
		if rounded := d.Round(next.of); rounded >= u.of {
			text := fmt.Sprint(int64(rounded/u.of), u.name)
			if rest := rounded % u.of / next.of; rest > 0 {
				text += fmt.Sprint(int64(rest), next.name)
			}
			return text
		}
	}
	return d.Round(time.Millisecond).String()
}
