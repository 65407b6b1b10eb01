package trace_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

var sacctConfig = trace.ReaderConfig{Format: "sacct"}

// sacctText writes jobs as a table of sacct, of each the first task.
func sacctText(jobs []*workload.Job) []byte {
	var text strings.Builder
	fmt.Fprintln(&text, "JobID|User|Account|Partition|QOS|JobName|Submit|Start|ElapsedRaw|Timelimit|State|NNodes|AllocCPUS|ReqMem|AllocTRES")
	for i, j := range jobs {
		at := time.Unix(1_772_359_200, 0).UTC().Add(time.Duration(j.Submitted)).Format("2006-01-02T15:04:05")
		fmt.Fprintf(&text, "%d|u%d|a%d|batch|normal|run_%d|%s|%s|%d|1-00:00:00|COMPLETED|2|8|4000M|billing=8,cpu=8,gres/gpu=2,mem=4000M,node=2\n",
			1000+i, i%70, i%7, i, at, at, int64(j.Runtimes[0][0].Seconds()))
	}
	return []byte(text.String())
}

// march returns a job of one task on the first of March 2026, submitted so long after ten o'clock.
func march(id policy.JobID, after, runtime policy.Duration, attrs ...string) *workload.Job {
	return with(gang(id, after, 1, runtime, attrs...), func(j *workload.Job) {
		j.At = time.Date(2026, time.March, 1, 10, 0, 0, 0, time.UTC).Add(time.Duration(after))
		j.Attrs = append(j.Attrs, policy.Attr{Name: "hour", Value: "10"}, policy.Attr{Name: "day", Value: "Sunday"})
	})
}

// sized returns the job with tasks that are alike.
func sized(j *workload.Job, tasks int, cores int32, memory int64) *workload.Job {
	like := gang(j.ID, 0, tasks, j.Runtimes[0][0])
	j.Stages, j.Runtimes = like.Stages, like.Runtimes
	j.Stages[0].Cores, j.Stages[0].Memory = cores, memory
	return j
}

