package trace

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
)

// A preset names the columns of a table that is known.
type preset struct {
	name    string
	about   string
	columns string
	headers []string // that the table may have
}

var presets = []preset{
	{"google2011_jobs", "jobs of Google ClusterData2011_2 that finished, each one task", "submit=submit_us:us,start=schedule_us:us,end=end_us:us,user=user,program=logical_job_name,jobname=job_name,class=scheduling_class,?end_event=FINISH,?schedule_us>0",
		[]string{"job_id,user,scheduling_class,job_name,logical_job_name,submit_us,schedule_us,end_us,end_event,schedule_count,has_synthesised_event"}},
	{"google2011_tasks", "task attempts of Google ClusterData2011_2 that finished, as jobs", "job=job_id,submit=submit_us:us,start=schedule_us:us,end=end_us:us,priority=priority,user=user,class=scheduling_class,?end_event=FINISH,?submit_us>0",
		[]string{"job_id,task_index,attempt,user,scheduling_class,priority,cpu_request,memory_request,disk_request,different_machine,submit_us,schedule_us,end_us,end_event,machine_id"}},
	{"philly", "Microsoft Philly: gangs of GPUs", "submit=timestamp:date,runtime=duration:s,gang=num_gpus,group=cluster",
		[]string{"timestamp,duration,num_gpus,gpu_time,cluster"}},
	{"alibaba_gpu", "pods of Alibaba cluster-trace-gpu-v2023 (openb) that were scheduled", "submit=creation_time:s,start=scheduled_time:s,end=deletion_time:s,cores=cpu_milli:milli,memory=memory_mib:MiB,class=qos,gpus=num_gpu,gpu_milli=gpu_milli,gpu_spec=gpu_spec,?scheduled_time",
		[]string{"name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time"}},
	// A job that needs at most what a machine has stays on one. Philly gives cores in proportion to GPUs.
	{"philly_needs", "the same as philly with GPUs: jobs of up to 8 on one node, larger ones gangs of such tasks", "submit=timestamp:date,runtime=duration:s,cores=num_gpus,need.gpu=num_gpus/8,group=cluster", nil},
	{"alibaba_gpu_needs", "the same as alibaba_gpu with GPUs, whole or parts of one", "submit=creation_time:s,start=scheduled_time:s,end=deletion_time:s,cores=cpu_milli:milli,memory=memory_mib:MiB,need.gpu=num_gpu*gpu_milli:milli,class=qos,gpus=num_gpu,gpu_milli=gpu_milli,gpu_spec=gpu_spec,?scheduled_time", nil},
	{"surf_lisa", "jobs of the cluster Lisa of SURF, each one task of many cores", "submit=submission_time:unixms,runtime=duration:ms,cores=cpu_count",
		[]string{"id,submission_time,duration,cpu_count,cpu_capacity,mem_capacity,deferrable,deadline"}},
	{"spark_nds", "Spark tasks that succeeded, the stages of one job side by side", "job=*,stage=stage_id,submit=launch_ms:unixms,start=launch_ms:unixms,end=finish_ms:unixms,?failed=0,?killed=0",
		[]string{"stage_id,stage_attempt,task_id,task_index,task_attempt,launch_ms,finish_ms,executor,locality,speculative,failed,killed,reason"}},
	{"wta", "tasks of the Workflow Trace Archive as its tables of tasks name them, each a stage", "job=workflow_id,task=id,parents=parents,submit=ts_submit:ms,runtime=runtime:ms,cores=resource_amount_requested,user=user_id,group=group_id", nil},
	{"workflow_trace_archive", "tasks of the Workflow Trace Archive, each a stage", "job=workflow_id,task=task_id,parents=parents,submit=ts_submit:ms,runtime=runtime:ms,cores=resource_amount_requested",
		[]string{"workflow_id,task_id,ts_submit,runtime,wait_time,resource_amount_requested,parents,children",
			"workflow_id,task_id,ts_submit,runtime,wait_time,resource_amount_requested,parents,children,resource_used,submission_site,params"}},
	{"azure_llm", "requests to Azure's language models: 0.2 ms a token of the prompt, 30 ms a token of the answer", "submit=TIMESTAMP:date,runtime=0.2*ContextTokens+30*GeneratedTokens:ms,prompt=ContextTokens",
		[]string{"TIMESTAMP,ContextTokens,GeneratedTokens"}},
}

