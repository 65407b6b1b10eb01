package trace_test

import (
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload/trace"
)

// Texts that try to take much memory, read leniently, so that no error ends them early.
// All of them repeat themselves, so gzip packs them into files of some KiB. What is
// allocated in all, freed or not, is bounded by a small multiple of the longest row,
// which ends at 16 MiB, and of the objects in it, at most 2^18.
func TestHostileTexts(t *testing.T) {
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
		{"stages within the limit", `{"stages":[{}`, ",{}", 1<<18 - 5, "]}", 150, 0, map[string]int{invalid: 1}},
		{"null stages within the limit", `{"stages":[null`, ",null", 1<<18 - 5, "]}", 150, 0, map[string]int{invalid: 1}},
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
