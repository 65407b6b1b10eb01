package pipeline_test

import (
	"fmt"
	"log"
	"strings"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
)

// From a log of four days to an order of jobs. Each day a feed is written, and a report made of it that ten users download.
// Nobody downloads the feed, so by itself it is worth nothing; but the report is, and cannot be made without it.
func Example() {
	jobs, operations := daily(4)
	reader, err := provenance.NewReader(provenance.ReaderConfig{Template: true})
	if err != nil {
		log.Fatal(err)
	}
	if err := reader.JobsCSV("jobs.csv", strings.NewReader(jobs)); err != nil {
		log.Fatal(err)
	}
	if err := reader.OpsCSV("operations.csv", strings.NewReader(operations)); err != nil {
		log.Fatal(err)
	}
	const day = 24 * time.Hour
	result, err := pipeline.Run(reader.Take(), pipeline.Config{
		Start: 0, End: provenance.Time(4 * day),
		Window:  day, // what counts comes within a day
		Classes: provenance.ClassConfig{Month: day, Months: 3},
	})
	if err != nil {
		log.Fatal(err)
	}
	var live value.Live
	live.Swap(result.Store)
	next := []*policy.Job{
		{ID: 1, Attrs: []policy.Attr{{Name: "template", Value: "feed-#"}}},
		{ID: 2, Attrs: []policy.Attr{{Name: "template", Value: "report-#"}}},
	}
	for _, j := range next {
		for _, efficiency := range []func(template, user string) (float64, bool){live.Direct, live.Priority} {
			lookup, err := wing.NewLookup(wing.LookupConfig{Efficiency: efficiency})
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("job %d: %g downloads per core-second\n", j.ID, lookup(j))
		}
	}
	// Output:
	// job 1: 0 downloads per core-second
	// job 1: 0.025 downloads per core-second
	// job 2: 0.1 downloads per core-second
	// job 2: 0.1 downloads per core-second
}

// daily returns so many days of a feed, at 1 h, and a report, at 2 h, as CSV: seconds since the log begins.
func daily(days int) (jobs, operations string) {
	var j, o strings.Builder
	fmt.Fprintln(&j, "job,name,user,org,submitted,completed,priority,compute")
	fmt.Fprintln(&o, "time,op,file,job")
	for d := range days {
		h := func(x float64) int { return d*86400 + int(x*3600) }
		fmt.Fprintf(&j, "f%d,feed-%d,ann,core,%d,%d,1,300\n", d, d, h(1), h(1.5))
		fmt.Fprintf(&j, "r%d,report-%d,bob,core,%d,%d,5,100\n", d, d, h(2), h(2.5))
		fmt.Fprintf(&o, "%d,write,feed-%d,f%d\n%d,read,feed-%d,r%d\n%d,write,report-%d,r%d\n", h(1.5), d, d, h(2), d, d, h(2.5), d, d)
		for k := range 10 {
			fmt.Fprintf(&o, "%d,download,report-%d,\n", h(3+float64(k)), d)
		}
	}
	return j.String(), o.String()
}
