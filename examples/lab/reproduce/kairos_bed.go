package main

import (
	"slices"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A kairosBed is Kairos' cluster of 30 nodes with its heavy-tailed workload, in one of the readings of Table 1:
// for the last row it has 224 maps, and the text a block size that makes 60.
type kairosBed struct {
	name   string
	seeds  int
	params paper.Kairos
	rules  *containerRules // of the containers that tasks have; nil if a task begins when all that it reads is done
}

// heavyTailed is the workload of Fig. 4. On average two of its hundred jobs are long, so results differ much between draws.
// Therefore it has ten times as many seeds as the others.
func heavyTailed(f form) *kairosBed {
	b := &kairosBed{name: "heavy-tailed", seeds: 10 * f.seeds, params: paper.DefaultKairos(), rules: &containerRules{slowstart: slowstart, master: true}}
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
	d.jobs, err = workload.ReadAll(source)
	return d, err
}

// tableOne has the programs of Table 1, shortest first.
var tableOne = []string{"small", "medium small", "medium", "medium long", "long"}

// category returns which row of Table 1 a job is of, from 0.
func category(j *policy.Job) int {
	program, _ := j.Attr("program")
	return slices.Index(tableOne, program)
}
