package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/augur/estimate"
	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// A calibration compares what forecast.Beliefs believes of jobs with what comes true.
type calibration struct {
	name    string
	beliefs *forecast.Beliefs
	view    central.View
	new     fit     // of the mean runtime of a job's tasks, when the job is submitted
	first   fit     // of the mean runtime of a stage's tasks, when one of them has finished
	bits    float64 // the sum of -log2 of the probability of what came true, over new
}

// alone is the node on which all tasks run, at speed 1.
const alone = 1

// newCalibration makes beliefs by a predictor, which should be new; nil: without history.
func newCalibration(name string, p *predict.Predictor) (*calibration, error) {
	b, err := forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: p})
	if err != nil {
		return nil, err
	}
	c := &calibration{name: name, beliefs: b}
	if err := b.Bind(central.Books{View: &c.view, Forecast: b}); err != nil {
		return nil, err
	}
	node := policy.Node{ID: alone, Partition: 1, Cores: 1, Speed: 1}
	_, err = c.view.Observe(&policy.Event{Kind: policy.Joined, Node: alone, Info: &node})
	return c, err
}

// evaluate reports the jobs to the beliefs as a host would.
func (c *calibration) evaluate(ctx context.Context, jobs []job) error {
	known := make([]*central.Job, len(jobs)) // those that have come and not ended
	for _, m := range moments(jobs) {
		if err := ctx.Err(); err != nil {
			return err
		}
		j := &jobs[m.job]
		var err error
		if m.end {
			err = c.end(j, known[m.job], m.at)
			known[m.job] = nil
		} else {
			known[m.job], err = c.submit(j, m.at)
		}
		if err != nil {
			return fmt.Errorf("job %d: %w", j.ID, err)
		}
	}
	return nil
}

func (c *calibration) submit(j *job, now policy.Time) (*central.Job, error) {
	ev := policy.Event{Time: now, Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: j.ID}}, Job: &j.Job.Job}
	known, err := c.view.Observe(&ev)
	if err != nil {
		return nil, err
	}
	if err := c.beliefs.Note(&ev, known); err != nil {
		return nil, err
	}
	c.bits -= math.Log2(c.new.add(c.believed(known, 0), j.Job.MeanUnit()))
	return known, nil
}

// end reports all tasks and the end of a job. All tasks are reported when the job ends, so the belief after the first task also
// uses the jobs that ended since that task finished.
func (c *calibration) end(j *job, known *central.Job, now policy.Time) error {
	pilot := pilots(j)
	if pilot >= 0 {
		c.finish(j, known, uint32(pilot), 0)
		c.first.add(c.believed(known, uint32(pilot)), cli.MeanTask(&workload.Job{Runtimes: j.Runtimes[pilot : pilot+1]}))
	}
	for s, runtimes := range j.Runtimes {
		for i := range runtimes {
			if i > 0 && j.Stages[s].Gang {
				break
			}
			if i > 0 || s != pilot {
				c.finish(j, known, uint32(s), uint32(i))
			}
		}
	}
	ev := policy.Event{Time: now, Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: j.ID}}, Outcome: policy.Done}
	if _, err := c.view.Observe(&ev); err != nil {
		return err
	}
	return c.beliefs.Note(&ev, known)
}

// pilots returns the first stage of several tasks that is not a gang, -1 if there is none.
func pilots(j *job) int {
	for s := range j.Stages {
		if j.Stages[s].Tasks > 1 && !j.Stages[s].Gang {
			return s
		}
	}
	return -1
}

// finish reports a task, or a gang, that has finished.
func (c *calibration) finish(j *job, known *central.Job, stage, index uint32) {
	ran := j.Runtimes[stage][index]
	if j.Stages[stage].Gang {
		ran = slices.Max(j.Runtimes[stage])
	}
	service := policy.Duration(float64(ran) * c.view.SlowdownOn(alone, &j.Stages[stage]))
	task := policy.Task{Job: j.ID, Stage: stage, Index: index}
	// Only a Submitted can be refused.
	_ = c.beliefs.Note(&policy.Event{Kind: policy.Finished, Copy: policy.Copy{Task: task}, Node: alone, Service: service}, known)
}

// believed returns what is believed of a stage. Before any job has ended that is nothing.
func (c *calibration) believed(j *central.Job, stage uint32) *estimate.Belief {
	d, ok := c.beliefs.Runtime(j, stage)
	if !ok {
		return new(estimate.Belief)
	}
	return d.(*estimate.Belief)
}

// cells are the parts of [0, 1] in which a fit counts. The ends of all central intervals are ends of cells.
const cells = 1000

// A fit tells how beliefs fit what came true, by the probability integral transform (PIT): the probability that a belief gave to
// smaller values. If the beliefs are right the PIT is uniform. A value is somewhere in a bin of a Belief, so it counts evenly
// for all of [F(below the bin), F(the bin)]. That is the mean of the randomized PIT, which draws a place in the bin, without
// its noise. The mid-PIT, which takes the middle, is not uniform even if the beliefs are right.
//
// # Source
//
// C. Czado, T. Gneiting and L. Held, "Predictive model assessment for count data", Biometrics 65(4), 2009: the nonrandomized
// PIT histogram.
type fit struct {
	pit    [cells]float64 // they add up to n
	n      int
	widths []float64 // P90 over P10
}

