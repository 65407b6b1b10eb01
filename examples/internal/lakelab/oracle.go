package lakelab

import (
	"example.com/augur/dag"
	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
)

// An oracle knows the whole log, that of the experiment too. Job number i has the ID i+1.
type oracle struct {
	log       *provenance.Log
	found     *provenance.Lineage
	graph     *dag.Graph
	submitted []int64
	own, agg  worths
}

// worths are what jobs are worth, and take.
type worths struct{ value, compute []float64 }

func (w *worths) of(i int) value.Worth { return value.Worth{Value: w.value[i], Compute: w.compute[i]} }

func newOracle(log *provenance.Log) (o *oracle, err error) {
	o = &oracle{log: log}
	if o.found, err = o.log.Find(0); err != nil {
		return nil, err
	}
	n := len(o.log.Jobs)
	if o.graph, err = o.found.Graph(n); err != nil {
		return nil, err
	}
	o.own = worths{make([]float64, n), make([]float64, n)}
	for i := range o.log.Jobs {
		o.submitted = append(o.submitted, int64(o.log.Jobs[i].Submitted))
		o.own.value[i], o.own.compute[i] = float64(len(o.found.Of(uint32(i)))), o.log.Jobs[i].Compute
	}
	if o.agg.value, err = value.Aggregate(nil, o.graph, o.own.value); err != nil {
		return nil, err
	}
	o.agg.compute, err = value.Aggregate(nil, o.graph, o.own.compute)
	return o, err
}

// efficiency returns the true value of a job over what it takes, by itself or with all that
// depends on it.
func (o *oracle) efficiency(j *policy.Job, aggregate bool) float64 {
	w := &o.own
	if aggregate {
		w = &o.agg
	}
	return w.of(int(j.ID) - 1).Efficiency()
}

// course knows how the value of each job falls.
type course struct {
	*oracle
	dependents bool
}

func (c course) valuation(j *policy.Job) (wing.Valuation, bool) {
	i := uint32(j.ID) - 1
	var drops []value.Drop
	for _, d := range c.found.Of(i) {
		drops = append(drops, value.Drop{At: int64(d.Time), Value: 1})
	}
	w := c.own.of(int(i))
	if c.dependents {
		w = c.agg.of(int(i))
		for _, d := range c.graph.Out(i) { // all fail without the job
			drops = append(drops, value.Drop{At: c.submitted[d], Value: c.agg.value[d] / float64(len(c.graph.In(d)))})
		}
	}
	for k := range drops {
		drops[k].At -= c.submitted[i]
	}
	f, err := value.NewFunction(0, drops)
	r := &c.log.Jobs[i]
	return wing.Valuation{Value: f, Origin: j.Submitted, Runtime: policy.Duration(r.Completed - r.Submitted), Work: w.Compute}, err == nil && w.Compute > 0
}
