package paper

import (
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// adHoc makes the ad-hoc jobs. Users explore the latest output of the templates of their
// organisation and of hubs, and their own output. All of it is there.
func (g *lake) adHoc() {
	byUser := cumulated(g.Users, 0.8)
	order := g.rng.Perm(g.Users)
	own := make([][]int32, g.Users)
	gap := float64(lakeDay) / ((1 - lakeRecurring) * float64(g.JobsPerDay))
	for now := -float64(lakeDay); ; {
		now += g.rng.ExpFloat64() * gap
		at := saturate.To[policy.Time](now)
		if at >= g.end {
			return
		}
		user := int32(order[pickSum(g.rng, byUser)])
		j := lakeJob{
			submitted: at, completed: at.Add(g.lognormal(float64(lakeMedianRuntime), lakeRuntimeSigma)),
			template: -1, user: user, org: g.orgOf[user], from: uint32(len(g.reads)), files: 1,
			size: math.Exp(lakeWidthSigma * g.rng.NormFloat64()), latest: true,
			style: uint8(g.rng.IntN(lakeStyles)), priority: g.level(g.rng.Float64() < lakeOddAdHoc),
		}
		if g.rng.Float64() < lakeDependent {
			g.explore(&j, own[user])
		}
		if j.to = uint32(len(g.reads)); j.to > j.from {
			j.kind = LakeBlind
		}
		own[user] = append(own[user], int32(len(g.jobs)))
		g.jobs = append(g.jobs, j)
	}
}

// explore adds the inputs of an ad-hoc job. It reads one file of each job.
func (g *lake) explore(j *lakeJob, own []int32) {
	cross := g.rng.Float64() < lakeCrossAdHoc/lakeDependent
	var closed []int32
	if flows := g.closed[j.org]; !cross && len(flows) > 0 && g.rng.Float64() < lakeClosed*lakeDependent/(lakeDependent-lakeCrossAdHoc) {
		w := g.rng.IntN(len(flows))
		closed = flows[w]
		j.closed, j.latest = int32(w+1), false // it may read older files
	}
	from := len(g.reads)
	for k, n := 0, around(g.rng, lakeAdHocDependencies/lakeDependent, lakeFanSigma); k < n; k++ {
		for range 8 { // or it reads one less
			had := len(g.reads)
			if !cross && len(own) > 0 && g.rng.Float64() < 0.15 {
				before := own[len(own)-1-g.rng.IntN(min(len(own), 5))]
				if b := &g.jobs[before]; b.completed <= j.submitted && b.closed == j.closed {
					g.reads = append(g.reads, before)
				}
			} else {
				up, ok, n := int32(-1), false, 1
				if closed != nil {
					up, ok = closed[g.rng.IntN(len(closed))], true
					n = 1 + g.rng.IntN(3)
				} else if cross && (k == 0 || g.rng.Float64() < 0.8) {
					up, ok = g.abroad(j.org)
				} else {
					up, ok = g.within(j.org)
				}
				if ok {
					g.last(g.templates[up], j.submitted, n)
				}
			}
			if len(g.reads) == had {
				continue
			}
			g.reads[had] = g.reads[len(g.reads)-1] // one of them, if they are several
			g.reads = g.reads[:had+1]
			if !slices.Contains(g.reads[from:had], g.reads[had]) {
				break
			}
			g.reads = g.reads[:had]
		}
	}
}
