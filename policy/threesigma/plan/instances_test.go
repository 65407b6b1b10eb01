package plan

import (
	"math"
	"math/rand/v2"
	"slices"
)

// tiny returns a problem of up to six jobs that brute force can solve, with capacities and
// utilities of 0 among them, and round numbers often, so that ties and exact fits occur.
func tiny(r *rand.Rand) *Problem {
	p := &Problem{Capacity: make([][]float64, 1+r.IntN(2))}
	slots := 1 + r.IntN(4)
	for i := range p.Capacity {
		p.Capacity[i] = make([]float64, slots)
		for t := range slots {
			p.Capacity[i][t] = float64(r.IntN(7))
			if r.IntN(3) == 0 {
				p.Capacity[i][t] *= r.Float64()
			}
		}
	}
	p.Jobs = make([]Job, min(6, r.IntN(12)))
	for j := range p.Jobs {
		job := &p.Jobs[j]
		job.Profiles = make([][]float64, 1+r.IntN(2))
		for i := range job.Profiles {
			job.Profiles[i] = make([]float64, min(5, r.IntN(10)))
			x := 1.0
			for t := range job.Profiles[i] {
				job.Profiles[i][t] = x
				if r.IntN(3) == 0 {
					x = math.Floor(4*x*r.Float64()) / 4
				}
			}
		}
		job.Options = make([]Option, min(5, r.IntN(8)))
		for o := range job.Options {
			job.Options[o] = Option{
				Utility: float64(r.IntN(12) - 2),
				Place:   job.place(at(float64(min(5, r.IntN(9))), r.IntN(len(p.Capacity)))),
				Start:   int32(r.IntN(slots)),
				Profile: int32(r.IntN(len(job.Profiles))),
			}
			if r.IntN(2) == 0 {
				job.Options[o].Utility += r.Float64()
			}
		}
	}
	return p
}

// at returns the place that takes as many nodes of each pool.
func at(nodes float64, pools ...int) Place {
	place := Place{}
	for _, i := range pools {
		place = append(place, Share{int32(i), nodes})
	}
	return place
}

// place returns which of the job's places is this one, which is added if none is.
func (j *Job) place(place Place) int32 {
	for i := range j.Places {
		if slices.Equal(j.Places[i], place) {
			return int32(i)
		}
	}
	j.Places = append(j.Places, place)
	return int32(len(j.Places) - 1)
}

// A shape says how large an instance is and how full its cluster.
type shape struct {
	jobs, partitions, slots int
	nodes                   float64 // of the cluster
	load                    float64 // expected node-slots that the jobs want, as a share of what is free; above 1 not all fit
	sets                    bool    // see overSets
}

// shapes are those that benchmarks run, by what one would call them: a cycle of the scheduler in a
// test cluster, one in the paper's cluster of 256 nodes (section 5), and up to 12,583 nodes, as
// many as the Google trace has.
var shapes = []struct {
	name string
	shape
}{
	{"jobs=20", shape{jobs: 20, partitions: 2, slots: 9, nodes: 64, load: 3}},
	{"jobs=60", shape{jobs: 60, partitions: 4, slots: 20, nodes: 256, load: 1.5}},
	{"jobs=100", shape{jobs: 100, partitions: 8, slots: 24, nodes: 256, load: 2}},
	{"jobs=200", shape{jobs: 200, partitions: 8, slots: 40, nodes: 1000, load: 1.5}},
	{"jobs=400", shape{jobs: 400, partitions: 8, slots: 37, nodes: 12583, load: 2}},
	{"jobs=400/wide", shape{jobs: 400, partitions: 8, slots: 37, nodes: 12583, load: 6}},
	{"jobs=20/sets", shape{jobs: 20, partitions: 4, slots: 9, nodes: 64, load: 2, sets: true}},
	{"jobs=200/sets", shape{jobs: 200, partitions: 4, slots: 24, nodes: 256, load: 2, sets: true}},
}