func TestSacct(t *testing.T) {
	const at, h = "2026-03-01T10:00:00", 3600 * s
	for _, test := range []struct {
		name, header, rows string
		want               []*workload.Job
		skipped            map[string]int
	}{
		{"least", "JobID|Submit|Elapsed", "7|" + at + "|00:00:05\n8_3|2026-03-01T10:00:01|00:06.250\n9+1|2026-03-01T10:00:02|1-02:03:04\n7.batch|" + at + "|00:00:05\n", []*workload.Job{
			march(1, 0, 5*s), march(2, s, 6*s+s/4), march(3, 2*s, 26*h+184*s)}, map[string]int{"step of a job": 1}},
		{"another order, start and end", "End|Start|JobIDRaw|Submit", "2026-03-01T10:01:00|2026-03-01T10:00:30|7|" + at + "\nUnknown|2026-03-01T10:00:30|8|" + at + "\n2026-03-01T10:01:00|Unknown|9|" + at + "\n", []*workload.Job{
			march(1, 0, 30*s)}, map[string]int{"job has no end": 1, "job has no start": 1}},
		{"with a | at the end", "JobID|Submit|ElapsedRaw|", "7|" + at + "|5|\n8|" + at + "|6|\n", []*workload.Job{march(1, 0, 5*s), march(2, 0, 6*s)}, nil},
		{"a tab", "jobid\tsubmit\telapsed\tuser", "7\t" + at + "\t00:05\t\n", []*workload.Job{march(1, 0, 5*s)}, nil},
		{"a delimiter of two characters", "JobID::Submit::Elapsed::JobName", "7::" + at + "::00:05::a:\"b|,c\n", []*workload.Job{march(1, 0, 5*s, `jobname=a:"b|,c`, `program=a:"b|,c`)}, nil},
		{"commas, written by another program", ",\"JobID\",Submit,Elapsed,AllocTRES", "0,7,2026-03-01 10:00:00,00:00:05,\"cpu=2,node=1\"\n", []*workload.Job{
			sized(march(1, 0, 5*s, "cpu=2"), 1, 2, 0)}, nil},
		{"Unix seconds", "JobID|Submit|ElapsedRaw", "7|1772359200|5\n", []*workload.Job{march(1, 0, 5*s)}, nil},
		{"who", "JobID|Submit|ElapsedRaw|User|Account|Partition|QOS|JobName|ReqCPUS|ReqMem", "7|" + at + "|5|ann|bio|gpu|high|train_12-3|1|0n\n8|" + at + "|5|||None|Unknown|42||\n", []*workload.Job{
			with(march(1, 0, 5*s, "user=ann", "group=bio", "qos=high", "jobname=train_12-3", "program=train", "cpu=1"), func(j *workload.Job) { j.Queue = "gpu" }),
			march(2, 0, 5*s, "jobname=42", "program=42")}, nil},
		{"limits", "JobID|Submit|ElapsedRaw|Timelimit|TimelimitRaw|State",
			"1|" + at + "|5|00:01:00|9|COMPLETED\n2|" + at + "|5|UNLIMITED|9|FAILED\n3|" + at + "|5|Partition_Limit||OUT_OF_MEMORY\n4|" + at + "|5||2|DEADLINE\n" +
				"5|" + at + "|61|00:01:00||COMPLETED\n6|" + at + "|85|00:01:00||TIMEOUT\n7|" + at + "|60|00:01:00||TIMEOUT\n8|" + at + "|60|00:01:00||FAILED\n", []*workload.Job{
				limited(march(1, 0, 5*s), 60*s, true), march(2, 0, 5*s), march(3, 0, 5*s), limited(march(4, 0, 5*s), 120*s, true),
				limited(march(5, 0, 61*s), 60*s, false), limited(march(6, 0, 85*s), 60*s, true), limited(march(7, 0, 61*s), 60*s, true),
				limited(march(8, 0, 60*s), 60*s, true)}, nil},
		{"states", "JobID|Submit|Start|ElapsedRaw|State",
			"1|" + at + "|" + at + "|5|CANCELLED by 1000\n2|" + at + "|" + at + "|0|CANCELLED by 1000\n3|" + at + "|None|0|CANCELLED\n4|" + at + "|Unknown|0|PENDING\n5|" + at + "|" + at + "|9|RUNNING\n" +
				"6|" + at + "|" + at + "|9|NODE_FAIL\n7|" + at + "|" + at + "|9|PREEMPTED\n8|" + at + "|" + at + "|9|REQUEUED\n9|" + at + "|" + at + "|0|FAILED\n", []*workload.Job{
				march(1, 0, 5*s), march(2, 0, 0)},
			map[string]int{"job has no start": 2, "job is PENDING": 1, "job is RUNNING": 1, "job is NODE_FAIL": 1, "job is PREEMPTED": 1, "job is REQUEUED": 1}},
		{"sizes", "JobID|Submit|ElapsedRaw|NNodes|AllocCPUS|ReqMem|AllocTRES|ReqTRES",
			"1|" + at + "|5|2|9|7M||\n2|" + at + "|5|||||\n3|" + at + "|5||3|6M||cpu=4,mem=1K\n4|" + at + "|5|0|0||cpu=6,mem=1.5G,gres/gpu:a100=3,gres/gpu=3,node=3|cpu=1\n" +
				"5|" + at + "|5|2|4|3Mn||\n6|" + at + "|5|2|4|3Mc||\n7|" + at + "|5|1|0|5||cpu=2,gres/gpu:a=1,gres/gpu:b=1,energy=Unknown\n", []*workload.Job{
				sized(march(1, 0, 5*s, "cpu=9", "memory=7340032"), 2, 5, 7<<19), march(2, 0, 5*s), sized(march(3, 0, 5*s, "cpu=3", "memory=1024"), 3, 1, 342),
				sized(march(4, 0, 5*s, "cpu=6", "memory=1610612736", "gpus=3"), 3, 2, 1<<29), sized(march(5, 0, 5*s, "cpu=4", "memory=6291456"), 2, 2, 3<<20),
				sized(march(6, 0, 5*s, "cpu=4", "memory=12582912"), 2, 2, 6<<20), sized(march(7, 0, 5*s, "cpu=2", "memory=5242880", "gpus=2"), 1, 2, 5<<20)}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := []byte(test.header + "\n" + test.rows)
			for _, config := range []trace.ReaderConfig{sacctConfig, {}} {
				if config.Format == "" && strings.HasPrefix(test.header, "jobid") {
					continue // sacct writes JobID
				}
				r := reader(t, text, config)
				got := jobtest.All(t, r.Jobs())
				if names := unnamed(got); test.name == "least" && !slices.Equal(names, []string{"7", "8_3", "9+1"}) {
					t.Errorf("got jobs named %q, want 7, 8_3 and 9+1", names)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				wantSkipped(t, r, test.skipped)
			}
		})
	}
}

