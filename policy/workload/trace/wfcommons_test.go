package trace_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
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

// workflow is one in WfFormat 1.5: a splits work for b and c, d joins them.
const workflow = `{
    "name": "genome-20200401T054035Z-0",
    "schemaVersion": "1.5",
    "workflow": {
        "specification": {
            "tasks": [
                {"name": "a_ID1", "id": "a_ID1", "parents": [], "children": ["b_ID2", "b_ID3"], "inputFiles": ["in"], "outputFiles": ["x", "y"]},
                {"name": "b_ID2", "id": "b_ID2", "parents": ["a_ID1"], "children": ["d_ID4"]},
                {"name": "d_ID4", "id": "d_ID4", "parents": ["b_ID3", "b_ID2"], "children": []},
                {"name": "b_ID3", "id": "b_ID3", "parents": ["a_ID1", "a_ID1"], "children": ["d_ID4"]}
            ],
            "files": [{"id": "in", "sizeInBytes": 1}]
        },
        "execution": {
            "makespanInSeconds": 9,
            "executedAt": "20200401T234215+0000",
            "tasks": [
                {"id": "b_ID2", "runtimeInSeconds": 2.5, "command": {"program": "b", "arguments": []}, "memoryInBytes": 100},
                {"id": "a_ID1", "runtimeInSeconds": 0, "coreCount": 4},
                {"id": "b_ID3", "runtimeInSeconds": 3, "memoryInBytes": 200.5},
                {"id": "d_ID4", "runtimeInSeconds": 1, "coreCount": null, "machines": ["m"]}
            ],
            "machines": [{"nodeName": "m"}]
        }
    }
}
`

// wfText writes a workflow: its tasks, as "a b", the parents of some, as "b:a c:a,b", and the runtimes, as "a:1 b:2.5".
func wfText(at, tasks, parents, runtimes string) string {
	readers := make(map[string][]string)
	for word := range strings.FieldsSeq(parents) {
		name, of, _ := strings.Cut(word, ":")
		readers[name] = strings.Split(of, ",")
	}
	var specified, ran []any
	for name := range strings.FieldsSeq(tasks) {
		specified = append(specified, map[string]any{"name": strings.TrimRight(name, "0123456789"), "id": name, "parents": readers[name]})
	}
	for word := range strings.FieldsSeq(runtimes) {
		name, runtime, _ := strings.Cut(word, ":")
		ran = append(ran, map[string]any{"id": name, "runtimeInSeconds": json.Number(runtime)})
	}
	text, err := json.MarshalIndent(map[string]any{
		"name": "w", "schemaVersion": "1.5",
		"workflow": map[string]any{
			"specification": map[string]any{"tasks": specified},
			"execution":     map[string]any{"executedAt": at, "tasks": ran},
		},
	}, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// wfTrace returns a workflow with files and all, like real ones.
func wfTrace(tasks int) []byte {
	type list []any
	type object map[string]any
	var specified, ran list
	for i := range tasks {
		id := fmt.Sprintf("blastall_ID%06d", i)
		parents := list{}
		if i > 0 {
			parents = list{"blastall_ID000000"}
		}
		specified = append(specified, object{"name": id, "id": id, "parents": parents, "inputFiles": list{"db.nhr", "db.nin", id + ".in"}, "outputFiles": list{id + ".out"}})
		ran = append(ran, object{
			"id": id, "runtimeInSeconds": 1.5 + float64(i), "command": object{"program": "blastall", "arguments": list{"-p", "blastn", "-i", id + ".in"}},
			"avgCPU": 94.8, "readBytes": 660000, "memoryInBytes": 3000000 + i, "machines": list{"worker-1"},
		})
	}
	text, err := json.MarshalIndent(object{
		"name": "blast", "schemaVersion": "1.5",
		"workflow": object{"specification": object{"tasks": specified}, "execution": object{"executedAt": "2020-12-27T18:23:37+00:00", "tasks": ran}},
	}, "", "    ")
	if err != nil {
		panic(err)
	}
	return text
}

func TestWFCommons(t *testing.T) {
	want := []*workload.Job{{
		Job: policy.Job{
			ID: 1,
			At: time.Date(2020, time.April, 1, 23, 42, 15, 0, time.UTC),
			Attrs: []policy.Attr{
				{Name: "program", Value: "genome"}, {Name: "jobname", Value: "genome-20200401T054035Z-0"}, {Name: "hour", Value: "23"}, {Name: "day", Value: "Wednesday"},
			},
			Stages: []policy.Stage{
				{Tasks: 1, Cores: 4},
				{Tasks: 2, Cores: 1, Memory: 201, Reads: []policy.Dep{{Stage: 0}}},
				{Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 1}}},
			},
		},
		Name:     "genome-20200401T054035Z-0",
		Runtimes: [][]policy.Duration{{0}, {2500 * s / 1000, 3 * s}, {s}},
	}}
	for _, text := range []string{workflow, strings.ReplaceAll(workflow, "\n", " "), strings.ReplaceAll(workflow, "\n", "\n\n\t")} {
		for _, format := range []string{"", "wfcommons"} {
			r := reader(t, []byte(text), trace.ReaderConfig{Format: format})
			if diff := cmp.Diff(want, jobtest.All(t, r.Jobs())); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		}
	}
}

