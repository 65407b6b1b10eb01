package trace

import (
	"bytes"
	"fmt"

	"example.com/augur/policy/workload"
)

// lsf reads the accounting log lsb.acct of LSF and OpenLava: the records JOB_FINISH, whose first fields have been the same in all versions.
//
// # Source
//
// IBM Spectrum LSF 10.1, Configuration Reference, "lsb.acct"; the manual page lsb.acct(5) of OpenLava. Names of fields are theirs.
type lsf struct {
	unixLog
	fields [][]byte
}

func lsfParser(*ReaderConfig) (parser, error) { return new(lsf), nil }

// The fields, from 0.
const (
	lsfTime   = 2 // s since 1970, when the job ended
	lsfID     = 3
	lsfSubmit = 7  // s since 1970
	lsfStart  = 10 // s since 1970; 0: it did not start
	lsfUser   = 11
	lsfQueue  = 12
	lsfAsked  = 22 // number of askedHosts, which follow; then numExHosts, and execHosts

	// Those after execHosts, from 0. The first are jStatus and hostFactor, and lsfRusage has 19.
	lsfJobName = 2
	lsfCommand = 3
	lsfProject = 24
	lsfIndex   = 29 // in its array; 0: it is in none

	maxLSFFields = 1 << 16 // of a record
)

func looksLSF(first []byte) bool {
	kind, rest, ok := lsfField(first)
	return ok && first[0] == '"' && lsfKind(kind) && bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte(`"`))
}

// lsfKind reports whether a text may be the kind of a record.
func lsfKind(text []byte) bool {
	return len(text) > 3 && len(text) < 40 && len(bytes.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")) == 0
}

// lsfField cuts the first field from a record. A text stands in quotes, and those in it are doubled.
func lsfField(line []byte) (field, rest []byte, ok bool) {
	var text []byte // up to the last quotes in it
	if line = bytes.TrimLeft(line, " \t"); len(line) == 0 || line[0] != '"' {
		field, rest = word(line)
		return field, rest, len(field) > 0
	}
	line = line[1:]
	for at := 0; at < len(line); at++ {
		switch {
		case line[at] != '"':
		case at+1 < len(line) && line[at+1] == '"':
			text = append(text, line[:at+1]...)
			line, at = line[at+2:], -1
		default:
			if text == nil {
				return line[:at], line[at+1:], true
			}
			return append(text, line[:at]...), line[at+1:], true
		}
	}
	return nil, nil, false
}

func (l *lsf) row(line []byte) (*workload.Job, *problem) {
	all, rest := l.fields[:0], line
	for len(bytes.TrimLeft(rest, " \t")) > 0 {
		field, after, ok := lsfField(rest)
		switch {
		case !ok:
			return nil, &problem{"a text in quotes has no end", quote(rest)}
		case len(all) == 0 && !lsfKind(field):
			return nil, &problem{`not a record such as "JOB_FINISH" "10.1" 1700000000`, quote(line)}
		case len(all) == 0 && string(field) != "JOB_FINISH":
			l.skip("record that is no JOB_FINISH, which alone has the end of a job")
			return nil, nil
		case len(all) == maxLSFFields:
			return nil, &problem{"more than 2^16 fields", ""}
		}
		all, rest = append(all, field), after
	}
	l.fields = all
	var f faults
	asked, p := lsfList(all, lsfAsked, "numAskedHosts")
	if p != nil {
		return nil, p
	}
	hosts, p := lsfList(all, lsfAsked+1+len(asked), "numExHosts")
	if p != nil {
		return nil, p
	}
	after := all[lsfAsked+2+len(asked)+len(hosts):]
	if len(after) <= lsfCommand {
		return nil, &problem{"the record breaks off before its command", fmt.Sprintf("it has %d fields", len(all))}
	}
	end, submit, start := f.amount(all[lsfTime], "event time", 9e9), f.amount(all[lsfSubmit], "submitTime", 9e9), f.amount(all[lsfStart], "startTime", 9e9)
	if f.wrong == nil && (start == 0 || len(hosts) == 0) {
		l.skip("job that did not start")
		return nil, nil
	}
	if end < start {
		f.refuse("event time is before startTime", fmt.Sprintf("%.0f, %.0f", end, start))
	}
	processors := 0.0
	for _, host := range hosts { // a host for each processor, or such as 16*host in the short form
		if times, _, short := bytes.Cut(host, []byte("*")); short {
			processors += f.amount(times, "number of processors in execHosts", maxAlike)
		} else {
			processors++
		}
	}
	name, project := string(all[lsfID]), []byte(nil)
	if len(after) > lsfProject {
		project = after[lsfProject]
	}
	if len(after) > lsfIndex && string(after[lsfIndex]) != "0" {
		name = fmt.Sprintf("%s[%s]", name, after[lsfIndex])
	}
	j := l.job(&f, name, submit, end-start, processors)
	if f.wrong != nil {
		return nil, f.wrong
	}
	program, _ := word(bytes.TrimLeft(after[lsfCommand], " \t"))
	if program = bytes.Trim(program, `"'`); bytes.HasPrefix(program, []byte("#")) { // a script
		program = nil
	}
	j.Queue = l.texts.get(all[lsfQueue])
	j.Attrs = attrs("user", l.texts.get(all[lsfUser]), "project", l.texts.get(project), "program", l.texts.get(program), "jobname", l.texts.get(after[lsfJobName]))
	return j, nil
}

// lsfList returns the list whose length is the field at that place.
func lsfList(all [][]byte, at int, what string) ([][]byte, *problem) {
	if at >= len(all) {
		return nil, &problem{"the record breaks off before " + what, fmt.Sprintf("it has %d fields", len(all))}
	}
	n, ok := natural(all[at])
	if !ok || n > uint64(len(all)-at-1) {
		return nil, &problem{what + " is no number of hosts that follow", quote(all[at])}
	}
	return all[at+1:][:n], nil
}
