package trace

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// sacct reads tables of Slurm's accounting.
//
// # Source
//
// The manual page of sacct, Slurm 25.11, and for ReqMem also those before 21.08.
type sacct struct {
	parsing
	faults
	needs bool // GPUs are needs of the jobs
	ready bool // the header of this file has been read
	sep   []byte
	width int               // columns of the header
	at    [sacctColumns]int // their places; -1: not there
	cols  [][]byte
	epoch int64 // of the trace, Unix nanoseconds: its first submission, if begun
	begun bool
}

// A sacctColumn is a column that is read.
type sacctColumn int

const (
	sacctJobID sacctColumn = iota
	sacctJobIDRaw
	sacctState
	sacctSubmit
	sacctStart
	sacctEnd
	sacctElapsed
	sacctElapsedRaw
	sacctTimelimit
	sacctTimelimitRaw
	sacctNNodes
	sacctAllocNodes
	sacctReqNodes
	sacctNCPUS
	sacctAllocCPUS
	sacctReqCPUS
	sacctReqMem
	sacctAllocTRES
	sacctReqTRES
	sacctUser
	sacctAccount
	sacctPartition
	sacctQOS
	sacctJobName
	sacctColumns // their number
)

var sacctNames = [sacctColumns]string{"JobID", "JobIDRaw", "State", "Submit", "Start", "End", "Elapsed", "ElapsedRaw", "Timelimit", "TimelimitRaw",
	"NNodes", "AllocNodes", "ReqNodes", "NCPUS", "AllocCPUS", "ReqCPUS", "ReqMem", "AllocTRES", "ReqTRES", "User", "Account", "Partition", "QOS", "JobName"}

// sacctCommand prints a table with all that is of use.
const sacctCommand = "sacct -P -X -a -S 2026-01-01 -E now -o JobID,Submit,Start,Elapsed,State,Timelimit,NNodes,AllocCPUS,ReqMem,AllocTRES,User,Account,Partition,QOS,JobName"

// sacctStates says of each state of a job whether it ran to an end of its own, and so is read.
var sacctStates = map[string]bool{
	"COMPLETED": true, "FAILED": true, "TIMEOUT": true, "OUT_OF_MEMORY": true, "CANCELLED": true, "DEADLINE": true,
	"NODE_FAIL": false, "BOOT_FAIL": false, "LAUNCH_FAILED": false, "PREEMPTED": false, "REQUEUED": false, "REVOKED": false, "SPECIAL_EXIT": false,
	"PENDING": false, "CONFIGURING": false, "RUNNING": false, "SUSPENDED": false, "STOPPED": false, "RESIZING": false, "SIGNALING": false,
	"STAGE_OUT": false, "COMPLETING": false,
}

func sacctParser(needs bool) func(*ReaderConfig) (parser, error) {
	return func(*ReaderConfig) (parser, error) { return &sacct{needs: needs}, nil }
}

// looksSacct accepts a header, also one of fixed width, with the IDs of jobs and what accounts tell of them.
func looksSacct(first []byte) bool {
	names, _ := sacctSplit(nil, first, sacctSeparator(first))
	has := func(column sacctColumn) bool {
		return slices.ContainsFunc(names, func(name []byte) bool { return string(name) == sacctNames[column] })
	}
	return (has(sacctJobID) || has(sacctJobIDRaw)) && (has(sacctState) || has(sacctElapsed) || has(sacctElapsedRaw) || has(sacctSubmit))
}

// sacctPlaces returns the places of the columns that are read; -1 if they are not there.
func sacctPlaces(header [][]byte) (places [sacctColumns]int) {
	for i, name := range sacctNames {
		places[i] = slices.IndexFunc(header, func(text []byte) bool { return strings.EqualFold(string(text), name) })
	}
	return places
}

// sacctSeparator returns what separates the columns of a header, whose names are words; nothing if their width is fixed.
func sacctSeparator(header []byte) []byte {
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	header = bytes.TrimLeftFunc(bytes.TrimLeft(header, ` "`), letter)
	if end := bytes.IndexFunc(header, letter); end >= 0 {
		header = header[:end]
	}
	return bytes.Clone(bytes.Trim(header, ` "`))
}

// sacctSplit cuts a row into columns, appended to cols. There is no quoting, unless commas separate them: then another program
// has written the table.
func sacctSplit(cols [][]byte, line, sep []byte) ([][]byte, *problem) {
	switch string(sep) {
	case "":
		return append(cols, bytes.Fields(line)...), nil
	case ",":
		return splitCSV(cols, line, ',')
	}
	for more := true; more && len(cols) < maxColumns; {
		var text []byte
		text, line, more = bytes.Cut(line, sep)
		cols = append(cols, bytes.TrimSpace(text))
	}
	return cols, nil
}

