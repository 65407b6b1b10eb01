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
	early    bool    // reduces have their containers early: see kairosEarly
}

// heavyTailed is the workload of Fig. 4, and uniform that of Fig. 5. They have a hundred jobs, of which two
// are long on average, so what comes out hangs on the draw: of these there are ten times as many seeds.
func heavyTailed(f form) *kairosBed {
	return newKairosBed(f, kairosBed{name: "heavy-tailed", params: paper.DefaultKairos(), longFrom: 3, share: 0.95})
}

func uniform(f form) *kairosBed {
	return newKairosBed(f, kairosBed{name: "uniform", params: paper.UniformKairos(), longFrom: 2, share: 0.7})
}

func newKairosBed(f form, b kairosBed) *kairosBed {
	b.seeds = 10 * f.seeds
	if f.few > 0 {
		b.params.Jobs = f.few
	}
	return &b
}

// with returns a bed that differs in something.
func (b *kairosBed) with(what string, change func(b *kairosBed)) *kairosBed {
	other := *b
	other.name += ", " + what
	change(&other)
	return &other
}

// hundredJobs are those of a seed. How long their tasks are is not published: [paper.Kairos] says how it
// splits the time that a job takes alone, and kairosSplits tries other ways.
type hundredJobs struct {
	*kairosBed
	seed  uint64
	jobs  []*workload.Job
	truth policy.Truth // in a run
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

// startEarly returns the job with reduces that read their maps through a pipe, and take as much
// longer as the longest of these.
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

// tableOne has the rows of Table 1, and how long a job of each takes alone, in s.
var tableOne = []struct {
	program string
	alone   float64
}{{"small", 85}, {"medium small", 201}, {"medium", 239}, {"medium long", 308}, {"long", 1175}}

// category returns which row of Table 1 a job is of, from 0.
func category(j *policy.Job) int {
	program, _ := j.Attr("program")
	for i := range tableOne {
		if tableOne[i].program == program {
			return i
		}
	}
	return len(tableOne) - 1
}
