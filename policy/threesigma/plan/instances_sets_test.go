package plan

import (
	"math"
	"math/rand/v2"
)

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

// overSets changes a problem of four partitions so that each gang may be spread over the three of
// them where it likes to be, or over all. Then it adds jobs that run, one for every five, which
// hold a third of what is free of each partition, together: of one as many nodes, of another
// others. Such a job has one option, to be kept; without it, it is preempted.
func overSets(p *Problem, r *rand.Rand) {
	for j := range p.Jobs {
		job := &p.Jobs[j]
		var likes [4]bool
		for _, o := range job.Options {
			likes[o.Place] = likes[o.Place] || o.Profile == 0
		}
		first, other := -1, 0 // of those that it likes, and the one that it does not
		for i := range likes {
			if !likes[i] {
				other = i
			} else if first < 0 {
				first = i
			}
		}
		nodes := job.Places[0][0].Nodes
		job.Places = []Place{without(other, nodes), at(nodes, everywhere)}
		var options []Option
		for _, o := range job.Options {
			switch int(o.Place) {
			case first:
				o.Place = 0
			case other:
				o.Place = 1
			default:
				continue // as the first
			}
			options = append(options, o)
		}
		job.Options = options
	}
	slots, running := p.slotCount(), len(p.Jobs)/5
	for range running {
		var nodes [4]float64
		for i := range nodes {
			nodes[i] = math.Floor(r.Float64() * 2 / 3 * p.Capacity[i][0] / float64(running))
		}
		profile := survival(math.Log(float64(slots))*r.Float64(), 0.2+1.3*r.Float64(), slots)
		utility := expected(profile, func(end float64) float64 { return max(0, 1-end/float64(2*slots)) })
		p.Jobs = append(p.Jobs, Job{
			Profiles: [][]float64{profile},
			Places:   []Place{holding(nodes)},
			Options:  []Option{{Utility: utility}},
		})
	}
	p.Capacity = pooled(p.Capacity)
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
