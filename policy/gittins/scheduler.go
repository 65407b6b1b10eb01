package gittins

import (
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/predict"
)

// Options describes the policy of [NewScheduler]. The zero Options is ready to use.
type Options struct {
	// History is what is known of runtimes: forecast.Beliefs that were taught past jobs, or any other Forecast, for this
	// scheduler alone. Nil: Beliefs with a new Predictor, which find in the jobs what to go by and learn from those that end.
	History central.Forecast
	// Fill is what may pass a job that finds no room. Nil: nothing, which is as good where few jobs are gangs; set
	// baseline.EASY() for logs of gangs, which mostly gain by it (docs/gittins.md), or package preempt's if jobs can be saved.
	Fill central.Filler
	// Copies is which running tasks get another copy, in the turn of their job, such as a hopper.Speculation. Nil: none. It does
	// not go with package preempt's Fill.
	Copies central.Copier
	// Worth is that of [Config]: what a job is worth. Nil: all jobs are worth the same.
	Worth func(j *policy.Job, now policy.Time) (worth float64, until policy.Time)
	// MaxWait is how long others may go before a job of which nothing runs, at least 0; 0 means without limit, but for the
	// aging of [Turn]. After MaxWait only jobs that have waited as long, and were submitted before, go before it, with one task
	// or gang each. So if there are k of them, and no task or gang runs longer than D, it starts within
	//
	//	MaxWait + (k+1)·D
	//
	// of its submission, or of when something of it ran last. This holds without Fill, for jobs that fit on a node that is
	// there and need no named resources, and as long as (k+1)·D is below MaxWait. With baseline.EASY() it holds if no job runs
	// longer than forecast. Set it to the longest wait that users bear: if many jobs wait for so long, the order becomes that
	// of their submission. A wide gang that goes first keeps cores idle, so set Fill too if there are gangs.
	MaxWait policy.Duration
}

// NewScheduler returns the whole policy: the [Turn] with what is known of runtimes, and what Options adds. In compare and in
// package catalog it is the policy called index. What it learns from the jobs that end is kept by its Save and Load. It returns
// an error that names the option that is out of range, or says why two of them do not go together.
func NewScheduler(o Options) (*central.Scheduler, error) {
	turn, err := NewTurn(Config{Worth: o.Worth, MaxWait: o.MaxWait})
	if err != nil {
		return nil, err
	}
	if o.History == nil {
		predictor, err := predict.New(predict.Config{})
		if err != nil {
			return nil, err
		}
		if o.History, err = forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: predictor}); err != nil {
			return nil, err
		}
	}
	return central.New(central.Config{Turn: turn, Forecast: o.History, Fill: o.Fill, Copy: o.Copies})
}
