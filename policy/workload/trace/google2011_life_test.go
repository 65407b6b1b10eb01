package trace_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload/trace"
)

// A googleEvent is a row, at a time.
type googleEvent struct {
	at  int64
	row string
	job bool // of job_events
}

// googleLife draws the life of a job: its rows, by time, and the runtimes of the tasks that
// are to be read.
func googleLife(rng *rand.Rand, job int) (rows []googleEvent, runtimes []policy.Duration) {
	begin := 1 + rng.Int64N(50)
	end := begin
	event := func(at int64, k, kind int) {
		rows = append(rows, googleEvent{at: at, row: googleTask(at, job, k, kind)})
		end = max(end, at)
	}
	for _, k := range rng.Perm(1 + rng.IntN(5)) {
		index := k * (1 + job%2) // jobs with gaps among their tasks, and without
		at := begin
		event(at, index, 0)
		run := int64(-1)
		for range rng.IntN(4) { // attempts
			start := at + rng.Int64N(5)
			at = start + rng.Int64N(20)
			how := 2 + rng.IntN(5)
			event(start, index, 1)
			event(at, index, how)
			if how != 2 && how != 6 {
				run = at - start
			}
		}
		if run >= 0 {
			runtimes = append(runtimes, policy.Duration(index)<<40|policy.Duration(run)*us) // to be sorted by index
		}
	}
	slices.Sort(runtimes)
	for i := range runtimes {
		runtimes[i] &= 1<<40 - 1
	}
	rows = append(rows, googleEvent{begin, googleJob(begin, job, 0), true}, googleEvent{end, googleJob(end, job, 4+rng.IntN(2)), true})
	slices.SortStableFunc(rows, func(a, b googleEvent) int { return cmp.Compare(a.at, b.at) })
	return rows, runtimes
}

// Whatever happens to its tasks, a job is read as it was drawn, from one file and from two
// folders of parts.
func TestGoogle2011Lives(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var rows []googleEvent
		want := make(map[string][]policy.Duration)
		for job := range 6 {
			life, runtimes := googleLife(rng, job)
			rows = append(rows, life...)
			if len(runtimes) > 0 {
				want[fmt.Sprintf("name%d", job)] = runtimes
			}
		}
		slices.SortStableFunc(rows, func(a, b googleEvent) int { return cmp.Compare(a.at, b.at) })

		var whole strings.Builder
		tables := map[bool][]string{}
		for _, row := range rows {
			whole.WriteString(row.row)
			tables[row.job] = append(tables[row.job], row.row)
		}
		dir := t.TempDir()
		for job, rows := range tables {
			for part := 0; len(rows) > 0; part++ {
				n := 1 + rng.IntN(len(rows))
				saveFile(t, filepath.Join(dir, "of_jobs_"+strconv.FormatBool(job), fmt.Sprintf("part-%05d.csv", part)), strings.Join(rows[:n], ""))
				rows = rows[n:]
			}
		}
		parts, err := trace.Open(dir, trace.ReaderConfig{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*trace.Reader{reader(t, []byte(whole.String()), trace.ReaderConfig{}), parts} {
			got := make(map[string][]policy.Duration)
			for _, j := range jobtest.All(t, r.Jobs()) {
				name, _ := j.Attr("jobname")
				if got[name] != nil {
					t.Errorf("seed %d: %s comes twice", seed, name)
				}
				got[name] = j.Runtimes[0]
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d: -want +got:\n%s\nof\n%s", seed, diff, whole.String())
			}
		}
		if err := parts.Close(); err != nil {
			t.Error(err)
		}
	}
}
