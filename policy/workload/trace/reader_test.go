package trace_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

const twoRows = "0 1 1 1\n2 1 4 4\n"

func forms(t *testing.T) {
	want := []*workload.Job{jobtest.Bag(1, 0, s), jobtest.Bag(2, 2*s, 4*s)}
	augur := string(jobtest.Text(t, want...))
	var formats = []struct{ name, text string }{{"tr", twoRows}, {"augur", augur}}
	for _, format := range formats {
		first, second, _ := strings.Cut(strings.TrimSuffix(format.text, "\n"), "\n")
		for _, test := range []struct{ name, text string }{
			{"plain", format.text},
			{"no newline at the end", first + "\n" + second},
			{"blank lines", "\n \t\n" + first + "\n\n\n" + second + "\n\n"},
			{"byte-order mark", "\ufeff" + format.text},
			{"byte-order mark, gzip", string(gzipped(t, []byte("\ufeff"+format.text)))},
			{"CRLF", "\r\n" + first + "\r\n\r\n" + second + "\r\n"},
			{"blanks around", " " + first + " \n\t" + second + "\t"},
			{"gzip", string(gzipped(t, []byte(format.text)))},
			{"gzip in two parts", string(gzipped(t, []byte(first+"\n"))) + string(gzipped(t, []byte(second)))},
		} {
			for _, o := range []trace.ReaderConfig{{}, {Format: "auto"}, {Format: format.name}, {Format: format.name, Lenient: true}} {
				r := reader(t, []byte(test.text), o)
				if diff := cmp.Diff(want, jobtest.All(t, r.Jobs())); diff != "" {
					t.Errorf("%s, %s, %+v: -want +got:\n%s", format.name, test.name, o, diff)
				}
				wantDropped(t, r, nil)
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func TestEmptyFiles(t *testing.T) {
	formats := append(names(trace.Formats()), "")
	for _, text := range []string{"", "\n", " \r\n\t\n", "\xc2\xa0", string(gzipped(t, nil))} {
		for _, format := range formats {
			if jobs := jobtest.All(t, reader(t, []byte(text), trace.ReaderConfig{Format: format}).Jobs()); len(jobs) > 0 {
				t.Errorf("%q as %q: got %d jobs, want none", text, format, len(jobs))
			}
		}
	}
}

func newReaderErrors(t *testing.T) {
	gone := errors.New("the disk is gone")
	known := strings.Join(names(trace.Formats()), ", ")
	for _, test := range []struct {
		name, text, format string
		want               string
	}{
		{"unknown format", twoRows, "xyz", `trace: unknown format "xyz", want auto or one of ` + known},
		{"format in capitals", twoRows, "TR", `trace: unknown format "TR", want auto or one of ` + known},
		{"first line of no format", "# a comment\n" + twoRows, "", `x: the first line is of no known format, so name one, or the columns of a table: "# a comment"`},
		{"a long one is cut", strings.Repeat("y", 5000), "auto", `x: the first line is of no known format, so name one, or the columns of a table: "` + strings.Repeat("y", 40) + `"`},
		{"an array", "\n\n[{}]", "", `x: the first line is of no known format, so name one, or the columns of a table: "[{}]"`},
		{"2^14 blank bytes", strings.Repeat("\n", 1<<14) + twoRows, "", "x: the first 16384 bytes are blank, so name the format, one of " + known},
		{"gzip header cut", "\x1f\x8b\x08", "tr", "x: unexpected EOF"},
		{"gzip cut before the first byte", string(gzipped(t, []byte(twoRows))[:10]), "", "x: unexpected EOF"},
	} {
		for _, lenient := range []bool{false, true} {
			_, err := trace.NewReader("x", strings.NewReader(test.text), trace.ReaderConfig{Format: test.format, Lenient: lenient})
			if err == nil || err.Error() != test.want {
				t.Errorf("%s: got error %v, want %s", test.name, err, test.want)
			}
		}
	}
	if _, err := trace.NewReader("x", nil, trace.ReaderConfig{}); err == nil || err.Error() != `trace: the reader of "x" is nil` {
		t.Errorf("no reader: got error %v, want one that says so", err)
	}
	if _, err := trace.NewReader("x", iotest.ErrReader(gone), trace.ReaderConfig{}); !errors.Is(err, gone) {
		t.Errorf("unreadable: got error %v, want %v", err, gone)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string { return saveFile(t, text, dir, name) }

	r, err := trace.Open(write("good.tr.gz", string(gzipped(t, []byte(twoRows)))), trace.ReaderConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if jobs := jobtest.All(t, r.Jobs()); len(jobs) != 2 {
		t.Errorf("got %d jobs, want 2", len(jobs))
	}
	if err := r.Close(); err != nil {
		t.Errorf("closing: got error %v, want none", err)
	}
	if err := r.Close(); err != nil {
		t.Errorf("closing again: got error %v, want none", err)
	}

	if r, err := trace.Open(filepath.Join(dir, "missing.tr"), trace.ReaderConfig{}); !errors.Is(err, fs.ErrNotExist) || r != nil {
		t.Errorf("missing file: got %v and error %v, want none and %v", r, err, fs.ErrNotExist)
	}
	if _, err := trace.Open("", trace.ReaderConfig{}); err == nil || err.Error() != "trace: the path of a trace is empty, want a file or a directory" {
		t.Errorf("no path: got error %v, want one that says so", err)
	}
	if _, err := trace.Open(t.TempDir(), trace.ReaderConfig{}); err == nil || !strings.Contains(err.Error(), "holds no files") {
		t.Errorf("an empty folder: got error %v, want that it holds no files", err)
	}
	want := `bad.txt: the first line is of no known format, so name one, or the columns of a table: "# jobs"`
	if _, err := trace.Open(write("bad.txt", "# jobs\n"), trace.ReaderConfig{}); err == nil || err.Error() != want {
		t.Errorf("no format: got error %v, want %s", err, want)
	}
	r, err = trace.Open(write("row.tr", "0 1 1 1\n5 0 1\n"), trace.ReaderConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want = `row.tr:2: number of tasks is not in 1 to 2^28: "0"`
	if _, err := jobtest.Drain(r.Jobs()); err == nil || err.Error() != want {
		t.Errorf("bad row: got error %v, want %s", err, want)
	}
}

func openFolder(t *testing.T) {
	dir := saveFiles(t, map[string]string{
		"a/part-2": "5 1 1 1\nx\n", "a/part-1.gz": string(gzipped(t, []byte(twoRows))),
		"b": "\n9 1 1 1\n", ".hidden": "no trace", ".git/x": "no trace",
	})
	for _, lenient := range []bool{false, true} {
		r, err := trace.Open(dir, trace.ReaderConfig{Lenient: lenient})
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := jobtest.Drain(r.Jobs())
		if lenient {
			if len(jobs) != 4 || jobs[3].ID != 4 || jobs[3].Submitted != 9e9 || err != nil {
				t.Errorf("lenient: got %d jobs and error %v, want 4, the last one submitted at 9 s", len(jobs), err)
			}
			wantDropped(t, r, map[string]int{"arrival is not a number": 1})
		} else {
			want := filepath.FromSlash("a/part-2") + `:2: arrival is not a number: "x"`
			if len(jobs) != 3 || err == nil || err.Error() != want {
				t.Errorf("strict: got %d jobs and error %v, want 3 and %s", len(jobs), err, want)
			}
		}
		if err := r.Close(); err != nil {
			t.Errorf("closing: got error %v, want none", err)
		}
	}
}

// Auto looks for a file of a known format, and counts those that it leaves out.
func TestOpenFolderAuto(t *testing.T) {
	row, table := "0 1 1 1\n", "creation_time,scheduled_time\n"
	preset := "timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-03 00:00:00,60,1,60,c\n"
	for _, test := range []struct {
		name    string
		files   map[string]string
		o       trace.ReaderConfig
		jobs    int
		skipped map[string]int
		err     string // begins so
	}{
		{"a text and an index first", map[string]string{"README.md": "# 2 jobs\n", "index.csv": table, "x": row, "y": row}, trace.ReaderConfig{}, 2,
			map[string]int{"file of no known format": 2}, ""},
		{"an empty file first", map[string]string{"a": "", "b": row}, trace.ReaderConfig{Format: "auto"}, 1, map[string]int{"file of no known format": 1}, ""},
		{"a list, and a year", map[string]string{"a": "- a list\n", "b": "2011 was a year\n", "c": preset}, trace.ReaderConfig{}, 1, map[string]int{"file of no known format": 2}, ""},
		{"none", map[string]string{"a": "# 2 jobs\n", "b": table}, trace.ReaderConfig{}, 0, nil, "a: the first line is of no known format, so name one, or the columns of a table: \"# 2 jobs\""},
		{"empty files only", map[string]string{"a": "", "b": "\n"}, trace.ReaderConfig{}, 0, nil, ""},
		{"a text later", map[string]string{"x": row, "y": "a text\n"}, trace.ReaderConfig{}, 0, nil, "y:1: arrival is not a number"},
		{"a text, and the format is named", map[string]string{"a": "a text\n", "x": row}, trace.ReaderConfig{Format: "tr"}, 0, nil, "a:1: arrival is not a number"},
		{"a broken file first", map[string]string{"a": "\x1f\x8b\x08", "x": row}, trace.ReaderConfig{}, 0, nil, "a: unexpected EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			jobs, skipped, err := openAll(saveFiles(t, test.files), test.o)
			if test.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), test.err) {
					t.Errorf("got error %v, want %s", err, test.err)
				}
				return
			}
			if len(jobs) != test.jobs || err != nil {
				t.Errorf("got %d jobs and error %v, want %d and none", len(jobs), err, test.jobs)
			}
			if diff := cmp.Diff(test.skipped, skipped, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("skipped: -want +got:\n%s", diff)
			}
		})
	}
}

// openAll reads a file or a directory to its end.
func openAll(path string, o trace.ReaderConfig) (jobs []*workload.Job, skipped map[string]int, err error) {
	r, err := trace.Open(path, o)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	jobs, err = jobtest.Drain(r.Jobs())
	return jobs, r.Skipped(), err
}

// Links are followed to files, and to a directory that is to be opened; not below it.
func TestOpenLinks(t *testing.T) {
	dir := saveFiles(t, map[string]string{"data/a.tr": twoRows})
	data, links := filepath.Join(dir, "data"), filepath.Join(dir, "links")
	if err := os.Mkdir(links, 0o755); err != nil {
		t.Fatal(err)
	}
	link := func(to, from string) {
		t.Helper()
		if err := os.Symlink(to, from); err != nil {
			t.Skip("no links here:", err)
		}
	}
	link(data, filepath.Join(dir, "link"))
	link(filepath.Join(data, "a.tr"), filepath.Join(links, "b.tr"))
	link(links, filepath.Join(links, "again")) // a circle
	for _, path := range []string{"link", "links", "links/b.tr", "link/../data"} {
		jobs, _, err := openAll(filepath.Join(dir, filepath.FromSlash(path)), trace.ReaderConfig{})
		if len(jobs) != 2 || err != nil {
			t.Errorf("%s: got %d jobs and error %v, want 2 and none", path, len(jobs), err)
		}
	}
	link("nowhere", filepath.Join(links, "c.tr"))
	if _, _, err := openAll(links, trace.ReaderConfig{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link to nothing: got error %v, want %v", err, fs.ErrNotExist)
	}
}

// A reader goes on where it was left.
func TestReaderGoesOn(t *testing.T) {
	r := reader(t, []byte(twoRows), trace.ReaderConfig{})
	one, err := jobtest.First(r.Jobs())
	if rest := jobtest.All(t, r.Jobs()); err != nil || one.ID != 1 || len(rest) != 1 || rest[0].ID != 2 {
		t.Errorf("got %+v, error %v, and then %d jobs, want jobs 1 and 2", one, err, len(rest))
	}
}
