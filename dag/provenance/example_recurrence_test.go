package provenance_test

import (
	"fmt"
	"time"

	"example.com/augur/dag/provenance"
)

// Clicks are loaded every day, when they have come. A report waits until they are, an audit
// reads those of two days by the clock, and once somebody looks at them.
func ExampleClassify() {
	const hour, day = provenance.Time(time.Hour), 24 * provenance.Time(time.Hour)
	var log provenance.Log
	submit := func(name string, at provenance.Time) uint32 {
		log.Jobs = append(log.Jobs, provenance.Job{
			Template:  log.Templates.Number(provenance.Template(name)),
			Submitted: at, Completed: at + hour, State: provenance.Complete,
		})
		return uint32(len(log.Jobs) - 1)
	}
	depend := func(to uint32, from ...uint32) {
		for _, job := range from {
			log.Ops = append(log.Ops,
				provenance.Op{Time: log.Jobs[job].Completed, Job: job, File: job, Kind: provenance.Write},
				provenance.Op{Time: log.Jobs[to].Submitted, Job: to, File: job, Kind: provenance.Read})
		}
	}
	var clicks []uint32
	for i := range provenance.Time(90) {
		clicks = append(clicks, submit(fmt.Sprintf("clicks day %d", i), i*day+(i*7)%11*hour))
		log := log.Jobs[clicks[i]]
		depend(submit(fmt.Sprintf("report day %d", i), log.Completed+hour/10), clicks[i])
		if i > 0 {
			depend(submit(fmt.Sprintf("audit day %d", i), i*day+20*hour), clicks[i-1], clicks[i])
		}
	}
	depend(submit("look", 50*day), clicks[48])

	found, err := log.Find(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	classes, err := provenance.Classify(&log, found.Dependencies, provenance.ClassConfig{Start: 0, End: 90 * day})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, traits := range classes.Templates {
		fmt.Printf("%s: %v\n", log.Templates.Name(uint32(i)), traits)
	}
	told := make(map[uint32]bool)
	for i, d := range found.Dependencies {
		if template := log.Jobs[d.To].Template; !told[template] {
			told[template] = true
			fmt.Printf("%s on clicks: %v\n", log.Templates.Name(template), classes.Dependencies[i])
		}
	}
	// Output:
	// clicks day #: recurring
	// report day #: recurring polling
	// audit day #: recurring periodic
	// look: ad hoc
	// report day # on clicks: recurring polling hard
	// audit day # on clicks: recurring hard
	// look on clicks: ad hoc hard
}