// Presets yields the names that ReaderConfig.Columns may be, each with a line about the table that it is for.
func Presets() iter.Seq2[string, string] {
	return func(yield func(name, about string) bool) {
		for _, p := range presets {
			if !yield(p.name, p.about) {
				return
			}
		}
	}
}

// presetOf returns the preset with a header.
func presetOf(header []byte) *preset {
	for i := range presets {
		if slices.Contains(presets[i].headers, string(header)) {
			return &presets[i]
		}
	}
	return nil
}

// What newcomers get wrong first is which column is what, so these errors say what to write instead. All begin with
// a semicolon, and are empty if there is nothing to say.

// unitHint says which unit would do for an instant that is out of range, or no number, in the unit of its column.
func (t *csvTable) unitHint(k csvKey) string {
	c, text := &t.header.keys[k], t.text(k)
	if _, reason := date(text); reason == "" {
		return fmt.Sprintf("; for a date say %s=%s:date", csvNames[k].name, c.column)
	}
	x, ok := number(text)
	for _, u := range csvInstants {
		// 1e9 s after 1970 is in September 2001, and 4e9 s in October 2096.
		if s := x * float64(u.scale) / 1e9; ok && u.epoch && u.name != c.unit.name && s >= 1e9 && s <= 4e9 {
			return fmt.Sprintf("; if it counts from 1970, say %s=%s:%s", csvNames[k].name, c.column, u.name)
		}
	}
	return ""
}

// clockHint says which unit would do for a span that is no number.
func (t *csvTable) clockHint(k csvKey) string {
	if _, reason := clock(t.text(k)); reason != "" {
		return ""
	}
	return fmt.Sprintf("; for hours, minutes and seconds say %s=%s:clock", csvNames[k].name, t.header.keys[k].column)
}

// Names of columns that are likely to be those of a key begin like this.
var (
	likeSubmit  = []string{"subm", "arriv", "creat", "time", "date"}
	likeRuntime = []string{"run", "dur", "elapsed", "took", "sec"}
)

func alike(name string, begins []string) bool {
	return slices.ContainsFunc(begins, func(begin string) bool { return strings.HasPrefix(strings.ToLower(name), begin) })
}

// keyHint names an attribute of the plan that may be meant to be a key that is not given.
func (p *csvPlan) keyHint(k csvKey, like []string) string {
	for _, a := range p.attrs {
		if alike(a.key, like) {
			return fmt.Sprintf("; %s=%s makes an attribute, so say %s=%s", a.key, a.column, csvNames[k].name, a.column)
		}
	}
	return ""
}

// numbersHint says how to name the columns of a table whose first line seems to be no header.
func numbersHint(cols [][]byte) string {
	if !slices.ContainsFunc(cols, func(c []byte) bool { _, ok := finite(c); return ok }) {
		return ""
	}
	return "; of a table without a header, name the columns by their numbers, such as 1=submit,2=runtime"
}

// columnsHint says how to name the columns of a table, if the line may be its first.
func columnsHint(line []byte) string {
	cols, p := splitCSV(nil, line, separator(line))
	if p != nil || len(cols) < 2 {
		return ""
	}
	if hint := numbersHint(cols); hint != "" {
		return hint
	}
	// The names that come first are the surest; those of no more than 40 letters.
	like := func(begins []string) string {
		for _, begin := range begins {
			for _, c := range cols {
				name := string(c)
				words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
				if len(name) <= 40 && slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, begin) }) {
					return name
				}
			}
		}
		return ""
	}
	runtime, start, end := like(likeRuntime), like([]string{"start"}), like([]string{"end", "finish", "complet"})
	took := "runtime=" + cmp.Or(runtime, "COLUMN")
	if runtime == "" && start != "" && end != "" {
		took = "start=" + start + ",end=" + end
	}
	return fmt.Sprintf("; of a table in CSV, say which columns are what, such as submit=%s,%s", cmp.Or(like(likeSubmit), "COLUMN"), took)
}
