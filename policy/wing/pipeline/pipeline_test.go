package pipeline_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/wing/pipeline"
)

// What a Result promises.
func TestPromises(t *testing.T) {
	t.Run("the store has the medians of the jobs that the definitions say, and no others", storeNaive)
	t.Run("a valuation is the mean of what jobs lost, at any instant, and exact if it has steps enough", valuationsNaive)
	t.Run("foresight tells which jobs will read, in which queue, when, and with what priority", foresightNaive)
	t.Run("a log that goes on after End gives what it would if it had been cut there", until)
	t.Run("the result says what a setting of 0 stands for", defaults)
}

const days = provenance.Time(24 * time.Hour)

// dailyLog is the log of the package's example.
func dailyLog(t *testing.T, days int) *provenance.Log {
	t.Helper()
	jobs, operations := daily(days)
	reader := jobtest.Must(provenance.NewReader(provenance.ReaderConfig{Template: true}))
	if err := reader.JobsCSV("jobs.csv", strings.NewReader(jobs)); err != nil {
		t.Fatal(err)
	}
	if err := reader.OpsCSV("operations.csv", strings.NewReader(operations)); err != nil {
		t.Fatal(err)
	}
	return reader.Take()
}

func dailyConfig(n int) pipeline.Config {
	return pipeline.Config{End: provenance.Time(n) * days, Window: 24 * time.Hour, Classes: provenance.ClassConfig{Month: 24 * time.Hour, Months: 3}}
}

func dailyResult(t *testing.T, n int) *pipeline.Result {
	t.Helper()
	r := jobtest.Must(pipeline.Run(dailyLog(t, n), dailyConfig(n)))
	return r
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		change func(c *pipeline.Config, l *provenance.Log)
		want   string
	}{
		{func(c *pipeline.Config, _ *provenance.Log) { c.End = c.Start }, "pipeline: Config.End 0 is not after Start 0"},
		{func(c *pipeline.Config, _ *provenance.Log) { c.Window = -1 }, "pipeline: Config.Window is -1ns, want more than 0"},
		{func(c *pipeline.Config, _ *provenance.Log) { c.Hops = -1 }, "pipeline: Config.Hops is -1, want 0 to 65535"},
		{func(c *pipeline.Config, _ *provenance.Log) { c.Least = math.NaN() }, "pipeline: Config.Least is NaN, want 0 to 1"},
		{func(c *pipeline.Config, _ *provenance.Log) { c.Classes.End = c.End + 1 }, "pipeline: Config.Classes.End is 345600000000001, want at most End, 345600000000000"},
		{func(c *pipeline.Config, _ *provenance.Log) { c.Train.To = c.End + 1 }, "pipeline: Config.Train.To is 345600000000001, want at most End, 345600000000000"},
		{func(c *pipeline.Config, _ *provenance.Log) { c.Classes = provenance.ClassConfig{} }, "provenance: from Start to End are 0 months of 720h0m0s, want at least 3 to tell what recurs, or other Month and Months"},
		{func(c *pipeline.Config, _ *provenance.Log) { c.Join = -1 }, "provenance: Window is -1ns, want above 0, or 0 for 30 days"},
		{func(c *pipeline.Config, _ *provenance.Log) {
			c.Value = func(j *provenance.Job, _ []provenance.Download) float64 { return j.Priority - 2 }
		}, `pipeline: Config.Value of job 0, "f0" is -1, want 0 to 4.4942328371557893e+307`},
		{func(c *pipeline.Config, _ *provenance.Log) {
			c.Value = func(*provenance.Job, []provenance.Download) float64 { return value.MaxSum }
		}, "value: the sum of all own values is +Inf, want at most 4.4942328371557893e+307"},
		{func(_ *pipeline.Config, l *provenance.Log) { l.Jobs[3].State = provenance.Running }, "provenance: job 3 is completed at 95400000000000, and its State is Running: set that to Complete or Failed"},
		{func(c *pipeline.Config, _ *provenance.Log) { c.Start, c.End = c.End+1, c.End+2 }, "pipeline: no job of the log was submitted from Config.Start, 345600000000001, to End, 345600000000002, but all from 3600000000000 to 266400000000000: are they since the same epoch?"},
		{func(_ *pipeline.Config, l *provenance.Log) { l.Jobs[3].Completed = 0 }, "provenance: job 3 is completed at 0, and submitted at 93600000000000, want no earlier"},
		{func(_ *pipeline.Config, l *provenance.Log) { l.Jobs[3].Priority = math.NaN() }, "provenance: job 3 has priority NaN, want a number"},
		{func(_ *pipeline.Config, l *provenance.Log) { l.Jobs[3].Compute = math.MaxFloat64 }, `pipeline: compute time of job 3, "r1" is 1.7976931348623157e+308, want 0 to 4.4942328371557893e+307`},
	} {
		l, config := dailyLog(t, 4), dailyConfig(4)
		c.change(&config, l)
		if r, err := pipeline.Run(l, config); fmt.Sprint(err) != c.want || r != nil {
			t.Errorf("got %v, %v, want %s", r, err, c.want)
		}
	}
	if r, err := pipeline.Run(nil, dailyConfig(4)); err == nil || r != nil {
		t.Errorf("of no log: got %v, %v, want an error", r, err)
	}
}

