package wing_test

import (
	"fmt"
	"time"

	"example.com/augur/policy/wing"
)

// Which jobs of a data lake are set up badly, and why. The feed is what all else hangs on, and its
// owner has given it the least priority.
func ExampleAdvise() {
	templates := []wing.Template{
		{Name: "feed", Owner: "core", Queue: "daily", Jobs: 30, Priority: 1, Value: 9000, Work: 600, Own: 200},
		{Name: "report", Owner: "core", Queue: "daily", Jobs: 30, Priority: 8, Value: 6000, Work: 300, Own: 300,
			NoInput: 6, Late: 20 * time.Minute},
		{Name: "archive", Owner: "core", Queue: "daily", Jobs: 30, Priority: 9, Value: 10, Work: 900, Own: 900,
			Periodic: true, Runtime: 40 * time.Minute, Gap: 7 * time.Hour},
		{Name: "bids", Owner: "ads", Queue: "ads", Jobs: 60, Priority: 5, Value: 3000, Work: 100, Own: 100},
	}
	advice, err := wing.Advise(templates, []wing.Link{
		{Up: 0, Down: 1, Jobs: 30},
		{Up: 0, Down: 3, Jobs: 20},
	}, wing.AdviceConfig{Owner: "core"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range advice {
		fmt.Printf("%.0f: %s\n", f.Harm, f.Text)
	}
	// Output:
	// 9643: archive (core, queue daily): priority too high. Its priority of 9 is above that of 100 % of the other jobs in its queue, but its value for the compute time is above that of 0 %. A priority of 1 would put it there.
	// 6000: feed (core, queue daily): priority inverted. Its priority of 1 is below that of report (8), which reads its output. Give it at least 8.
	// 4500: feed (core, queue daily): priority too low. Its priority of 1 is above that of 0 % of the other jobs in its queue, but its value for the compute time is above that of 50 %. A priority of 8 would put it there.
	// 3000: report (core, queue daily): priority too low. Its priority of 8 is above that of 50 % of the other jobs in its queue, but its value for the compute time is above that of 100 %. A priority of 9 would put it there.
	// 1500: report (core, queue daily): submitted too early. 6 of its 30 jobs failed because input from feed was not there yet. Let them wait for it, or submit them 20m later.
	// 1000: feed (core, queue daily): read unawares. bids (ads) reads its output. Agree with them on when it is to be there, and tell them before you change it.
	// 0: archive (core, queue daily): can be shifted. Nobody reads its output for 7h after it is done, and it runs for at most 40m. It could run 6h later, when the cluster is less busy.
}
