package policytest

import "example.com/augur/policy"

// submit tells the centre of the next job.
func (h *driven) submit() {
	if len(h.coming) == 0 {
		return
	}
	h.happens(submissions)
	spec := &h.coming[0].Job
	h.coming = h.coming[1:]
	h.put(0, policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: spec.ID}}, Job: spec})
}

// bookJob takes a job down that is about to be told.
func (h *driven) bookJob(spec *policy.Job) (follow []letterTo) {
	j := newDrivenJob(spec)
	h.jobs = append(h.jobs, j)
	if in := spec.Inputs; in != nil {
		for _, id := range in.Jobs {
			switch o := h.job(id); {
			case o.over && o.outcome == policy.Done:
			case o.over || !in.Wait:
				h.endJob(j, policy.NoInput)
			default:
				j.inputs = append(j.inputs, id)
			}
		}
	}
	if !h.holds(spec) {
		h.endJob(j, policy.TooLarge)
	}
	return h.follow(j)
}

func newDrivenJob(spec *policy.Job) *drivenJob {
	j := &drivenJob{spec: spec, ready: make([]bool, len(spec.Stages))}
	for i := range spec.Stages {
		j.units = append(j.units, make([]drivenUnit, spec.Stages[i].Units()))
	}
	return j
}

// holds reports whether all nodes, empty, have room for each task and gang of a job.
func (h *driven) holds(spec *policy.Job) bool {
	for i := range spec.Stages {
		stage := &spec.Stages[i]
		room := int64(0)
		for k := range h.nodes[1:] {
			n := &h.nodes[k+1].info
			fit := int64(n.Cores / stage.Cores)
			if n.Memory > 0 && stage.Memory > 0 {
				fit = min(fit, n.Memory/stage.Memory)
			}
			room += fit
		}
		if want := int64(stage.Tasks) / int64(stage.Units()); room < want {
			return false
		}
	}
	return true
}
