// Beam finds dependencies of jobs and their aggregate values in an Apache Beam pipeline, for logs too large for one machine. Its
// rules are those of packages dag/provenance and dag/value, which do the same in the memory of one process.
//
//	go run . -jobs 'logs/jobs*.csv' -operations 'logs/ops*.csv' -out out/week
//	go run . -events 'logs/events*.json.gz' -out out/week
//	go run . -jobs 'gs://bucket/jobs*.csv' -operations 'gs://bucket/ops*.csv' -out gs://bucket/out/week \
//		-runner dataflow -project PROJECT -region REGION -staging_location gs://bucket/staging
//
// README.md describes input, output and other runners. By default it runs in this process, on Prism, Beam's local runner.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// config says what the pipeline reads, does and writes.
type config struct {
	Jobs, Operations string            // globs of the tables
	Events           string            // glob of run events of OpenLineage, in place of these
	Columns          map[string]string // what columns are called, by their names here; nil: as here
	Value            string            // what a job is worth by itself: "downloads", or "jobs" for 1; "": jobs with events, else downloads
	Window           time.Duration     // see provenance.Find; 0 means 30 days
	Iterations       int               // of the multi-hop analysis, 0 to 32
	Out              string            // how the names of all files that are written begin
	Shards           int               // files for each table that is written, 1 to 10,000
	Paths            bool              // whether the pairs of jobs that are tied by paths are written too
}

// check names what is wrong.
func (c *config) check() error {
	switch {
	case c.Events != "" && (c.Jobs != "" || c.Operations != "" || len(c.Columns) > 0):
		return errors.New("-events is given with -jobs, -operations or -columns, want events or tables")
	case c.Events == "" && c.Jobs == "":
		return errors.New("-jobs is missing")
	case c.Events == "" && c.Operations == "":
		return errors.New("-operations is missing")
	case c.Value != "" && c.Value != "downloads" && c.Value != "jobs":
		return fmt.Errorf("-value is %q, want downloads or jobs", c.Value)
	case c.Out == "":
		return errors.New("-out is missing")
	case c.Window < 0:
		return fmt.Errorf("-window is %v, want above 0, or 0 for 30 days", c.Window)
	case c.Iterations < 0 || c.Iterations > 32:
		return fmt.Errorf("-iterations is %d, want 0 to 32", c.Iterations)
	case c.Shards < 1 || c.Shards > 10_000:
		return fmt.Errorf("-shards is %d, want 1 to 10000", c.Shards)
	}
	return checkColumns(c.Columns)
}

// jobsCount reports whether each job is worth 1 by itself. Events tell of no downloads.
func (c *config) jobsCount() bool { return c.Value == "jobs" || c.Value == "" && c.Events != "" }

// build adds to s all that is to be done.
func (c *config) build(s beam.Scope) {
	submitted, ops := c.read(s)
	deps, downloads := c.join(s, submitted, ops)
	edges, upstream := shares(s, deps)
	powers := powers(s, edges, c.Iterations)
	c.write(s, "dependencies", "up,down,files,reads,first", beam.ParDo(s, dependencyRow, deps))
	own := downloads
	if c.jobsCount() {
		own = beam.ParDo(s, ofOne, submitted)
	}
	worth := values(s, submitted, own, upstream, edges, powers)
	c.write(s, "values", "job,own,aggregate,upstream", beam.ParDo(s, valueRow, worth))
	if c.Paths {
		c.write(s, "paths", "up,down,weight", beam.ParDo(s, pathRow, paths(s, edges, powers)))
	}
}

// These are global since a worker, which is this program too, is told by its flags that it is one.
var (
	jobs       = flag.String("jobs", "", "`glob` of the tables of jobs")
	operations = flag.String("operations", "", "`glob` of the tables of operations")
	events     = flag.String("events", "", "`glob` of run events of OpenLineage, in place of the tables")
	columns    = flag.String("columns", "", "names of columns if not as in README.md, such as op=action,job=run")
	worth      = flag.String("value", "", "a job's own value: its `downloads`, or jobs: 1 each (default jobs with -events, else downloads)")
	window     = flag.Duration("window", 30*24*time.Hour, "longest time from a write to a read that depends on it")
	iterations = flag.Int("iterations", 3, "`k`: paths of up to 2^k dependencies count")
	out        = flag.String("out", "", "`prefix` of the output files")
	shards     = flag.Int("shards", 1, "`files` of each output table")
	withPaths  = flag.Bool("paths", false, "also write all pairs of jobs that paths connect")
)

// main exits with status 2 if the command line is wrong, and with 1 for any other error.
func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Beam finds dependencies of jobs and their values. Flags, with Apache Beam's own:")
		flag.PrintDefaults()
	}
	flag.Parse()
	beam.Init() // does not return in a worker
	c, err := given()
	if err != nil {
		fmt.Fprintln(os.Stderr, "beam:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	p, s := beam.NewPipelineWithRoot()
	c.build(s)
	if err := beamx.Run(ctx, p); err != nil {
		fmt.Fprintln(os.Stderr, "beam:", err)
		os.Exit(1)
	}
}

// given returns what the flags say.
func given() (c config, err error) {
	if flag.NArg() > 0 {
		return c, fmt.Errorf("unexpected argument %q, want flags only", flag.Arg(0))
	}
	c = config{
		Jobs: *jobs, Operations: *operations, Events: *events, Value: *worth,
		Window: *window, Iterations: *iterations, Out: *out, Shards: *shards, Paths: *withPaths,
	}
	if c.Columns, err = parseColumns(*columns); err != nil {
		return c, err
	}
	return c, c.check()
}

// parseColumns reads names of columns, parted by commas: op=action,job=run.
func parseColumns(s string) (map[string]string, error) {
	names := make(map[string]string)
	for pair := range strings.SplitSeq(s, ",") {
		if pair == "" {
			continue
		}
		column, name, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("-columns has %q, want column=name", pair)
		}
		if _, ok := names[column]; ok {
			return nil, fmt.Errorf("-columns has %s twice", column)
		}
		names[column] = name
	}
	return names, nil
}
