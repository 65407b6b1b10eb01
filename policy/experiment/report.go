package experiment

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A Report is what came out in a cell. In JSON, as everywhere here, a number that does not apply is null.
type Report struct {
	Workload string   `json:"workload"`
	Jobs     int      `json:"jobs"`
	Tasks    int      `json:"tasks"`
	Nodes    int      `json:"nodes"`
	Cores    int      `json:"cores"`       // of all nodes
	Memory   int64    `json:"node_memory"` // of the first node, bytes; 0: not accounted for
	Load     *float64 `json:"load"`        // that the jobs offer the cores times their speeds: see workload.Measure
	LoadSpan float64  `json:"load_span_s"`
	// Loads are those of what nodes offer besides cores, if Setup sets them.
	Loads   map[string]float64 `json:"loads,omitempty"`
	Seed    uint64             `json:"seed"`
	Window  string             `json:"window,omitempty"` // of the log, such as 3/10
	Copy    string             `json:"copy,omitempty"`   // ... that lacks a tenth of the jobs, such as 3/8
	Dropped []string           `json:"dropped"`          // why rows of the log were left out: reason, number
	Skipped []string           `json:"skipped"`          // the same, of rows that are right but hold no job
	// Requested counts the jobs that request no time. Policies with a Request see one that is made of the runtime.
	Requested int `json:"requested_set"`
	// Cutoff is that between short jobs and long ones if Setup took it from the jobs.
	Cutoff float64 `json:"cutoff_set_s,omitempty"`
	// LongShare is that of the nodes open to long jobs if Setup took it from the jobs.
	LongShare float64 `json:"long_share_set,omitempty"`
	// Trim is the share of the jobs at either end that the figures leave out.
	Trim          float64 `json:"trim,omitempty"`
	Limited       bool    `json:"kill_requested,omitempty"`
	SlowdownBound float64 `json:"slowdown_bound_s"` // of bounded slowdowns
	// MeanBound is below the mean JCT of any schedule in which no task gets a second copy: see workload.MeanBound. It is nil if
	// figures leave jobs out, if copies of a task differ, or if there are more than 200,000 jobs.
	MeanBound *float64 `json:"mean_jct_bound_s"`
	Policies  []Row    `json:"policies"`

	Notes []string `json:"-"` // that tables have above them

	sample      uint64      // of the jobs before Setup: a cell with the same number has the same jobs
	first, last policy.Time // submissions
	facts       facts
}

// facts are what explains why policies are equal.
type facts struct {
	deadlines bool // some jobs have one
	unasked   bool // some jobs request no time
	narrow    bool // each unit takes one core and nothing else
	priority  bool // all jobs have the same
	memory    bool // nodes have some, and no job says how much it needs
}

// fill sets what follows from the jobs and nodes of a cell.
func (r *Report) fill(g *Cell, c *Config) {
	r.Workload, r.Jobs, r.Nodes, r.Memory, r.Seed = g.Name, len(g.Jobs), len(g.Nodes), 0, g.Seed
	r.Tasks, r.Cores = 0, int(coresOf(g.Nodes))
	slow, fast := math.Inf(1), 0.0
	for i := range g.Nodes {
		slow, fast = min(slow, g.Nodes[i].Speed), max(fast, g.Nodes[i].Speed)
	}
	if len(g.Nodes) > 0 {
		r.Memory = g.Nodes[0].Memory
	}
	if slow < fast {
		r.Notes = append(r.Notes, fmt.Sprintf("the nodes have speeds of %v to %v: loads are of %.4g cores of speed 1", slow, fast, workload.Capacity(g.Nodes)))
	}
	r.first, r.last = g.Jobs[0].Submitted, g.Jobs[len(g.Jobs)-1].Submitted
	r.facts = facts{narrow: true, priority: true, memory: slices.ContainsFunc(g.Nodes, func(n policy.Node) bool { return n.Memory > 0 })}
	luck := false
	for _, j := range g.Jobs {
		r.Tasks += j.Tasks()
		if j.Requested == 0 {
			r.Requested++
		}
		r.facts.deadlines = r.facts.deadlines || j.SLO != nil
		r.facts.priority = r.facts.priority && j.Priority == g.Jobs[0].Priority
		for i := range j.Stages {
			s := &j.Stages[i]
			r.facts.narrow = r.facts.narrow && s.Width() == 1 && s.Memory == 0 && len(s.Needs) == 0
			r.facts.memory = r.facts.memory && s.Memory == 0
		}
		luck = luck || j.Luck != nil
	}
	r.facts.unasked = r.Requested > 0
	offered := workload.Measure(g.Jobs)
	r.Load, r.LoadSpan = some(offered.Load(workload.Capacity(g.Nodes))), offered.Span()
	r.Trim, r.Limited, r.SlowdownBound = c.Trim, c.Limited, sim.SlowdownBound.Seconds()
	if c.Trim == 0 && len(g.Jobs) <= 200_000 && !luck {
		r.MeanBound = some(workload.MeanBound(g.Jobs, g.Nodes))
	}
}

// row returns the row of a policy; nil if its run is not done.
func (r *Report) row(policy string) *Row {
	i := slices.IndexFunc(r.Policies, func(p Row) bool { return p.Policy == policy })
	if i < 0 {
		return nil
	}
	return &r.Policies[i]
}
