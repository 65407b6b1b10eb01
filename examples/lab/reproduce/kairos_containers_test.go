package main

import (
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A node of one core has quanta of 4 s. Job 1 has a map of 10 s and a reduce of 5 s, and job 2 a task of 6 s, at 2 s. If the
// reduce may start once the map has begun, the core is never idle:
//
//	 0 s  the map begins, and the reduce takes its place; the map has what the reduce leaves
//	 2 s  job 2 takes the place of the reduce
//	 6 s  end of a quantum: the map takes the place of job 2, as it has attained nothing, being suspended
//	10 s  end of a quantum: the reduce, of 2 s, takes the place of the map, of 4 s. It leaves the core to job 2, which has used 4 s, and the map 6 s
//	12 s  job 2 is done, and the map has what is left
//	14 s  end of a quantum: the map takes the place of the reduce
//	16 s  the map is done, and the reduce begins
//	21 s  the reduce is done
//
// If the reduce holds the core, that is idle from 0 to 2 s and from 10 to 14 s, before job 2 is done at 16 s, and from 20 to 24 s,
// before the map is done at 26 s. If the reduce begins after the map, job 2 has the core from 2 to 6 s and from 10 to 12 s. With
// masters, job 2 loses it at 6 s to the map, which is done at 14 s, and then to the reduce, until 19 s.
func TestContainers(t *testing.T) {
	first := &workload.Job{Job: policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}, {Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0}}}}},
		Runtimes: [][]policy.Duration{{10e9}, {5e9}}}
	second := &workload.Job{Job: policy.Job{ID: 2, Submitted: 2e9, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}, Runtimes: [][]policy.Duration{{6e9}}}
	for _, tc := range []struct {
		rules containerRules
		want  completed
	}{
		{containerRules{}, completed{21, 10}},
		{containerRules{hold: true}, completed{31, 14}},
		{containerRules{slowstart: 1}, completed{21, 10}},
		{containerRules{master: true}, completed{19, 19}},
	} {
		system := kairosOnBed("Kairos", func(c *kairos.Config) { c.Node.Quantum = 4e9 })
		jobs, truth := workload.Split([]*workload.Job{first, second})
		p, err := system.make(hundredJobs{})
		if err != nil {
			t.Fatal(err)
		}
		result, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: jobs, Truth: truth}, newContainers(p, tc.rules))
		if err != nil {
			t.Fatal(err)
		}
		got := completed(each(result.Jobs, func(j sim.JobRecord) float64 { return j.JCT().Seconds() }))
		if !slices.Equal(got, tc.want) {
			t.Errorf("with %+v jobs take %v s, want %v", tc.rules, got, tc.want)
		}
	}
}

// If nothing starts before all that it reads is done, all is as without containers.
func TestContainersLate(t *testing.T) {
	bed := heavyTailed(form{few: 50})
	with := bed.with("late", func(b *kairosBed) { b.rules = &containerRules{slowstart: 1} })
	without := bed.with("without", func(b *kairosBed) { b.rules = nil })
	for _, s := range []kairosSystem{fifoOnBed, bigCOnBed} {
		var jcts []completed
		for _, b := range []*kairosBed{without, with} {
			d, err := b.draw(7)
			if err != nil {
				t.Fatal(err)
			}
			c, err := s.run(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			jcts = append(jcts, c)
		}
		if !slices.Equal(jcts[0], jcts[1]) {
			t.Errorf("%s: jobs take %v s in containers, want %v", s.name, jcts[1], jcts[0])
		}
	}
}
