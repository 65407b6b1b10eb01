package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

// readColumn writes a table of jobs whose column submitted holds these values, and reads it.
func readColumn(t *testing.T, submitted parquet.Node, values ...any) (times []int64, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "jobs.parquet")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	schema := parquet.NewSchema("jobs", parquet.Group{"job": parquet.String(), "other": parquet.Int(64), "submitted": submitted})
	w := parquet.NewGenericWriter[any](file, schema)
	for _, v := range values {
		row := parquet.Row{parquet.ValueOf("j").Level(0, 0, 0), parquet.ValueOf(int64(7)).Level(0, 0, 1), parquet.ValueOf(v).Level(0, 0, 2)}
		if submitted.Optional() && v != nil {
			row[2] = parquet.ValueOf(v).Level(0, 1, 2)
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file.Close()
	f := &readJobs{}
	err = f.ProcessElement(t.Context(), fileio.ReadableFile{Metadata: fileio.FileMetadata{Path: path}}, func(job string, at int64) {
		if job != "j" {
			t.Errorf("got job %q, want j", job)
		}
		times = append(times, at)
	})
	return times, err
}

// Times in Parquet may have any unit, and no zone. Others are errors that name the file and the row.
func TestParquetTimes(t *testing.T) {
	const second = int64(1e9)
	for name, test := range map[string]struct {
		submitted parquet.Node
		value     any
		want      int64
		err       string
	}{
		"nanoseconds":      {parquet.Leaf(parquet.Int64Type), -3 * second, -3 * second, ""},
		"integer":          {parquet.Int(64), second, second, ""},
		"optional":         {parquet.Optional(parquet.Int(64)), second, second, ""},
		"text":             {parquet.String(), "1970-01-01T00:00:01Z", second, ""},
		"bytes":            {parquet.Leaf(parquet.ByteArrayType), " 5 ", 5, ""},
		"in milliseconds":  {parquet.Timestamp(parquet.Millisecond), int64(1500), second * 3 / 2, ""},
		"in microseconds":  {parquet.Timestamp(parquet.Microsecond), int64(-1500000), -second * 3 / 2, ""},
		"in nanoseconds":   {parquet.Timestamp(parquet.Nanosecond), second, second, ""},
		"without zone":     {parquet.TimestampAdjusted(parquet.Millisecond, false), int64(1000), second, ""},
		"none":             {parquet.Optional(parquet.Int(64)), nil, 0, `jobs.parquet:2: submitted is ""`},
		"too far":          {parquet.Timestamp(parquet.Millisecond), int64(1) << 60, 0, `jobs.parquet:2: submitted is "`},
		"32 bits":          {parquet.Int(32), int32(1), 0, `jobs.parquet: column "submitted" is `},
		"without sign":     {parquet.Uint(64), int64(1), 0, `jobs.parquet: column "submitted" is `},
		"a float":          {parquet.Leaf(parquet.DoubleType), 1.0, 0, `jobs.parquet: column "submitted" is `},
		"a decimal":        {parquet.Decimal(2, 10, parquet.Int64Type), int64(1), 0, `jobs.parquet: column "submitted" is `},
		"a time of day":    {parquet.Time(parquet.Microsecond), int64(1), 0, `jobs.parquet: column "submitted" is `},
		"that of Impala":   {parquet.Leaf(parquet.Int96Type), deprecated.Int96{}, 0, `jobs.parquet: column "submitted" is `},
		"several in a row": {parquet.Repeated(parquet.Int(64)), int64(1), 0, `jobs.parquet: column "submitted" is `},
	} {
		first := test.value
		if test.err != "" && strings.Contains(test.err, ":2:") {
			first = int64(0)
		}
		got, err := readColumn(t, test.submitted, first, test.value)
		switch {
		case test.err != "":
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: got %v, want %s", name, err, test.err)
			}
		case err != nil || len(got) != 2 || got[0] != test.want || got[1] != test.want:
			t.Errorf("%s: got %v, %v, want %d twice", name, got, err, test.want)
		}
	}
	path := filepath.Join(t.TempDir(), "jobs.parquet")
	if err := os.WriteFile(path, []byte(jobsHeader+"a,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	err := (&readJobs{}).ProcessElement(t.Context(), fileio.ReadableFile{Metadata: fileio.FileMetadata{Path: path}}, nil)
	if err == nil || !strings.Contains(err.Error(), path+": ") {
		t.Errorf("a table in CSV: got %v, want an error that names the file", err)
	}
}
