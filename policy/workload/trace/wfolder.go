package trace

import (
	"cmp"
	"slices"
)

// A wfOlder is a task or job in WfFormat 1.0 to 1.4, which have a single list of them: jobs until 1.2, then tasks.
type wfOlder struct {
	Name, ID, Category string
	Parents            []string // names, or IDs in some files; nil: those that write what it reads
	Files              []struct{ Link, Name string }
	Runtime            *float64 // s, until 1.3
	RuntimeInSeconds   *float64
	Cores              float64
	Memory             float64 // KB, until 1.3
	MemoryInBytes      float64
}

// modernise fills the two lists of WfFormat 1.5 from that of an older version, if the file has one.
func (f *wfFile) modernise() *problem {
	w := &f.Workflow
	older := slices.Concat(w.Jobs, w.Tasks)
	if len(w.Specification.Tasks) > 0 || len(older) == 0 {
		return nil
	}
	w.Execution.ExecutedAt = cmp.Or(w.Execution.ExecutedAt, w.ExecutedAt)
	names, writers := make(map[string]string, len(older)), make(map[string][]string)
	for i := range older {
		t := &older[i]
		if t.ID != "" {
			names[t.ID] = t.Name
		}
		for _, file := range t.Files {
			if file.Link == "output" {
				writers[file.Name] = append(writers[file.Name], t.Name)
			}
		}
	}
	for i := range older {
		names[older[i].Name] = older[i].Name
	}
	edges := 0
	for i := range older {
		t := &older[i]
		parents := t.Parents
		for k, parent := range parents {
			parents[k] = cmp.Or(names[parent], parent)
		}
		if parents == nil {
			for _, file := range t.Files {
				if file.Link == "input" {
					if edges += len(writers[file.Name]); edges > maxWorkflowParts {
						return &problem{"more than 2^20 files that tasks read of others", "file " + quote([]byte(file.Name))}
					}
					parents = append(parents, writers[file.Name]...)
				}
			}
			parents = slices.DeleteFunc(parents, func(name string) bool { return name == t.Name })
		}
		w.Specification.Tasks = append(w.Specification.Tasks, wfTask{cmp.Or(t.Category, t.Name), t.Name, parents})
		run := wfRun{ID: t.Name, RuntimeInSeconds: t.RuntimeInSeconds, CoreCount: t.Cores, MemoryInBytes: t.MemoryInBytes}
		if run.RuntimeInSeconds == nil {
			run.RuntimeInSeconds = t.Runtime
		}
		if run.MemoryInBytes == 0 {
			run.MemoryInBytes = 1000 * t.Memory
		}
		w.Execution.Tasks = append(w.Execution.Tasks, run)
	}
	return nil
}
