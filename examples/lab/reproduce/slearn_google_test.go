package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy/workload"
)

// writeGoogle writes tables of tasks and of jobs as Google's trace of 2011 has them, without
// their headers, and returns the folder of the traces.
func writeGoogle(t *testing.T, tasks, jobs string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range map[string]string{
		googleTaskFile: "job_id,task_index,attempt,user,scheduling_class,priority,cpu_request,memory_request,disk_request,different_machine,submit_us,schedule_us,end_us,end_event,machine_id\n" + tasks,
		googleJobFile:  "job_id,user,scheduling_class,job_name,logical_job_name,submit_us,schedule_us,end_us,end_event,schedule_count,has_synthesised_event\n" + jobs,
	} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		fmt.Fprint(z, text)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, packed.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// The middle of the table of tasks is at 18,139 s.
func TestReadGoogle(t *testing.T) {
	var tasks, jobs strings.Builder
	task := func(job, index int, submit, start, end int64, event string) {
		fmt.Fprintf(&tasks, "%d,%d,1,ann,2,9,0.5,0.25,0,0,%d,%d,%d,%s,7\n", job, index, submit*1e6, start*1e6, end*1e6, event)
	}
	task(1, 0, 700, 800, 18_000, "FINISH")
	task(1, 1, 700, 800, 900, "KILL")
	task(1, 1, 700, 1000, 1007, "FINISH")
	task(2, 0, 700, 800, 18_139, "FINISH") // is over at the middle
	task(3, 0, 701, 800, 900, "FINISH")
	task(3, 1, 701, 800, 18_140, "FINISH") // straddles it
	task(4, 0, 702, 800, 900, "EVICT")     // did not finish
	task(5, 0, 18_139, 18_140, 18_150, "FINISH")
	for i := range 151 {
		task(6, i, 20_000, 20_000, 20_001, "FINISH")
	}
	for i := range 150 {
		task(7, i, 20_000, 20_000, 20_001, "FINISH")
	}
	task(8, 0, 0, 800, 900, "FINISH") // was submitted before the trace
	for job := range 9 {
		fmt.Fprintf(&jobs, "%d,ann,2,name%d,program,,,,,1,0\n", job, job)
		fmt.Fprintf(&jobs, "%d,ann,2,name%d,program,700000000,800000000,,,1,0\n", job, job)
	}
	folder := writeGoogle(t, tasks.String(), jobs.String())
	for _, test := range []struct {
		ended string
		want  []string
	}{
		{googleFinished, []string{"name1 0.25 2", "name2 0.25 1", "", "name5 0.25 1", "name7 0.25 150", ""}},
		{googleEnded, []string{"name1 0.25 3", "name2 0.25 1", "", "name5 0.25 1", "name7 0.25 150", ""}},
	} {
		h, err := readGoogle(folder, test.ended, 150)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, part := range [][]*workload.Job{h.history, h.execution} {
			for _, j := range part {
				name, _ := j.Attr("jobname")
				memory, _ := j.Attr("memory")
				got = append(got, fmt.Sprintf("%s %s %d", name, memory, j.Tasks()))
			}
			got = append(got, "")
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.ended, got, test.want)
		}
	}
	h, err := readGoogle(folder, googleFinished, 150)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.draw(1); err == nil || !strings.Contains(err.Error(), "the second half has 2 jobs, want 1250") {
		t.Errorf("draw of 2 jobs: error %v", err)
	}
	if _, err := readGoogle(writeGoogle(t, tasks.String(), ""), googleFinished, 150); err == nil || !strings.Contains(err.Error(), "0 of 6 jobs") {
		t.Errorf("no names: error %v", err)
	}
}

// Without the tables the report says so.
func TestGoogleMissing(t *testing.T) {
	r := &report{paper: "slearn"}
	items, err := slearnGoogle(form{seeds: 1, traces: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.tell(t.Context(), items); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := r.writeTable(&out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); len(r.lines) != 1 || !strings.Contains(got, "not run") || !strings.Contains(got, filepath.FromSlash(googleTaskFile)) {
		t.Errorf("got %q, want a note that google2011 was not run", got)
	}
}
