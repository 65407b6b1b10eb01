package main

import (
	"slices"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A kairosBed is Kairos' cluster of 30 nodes with one of its workloads, in one of the readings of Table 1:
// for the last row it has 224 maps, and the text a block size that makes 60.
type kairosBed struct {
	name     string
	seeds    int
	params   paper.Kairos
	longFrom int     // the first category, from 0, that is long for Big-C
	share    float64 // of the cores, that Big-C leaves to short jobs
	early    bool    // reduces have their containers early: see startEarly
}

// heavyTailed is the workload of Fig. 4. On average two of its hundred jobs are long, so results differ much between draws.
// Therefore it has ten times as many seeds as the others.
func heavyTailed(f form) *kairosBed {
	b := &kairosBed{name: "heavy-tailed", seeds: 10 * f.seeds, params: paper.DefaultKairos(), longFrom: 3, share: 0.95}
	if f.few > 0 {
		b.params.Jobs = f.few
	}
	return b
}

// with returns a bed that differs in something.
func (b *kairosBed) with(what string, change func(b *kairosBed)) *kairosBed {
	other := *b
	other.name += ", " + what
	change(&other)
	return &other
}

// hundredJobs are those of a seed. How long their tasks are is not published: [paper.Kairos] says how it
// splits the time that a job takes alone.
type hundredJobs struct {
	*kairosBed
	seed uint64
	jobs []*workload.Job
}

// draw draws the jobs of a seed.
func (b *kairosBed) draw(seed uint64) (d hundredJobs, err error) {
	k := b.params
	k.Seed = seed
	source, err := k.Source()
	if err != nil {
		return d, err
	}
	d = hundredJobs{kairosBed: b, seed: seed}
	if d.jobs, err = workload.ReadAll(source); b.early {
		d.jobs = each(d.jobs, startEarly)
	}
	return d, err
}

// startEarly returns the job with reduces that have their containers from when all maps
// of their job have begun, and wait there for what these write: Hadoop starts them when a
// twentieth of the maps is done, unless it is told not to, and the paper does not say. They read their maps through a pipe, and
// take as much longer as the longest of these. So a job takes as long alone as before, but up to twice the containers, and a reduce
// that waits leaves its core to others.
func startEarly(j *workload.Job) *workload.Job {
	c := *j
	c.Stages, c.Runtimes = slices.Clone(j.Stages), slices.Clone(j.Runtimes)
	reads := slices.Clone(j.Stages[1].Reads)
	reads[0].Pipe = true
	c.Stages[1].Reads = reads
	maps := slices.Max(j.Runtimes[0])
	c.Runtimes[1] = each(j.Runtimes[1], func(d policy.Duration) policy.Duration { return maps + d })
	return &c
}

// tableOne has the programs of Table 1, shortest first.
var tableOne = []string{"small", "medium small", "medium", "medium long", "long"}

// category returns which row of Table 1 a job is of, from 0.
func category(j *policy.Job) int {
	program, _ := j.Attr("program")
	return slices.Index(tableOne, program)
}