// With sacct_needs, the nodes of a job share its GPUs.
func TestSacctNeeds(t *testing.T) {
	const text = "JobID|Submit|Elapsed|AllocTRES\n1|2026-03-01T10:00:00|00:00:05|cpu=4,gres/gpu=3,node=2\n2|2026-03-01T10:00:00|00:00:05|cpu=1,node=1\n"
	var got [][]policy.Need
	for _, j := range jobtest.All(t, reader(t, []byte(text), trace.ReaderConfig{Format: "sacct_needs"}).Jobs()) {
		got = append(got, j.Stages[0].Needs)
	}
	if diff := cmp.Diff([][]policy.Need{{{Name: "gpu", Amount: 1500}}, nil}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Each file of a directory has a header of its own, and a job has at most 2^20 tasks.
func TestSacctFiles(t *testing.T) {
	dir := saveFiles(t, map[string]string{
		"a": "JobID|Submit|ElapsedRaw|NCPUS\n1|2026-03-01T10:00:00|5|2097151\n", "b": "Submit|ElapsedRaw|JobID\n2026-03-01T10:00:01|5|2\n",
	})
	jobs, _, err := openAll(dir, trace.ReaderConfig{})
	if err != nil || len(jobs) != 2 {
		t.Fatalf("got %d jobs and error %v, want 2 and none", len(jobs), err)
	}
	if s := jobs[0].Stages[0]; s.Tasks != 1<<20 || s.Cores != 2 {
		t.Errorf("got %d tasks of %d cores, want 2^20 of 2", s.Tasks, s.Cores)
	}
	if diff := cmp.Diff(with(march(2, s, 5*s), func(j *workload.Job) { j.Name = "2" }), jobs[1]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSacctBadRows(t *testing.T) {
	const names = "JobID,Submit,Start,End,Elapsed,Timelimit,TimelimitRaw,State,NNodes,AllocCPUS,ReqMem,AllocTRES"
	row := func(column, text string) string {
		cols := strings.Split("1|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T11:00:00|01:00:00|02:00:00||COMPLETED|1|1|1G|cpu=1", "|")
		for i, name := range strings.Split(names, ",") {
			if name == column {
				cols[i] = text
			}
		}
		return strings.Join(cols, "|")
	}
	good := strings.ReplaceAll(names, ",", "|") + "\n" + row("", "")
	badRows(t, sacctConfig, good, 1, row("", ""), []badRow{
		{"a | in a value", row("JobID", "1|2"), "columns are not as many as in the first line", "got 13, want 12; if a value has \"|\", choose other characters by --delimiter of sacct"},
		{"submit", row("Submit", "Unknown"), "Submit is not a date such as 2006-01-02 15:04:05", `"Unknown"`},
		{"submit, large", row("Submit", "9000000001"), "Submit is not a date such as 2006-01-02 15:04:05", `"9000000001"`},
		{"no such state", row("State", "DONE"), "State is none of Slurm's", `"DONE"`},
		{"elapsed, unknown", row("Elapsed", "None"), "Elapsed is no span such as 1-02:03:04", `"None"`},
		{"elapsed, one part", row("Elapsed", "90"), "Elapsed is no span such as 1-02:03:04", `"90"`},
		{"elapsed, four parts", row("Elapsed", "1:1:1:1"), "Elapsed is no span such as 1-02:03:04", `"1:1:1:1"`},
		{"elapsed, parts of a minute", row("Elapsed", "1.5:00"), "Elapsed is no span such as 1-02:03:04", `"1.5:00"`},
		{"elapsed, negative", row("Elapsed", "00:-1"), "Elapsed is no span such as 1-02:03:04", `"00:-1"`},
		{"minutes, negative", row("Elapsed", "1-00:-1:00"), "Elapsed is no span such as 1-02:03:04", `"1-00:-1:00"`},
		{"days, no hours", row("Elapsed", "1-02:03"), "Elapsed is no span such as 1-02:03:04", `"1-02:03"`},
		{"elapsed, long", row("Elapsed", "11575-00:00:00"), "Elapsed is above 1e9 s", `"11575-00:00:00"`},
		{"limit", row("Timelimit", "soon"), "Timelimit is no span such as 1-02:03:04", `"soon"`},
		{"limit of minutes", strings.Replace(row("TimelimitRaw", "x"), "|02:00:00|", "||", 1), "TimelimitRaw is not in 0 to 1.666667e+07", `"x"`},
		{"nodes", row("NNodes", "-1"), "NNodes is not a whole number of at most 1048576", `"-1"`},
		{"CPUs", row("AllocCPUS", "2147483648"), "AllocCPUS is not a whole number of at most 2147483647", `"2147483648"`},
		{"TRES", row("AllocTRES", "node=1,cpu=1.5"), "cpu is not a whole number of at most 2147483647", `"1.5"`},
		{"memory", row("ReqMem", "much"), "ReqMem is no amount of memory such as 4000M, at most 2^60 bytes", `"much"`},
		{"memory, negative", row("ReqMem", "-1G"), "ReqMem is no amount of memory such as 4000M, at most 2^60 bytes", `"-1G"`},
		{"memory, large", row("AllocTRES", "mem=1025P"), "mem is no amount of memory such as 4000M, at most 2^60 bytes", `"1025P"`},
	})
	badRows(t, sacctConfig, "JobID|Submit|ElapsedRaw\n1|2026-03-01T10:00:00|5", 1, "", []badRow{
		{"raw, blank", "1|2026-03-01T10:00:00|", "ElapsedRaw is not a number", `""`},
	})
	badRows(t, sacctConfig, "JobID|Submit|Start|End\n1|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T11:00:00", 1, "", []badRow{
		{"end before start", "1|2026-03-01T10:00:00|2026-03-01T10:00:01|2026-03-01T10:00:00", "End is not 0 to 1e9 s after Start", `"2026-03-01T10:00:00" after "2026-03-01T10:00:01"`},
	})
}

// A table that cannot be read is refused with the command that makes one that can.
func TestSacctBadTables(t *testing.T) {
	const command = "sacct -P -X -a -S 2026-01-01 -E now -o JobID,Submit,Start,Elapsed,State,Timelimit,NNodes,AllocCPUS,ReqMem,AllocTRES,User,Account,Partition,QOS,JobName"
	for _, test := range []struct{ name, text, want string }{
		{"what sacct -P writes", "JobID|JobName|Partition|Account|AllocCPUS|State|ExitCode\n", "the table of sacct lacks column Submit: want such as " + command},
		{"no runtime", "JobID|Submit|Start|State\n", "the table of sacct lacks column Elapsed, or both Start and End: want such as " + command},
		{"no ID", "Submit|Elapsed\n", "the table of sacct lacks column JobID: want such as " + command},
		{"what sacct writes", "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode \n------------ ---------- ---------- ---------- ---------- ---------- -------- \n",
			"the columns of sacct have a fixed width, which cuts values off: want the option -P, as in " + command},
	} {
		for _, lenient := range []bool{false, true} {
			config := trace.ReaderConfig{Format: "sacct", Lenient: lenient}
			if test.name != "no ID" {
				config.Format = "auto"
			}
			if _, err := jobtest.Drain(reader(t, []byte(test.text), config).Jobs()); err == nil || err.Error() != "x:1: "+test.want {
				t.Errorf("%s: got error\n%v, want\nx:1: %s", test.name, err, test.want)
			}
		}
	}
}