// add takes a belief and what came true, and returns the probability that was given to its bin.
func (f *fit) add(b *estimate.Belief, actual float64) (probability float64) {
	const least = 1e-9 // of a bin, so that its logarithm is finite
	log := math.Log(max(actual, math.SmallestNonzeroFloat64))
	below, sum, nearest := 0.0, 0.0, math.Inf(1)
	for value, p := range b.All() {
		if off := math.Abs(math.Log(value) - log); off < nearest {
			below, probability, nearest = sum, p, off
		}
		sum += p
	}
	probability = max(probability, least)
	low := min(below, 1-probability) * cells
	high := low + probability*cells
	for i := int(low); i < cells && float64(i) < high; i++ {
		f.pit[i] += (min(high, float64(i+1)) - max(low, float64(i))) / (high - low)
	}
	f.n++
	f.widths = append(f.widths, b.Quantile(0.9)/b.Quantile(0.1))
	return probability
}

// share returns which share of the PIT is from low to high; NaN if there is none.
func (f *fit) share(low, high float64) float64 {
	sum := 0.0
	for _, x := range f.pit[int(math.Round(low*cells)):int(math.Round(high*cells))] {
		sum += x
	}
	return sum / float64(f.n)
}

// distance returns the Kolmogorov distance of the PIT from the uniform distribution, at the ends of cells.
func (f *fit) distance() float64 {
	sum, most := 0.0, 0.0
	for i, x := range f.pit {
		sum += x / float64(f.n)
		most = max(most, math.Abs(sum-float64(i+1)/cells))
	}
	return most
}

// A fitResult is the JSON of a fit.
type fitResult struct {
	Jobs       int       `json:"jobs"`
	Coverage50 *float64  `json:"coverage_50"` // how many values are in the central interval of 50 %
	Coverage80 *float64  `json:"coverage_80"`
	Coverage95 *float64  `json:"coverage_95"`
	PIT        []float64 `json:"pit"` // shares in ten equal parts
	Distance   *float64  `json:"kolmogorov"`
	Width      *float64  `json:"p90_over_p10"` // median
}

func (f *fit) result() fitResult {
	central := func(level float64) *float64 { return cli.Some(f.share((1-level)/2, (1+level)/2)) }
	r := fitResult{Jobs: f.n, Coverage50: central(0.5), Coverage80: central(0.8), Coverage95: central(0.95)}
	if f.n == 0 {
		return r
	}
	for i := range 10 {
		r.PIT = append(r.PIT, f.share(float64(i)/10, float64(i+1)/10))
	}
	slices.Sort(f.widths)
	r.Distance, r.Width = cli.Some(f.distance()), cli.Some(cli.Quantile(f.widths, 0.5))
	return r
}

// beliefsResult is a row of the output of -beliefs; its fields are the JSON.
type beliefsResult struct {
	Beliefs string    `json:"beliefs"`
	New     fitResult `json:"submitted"`
	First   fitResult `json:"first_task"`
	Bits    float64   `json:"bits"`        // mean logarithmic score at submission, less is better
	Gained  float64   `json:"bits_gained"` // by history: how many less than without
}

// calibrate evaluates beliefs by the predictor of each run, and without history.
func calibrate(ctx context.Context, runs []*run, jobs []job) (list []beliefsResult, err error) {
	none, err := newCalibration("none", nil)
	if err != nil {
		return nil, err
	}
	if err := none.evaluate(ctx, jobs); err != nil {
		return nil, err
	}
	for _, r := range runs {
		c, err := newCalibration(r.name, r.predictor)
		if err != nil {
			return nil, cli.Usage(err)
		}
		if err := c.evaluate(ctx, jobs); err != nil {
			return nil, err
		}
		list = append(list, c.result(none))
	}
	return append(list, none.result(none)), nil
}

func (c *calibration) result(none *calibration) beliefsResult {
	n := float64(len(c.new.widths))
	return beliefsResult{Beliefs: c.name, New: c.new.result(), First: c.first.result(), Bits: c.bits / n, Gained: (none.bits - c.bits) / n}
}

func writeBeliefs(w io.Writer, from *cli.Jobs, list []beliefsResult) error {
	fmt.Fprintf(w, "%s: %d jobs\n", from.Name, len(from.List))
	for _, note := range from.Notes() {
		fmt.Fprintln(w, note)
	}
	t := cli.NewTable(w)
	t.Row("beliefs\tof\tjobs\tcoverage\t\t\tP90/P10\tbits\tgained\tPIT\t")
	t.Row("\t\t\t50 %\t80 %\t95 %\t\t\t\tdistance\tin tenths, %")
	for _, r := range list {
		for _, of := range []struct {
			name, bits, gained string
			fitResult
		}{
			{"new jobs", fmt.Sprintf("%.2f", r.Bits), fmt.Sprintf("%.2f", r.Gained), r.New},
			{"first task", "", "", r.First},
		} {
			if of.Jobs == 0 {
				continue
			}
			var tenths []string
			for _, share := range of.PIT {
				tenths = append(tenths, fmt.Sprintf("%.0f", 100*share))
			}
			t.Row(r.Beliefs, of.name, strconv.Itoa(of.Jobs), cli.Percent(of.Coverage50), cli.Percent(of.Coverage80), cli.Percent(of.Coverage95),
				fmt.Sprintf("%.3g", *of.Width), of.bits, of.gained, cli.Fixed(of.Distance, 3), strings.Join(tenths, " "))
		}
	}
	return t.Flush()
}
