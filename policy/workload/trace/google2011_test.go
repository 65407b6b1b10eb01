package trace_test

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

const us = time.Microsecond

// googleJob and googleTask return rows of the two tables.
func googleJob(at int64, job, event int) string {
	return fmt.Sprintf("%d,,%d,%d,user%d,2,name%d,logical\n", at, job, event, job, job)
}

func googleTask(at int64, job, task, event int) string {
	return fmt.Sprintf("%d,,%d,%d,77,%d,user%d,2,9,0.5,0.25,0.125,0\n", at, job, task, event, job)
}

// googleBag is what is read of a job with such rows.
func googleBag(id policy.JobID, job int, submitted int64, runtimes ...policy.Duration) *workload.Job {
	j := jobtest.Bag(id, policy.Duration(submitted)*us, runtimes...)
	j.Name = strconv.Itoa(job)
	j.At = time.Date(2011, time.May, 1, 18, 50, 0, 0, time.FixedZone("EDT", -4*60*60)).Add(policy.Duration(submitted) * us)
	j.Priority = 9
	j.Attrs = []policy.Attr{
		{Name: "user", Value: fmt.Sprintf("user%d", job)}, {Name: "program", Value: "logical"}, {Name: "jobname", Value: fmt.Sprintf("name%d", job)},
		{Name: "class", Value: "2"}, {Name: "cpu", Value: "0.5"}, {Name: "memory", Value: "0.25"},
		{Name: "hour", Value: "18"}, {Name: "day", Value: "Sunday"},
	}
	return j
}

// oneTask are the rows of a job that is submitted at a time and has a task of 5 µs.
func oneTask(at int64, job int) string {
	return googleJob(at, job, 0) + googleTask(at, job, 0, 0) + googleTask(at+1, job, 0, 1) + googleTask(at+6, job, 0, 4) + googleJob(at+7, job, 4)
}

