package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"example.com/augur/dag/provenance"
)

// event writes a run event. An input or output is the name of a file, perhaps with the kind of a change and the name
// before, as in new=RENAME=old.
func event(kind string, at time.Time, run, facets string, inputs, outputs []string) string {
	files := func(names []string) string {
		var list []string
		for _, name := range names {
			v := append(strings.Split(name, "="), "", "")
			list = append(list, fmt.Sprintf(`{"namespace":"lake","name":%q,"facets":{"lifecycleStateChange":{"lifecycleStateChange":%q,"previousIdentifier":{"namespace":"lake","name":%q}}}}`, v[0], v[1], v[2]))
		}
		return strings.Join(list, ",")
	}
	return fmt.Sprintf(`{"eventType":%q,"eventTime":%q,"run":{"runId":%q,"facets":{%s}},"job":{"namespace":"etl","name":"job.%[3]s"},"inputs":[%[5]s],"outputs":[%[6]s]}`,
		kind, at.Format(time.RFC3339Nano), run, facets, files(inputs), files(outputs))
}

// part is what a run of Spark says that is a part of an application.
func part(application string) string {
	return fmt.Sprintf(`"processing_engine":{"name":"spark"},"parent":{"run":{"runId":%q},"job":{"namespace":"etl","name":"job"}}`, application)
}

// eventFiles writes events to files, and returns a config that reads them.
func eventFiles(t *testing.T, texts map[string]string) config {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		file, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if !strings.HasSuffix(name, ".gz") {
			io.WriteString(file, text)
			continue
		}
		z := gzip.NewWriter(file)
		defer z.Close()
		io.WriteString(z, text)
	}
	return config{Events: filepath.Join(dir, "*.json*")}
}

// randomEvents are of many runs, with many writes at one instant. Some runs are parts of others, some fail or go on, and
// some tell of an end twice, or of more after it.
func randomEvents(t *testing.T) config {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 3))
	start := time.Date(2020, 11, 4, 13, 0, 0, 0, time.UTC)
	at := func(tick int) time.Time { return start.Add(time.Duration(tick) * 500 * time.Millisecond) }
	var lines []string
	for log := range 25 {
		files := func() (names []string) {
			for range rng.IntN(4) {
				names = append(names, fmt.Sprintf("%d/%d", log, rng.IntN(6)))
			}
			return names
		}
		for run := range 40 {
			id, facets, outputs := fmt.Sprintf("%d-%d", log, run), "", files()
			begin := rng.IntN(30)
			end := at(begin + 1 + rng.IntN(10))
			switch rng.IntN(8) {
			case 0:
				facets = part(fmt.Sprintf("%d-application", log))
				end = end.Add(time.Duration(run)) // of two parts that end together it is not known which one has written
			case 1:
				outputs = []string{fmt.Sprintf("%d/%d=RENAME=%d/%d", log, rng.IntN(6), log, rng.IntN(6))}
			case 2:
				for i := range outputs {
					outputs[i] += "=DROP"
				}
			}
			lines = append(lines, event("START", at(begin), id, facets, files(), nil))
			switch rng.IntN(8) {
			case 0:
				lines = append(lines, event("FAIL", end, id, facets, nil, outputs))
			case 1: // goes on
			case 2:
				lines = append(lines, event("COMPLETE", end, id, facets, nil, outputs), event("COMPLETE", end, id, facets, nil, nil))
			default:
				lines = append(lines, event("COMPLETE", end, id, facets, files(), outputs), event("OTHER", end.Add(1), id, facets, nil, nil))
			}
		}
	}
	rng.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
	third := len(lines) / 3
	of := `{"eventTime":"2020-11-04T13:00:00Z","job":{"namespace":"etl","name":"load"}}` // no run
	return eventFiles(t, map[string]string{
		"a.json":    "\ufeff" + strings.Join(lines[:third], "\n") + "\n\n" + of + "\n",
		"b.json.gz": strings.Join(lines[third:2*third], "\r\n"),
		"c.json":    strings.Join(lines[2*third:], "\n") + "\n",
	})
}

type (
	jobRow struct {
		User      string    `parquet:"user,optional"`
		Job       string    `parquet:"job"`
		Submitted time.Time `parquet:"Submitted,timestamp(millisecond)"`
	}
	opNumbers struct {
		Time int64   `parquet:"time"`
		Op   string  `parquet:"op,dict"`
		File string  `parquet:"file"`
		Job  *string `parquet:"job,optional"`
	}
	opTexts struct {
		Time string  `parquet:"time"`
		Op   []byte  `parquet:"op"`
		File string  `parquet:"file"`
		Job  *string `parquet:"job,optional"`
	}
)

