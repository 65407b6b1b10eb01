// Package lakelab runs Wing's policies on a generated data lake: it learns from the history what
// they go by, makes them, and says how much value they attain.
package lakelab

import (
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/policy/workload"
)

const week = 7 * 24 * time.Hour

// A Lab is a data lake with what is known of it when the experiment begins. Many may use it at
// once.
type Lab struct {
	Log *workload.LakeLog
	// History is what the history tells.
	History *pipeline.Result

	live   value.Live
	oracle func() (*oracle, error)
}

// New learns from the history of a lake, which is at least two weeks long. Recurring is, unless the
// configuration says otherwise, what was submitted in each of two weeks in a row.
func New(log *workload.LakeLog, c pipeline.Config) (*Lab, error) {
	c.End = provenance.Time(log.Begin())
	if c.Classes.Months == 0 {
		c.Classes.Month, c.Classes.Months = week, 2
	}
	if c.End < provenance.Time(2*week) {
		return nil, fmt.Errorf("the history of the lake has %v, want at least two weeks", time.Duration(c.End))
	}
	history, err := pipeline.Run(Provenance(log, log.Begin()), c)
	if err != nil {
		return nil, err
	}
	l := &Lab{Log: log, History: history}
	l.live.Swap(history.Store)
	l.oracle = sync.OnceValues(func() (*oracle, error) { return newOracle(log) })
	return l, nil
}

// Attained returns the value that the jobs of a run attain, in percent of what is achievable.
func (l *Lab) Attained(r *sim.Result) float64 {
	sum := 0
	for i := range r.Jobs {
		if j := &r.Jobs[i]; j.Done() {
			sum += l.Log.Attained(j.ID, j.Ended)
		}
	}
	return 100 * float64(sum) / float64(l.Log.Achievable())
}

// Provenance returns what was known of a lake at an instant. Job number i has the ID i+1.
func Provenance(log *workload.LakeLog, at policy.Time) *provenance.Log {
	l := &provenance.Log{}
	for r := range log.Records() {
		if r.Submitted >= at {
			break
		}
		j := provenance.Job{
			Template: l.Templates.Number(provenance.Template(r.Name)), User: l.Users.Number(r.User), Org: l.Orgs.Number(r.Organisation),
			Submitted: provenance.Time(r.Submitted), Priority: r.Priority,
		}
		if r.Completed < at {
			j.State, j.Completed, j.Compute = provenance.Complete, provenance.Time(r.Completed), r.CoreSeconds
			if r.MissingInput {
				j.State = provenance.NoInput
			}
		}
		l.IDs.Number(strconv.FormatInt(int64(r.ID), 10))
		l.Jobs = append(l.Jobs, j)
	}
	for o := range log.Operations() {
		if o.At >= at {
			break
		}
		op := provenance.Op{Time: provenance.Time(o.At), Job: uint32(o.Job) - 1, File: l.Files.Number(o.File), Kind: provenance.Read}
		if o.Action == workload.LakeWrite {
			op.Kind = provenance.Write
		}
		if o.Action == workload.LakeDownload {
			op.Job = provenance.User
		}
		l.Ops = append(l.Ops, op)
	}
	return l
}

// ever is later than all that is in a log.
const ever = policy.Time(math.MaxInt64)
