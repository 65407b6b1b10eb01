package workload_test

import (
	"io"
	"strings"
	"testing"

	"example.com/augur/policy/workload"
)

// Texts that try to take much memory, read leniently, so that no error ends them early.
// All of them repeat themselves, so gzip packs them into files of some KiB. What is
// allocated in all, freed or not, is bounded by a small multiple of the longest row,
// which is cut at 16 MiB.
func TestHostileTexts(t *testing.T) {
	const (
		kib = 1 << 10
		mib = 1 << 20
	)
	for _, test := range []struct {
		name, format     string
		head, body, tail string
		length           int // up to which body is repeated
		most             int // bytes allocated
		jobs, drops      int // found
	}{
		{"tasks that are not there", "tr", "0 268435456 1 ", "1 ", "", 64 * kib, 2 * mib, 0, 1},
		{"tasks that are there", "tr", "0 8388600 1", " 1", "", 14 + 2*8388600 - 3, 250 * mib, 1, 0},
		{"rows of such tasks", "tr", "", "0 268435456 1 1 1\n", "", 18 * 100_000, 8 * mib, 0, 100_000},
		{"a word without end", "tr", "0 1 1 1", "1", "", 40 * mib, 100 * mib, 0, 1},
		{"blank lines without end", "tr", "0 1 1 1\n", "\n", "", 4 * mib, 2 * mib, 1, 0},
		{"a blank line without end", "tr", "0 1 1 1\n", " ", "", 40 * mib, 100 * mib, 1, 1},
		{"stages", "augur", `{"id":1,"stages":[{}`, ",{}", "]}", 16*mib - kib, 100 * mib, 0, 1},
		{"stages within the limit", "augur", `{"id":1,"stages":[{}`, ",{}", "]}", 3 * 250 * kib, 160 * mib, 0, 1},
		{"no stages", "augur", `{"id":1,"stages":[{}`, ",null", "]}", 5 * 250 * kib, 160 * mib, 0, 1},
		{"lists of runtimes", "augur", `{"id":1,"runtimes":[[]`, ",[]", "]}", 3 * 250 * kib, 50 * mib, 0, 1},
		{"nested lists", "augur", `{"id":1,"runtimes":`, "[", "", 200 * kib, 4 * mib, 0, 1},
		{"runtimes", "augur", `{"id":1,"runtimes":[[1`, ",1", "]]}", 4 * mib, 4 * 50 * mib, 0, 1},
		{"partitions", "augur", `{"id":1,"stages":[{"prefer":[1`, ",1", "]}]}", 4 * mib, 4 * 50 * mib, 0, 1},
		{"inputs", "augur", `{"id":1,"inputs":{"jobs":[1`, ",1", "]}}", 4 * mib, 4 * 50 * mib, 0, 1},
		{"an unknown field", "augur", `{"`, "x", `":1}`, 4 * mib, 60 * mib, 0, 1},
		{"a long name", "augur", `{"queue":"`, "x", `"}`, 4 * mib, 60 * mib, 0, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := io.MultiReader(
				strings.NewReader(test.head),
				io.LimitReader(&repeat{text: test.body}, int64(test.length-len(test.head))),
				strings.NewReader(test.tail),
			)
			before := allocated()
			r, err := workload.NewReader("x", text, workload.Options{Format: test.format, Lenient: true})
			if err != nil {
				t.Fatal(err)
			}
			jobs := all(t, r)
			got := int(allocated() - before)
			t.Logf("%d KiB of text: %d KiB allocated", test.length>>10, got>>10)
			if got > test.most {
				t.Errorf("got %d bytes allocated, want at most %d", got, test.most)
			}
			if len(jobs) != test.jobs || r.Dropped() != test.drops {
				t.Errorf("got %d jobs, %d dropped for %q, want %d and %d", len(jobs), r.Dropped(), r.Reasons(), test.jobs, test.drops)
			}
		})
	}
}

// repeat reads as a text again and again.
type repeat struct {
	text string
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		k := copy(p[n:], r.text[r.at:])
		n, r.at = n+k, (r.at+k)%len(r.text)
	}
	return n, nil
}
