package policy_test

import (
	"fmt"
	"time"

	"example.com/augur/policy"
)

// A job's attributes are those that its host gives it, and those that follow from what it asks for.
func ExampleJob_Attr() {
	job := policy.Job{
		Attrs:     []policy.Attr{{Name: "user", Value: "ann"}, {Name: "memory", Value: "large"}},
		Queue:     "batch",
		Requested: 90*time.Minute + time.Millisecond,
		Stages: []policy.Stage{
			{Tasks: 8, Cores: 2, Gang: true, Memory: 1 << 30, Needs: []policy.Need{{Name: "gpu", Amount: 500}}},
			{Tasks: 3, Cores: 4, Needs: []policy.Need{{Name: "gpu", Amount: 1000}, {Name: "disk", Amount: 250}}},
		},
	}
	for name := range job.AttrNames() {
		value, _ := job.Attr(name)
		fmt.Println(name, value)
	}
	_, ok := (&policy.Job{Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}).Attr("cpu")
	fmt.Println(ok)
	// Output:
	// user ann
	// memory large
	// queue batch
	// requested 5401
	// width 16
	// cpu 4
	// gpu 4000
	// disk 250
	// false
}
