package trace_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// Whatever the bytes are, a reader of any format keeps its promises: see checkStrictAndLenient.
func FuzzReader(f *testing.F) {
	const processors = "1 5 0 7 2 1 -1 2 9 64 1 3 1 1 0 1 -1 -1"
	var google bytes.Buffer
	if err := googleTrace(&google, 3); err != nil {
		f.Fatal(err)
	}
	for format, texts := range map[string][]string{
		"tr": {
			"", "\n", twoRows, "0 1 1 1\r\n\r\n1.5\t2 1e0 .5 0x1p-2", "0 3 1 1 1\n5 1 1 1", "0 268435456 1 1 1 1", "NaN 1 1 1", "-0 1 1 -1",
			"1e300 1 1 1", "0 1 1e400 1", "0 1 1 99999999999999999999", "0 1 1 0.0000000005",
			string(trText(jobtest.Generate(f, 3))), string(gzipped(f, trText(jobtest.Generate(f, 3)))),
		},
		"swf": {
			";", processors, "; UnixStartTime: 749458803\n" + processors + "\n" + processors, processors + " {9,9} q_1d 2:ppn=2", processors + " {} q :",
			"1 1356996147 0 7 2 1 -1 2 9 64 1 3 1 1 0 1 -1 -1 {9} q 1\n" + processors, "1 -1 -1 -1 -1 -1 -1 -1 -1 -1 5 -1 -1 -1 -1 -1 -1 -1",
			"1 1e300 0 NaN 2 1 -1 2 -inf 64 1 3 1 1 0 1 -1 -1", "1 0.5 0 --7 2.5 1 -1 2 9 1e15 4 3 1 1 0 1 -1 -1", string(swfText(jobtest.Generate(f, 3))),
		},
		"gwf": {
			"#", gwfRow(processors[:20], "1"), gwfRow("1 1100000000 3 7 1 -1 -1 1 -1 -1", "1") + gwfRow("2 1e300 3 7 1 -1 -1 1 -1 -1", "0"), "JobID\n# x\n1",
		},
		"pbs": {
			pbsRecords, pbsLine("E", "1.s", "start=1 end=1 exec_host=a/0*1000 Resource_List.mem=9e9kkkkkb"), pbsLine("E", "1.s", "start=9 end=1 exec_host=a/9-1"), pbsLine("L", "", ""),
			pbsLine("E", "1.s", `group="a b`), pbsLine("E", "1.s", "start=1 end=9e9 Resource_List.nodes=2:ppn=2+x:ppn=y"), pbsLine("E", "1[].s", "= == a=b="),
		},
		"lsf": {
			lsfRecords, lsfLine(1, "1 100 107 0", `1 "900*a"`), lsfLine(1, "1 100 107 0", `2 "a"`), `"JOB_FINISH" "10.1" """ ""`, `"JOB_FINISH" "1"` + strings.Repeat(" 1", 60),
		},
		"augur": {
			"{}", "null", row(""), row("") + "}", row(`"colour":1,`), row("") + "\n" + row(""), row("")[:20],
			row(`"at":"2026-01-05T00:00:00+14:59",`), row(`"attrs":[],"slo":{},"inputs":{},`), row(`"queue":"\ud800\u0000<",`),
			row(`"priority":-0.0,"submitted":-1,`), `{"id":1,"stages":[null],"runtimes":[null]}`, `{"ID":1,"Stages":[{"TASKS":1,"cores":1}],"runtimes":[[1]]}`,
			`{"id":9,"stages":[{"tasks":1,"cores":1},{"tasks":1,"cores":1,"reads":[{"stage":0,"pipe":true}]}],"runtimes":[[1],[2]]}`,
			string(jobtest.Text(f, jobtest.Full(2), jobtest.Full(3))), string(jobtest.Text(f, jobtest.Generate(f, 3)...)),
		},
		"google2011": {
			",,,,,,,", ",,,,,,,,,,,,", oneTask(0, 7) + oneTask(5, 8), oneTask(1e15, 1), oneTask(1<<63-1, 1),
			googleTask(1, 1, 5, 0) + googleTask(1, 1, 1, 1) + googleTask(2, 1, 0, 8) + googleTask(3, 1, 1, 2) + googleTask(3, 1, 1, 3),
			googleJob(1, 1, 1) + googleJob(2, 1, 5), google.String(),
		},
		"alibaba2018": {
			",,,,,,,,", ",,,,,,,,,,,,,", ",,,,Terminated,1,,,", alibabaTasks, alibabaInstances, alibabaTasks + alibabaInstances,
			"M1_1,1,j,1,Terminated,1,1,,\n", "M1_2,1,j,1,Terminated,1,1,,\nM2_1,1,j,1,Terminated,1,1,,\n", "M1,1024,j,1,Terminated,1,1,,\n", string(alibabaTrace(3)),
		},
		"wfcommons": {
			"{}", "null", "[]", "{\n}\n}", workflow, strings.ReplaceAll(workflow, "\n", ""), workflow[:200], workflow + workflow,
			wfText("", "a b", "b:a", "a:1 b:2"), wfText("12-19-20T21:31:53Z", "a a", "", ""), wfText("", "a", "a:a", "a:1"), wfText("", "a", "a:b", "a:1"), wfText("", "a", "", "a:-1"),
			string(wfTrace(10)), olderWorkflow,
		},
		"sacct": {
			"JobID|Submit|Elapsed", "JobID   State\n-----  -----\n", "JobID|State\n", "JobID,Submit,Start,End\n1,2026-03-01,2026-03-01,2026-03-02\n", string(sacctText(jobtest.Generate(f, 3))),
			"JobID|Submit|Elapsed|Timelimit|State|NNodes|NCPUS|ReqMem|ReqTRES|\n1|9|1-00:00:00.5|00:00|TIMEOUT|1048576|9|1.5Tc||\n1.0||||||||\n2|9|:|UNLIMITED|CANCELLED by 0|0||0n|cpu=2147483647,gres/gpu:a=1000000|\n",
		},
		"swim": {
			"job0\t1\t1\t2267942\t0\t1937944\tinputPath1\t\t", "job1\t2\t1\t20791551476\t12295202125\t1491950225\njob2\t2\t0\t945",
			"1\t0.5\t\t1e9\tNaN\t-1", "\t0\t0\t0\t0\t9e15\t\t", string(swimText(3)),
		},
	} {
		for _, text := range texts {
			f.Add(format, "", []byte(text))
		}
	}
	for _, seed := range []struct{ columns, text string }{
		{"", "0"}, // a header that no columns are known for
		{"", "timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09 07:01:55,66.0,1,66.0,a\n2017-10-09,1e1,2,0,\n"},
		{"google2011_jobs", string(csvText(nil)) + "1,u,2,j,l,5,7,9,FINISH,1,0\n1,u,2,j,l,5,,,KILL,1,0\n"},
		{"submit=a,runtime=b,user=c", "a,b,c\n1,2,\"x,\"\"y\"\n-1,.5,z\nNaN,-1,\"\n"},
		{"submit=a:unixms,start=a:unixns,end=b:unix,requested=c:h,limited=a,deadline=b:date,utility=c", "a,b,c\n1,2,3\n"},
		{"submit=a,runtime=b,gang=b,cores=c:milli,memory=b:GB,priority=c,?a>0,?b!=x,?c", "a,b,c\n1,2,3\n0,1,0\n"},
		{"job=a,task=b,parents=c,submit=b,runtime=b", "a,b,c\nw,1,\nw,2,1 3\nw,3,2\nv,1,\nv,1,\nu,0,0\n"},
		{"submit=a,runtime=b,cores=c,memory=c,need.x=b*c:milli/2,need.y=a", "a,b,c\n1,2,3\n0,9000,1\n1,5000,1\n0.5,,\n"},
		{"1=submit,1e3*2+.5*1=runtime:ms,?3=x,2*1=need.x", "0;1;x\n 5 ;\"2\" ; x\n1;2\n"},
		{"submit=a,runtime=2*b+1*a,user=c", "\ufeffa\tb\tc\r\n1\t2\t\r\n\t\t3\r\n1\t-1\tx\n"},
		{"job=a,submit=b,runtime=b,need.x=c", "a,b,c\nw,1,2\nw,1,3\nv,1,\n"},
		{"philly_needs", "timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09,1e1,12,0,\n"},
		{"job=*,stage=c,submit=a,runtime=b", "a,b,c\n1,2,s\n0,3,\n"},
		{"", string(csvText(jobtest.Generate(f, 3)))},
	} {
		f.Add("csv", seed.columns, []byte(seed.text))
	}
	f.Fuzz(func(t *testing.T, format, columns string, data []byte) {
		o := trace.ReaderConfig{Format: format, Columns: columns, Lenient: true}
		r, err := trace.NewReader("x", bytes.NewReader(data), o)
		if err != nil || format == "" || format == "auto" {
			return
		}
		tasks := 0
		for j, err := range r.Jobs() {
			if err != nil {
				break
			}
			if tasks += j.Tasks(); tasks >= 1<<16 { // more take long to compare
				return
			}
		}
		jobs := checkStrictAndLenient(t, trace.ReaderConfig{Format: format, Columns: columns}, data)
		if format == "augur" {
			again := jobtest.All(t, reader(t, jobtest.Text(t, jobs...), trace.ReaderConfig{Format: "augur"}).Jobs())
			// A list that is empty is not written, and then is nil.
			if diff := differ(jobs, again); diff != "" {
				t.Errorf("written and read again: -want +got:\n%s", diff)
			}
		}
	})
}

