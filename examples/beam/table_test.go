package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
)

// read reads a table of operations without a pipeline.
func read(t *testing.T, name, text string, columns map[string]string) (byJob, byUser []Op, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".gz") {
		z := gzip.NewWriter(file)
		io.WriteString(z, text)
		z.Close()
	} else {
		io.WriteString(file, text)
	}
	file.Close()
	f := &readOps{columns}
	take := func(ops *[]Op) func(string, Op) {
		return func(key string, op Op) {
			if want := map[bool]string{true: op.File, false: op.Job}[op.Job == ""]; key != want {
				t.Errorf("%v has key %q, want %q", op, key, want)
			}
			if op.Table != path {
				t.Errorf("%v is of table %q, want %q", op, op.Table, path)
			}
			op.Table = ""
			*ops = append(*ops, op)
		}
	}
	err = f.ProcessElement(t.Context(), fileio.ReadableFile{Metadata: fileio.FileMetadata{Path: path}}, take(&byJob), take(&byUser))
	return byJob, byUser, err
}

func TestReadOperations(t *testing.T) {
	text := "\ufefftime,did, JOB ,file,more\n" +
		"-5,write,a, f ,x\n" +
		"1970-01-01T01:00:00.000000007+01:00,upload,,\"f,\ng\",\"\"\n" +
		"7,read,b,f,\n" +
		"8,download,,f,\n"
	for _, name := range []string{"ops.csv", "ops.csv.gz"} {
		byJob, byUser, err := read(t, name, text, map[string]string{"op": "did"})
		if err != nil {
			t.Fatal(err)
		}
		if want := []Op{{Time: -5, Write: true, Job: "a", File: "f", Line: 2}, {Time: 7, Job: "b", File: "f", Line: 5}}; !slices.Equal(byJob, want) {
			t.Errorf("%s: got %v, want %v", name, byJob, want)
		}
		if want := []Op{{Time: 7, Write: true, File: "f,\ng", Line: 3}, {Time: 8, File: "f", Line: 6}}; !slices.Equal(byUser, want) {
			t.Errorf("%s: got %v, want %v", name, byUser, want)
		}
	}
}

// An error names file, line and culprit.
func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "ops.csv: the file is empty",
		"time,op,file\n":             `ops.csv: column "job" is missing`,
		"time,op,file,job,OP\n":      `ops.csv: column "op" comes twice`,
		opsHeader + "1,read,f\n":     "ops.csv: record on line 2: wrong number of fields",
		opsHeader + "1.5,read,f,a\n": `ops.csv:2: time is "1.5", want whole nanoseconds`,
		opsHeader + "+1,read,f,a\n":  `ops.csv:2: time is "+1"`,
		opsHeader + ",read,f,a\n":    `ops.csv:2: time is ""`,
		opsHeader + "1677-12-31T00:00:00Z,read,f,a\n": `ops.csv:2: time is "1677-12-31T00:00:00Z"`,
		opsHeader + "2020-11-04T13:00,read,f,a\n":     `ops.csv:2: time is "2020-11-04T13:00"`,
		opsHeader + "1,open,f,a\n":                    `ops.csv:2: op is "open"`,
		opsHeader + "1,read,f,\n":                     `ops.csv:2: read by job ""`,
		opsHeader + "1,download,f,a\n":                `ops.csv:2: download by job "a"`,
		opsHeader + "1,read,f,a\n2,write, ,a\n":       "ops.csv:3: file has no name",
	} {
		if _, _, err := read(t, "ops.csv", text, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	path := filepath.Join(t.TempDir(), "jobs.csv")
	for text, want := range map[string]string{
		jobsHeader + "a,1\n,2\n": "jobs.csv:3: job has no ID",
		jobsHeader + "a,\n":      `jobs.csv:2: submitted is ""`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		f := &readJobs{}
		err := f.ProcessElement(t.Context(), fileio.ReadableFile{Metadata: fileio.FileMetadata{Path: path}}, func(string, int64) {})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// What only a join can find is an error of the pipeline.
func TestPipelineErrors(t *testing.T) {
	for name, test := range map[string]struct{ jobs, ops, want string }{
		"job twice":     {jobsHeader + "a,1\na,1\n", opsHeader, `job "a" comes twice`},
		"job not known": {jobsHeader + "a,1\n", opsHeader + "1,write,f,a\n2,read,f,b\n", `ops0.csv:3: job "b" is not known`},
	} {
		_, err := runPipeline(t, tables(t, []string{test.jobs}, test.ops))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	good := config{Jobs: "j", Operations: "o", Out: "out", Iterations: 3, Shards: 1}
	if err := good.check(); err != nil {
		t.Error(err)
	}
	ofEvents := config{Events: "e", Out: "out", Iterations: 3, Shards: 1}
	if err := ofEvents.check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(c *config){
		"-jobs is missing":            func(c *config) { c.Jobs = "" },
		"-operations is missing":      func(c *config) { c.Operations = "" },
		"-events is given with":       func(c *config) { c.Events = "e" },
		`-value is "money"`:           func(c *config) { c.Value = "money" },
		"-out is missing":             func(c *config) { c.Out = "" },
		"-window is -1ns":             func(c *config) { c.Window = -1 },
		"-iterations is -1":           func(c *config) { c.Iterations = -1 },
		"-iterations is 33":           func(c *config) { c.Iterations = 33 },
		"-shards is 0":                func(c *config) { c.Shards = 0 },
		"-shards is 10001":            func(c *config) { c.Shards = 10_001 },
		`-columns has "org", want na`: func(c *config) { c.Columns = map[string]string{"org": "x"} },
	} {
		c := good
		change(&c)
		if err := c.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for s, want := range map[string]string{"op": `"op"`, "op=": `"op="`, "op=a,op=b": "op twice"} {
		if _, err := parseColumns(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", s, err, want)
		}
	}
	if got, err := parseColumns("op=action,job=run"); err != nil || fmt.Sprint(got) != "map[job:run op:action]" {
		t.Errorf("got %v, %v", got, err)
	}
}
