package main

import "fmt"

const (
	wingOneQueue = "lake, one queue"
	wingQueues   = "lake, queues of organisations"
)

// wingClaims are what following the value of data downstream is worth.
var wingClaims = []claim{
	wingClaim("Fig. 12", wingOneQueue, "Wing-Agg", "PRIO", 20, shape),
	wingClaim("Fig. 12", wingOneQueue, "Wing-Agg", "Wing-Direct", 20, behind),
	wingClaim("Fig. 12", wingOneQueue, "Wing-Direct", "PRIO", 20, shape),
	wingClaim("Fig. 10", wingQueues, "Wing-Agg", "PRIO", 40, ""),
	wingClaim("Fig. 10", wingQueues, "Wing-Agg", "PRIO", 20, ownValue),
	wingClaim("Fig. 10", wingQueues, "Wing-Agg", "Wing-Direct", 20, endsOfChains),
	wingClaim("Fig. 11", wingQueues, "Wing-Direct", "PRIO", 20, endsOfChains),
}

// wingClaim is the claim that one policy attains more value than another at a capacity.
func wingClaim(item, bed, us, them string, capacity int, why string) claim {
	metric := func(us, them string) string {
		return fmt.Sprintf("value under %s less that under %s at %d %% capacity, %% of all value", us, them, capacity)
	}
	c := claim{
		says: fmt.Sprintf("value under %s less that under %s at %d %% capacity, %s, %% of all", us, them, capacity, bed[len("lake, "):]),
		row:  name{item, bed, metric(us, them)}, why: why,
	}
	if bed == wingOneQueue {
		for _, policy := range []string{"PRIO", "Wing-Direct", "Wing-Agg"} {
			c.controls = append(c.controls, control{name{"Fig. 12", bed, fmt.Sprintf("value under %s at 40 %% capacity, %%", policy)}, all})
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
	{"3.2", "lake", "dependent jobs that a month finds of the next, %"},
	{"Fig. 2", "lake", "tr of the greatest product of both, %"},
	{"Fig. 6", "lake", "value found in iteration 4, %"},
	{"Fig. 9", "lake", "aggregate value efficiencies told within 20 %, %"},
}

var wingNotes = []string{
	"The load, 0.39, is that at which the value which one queue loses at 40 % capacity is nearest to what section 7.3 publishes, on seeds 101 to 120. At it PRIO is as published, and Wing-Direct and Wing-Agg lose a little more than a quarter too much.",
	"How deep in a chain downloads lie is set by Fig. 6. With downloads anywhere in chains aggregates gain more over direct values: that reading is not independent of Fig. 6.",
	"At 20 % capacity more jobs fail here than is published under every policy. The mean load is as published, so that of Cosmos must have another shape, which the text does not tell.",
	"The text names no order for jobs worth as much as one another. First come, first served is that of the system that was built on; ties by compute time are told under Wing-Direct with ties by compute time.",
}

const (
	endsOfChains = "the lake has its downloads at ends of chains, so that a job's own downloads tell much; with downloads anywhere, and in a lake four times as large, aggregates gain twice as much over them"
	ownValue     = "in these queues value by itself gains 24 % over the users' priorities and not 7, since downloads are at ends of chains; aggregates add the rest"
	behind       = "jobs that are never downloaded tie and go first come, first served, so that as many fail under Wing-Direct as under PRIO; with ties by compute time the difference is 11 %"
	shape        = "the lake is as busy in the mean as one queue at 40 % says, but at 20 % more jobs fail under every policy than is published: the load of Cosmos must have other peaks, and no figure tells them"
)