// Older versions have one list, of jobs or tasks, with other names for the same: a splits work for b and c, d joins them.
func TestWFCommonsOlder(t *testing.T) {
	want := jobtest.All(t, reader(t, []byte(workflow), trace.ReaderConfig{}).Jobs())
	for _, test := range []struct{ version, list, runtime, memory string }{
		{"1.0", "jobs", "runtime", `"memory": 0.2`},
		{"1.2", "jobs", "runtime", `"memory": 0.2`},
		{"1.3", "tasks", "runtime", `"memory": 0.2`},
		{"1.4", "tasks", "runtimeInSeconds", `"memoryInBytes": 200`},
	} {
		text := strings.NewReplacer("LIST", test.list, "RUNTIME", test.runtime, "VERSION", test.version, `"MEMORY": 1`, test.memory).Replace(olderWorkflow)
		byID := strings.ReplaceAll(strings.ReplaceAll(text, `["a_ID1"]`, `["7"]`), `{"name": "a_ID1",`, `{"name": "a_ID1", "id": "7",`)
		byFiles := regexp.MustCompile(`"parents": \[[^\]]*\],`).ReplaceAllString(text, "")
		byCategory := strings.ReplaceAll(strings.ReplaceAll(text, `"b_ID2"`, `"x"`), `{"name": "x"`, `{"name": "x", "category": "b"`)
		for way, text := range map[string]string{"names": text, "IDs": byID, "files": byFiles, "categories": byCategory} {
			r := reader(t, []byte(text), trace.ReaderConfig{})
			got := jobtest.All(t, r.Jobs())
			if len(got) == 1 {
				got[0].Stages[1].Memory++ // 201, as it is rounded up there
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("WfFormat %s, parents by %s: -want +got:\n%s", test.version, way, diff)
			}
		}
	}
}

// olderWorkflow is the workflow in an older version, with words for what differs.
const olderWorkflow = `{
    "name": "genome-20200401T054035Z-0",
    "schemaVersion": "VERSION",
    "wms": {"name": "Pegasus", "version": "4.9"},
    "workflow": {
        "makespan": 9,
        "executedAt": "20200401T234215+0000",
        "machines": [{"nodeName": "m", "cpu": {"count": 4}}],
        "LIST": [
            {"name": "a_ID1", "type": "compute", "parents": [], "RUNTIME": 0, "cores": 4, "files": [{"name": "in", "link": "input", "size": 1}, {"name": "x", "link": "output", "size": 1}]},
            {"name": "b_ID2", "type": "compute", "parents": ["a_ID1"], "RUNTIME": 2.5, "MEMORY": 1, "files": [{"name": "x", "link": "input", "size": 1}, {"name": "y", "link": "output", "size": 1}]},
            {"name": "d_ID4", "type": "auxiliary", "parents": ["b_ID3", "b_ID2"], "RUNTIME": 1, "machine": "m", "files": [{"name": "z", "link": "input", "size": 1}, {"name": "y", "link": "input", "size": 1}, {"name": "z", "link": "input", "size": 1}]},
            {"name": "b_ID3", "type": "compute", "parents": ["a_ID1"], "RUNTIME": 3, "cores": 1, "files": [{"name": "x", "link": "input", "size": 1}, {"name": "z", "link": "output", "size": 1}, {"name": "z", "link": "input", "size": 1}]}
        ]
    }
}
`

