package provenance_test

import (
	"fmt"
	"time"

	"example.com/augur/dag/provenance"
)

// Every hour clicks are loaded. A report reads them twenty minutes later, but not at night, and
// an audit once a day. A week teaches what to expect.
func ExampleTrain() {
	const hour = provenance.Time(time.Hour)
	var log provenance.Log
	var deps []provenance.Dependency
	submit := func(name string, at provenance.Time) uint32 {
		log.Jobs = append(log.Jobs, provenance.Job{Template: log.Templates.Number(name), Submitted: at})
		return uint32(len(log.Jobs) - 1)
	}
	for i := range provenance.Time(14 * 24) {
		clicks := submit("clicks", i*hour)
		if i%24 >= 6 {
			report := submit("report", i*hour+hour/3)
			deps = append(deps, provenance.Dependency{From: clicks, To: report, First: i*hour + hour/3})
		}
		if i%24 == 0 {
			audit := submit("audit", i*hour+5*hour)
			deps = append(deps, provenance.Dependency{From: clicks, To: audit, First: i*hour + 5*hour})
		}
	}
	const week = 7 * 24 * hour
	classes, err := provenance.Classify(&log, deps, provenance.ClassConfig{End: 2 * week, Month: 7 * 24 * time.Hour, Months: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := provenance.Train(&log, deps, classes, provenance.TrainConfig{From: 0, To: week})
	if err != nil {
		fmt.Println(err)
		return
	}
	clicks, _ := log.Templates.Find("clicks")
	for _, q := range p.Predict(nil, clicks, provenance.BestThreshold) {
		fmt.Printf("after clicks comes %s, after %v, %.0f times in 100\n", log.Templates.Name(q.Template), q.TimeToDependency, 100*q.Share)
	}
	// Output:
	// after clicks comes report, after 20m0s, 75 times in 100
}
