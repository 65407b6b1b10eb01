package trace_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// Rows by the published schema. Those of batch_task tell what those of batch_instance say in more detail.
const (
	alibabaTasks = `M1,3,j_7,1,Terminated,1000,1010,100,0.3
R3_1_2,2,j_7,1,Terminated,1020,1025,50,0.49
M2,1,j_7,1,Terminated,1001,1011,250.5,0.3
task_Nzg3ODAwNDgzMTAwNTc2NTQ2Mw==,1,j_9,3,Terminated,900,904,,
`
	alibabaInstances = `ins_1,M1,j_7,1,Terminated,1000,1008,m_1,1,1,13,16,0.02,0.02
ins_2,M1,j_7,1,Terminated,1001,1010,m_2,1,1,13,16,0.02,0.02
ins_3,M1,j_7,1,Failed,1000,1003,m_1,1,2,13,16,0.02,0.02
ins_3,M1,j_7,1,Terminated,1003,1010,m_3,2,2,13,16,0.02,0.02
ins_4,R3_1_2,j_7,1,Terminated,1020,1022,m_1,1,1,,,,
ins_5,R3_1_2,j_7,1,Terminated,1020,1025,m_1,1,1,,,,
`
)

// alibabaJob is what is read of a job: its stages are given.
func alibabaJob(id policy.JobID, name string, submitted policy.Duration, attrs []policy.Attr, stages []policy.Stage, runtimes ...[]policy.Duration) *workload.Job {
	for i := range stages {
		stages[i].Tasks = uint32(len(runtimes[i]))
	}
	attrs = append([]policy.Attr{{Name: "jobname", Value: name}}, attrs...)
	return &workload.Job{
		Job:      policy.Job{ID: id, Submitted: policy.Time(submitted), Attrs: attrs, Stages: stages},
		Name:     name,
		Runtimes: runtimes,
	}
}