func TestGoogle2011(t *testing.T) {
	one := googleBag(1, 7, 100, 5000)
	timeless := func(j *workload.Job) *workload.Job { j.At, j.Attrs = time.Time{}, j.Attrs[:6]; return j }
	for _, test := range []struct {
		name, text string
		want       []*workload.Job
		skipped    map[string]int
	}{
		{"a job of one task", oneTask(100, 7), []*workload.Job{one}, nil},
		{
			"the job ends before its task", googleJob(100, 7, 0) + googleTask(100, 7, 0, 0) + googleTask(101, 7, 0, 1) + googleJob(106, 7, 4) + googleTask(106, 7, 0, 4),
			[]*workload.Job{one}, nil,
		},
		{
			"tasks in any order",
			googleJob(1, 7, 0) + googleTask(2, 7, 3, 1) + googleTask(3, 7, 0, 1) + googleTask(4, 7, 1, 1) + googleTask(10, 7, 0, 4) + googleTask(11, 7, 3, 5) + googleTask(12, 7, 1, 3) + googleJob(13, 7, 4),
			[]*workload.Job{googleBag(1, 7, 1, 7000, 8000, 9000)}, nil,
		},
		{
			"in order, then one is far off",
			googleJob(1, 7, 0) + googleTask(2, 7, 0, 1) + googleTask(2, 7, 1, 1) + googleTask(2, 7, 9, 1) + googleTask(3, 7, 0, 4) + googleTask(4, 7, 1, 4) + googleTask(5, 7, 9, 4) + googleJob(13, 7, 4),
			[]*workload.Job{googleBag(1, 7, 1, 1000, 2000, 3000)}, nil,
		},
		{
			"the last attempt counts",
			googleJob(1, 7, 0) + googleTask(2, 7, 0, 1) + googleTask(5, 7, 0, 3) + googleTask(5, 7, 0, 0) + googleTask(6, 7, 0, 1) + googleTask(8, 7, 0, 2) + googleTask(8, 7, 0, 0) +
				googleTask(9, 7, 0, 1) + googleTask(11, 7, 0, 6) + googleTask(12, 7, 0, 1) + googleTask(13, 7, 0, 1) + googleTask(20, 7, 0, 4) + googleJob(30, 7, 4),
			[]*workload.Job{googleBag(1, 7, 1, 7000)},
			map[string]int{"attempt that another one followed": 1, "attempt that was evicted": 1, "attempt whose end was lost": 2},
		},
		{
			"tasks that are left out",
			googleTask(0, 7, 0, 1) + googleTask(0, 7, 7, 0) + googleJob(1, 7, 0) + googleTask(2, 7, 1, 0) + googleTask(2, 7, 2, 1) + googleTask(2, 7, 3, 1) + googleTask(2, 7, 4, 8) + googleTask(2, 7, 5, 7) + googleTask(2, 7, 6, 1) +
				googleTask(9, 7, 0, 4) + googleTask(9, 7, 1, 5) + googleTask(9, 7, 2, 2) + googleTask(9, 7, 3, 6) + googleTask(9, 7, 4, 4) + googleTask(9, 7, 5, 5) + googleTask(9, 7, 6, 4) + googleTask(9, 7, 7, 5) + googleTask(9, 7, 8, 4) + googleJob(10, 7, 4),
			[]*workload.Job{googleBag(1, 7, 1, 7000)},
			map[string]int{"attempt that was evicted": 1, "attempt whose end was lost": 1, "task that began before the trace": 3, "task that never ran": 3, "task that was only evicted or lost": 2},
		},
		{
			"the end of the trace",
			googleJob(1, 8, 0) + googleTask(2, 8, 0, 1) + googleTask(2, 8, 1, 1) + googleTask(2, 8, 2, 0) + googleJob(3, 9, 0) + googleTask(4, 9, 0, 1) + googleTask(5, 8, 0, 4) + oneTask(100, 7) + googleTask(1<<63-1, 8, 1, 4) + googleJob(1<<63-1, 8, 4),
			[]*workload.Job{googleBag(1, 7, 100, 5000), googleBag(2, 8, 1, 3000)},
			map[string]int{"job without a task that ran": 1, "task that never ran": 1, "task that runs at the end of the trace": 2},
		},
		{
			"an update of a task that has ended", googleJob(1, 7, 0) + googleTask(2, 7, 0, 1) + googleTask(7, 7, 0, 4) + googleTask(8, 7, 0, 8) + googleJob(9, 7, 4) + oneTask(100, 8),
			[]*workload.Job{googleBag(1, 7, 1, 5000), googleBag(2, 8, 100, 5000)}, nil,
		},
		{
			"submitted before the trace", googleJob(0, 7, 0) + googleTask(0, 7, 0, 0) + googleTask(5, 7, 0, 1) + googleTask(9, 7, 0, 4) + googleJob(9, 7, 4),
			[]*workload.Job{timeless(googleBag(1, 7, 0, 4000))}, nil,
		},
		{
			"no submission seen", googleTask(5, 7, 0, 1) + googleTask(9, 7, 0, 4) + googleJob(9, 7, 4),
			[]*workload.Job{timeless(googleBag(1, 7, 5, 4000))}, nil,
		},
		{
			"submission of a task", googleTask(3, 7, 0, 0) + googleTask(4, 7, 1, 0) + googleTask(5, 7, 0, 1) + googleTask(9, 7, 0, 4) + googleTask(9, 7, 1, 5) + googleJob(9, 7, 4),
			[]*workload.Job{googleBag(1, 7, 3, 4000)}, map[string]int{"task that never ran": 1},
		},
		{
			"a job that is submitted again before its task is over", googleJob(1, 7, 0) + googleTask(1, 7, 0, 1) + googleJob(2, 7, 3) + googleJob(3, 7, 0) + googleTask(6, 7, 0, 4) + googleJob(7, 7, 4),
			[]*workload.Job{googleBag(1, 7, 1, 5000)}, nil,
		},
		{
			"requests of the first task", googleJob(1, 7, 0) + googleTask(1, 7, 0, 1) + strings.Replace(googleTask(2, 7, 1, 1), ",9,0.5,0.25,", ",1,0.7,0.8,", 1) +
				strings.Replace(googleTask(6, 7, 0, 4), ",9,0.5,0.25,", ",2,0.9,0.9,", 1) + googleTask(6, 7, 1, 4) + googleJob(7, 7, 4),
			[]*workload.Job{googleBag(1, 7, 1, 5000, 4000)}, nil,
		},
		{
			"fields that are missing", "1,,7,0,0,0,,,,,,,\n2,0,7,0,0,1,,,,,,,\n3,2,7,0,0,4,,,,,,,\n4,1,7,4,,,,\n",
			[]*workload.Job{func() *workload.Job {
				j := googleBag(1, 7, 1, 1000)
				j.Attrs, j.Priority = j.Attrs[6:], 0
				return j
			}()}, nil,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := reader(t, []byte(test.text), trace.ReaderConfig{})
			if diff := cmp.Diff(test.want, jobtest.All(t, r.Jobs())); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			wantSkipped(t, r, test.skipped)
		})
	}
}

