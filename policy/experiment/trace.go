package experiment

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// Trace is the jobs of a file, or of the files of a directory, the same for all seeds. columns names those of a table in CSV, as
// package trace says; it is "" for the other formats, and for tables that package trace knows. The file is read once. If the
// log tells its cluster, as the Standard Workload Format can, a Config needs no Nodes. A row that cannot be read is an error: to leave
// such rows out, read the trace with a trace.Reader and give its jobs to [List].
func Trace(path, columns string) Jobs {
	read := sync.OnceValues(func() (Log, error) {
		log := Log{Name: filepath.Base(path)}
		r, err := trace.Open(path, trace.ReaderConfig{Columns: columns})
		if err != nil {
			return log, err
		}
		defer r.Close()
		if log.Jobs, err = workload.ReadAll(r.Jobs()); err != nil {
			return log, err
		}
		skipped := r.Skipped()
		for _, reason := range slices.Sorted(maps.Keys(skipped)) {
			log.Skipped = append(log.Skipped, fmt.Sprintf("%s: %d", reason, skipped[reason]))
		}
		nodes, cores := r.Cluster()
		log.Nodes = sim.Cluster(sim.Partition{Nodes: nodes, Cores: int32(cores)})
		return log, nil
	})
	return func(uint64) (Log, error) { return read() }
}
