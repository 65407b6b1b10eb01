package central_test

import (
	"fmt"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// spread returns a view of nodes of four cores, and of a job of so many tasks, each of which
// three of the nodes hold the data of, if places is set.
func spread(b *testing.B, tasks, nodes int, places bool) (*central.View, *central.Job) {
	v := new(central.View)
	for id := range policy.NodeID(nodes) {
		observe(b, v, policy.Event{Kind: policy.Joined, Node: id + 1, Info: &policy.Node{ID: id + 1, Partition: 1, Cores: 4, Speed: 1}})
	}
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: uint32(tasks), Cores: 1}}}
	if places {
		stage := &job.Stages[0]
		for i := range 3 * tasks {
			stage.Holders = append(stage.Holders, policy.NodeID(1+(i*7919+i%3)%nodes))
		}
	}
	observe(b, v, policy.Event{Kind: policy.Submitted, Copy: copyOf(1, 0, 0, 0), Job: job})
	observe(b, v, policy.Event{Kind: policy.Ready, Copy: copyOf(1, 0, 0, 0)})
	return v, v.Job(1)
}

// A task is started, runs and is killed, to wait again: in order, on a node by name, and where
// it is local.
func BenchmarkViewStart(b *testing.B) {
	const nodes = 1000
	for _, tasks := range []int{100, 10000} {
		for _, how := range []string{"Anywhere", "Node", "Local"} {
			b.Run(fmt.Sprintf("%s/tasks=%d", how, tasks), func(b *testing.B) {
				v, j := spread(b, tasks, nodes, how == "Local")
				started := policy.Event{Kind: policy.Started}
				killed := policy.Event{Kind: policy.Killed, Again: true}
				v.Local(j, 1)
				n := policy.NodeID(0)
				b.ReportAllocs()
				for b.Loop() {
					n = n%nodes + 1
					var a policy.Action
					switch how {
					case "Anywhere":
						a = v.Start(j, central.Where{})
					case "Node":
						a = v.Start(j, central.Where{Node: n})
					case "Local":
						for v.Local(j, n) == 0 {
							n = n%nodes + 1
						}
						a = v.Start(j, central.Where{Node: n, Local: true})
					}
					started.Copy, started.Node = a.Copy, n
					killed.Copy, killed.Node = a.Copy, n
					observe(b, v, started)
					observe(b, v, killed)
				}
				if j.Waiting != tasks {
					b.Fatalf("%d tasks wait, want %d", j.Waiting, tasks)
				}
			})
		}
	}
}

// All tasks of a job are started once: in order, and where they are local, with the list of
// that.
func BenchmarkViewWholeJob(b *testing.B) {
	const nodes = 200
	for _, tasks := range []int{20, 10000} {
		for _, local := range []bool{false, true} {
			b.Run(fmt.Sprintf("local=%v/tasks=%d", local, tasks), func(b *testing.B) {
				v, j := spread(b, tasks, nodes, true)
				job := *j.Job
				b.ReportAllocs()
				n := policy.NodeID(0)
				for b.Loop() {
					job.ID++
					of := copyOf(job.ID, 0, 0, 0)
					j := observe(b, v, policy.Event{Kind: policy.Submitted, Copy: of, Job: &job})
					observe(b, v, policy.Event{Kind: policy.Ready, Copy: of})
					for j.Waiting > 0 {
						ev := policy.Event{Kind: policy.Started, Node: 1}
						if local {
							n = n%nodes + 1
							if v.Local(j, n) == 0 {
								continue
							}
							ev.Copy, ev.Node = v.Start(j, central.Where{Node: n, Local: true}).Copy, n
						} else {
							ev.Copy = v.Start(j, central.Where{}).Copy
						}
						observe(b, v, ev)
						ev.Kind = policy.Finished
						observe(b, v, ev)
					}
					observe(b, v, policy.Event{Kind: policy.Ended, Copy: of, Outcome: policy.Done})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tasks), "ns/task")
			})
		}
	}
}

// All tasks of a job are lost at once, again and again, and start again.
func BenchmarkViewLost(b *testing.B) {
	for _, tasks := range []int{1000, 16000} {
		b.Run(fmt.Sprintf("tasks=%d", tasks), func(b *testing.B) {
			v, j := spread(b, tasks, 1, false)
			b.ReportAllocs()
			lost := make([]policy.Copy, 0, tasks)
			for b.Loop() {
				for lost = lost[:0]; j.Waiting > 0; {
					lost = append(lost, v.Start(j, central.Where{}).Copy)
				}
				for _, c := range lost {
					observe(b, v, policy.Event{Kind: policy.Started, Copy: c, Node: 1})
				}
				for _, c := range lost {
					observe(b, v, policy.Event{Kind: policy.Lost, Copy: c, Node: 1, Again: true})
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tasks), "ns/task")
		})
	}
}