// Several systems, several ways to write a time.
func TestWFCommonsTimes(t *testing.T) {
	for _, test := range []struct {
		text string
		want time.Time
	}{
		{"2020-12-27T18:23:37+00:00", time.Date(2020, time.December, 27, 18, 23, 37, 0, time.UTC)},
		{"2020-12-27T18:23:37.5Z", time.Date(2020, time.December, 27, 18, 23, 37, 5e8, time.UTC)},
		{"2020-12-27T18:23:37", time.Date(2020, time.December, 27, 18, 23, 37, 0, time.UTC)},
		{"2023-03-29T15:45:52-10:00", time.Date(2023, time.March, 30, 1, 45, 52, 0, time.UTC)},
		{"20200401T054215+0000", time.Date(2020, time.April, 1, 5, 42, 15, 0, time.UTC)},
		{"12-19-20T21:31:53Z", time.Date(2020, time.December, 19, 21, 31, 53, 0, time.UTC)},
		{"", time.Time{}},
	} {
		jobs := jobtest.All(t, reader(t, []byte(wfText(test.text, "a", "", "a:1")), trace.ReaderConfig{}).Jobs())
		if got := jobs[0].At; !got.Equal(test.want) || jobs[0].Submitted != 0 {
			t.Errorf("%q: got %v, submitted at %v, want %v and 0", test.text, got, jobs[0].Submitted, test.want)
		}
		if hour, ok := jobs[0].Attr("hour"); ok == test.want.IsZero() || ok && hour != fmt.Sprint(jobs[0].At.Hour()) {
			t.Errorf("%q: got hour %q (%v), want that of %v", test.text, hour, ok, jobs[0].At)
		}
	}
}

