package trace_test

import (
	"bytes"
	"compress/gzip"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// What readers of traces promise.
func TestPromises(t *testing.T) {
	t.Run("a trace is read with any line ends, packed or not, and its format is recognised", forms)
	t.Run("whole traces are read, with the numbers of another program", realTraces)
	t.Run("a folder is one trace: its files in the order of their names, packed or not", openFolder)
	t.Run("a file that breaks off is an error that names the line", fileBreaksOff)
	t.Run("what cannot be read is an error that says why", newReaderErrors)
	t.Run("jobs survive the format of their own", augurRoundTrip)
	t.Run("no text takes more memory than a small multiple of its longest row", hostileTexts)
}

const s = time.Second

// trText writes jobs, which are bags of one-core tasks, as rows of a .tr file.
func trText(jobs []*workload.Job) []byte {
	var text []byte
	number := func(x float64) { text = append(strconv.AppendFloat(text, x, 'f', -1, 64), ' ') }
	for _, j := range jobs {
		number(j.Submitted.Seconds())
		number(float64(j.Tasks()))
		number(j.Work() / float64(j.Tasks()))
		for _, d := range j.Runtimes[0] {
			number(d.Seconds())
		}
		text[len(text)-1] = '\n'
	}
	return text
}

func gzipped(t testing.TB, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// reader returns a reader of the text, as of a file named x.
func reader(t testing.TB, text []byte, o trace.ReaderConfig) *trace.Reader {
	t.Helper()
	r, err := trace.NewReader("x", bytes.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wantDropped compares what a lenient reader has dropped.
func wantDropped(t *testing.T, r *trace.Reader, want map[string]int) {
	t.Helper()
	if diff := cmp.Diff(want, r.Dropped(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("dropped: -want +got:\n%s", diff)
	}
}

// wantSkipped compares what a reader has left out.
func wantSkipped(t *testing.T, r *trace.Reader, want map[string]int) {
	t.Helper()
	if diff := cmp.Diff(want, r.Skipped(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("skipped: -want +got:\n%s", diff)
	}
}

// unnamed takes the names from jobs, and returns them.
func unnamed(jobs []*workload.Job) (names []string) {
	for _, j := range jobs {
		names = append(names, j.Name)
		j.Name = ""
	}
	return names
}

// names are those of formats or presets.
func names(of iter.Seq2[string, string]) (names []string) {
	for name := range of {
		names = append(names, name)
	}
	return names
}

// saveFile makes a file below a folder, which may be new, and returns its path.
func saveFile(t *testing.T, text, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// saveFiles makes a new folder of such files.
func saveFiles(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		saveFile(t, text, dir, name)
	}
	return dir
}
