package queue_test

import (
	"cmp"
	"fmt"

	"example.com/augur/queue"
)

// A Job waits in the queue, and keeps the handle by which it is found there.
type Job struct {
	Name      string
	Remaining int // slot-seconds
	handle    queue.Handle
}

// shorter orders jobs by remaining work. It ends in the name, so that a run repeats.
func shorter(a, b *Job) int {
	return cmp.Or(cmp.Compare(a.Remaining, b.Remaining), cmp.Compare(a.Name, b.Name))
}

// The job with the least work remaining goes first. While the jobs wait, one turns out to
// be longer than predicted, one gets some of its work done elsewhere, and one is cancelled:
// each is found by its handle.
func Example() {
	waiting := queue.NewHeap(shorter)
	jobs := map[string]*Job{}
	for _, j := range []*Job{
		{Name: "index", Remaining: 40},
		{Name: "report", Remaining: 10},
		{Name: "train", Remaining: 90},
		{Name: "backup", Remaining: 60},
	} {
		j.handle = waiting.Push(j)
		jobs[j.Name] = j
	}
	if first, ok := waiting.Peek(); ok {
		fmt.Println("shortest at first:", first.Name)
	}

	report := jobs["report"]
	report.Remaining = 70
	waiting.Fix(report.handle)

	train := jobs["train"]
	train.Remaining -= 65
	waiting.Fix(train.handle)

	backup := jobs["backup"]
	_, removed := waiting.Remove(backup.handle)
	fmt.Println("backup cancelled:", removed)
	_, removed = waiting.Remove(backup.handle) // stale by now, and harmless
	fmt.Println("backup cancelled again:", removed)

	for j, ok := waiting.Pop(); ok; j, ok = waiting.Pop() {
		fmt.Println(j.Name, j.Remaining)
	}
	// Output:
	// shortest at first: report
	// backup cancelled: true
	// backup cancelled again: false
	// train 25
	// index 40
	// report 70
}

// Of train and index nothing is known, so they go by the service that they have attained: who has had much leaves
// the first level to those that have had little. The work of report is estimated, so it goes at once where it belongs.
func ExampleMultilevel() {
	waiting, err := queue.NewMultilevel[string](queue.MultilevelConfig{Levels: 3, First: 100}) // slot-seconds
	if err != nil {
		fmt.Println(err)
		return
	}
	train, _ := waiting.Push("train", 0)
	index, _ := waiting.Push("index", 0)
	waiting.Push("report", 400)

	waiting.Move(train, 5000) // past 100, 1000
	waiting.Move(index, 99)   // stays where it is

	for job, ok := waiting.Pop(); ok; job, ok = waiting.Pop() {
		fmt.Println(job)
	}
	// Output:
	// index
	// report
	// train
}

// Two tenants share the one slot over time, three to one. Tasks are expected to take 10 s; those
// of lab take 20 s, which is known when they end.
func ExampleSharing() {
	slots, err := queue.NewSharing[string](queue.ByService)
	if err != nil {
		fmt.Println(err)
		return
	}
	tenants := map[string]queue.Handle{}
	for _, t := range []struct {
		name   string
		weight float64
	}{{"shop", 3}, {"lab", 1}} {
		handle, err := slots.Add(t.name, t.weight)
		if err != nil {
			fmt.Println(err)
			return
		}
		slots.Join(handle) // it has tasks to start
		tenants[t.name] = handle
	}

	tasks := map[string]int{}
	for range 700 {
		next, _ := slots.Next()
		tasks[next]++
		slots.Hold(tenants[next], 10) // the task starts

		slots.Hold(tenants[next], -10) // the task ends
		slots.Charge(tenants[next], map[string]float64{"shop": 10, "lab": 20}[next])
	}
	fmt.Println("tasks of shop:", tasks["shop"], "tasks of lab:", tasks["lab"])
	// Output: tasks of shop: 600 tasks of lab: 100
}

// A cluster of 100 cores belongs to two departments, and one of them to two teams. Sales and
// biology do not use what they are guaranteed. Physics has what biology leaves, but not more
// than the half of the cluster, so that 5 cores stay free. Each leaf keeps its jobs in the
// order that it likes.
func ExampleTree() {
	type Team struct {
		name   string
		jobs   *queue.Heap[*Job]
		handle queue.Handle
	}
	cluster, err := queue.NewTree(&Team{name: "cluster"}, 100) // cores
	if err != nil {
		fmt.Println(err)
		return
	}
	add := func(parent queue.Handle, name string, share queue.Share, jobs int) *Team {
		team := &Team{name: name, jobs: queue.NewHeap(shorter)}
		for i := range jobs {
			team.jobs.Push(&Job{Name: fmt.Sprint(name, i), Remaining: i})
		}
		if team.handle, err = cluster.Add(parent, team, share); err != nil {
			fmt.Println(err)
		}
		return team
	}
	research := add(cluster.Root(), "research", queue.Share{Guaranteed: 0.6}, 0)
	physics := add(research.handle, "physics", queue.Share{Guaranteed: 0.5, Maximum: 0.5}, 20)
	biology := add(research.handle, "biology", queue.Share{Guaranteed: 0.5}, 3)
	sales := add(cluster.Root(), "sales", queue.Share{Guaranteed: 0.4}, 6)

	const cores = 5 // of each job
	teams := []*Team{physics, biology, sales}
	for _, team := range teams {
		cluster.Join(team.handle, cores)
	}
	for team, ok := cluster.Next(); ok; team, ok = cluster.Next() {
		team.jobs.Pop() // starts
		cluster.Charge(team.handle, cores)
		if team.jobs.Len() == 0 {
			cluster.Leave(team.handle)
		}
	}
	for _, team := range append(teams, research) {
		use, _ := cluster.Use(team.handle)
		guaranteed, maximum, _ := cluster.Limits(team.handle)
		fmt.Println(team.name, use, "of", guaranteed, "to", maximum)
	}
	// Output:
	// physics 50 of 30 to 50
	// biology 15 of 30 to 100
	// sales 30 of 40 to 100
	// research 65 of 60 to 100
}

// The example of section 4.1 and Table 1 of the paper: two users share 9 cores and 18 GB. Each task of ann takes 1 core and
// 4 GB, each of bob 3 cores and 1 GB, so memory is what ann has most of, and cores bob. Both get two thirds of that.
func ExampleDRF() {
	cluster, err := queue.NewDRF[string](9, 18)
	if err != nil {
		fmt.Println(err)
		return
	}
	type User struct {
		handle     queue.Handle
		cores, mem float64 // of each task
		tasks      int
	}
	users := map[string]*User{"ann": {cores: 1, mem: 4}, "bob": {cores: 3, mem: 1}}
	for _, name := range []string{"ann", "bob"} {
		u := users[name]
		if u.handle, err = cluster.Add(name); err != nil {
			fmt.Println(err)
			return
		}
		cluster.Join(u.handle) // its tasks wait
	}

	cores, mem := 9.0, 18.0 // free
	for {
		name, _ := cluster.Next()
		u := users[name]
		if u.cores > cores || u.mem > mem {
			break
		}
		cores, mem = cores-u.cores, mem-u.mem
		cluster.Charge(u.handle, u.cores, u.mem)
		u.tasks++
		fmt.Printf("%s has %d cores and %d GB\n", name, u.tasks*int(u.cores), u.tasks*int(u.mem))
	}
	// Output:
	// ann has 1 cores and 4 GB
	// bob has 3 cores and 1 GB
	// ann has 2 cores and 8 GB
	// bob has 6 cores and 2 GB
	// ann has 3 cores and 12 GB
}
