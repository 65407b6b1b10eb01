package workload

import (
	"math/rand/v2"
	"slices"

	"example.com/augur/policy"
)

// Locality places the input of jobs on nodes, as a distributed file system does. If a stage reads
// no other stage, the replicas of the input of each of its tasks are on random nodes, and the
// task runs longer on other nodes. [Locality.Source] refuses values outside their range.
//
// # Source
//
// Hopper, section 5.1, where reading from local memory is "appreciably faster" than from
// others; three replicas are the default of HDFS. The factor is ours.
type Locality struct {
	Seed      uint64
	Nodes     int     // number of nodes of the cluster, which have the IDs 1, 2, 3 and so on; 1 to 2^24-1
	Replicas  int     // replicas of a task's input, on different nodes, 1 to 16, at most Nodes; 0 means min(3, Nodes)
	Elsewhere float64 // factor by which a task runs longer on other nodes, finite, ≥ 1; 0 means 2
}

func (l *Locality) validate() error {
	return check("Locality", []option{
		{"Nodes", l.Nodes, l.Nodes >= 1 && l.Nodes <= policy.MaxID, "1 to 2^24-1"},
		{"Replicas", l.Replicas, l.Replicas >= 1 && l.Replicas <= min(16, l.Nodes), "1 to 16, at most Nodes"},
		{"Elsewhere", l.Elsewhere, finite(l.Elsewhere) && l.Elsewhere >= 1, "finite, at least 1"},
	})
}

// Source returns the jobs of another source with the nodes that hold their input, one by one and in its order. They are new
// jobs, which share unchanged parts with the old ones. The factor of a stage that reads no other is replaced, also for nodes
// outside the partitions that it prefers. What is drawn for a job depends only on the seed and its ID. The error names the
// field that is outside its range. The source ends at a job that is not valid.
func (l Locality) Source(jobs Source) (Source, error) {
	if l.Replicas == 0 {
		l.Replicas = min(3, l.Nodes)
	}
	if l.Elsewhere == 0 {
		l.Elsewhere = 2
	}
	if err := l.validate(); err != nil {
		return nil, err
	}
	return changed(jobs, l.place), nil
}

func (l *Locality) place(old *Job) (*Job, error) {
	j := *old
	j.Stages = slices.Clone(j.Stages)
	rng := draws(l.Seed, localityStream, j.ID)
	for i := range j.Stages {
		if stage := &j.Stages[i]; len(stage.Reads) == 0 {
			stage.Holders, stage.Elsewhere = l.holders(rng, int(stage.Tasks)), l.Elsewhere
		}
	}
	return &j, nil
}

// holders draws the nodes of each task, all different.
func (l *Locality) holders(rng *rand.Rand, tasks int) []policy.NodeID {
	all := make([]policy.NodeID, 0, tasks*l.Replicas)
	for range tasks {
		task := len(all)
		for len(all) < task+l.Replicas {
			id := policy.NodeID(1 + rng.IntN(l.Nodes))
			if !slices.Contains(all[task:], id) {
				all = append(all, id)
			}
		}
	}
	return all
}