// instance returns a problem as a scheduling cycle has them. The same shape and seed give the same
// problem.
//
//   - Runtimes are lognormal, with medians from a slot to more than all slots, and a deviation of
//     the logarithm of 0.2 to 1.5; the profile is the probability that a job still runs in the
//     middle of a slot, cut to 0 beneath 0.001. Jobs run 1.5 times as long where they do not like
//     to be, which is a quarter of the partitions (section 5: such are the workloads of the paper).
//   - Half of the jobs have a deadline: their utility is a step, that drops at it, or a tail, that
//     falls to 0 linearly behind it. Those of the rest fall linearly to 0 over twice the slots.
//     Expected utility is a sum over slots of the end's probability. Those with a deadline weigh 10
//     times as much.
//   - Jobs want powers of 2 times 1 to 3 nodes, scaled together so that the load is as asked, and
//     then cut to what is from 1 to half of a partition; the load is less by what that cuts.
//   - What is free grows from 20-90 % of a partition towards all of it.
//   - Options of a utility below 0.001 are left out, as a scheduler would.
//
// With sets, gangs may be spread over partitions and are up to three times as wide: see overSets.
func instance(s shape, seed uint64) *Problem {
	r := rand.New(rand.NewPCG(seed, uint64(s.jobs)<<32|uint64(s.slots)))
	p := &Problem{Capacity: make([][]float64, s.partitions), Jobs: make([]Job, s.jobs)}
	size := math.Floor(s.nodes / float64(s.partitions))
	free := 0.0
	for i := range p.Capacity {
		p.Capacity[i] = make([]float64, s.slots)
		used, decay := size*(0.1+0.7*r.Float64()), 0.6+0.4*r.Float64()
		for t := range s.slots {
			p.Capacity[i][t] = size - used
			free += p.Capacity[i][t]
			used *= decay
		}
	}
	wants := make([]float64, s.jobs)
	total := 0.0
	for j := range p.Jobs {
		job := &p.Jobs[j]
		mu, sigma := math.Log(float64(s.slots))*1.2*r.Float64(), 0.2+1.3*r.Float64()
		slow := 1.0
		if r.IntN(4) > 0 {
			slow = 1.5
		}
		job.Profiles = [][]float64{survival(mu, sigma, s.slots), survival(mu+math.Log(slow), sigma, s.slots)}
		length := 0.0
		for _, x := range job.Profiles[0] {
			length += x
		}
		kind := r.IntN(4)
		deadline := (1 + r.Float64()) * math.Exp(mu)
		weight := 1.0
		if kind < 2 {
			weight = 10
		}
		liked := r.Perm(s.partitions)[:max(1, s.partitions*3/4)]
		likes := make([]bool, s.partitions)
		for _, i := range liked {
			likes[i] = true
		}
		wants[j] = float64(int(1)<<r.IntN(7)) * float64(1+r.IntN(3))
		total += wants[j] * length
		for i := range s.partitions {
			profile := int32(1)
			if likes[i] {
				profile = 0
			}
			for start := range s.slots {
				u := weight * expected(job.Profiles[profile], func(end float64) float64 {
					end += float64(start)
					switch {
					case kind == 0 && end <= deadline, kind == 1 && end <= deadline:
						return 1
					case kind == 0:
						return 0
					case kind == 1:
						return max(0, 1-(end-deadline)/deadline)
					}
					return max(0, 1-end/float64(2*s.slots))
				})
				if u >= 0.001 {
					job.Options = append(job.Options, Option{Utility: u, Place: int32(i), Start: int32(start), Profile: profile})
				}
			}
		}
	}
	scale, most := s.load*free/total, math.Floor(size/2)
	if s.sets {
		most *= 3
	}
	for j := range p.Jobs {
		nodes := min(max(1, math.Round(wants[j]*scale)), most)
		for i := range s.partitions {
			p.Jobs[j].Places = append(p.Jobs[j].Places, at(nodes, i))
		}
	}
	if s.sets {
		overSets(p, r)
	}
	return p
}

// survival returns the probabilities that a lognormal runtime, in slots, is more than t + 1/2.
func survival(mu, sigma float64, slots int) []float64 {
	var profile []float64
	for t := range slots {
		x := math.Erfc((math.Log(float64(t)+0.5)-mu)/sigma/math.Sqrt2) / 2
		if x < 0.001 {
			break
		}
		profile = append(profile, x)
	}
	return profile
}

// expected returns the mean of f over the end of a job, of which each is at the end of a slot; what
// ends behind the profile ends a slot later.
func expected(profile []float64, f func(end float64) float64) float64 {
	sum, last := 0.0, 1.0
	for t, x := range profile {
		sum += (last - x) * f(float64(t))
		last = x
	}
	return sum + last*f(float64(len(profile)))
}
