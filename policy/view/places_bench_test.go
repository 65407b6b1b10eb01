package view_test

import (
	"fmt"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/view"
)

// spread returns a view of nodes of four cores, and of a job of so many tasks, each of which
// three of the nodes hold the data of, if places is set.
func spread(b *testing.B, tasks, nodes int, places bool) (*view.View[int], *view.Job[int]) {
	v := new(view.View[int])
	see := func(ev policy.Event) {
		if _, err := v.Observe(&ev); err != nil {
			b.Fatal(err)
		}
	}
	for id := range policy.NodeID(nodes) {
		see(policy.Event{Kind: policy.Joined, Node: id + 1, Info: &policy.Node{ID: id + 1, Partition: 1, Cores: 4, Speed: 1}})
	}
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: uint32(tasks), Cores: 1}}}
	if places {
		stage := &job.Stages[0]
		for i := range 3 * tasks {
			stage.Holders = append(stage.Holders, policy.NodeID(1+(i*7919+i%3)%nodes))
		}
	}
	see(policy.Event{Kind: policy.Submitted, Copy: copyOf(1, 0, 0, 0), Job: job})
	see(policy.Event{Kind: policy.Ready, Copy: copyOf(1, 0, 0, 0)})
	return v, v.Job(1)
}

// A task is started, runs and is killed, to wait again: in order, on a node by name, and where
// it is local.
func BenchmarkViewStart(b *testing.B) {
	const nodes = 1000
	for _, tasks := range []int{100, 10000, 1000000} {
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
						a = v.Start(j, view.Where{})
					case "Node":
						a = v.Start(j, view.Where{Node: n})
					case "Local":
						for v.Local(j, n) == 0 {
							n = n%nodes + 1
						}
						a = v.Start(j, view.Where{Node: n, Local: true})
					}
					started.Copy, started.Node = a.Copy, n
					killed.Copy, killed.Node = a.Copy, n
					if _, err := v.Observe(&started); err != nil {
						b.Fatal(err)
					}
					if _, err := v.Observe(&killed); err != nil {
						b.Fatal(err)
					}
				}
				if j.Waiting != tasks {
					b.Fatalf("%d tasks wait, want %d", j.Waiting, tasks)
				}
			})
		}
	}
}

// What is local is asked of one node after another.
func BenchmarkViewLocal(b *testing.B) {
	for _, nodes := range []int{100, 10000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			v, j := spread(b, 10000, nodes, true)
			n, sum := policy.NodeID(0), 0
			b.ReportAllocs()
			for b.Loop() {
				n = n%policy.NodeID(nodes) + 1
				sum += v.Local(j, n)
			}
			if sum == 0 {
				b.Fatal("nothing is local")
			}
		})
	}
}

// All tasks of a job are started once: in order, and where they are local, with the list of
// that.
func BenchmarkViewWholeJob(b *testing.B) {
	const nodes = 200
	for _, tasks := range []int{10, 1000, 100000} {
		for _, local := range []bool{false, true} {
			b.Run(fmt.Sprintf("local=%v/tasks=%d", local, tasks), func(b *testing.B) {
				v, j := spread(b, tasks, nodes, true)
				job := *j.Job
				b.ReportAllocs()
				n := policy.NodeID(0)
				for b.Loop() {
					job.ID++
					ev := policy.Event{Kind: policy.Submitted, Copy: copyOf(job.ID, 0, 0, 0), Job: &job}
					j, err := v.Observe(&ev)
					if err != nil {
						b.Fatal(err)
					}
					ev = policy.Event{Kind: policy.Ready, Copy: ev.Copy}
					if _, err := v.Observe(&ev); err != nil {
						b.Fatal(err)
					}
					for j.Waiting > 0 {
						ev = policy.Event{Kind: policy.Started, Node: 1}
						if local {
							n = n%nodes + 1
							if v.Local(j, n) == 0 {
								continue
							}
							ev.Copy, ev.Node = v.Start(j, view.Where{Node: n, Local: true}).Copy, n
						} else {
							ev.Copy = v.Start(j, view.Where{}).Copy
						}
						if _, err := v.Observe(&ev); err != nil {
							b.Fatal(err)
						}
						ev.Kind = policy.Finished
						if _, err := v.Observe(&ev); err != nil {
							b.Fatal(err)
						}
					}
					ev = policy.Event{Kind: policy.Ended, Copy: copyOf(job.ID, 0, 0, 0), Outcome: policy.Done}
					if _, err := v.Observe(&ev); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tasks), "ns/task")
			})
		}
	}
}