func TestAlibaba2018(t *testing.T) {
	first := []policy.Attr{{Name: "type", Value: "1"}, {Name: "cpu", Value: "100"}, {Name: "memory", Value: "0.3"}}
	reads := []policy.Dep{{Stage: 0}, {Stage: 2}}
	alone := alibabaJob(1, "j_9", 900*s, []policy.Attr{{Name: "type", Value: "3"}}, []policy.Stage{{Cores: 1}}, []policy.Duration{4 * s})
	of := []policy.Duration{8 * s, 9 * s, 7 * s}
	for _, test := range []struct {
		name, text string
		want       []*workload.Job
		skipped    map[string]int
	}{
		{"tasks", alibabaTasks, []*workload.Job{
			alone,
			alibabaJob(2, "j_7", 1000*s, first, []policy.Stage{{Cores: 1}, {Cores: 1, Reads: reads}, {Cores: 3}},
				[]policy.Duration{10 * s, 10 * s, 10 * s}, []policy.Duration{5 * s, 5 * s}, []policy.Duration{10 * s}),
		}, nil},
		{"instances", alibabaInstances, []*workload.Job{
			alibabaJob(1, "j_7", 1000*s, first[:1], []policy.Stage{{Cores: 1}, {Cores: 1, Reads: reads[:1]}}, of, []policy.Duration{2 * s, 5 * s}),
		}, map[string]int{"instance that was tried again": 1}},
		{"instances, then tasks", alibabaInstances + alibabaTasks, []*workload.Job{
			alone,
			alibabaJob(2, "j_7", 1000*s, first, []policy.Stage{{Cores: 1}, {Cores: 1, Reads: reads}, {Cores: 3}}, of, []policy.Duration{2 * s, 5 * s}, []policy.Duration{10 * s}),
		}, map[string]int{"instance that was tried again": 1}},
		{
			"what is left out",
			"M1,1,a,1,Failed,0,0,,\nM2,0,a,1,Terminated,5,6,,\nM3,1,a,1,Terminated,0,6,,\nM4,1,a,1,Terminated,7,6,,\nM5,1,a,1,Terminated,7,0,,\nM6,,a,1,Terminated,5,6,,\n" +
				"M7_1,1,a,1,Terminated,5,6,,\nM7_1,2,a,1,Terminated,5,9,,\nM1,1,b,1,Running,5,,,\ni,M1,c,1,Interrupted,5,6,m,1,1,,,,\ni,M1,c,1,Terminated,5,0,m,1,1,,,,\n",
			[]*workload.Job{alibabaJob(1, "a", 5*s, first[:1], []policy.Stage{{Cores: 1}}, []policy.Duration{s})},
			map[string]int{
				"instance that did not terminate": 1, "instance without start and end": 1, "job without a task that ran": 2, "task that did not terminate": 2,
				"task that the job has already": 1, "task without instances": 2, "task without start and end": 3,
			},
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

// What the names of tasks say of the graph.
func TestAlibaba2018Names(t *testing.T) {
	for _, test := range []struct {
		names string
		want  string // the stages that each reads
	}{
		{"M1 M2_1 M3_1 R4_2 M5_3_4", "[] [0] [0] [1] [2 3]"}, // the example of the schema
		{"R2_1 M1", "[1] []"},
		{"M1 J2_1_1", "[] [0]"},
		{"M1 R2_1_", "[] [0]"},
		{"M1_Stg1 R2_1_Stg12 J3_2_1_Stg4", "[] [0] [0 1]"},
		{"MTR1 ABC2_1", "[] [0]"},
		{"M1 R2_1_9", "[] [0]"},
		{"M1 R1 J2_1", "[] [] [0]"},
		{"M1 MergeTask task_1 task1_1 M_1 1_1 M2_x M2_1_Stg M2_Stg1_1 M2_1x M2_18446744073709551616", strings.TrimSpace(strings.Repeat("[] ", 11))},
	} {
		var text strings.Builder
		for i, name := range strings.Fields(test.names) {
			fmt.Fprintf(&text, "%s,1,j,1,Terminated,%d,99,100,0.1\n", name, i+1)
		}
		jobs := jobtest.All(t, reader(t, []byte(text.String()), trace.ReaderConfig{}).Jobs())
		var got []string
		for _, stage := range jobs[0].Stages {
			reads := []uint32{}
			for _, d := range stage.Reads {
				reads = append(reads, d.Stage)
			}
			got = append(got, fmt.Sprint(reads))
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.names, got, test.want)
		}
	}
}

func TestAlibaba2018BadRows(t *testing.T) {
	const columns = "number of columns is not 9 (batch_task) or 14 (batch_instance)"
	const instances = "number of instances is not in 0 to 1048576"
	badRows(t, trace.ReaderConfig{}, strings.TrimSpace(alibabaTasks), 0, alibabaInstances, []badRow{
		{"text", "no trace", columns, "1"},
		{"a column less", "M1,1,j,1,Terminated,1,2,100", columns, "8"},
		{"a column more", "M1,1,j,1,Terminated,1,2,100,1,1", columns, "10"},
		{"no number of instances", "M1,x,j,1,Terminated,1,2,100,1", instances, `"x"`},
		{"too many instances", "M1,1048577,j,1,Terminated,1,2,100,1", instances, `"1048577"`},
		{"half an instance", "M1,1.5,j,1,Terminated,1,2,100,1", "number of instances is not whole", `"1.5"`},
		{"start", "M1,1,j,1,Terminated,x,2,100,1", "start_time is not a number", `"x"`},
		{"negative end", "M1,1,j,1,Terminated,1,-2,100,1", "end_time is negative", `"-2"`},
		{"cpu", "M1,1,j,1,Terminated,1,2,-1,1", "plan_cpu is not in 0 to 1000000", `"-1"`},
		{"seq_no", "i,M1,j,1,Terminated,1,2,m,x,1,,,,", "seq_no is not in 0 to 1000000", `"x"`},
		{"total_seq_no", "i,M1,j,1,Terminated,1,2,m,1,x,,,,", "total_seq_no is not in 0 to 1000000", `"x"`},
	})
}

// Jobs that cannot be are found at the end of the trace.
func TestAlibaba2018BadJobs(t *testing.T) {
	for _, test := range []struct{ name, text, reason, detail string }{
		{"a circle", "M1_2,1,j,1,Terminated,1,2,,\nM2_1,1,j,1,Terminated,1,2,,\n", "the job is not valid", "policy: job 1: dag: cycle through [1 0]"},
		{"itself", "M1_1,1,j,1,Terminated,1,2,,\nM2_1,1,j,1,Terminated,1,2,,\n", "the job is not valid", "policy: job 1: dag: cycle through [0]"},
		{"many instances", "M1,1048576,j,1,Terminated,1,2,,\nM2,1,j,1,Terminated,1,2,,\n", "the job has more than 2^20 instances", `job "j": 1048577`},
	} {
		text := []byte(test.text + alibabaTasks)
		_, err := jobtest.Drain(reader(t, text, trace.ReaderConfig{}).Jobs())
		want := &trace.RowError{File: "x", Line: 6, Reason: test.reason, Detail: test.detail}
		if diff := cmp.Diff(error(want), err); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
		lenient := reader(t, text, trace.ReaderConfig{Lenient: true})
		if jobs := jobtest.All(t, lenient.Jobs()); len(jobs) != 2 {
			t.Errorf("%s, lenient: got %d jobs, want 2", test.name, len(jobs))
		}
		wantDropped(t, lenient, map[string]int{test.reason: 1})
	}
}

// alibabaTrace returns rows of batch_task, 4 a job.
func alibabaTrace(jobs int) []byte {
	var text bytes.Buffer
	for i := range jobs {
		for k, name := range []string{"M1", "M2", "R3_1_2", "J4_3"} {
			fmt.Fprintf(&text, "%s,%d,j_%d,1,Terminated,%d,%d,100.0,0.39\n", name, 10-k, i, 157213+i+10*k, 157295+i+20*k)
		}
	}
	return text.Bytes()
}