// Stages of several tasks wait for what each of them waited for: the tasks of the stages that it reads are its parents.
func TestWFCommonsStages(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var tasks, parents, runtimes []string
		want := make(map[policy.Duration][]policy.Duration) // runtimes tell tasks apart
		n := 2 + rng.IntN(20)
		for i := range n {
			name := fmt.Sprintf("%c%d", 'a'+rune(rng.IntN(2)), i)
			if i > 0 && rng.IntN(3) > 0 {
				var of []string
				for k := range i {
					// Many tasks have the same parents: all of a third.
					if k < (i/3+1)*3-3 && k%2 == 0 {
						of = append(of, tasks[k])
						want[policy.Duration(i)*s] = append(want[policy.Duration(i)*s], policy.Duration(k)*s)
					}
				}
				if len(of) > 0 {
					parents = append(parents, name+":"+strings.Join(of, ","))
				}
			}
			tasks = append(tasks, name)
			runtimes = append(runtimes, fmt.Sprintf("%s:%d", name, i))
		}
		text := wfText("", strings.Join(tasks, " "), strings.Join(parents, " "), strings.Join(runtimes, " "))
		job := jobtest.All(t, reader(t, []byte(text), trace.ReaderConfig{}).Jobs())[0]
		got := make(map[policy.Duration][]policy.Duration)
		for i, stage := range job.Stages {
			for _, d := range job.Runtimes[i] {
				for _, read := range stage.Reads {
					got[d] = append(got[d], job.Runtimes[read.Stage]...)
				}
				slices.Sort(got[d])
				if got[d] == nil {
					delete(got, d)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || job.Tasks() != n {
			t.Errorf("seed %d: got %d tasks, want %d; parents: -want +got:\n%s", seed, job.Tasks(), n, diff)
		}
	}
}

func TestWFCommonsBadFiles(t *testing.T) {
	good := wfText("2020-01-01T00:00:00Z", "a", "", "a:1")
	for _, test := range []struct{ name, text, reason, detail string }{
		{"no JSON", "{\nx", "not a workflow in JSON", "invalid character 'x' looking for beginning of object key string"},
		{"cut off", "{\n\"name\": \"x\",", "not a workflow in JSON", "unexpected EOF"},
		{"two in a file", good + good, "not a workflow in JSON", "more follows in the file"},
		{"a number for a name", "{\n\"name\": 1}", "not a workflow in JSON", "json: cannot unmarshal number into Go struct field wfFile.Name of type string"},
		{"many parts", "{\n\"x\": [" + strings.Repeat("{},", 1<<20) + "{}]}", "more than 2^20 objects, arrays and nulls", "1048579"},
		{"jobs of Slurm", "{\n\"meta\": {},\n\"jobs\": [{\"job_id\": 1}]}", "no workflow of WfCommons, but jobs, as sacct --json prints them", "want such as sacct -P -X -a -S 2026-01-01 -E now -o JobID,Submit,Start,Elapsed,State,Timelimit,NNodes,AllocCPUS,ReqMem,AllocTRES,User,Account,Partition,QOS,JobName"},
		{"an older schema", "{\n\"workflow\": {\"tasks\": []}}", "no workflow of WfCommons: no tasks in workflow.specification, nor in workflow.tasks or workflow.jobs as before WfFormat 1.5", ""},
		{"time", wfText("yesterday", "a", "", "a:1"), "executedAt is not a time", `"yesterday"`},
		{"two of a name", wfText("", "a a", "", "a:1"), "two tasks have the same ID", `"a"`},
		{"unknown parent", wfText("", "a", "a:b", "a:1"), "a parent is not there", `task "a": "b"`},
		{"unknown task ran", wfText("", "a", "", "a:1 b:1"), "a task that ran is not specified", `"b"`},
		{"did not run", wfText("", "a b", "", "a:1"), "a task has no runtimeInSeconds, nor runtime as before WfFormat 1.4", `"b"`},
		{"negative runtime", wfText("", "a", "", "a:-1"), "runtimeInSeconds is not in 0 to 1e9", `task "a": -1`},
		{"long runtime", wfText("", "a", "", "a:1e10"), "runtimeInSeconds is not in 0 to 1e9", `task "a": 1e+10`},
		{"cores", strings.Replace(workflow, `"coreCount": 4`, `"coreCount": -4`, 1), "coreCount is not in 0 to 1e6", `task "a_ID1": -4`},
		{"memory", strings.Replace(workflow, "200.5", "1e30", 1), "memoryInBytes is not in 0 to 2^60", `task "b_ID3": 1e+30`},
		{"a circle", wfText("", "a b", "a:b b:a", "a:1 b:1"), "the job is not valid", "policy: job 2: dag: cycle through [1 0]"},
		{"long after the first", wfText("2099-01-01T00:00:00Z", "a", "", "a:1"), "submission is beyond 1e9 s", "2.493072e+09 s"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := saveFiles(t, map[string]string{"1.json": good, "2.json": test.text, "3.json": good})
			for _, lenient := range []bool{false, true} {
				r, err := trace.Open(dir, trace.ReaderConfig{Format: "wfcommons", Lenient: lenient})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				jobs, err := jobtest.Drain(r.Jobs())
				if lenient {
					if len(jobs) != 2 || err != nil {
						t.Errorf("lenient: got %d jobs and error %v, want 2", len(jobs), err)
					}
					wantDropped(t, r, map[string]int{test.reason: 1})
					continue
				}
				want := &trace.RowError{File: "2.json", Line: strings.Count(strings.TrimSpace(test.text), "\n") + 1, Reason: test.reason, Detail: test.detail}
				if diff := cmp.Diff(error(want), err); diff != "" || len(jobs) != 1 {
					t.Errorf("strict: got %d jobs, want 1; -want +got:\n%s", len(jobs), diff)
				}
			}
		})
	}
}

// Files in the order of their names; the first gives the origin, so one that ran before it
// is submitted before 0. ReadAll puts them into order.
func TestWFCommonsFolder(t *testing.T) {
	dir := saveFiles(t, map[string]string{
		"a/1.json":    wfText("2020-01-01T00:00:10Z", "a", "", "a:1"),
		"a/2.json.gz": string(gzipped(t, []byte(wfText("2020-01-01T00:00:05Z", "a", "", "a:2")))),
		"b.json":      wfText("2020-01-01T01:00:15+01:00", "a", "", "a:3"),
		"a/index.csv": "file,tasks\n",
	})
	r, err := trace.Open(dir, trace.ReaderConfig{Format: "wfcommons"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	jobs, err := workload.ReadAll(r.Jobs())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, j := range jobs {
		got = append(got, fmt.Sprintf("%d: %v s, %v", j.ID, j.Submitted.Seconds(), j.Runtimes))
	}
	if diff := cmp.Diff([]string{"2: -5 s, [[2s]]", "1: 0 s, [[1s]]", "3: 5 s, [[3s]]"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Tasks that read what others write make a pair each: there is a bound on these.
func TestWfFormatManyReaders(t *testing.T) {
	var tasks []string
	for i := range 1025 {
		tasks = append(tasks, fmt.Sprintf(`{"name":"w%d","runtime":1,"files":[{"name":"f","link":"output"}]},{"name":"r%d","runtime":1,"files":[{"name":"f","link":"input"}]}`, i, i))
	}
	r, err := trace.NewReader("x", strings.NewReader("{\n\"workflow\":{\"tasks\":["+strings.Join(tasks, ",\n")+"]}}"), trace.ReaderConfig{})
	if err == nil {
		_, err = jobtest.Drain(r.Jobs())
	}
	if err == nil || !strings.Contains(err.Error(), "more than 2^20 files that tasks read of others") {
		t.Errorf("got error %v, want that these are too many", err)
	}
}
