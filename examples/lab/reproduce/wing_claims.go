package main

import "fmt"

const (
	wingOneQueue = "lake, one queue"
	wingQueues   = "lake, queues of organisations"
)

// wingClaims are what following the value of data downstream is worth.
var wingClaims = []claim{
	wingClaim("Fig. 12", wingOneQueue, "Wing-Agg", "PRIO", 20),
	wingClaim("Fig. 12", wingOneQueue, "Wing-Agg", "Wing-Direct", 20),
	wingClaim("Fig. 12", wingOneQueue, "Wing-Direct", "PRIO", 20),
	wingClaim("Fig. 10", wingQueues, "Wing-Agg", "PRIO", 40),
	wingClaim("Fig. 10", wingQueues, "Wing-Agg", "PRIO", 20),
	wingClaim("Fig. 10", wingQueues, "Wing-Agg", "Wing-Direct", 20),
	wingClaim("Fig. 11", wingQueues, "Wing-Direct", "PRIO", 20),
}

// wingClaim is the claim that one policy attains more value than another at a capacity.
func wingClaim(item, bed, us, them string, capacity int) claim {
	metric := func(us, them string) string {
		return fmt.Sprintf("value under %s less that under %s at %d %% capacity, %% of all value", us, them, capacity)
	}
	c := claim{
		says: fmt.Sprintf("value under %s less that under %s at %d %% capacity, %s, %% of all", us, them, capacity, bed[len("lake, "):]),
		row:  name{item, bed, metric(us, them)},
	}
	if bed == wingOneQueue {
		for _, rival := range []string{"PRIO", "Wing-Direct"} {
			if rival != us {
				c.controls = append(c.controls, control{name{"Fig. 12", bed, fmt.Sprintf("value under %s at 40 %% capacity, %%", rival)}, all})
			}
		}
	} else {
		for _, other := range []int{60, 40, 20} {
			if other != capacity {
				c.controls = append(c.controls, control{name{"Fig. 10", bed, fmt.Sprintf("value under PRIO at %d %% capacity, %%", other)}, all})
			}
		}
	}
	const direct, tied = "Wing-Direct", "Wing-Direct with ties by compute time"
	switch {
	case us == direct:
		c.readings = append(c.readings, name{item, bed, metric(tied, them)})
	case them == direct:
		c.readings = append(c.readings, name{item, bed, metric(us, tied)})
	}
	if capacity == 20 {
		for _, other := range []string{"load 0.37", "load 0.42", "downloads anywhere in chains", "four times as large"} {
			c.readings = append(c.readings, name{item, bed + ", " + other, metric(us, them)})
		}
	}
	return c
}

var wingLevels = []name{
	{"Fig. 12", wingOneQueue, "value under Wing-Agg at 40 % capacity, %"},
	{"3.2", "lake", "dependent jobs that a month finds of the next, %"},
	{"Fig. 2", "lake", "tr of the greatest product of both, %"},
	{"Fig. 6", "lake", "value found in iteration 4, %"},
	{"Fig. 9", "lake", "aggregate value efficiencies told within 20 %, %"},
}

var wingNotes = []string{
	"The load, 0.38, is the one of seven at which the controls are nearest to what is published: see wingLoad in wing_bed.go. With one queue PRIO loses less than is published at any load at which Wing-Direct does not lose more, so that no load meets both.",
	"How deep in a chain downloads lie is set by Fig. 6. With downloads anywhere in chains aggregates gain more over direct values: that reading is not independent of Fig. 6.",
	"At 20 % capacity more jobs fail here than is published under every policy. The mean load is as published, so that of Cosmos must have another shape, which the text does not tell.",
	"The text names no order for jobs worth as much as one another. First come, first served is that of the system that was built on; ties by compute time are told under Wing-Direct with ties by compute time.",
}

// wingSummary is what became of the paper.
const wingSummary = `The paper says that the priority of a job by the value of all that is made of its output attains far more value on a small cluster than users' priorities, and more than its own downloads tell. PRIO, Wing-Direct
and Wing-Agg ran here on generated lakes, a twentieth of Cosmos, with one queue and with the queues of organisations. Aggregates gain on nearly every lake, in both arrangements: with queues of
organisations as much over PRIO as is published or more, with one queue two thirds of it, and over own downloads more with one queue and a third of it with several. Downloads lie at the ends of chains in
the lake, so that own downloads tell much; and at 20 % of the cores more jobs fail under every policy than is published, so that the load of Cosmos must have other peaks than ours.
The log of Cosmos, or its load hour by hour and how deep in its chains downloads lie, would settle it.`
