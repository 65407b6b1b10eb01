package trace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// lsfLine is a record of a job that was submitted and started, and ended, at such seconds after 09:00 UTC of Monday, 2 March
// 2026. times has submission, end, start (0: none), and the index in the array; hosts the number of execHosts and these.
func lsfLine(id int, times, hosts string) string {
	const zero = 1772442000
	var submit, end, start, index int
	fmt.Sscan(times, &submit, &end, &start, &index)
	if start > 0 {
		start += zero
	}
	return fmt.Sprintf(`"JOB_FINISH" "10.1" %d %d 1001 33816643 8 %d 0 0 %d "ann" "normal" "select[type == ""any""] order[r15s]" "" "" "login1" "work" "" "out.%%J" "" "1772442000.%d" 2 "n1" "big hosts" `+
		`%s 64 12.5 "train ""it""" """python"" train.py -n 8" 1.5 0.2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 "" "p1" 0 8 "" "" %d 2048 4096 "" ""`+"\n",
		zero+end, id, zero+submit, start, id, hosts, index)
}

var lsfRecords = lsfLine(17, "0 160 60 0", `3 "n1" "n1" "n2"`) + `"EVENT_ADRSV_FINISH" "10.1" 1772442000 1 2 "" 0` + "\n" +
	lsfLine(18, "30 105 100 4", `2 "4*n1" "2*n2"`) + lsfLine(19, "40 41 0 0", "0") + lsfLine(20, "50 51 0 0", `1 "n1"`)

func TestLSF(t *testing.T) {
	dated := func(name string, at policy.Duration, j *workload.Job) *workload.Job {
		j.Name, j.Queue, j.At = name, "normal", time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC).Add(at)
		return j
	}
	attrs := []string{"user=ann", "project=p1", "program=python", `jobname=train "it"`, "hour=9", "day=Monday"}
	want := []*workload.Job{dated("17", 0, gang(1, 0, 3, 100*s, attrs...)), dated("18[4]", 30*s, gang(2, 30*s, 6, 5*s, attrs...))}
	for _, format := range []string{"", "lsf"} {
		r := reader(t, []byte(lsfRecords), trace.ReaderConfig{Format: format})
		if diff := cmp.Diff(want, jobtest.All(t, r.Jobs())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		wantSkipped(t, r, map[string]int{"job that did not start": 2, "record that is no JOB_FINISH, which alone has the end of a job": 1})
	}
	// The text of a script names no program.
	script := strings.Replace(lsfRecords, `"""python"" train.py`, `"#!/bin/sh;#BSUB -n 3;python train.py`, 1)
	if _, ok := jobtest.All(t, reader(t, []byte(script), trace.ReaderConfig{}).Jobs())[0].Attr("program"); ok {
		t.Errorf("a script has a program")
	}
	// Older versions end after the command.
	old, _, _ := strings.Cut(lsfLine(17, "0 160 60 0", `3 "n1" "n1" "n2"`), " 1.5 0.2")
	want[0].Attrs = append(want[0].Attrs[:1:1], want[0].Attrs[2:]...)
	if diff := cmp.Diff(want[:1], jobtest.All(t, reader(t, []byte(old), trace.ReaderConfig{}).Jobs())); diff != "" {
		t.Errorf("without what follows the command: -want +got:\n%s", diff)
	}
}

func TestLSFBadRows(t *testing.T) {
	good := strings.TrimSpace(lsfLine(1, "0 160 60 0", `1 "n1"`))
	row := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	badRows(t, trace.ReaderConfig{Format: "lsf"}, good, 1, good, []badRow{
		{"no record", "JobID user", `not a record such as "JOB_FINISH" "10.1" 1700000000`, `"JobID user"`},
		{"no end of a text", `"JOB_FINISH" "10.1" "x`, "a text in quotes has no end", `" \"x"`},
		{"cut off early", `"JOB_FINISH" "10.1" 5`, "the record breaks off before numAskedHosts", "it has 3 fields"},
		{"cut off", good[:strings.Index(good, ` 1 "n1"`)], "the record breaks off before numExHosts", "it has 25 fields"},
		{"cut off late", good[:strings.Index(good, ` "train`)], "the record breaks off before its command", "it has 29 fields"},
		{"number of hosts", row(`1 "n1" 64`, `99 "n1" 64`), "numExHosts is no number of hosts that follow", `"99"`},
		{"asked hosts", row(`2 "n1"`, `-2 "n1"`), "numAskedHosts is no number of hosts that follow", `"-2"`},
		{"end", row("1772442160", "1772442059"), "event time is before startTime", "1772442059, 1772442060"},
		{"times", row("1772442060", "now"), "startTime is not in 0 to 9e+09", `"now"`},
		{"processors", row(`1 "n1" 64`, `1 "x*n1" 64`), "number of processors in execHosts is not in 0 to 1048576", `"x"`},
		{"many fields", `"JOB_FINISH"` + strings.Repeat(" 1", 1<<16), "more than 2^16 fields", ""},
	})
}
