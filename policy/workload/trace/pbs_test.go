package trace_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

func pbsLine(kind, id, message string) string {
	return fmt.Sprintf("03/02/2026 10:00:00;%s;%s;%s\n", kind, id, message)
}

// pbsRecords has two jobs that ended; the times are Monday, 2 March 2026, from 09:00 UTC on.
var pbsRecords = pbsLine("L", "license", "floating license hour:1 day:2") +
	pbsLine("Q", "41.head", "queue=batch") +
	pbsLine("S", "41.head", "user=ann start=1772442060") +
	pbsLine("E", "41.head", "user=ann group=lab jobname=train queue=batch ctime=1772441000 qtime=1772441001 etime=1772442000 start=1772442060 owner=ann@head "+
		"exec_host=n1/0+n1/1+n2/0 Resource_List.nodes=n1:ppn=2+n2 Resource_List.walltime=01:00:00 session=7 end=1772442160 Exit_status=0 resources_used.walltime=00:01:40") +
	pbsLine("E", "42[3].head", `user=bob group="two words" account=A1 project=_pbs_project_default jobname=sweep queue=workq ctime=1772442020 qtime=1772442030 etime=0 start=1772442100 `+
		"exec_host=n1/0*4+n2/1*4 exec_vnode=(n1:ncpus=4:mem=1mb)+(n2:ncpus=4:mem=1mb) Resource_List.mem=2mb Resource_List.ncpus=8 Resource_List.walltime=90 end=1772442105 Exit_status=271 run_count=1") +
	pbsLine("E", "42[].head", "user=bob jobname=sweep start=1772442100 end=1772442105") +
	pbsLine("D", "43.head", "requestor=ann@head") + pbsLine("E", "43.head", "user=ann ctime=1772442000 end=1772442050 Exit_status=-1")

