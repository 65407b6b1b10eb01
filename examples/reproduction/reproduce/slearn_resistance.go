package main

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/stat"

	"example.com/augur/policy"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
)

// watched is GS, and notes the resistance of each job: the work that goes before it when it
// comes to the queue where it stays until its end, in core-seconds. That is when it is
// submitted, or, if it is sampled, when its pilots have told. It counts what truly is left
// (section 5.4.4).
type watched struct {
	*slearn.GS
	jobs       []*workload.Job // in order of their IDs
	there      []*workload.Job // of these, in order of submission
	resistance map[policy.JobID]float64
}

// Step is [policy.Scheduler].
func (w *watched) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := w.GS.Step(ev, actions)
	if err != nil {
		return actions, err
	}
	switch ev.Kind {
	case policy.Submitted:
		i, _ := slices.BinarySearchFunc(w.jobs, ev.Job.ID, byID)
		w.there = append(w.there, w.jobs[i])
	case policy.Ready, policy.Finished:
		w.note(ev.Copy.Job)
	case policy.Ended:
		w.there = slices.DeleteFunc(w.there, func(j *workload.Job) bool { return j.ID == ev.Copy.Job })
	}
	return actions, nil
}

func byID(j *workload.Job, id policy.JobID) int { return cmp.Compare(j.ID, id) }

// note notes the resistance of a job, once it is known where it belongs. As the last that
// came to its queue, it has all that are there before it.
func (w *watched) note(id policy.JobID) {
	if _, ok := w.resistance[id]; ok {
		return
	}
	own, ok := w.Explain(id)
	if !ok || own.When == slearn.Later {
		return
	}
	work := 0.0
	for _, j := range w.there {
		e, ok := w.Explain(j.ID)
		switch {
		case !ok || j.ID == id || e.Queue > own.Queue:
		case e.When == slearn.Later: // only its pilots go before
			work += j.Work() / float64(j.Tasks()) * float64(e.Pilots-e.Done)
		default:
			work += max(0, j.Work()-e.Attained)
		}
	}
	w.resistance[id] = work
}

// slearnResistance is Fig. 14: the work that goes before jobs. A unit is what the cluster does
// in 1000 s. The paper shows it for 2strace, and says that it follows the load, and is under
// SLearn much like under the Oracle, while it is not under 3Sigma.
func slearnResistance(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "Fig. 14", func(_ context.Context, d *round) (curves, error) {
		unit := 1000 * float64(d.cores)
		of := func(o outcome) []float64 {
			return each(d.execution, func(j *workload.Job) float64 { return o.resistance[j.ID] / unit })
		}
		return curves{loadsBefore(d.execution, float64(d.cores)), of(d.byOracle), of(d.bySLearn), of(d.by3Sigma)}, nil
	}, func(r *report, all []curves) { tellCurves(r, t, all) })
}

// The curves of Fig. 14 have a number for each job.
type curves struct{ load, oracle, slearn, sigma []float64 }

func tellCurves(r *report, t *slearnTrace, all []curves) {
	add := func(metric string, of func(c curves) float64) {
		r.add("Fig. 14", t.name, metric, unpublished, each(all, of))
	}
	for _, who := range []struct {
		name string
		of   func(c curves) []float64
	}{
		{"Oracle", func(c curves) []float64 { return c.oracle }},
		{"SLearn", func(c curves) []float64 { return c.slearn }},
		{"3Sigma", func(c curves) []float64 { return c.sigma }},
	} {
		add(who.name+", resistance, mean", func(c curves) float64 { return meanOf(who.of(c)) })
		add(who.name+", resistance, P50", func(c curves) float64 { return percentile(who.of(c), 0.5) })
		add(who.name+", resistance, P90", func(c curves) float64 { return percentile(who.of(c), 0.9) })
	}
	add("correlation of the Oracle's resistance with the load", func(c curves) float64 { return stat.Correlation(c.oracle, c.load, nil) })
	add("correlation of SLearn's resistance with the Oracle's", func(c curves) float64 { return stat.Correlation(c.slearn, c.oracle, nil) })
	add("correlation of 3Sigma's resistance with the Oracle's", func(c curves) float64 { return stat.Correlation(c.sigma, c.oracle, nil) })
}

// loadsBefore returns, for each job, the work that came in the 1000 s up to its submission,
// itself included, over what the cores can do in that time.
func loadsBefore(jobs []*workload.Job, cores float64) (loads []float64) {
	first, work := 0, 0.0
	for _, j := range jobs {
		work += j.Work()
		for j.Submitted.Sub(jobs[first].Submitted).Seconds() > 1000 {
			work -= jobs[first].Work()
			first++
		}
		loads = append(loads, work/(1000*cores))
	}
	return loads
}
