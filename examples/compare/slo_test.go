package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// Two SLO jobs are done by the last submission at 100 s, one of them late; a best-effort job then, one after, and one
// never.
func TestByDeadline(t *testing.T) {
	const s = policy.Time(time.Second)
	due := &policy.SLO{Deadline: 50 * s, Utility: 2}
	result := &sim.Result{Jobs: []sim.JobRecord{
		{Outcome: policy.Done, Ended: 50 * s, Service: 3600, SLO: due},
		{Outcome: policy.Done, Ended: 51 * s, Service: 7200, Wasted: 1800, SLO: due},
		{Outcome: policy.Done, Submitted: 10 * s, Ended: 100 * s, Service: 3600},
		{Outcome: policy.Done, Submitted: 100 * s, Ended: 110 * s, Service: 9000},
		{Outcome: policy.Stalled, Submitted: 20 * s, Ended: 100 * s, Service: 1800, Wasted: 1800},
	}}
	d := deadlines{some: true, last: 100 * s}
	got := d.byDeadline(result)
	latency := got.BestEffortLatency
	got.BestEffortLatency = nil
	if want := (ByDeadline{SLOJobs: 2, SLODone: 2, SLOGoodput: 2.5, BestEffortJobs: 3, BestEffortDone: 2, BestEffortGoodput: 1}); *got != want || *latency != 50 {
		t.Errorf("got %+v and a latency of %v, want %+v and 50 s", *got, *latency, want)
	}
	if got := d.byDeadline(&sim.Result{Jobs: result.Jobs[:2]}); got.BestEffortLatency != nil {
		t.Errorf("the latency of no best-effort jobs is %v, want none", *got.BestEffortLatency)
	}
	for i, want := range []string{"true,2,50,3600", "false,0,51,5400", ",,90,3600", ",,10,0", ",,,0"} {
		if got := strings.Join(d.row(&result.Jobs[i]), ","); got != want {
			t.Errorf("job %d has the columns %s, want %s", i, got, want)
		}
	}
}

// What the table and the JSON say of SLO jobs and best-effort jobs, the rows of the jobs add up to.
func TestDeadlineColumns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "jobs.csv")
	names := []string{"fifo", "point-perf"}
	args := []string{"-workload", "e2e", "-jobs", "120", "-nodes", "100", "-jobs-csv", file, "-3sigma", "late=giveup"}
	r, policies := rows(t, names, args...)
	sums := make(map[string]*ByDeadline)
	missed, value, latency := make(map[string]float64), make(map[string]float64), make(map[string]float64)
	for _, row := range jobRows(t, file) {
		sum := sums[row["policy"]]
		if sum == nil {
			sum = &ByDeadline{}
			sums[row["policy"]] = sum
		}
		if row["deadline_s"] == "" {
			sum.BestEffortJobs++
			sum.BestEffortGoodput += figure(t, row["goodput_s"]) / 3600
			if row["outcome"] == policy.Done.String() {
				sum.BestEffortDone++
				latency[row["policy"]] += figure(t, row["jct_s"])
			}
			if row["met_deadline"] != "" || row["value"] != "" {
				t.Errorf("a best-effort job has the row %v", row)
			}
			continue
		}
		sum.SLOJobs++
		sum.SLOGoodput += figure(t, row["goodput_s"]) / 3600
		value[row["policy"]] += figure(t, row["value"])
		if row["outcome"] == policy.Done.String() {
			sum.SLODone++
		}
		if row["met_deadline"] == "false" {
			missed[row["policy"]]++
		}
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
	for _, p := range policies {
		sum := sums[p.Policy]
		if sum.SLOJobs+sum.BestEffortJobs != r.Jobs || missed[p.Policy] == 0 || sum.SLOGoodput == 0 || sum.BestEffortGoodput == 0 {
			t.Errorf("%s: the rows add up to %+v, %v missed; want %d jobs, and some of each", p.Policy, *sum, missed[p.Policy], r.Jobs)
		}
		if !near(*p.MissRate, missed[p.Policy]/float64(sum.SLOJobs)) || !near(*p.Value, value[p.Policy]) ||
			!near(*p.BestEffortLatency, latency[p.Policy]/float64(sum.BestEffortDone)) ||
			!near(p.SLOGoodput, sum.SLOGoodput) || !near(p.BestEffortGoodput, sum.BestEffortGoodput) ||
			p.SLOJobs != sum.SLOJobs || p.SLODone != sum.SLODone || p.BestEffortJobs != sum.BestEffortJobs || p.BestEffortDone != sum.BestEffortDone {
			t.Errorf("%s: the report says %+v, missed %v, value %v; the rows %+v, %v, %v", p.Policy, *p.ByDeadline, *p.MissRate, *p.Value,
				*sum, missed[p.Policy]/float64(sum.SLOJobs), value[p.Policy])
		}
	}
	if policies[1].SLODone == policies[1].SLOJobs {
		t.Error("point-perf has given up no job")
	}
	out, _, err := compare(t, append(args, "-policies", "fifo,point-perf")...)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(out, "\njobs with deadlines, and best-effort jobs")
	table, _, _ = strings.Cut(table, "\nratios to fifo")
	if !strings.Contains(table, "policy  SLO  done  missed %  value  goodput  best effort") || strings.Count(table, "fifo") != 1 || strings.Count(table, "point-perf") != 1 {
		t.Errorf("the output has no table of a row for each policy between the others:\n%s", out)
	}
}

