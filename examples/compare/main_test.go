package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
)

// compare runs the program and returns what it prints, its error, and its exit status.
func compare(t *testing.T, args ...string) (out string, exit int, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	err = run(t.Context(), args, &stdout, &stderr)
	if err != nil {
		exit = cli.Status(err)
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr is %q, want nothing: it is no terminal", &stderr)
	}
	return stdout.String(), exit, err
}

// reportOf runs the program with -json among its arguments and returns what it prints.
func reportOf(t *testing.T, args ...string) (r experiment.Report) {
	t.Helper()
	out, _, err := compare(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestBadUse(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, test := range []struct {
		args []string
		want string // what the line on stderr has in it
		exit int
	}{
		{[]string{"-nonsense"}, "not defined: -nonsense, want one of -3sigma -advise -budget -columns", 2},
		{[]string{"-budget", "0"}, "-budget: want a number of 1 to 2^60", 2},
		{[]string{"-budget", "1e6"}, "-budget without -trace, want both", 2},
		{[]string{"-budget", "1e6", "-columns", "submit=a,runtime=b,tasks=c", "-trace", file("b.csv", "a,b,c\n0,1,1048576\n")}, "b.csv:2: the jobs are over the Budget of the reader", 1},
		{[]string{"extra"}, `unexpected argument "extra"`, 2},
		{[]string{"-policies", "fifo,lifo"}, `unknown policy "lifo", want a name or a spec of parts`, 2},
		{[]string{"-policies", ""}, `unknown policy ""`, 2},
		{[]string{"-workload", "none"}, `unknown workload "none", want one of heavytail`, 2},
		{[]string{"-workload", "heavytail", "-trace", "x"}, "both -trace and -workload", 2},
		{[]string{"-nodes", "0"}, "-nodes: want a whole number of 1", 2},
		{[]string{"-cores", "x"}, "-cores: want a whole number of 1", 2},
		{[]string{"-jobs", "-5"}, "-jobs: want a whole number of 1", 2},
		{[]string{"-load", "NaN"}, "-load: want a finite number above 0", 2},
		{[]string{"-seed", "-1"}, "-seed: want a whole number", 2},
		{[]string{"-seeds", "9-1"}, `"9-1" is neither a seed nor a range`, 2},
		{[]string{"-seeds", "1-3,2"}, "seed 2 is there twice", 2},
		{[]string{"-loads", "0.5,0.7,0.5"}, "load 0.5 is there twice", 2},
		{[]string{"-loads", "0.5,0"}, `"0" is not a load`, 2},
		{[]string{"-windows", "1"}, `-windows: "1", want a number of 2 to 1000, such as 10, or a single one, such as 3/10`, 2},
		{[]string{"-thin", "9/8"}, `-thin: "9/8", want a number of 2`, 2},
		{[]string{"-thin", "0/8"}, `-thin: "0/8", want a number of 2`, 2},
		{[]string{"-windows", "2"}, "-windows or -thin without -trace, want both; -seeds varies", 2},
		{[]string{"-trace", "x", "-windows", "2", "-thin", "8"}, "-windows with -thin, want one of them; -windows 3/10 is a single window", 2},
		{[]string{"-trace", file("two.tr", "0 1 1 1\n9 1 1 1\n"), "-windows", "3"}, "-windows 1/3: -windows: 2 jobs cut into 3 windows", 2},
		{[]string{"-seeds", "1-2", "-record", "x"}, "-thin and -loads write no -record", 2},
		{[]string{"-seeds", "1-2", "-usage-csv", "x"}, "-seeds, -windows, -thin and -loads write no -record, -jobs-csv, -usage-csv", 2},
		{[]string{"-seeds", "1-2", "-copies-csv", "x"}, "-thin and -loads write no -record", 2},
		{[]string{"-seeds", "1-2", "-gantt", "x"}, "-thin and -loads write no -record", 2},
		{[]string{"-trim", "0.5"}, "-trim: want a number of 0 to 0.49", 2},
		{[]string{"-gantt", filepath.Join(dir, "g.svg"), "-nodes", "4097", "-cores", "1", "-jobs", "10"}, "-gantt of 4097 cores, want at most 4096", 2},
		{[]string{"-delay", "-1s"}, "-delay: want a duration of at least 0", 2},
		{[]string{"-cutoff", "0"}, "-cutoff: want a number of seconds above 0", 2},
		{[]string{"-long-share", "0"}, "-long-share: want a number above 0, at most 1", 2},
		{[]string{"-kairos", "quantum=0s"}, `"quantum=0s": want a duration above 0`, 2},
		{[]string{"-kairos", "queue=-1"}, `-kairos: "queue=-1": want a whole number of 0 to 1048576`, 2},
		{[]string{"-hopper", "epsilon=1.1"}, `-hopper: "epsilon=1.1": want a number of 0 to 1`, 2},
		{[]string{"-hopper", "copies=never"}, "want in-turn, after-own or after-all", 2},
		{[]string{"-policies", "fifo,hawk", "-trace", file("z.tr", "0 1 0 0\n1 1 0 0\n")}, "want -cutoff, the least mean task runtime", 2},
		{[]string{"-3sigma", "interval=0s"}, `-3sigma: "interval=0s": want a duration above 0`, 2},
		{[]string{"-3sigma", "late=run,slots=0"}, `-3sigma: "slots=0": want a whole number of 1 to 65536`, 2},
		{[]string{"-3sigma", "tail=10"}, `"tail=10": want a duration above 0 and below 292 years, with a unit and without an exponent, such as 10m, or 0s`, 2},
		{[]string{"-3sigma", "threshold=NaN"}, `"threshold=NaN": want a probability above 0, to 1`, 2},
		{[]string{"-3sigma", "value=Inf"}, `"value=Inf": want a finite number above 0`, 2},
		{[]string{"-3sigma", "horizon=0s"}, `"horizon=0s": want a duration above 0`, 2},
		{[]string{"-3sigma", "late=never"}, `"late=never": want run or giveup`, 2},
		{[]string{"-3sigma", "sigma=3"}, `"sigma=3": unknown parameter, want some of interval=10s`, 2},
		{[]string{"-wing", "queues=soft"}, `"queues=soft": want hard, shared or one`, 2},
		{[]string{"-wing", "inherit=some"}, "want none, queue or all", 2},
		{[]string{"-wing", "hops=65536"}, "want a whole number of 0, for any, to 65535", 2},
		{[]string{"-wing", "queues=hard"}, "queues=hard without -workload lake, want one", 2},
		{[]string{"-wing", "window=336h", "-workload", "lake", "-jobs", "50", "-policies", "wing-agg"}, "-wing: a window of 336h0m0s, want less", 2},
		{[]string{"-policies", "wing-prio,wing-agg"}, "policy wing-agg without -workload lake", 2},
		{[]string{"-policies", "fifo,index-mil-easy"}, "policy index-mil-easy without -workload lake", 2},
		{[]string{"-policies", "oracle-mil", "-trace", file("w.tr", "0 1 1 1\n")}, "policy oracle-mil without -workload lake", 2},
		{[]string{"-policies", "mil", "-workload", "lake", "-nodes", "100", "-load", "0.5"}, "policy mil with -nodes and -load, want one of these", 2},
		{[]string{"-format", "tr"}, "-format tr without -trace", 2},
		{[]string{"-strict"}, "-strict without -trace", 2},
		{[]string{"-columns", "submit=a"}, "-columns without -trace", 2},
		{[]string{"-columns", "submit=a:s,runtime=b", "-format", "tr", "-trace", file("c.tr", "0 1 1 1\n")}, "-format tr, want csv", 2},
		{[]string{"-columns", "submit=a:s", "-trace", file("c.csv", "a,b\n1,2\n")}, "runtime", 2},
		{[]string{"-throughput", "0"}, "-throughput: want a finite number of at least 1", 2},
		{[]string{"-partitions", "5", "-nodes", "4"}, "4 nodes in 5 partitions", 2},
		{[]string{"-partitions", "1000", "-jobs", "100"}, "heavytail needs 12 nodes for load 0.9, fewer than 1000 partitions, want at least one in each; choose -nodes", 2},
		{[]string{"-deadlines", "share=2"}, "Deadlines.Share is 2, want 0 to 1", 2},
		{[]string{"-deadlines", "slack=20//40"}, `"slack=20//40": want per cents separated by / after =`, 2},
		{[]string{"-deadlines", "shares=1"}, `"shares=1": unknown parameter, want some of share=0.5`, 2},
		{[]string{"-memory", "16GB"}, "-memory: want bytes, such as 17179869184 for 16 GiB, at most 2^60, or 0 for unlimited", 2},
		{[]string{"-memory", "-1"}, "-memory: want bytes", 2},
		{[]string{"-saves", "reload=-1s"}, "want a duration of at least 0", 2},
		{[]string{"-saves", "fails=0.1"}, `"fails=0.1": unknown parameter, want some of reload=60s`, 2},
		{[]string{"-stragglers", ""}, "want one of tail= and ratios=own", 2},
		{[]string{"-stragglers", "tail=2,heads=1"}, `"heads=1": unknown parameter, want some of tail=1.5`, 2},
		{[]string{"-stragglers", "bound=3"}, "want one of tail= and ratios=own", 2},
		{[]string{"-stragglers", "tail=2,ratios=own"}, "want one of tail= and ratios=own", 2},
		{[]string{"-stragglers", "tail=1"}, "Tail is 1, want finite, above 1", 2},
		{[]string{"-stragglers", "ratios=own,bound=2"}, "Bound is 2 without Tail", 2},
		{[]string{"-stragglers", "ratios=0.5"}, `"ratios=0.5": want own`, 2},
		{[]string{"-stragglers", "tail=2,observed=1"}, `"observed=1": want on or off`, 2},
		{[]string{"-stragglers", "ratios=own", "-trace", file("thin.tr", "0 1 1 1\n")}, "no stage has 10 tasks", 2},
		{[]string{"-locality", "replicas=0"}, `"replicas=0": want a whole number of 1 to 16`, 2},
		{[]string{"-locality", "replicas=5", "-nodes", "4"}, "Replicas is 5, want 1 to 16, at most Nodes", 2},
		{[]string{"-locality", "elsewhere=0.5"}, `"elsewhere=0.5": want a finite number of at least 1`, 2},
		{[]string{"-locality", "racks=5"}, `"racks=5": unknown parameter, want some of replicas=3`, 2},
		{[]string{"-policies", "fifo,fifo"}, `policy "fifo" is named twice`, 2},
		{[]string{"-policies", "fifo/oracle"}, `forecast "oracle", want one of history`, 2},
		{[]string{"-policies", "gs-easy"}, "gs does not", 2},
		{[]string{"-faults", "tasks=0.1,tasks=0.2"}, `"tasks" is given twice`, 2},
		{[]string{"-record", filepath.Join(dir, "same"), "-jobs-csv", filepath.Join(dir, ".", "same"), "-policies", "fifo"}, "would be written twice", 2},
		{[]string{"-jobs", "9", "-report", filepath.Join(dir, "same"), "-jobs-csv", filepath.Join(dir, ".", "same"), "-policies", "fifo"}, "would be written twice", 2},
		{[]string{"-trace", file("in.tr", "0 1 1 1\n"), "-jobs-csv", filepath.Join(dir, "in.tr")}, "in.tr would overwrite the input", 2},
		{[]string{"-faults", "fire=1"}, `"fire=1": unknown fault, want some of up=24h`, 2},
		{[]string{"-faults", "tasks=2"}, `"tasks=2": want a probability of 0 to 1`, 2},
		{[]string{"-faults", "up=-1h,down=1h"}, `"up=-1h": want a duration above 0`, 2},
		{[]string{"-faults", "up=1e9h,down=1h"}, `"up=1e9h": want a duration above 0 and below 292 years, with a unit and without an exponent, such as 10m`, 2},
		{[]string{"-faults", "up=1h"}, "up without down, want both", 2},
		{[]string{"-faults", "jump=1h"}, "jump without steady, want both", 2},
		{[]string{"-faults", "posts-twice=0.5"}, "posts-late or posts-twice without late, want both", 2},
		{[]string{"-faults", "slip=1s"}, "slip without actions-late, want both", 2},
		{[]string{"-faults", "posts-lost=0.5,posts-early=0.75"}, "posts-lost, posts-late and posts-early are 1.25 together, want at most 1", 2},
		{[]string{"-trace", filepath.Join(dir, "missing.tr")}, "missing.tr", 2},
		{[]string{"-trace", ""}, "-trace is empty, want a file or a directory", 2},
		{[]string{"-format", "xml", "-trace", file("a.tr", "0 1 1 1\n")}, `unknown format "xml", want auto or one of augur, swf`, 2},
		{[]string{"-trace", file("b.txt", "hello\n")}, "b.txt: the first line is of no known format", 2},
		{[]string{"-trace", file("empty.tr", "")}, "empty.tr has no jobs, want at least 1", 2},
		{[]string{"-jobs-csv", filepath.Join(dir, "no", "where.csv")}, "where.csv", 2},
		{[]string{"-record", filepath.Join(dir, "no", "where.jsonl")}, "where.fifo.jsonl", 2},

		{[]string{"-strict", "-trace", file("cut.tr", "0 1 1 1\n1 3 2 2 2")}, "cut.tr:2: fewer runtimes than tasks", 1},
		{[]string{"-strict", "-trace", file("bad.jsonl", "{\"id\":1}\n")}, "bad.jsonl:1: the job is not valid", 1},
	} {
		out, exit, err := compare(t, test.args...)
		if err == nil || !strings.Contains(err.Error(), test.want) || exit != test.exit {
			t.Errorf("compare %v: error %v, status %d; want %q, %d", test.args, err, exit, test.want, test.exit)
		}
		if out != "" {
			t.Errorf("compare %v prints %q, want nothing", test.args, out)
		}
	}
}

var timing = regexp.MustCompile(`"(wall_s|events_per_s)": [0-9.e+-]+`)

// Two runs print the same if they do not say how long they took.
func TestRepeats(t *testing.T) {
	args := []string{"-json", "-times=false", "-jobs", "300", "-faults", "up=1h,down=5m,tasks=0.02", "-seed", "7"}
	first, _, err := compare(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := compare(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	if second != first {
		t.Errorf("the second run prints\n%s\nwant as the first\n%s", second, first)
	}
	timed, _, err := compare(t, slices.Concat(args, []string{"-times"})...)
	if err != nil {
		t.Fatal(err)
	}
	if got := timing.ReplaceAllString(timed, `"$1": null`); got != first {
		t.Errorf("with -times it prints but for these\n%s\nwant\n%s", got, first)
	}
}

func TestJSONHasEveryField(t *testing.T) {
	out, _, err := compare(t, "-json", "-jobs", "50", "-policies", "fifo,srpt")
	if err != nil {
		t.Fatal(err)
	}
	var r map[string]any
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"workload", "jobs", "tasks", "nodes", "cores", "node_memory", "load", "load_span_s", "seed", "dropped", "skipped", "requested_set", "policies"} {
		if _, ok := r[key]; !ok {
			t.Errorf("no field %q", key)
		}
	}
	rows := r["policies"].([]any)
	if len(rows) != 2 {
		t.Fatalf("%d policies, want 2", len(rows))
	}
	row := rows[1].(map[string]any)
	for key := range strings.FieldsSeq(`policy jobs_done jobs_failed mean_jct_s p50_jct_s p90_jct_s p99_jct_s mean_slowdown
		mean_bounded_slowdown p50_bounded_slowdown utilization goodput makespan_s preemptions copies wasted_service_s deadline_miss_rate value value_attained_percent events wall_s events_per_s ratios_to_first`) {
		if _, ok := row[key]; !ok {
			t.Errorf("no field %q", key)
		}
	}
	if row["policy"] != "srpt" || row["deadline_miss_rate"] != nil || row["value"] != nil || row["value_attained_percent"] != nil || row["jobs_done"] != 50.0 {
		t.Errorf("row %v, want srpt, 50 jobs done, and null for what does not apply", row)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	jobsCSV, record := filepath.Join(dir, "jobs.csv"), filepath.Join(dir, "record.jsonl")
	if _, _, err := compare(t, "-jobs", "40", "-policies", "fifo,fair:least-loaded", "-jobs-csv", jobsCSV, "-record", record); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(jobsCSV)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 1+2*40 {
		t.Errorf("%d rows of jobs, error %v; want a header and 80", len(rows), err)
	}
	for _, name := range []string{"fifo", "fair:least-loaded"} {
		f, err := os.Open(filepath.Join(dir, "record."+strings.ReplaceAll(name, ":", "_")+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		chosen, err := policiesOf(name)
		if err != nil {
			t.Fatal(err)
		}
		n, err := sim.Replay(f, func() (policy.Scheduler, error) { return chosen[0].scheduler(new(setting)) })
		if err != nil || n < 100 {
			t.Errorf("the record of %s replays %d events, error %v", name, n, err)
		}
	}
}

func TestListAndHelp(t *testing.T) {
	out, _, err := compare(t, "-list")
	if err != nil || !strings.Contains(out, "srpt") || !strings.Contains(out, "heavytail") || !strings.Contains(out, "augur") {
		t.Errorf("-list prints %q, error %v; want policies, workloads and formats", out, err)
	}
	out, _, err = compare(t, "-help")
	if err != flag.ErrHelp || !strings.Contains(out, "-policies") {
		t.Errorf("-help prints %q, error %v; want the flags", out, err)
	}
}

// Every workload runs on the cluster that it is made for, or on one of the size for the load.
func TestWorkloads(t *testing.T) {
	for _, g := range cli.Generators {
		t.Run(g.Name, func(t *testing.T) {
			r := reportOf(t, "-json", "-workload", g.Name, "-jobs", "60", "-policies", "fifo")
			if r.Jobs != 60 || r.Policies[0].Done != 60 {
				t.Errorf("%d jobs and %d done, want 60 and 60", r.Jobs, r.Policies[0].Done)
			}
			if g.Nodes > 0 && (r.Nodes != g.Nodes || r.Cores != g.Nodes*g.Cores) || r.Memory != g.Memory {
				t.Errorf("%d nodes with %d cores, each with %d bytes; want %d with %d, %d", r.Nodes, r.Cores, r.Memory, g.Nodes, g.Nodes*g.Cores, g.Memory)
			}
			if (r.Policies[0].MissRate != nil) != slices.Contains([]string{"e2e", "mixed", "mixed-bags"}, g.Name) {
				t.Errorf("miss rate %v, want one of e2e, mixed and mixed-bags only", r.Policies[0].MissRate)
			}
		})
	}
}

// Policies of all kinds run jobs in which everything occurs, and those that refuse gangs run them without.
func TestMixed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for _, test := range []struct{ workload, policies string }{
		{"mixed", "fifo,fair,srpt,las,drf,easy,conservative,multifactor,priority,gs-slearn,gs-3sigma,gs-3sigma-dag,gs-hybrid,gs-chooser,hopper,srpt-grass,3sigma,3s-prio,wing-prio"},
		{"mixed-bags", "kairos,sparrow,hawk,eagle,bigc"},
	} {
		r := reportOf(t, "-json", "-workload", test.workload, "-jobs", "60", "-policies", test.policies)
		for _, p := range r.Policies {
			if p.Done != 60 {
				t.Errorf("%s, %s: %d jobs done, want 60", test.workload, p.Policy, p.Done)
			}
		}
	}
}

// A policy that refuses a job does not keep the others from their rows, and is named.
func TestOneRefuses(t *testing.T) {
	args := []string{"-workload", "mixed", "-jobs", "60", "-policies"}
	want, _, err := compare(t, append(args, "fair,srpt", "-json", "-times=false")...)
	if err != nil {
		t.Fatal(err)
	}
	const kairos, sparrow = "Kairos runs no gangs: want tasks that may start one by one (-workload mixed-bags has none)", "policy sparrow: sim: at "
	got, exit, err := compare(t, append(args, "fair@kairos,fair,sparrow,srpt", "-json", "-times=false")...)
	if got != want || exit != 1 || err == nil || !strings.Contains(err.Error(), kairos) || !strings.Contains(err.Error(), sparrow) {
		t.Errorf("with two that refuse: status %d, error %v and\n%s\nwant status 1, errors with %q and %q, and\n%s", exit, err, got, kairos, sparrow, want)
	}
	if table, exit, err := compare(t, append(args, "fair,fair@kairos")...); exit != 1 || err == nil || !strings.Contains(table, " fair ") {
		t.Errorf("as a table: status %d, error %v and\n%s", exit, err, table)
	}
	if out, exit, err := compare(t, append(args, "fair@kairos")...); exit != 1 || err == nil || out != "" {
		t.Errorf("alone: status %d, error %v and\n%s\nwant nothing printed", exit, err, out)
	}
}

// What a lenient run leaves out is said, and what the first policy is compared with.
func TestNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	text := "t,d,n\n0,10,1\n1,x,1\n2,10,1\n3,-5,1\n4,20,1\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-trace", path, "-columns", "submit=t:s,runtime=d:s,tasks=n", "-policies", "fifo,easy", "-nodes", "1", "-cores", "1"}
	out, _, err := compare(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"x.csv: 3 jobs, 3 tasks", "rows dropped: ", "no job requests a time; each is taken to request 2 times its runtime under easy, and nothing under fifo\n", "ratios are to fifo"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output has no %q:\n%s", want, out)
		}
	}
	sweep, _, err := compare(t, append(args, "-seeds", "1-2", "-json")...)
	if want := `"the jobs of a trace are the same for each seed: `; err != nil || !strings.Contains(sweep, want) {
		t.Errorf("of two seeds: error %v, want a note %s in\n%s", err, want, sweep)
	}
	if _, exit, err := compare(t, append(args, "-strict")...); err == nil || exit != 1 || !strings.Contains(err.Error(), "x.csv:3") {
		t.Errorf("strict: error %v, status %d; want x.csv:3 and 1", err, exit)
	}
}

// What -hopper says reaches Hopper and what it is compared with: each changes what comes out
// where it has the parameter, and nothing where it has not.
func TestHopperParameters(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	names := []string{"hopper", "srpt-grass", "fair-grass"}
	means := func(spec string) (means [3]float64) {
		r := reportOf(t, "-json", "-policies", strings.Join(names, ","), "-workload", "facebook-barriers", "-jobs", "60", "-nodes", "4", "-seed", "3", "-hopper", spec)
		for i, p := range r.Policies {
			means[i] = *p.MeanJCT
		}
		return means
	}
	before := means("")
	if again := means(hopperExample); again != before {
		t.Errorf("%s: %v, want the default's %v", hopperExample, again, before)
	}
	for _, test := range []struct {
		spec    string
		changes [3]bool
	}{
		{"epsilon=1", [3]bool{true, false, false}},
		{"keep=on", [3]bool{true, false, false}},
		{"copies=after-all", [3]bool{false, true, true}},
		{"copies=after-own", [3]bool{true, true, true}},
		{"period=10s", [3]bool{true, true, true}},
	} {
		after := means(test.spec)
		for i, name := range names {
			if (after[i] != before[i]) != test.changes[i] {
				t.Errorf("%s, %s: mean of %v, %v before", test.spec, name, after[i], before[i])
			}
		}
	}
}
func TestLoadAndSize(t *testing.T) {
	for _, test := range []struct {
		args []string
		load float64
	}{
		{[]string{"-load", "0.5"}, 0.5},
		{[]string{"-load", "1.5", "-cores", "1"}, 1.5},
		{[]string{"-load", "1.2", "-nodes", "50"}, 1.2},
	} {
		r := reportOf(t, append(test.args, "-json", "-policies", "fifo", "-jobs", "2000")...)
		// A cluster of whole nodes is a little larger than it need be.
		if got := *r.Load; got > test.load*1.001 || got < test.load*0.9 {
			t.Errorf("compare %v: load %v, want %v", test.args, got, test.load)
		}
	}
}