// What the library reads in events, the pipeline finds out from them as the library does, and so it does from the tables of that log, as
// CSV and as Parquet.
func TestEventsAndTablesEqualLibrary(t *testing.T) {
	c := randomEvents(t)
	log, _, _ := joined(t, c)
	dir := t.TempDir()
	create := func(name string, write func(io.Writer) error) {
		t.Helper()
		file, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := write(file); err != nil {
			t.Fatal(err)
		}
	}
	create("jobs.csv", log.WriteJobsCSV)
	create("ops.csv", log.WriteOpsCSV)
	var (
		jobs    []jobRow
		numbers []opNumbers
		texts   []opTexts
	)
	for i, j := range log.Jobs {
		jobs = append(jobs, jobRow{"", log.IDs.Name(uint32(i)), time.Unix(0, int64(j.Submitted))})
	}
	for i, op := range log.Ops {
		kind, job := "upload", (*string)(nil) // there are no downloads
		if op.Job != provenance.User {
			kind, job = op.Kind.String(), new(log.IDs.Name(op.Job))
		}
		if i < len(log.Ops)/2 {
			numbers = append(numbers, opNumbers{int64(op.Time), kind, log.Files.Name(op.File), job})
		} else {
			texts = append(texts, opTexts{time.Unix(0, int64(op.Time)).UTC().Format(time.RFC3339Nano), []byte(kind), log.Files.Name(op.File), job})
		}
	}
	create("jobs.parquet", func(w io.Writer) error { return parquet.Write(w, jobs) })
	create("ops1.parquet", func(w io.Writer) error { return parquet.Write(w, numbers, parquet.MaxRowsPerRowGroup(100)) })
	create("ops2.parquet", func(w io.Writer) error { return parquet.Write(w, texts, parquet.Compression(&parquet.Snappy)) })
	c.Window, c.Iterations, c.Paths, c.Value = 10*time.Second, 2, true, "jobs"
	want := askLibrary(t, c)
	if len(want.Dependencies) < 500 || len(want.Paths) < len(want.Dependencies)+500 {
		t.Fatalf("the library finds %d dependencies and %d paths, want 500 and 500 more", len(want.Dependencies), len(want.Paths))
	}
	for _, kind := range []string{"events", "csv", "parquet"} {
		c := c
		if kind != "events" {
			c.Events, c.Jobs, c.Operations = "", filepath.Join(dir, "jobs*."+kind), filepath.Join(dir, "ops*."+kind)
		}
		got, err := runPipeline(t, c)
		if err != nil {
			t.Fatal(err)
		}
		if d := differ(want, got); d != "" {
			t.Errorf("%s: %s", kind, d)
		}
	}
}

// readEventFile reads a file of events without a pipeline, and the run of the first.
func readEventFile(t *testing.T, text string) (ops []Op, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "e.json")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var all []Event
	f := &readEvents{}
	err = f.ProcessElement(t.Context(), fileio.ReadableFile{Metadata: fileio.FileMetadata{Path: path}}, func(_ string, e Event) { all = append(all, e) })
	if err != nil {
		return nil, err
	}
	slices.Reverse(all) // Beam has no order
	next := func(e *Event) bool {
		if len(all) == 0 {
			return false
		}
		*e, all = all[0], all[1:]
		return true
	}
	take := func(_ string, op Op) {
		op.Table, op.Time = "", op.Time/1e9
		ops = append(ops, op)
	}
	return ops, (&readRun{}).ProcessElement("", next, func(string, int64) {}, take, take)
}

// A write has the line of the first event that ended its run, a read that of the first event; and what one event comes to stays
// in order.
func TestLinesOfEvents(t *testing.T) {
	at := func(s int64) time.Time { return time.Unix(s, 0).UTC() }
	got, err := readEventFile(t, strings.Join([]string{
		event("COMPLETE", at(-1), "a", "", nil, nil), // once more at 0, the zero value of Completed
		event("RUNNING", at(0), "a", "", nil, nil),
		event("COMPLETE", at(0), "a", "", nil, []string{"g=RENAME=g"}),
		event("COMPLETE", at(0), "a", "", nil, nil),
		event("START", at(-4), "a", "", []string{"f"}, nil),
	}, "\n"))
	want := []Op{
		{Time: -4, Job: "a", File: "lake f", Line: 1}, {Time: -4, Job: "a", File: "lake g", Line: 1, Part: 1},
		{Write: true, File: "lake g", Line: 3, Part: 2}, {Write: true, Job: "a", File: "lake g", Line: 3, Part: 3},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v; -want +got:\n%s", err, d)
	}
	// It is the job's write that is left.
	reads := Op{Time: 9, Job: "r", Submitted: 9, File: "lake g"}
	ops := append([]Op{reads}, got[3], got[2])
	found := 0
	err = (&joinFile{}).ProcessElement("", func(op *Op) bool {
		if len(ops) == 0 {
			return false
		}
		*op, ops = ops[0], ops[1:]
		return true
	}, func(p Pair, _ Reads) { found++ }, func(string, float64) {})
	if err != nil || found != 1 {
		t.Errorf("got %d dependencies, error %v, want 1", found, err)
	}
}

// An error names file, line and culprit.
func TestEventErrors(t *testing.T) {
	good := event("START", time.Unix(1, 0).UTC(), "a", "", nil, nil)
	for text, want := range map[string]string{
		good + "\n{\n":  "e.json:2: row is no event in JSON",
		good + "\n\n{}": "e.json:3: event has no run",
		good + "\n" + strings.Replace(good, "START", "STOP", 1):   `e.json:2: eventType is none of START, RUNNING, COMPLETE, FAIL, ABORT, OTHER: "STOP"`,
		strings.Replace(good, "1970", "197", 1):                   "e.json:1: eventTime is no time",
		"\n[" + good + "]":                                        "e.json:2: line is more than an event",
		"[\n" + good + ",\n" + good + "]":                         "e.json:2: line is more than an event",
		good + "\n{\"x\":\"" + strings.Repeat("x", 1<<24) + "\"}": "e.json:2: bufio.Scanner: token too long",
	} {
		if _, err := readEventFile(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.200q: got %v, want %s", text, err, want)
		}
	}
	c := eventFiles(t, map[string]string{"a.json": good, "b.json": good + "\n" + strings.Replace(good, "START", "STOP", 1)})
	if _, err := runPipeline(t, c); err == nil || !strings.Contains(err.Error(), "b.json:2: eventType is none of START") {
		t.Errorf("got %v, want that b.json:2 is damaged", err)
	}
}
