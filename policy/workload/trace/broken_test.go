package trace_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload/trace"
)

// A badRow is a row that cannot be read, and why.
type badRow struct{ name, row, reason, detail string }

// badRows reads each row between two good texts, of which the first makes so many jobs before the row is read:
// strictly, where it is the end, and leniently, where it is only counted.
func badRows(t *testing.T, config trace.ReaderConfig, good string, before int, next string, rows []badRow) {
	t.Helper()
	sound := jobtest.All(t, reader(t, []byte(good+"\n"+next), config).Jobs())
	for _, test := range rows {
		t.Run(test.name, func(t *testing.T) {
			text := []byte(good + "\n\n" + test.row + "\n" + next + "\n")
			strict := reader(t, text, config)
			jobs, err := jobtest.Drain(strict.Jobs())
			if diff := cmp.Diff(sound[:before], jobs, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("strict: -want +got:\n%s", diff)
			}
			want := &trace.RowError{File: "x", Line: strings.Count(good, "\n") + 3, Reason: test.reason, Detail: test.detail}
			if diff := cmp.Diff(error(want), err); diff != "" {
				t.Errorf("strict: -want +got:\n%s", diff)
			}
			if _, again := jobtest.First(strict.Jobs()); again != err {
				t.Errorf("strict, again: got error %v, want %v", again, err)
			}

			config := config
			config.Lenient = true
			lenient := reader(t, text, config)
			if diff := cmp.Diff(sound, jobtest.All(t, lenient.Jobs())); diff != "" {
				t.Errorf("lenient: -want +got:\n%s", diff)
			}
			wantDropped(t, lenient, map[string]int{test.reason: 1})
		})
	}
}

// A row may be longer than any buffer, up to 2^24 bytes. Of a longer one no more than that is read by a strict reader.
func TestLongRows(t *testing.T) {
	const most = 1 << 24
	fits := "0 1 1 1" + strings.Repeat(" ", most-8) + "\n"
	if jobs := jobtest.All(t, reader(t, []byte(fits+twoRows), trace.ReaderConfig{}).Jobs()); len(jobs) != 3 {
		t.Errorf("just fits: got %d jobs, want 3", len(jobs))
	}
	for _, test := range []struct {
		name, text string
		left       int // good rows
	}{
		{"one byte too long", twoRows + " " + fits + twoRows, 4},
		{"without end", twoRows + "0 1 1 1" + strings.Repeat(" ", most+1<<22), 2},
	} {
		in := strings.NewReader(test.text)
		r, err := trace.NewReader("x", in, trace.ReaderConfig{})
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := jobtest.Drain(r.Jobs())
		if read := len(test.text) - in.Len(); read > most+1<<20 {
			t.Errorf("%s: got %d bytes read to find the row too long, want about %d", test.name, read, most)
		}
		const reason = "the row is longer than 2^24 bytes"
		var wrong *trace.RowError
		if !errors.As(err, &wrong) || wrong.Line != 3 || wrong.Reason != reason || len(jobs) != 2 {
			t.Errorf("%s: got %d jobs and error %v, want 2 and one about line 3", test.name, len(jobs), err)
		}
		lenient := reader(t, []byte(test.text), trace.ReaderConfig{Lenient: true})
		if jobs := jobtest.All(t, lenient.Jobs()); len(jobs) != test.left {
			t.Errorf("%s, lenient: got %d jobs, want %d", test.name, len(jobs), test.left)
		}
		wantDropped(t, lenient, map[string]int{reason: 1})
	}
}

