package lakes

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/lab/paper"
)

// A size is the length of a log and the number of jobs in it.
type size struct{ days, jobs int }

// The paper's logs, as far as it tells their size: a week has 280,000 jobs and 1.1 million
// dependencies, 90 days have 4 and 16 million.
var (
	week    = size{7, 280_000}
	quarter = size{90, 4_000_000}
)

// over returns a size with as many days, and one job instead of n.
func (s size) over(n int) size { return size{s.days, s.jobs / n} }

func (s size) String() string { return fmt.Sprintf("days=%d/jobs=%d", s.days, s.jobs) }

// lake returns what to generate: Cosmos, with fewer organisations, users and cores if it has
// fewer jobs a day.
func (s size) lake() paper.Lake {
	l := paper.DefaultLake()
	l.JobsPerDay = s.jobs / s.days
	l.Days = min(7, s.days-1)
	l.HistoryDays = s.days - l.Days
	l.Organisations = max(2, 150*l.JobsPerDay/40_000)
	l.Users = max(l.Organisations, 1300*l.JobsPerDay/40_000)
	l.Cores = max(1, 5*l.JobsPerDay)
	return l
}

// A lakeLog is a log in files, and the times of its jobs, which are numbered as they were
// submitted.
type lakeLog struct {
	jobsCSV, opsCSV      string
	submitted, completed []int64
	end                  int64 // of submissions
}

// Logs that have been written, in a directory that is removed after all.
var (
	logs = make(map[size]*lakeLog)
	dir  string
)

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	if dir, err = os.MkdirTemp("", "lakes"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// write generates a log, unless it has been written, and writes it as tables of CSV.
func write(t testing.TB, s size) *lakeLog {
	t.Helper()
	if l, ok := logs[s]; ok {
		return l
	}
	log, err := s.lake().Log()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, strconv.Itoa(len(logs)))
	l := &lakeLog{jobsCSV: name + ".jobs.csv", opsCSV: name + ".ops.csv", end: int64(log.End())}
	known := log.Provenance()
	for i := range known.Jobs {
		l.submitted = append(l.submitted, int64(known.Jobs[i].Submitted))
		l.completed = append(l.completed, int64(known.Jobs[i].Completed))
	}
	create(t, l.jobsCSV, func(w *bufio.Writer) { // of a Unit of a nanosecond, and of names without commas
		fmt.Fprintln(w, "job,submitted,completed,state,name,user,org,priority,compute")
		for i, j := range known.Jobs {
			fmt.Fprintf(w, "%s,%d,%d,%v,%s,%s,%s,%g,%g\n", known.IDs.Name(uint32(i)), j.Submitted, j.Completed, j.State,
				known.Templates.Name(j.Template), known.Users.Name(j.User), known.Orgs.Name(j.Org), j.Priority, j.Compute)
		}
	})
	create(t, l.opsCSV, func(w *bufio.Writer) {
		fmt.Fprintln(w, "time,op,file,job")
		for _, op := range known.Ops {
			kind, job := op.Kind.String(), known.IDs.Name(op.Job)
			if op.Job == provenance.User {
				kind = map[provenance.OpKind]string{provenance.Read: "download", provenance.Write: "upload"}[op.Kind]
			}
			fmt.Fprintf(w, "%d,%s,%s,%s\n", op.Time, kind, known.Files.Name(op.File), job)
		}
	})
	logs[s] = l
	return l
}

func create(t testing.TB, name string, write func(w *bufio.Writer)) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<16)
	write(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// read reads the tables of CSV.
func (l *lakeLog) read(t testing.TB) *provenance.Log {
	t.Helper()
	r, err := provenance.NewReader(provenance.ReaderConfig{Unit: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []struct {
		name string
		read func(string, io.Reader) error
	}{{l.jobsCSV, r.JobsCSV}, {l.opsCSV, r.OpsCSV}} {
		f, err := os.Open(table.name)
		if err != nil {
			t.Fatal(err)
		}
		err = table.read(table.name, f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	return r.Take()
}

// find joins the operations with the jobs.
func find(t testing.TB, l *provenance.Log) *provenance.Lineage {
	t.Helper()
	found, err := l.Find(0)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
