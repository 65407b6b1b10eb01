package trace_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// gwfRow is a row of 29 columns, whose first ten are given.
func gwfRow(first, status string) string {
	return first + " " + status + " U7 G2 X3 Q1 P1 S4 S5 UNITARY -1 -1 -1 -1 -1 -1 -1 -1 V1 J9\n"
}

func TestGWF(t *testing.T) {
	attrs := []string{"user=U7", "group=G2", "program=X3", "partition=P1", "site=S4", "vo=V1", "project=J9"}
	dated := func(name string, j *workload.Job) *workload.Job {
		j.Name, j.Queue, j.At = name, "Q1", time.Unix(1100000000, 0).UTC().Add(time.Duration(j.Submitted))
		return j
	}
	hour := append(slices.Clip(attrs), "hour=11", "day=Tuesday") // 9 November 2004, 11:33:20 UTC
	requested := dated("12", gang(2, 5*s, 2, 20*s, hour...))
	requested.Requested = 60 * s
	want := []*workload.Job{dated("11", gang(1, 0, 1, 7*s, hour...)), requested}
	rows := gwfRow("11 1100000000 3 7 1 -1 -1 1 -1 -1", "1") + gwfRow("12 1100000005 -1 20 -1 -1 -1 2 60 512", "1") +
		gwfRow("13 1100000006 -1 -1 1 -1 -1 1 -1 -1", "5")
	title := "JobID SubmitTime WaitTime RunTime NProcs AverageCPUTimeUsed UsedMemory ReqNProcs ReqTime ReqMemory Status UserID GroupID ExecutableID QueueID " +
		"PartitionID OrigSiteID LastRunSiteID JobStructure JobStructureParams UsedNetwork UsedLocalDiskSpace UsedResources ReqPlatform ReqNetwork ReqLocalDiskSpace " +
		"ReqResources VOID ProjectID\n"
	for _, text := range []string{
		rows, title + rows, "# " + title + rows, strings.Repeat("# a comment, of a grid\n\n", 500) + rows, strings.ReplaceAll(title+rows, " ", "\t"),
	} {
		for _, format := range []string{"", "gwf"} {
			r := reader(t, []byte(text), trace.ReaderConfig{Format: format})
			if diff := cmp.Diff(want, jobtest.All(t, r.Jobs())); diff != "" {
				t.Errorf("%q: -want +got:\n%s", text[:40], diff)
			}
			wantSkipped(t, r, map[string]int{"job did not run, or nobody knows for how long": 1})
		}
	}
	good := strings.TrimSpace(gwfRow("1 5 -1 7 1 -1 -1 -1 -1 -1", "1"))
	badRows(t, trace.ReaderConfig{Format: "gwf"}, good, 1, good, []badRow{
		{"18 columns", "1 0 -1 7 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1", "columns are not 29", "got 18"},
		{"a comment of another format", "; x", "columns are not 29", "got 2"},
		{"run time", gwfRow("1 5 -1 long 1 -1 -1 -1 -1 -1", "1"), "run time is not a number", `"long"`},
	})
}

// A row of tr with 26 tasks has 29 columns too.
func TestGWFOrTR(t *testing.T) {
	for text, tasks := range map[string]int{
		"0 26 1" + strings.Repeat(" 2", 26):         26,
		"0 26 1" + strings.Repeat(" 1", 25) + " -1": 1, // processors of GWF
	} {
		if jobs := jobtest.All(t, reader(t, []byte(text), trace.ReaderConfig{}).Jobs()); len(jobs) != 1 || jobs[0].Tasks() != tasks {
			t.Errorf("%q: got %d jobs, want one of %d tasks", text, len(jobs), tasks)
		}
	}
}
