package provenance_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/internal/hostile"
)

// month is that of the hostile log.
const month = time.Hour

// hostileLog is of three reports, 2, 4 and 6, that read what imports wrote, 1, 3 and 5, and of two imports that run
// and of which nothing depends, the first job and the last.
func hostileLog(t *testing.T) (*provenance.Log, *provenance.Found, *provenance.Classes) {
	t.Helper()
	l := new(provenance.Log)
	l.Templates.Number("import")
	l.Templates.Number("report")
	l.Orgs.Number("org")
	l.Users.Number("user")
	for i := range uint32(8) {
		at := provenance.Time(month)*provenance.Time((i+1)/2) + provenance.Time((i+1)%2)*10
		j := provenance.Job{Template: (i + 1) % 2, State: provenance.Complete, Submitted: at, Completed: at + 5, Priority: 1, Compute: 2}
		kind, file := provenance.Write, i
		switch {
		case i == 0 || i == 7:
			at = provenance.Time(i) / 7 * (4*provenance.Time(month) - 10)
			j = provenance.Job{Submitted: at, Completed: at + 5}
		case i%2 == 0:
			kind, file = provenance.Read, i-1
		}
		l.IDs.Number(fmt.Sprint("j", i))
		l.Files.Number(fmt.Sprint("f", i))
		l.Jobs = append(l.Jobs, j)
		l.Ops = append(l.Ops, provenance.Op{Time: at + 5, Job: i, File: file, Kind: kind})
	}
	l.Ops = append(l.Ops, provenance.Op{Time: 4*provenance.Time(month) - 1, Job: provenance.User, File: 5})
	found, err := l.Find(0)
	if err != nil || len(found.Dependencies) != 3 || len(found.Downloads) != 1 {
		t.Fatalf("it finds %+v, %v", found, err)
	}
	classes, err := provenance.Classify(l, found.Dependencies, classConfig())
	if err != nil {
		t.Fatal(err)
	}
	return l, found, classes
}

// ruled are the arguments of an analysis with their rules: those of the first job and the last, which run, of
// all dependencies and downloads, and of classes, of which any may be.
func ruled(l *provenance.Log, org hostile.Rule) hostile.Arg {
	return hostile.Arg{Name: "job", Value: l, Rules: hostile.Rules{
		"Jobs[].Template": hostile.Between(0, 1), "Jobs[].User": hostile.Any, "Jobs[].Org": org, "Jobs[].State": hostile.Between(0, 3),
		"Jobs[].Submitted": hostile.Any, "Jobs[].Completed": hostile.Any, "Jobs[].Priority": hostile.Always(hostile.Takes).Or(math.IsNaN, hostile.Refuses), "Jobs[].Compute": hostile.NotNegative,
		"Ops[].Time": hostile.Any, "Ops[].Job": hostile.Any, "Ops[].File": hostile.Any, "Ops[].Kind": hostile.Any, // nothing looks at them
	}}
}

func dependencies(deps []provenance.Dependency) hostile.Arg {
	return hostile.Arg{Name: "dependency", Value: deps, Rules: rulesOfDependencies("")}
}

func rulesOfDependencies(in string) hostile.Rules {
	return hostile.Rules{
		in + "[].From": hostile.Only(hostile.Refuses, 0), in + "[].To": hostile.Only(hostile.Refuses), // which was not submitted later
		in + "[].Files": hostile.Any, in + "[].Reads": hostile.Any, in + "[].First": hostile.Any,
	}
}

func traits(classes *provenance.Classes) hostile.Arg {
	return hostile.Arg{Name: "classes", Value: classes, Rules: hostile.Rules{"Templates[]": hostile.Any, "Dependencies[]": hostile.Any}}
}

func classConfig() provenance.ClassConfig {
	return provenance.ClassConfig{End: 4 * provenance.Time(month), Month: month, Months: 3, Submissions: 3, MaxCV: 0.1, Poll: time.Hour, HardShare: 0.95}
}

// upTo takes what is at most so much, and from what is at least.
func upTo(most float64) hostile.Rule  { return hostile.Between(-math.MaxFloat64, most) }
func from(least float64) hostile.Rule { return hostile.Between(least, math.MaxFloat64) }

// or adds answers for what is not finite.
func orInf(rule hostile.Rule) hostile.Rule {
	return rule.Or(func(x float64) bool { return math.IsInf(x, 1) }, hostile.Takes)
}

