package trace_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/traces"
	"example.com/augur/policy/workload/trace"
)

// Whole traces are read strictly, and each is recognised by itself. The numbers are those of awk over the files, by the
// rules in the comment on the package; those of wfinstances are of the description of the traces and of another program.
func realTraces(t *testing.T) {
	const unknown = -1 // nobody has counted these
	type counts struct {
		Jobs, Stages, Tasks, Reads int
		Work, Last                 float64 // core-seconds; last submission, s
		Values                     int     // of an attribute
		GPUs                       int64   // thousandths that all tasks need
		Skipped                    map[string]int
	}
	for _, test := range []struct {
		file   string
		preset string
		attr   string
		within float64 // relative error of Work
		want   counts
	}{
		{"eagle_format/GOOG_subtrace.tr.gz", "", "", 0, counts{10_000, unknown, 312_558, 0, unknown, unknown, 0, 0, nil}},
		{"eagle_format/YH1_sub.tr.gz", "", "", 0, counts{2_910, unknown, 122_878, 0, unknown, unknown, 0, 0, nil}},
		{"swf/NASA-iPSC-1993-3.1-cln.swf.gz", "", "user", 0, counts{18239, 18239, 309_953, 0, 474_238_015, 7_948_936, 69, 0, nil}},
		{"swf/wagap-2013.swf.gz", "", "user", 0, counts{17898, 17898, 149_384, 0, 9_647_254_226, 7_686_036, 75, 0,
			map[string]int{"job did not run, or nobody knows for how long": 2}}},
		{"google2011/jobs_first_half.csv.gz", "", "user", 1e-12, counts{185_645, 185_645, 185_645, 0, 127_238_028.092_428, 1_253_399.974_149, 293, 0,
			map[string]int{"end_event is not FINISH": 131556, "schedule_us is not above 0": 79}}},
		{"google2011/tasks_parts_00000-00006.csv.gz", "", "user", 1e-12, counts{6064, 6064, 159_508, 0, 182_874_906.795_953, 35_636.323_276, 81, 0,
			map[string]int{"end_event is not FINISH": 158654}}},
		{"philly/philly_to_2017-10-31.csv.gz", "", "group", 1e-12, counts{52_849, 52_849, 63_436, 0, 2_312_673_532, 1_961_416, 12, 0, nil}},
		{"alibaba_gpu/openb_pod_list_default.csv.gz", "", "class", 1e-12, counts{7255, 7255, 7255, 0, 2_513_058_351, 12_901_761, 4, 0,
			map[string]int{"scheduled_time is blank": 897}}},
		{"philly/philly_to_2017-10-31.csv.gz", "philly_needs", "group", 1e-12, counts{52_849, 52_849, 52_998, 0, 2_312_673_532, 1_961_416, 12, 63_436_000, nil}},
		{"alibaba_gpu/openb_pod_list_default.csv.gz", "alibaba_gpu_needs", "class", 1e-12, counts{7255, 7255, 7255, 0, 2_513_058_351, 12_901_761, 4, 5_484_930,
			map[string]int{"scheduled_time is blank": 897}}},
		{"surf_lisa/tasks_2022-10.csv.gz", "", "user", 1e-12, counts{68_648, 68_648, 68_648, 0, 4_969_387_760, 2_595_022, 0, 0, nil}},
		{"spark_nds/nds_q72_dataproc_2_2_tasks.csv.gz", "", "user", 1e-12, counts{1, 49, 13_504, 0, 8597.285, 0, 0, 0, nil}},
		{"workflow_trace_archive/shell_chronos_tasks_a.csv.gz", "", "user", 1e-12, counts{1702, 5106, 5106, 3404, 44_739.796, 318, 0, 0, nil}},
		{"workflow_trace_archive/askalon_bwa_tasks_a.csv.gz", "", "user", 1e-12, counts{10, 230, 230, 760, 2612.177, 3939.984, 0, 0, nil}},
		{"azure_llm/AzureLLMInferenceTrace_conv.csv.gz", "", "prompt", 1e-12, counts{19_366, 19_366, 19_366, 0, 127_132.324, 3501.721_937, 2339, 0, nil}},
		{"swim_facebook/FB-2010_samples_24_times_1hr_withInputPaths_0.tsv.gz", "", "input", 1e-6, // runtimes are whole nanoseconds
			counts{25_428, unknown, 17_988_923 + 8_711_887, unknown, 19_897_228.507_864, 86_407, 17_158, 0, nil}},
		{"google2011/raw", "", "", 1e-10, counts{930, 930, 12_846, 0, 5185232.155, unknown, 0, 0, map[string]int{
			"attempt that another one followed": 5410, "attempt that was evicted": 222, "job without a task that ran": 398,
			"task that began before the trace": 4485, "task that never ran": 39, "task that runs at the end of the trace": 7635, "task that was only evicted or lost": 1,
		}}},
		{"wfinstances", "", "", 2e-10, counts{70, 3_779, 13_512, unknown, 2626026.307, unknown, 0, 0, map[string]int{"file of no known format": 1}}},
	} {
		t.Run(test.file+test.preset, func(t *testing.T) {
			if testing.Short() && test.want.Tasks > 100_000 {
				t.Skip("long")
			}
			r, err := trace.Open(traces.Path(t, test.file), trace.ReaderConfig{Columns: test.preset})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var got counts
			values := make(map[string]bool)
			for j, err := range r.Jobs() { // they are not kept: some have millions of tasks
				if err != nil {
					t.Fatal(err)
				}
				got.Jobs++
				got.Stages += len(j.Stages)
				got.Tasks += j.Tasks()
				for _, s := range j.Stages {
					got.Reads += len(s.Reads)
					for _, need := range s.Needs {
						got.GPUs += need.Amount * int64(s.Tasks)
					}
				}
				got.Work += j.Work()
				got.Last = max(got.Last, j.Submitted.Seconds())
				if value, ok := j.Attr(test.attr); ok {
					values[value] = true
				}
			}
			got.Values, got.Skipped = len(values), r.Skipped()
			want := test.want
			for _, n := range []struct{ want, got *int }{{&want.Stages, &got.Stages}, {&want.Reads, &got.Reads}} {
				if *n.want == unknown {
					*n.got = unknown
				}
			}
			if want.Last == unknown {
				got.Last = unknown
			}
			if want.Work == unknown || math.Abs(got.Work/want.Work-1) <= test.within {
				got.Work = want.Work // the sum of many terms is rounded
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The header of a real log tells its cluster, and its jobs have the log's numbers.
func TestRealCluster(t *testing.T) {
	r, err := trace.Open(traces.Path(t, "swf/NASA-iPSC-1993-3.1-cln.swf.gz"), trace.ReaderConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	jobs := jobtest.All(t, r.Jobs())
	if nodes, cores := r.Cluster(); nodes != 128 || cores != 1 || jobs[5].Name != "57" {
		t.Errorf("got %d nodes of %d cores, and job 6 is %s; want 128 of 1, and 57", nodes, cores, jobs[5].Name)
	}
}
