package pipeline_test

import (
	"fmt"
	"log"
	"strings"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
)

// How soon a job must be done. The feed of the example of this package is worth nothing by itself, and 10 downloads as long
// as it is done before the report reads it, an hour after it was submitted. The report loses one download each hour.
func ExampleResult_Valuations() {
	result := analysed()
	mil, err := result.Valuations(pipeline.ValuationConfig{})
	if err != nil {
		log.Fatal(err)
	}
	wingMIL, err := result.Valuations(pipeline.ValuationConfig{Dependents: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, template := range []string{"feed-#", "report-#"} {
		j := &policy.Job{ID: 1, Attrs: []policy.Attr{{Name: "template", Value: template}}}
		for _, after := range []time.Duration{30 * time.Minute, 90 * time.Minute, 330 * time.Minute} {
			alone, _ := mil(j)
			whole, _ := wingMIL(j)
			fmt.Printf("%s done after %v: worth %g, with dependents %g\n", template, after, alone.Value.At(int64(after)), whole.Value.At(int64(after)))
		}
	}
	// Output:
	// feed-# done after 30m0s: worth 0, with dependents 10
	// feed-# done after 1h30m0s: worth 0, with dependents 0
	// feed-# done after 5h30m0s: worth 0, with dependents 0
	// report-# done after 30m0s: worth 10, with dependents 10
	// report-# done after 1h30m0s: worth 9, with dependents 9
	// report-# done after 5h30m0s: worth 5, with dependents 5
}

// Who will read what a job writes, so that it is raised before they come. The report has priority 5
// and cannot start without the feed, which its owner gave 1.
func ExampleResult_Foresight() {
	dependents := analysed().Foresight()
	feed := &policy.Job{ID: 1, Queue: "core", Priority: 1, Attrs: []policy.Attr{{Name: "template", Value: "feed-#"}}}
	for _, d := range dependents(feed) {
		fmt.Printf("after %v, in queue %s, one of priority %g\n", d.After, d.Queue, d.Priority)
	}
	raise, err := wing.NewRaise(wing.RaiseConfig{Ranker: wing.ByPriority(), Dependents: dependents})
	if err != nil {
		log.Fatal(err)
	}
	priority, _ := raise.Rank(feed, 0)
	fmt.Println("so the feed has", priority)
	// Output:
	// after 1h0m0s, in queue core, one of priority 5
	// so the feed has 5
}

// analysed is the result for the log of four days.
func analysed() *pipeline.Result {
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
	result, err := pipeline.Run(reader.Take(), pipeline.Config{
		End:     provenance.Time(4 * 24 * time.Hour),
		Window:  24 * time.Hour,
		Classes: provenance.ClassConfig{Month: 24 * time.Hour, Months: 3},
	})
	if err != nil {
		log.Fatal(err)
	}
	return result
}