// Without deadlines nothing is said of them.
func TestNoDeadlines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "jobs.csv")
	for _, form := range []string{"-json", "-json=false"} {
		out, _, err := compare(t, form, "-jobs", "20", "-policies", "fifo,3sigma", "-jobs-csv", file)
		if err != nil || strings.Contains(out, "slo_") || strings.Contains(out, "best") || strings.Contains(out, "SLO") {
			t.Errorf("%s: error %v, or a figure of deadlines:\n%s", form, err, out)
		}
	}
	for _, row := range jobRows(t, file) {
		if len(row) != 15 {
			t.Fatalf("%d columns, want 15: %v", len(row), row)
		}
	}
}

// Jobs of a trace get deadlines as 3Sigma, section 5, has it: half of them, by slacks of 20, 40, 60
// and 80 % of their runtimes, and prefer three of four partitions, beyond which they run half as
// long again.
func TestDeadlinesOfTraces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.csv")
	var text strings.Builder
	text.WriteString("t,d,n\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "%d,%d,%d\n", 10*i, 5*(1+i%7), 1+i%3)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	in := loaded(t, "-trace", file, "-columns", "submit=t:s,runtime=d:s,gang=n", "-deadlines", "", "-nodes", "8", "-load", "0.9")
	slacks := make(map[int]int)
	partitions := make(map[policy.PartitionID]bool)
	for _, node := range in.cluster {
		partitions[node.Partition] = true
	}
	slo := 0
	for _, j := range in.List {
		stage := &j.Stages[0]
		if j.SLO == nil {
			if len(stage.Prefer) != 0 {
				t.Fatalf("job %d has no deadline and prefers %v", j.ID, stage.Prefer)
			}
			continue
		}
		slo++
		runtime := j.Ideal().Seconds()
		slacks[int(math.Round(100*(j.SLO.Deadline.Sub(j.Submitted).Seconds()-runtime)/runtime))]++
		if len(stage.Prefer) != 3 || stage.Elsewhere != 1.5 || j.SLO.Utility != 1 {
			t.Fatalf("job %d prefers %v, is %v times as long elsewhere and worth %v; want three, 1.5 and 1", j.ID, stage.Prefer, stage.Elsewhere, j.SLO.Utility)
		}
	}
	// Four standard deviations of so many draws.
	if math.Abs(float64(slo)-500) > 63 || len(slacks) != 4 || len(partitions) != 4 {
		t.Errorf("%d of 1,000 jobs have deadlines, with slacks %v, in %d partitions; want half, four and four", slo, slacks, len(partitions))
	}
	for _, percent := range []int{20, 40, 60, 80} {
		if n := slacks[percent]; math.Abs(float64(n)-float64(slo)/4) > 4*math.Sqrt(float64(slo)*3/16) {
			t.Errorf("%d of %d jobs have a slack of %d %%, want a quarter", n, slo, percent)
		}
	}
}

// jobRows reads a file that -jobs-csv has written, each row by column.
func jobRows(t *testing.T, name string) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Fatalf("%d lines, error %v", len(lines), err)
	}
	for _, line := range lines[1:] {
		row := make(map[string]string)
		for i, column := range lines[0] {
			row[column] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func figure(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