// A template without a name can recur only in a log that was made by hand.
func TestNameless(t *testing.T) {
	l := dailyLog(t, 4)
	l.Templates = provenance.Names{}
	l.Templates.Number("")
	l.Templates.Number("report-#")
	_, err := pipeline.Run(l, dailyConfig(4))
	if want := `pipeline: job 0, "f0" is of a template that recurs, and has no name`; fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func defaults(t *testing.T) {
	l := dailyLog(t, 10)
	r := jobtest.Must(pipeline.Run(l, pipeline.Config{Start: days, End: 10 * days, Classes: provenance.ClassConfig{Month: 24 * time.Hour}}))
	if r.Config.Window != 7*24*time.Hour {
		t.Errorf("got a window of %v, want a week", r.Config.Window)
	}
	if c := r.Config.Classes; c.Start != days || c.End != 10*days {
		t.Errorf("got classes from %v to %v, want those of the log", c.Start, c.End)
	}
	if c := r.Config.Train; c.From != 3*days || c.To != 10*days {
		t.Errorf("got training from %v to %v, want the last week", c.From, c.To)
	}
	if r.Log != l {
		t.Error("a log that ends is copied")
	}
	short := jobtest.Must(pipeline.Run(l, pipeline.Config{Start: 6 * days, End: 10 * days, Classes: provenance.ClassConfig{Month: 24 * time.Hour}}))
	if c := short.Config.Train; c.From != 6*days {
		t.Errorf("got training from %v, want all of a log of four days", c.From)
	}
	// No week fits in, so that the last one would begin before there are any instants.
	if _, err := pipeline.Run(new(provenance.Log), pipeline.Config{
		Start: math.MinInt64, End: math.MinInt64 + days, Classes: provenance.ClassConfig{Month: time.Hour},
	}); err != nil {
		t.Error(err)
	}
}

func until(t *testing.T) {
	eachRandom(t, func(t *testing.T, rng *rand.Rand, l *provenance.Log, r *pipeline.Result, n *naive) {
		cut := *l
		cut.Ops, cut.Jobs = n.ops, slices.Clone(l.Jobs)
		for i := range cut.Jobs {
			j := &cut.Jobs[i]
			switch {
			case j.Submitted >= n.c.End: // has left no trace
				*j = provenance.Job{Submitted: j.Submitted, Template: uint32(rng.IntN(5)), Priority: 1e6}
			case j.State != provenance.Running && j.Completed >= n.c.End: // nor how long it would take
				j.State, j.Completed, j.Compute = provenance.Running, 0, 0
			}
		}
		before := slices.Clone(cut.Jobs)
		same := jobtest.Must(pipeline.Run(&cut, n.c))
		if same.Log != &cut || !slices.Equal(before, cut.Jobs) {
			t.Error("the log has changed")
		}
		var a, b bytes.Buffer
		if err := r.Store.Save(&a); err != nil {
			t.Fatal(err)
		}
		if err := same.Store.Save(&b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Error("the stores differ")
		}
	})
}
