// Package lakelab runs Wing's policies on a generated data lake: it learns from the history what
// they go by, makes them, and says how much value they attain.
package lakelab

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/wing/pipeline"
)

const week = 7 * 24 * time.Hour

// A Lake is a data lake with its log, of which policies may know the past, and oracles all. Many may
// use it at once.
type Lake struct {
	Log *paper.LakeLog

	all    func() *provenance.Log // job number i has the ID i+1
	oracle func() (*oracle, error)
}

// Open makes a lake of its log. What takes long is done when it is first asked for.
func Open(log *paper.LakeLog) *Lake {
	l := &Lake{Log: log, all: sync.OnceValue(log.Provenance)}
	l.oracle = sync.OnceValues(func() (*oracle, error) { return newOracle(l.all()) })
	return l
}

// A Lab is a lake with what is known of it when the experiment begins. Many may use it at once.
type Lab struct {
	*Lake
	// History is what the history tells.
	History *pipeline.Result

	live value.Live
}

// Learn learns from the history of a lake, from Config.Start on, for at least two weeks. Recurring
// is, unless the configuration says otherwise, what was submitted in each of two weeks in a row.
func (l *Lake) Learn(c pipeline.Config) (*Lab, error) {
	c.End, c.Template = provenance.Time(l.Log.Begin()), template
	if c.Classes.Months == 0 {
		c.Classes.Month, c.Classes.Months = week, 2
	}
	switch span := c.End.Sub(c.Start); {
	case span < 2*week:
		return nil, fmt.Errorf("the history of the lake has %v, want at least two weeks", span)
	case c.Window >= span:
		return nil, fmt.Errorf("a window of %v, want less than the %v of the history: no job would count", c.Window, span)
	}
	history, err := pipeline.Run(l.Past(c.Start, c.End), c)
	if err != nil {
		return nil, err
	}
	lab := &Lab{Lake: l, History: history}
	lab.live.Swap(history.Store)
	return lab, nil
}

// Attained returns the value that the jobs of a run attain, in percent of what they attain if each
// is done no later than in the log. They may be some of the jobs of the experiment only; it is NaN
// if they are worth nothing.
func (l *Lake) Attained(r *sim.Result) float64 {
	sum, achievable := 0, 0
	for i := range r.Jobs {
		j := &r.Jobs[i]
		achievable += len(l.Log.Downloads(j.ID))
		if j.Done() {
			sum += l.Log.Attained(j.ID, j.Ended)
		}
	}
	return 100 * float64(sum) / float64(achievable)
}

// Past returns what was known of the lake at an instant, but for the jobs that were submitted before
// another one; what these wrote is as if from outside. Of what came later it has the names, and
// nothing else; its jobs have no IDs. It must not be changed.
func (l *Lake) Past(from, at provenance.Time) *provenance.Log {
	past := *l.all().AsOf(at)
	after := func(t provenance.Time) uint32 { // in order of submission
		i, _ := slices.BinarySearchFunc(past.Jobs, t, func(j provenance.Job, t provenance.Time) int { return cmp.Compare(j.Submitted, t) })
		return uint32(i)
	}
	first, end := after(from), after(at)
	past.IDs = provenance.Names{}
	past.Jobs = past.Jobs[first:max(first, end)]
	if first == 0 {
		return &past
	}
	var ops []provenance.Op
	for _, op := range past.Ops {
		switch {
		case op.Job == provenance.User:
		case op.Job >= first:
			op.Job -= first
		case op.Kind == provenance.Write:
			op.Job = provenance.User
		default:
			continue
		}
		ops = append(ops, op)
	}
	past.Ops = ops
	return &past
}
