package main

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A hopperBed is a cluster, and the jobs of some seeds for it.
type hopperBed struct {
	name   string
	params workload.Hopper
	seeds  int
	luck   uint64          // 0, or for how long all copies run is drawn anew
	late   policy.Duration // by how much all jobs come later
}

// newHopperBed returns the bed that [reproduceHopper] describes, with so many jobs of each seed.
func newHopperBed(name string, h workload.Hopper, seeds, jobs int) *hopperBed {
	h.Jobs = jobs
	h.Nodes, h.MostTasks, h.MostStages, h.Pipe, h.Elsewhere = 20, 501, 2, false, 1
	return &hopperBed{name: name, params: h, seeds: seeds}
}

// with returns a bed that differs in something.
func (b *hopperBed) with(what string, change func(b *hopperBed)) *hopperBed {
	other := *b
	other.name += ", " + what
	change(&other)
	return &other
}

// jobs draws the jobs of a seed. Their IDs are 1, 2, 3 and so on.
func (b *hopperBed) jobs(seed uint64) ([]*workload.Job, error) {
	h := b.params
	h.Seed = seed
	source, err := h.Source()
	if err != nil {
		return nil, err
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		return nil, err
	}
	for _, j := range jobs {
		j.Submitted = j.Submitted.Add(b.late)
		if b.luck > 0 {
			redraw(j, b.luck)
		}
	}
	return jobs, nil
}

// redraw draws anew for how long the copies of a job run, the first ones as well. When the job comes and
// what is known of it stays.
func redraw(j *workload.Job, luck uint64) {
	l := *j.Luck
	l.Seed += luck << 32
	j.Luck = &l
	j.Runtimes = each(j.Runtimes, func(stage []policy.Duration) []policy.Duration { return make([]policy.Duration, len(stage)) })
	for i, stage := range j.Runtimes {
		for k := range stage {
			task := policy.Task{Job: j.ID, Stage: uint32(i), Index: uint32(k)}
			stage[k] = l.Runtime(policy.Copy{Task: task})
		}
	}
}

// relucked returns the bed with other luck, the bed itself as number 0.
func (b *hopperBed) relucked(luck uint64) *hopperBed {
	if luck == 0 {
		return b
	}
	return b.with(fmt.Sprintf("luck %d", luck), func(b *hopperBed) { b.luck = luck })
}