// One table without the other: jobs of one task, or tasks of jobs of which little is known,
// and which come when the trace is over.
func TestGoogle2011OneTable(t *testing.T) {
	jobs := googleJob(1, 8, 0) + googleJob(2, 7, 0) + googleJob(3, 7, 1) + googleJob(4, 8, 1) + googleJob(9, 7, 5) + googleJob(10, 9, 1) + googleJob(11, 8, 4)
	got := jobtest.All(t, reader(t, []byte(jobs), trace.ReaderConfig{}).Jobs())
	want := []*workload.Job{googleBag(1, 7, 2, 6000), googleBag(2, 8, 1, 7000)}
	for _, j := range want {
		j.Priority, j.Attrs = 0, append(j.Attrs[:4:4], j.Attrs[6:]...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("jobs: -want +got:\n%s", diff)
	}

	tasks := googleTask(1, 8, 0, 0) + googleTask(2, 7, 0, 0) + googleTask(3, 7, 0, 1) + googleTask(3, 8, 0, 1) + googleTask(8, 7, 0, 4) + googleTask(9, 8, 0, 4)
	got = jobtest.All(t, reader(t, []byte(tasks), trace.ReaderConfig{}).Jobs())
	want = []*workload.Job{googleBag(1, 8, 1, 6000), googleBag(2, 7, 2, 5000)}
	for _, j := range want {
		j.Attrs = append(j.Attrs[:1:1], j.Attrs[3:]...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tasks: -want +got:\n%s", diff)
	}
}

func TestGoogle2011BadRows(t *testing.T) {
	const columns = "number of columns is not 8 (job_events) or 13 (task_events)"
	const badTime = "time is not a number of µs up to 1e9 s, or 2^63-1"
	task := func(col int, text string) string {
		cols := strings.Split(strings.TrimSpace(googleTask(100, 7, 0, 0)), ",")
		cols[col] = text
		return strings.Join(cols, ",")
	}
	badRows(t, trace.ReaderConfig{Format: "google2011"}, strings.TrimSpace(oneTask(50, 6)), 1, oneTask(200, 8), []badRow{
		{"text", "no trace", columns, "1"},
		{"a column less", "1,,2,0,u,2,n", columns, "7"},
		{"a column more", task(12, "0,"), columns, "14"},
		{"time is no number", task(0, "1.5"), badTime, `"1.5"`},
		{"no time", task(0, ""), badTime, `""`},
		{"negative time", task(0, "-1"), badTime, `"-1"`},
		{"time too late", task(0, "1000000000000001"), badTime, `"1000000000000001"`},
		{"time after 2^63-1", task(0, "9223372036854775808"), badTime, `"9223372036854775808"`},
		{"time goes back", task(0, "56"), "time goes back", "56 after 57"},
		{"job ID", task(2, "18446744073709551616"), "job ID is not a number up to 2^64-1", `"18446744073709551616"`},
		{"task index", task(3, "268435456"), "task index is not a number below 2^28", `"268435456"`},
		{"event 9", task(5, "9"), "event is not in 0 to 8", `"9"`},
		{"no event", task(5, ""), "event is not in 0 to 8", `""`},
		{"event of a job", "100,,7,10,u,2,n,l", "event is not in 0 to 8", `"10"`},
		{"priority", task(8, "NaN"), "priority is not a finite number", `"NaN"`},
	})
}

// The two tables are folders of parts, which are merged by time; other tables are left out.
func TestGoogle2011Folder(t *testing.T) {
	dir := saveFiles(t, map[string]string{
		"job_events/part-00000-of-00002.csv.gz":  string(gzipped(t, []byte(googleJob(1, 7, 0)+googleJob(3, 8, 0)))),
		"job_events/part-00001-of-00002.csv":     googleJob(9, 7, 4) + googleJob(12, 8, 4),
		"task_events/part-00000-of-00002.csv":    googleTask(1, 7, 0, 0) + googleTask(2, 7, 0, 1) + googleTask(4, 8, 0, 1) + googleTask(4, 8, 1, 1) + googleTask(7, 7, 0, 4),
		"task_events/part-00001-of-00002.csv.gz": string(gzipped(t, []byte(googleTask(10, 8, 1, 4)+googleTask(11, 8, 0, 4)))),
		"machine_events/part-00000-of-00001.csv": "0,5,0,HofLGzk1Or/8Ildj2+Lqv0UGGvY82NLoni8+J/Yy0RU=,0.5,0.2493\n",
		"schema.csv":                             "file pattern,field number,content,format,mandatory\n",
		"README":                                 "about the trace\n",
	})
	for _, o := range []trace.ReaderConfig{{Format: "google2011"}, {Format: "google2011", Lenient: true}} {
		r, err := trace.Open(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		want := []*workload.Job{googleBag(1, 7, 1, 5000), googleBag(2, 8, 3, 7000, 6000)}
		if diff := cmp.Diff(want, jobtest.All(t, r.Jobs())); diff != "" {
			t.Errorf("%+v: -want +got:\n%s", o, diff)
		}
		wantDropped(t, r, nil)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}

	saveFile(t, googleTask(6, 9, 0, 0), dir, "task_events/part-00002-of-00002.csv")
	r, err := trace.Open(dir, trace.ReaderConfig{Format: "google2011"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want := filepath.FromSlash("task_events/part-00002-of-00002.csv:1: time goes back: 6 after 11")
	if jobs, err := jobtest.Drain(r.Jobs()); len(jobs) != 1 || err == nil || err.Error() != want {
		t.Errorf("parts out of order: got %d jobs and error %v, want 1 and %s", len(jobs), err, want)
	}

	// At one instant the job comes before its tasks.
	dir = saveFiles(t, map[string]string{
		"job_events/1.csv":  googleJob(1, 7, 0) + googleJob(1, 8, 0) + googleJob(9, 7, 4) + googleJob(9, 8, 4),
		"task_events/1.csv": googleTask(2, 7, 0, 1) + googleTask(2, 8, 0, 1) + googleTask(9, 8, 0, 4) + googleTask(9, 7, 0, 4),
	})
	jobs, _, err := openAll(dir, trace.ReaderConfig{})
	if diff := cmp.Diff([]*workload.Job{googleBag(1, 8, 1, 7000), googleBag(2, 7, 1, 7000)}, jobs); diff != "" || err != nil {
		t.Errorf("at one instant: got error %v; -want +got:\n%s", err, diff)
	}

	other := saveFiles(t, map[string]string{"task_usage/part-00000-of-00001.csv": ""})
	if _, err := trace.Open(other, trace.ReaderConfig{Format: "google2011"}); err == nil || !strings.HasSuffix(err.Error(), "holds no files of format google2011") {
		t.Errorf("another table: got error %v, want that there are no files of the format", err)
	}
}

// googleTrace writes rows of jobs with 5 tasks, of which about 100 run at any time.
func googleTrace(w io.Writer, jobs int) error {
	const hash = "fJYeclskJqPWsAT6TX/r9X5OiIZpSEb2PBGliYAOMxM="
	out := bufio.NewWriter(w)
	row := func(at int64, job, event int) {
		fmt.Fprintf(out, "%d,,%d,%d,%s,0,%s,%s\n", at, job, event, hash, hash, hash)
	}
	task := func(at int64, job, task, event int) {
		fmt.Fprintf(out, "%d,,%d,%d,1306108,%d,%s,0,2,0.02499,0.07959,0.0003862,1\n", at, job, task, event, hash)
	}
	for i := range jobs + 100 {
		at := 1_000_000 * int64(600+i)
		if i < jobs {
			row(at, i, 0)
			for event := range 2 {
				for k := range 5 {
					task(at, i, k, event)
				}
			}
		}
		if old := i - 100; old >= 0 {
			for k := range 5 {
				task(at, old, k, 4)
			}
			row(at, old, 4)
		}
	}
	return out.Flush()
}