// begin reads the header of a file.
func (s *sacct) begin(line []byte) (p *problem) {
	s.sep, s.ready = sacctSeparator(line), true
	if len(s.sep) == 0 {
		return &problem{"the columns of sacct have a fixed width, which cuts values off", "want the option -P, as in " + sacctCommand}
	}
	if s.cols, p = sacctSplit(s.cols[:0], line, s.sep); p != nil {
		return p
	}
	s.at, s.width = sacctPlaces(s.cols), len(s.cols)
	lacks := ""
	switch {
	case s.at[sacctJobID] < 0 && s.at[sacctJobIDRaw] < 0:
		lacks = "JobID"
	case s.at[sacctSubmit] < 0:
		lacks = "Submit"
	case s.at[sacctElapsed] < 0 && s.at[sacctElapsedRaw] < 0 && (s.at[sacctStart] < 0 || s.at[sacctEnd] < 0):
		lacks = "Elapsed, or both Start and End"
	default:
		return nil
	}
	return &problem{"the table of sacct lacks column " + lacks, "want such as " + sacctCommand}
}

// text returns a column of this row, empty if it says nothing.
func (s *sacct) text(column sacctColumn) []byte {
	if s.at[column] < 0 {
		return nil
	}
	switch text := s.cols[s.at[column]]; string(text) {
	case "Unknown", "None", "None assigned", "N/A", "INVALID":
		return nil
	default:
		return text
	}
}

// first returns the first of the columns that says something.
func (s *sacct) first(columns ...sacctColumn) []byte {
	for _, c := range columns {
		if text := s.text(c); len(text) > 0 {
			return text
		}
	}
	return nil
}

func (s *sacct) end() (*workload.Job, *problem) {
	s.ready, s.bad = false, nil
	return nil, nil
}

func (s *sacct) row(line []byte) (*workload.Job, *problem) {
	if !s.ready {
		s.bad = s.begin(line)
		return nil, s.bad
	}
	if s.bad != nil {
		return nil, s.bad
	}
	var p *problem
	if s.cols, p = sacctSplit(s.cols[:0], line, s.sep); p != nil {
		return nil, p
	}
	if len(s.cols) != s.width {
		return nil, &problem{"columns are not as many as in the first line", fmt.Sprintf("got %d, want %d; if a value has %s, choose other characters by --delimiter of sacct", len(s.cols), s.width, quote(s.sep))}
	}
	s.wrong = nil
	j, why := s.job()
	switch {
	case s.wrong != nil:
		return nil, s.wrong
	case why != "":
		s.skip(why)
		return nil, nil
	}
	return j, nil
}

// job makes a job of a row, or says why the row is left out. What is wrong with the row is noted.
func (s *sacct) job() (j *workload.Job, why string) {
	if bytes.IndexByte(s.first(sacctJobID, sacctJobIDRaw), '.') >= 0 {
		return nil, "step of a job"
	}
	state, _, _ := strings.Cut(string(s.text(sacctState)), " ") // CANCELLED by 1000
	ran, known := sacctStates[state]
	switch {
	case s.at[sacctState] >= 0 && !known:
		s.refuse("State is none of Slurm's", quote([]byte(state)))
		return nil, ""
	case known && !ran:
		return nil, "job is " + state
	case s.lacks(sacctStart):
		return nil, "job has no start"
	case s.lacks(sacctEnd):
		return nil, "job has no end"
	}
	runtime := s.runtime()
	if state == "CANCELLED" && runtime == 0 && s.wrong == nil {
		return nil, "job has no start"
	}
	requested := s.requested()
	// Slurm ends a job up to a minute after its limit. One that ran for longer and was not ended had none. How long one would
	// run that was ended nobody knows.
	limited := requested > 0 && (state == "TIMEOUT" || runtime <= requested)
	if limited && state == "TIMEOUT" {
		runtime = max(runtime, requested+policy.Duration(time.Second))
	}
	submitted, size := s.instant(sacctSubmit), s.size()
	if s.wrong != nil {
		return nil, ""
	}
	if !s.begun {
		s.begun, s.epoch = true, submitted
	}
	j = uniform(size.tasks, runtime)
	size.describe(&j.Stages[0], s.needs)
	j.Name = string(s.first(sacctJobID, sacctJobIDRaw))
	j.At, j.Submitted = time.Unix(0, submitted).UTC(), policy.Time(submitted-s.epoch)
	j.Requested, j.Limited, j.Queue = requested, limited, s.texts.get(s.text(sacctPartition))
	name := s.texts.get(s.text(sacctJobName))
	j.Attrs = attrs("user", s.texts.get(s.text(sacctUser)), "group", s.texts.get(s.text(sacctAccount)), "qos", s.texts.get(s.text(sacctQOS)),
		"jobname", name, "program", cmp.Or(strings.TrimRight(name, "0123456789._-+"), name),
		"cpu", s.known(size.cpus), "memory", s.known(size.memory), "gpus", s.known(size.gpus))
	return j, ""
}

// known writes a number, nothing if it is 0.
func (s *sacct) known(n int64) string {
	if n == 0 {
		return ""
	}
	return s.texts.get(strconv.AppendInt(nil, n, 10))
}

// lacks reports whether there is such a column, and it says nothing.
func (s *sacct) lacks(column sacctColumn) bool { return s.at[column] >= 0 && len(s.text(column)) == 0 }
