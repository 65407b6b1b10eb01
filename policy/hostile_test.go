package policy_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
)

// anyJob has a value in every field.
func anyJob() policy.Job {
	return policy.Job{
		ID: 1, Submitted: 5, Requested: 5, Priority: 1, SLO: &policy.SLO{Deadline: 5, Utility: 1}, Inputs: &policy.Inputs{Jobs: []policy.JobID{7}},
		Stages: []policy.Stage{
			{Tasks: 2, Cores: 1, Memory: 1, Prefer: []policy.PartitionID{1}, Elsewhere: 2, Holders: []policy.NodeID{1, 0}},
			{Tasks: 2, Cores: 1, Memory: 1, Prefer: []policy.PartitionID{1}, Elsewhere: 2, Holders: []policy.NodeID{1, 0}, Reads: []policy.Dep{{Stage: 0}}},
		},
	}
}

// jobRules are those of Validate.
func jobRules() hostile.Rules {
	node := hostile.Between(0, policy.MaxID)
	return hostile.Rules{
		"ID": hostile.AtLeast(1), "Submitted": hostile.Any, "Requested": hostile.NotNegative, "Priority": hostile.Finite,
		"SLO.Deadline": hostile.Any, "SLO.Utility": hostile.Between(0, policy.MaxUtility),
		"Inputs.Jobs[]": hostile.Where(func(x float64) bool { return x > 1 }, hostile.Refuses),
		// Holders are as many for each task, so that only divisors of their number will do.
		"Stages[].Tasks": hostile.Only(hostile.Refuses, 2), "Stages[].Cores": hostile.AtLeast(1), "Stages[].Memory": hostile.NotNegative,
		"Stages[].Prefer[]":  hostile.Between(1, policy.MaxID),
		"Stages[].Elsewhere": hostile.Where(func(x float64) bool { return x == 0 || x >= 1 }, hostile.Refuses),
		"Stages[].Holders[]": node, "Stages[].Reads[].Stage": hostile.Only(hostile.Refuses, 0),
	}
}

func TestHostileNumbers(t *testing.T) {
	var j policy.Job
	job := func(method func(j *policy.Job) any) func() (any, func() string) {
		return func() (any, func() string) {
			j = anyJob()
			return method(&j), func() string { return hostile.Dump(j) }
		}
	}
	// Values and results are told apart by the rules: functions of the calls take what is a method's receiver.
	validate := func(j policy.Job) error { return j.Validate() }
	graph := func(stages []policy.Stage) error { _, err := (&policy.Job{Stages: stages}).Graph(); return err }
	none := []policy.NodeID(nil)
	calls := []hostile.Call{
		{Name: "Job.Validate", New: hostile.Func(validate), Args: []hostile.Arg{{Name: "job", Value: anyJob(), Rules: jobRules()}}, Cases: []hostile.Case{
			{Name: "a circle", Args: []any{policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0}}}}}}, Want: hostile.Refuses},
			{Name: "reads twice", Args: []any{policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}, {Tasks: 1, Cores: 1, Reads: make([]policy.Dep, 2)}}}}, Want: hostile.Refuses},
			{Name: "too many tasks", Args: []any{policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: policy.MaxTasks, Cores: 1}, {Tasks: 1, Cores: 1}}}}, Want: hostile.Refuses},
			{Name: "holders of a part", Args: []any{policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1, Holders: []policy.NodeID{1}}}}}, Want: hostile.Refuses},
			{Name: "the zero Job", Args: []any{policy.Job{}}, Want: hostile.Refuses},
		}},
		{Name: "Job.Graph", New: hostile.Func(graph), Args: []hostile.Arg{{
			Name: "stages", Value: []policy.Stage{{Tasks: 1, Cores: 1}, {Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0}}}},
			Rules: hostile.Rules{"[].Tasks": hostile.Any, "[].Cores": hostile.Any, "[].Memory": hostile.Any, "[].Elsewhere": hostile.Any, "[].Reads[].Stage": hostile.Only(hostile.Refuses, 0)},
		}}, Cases: []hostile.Case{{Name: "none", Args: []any{nil}, Want: hostile.Takes}}},
		{Name: "Node.Validate", New: hostile.Func(func(n policy.Node) error { return n.Validate() }), Args: []hostile.Arg{{
			Name: "node", Value: policy.Node{ID: 1, Partition: 1, Cores: 1, Memory: 1, Speed: 1},
			Rules: hostile.Rules{
				"ID": hostile.Between(1, policy.MaxID), "Partition": hostile.Between(1, policy.MaxID), "Cores": hostile.AtLeast(1),
				"Memory": hostile.NotNegative, "Speed": hostile.Positive,
			},
		}}, Cases: []hostile.Case{{Name: "the zero Node", Args: []any{policy.Node{}}, Want: hostile.Refuses}}},
		{Name: "Stage.Prefers", New: job(func(j *policy.Job) any { return j.Stages[0].Prefers }), Args: []hostile.Arg{
			hostile.Number("p", policy.PartitionID(1), hostile.Only(hostile.Gives(false), 1)),
		}},
		{Name: "Stage.HoldersOf", New: job(func(j *policy.Job) any { return j.Stages[0].HoldersOf }), Args: []hostile.Arg{
			hostile.Number("index", uint32(0), hostile.Only(hostile.Gives(none), 0)),
		}},
		{Name: "Stage.Local", New: job(func(j *policy.Job) any { return j.Stages[0].Local }), Args: []hostile.Arg{
			hostile.Number("index", uint32(0), hostile.Only(hostile.Gives(true), 0)),
			hostile.Number("n", policy.NodeID(1), hostile.Only(hostile.Gives(false), 1)),
		}},
		{Name: "Job.Calendar", New: job(func(j *policy.Job) any { j.At = time.Unix(0, 0); return j.Calendar }), Args: []hostile.Arg{
			hostile.Number("now", policy.Time(7), hostile.Any),
		}, Sane: func(results []any) error {
			if at := results[0].(time.Time); at.Year() < 1600 || at.Year() > 2300 {
				return errors.New("it is not in the 292 years before and after that instants tell apart")
			}
			return nil
		}},
		{Name: "Time.Add", New: hostile.Func(policy.Time.Add), Args: []hostile.Arg{
			hostile.Number("t", policy.Time(0), hostile.Any), hostile.Number("d", policy.Duration(0), hostile.Any),
		}, Cases: []hostile.Case{{Name: "past the end", Args: []any{policy.Time(1), policy.Duration(math.MaxInt64)}, Want: hostile.Gives(policy.Time(math.MaxInt64))}}},
		{Name: "Time.Sub", New: hostile.Func(policy.Time.Sub), Args: []hostile.Arg{
			hostile.Number("t", policy.Time(0), hostile.Any), hostile.Number("u", policy.Time(0), hostile.Any),
		}, Cases: []hostile.Case{{Name: "past the end", Args: []any{policy.Time(1), policy.Time(math.MinInt64)}, Want: hostile.Gives(policy.Duration(math.MaxInt64))}}},
	}
	hostile.Test(t, calls...)
}