func TestPBS(t *testing.T) {
	dated := func(name string, at policy.Duration, requested policy.Duration, queue string, j *workload.Job) *workload.Job {
		j.Name, j.Requested, j.Queue, j.At = name, requested, queue, time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC).Add(at)
		return j
	}
	second := dated("42[3].head", 30*s, 90*s, "workq", gang(2, 30*s, 8, 5*s, "user=bob", "group=two words", "account=A1", "jobname=sweep", "hour=9", "day=Monday"))
	second.Stages[0].Memory = 2 << 20 / 8
	want := []*workload.Job{
		dated("41.head", 0, time.Hour, "batch", gang(1, 0, 3, 100*s, "user=ann", "group=lab", "jobname=train", "hour=9", "day=Monday")),
		second,
	}
	skipped := map[string]int{"job that did not start, or a whole array": 2}
	for _, kind := range "LQSD" {
		skipped[fmt.Sprintf("record of kind %c: only E has the end of a job", kind)] = 1
	}
	// A directory has a file for each day.
	dir := saveFiles(t, map[string]string{"20260302": pbsRecords[:len(pbsLine("L", "license", "floating license hour:1 day:2"))], "20260303.gz": string(gzipped(t, []byte(pbsRecords[len(pbsLine("L", "license", "floating license hour:1 day:2")):])))})
	for _, format := range []string{"", "pbs"} {
		days, err := trace.Open(dir, trace.ReaderConfig{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		defer days.Close()
		for _, r := range []*trace.Reader{reader(t, []byte(pbsRecords), trace.ReaderConfig{Format: format}), days} {
			if diff := cmp.Diff(want, jobtest.All(t, r.Jobs())); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			wantSkipped(t, r, skipped)
		}
	}
}

// Processors are those of exec_host, or those requested if there are more of them or it is missing.
func TestPBSResources(t *testing.T) {
	for _, test := range []struct {
		message   string
		tasks     int
		requested policy.Duration
		memory    int64
	}{
		{"exec_host=a/0", 1, 0, 0},
		{"exec_host=a-1/0-3,6+b-2/0-1", 7, 0, 0},
		{"exec_host=a/0 Resource_List.ncpus=8 Resource_List.walltime=30:00", 8, 30 * time.Minute, 0},
		{"Resource_List.nodes=2:big:ppn=8+n7:ppn=4+1 Resource_List.walltime=1:00:00:00", 21, 24 * time.Hour, 0},
		{"Resource_List.nodes=4 Resource_List.mem=10kb", 4, 0, 2560},
		{"Resource_List.ncpus=2 Resource_List.mem=3w", 2, 0, 12},
		{"Resource_List.ncpus=2 Resource_List.mem=1gb", 2, 0, 1 << 29},
		{"Resource_List.walltime=7", 1, 7 * s, 0},
	} {
		j := jobtest.All(t, reader(t, []byte(pbsLine("E", "1.s", "start=1772442010 end=1772442015 "+test.message)), trace.ReaderConfig{}).Jobs())[0]
		if j.Tasks() != test.tasks || j.Requested != test.requested || j.Stages[0].Memory != test.memory || j.Stages[0].Gang != (test.tasks > 1) || j.Runtimes[0][0] != 5*s {
			t.Errorf("%s: got %+v for %v, want %d tasks, %v requested, %d bytes each", test.message, j.Stages, j.Requested, test.tasks, test.requested, test.memory)
		}
	}
}

func TestPBSBadRows(t *testing.T) {
	bad := func(message string) string { return pbsLine("E", "9.s", "start=1772442010 end=1772442015 "+message) }
	good := "03/02/2026 10:00:00;E;1.s;start=1772442010 end=1772442015"
	badRows(t, trace.ReaderConfig{Format: "pbs"}, good, 1, good, []badRow{
		{"no record", "-- end --", "not a record such as 03/02/2026 10:00:00;E;12.server;user=ann", `"-- end --"`},
		{"no kind", "03/02/2026 10:00:00;;1.s;", "not a record such as 03/02/2026 10:00:00;E;12.server;user=ann", `"03/02/2026 10:00:00;;1.s;"`},
		{"start", bad("start=soon"), "start is not in 0 to 9e+09", `"soon"`},
		{"end", bad("end=9"), "end is before start", "end=9 start=1772442010"},
		{"processors", bad("exec_host=a/0*many"), "number of processors in exec_host is not in 0 to 1048576", `"many"`},
		{"too many processors", bad("exec_host=a/0*1048576+b/0*1"), "number of processors is above 2^20", "1.048577e+06"},
		{"range", bad("exec_host=a/0-x"), "number of a processor in exec_host is not in 0 to 1048576", `"x"`},
		{"range that goes back", bad("exec_host=a/9-3"), "numbers of processors in exec_host go back", `"9-3"`},
		{"ppn", bad("Resource_List.nodes=1:ppn=-1"), "ppn is not in 0 to 1048576", `"-1"`},
		{"walltime", bad("Resource_List.walltime=1:x"), "Resource_List.walltime is not in 0 to 1e+09", `"x"`},
		{"long walltime", bad("Resource_List.walltime=1:1:1:1:1"), "Resource_List.walltime is not a time such as 48:00:00", `"1:1:1:1:1"`},
		{"memory of broken characters", bad("Resource_List.mem=9kkkk\xb8b"), "Resource_List.mem is not in 0 to 1.1259e+15", `"9kkkk\xb8"`},
		{"memory", bad("Resource_List.mem=much"), "Resource_List.mem is not in 0 to 1.1259e+15", `"much"`},
		{"no time", bad("etime=1"), "submission is before 1980, so it is no time", "1 s"},
		{"run time", bad("end=2772442011"), "run time is above 1e9 s", "1.000000001e+09"},
		{"long after the first", bad("start=2772442011 end=2772442012"), "submission is beyond 1e9 s", "1.000000001e+09 s"},
	})
}
