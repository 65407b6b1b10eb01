package main

import (
	"io"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/foretold"
)

// An output is the JSON that -json promises, and what the text is made of. Spans are in seconds.
type output struct {
	*read
	From         string          `json:"from"` // the first submission, if the epoch is 1970
	To           string          `json:"to"`   // the last one
	Jobs         int             `json:"jobs"`
	States       map[string]int  `json:"states"`
	Operations   int             `json:"operations"`
	LateOps      int             `json:"operations_after_end"` // which do not count
	LateEnds     int             `json:"ends_after_end"`       // of jobs, which count as running
	Templates    int             `json:"templates"`
	Recurring    int             `json:"recurring_templates"`
	Value        string          `json:"value"`   // downloads or jobs
	Compute      string          `json:"compute"` // log or runtime
	Month        float64         `json:"month_s"`
	Months       int             `json:"months"`
	Window       float64         `json:"window_s"`
	Recent       float64         `json:"recent_s"`   // what predictions are learnt from, and tried on
	Priorities   bool            `json:"priorities"` // jobs have different ones
	Dependencies traits          `json:"dependencies"`
	Pairs        []pairRow       `json:"pairs"`
	Observations []observation   `json:"observations"`
	Values       []valueRow      `json:"values"`
	Predictions  []predictionRow `json:"predictions"`
	Tried        score           `json:"tried"`
	Best         score           `json:"best_threshold"`
	Advice       []adviceRow     `json:"advice"`
}

// traits says how many dependencies are what.
type traits struct {
	All       int `json:"all"`
	Recurring int `json:"recurring"`
	Polling   int `json:"polling"`
	Hard      int `json:"hard"`
	Across    int `json:"across_organisations"`
}

// score says how good predictions were.
type score struct {
	Threshold   float64 `json:"threshold"`
	Predicted   int     `json:"predicted"`
	Came        int     `json:"came"` // of these
	Missed      int     `json:"missed"`
	Precision   float64 `json:"precision"`
	Recall      float64 `json:"recall"`
	MedianError float64 `json:"median_error_s"`
	RMSE        float64 `json:"rmse_s"`
}

func newScore(s foretold.Score) score {
	return score{s.Threshold, s.TruePositives + s.FalsePositives, s.TruePositives, s.FalseNegatives, s.Precision, s.Recall, s.MedianError.Seconds(), s.RMSE.Seconds()}
}

// adviceRow is a finding.
type adviceRow struct {
	Kind string  `json:"kind"`
	Harm float64 `json:"harm"` // the value at stake
	Text string  `json:"text"`
}

// output gathers what is printed.
func (a *analysis) output() *output {
	r := a.result
	out := &output{
		read: a.in, From: instant(a.start), To: instant(a.end - 1), Jobs: len(a.log.Jobs), States: make(map[string]int), Operations: len(a.log.Ops),
		LateOps: a.lateOps, LateEnds: a.lateEnds, Templates: a.log.Templates.Len(), Value: a.value, Compute: a.compute, Month: a.month.Seconds(), Months: a.o.months, Window: r.Config.Window.Seconds(),
		Recent: a.recent.Seconds(), Priorities: a.priorities,
		Observations: a.observations,
		Tried:        newScore(a.evaluation.At(a.o.threshold)),
	}
	for i := range a.log.Jobs {
		out.States[a.log.Jobs[i].State.String()]++
	}
	for _, t := range r.Classes.Templates {
		if t.Has(provenance.Recurring) {
			out.Recurring++
		}
	}
	out.Dependencies.All = len(r.Found.Dependencies)
	for i, d := range r.Found.Dependencies {
		t := r.Classes.Dependencies[i]
		for _, count := range []struct {
			is bool
			n  *int
		}{
			{t.Has(provenance.Recurring), &out.Dependencies.Recurring}, {t.Has(provenance.Polling), &out.Dependencies.Polling},
			{t.Has(provenance.Hard), &out.Dependencies.Hard}, {a.log.Jobs[d.From].Org != a.log.Jobs[d.To].Org, &out.Dependencies.Across},
		} {
			if count.is {
				*count.n++
			}
		}
	}
	var readers []int
	out.Pairs, readers = a.pairs()
	out.Values, out.Predictions = a.values(readers), a.predictions()
	var thresholds []float64
	for i := range 10 {
		thresholds = append(thresholds, float64(i+1)/10)
	}
	best, _ := a.evaluation.Best(thresholds)
	out.Best = newScore(best)
	for _, f := range a.advice {
		out.Advice = append(out.Advice, adviceRow{f.kind.String(), f.harm, f.text})
	}
	return out
}

// first cuts a list; it is not nil, so that in JSON it is a list.
func first[T any](list []T, n int) []T { return append([]T{}, list[:min(n, len(list))]...) }

func (a *analysis) writeJSON(w io.Writer) error {
	out := a.output()
	out.Pairs, out.Values = first(out.Pairs, a.o.top), first(out.Values, a.o.top)
	out.Predictions, out.Advice = first(out.Predictions, a.o.top), first(out.Advice, a.o.top)
	return cli.WriteJSON(w, out)
}
