package main

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"example.com/augur/policy/slearn"
	"example.com/augur/queue"
)

// A placed is how a wide job was estimated and where it was put for it.
type placed struct {
	off    float64 // error of its estimate, core-seconds: above 0 if it was estimated too long
	queues int     // how much lower than the queue of its true work it was put
}

// slearnMoreRight is the difference of Table 7 between SLearn and 3Sigma.
const slearnMoreRight = "wide jobs in the right queue under SLearn less those under 3Sigma, % of all"

// queuesPublished are Table 7, by trace, and which of 2strace were estimated too long (Table 10).
var queuesPublished = [2]struct {
	name  string
	right map[string]float64
	over  float64
}{
	{"SLearn", map[string]float64{"2strace": 89.09, "gtrace11": 86.45, "gtrace19": 73.96}, 43.75},
	{"3Sigma", map[string]float64{"2strace": 73.84, "gtrace11": 76.20, "gtrace19": 58.07}, 59.78},
}

// slearnQueues is Table 7, how many wide jobs are put into the queue of their true work, and of
// Table 10 how many are estimated too long. Shares are of all wide jobs.
func slearnQueues(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "Tables 7 and 10", func(ctx context.Context, d *round) (jobs [3][]placed, err error) {
		winner, err := d.run(ctx, d.learned(slearn.HistoryConfig{Point: slearn.Winner}))
		if err != nil {
			return jobs, err
		}
		for i, o := range []outcome{d.bySLearn, d.by3Sigma, winner} {
			if jobs[i], err = d.placed(o); err != nil {
				return jobs, err
			}
		}
		return jobs, nil
	}, func(r *report, runs [][3][]placed) {
		right := func(i int) []float64 {
			return each(runs, func(jobs [3][]placed) float64 { return shareOf(jobs[i], func(p placed) bool { return p.queues == 0 }) })
		}
		over := func(i int) []float64 {
			return each(runs, func(jobs [3][]placed) float64 { return shareOf(jobs[i], func(p placed) bool { return p.off > 0 }) })
		}
		for i, who := range queuesPublished {
			published := unpublished
			if t.of == "2strace" {
				published = who.over
			}
			r.add("Table 7", t.name, who.name+", wide jobs in the right queue, %", who.right[t.of], right(i))
			r.add("Table 10", t.name, who.name+", overestimated, %", published, over(i))
		}
		sampled, learned, winner := right(0), right(1), right(2)
		floats.SubTo(learned, sampled, learned)
		floats.SubTo(winner, sampled, winner)
		r.add("Table 7", t.name, slearnMoreRight, queuesPublished[0].right[t.of]-queuesPublished[1].right[t.of], learned)
		r.add("Table 7", t.name, "wide jobs in the right queue under SLearn less those under 3Sigma (winner), % of all", unpublished, winner)
	})
}

// placed returns what an outcome says of the wide jobs. Those that history knows nothing of,
// if there are any, are left out.
func (d *round) placed(o outcome) (jobs []placed, err error) {
	levels, err := queue.NewLevels(queue.MultilevelConfig{First: 1000}) // as GS has them
	if err != nil {
		return nil, err
	}
	for _, j := range d.execution {
		e := o.records[j.ID]
		if j.Tasks() < wide || !e.Estimated {
			continue
		}
		said, _ := levels.Level(e.Estimate)
		is, _ := levels.Level(j.Work())
		jobs = append(jobs, placed{off: e.Estimate - j.Work(), queues: said - is})
	}
	return jobs, nil
}