// differ says how got is not what is wanted, "" if it is. Jobs of a million tasks take cmp seconds.
func differ(want, got []*workload.Job) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

// checkStrictAndLenient reads data strictly and leniently, checks what holds for any bytes, and returns the jobs that the
// lenient reader has found.
func checkStrictAndLenient(t *testing.T, o trace.ReaderConfig, data []byte) []*workload.Job {
	strictly, _, err := checkReader(t, data, o)
	o.Lenient = true
	jobs, dropped, lenient := checkReader(t, data, o)
	switch {
	case lenient != nil:
		if err == nil || err.Error() != lenient.Error() {
			t.Errorf("got error %v when strict, %v when lenient, want the same", err, lenient)
		}
	case (err == nil) != (dropped == 0):
		t.Errorf("got error %v when strict and %d rows dropped when lenient, want both or none", err, dropped)
	}
	if len(jobs) < len(strictly) {
		t.Fatalf("got %d jobs when lenient, %d when strict, want no fewer", len(jobs), len(strictly))
	}
	if diff := differ(strictly, jobs[:len(strictly)]); diff != "" {
		t.Errorf("the lenient reader sees other jobs before the error: -strict +lenient:\n%s", diff)
	}
	return jobs
}

func checkReader(t *testing.T, data []byte, o trace.ReaderConfig) (jobs []*workload.Job, dropped int, err error) {
	text := unpacked(data)
	size, lines := len(text), bytes.Count(text, []byte("\n"))+1
	before := allocated()
	r, err := trace.NewReader("x", bytes.NewReader(data), o)
	if err != nil {
		if z, zerr := gzip.NewReader(bytes.NewReader(data)); zerr == nil {
			t.Errorf("got error %v with a good header of gzip (%v), want none", err, z.Header)
		}
		return nil, 0, nil
	}
	jobs, err = jobtest.Drain(r.Jobs())
	alike := slices.Contains([]string{"swf", "gwf", "pbs", "lsf", "csv", "sacct", "sacct_needs", "swim"}, o.Format) // a row may say how many tasks it has
	if alike {
		for _, j := range jobs {
			size += 8 * j.Tasks()
		}
	}
	// The buffers, and 200 times the text: a stage of 88 bytes is written in 3, and a
	// slice that grows by a quarter allocates 5 times its length in all.
	most := uint64(2<<20 + 200*size)
	compact := o.Format == "alibaba2018" // a few bytes stand for up to 2^20 tasks
	if compact {
		most += uint64(len(jobs)+rows(r.Dropped())+1) << 23
	}
	if got := allocated() - before; got > most {
		t.Errorf("%+v: got %d bytes allocated for %d bytes of text, want at most %d", o, got, size, most)
	}

	row, table := new(trace.RowError), o.Format == "csv" || strings.HasPrefix(o.Format, "sacct")
	switch {
	case err == nil:
	case !errors.As(err, &row) || o.Lenient && (!table || len(jobs) > 0 || rows(r.Dropped()) > 0):
		t.Errorf("%+v: got error %v, want none, or a RowError if strict, or of the header of a table", o, err)
	case row.Line < 1 || row.Line > lines || row.Reason == "" || len(row.Error()) > 1000:
		t.Errorf("got error %v, want one at one of %d lines, with a reason, of at most 1000 bytes", err, lines)
	}
	if _, again := jobtest.First(r.Jobs()); again != err {
		t.Errorf("%+v: got error %v after the end, want %v again", o, again, err)
	}
	if err != nil && len(r.Dropped()) > 0 {
		t.Errorf("got rows dropped %v, want none when strict", r.Dropped())
	}
	tasks, last := 0, policy.JobID(0)
	for _, j := range jobs {
		if err := j.Validate(); err != nil {
			t.Errorf("%+v: got a job that is not valid: %v", o, err)
		}
		if j.ID <= last {
			t.Errorf("%+v: got job %d after job %d, want IDs to increase", o, j.ID, last)
		}
		tasks, last = tasks+j.Tasks(), j.ID
	}
	if tasks > size && !alike && !compact {
		t.Errorf("%+v: got %d tasks in %d bytes, want at least a byte each", o, tasks, size)
	}
	return jobs, rows(r.Dropped()), err
}

// allocated returns the number of bytes that were allocated so far, freed or not.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// unpacked returns the text in data, as far as it goes, if gzip has packed it.
func unpacked(data []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return data
	}
	text, _ := io.ReadAll(z)
	return text
}

// rows returns how many rows were dropped in all.
func rows(dropped map[string]int) (n int) {
	for _, k := range dropped {
		n += k
	}
	return n
}