func TestHostileAnalyses(t *testing.T) {
	l, found, classes := hostileLog(t)
	const end = float64(4 * month)
	deps := found.Dependencies
	jobs := func(change func(j *provenance.Job)) *provenance.Log {
		c := l.Clone()
		change(&c.Jobs[3])
		return c
	}
	var nobody *provenance.Log
	// What is not sound of the log is refused by all, and nil too.
	unsound := func(args func(l *provenance.Log) []any) (cases []hostile.Case) {
		for name, l := range map[string]*provenance.Log{
			"no log":                     nobody,
			"unknown template":           jobs(func(j *provenance.Job) { j.Template = 2 }),
			"priority is NaN":            jobs(func(j *provenance.Job) { j.Priority = math.NaN() }),
			"compute time is infinite":   jobs(func(j *provenance.Job) { j.Compute = math.Inf(1) }),
			"compute time is negative":   jobs(func(j *provenance.Job) { j.Compute = -1 }),
			"state does not exist":       jobs(func(j *provenance.Job) { j.State = 4 }),
			"completed before submitted": jobs(func(j *provenance.Job) { j.Completed = j.Submitted - 1 }),
			"read before it is submitted": jobs(func(j *provenance.Job) {
				j.Submitted, j.Completed = math.MaxInt64, math.MaxInt64
			}),
		} {
			cases = append(cases, hostile.Case{Name: name, Args: args(l), Want: hostile.Refuses})
		}
		return cases
	}
	unknown := []provenance.Dependency{{From: 0, To: 8}}
	train := provenance.TrainConfig{To: provenance.Time(end), Young: time.Minute}
	p, err := provenance.Train(l, deps, classes, train)
	if err != nil {
		t.Fatal(err)
	}
	evaluate := provenance.EvaluateConfig{To: provenance.Time(end), End: provenance.Time(end)}
	observe := provenance.ObserveConfig{Worst: 3, Shifts: []time.Duration{time.Hour, time.Minute}}
	var some *provenance.Found
	foundRules := rulesOfDependencies("Dependencies")
	for _, f := range reflect.VisibleFields(reflect.TypeFor[provenance.Counts]()) {
		foundRules["Counts."+f.Name] = hostile.Any
	}
	foundRules["Downloads[].Job"], foundRules["Downloads[].Time"] = hostile.Only(hostile.Refuses, 0), hostile.Any
	hostile.Test(t,
		hostile.Call{Name: "Classify", New: hostile.Func(provenance.Classify), Args: []hostile.Arg{
			ruled(l, hostile.Any), dependencies(deps),
			{Name: "c", Value: classConfig(), Rules: hostile.Rules{
				"Start": upTo(end - 3*float64(month)), "End": from(3 * float64(month)), "Month": hostile.Between(1, end/3),
				"Months": hostile.Between(0, 4), "Submissions": hostile.NotNegative, "MaxCV": orInf(hostile.NotNegative), "Poll": hostile.NotNegative,
				"HardShare": hostile.Where(func(x float64) bool { return x >= 0 && x < 1 }, hostile.Refuses),
			}},
		}, Cases: append(unsound(func(l *provenance.Log) []any { return []any{l, deps, classConfig()} }),
			hostile.Case{Name: "unknown job", Args: []any{l, unknown, classConfig()}, Want: hostile.Refuses},
			hostile.Case{Name: "on itself", Args: []any{l, []provenance.Dependency{{}}, classConfig()}, Want: hostile.Refuses},
			hostile.Case{Name: "no dependencies", Args: []any{l, nil, classConfig()}, Want: hostile.Takes},
			hostile.Case{Name: "all of time", Args: []any{l, deps, provenance.ClassConfig{Start: math.MinInt64, End: math.MaxInt64, Month: 1}}, Want: hostile.Takes},
		)},
		hostile.Call{Name: "Train", New: hostile.Func(provenance.Train), Args: []hostile.Arg{
			ruled(l, hostile.Any), dependencies(deps), traits(classes),
			{Name: "c", Value: train, Rules: hostile.Rules{"From": upTo(end), "To": from(0), "Young": hostile.NotNegative}},
		}, Cases: append(unsound(func(l *provenance.Log) []any { return []any{l, deps, classes, train} }),
			hostile.Case{Name: "no classes", Args: []any{l, deps, nil, train}, Want: hostile.Refuses},
			hostile.Case{Name: "classes of others", Args: []any{l, deps[:1], classes, train}, Want: hostile.Refuses},
		)},
		hostile.Call{Name: "Evaluate", New: hostile.Func(provenance.Evaluate), Args: []hostile.Arg{
			{Name: "p", Value: p}, ruled(l, hostile.Any), dependencies(deps), traits(classes),
			{Name: "c", Value: evaluate, Rules: hostile.Rules{"From": upTo(end), "To": hostile.Between(0, end), "End": from(end)}},
		}, Cases: append(unsound(func(l *provenance.Log) []any { return []any{p, l, deps, classes, evaluate} }),
			hostile.Case{Name: "no predictor", Args: []any{nil, l, deps, classes, evaluate}, Want: hostile.Refuses},
			hostile.Case{Name: "no classes", Args: []any{p, l, deps, nil, evaluate}, Want: hostile.Refuses},
		)},
		hostile.Call{Name: "Observe", New: hostile.Func(provenance.Observe), Args: []hostile.Arg{
			ruled(l, hostile.Between(0, 0)), {Name: "dependency", Value: found, Rules: foundRules}, traits(classes),
			{Name: "c", Value: observe, Rules: hostile.Rules{"Worst": hostile.NotNegative, "Shifts[]": hostile.Positive}},
		}, Cases: append(unsound(func(l *provenance.Log) []any { return []any{l, found, classes, observe} }),
			hostile.Case{Name: "nothing found", Args: []any{l, some, classes, observe}, Want: hostile.Refuses},
			hostile.Case{Name: "no classes", Args: []any{l, found, nil, observe}, Want: hostile.Refuses},
			hostile.Case{Name: "unknown organisation", Args: []any{jobs(func(j *provenance.Job) { j.Org = 1 }), found, classes, observe}, Want: hostile.Refuses},
			hostile.Case{Name: "download of an unknown job", Args: []any{l, &provenance.Found{Dependencies: deps, Downloads: []provenance.Download{{Job: 8}}}, classes, observe}, Want: hostile.Refuses},
		), Sane: func(results []any) error {
			r := results[0].(*provenance.Report)
			if text := r.Text(l); strings.Contains(text, "NaN") || r.RecurringJobs.Of != 8 {
				return fmt.Errorf("it says %s", text)
			}
			return nil
		}},
	)
}

// A report that comes from JSON has no examples, but it can be shown.
func TestReportFromJSON(t *testing.T) {
	l, found, classes := hostileLog(t)
	r, err := provenance.Observe(l, found, classes, provenance.ObserveConfig{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got provenance.Report
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(got.Text(l), "jobs that might be put off"), 4; got != want {
		t.Errorf("it has %d spans, want %d", got, want)
	}
}
