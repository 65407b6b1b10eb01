package experiment

import (
	"path/filepath"
	"sync"

	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// Trace is the jobs of a file, or of the files of a directory, the same for all seeds. columns names those of a table in CSV, as
// package trace says; it is "" for the other formats, and for tables that package trace knows. The file is read once. A row that cannot be read is an error: to leave such
// rows out, read the trace with a trace.Reader and give its jobs to [List].
func Trace(path, columns string) Jobs {
	read := sync.OnceValues(func() ([]*workload.Job, error) {
		r, err := trace.Open(path, trace.ReaderConfig{Columns: columns})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return workload.ReadAll(r.Jobs())
	})
	return func(uint64) (Log, error) {
		jobs, err := read()
		return Log{Name: filepath.Base(path), Jobs: jobs}, err
	}
}
