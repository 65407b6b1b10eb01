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

// pair has two jobs that exclude each other, of 5 and 3.
func pair() *Problem {
	return &Problem{Capacity: [][]float64{{4}}, Jobs: []Job{
		{Profiles: [][]float64{{1}}, Places: []Place{at(3, 0), nil}, Options: []Option{{Utility: 5}, {Utility: 0, Place: 1}}},
		{Profiles: [][]float64{{1}}, Places: []Place{at(2, 0)}, Options: []Option{{Utility: 3}, {Utility: 2}}},
	}}
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

// plain returns a problem of so many jobs as a scheduling cycle has them, made without functions that differ between
// processors: not all fit. Of each job it is less likely from slot to slot that it still runs. With sets, gangs may be
// spread over all partitions but one, beside a job that runs.
func plain(seed uint64, jobs int, sets bool) *Problem {
	rng := rand.New(rand.NewPCG(seed, 11))
	const slots = 20
	p := &Problem{Capacity: make([][]float64, 4), Jobs: make([]Job, jobs)}
	for i := range p.Capacity {
		p.Capacity[i] = make([]float64, slots)
		for t := range slots {
			p.Capacity[i][t] = float64(20+t) * float64(jobs) / 80
		}
	}
	for j := range p.Jobs {
		job := &p.Jobs[j]
		profile, x := make([]float64, 15), 1.0
		ends := 0.5 + 0.5*rng.Float64()
		for t := range profile {
			profile[t] = x
			x *= ends
		}
		job.Profiles = [][]float64{profile}
		nodes, worth := float64(1+rng.IntN(16)), 1+9*rng.Float64()
		for i := range p.Capacity {
			job.Places = append(job.Places, at(nodes, i))
			for start := range slots {
				job.Options = append(job.Options, Option{
					Utility: worth * (1 - float64(start)/slots),
					Place:   int32(i),
					Start:   int32(start),
				})
			}
		}
	}
	if !sets {
		return p
	}
	for j := range p.Jobs {
		job := &p.Jobs[j]
		nodes := job.Places[0][0].Nodes
		for i := range job.Places {
			job.Places[i] = without(i, 3*nodes)
		}
	}
	p.Jobs = append(p.Jobs, Job{
		Profiles: [][]float64{{1, 0.75, 0.5}},
		Places:   []Place{holding([4]float64{1, 2, 0, 3})},
		Options:  []Option{{Utility: 3}},
	})
	p.Capacity = pooled(p.Capacity)
	return p
}

// spread returns a problem of up to five jobs as tiny makes them, whose places have several shares,
// or none: in one half of all as it comes, in the other half of the sets of four partitions.
func spread(r *rand.Rand) *Problem {
	p := tiny(r)
	p.Jobs = p.Jobs[:min(5, len(p.Jobs))]
	slots := p.slotCount()
	sets := r.IntN(2) == 0
	p.Capacity = make([][]float64, 4)
	for i := range p.Capacity {
		p.Capacity[i] = make([]float64, slots)
		for t := range slots {
			p.Capacity[i][t] = float64(r.IntN(6))
			if r.IntN(5) == 0 {
				p.Capacity[i][t] *= r.Float64()
			}
		}
	}
	for j := range p.Jobs {
		job := &p.Jobs[j]
		nodes := float64(1 + r.IntN(6))
		for i := range job.Places {
			switch {
			case !sets:
				job.Places[i] = anything(r)
			case r.IntN(4) == 0:
				job.Places[i] = holding([4]float64{float64(r.IntN(3)), float64(r.IntN(3)), float64(r.IntN(2))})
			case r.IntN(2) == 0:
				job.Places[i] = without(r.IntN(4), nodes)
			default:
				job.Places[i] = at(nodes, everywhere)
			}
		}
	}
	if sets {
		p.Capacity = pooled(p.Capacity)
	}
	return p
}

// anything returns a place with shares of some of four pools.
func anything(r *rand.Rand) Place {
	place := Place{}
	for i := range int32(4) {
		if r.IntN(5) < 3 {
			place = append(place, Share{i, float64(r.IntN(4))})
		}
	}
	if len(place) > 0 && r.IntN(3) == 0 {
		place[r.IntN(len(place))].Nodes *= r.Float64()
	}
	return place
}

// small returns one of n problems that brute force can solve: in the last third of them places have
// several shares.
func small(seed, n, stream uint64) *Problem {
	r := rand.New(rand.NewPCG(seed, stream))
	if seed < n-n/3 {
		return tiny(r)
	}
	return spread(r)
}

// Pools of four partitions, of which gangs may be spread over any three, or over all.
const (
	// Pool 0 is all partitions but the first, and so on.
	everywhere = 4
	setPools   = 5
)

// without returns the place of a gang that is spread over all partitions but one.
func without(partition int, nodes float64) Place { return at(nodes, partition, everywhere) }

// holding returns the place of a job that has so many nodes of each partition.
func holding(nodes [4]float64) Place {
	place := make(Place, setPools)
	for i := range place {
		place[i].Pool = int32(i)
		for partition, n := range nodes {
			if partition != i {
				place[i].Nodes += n
			}
		}
	}
	return place
}

// pooled returns the capacities of the pools, from those of four partitions.
func pooled(partitions [][]float64) [][]float64 {
	pools := make([][]float64, setPools)
	for i := range pools {
		pools[i] = make([]float64, len(partitions[0]))
		for partition, row := range partitions {
			for t, c := range row {
				if partition != i {
					pools[i][t] += c
				}
			}
		}
	}
	return pools
}
