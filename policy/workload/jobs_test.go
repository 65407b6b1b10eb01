package workload_test

import (
	"bytes"
	"compress/gzip"
	"iter"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

const s = time.Second

// bag returns a job of one stage of one-core tasks, which run for the given times.
func bag(id policy.JobID, submitted policy.Duration, runtimes ...policy.Duration) *workload.Job {
	return &workload.Job{
		Job: policy.Job{
			ID: id, Submitted: policy.Time(submitted),
			Stages: []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: 1}},
		},
		Runtimes: [][]policy.Duration{runtimes},
	}
}

// full returns a job with every field set to something that is not the default.
func full(id policy.JobID) *workload.Job {
	return &workload.Job{
		Job: policy.Job{
			ID:        id,
			Submitted: -1500,
			At:        time.Date(2026, time.March, 29, 23, 30, 0, 1, time.FixedZone("", -5*3600)),
			Attrs:     []policy.Attr{{Name: "user", Value: "Ł <&>\u2028\n"}, {Name: "", Value: ""}},
			Stages: []policy.Stage{
				{Tasks: 3, Cores: 2, Memory: 1 << 40, Gang: true, Prefer: []policy.PartitionID{7, policy.MaxID}, Elsewhere: 1.25},
				{Tasks: 1, Cores: 1<<31 - 1},
				{Tasks: 2, Cores: 1, Reads: []policy.Dep{{Stage: 0}, {Stage: 1, Pipe: true}}, Holders: []policy.NodeID{1, policy.MaxID, 7, 0}},
			},
			Queue:    "night",
			Priority: -0.1,
			SLO:      &policy.SLO{Deadline: 1e18, Utility: 5e-324},
			Inputs:   &policy.Inputs{Jobs: []policy.JobID{1<<32 - 1, 1}, Wait: true},
		},
		Runtimes: [][]policy.Duration{{0, 1, 1e18}, {s}, {2 * s, 3 * s}},
		Luck:     &workload.Luck{Seed: 1<<64 - 1, Tail: 1.1, Bound: 100, Base: []policy.Duration{0, 1e18, s}},
	}
}

// generate returns that many jobs of DefaultHeavyTail.
func generate(t testing.TB, jobs int) []*workload.Job {
	t.Helper()
	g := workload.DefaultHeavyTail()
	g.Jobs = jobs
	return generated(t, g)
}

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

// augurText writes jobs in augur's own form.
func augurText(t testing.TB, jobs ...*workload.Job) []byte {
	t.Helper()
	var text bytes.Buffer
	if err := workload.Write(&text, workload.Of(jobs)); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
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
func reader(t testing.TB, text []byte, o workload.ReaderConfig) *workload.Reader {
	t.Helper()
	r, err := workload.NewReader("x", bytes.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// drain reads a source in its own order, up to its end or an error.
func drain(source workload.Source) ([]*workload.Job, error) {
	var jobs []*workload.Job
	for j, err := range source {
		if err != nil {
			return jobs, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// all reads a source to its end.
func all(t testing.TB, source workload.Source) []*workload.Job {
	t.Helper()
	jobs, err := drain(source)
	if err != nil {
		t.Fatalf("got error %v after %d jobs, want none", err, len(jobs))
	}
	return jobs
}

// first returns what a source yields first.
func first[T any](source iter.Seq2[*T, error]) (*T, error) {
	for j, err := range source {
		return j, err
	}
	return nil, nil
}

// wantDropped compares what a lenient reader has dropped.
func wantDropped(t *testing.T, r *workload.Reader, want map[string]int) {
	t.Helper()
	if diff := cmp.Diff(want, r.Dropped(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("dropped: -want +got:\n%s", diff)
	}
}

// wantSkipped compares what a reader has left out.
func wantSkipped(t *testing.T, r *workload.Reader, want map[string]int) {
	t.Helper()
	if diff := cmp.Diff(want, r.Skipped(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("skipped: -want +got:\n%s", diff)
	}
}

// names are those of formats or presets.
func names(of iter.Seq2[string, string]) (names []string) {
	for name := range of {
		names = append(names, name)
	}
	return names
}
