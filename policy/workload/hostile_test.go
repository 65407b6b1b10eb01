package workload_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy/workload"
)

// Texts that try to take much memory, read leniently, so that no error ends them early.
// All of them repeat themselves, so gzip packs them into files of some KiB. What is
// allocated in all, freed or not, is bounded by a small multiple of the longest row,
// which ends at 16 MiB, and of the objects in it, at most 2^18.
func TestHostileTexts(t *testing.T) {
	const (
		mib     = 1 << 20
		tooLong = "the row is longer than 2^24 bytes: 1"
		parts   = "more than 2^18 objects, arrays and nulls: 1"
		invalid = invalid + ": 1"
		noJSON  = noJSON + ": 1"
	)
	for _, test := range []struct {
		name       string
		head, body string
		times      int // the body is repeated
		tail       string
		most       int // MiB allocated
		jobs       int // found
		dropped    []string
	}{
		{"tasks that are not there", "0 268435456 1", " 1", 1000, "", 1, 0, []string{"fewer runtimes than tasks: 1"}},
		{"tasks that are there", "0 1048576 1", " 1", mib, "", 30, 1, nil},
		{"rows of such tasks", "", "0 268435456 1 1 1\n", 20_000, "", 6, 0, []string{"fewer runtimes than tasks: 20000"}},
		{"a word without end", "0 1 1 1", "1", 20 * mib, "", 100, 0, []string{tooLong}},
		{"a blank line without end", "0 1 1 1\n", " ", 20 * mib, "", 100, 1, []string{tooLong}},
		{"blank lines without end", "0 1 1 1\n", "\n", mib, "", 1, 1, nil},
		{"stages", `{"stages":[{}`, ",{}", 5 * mib, "]}", 100, 0, []string{parts}},
		{"stages within the limit", `{"stages":[{}`, ",{}", 1<<18 - 5, "]}", 150, 0, []string{invalid}},
		{"null stages", `{"stages":[null`, ",null", mib, "]}", 50, 0, []string{parts}},
		{"null stages within the limit", `{"stages":[null`, ",null", 1<<18 - 5, "]}", 150, 0, []string{invalid}},
		{"lists of runtimes", `{"runtimes":[[]`, ",[]", 5 * mib, "]}", 100, 0, []string{parts}},
		{"lists of runtimes within the limit", `{"runtimes":[[]`, ",[]", 1<<18 - 5, "]}", 50, 0, []string{invalid}},
		{"nested lists", `{"runtimes":`, "[", 1 << 17, "", 4, 0, []string{noJSON}},
		{"runtimes", `{"runtimes":[[1`, ",1", mib / 2, "]]}", 50, 0, []string{invalid}},
		{"partitions", `{"stages":[{"prefer":[1`, ",1", mib / 4, "]}]}", 15, 0, []string{invalid}},
		{"inputs", `{"inputs":{"jobs":[1`, ",1", mib / 4, "]}}", 15, 0, []string{invalid}},
		{"a workflow without end", "{\n", strings.Repeat("x", 1<<14) + "\n", 4200, "", 300, 0, []string{"the file is longer than 2^26 bytes: 1"}},
		{"a workflow of empty tasks", "{\n" + `"workflow":{"specification":{"tasks":[{}`, ",{}", mib / 8, "]}}}", 100, 0, []string{"two tasks have the same ID: 1"}},
		{"a workflow of empty parents", "{\n" + `"workflow":{"specification":{"tasks":[{"parents":[""`, `,""`, mib, "]}]}}}", 200, 0, []string{"a task has no runtimeInSeconds: 1"}},
		{"a workflow of lists", "{\n" + `"x":[[]`, ",[]", mib, "]}", 40, 0, []string{"more than 2^20 objects, arrays and nulls: 1"}},
		{"an unknown field", `{"`, "x", mib, `":1}`, 25, 0, []string{noJSON}},
		{"a long name", `{"queue":"`, "x", mib, `"}`, 25, 0, []string{invalid}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := []byte(test.head + strings.Repeat(test.body, test.times) + test.tail)
			before := allocated()
			r := reader(t, text, workload.Options{Lenient: true})
			jobs := all(t, r.Jobs())
			got := (allocated() - before) >> 20
			t.Logf("%d KiB of text: %d MiB allocated", len(text)>>10, got)
			if got > uint64(test.most) {
				t.Errorf("got %d MiB allocated, want at most %d", got, test.most)
			}
			if len(jobs) != test.jobs {
				t.Errorf("got %d jobs, want %d", len(jobs), test.jobs)
			}
			if diff := cmp.Diff(test.dropped, r.Reasons()); diff != "" {
				t.Errorf("dropped: -want +got:\n%s", diff)
			}
		})
	}
}