// A file that breaks off is an error at the line after those that are whole, or the end if the reader is lenient.
func fileBreaksOff(t *testing.T) {
	gone := errors.New("the disk is gone")
	text := trText(jobtest.Generate(t, 100))
	packed := gzipped(t, text)
	body := packed[: len(packed)-8 : len(packed)-8] // without sum and length
	for _, test := range []struct {
		name   string
		text   []byte
		then   error // after the text; nil for its end
		rows   int   // that are whole; -1 if that depends on how gzip packs them
		detail string
	}{
		{"gzip cut in the middle", packed[:len(packed)/2], nil, -1, "unexpected EOF"},
		{"gzip with a wrong sum", append(body, 1, 2, 3, 4, 5, 6, 7, 8), nil, 100, "gzip: invalid checksum"},
		{"error within a row", text[:len(text)-2], gone, 99, "the disk is gone"},
		{"error between rows", text, gone, 100, "the disk is gone"},
	} {
		t.Run(test.name, func(t *testing.T) {
			read := func(o trace.ReaderConfig) *trace.Reader {
				var in io.Reader = bytes.NewReader(test.text)
				if test.then != nil {
					in = io.MultiReader(in, iotest.ErrReader(test.then))
				}
				r, err := trace.NewReader("x", in, o)
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			strict := read(trace.ReaderConfig{})
			jobs, err := jobtest.Drain(strict.Jobs())
			rows := test.rows
			if rows < 0 {
				if rows = len(jobs); rows == 0 || rows >= 100 {
					t.Errorf("got %d jobs before the cut, want 1 to 99", rows)
				}
			}
			want := &trace.RowError{File: "x", Line: rows + 1, Reason: "the file breaks off", Detail: test.detail}
			if diff := cmp.Diff(error(want), err); diff != "" {
				t.Errorf("strict: -want +got:\n%s", diff)
			}
			if _, again := jobtest.First(strict.Jobs()); again != err {
				t.Errorf("strict, again: got error %v, want %v", again, err)
			}

			lenient := read(trace.ReaderConfig{Lenient: true})
			if diff := cmp.Diff(jobs, jobtest.All(t, lenient.Jobs())); diff != "" {
				t.Errorf("lenient: -want +got:\n%s", diff)
			}
			wantDropped(t, lenient, map[string]int{"the file breaks off": 1})
			if j, again := jobtest.First(lenient.Jobs()); j != nil || again != nil {
				t.Errorf("lenient, again: got %v and error %v, want neither", j, again)
			}
			wantDropped(t, lenient, map[string]int{"the file breaks off": 1})
		})
	}
}

// Texts that try to take much memory, read leniently, so that no error ends them early. All of them repeat themselves, so
// gzip packs them into files of some KiB. What is allocated in all, freed or not, is bounded by a small multiple of the
// longest row, which ends at 16 MiB, and of the objects in it, at most 2^18.
func hostileTexts(t *testing.T) {
	const (
		mib     = 1 << 20
		tooLong = "the row is longer than 2^24 bytes"
		parts   = "more than 2^18 objects, arrays and nulls"
	)
	for _, test := range []struct {
		name       string
		head, body string
		times      int // the body is repeated
		tail       string
		most       int // MiB allocated
		jobs       int // found
		dropped    map[string]int
	}{
		{"tasks that are not there", "0 268435456 1", " 1", 1000, "", 1, 0, map[string]int{"fewer runtimes than tasks": 1}},
		{"tasks that are there", "0 1048576 1", " 1", mib, "", 30, 1, nil},
		{"a word without end", "0 1 1 1", "1", 20 * mib, "", 100, 0, map[string]int{tooLong: 1}},
		{"stages within the limit", `{"stages":[{}`, ",{}", 1<<18 - 5, "]}", 210, 0, map[string]int{invalid: 1}},
		{"a workflow without end", "{\n", strings.Repeat("x", 1<<14) + "\n", 4200, "", 300, 0, map[string]int{"the file is longer than 2^26 bytes": 1}},
		{"a workflow of empty tasks", "{\n" + `"workflow":{"specification":{"tasks":[{}`, ",{}", mib / 8, "]}}}", 100, 0, map[string]int{"two tasks have the same ID": 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := []byte(test.head + strings.Repeat(test.body, test.times) + test.tail)
			before := allocated()
			r := reader(t, text, trace.ReaderConfig{Lenient: true})
			jobs := jobtest.All(t, r.Jobs())
			got := (allocated() - before) >> 20
			t.Logf("%d KiB of text: %d MiB allocated", len(text)>>10, got)
			if got > uint64(test.most) {
				t.Errorf("got %d MiB allocated, want at most %d", got, test.most)
			}
			if len(jobs) != test.jobs {
				t.Errorf("got %d jobs, want %d", len(jobs), test.jobs)
			}
			wantDropped(t, r, test.dropped)
		})
	}
}