func TestHostileNames(t *testing.T) {
	unmarshal := func(u interface{ UnmarshalText([]byte) error }) func() (any, func() string) {
		return hostile.Func(func(text string) error { return u.UnmarshalText([]byte(text)) })
	}
	name := func(text string) []hostile.Arg { return []hostile.Arg{{Name: "text", Value: text}} }
	none := []hostile.Case{{Name: "empty", Args: []any{""}, Want: hostile.Refuses}, {Name: "unknown", Args: []any{"x"}, Want: hostile.Refuses}}
	upTo := func(value any, last float64) []hostile.Arg {
		return []hostile.Arg{hostile.Number("number", value, hostile.Between(1, last))}
	}
	hostile.Test(t,
		hostile.Call{Name: "Outcome.UnmarshalText", New: unmarshal(new(policy.Outcome)), Args: name("Done"), Cases: none},
		hostile.Call{Name: "EventKind.UnmarshalText", New: unmarshal(new(policy.EventKind)), Args: name("Ready"), Cases: none},
		hostile.Call{Name: "ActionKind.UnmarshalText", New: unmarshal(new(policy.ActionKind)), Args: name("Wake"), Cases: none},
		hostile.Call{Name: "Outcome.MarshalText", New: hostile.Func(policy.Outcome.MarshalText), Args: upTo(policy.Done, float64(policy.Stalled))},
		hostile.Call{Name: "EventKind.MarshalText", New: hostile.Func(policy.EventKind.MarshalText), Args: upTo(policy.Ready, float64(policy.Restored))},
		hostile.Call{Name: "ActionKind.MarshalText", New: hostile.Func(policy.ActionKind.MarshalText), Args: upTo(policy.Start, float64(policy.Wake))},
	)
}

func TestHostileNumbersOfTable(t *testing.T) {
	var table policy.Table[policy.NodeID, int]
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			table = policy.Table[policy.NodeID, int]{}
			table.Put(5, new(int))
			return method(), func() string { return hostile.Dump(&table) }
		}
	}
	known := hostile.Only(hostile.Gives((*int)(nil)), 5)
	put := func(id policy.NodeID) { table.Put(id, new(int)) }
	small := hostile.Where(func(x float64) bool { return x <= 1<<20 }, hostile.Takes) // IDs are small: Put takes 8 bytes for 256 up to the largest
	hostile.Test(t,
		hostile.Call{Name: "Table.Get", New: of(func() any { return table.Get }), Args: []hostile.Arg{hostile.Number("id", policy.NodeID(5), known)}},
		hostile.Call{Name: "Table.Put", New: of(func() any { return put }), Args: []hostile.Arg{hostile.Number("id", policy.NodeID(5), small)}, Sane: func([]any) error {
			if n := table.Len(); n < 1 || n > 2 || table.Get(5) == nil {
				return errors.New("an entry is lost")
			}
			return nil
		}},
		hostile.Call{Name: "Table.Delete", New: of(func() any { return table.Delete }), Args: []hostile.Arg{
			hostile.Number("id", policy.NodeID(5), hostile.Only(hostile.Ignores, 5)),
		}},
	)
}
