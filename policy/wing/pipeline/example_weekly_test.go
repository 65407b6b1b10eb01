package pipeline_test

import (
	"bytes"
	"fmt"
	"log"
	"strings"
	"sync/atomic"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
)

// A valuer is what wing.NewMIL asks.
type valuer func(*policy.Job) (wing.Valuation, bool)

// newest has the valuations in use, as a value.Live has the store.
type newest struct{ atomic.Pointer[valuer] }

func (n *newest) of(j *policy.Job) (wing.Valuation, bool) {
	if f := n.Load(); f != nil {
		return (*f)(j)
	}
	return wing.Valuation{}, false
}

// What a host holds that goes on: a store and valuations, which are replaced while its policies use them, in another
// goroutine if it likes. It begins with nothing, learns, saves the store, and is restarted. Until it has analysed its log
// again it has no valuations, and goes by what the store says, which is on the same scale.
func Example_weekly() {
	job := &policy.Job{ID: 1, Attrs: []policy.Attr{{Name: "template", Value: "feed-#"}}}
	var saved bytes.Buffer
	for life := range 2 {
		var live value.Live
		var valuations newest
		lookup, err := wing.NewLookup(wing.LookupConfig{Efficiency: live.Priority})
		if err != nil {
			log.Fatal(err)
		}
		mil, err := wing.NewMIL(wing.MILConfig{Value: valuations.of, Unknown: lookup})
		if err != nil {
			log.Fatal(err)
		}
		if life > 0 {
			store, err := value.Load(&saved)
			if err != nil {
				log.Fatal(err)
			}
			live.Swap(store)
		}
		for days := 7 * life; days <= 7*(life+1); days += 7 {
			if days > 7*life { // a week has passed
				result, next, err := learn(days)
				if err != nil {
					log.Fatal(err)
				}
				live.Swap(result.Store)
				valuations.Store(&next)
			}
			agg, _ := lookup.Rank(job, 0)
			now, until := mil.Rank(job, 0)
			fmt.Printf("life %d, day %2d: Wing-Agg %.3f, Wing-MIL %.3f", life, days, agg, now)
			if until != policy.Never {
				then, _ := mil.Rank(job, until)
				fmt.Printf(", and %.3f from %.0f s on", then, until.Seconds())
			}
			fmt.Println()
		}
		if err := live.Load().Save(&saved); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// life 0, day  0: Wing-Agg 0.000, Wing-MIL 0.000
	// life 0, day  7: Wing-Agg 0.025, Wing-MIL 0.025, and 0.000 from 1800 s on
	// life 1, day  7: Wing-Agg 0.025, Wing-MIL 0.025
	// life 1, day 14: Wing-Agg 0.025, Wing-MIL 0.025, and 0.000 from 1800 s on
}

// learn analyses the log of so many days.
func learn(days int) (*pipeline.Result, valuer, error) {
	jobs, operations := daily(days)
	reader, err := provenance.NewReader(provenance.ReaderConfig{Template: true})
	if err != nil {
		return nil, nil, err
	}
	if err := reader.JobsCSV("jobs.csv", strings.NewReader(jobs)); err != nil {
		return nil, nil, err
	}
	if err := reader.OpsCSV("operations.csv", strings.NewReader(operations)); err != nil {
		return nil, nil, err
	}
	result, err := pipeline.Run(reader.Take(), pipeline.Config{ // of a log that goes on, a Clone
		End:     provenance.Time(time.Duration(days) * 24 * time.Hour),
		Window:  24 * time.Hour,
		Classes: provenance.ClassConfig{Month: 24 * time.Hour},
	})
	if err != nil {
		return nil, nil, err
	}
	valuations, err := result.Valuations(pipeline.ValuationConfig{Dependents: true})
	return result, valuations, err
}
