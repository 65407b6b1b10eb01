package baseline

import (
	"fmt"
	"math"
	"testing"

	"example.com/augur/internal/traces"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// untilNoneMoves is Conservative by the other reading of its papers: it compresses the plan until no
// reservation moves.
type untilNoneMoves struct{ *conservative }

func (p untilNoneMoves) Decide(start func(j *central.Job) bool) {
	again := p.ended || p.void
	p.conservative.Decide(start)
	if !again {
		return
	}
	for p.ended = true; p.gaps; p.ended = true {
		p.conservative.Decide(start)
	}
}

// newUntilNoneMoves returns the policy of that. A job that comes at the instant of an end gets its reservation
// in the first of these turns or, if newcomers come last, after all of them.
func newUntilNoneMoves(newcomersLast bool) policy.Scheduler {
	fill := untilNoneMoves{Conservative().(*conservative)}
	s := filled(FIFO(), fill)
	if !newcomersLast {
		return s
	}
	return lastComers{s, fill}
}

// lastComers decides before a job comes, if something has ended at that instant.
type lastComers struct {
	*central.Scheduler
	fill untilNoneMoves
}

func (p lastComers) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Kind == policy.Submitted && p.fill.ended && p.fill.gaps {
		var err error
		if actions, err = p.Scheduler.Step(&policy.Event{Kind: policy.Woken, Time: ev.Time}, actions); err != nil {
			return actions, err
		}
	}
	return p.Scheduler.Step(ev, actions)
}

// BenchmarkConservative runs three logs under Conservative and under the other reading. All three are brought
// to one load, and jobs that request no time request twice what they take.
func BenchmarkConservative(b *testing.B) {
	for _, log := range []struct {
		name, file  string
		jobs, cores int
	}{
		{"nasa", "swf/NASA-iPSC-1993-3.1-cln.swf.gz", math.MaxInt, 128},
		{"wagap", "swf/wagap-2013.swf.gz", math.MaxInt, 1332},
		{"philly", "philly/philly_to_2017-10-31.csv.gz", 5000, 664},
	} {
		jobs := readLog(b, log.file, log.jobs, float64(log.cores), 0.9)
		for _, reading := range []struct {
			name string
			make func() policy.Scheduler
		}{
			{"once", func() policy.Scheduler { return NewConservative() }},
			{"until-none-moves", func() policy.Scheduler { return newUntilNoneMoves(false) }},
			{"newcomers-last", func() policy.Scheduler { return newUntilNoneMoves(true) }},
		} {
			b.Run(fmt.Sprintf("log=%s/compress=%s", log.name, reading.name), func(b *testing.B) {
				b.ReportAllocs()
				var m sim.Metrics
				for b.Loop() {
					config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: int32(log.cores)})}
					r, err := simulate(b, config, jobs, reading.make())
					if err != nil {
						b.Fatal(err)
					}
					m = r.Metrics()
				}
				b.ReportMetric(m.MeanJCT, "mean-JCT-s")
				b.ReportMetric(m.P99JCT, "P99-JCT-s")
				b.ReportMetric(m.MeanBoundedSlowdown, "bounded-slowdown")
				b.ReportMetric(float64(m.Done), "done")
			})
		}
	}
}

// readLog returns the first jobs of a trace, at a load.
func readLog(b *testing.B, file string, n int, cores, load float64) []*workload.Job {
	b.Helper()
	trace, err := trace.Open(traces.Path(b, file), trace.ReaderConfig{Lenient: true})
	if err != nil {
		b.Fatal(err)
	}
	defer trace.Close()
	requested, err := workload.Request(trace.Jobs(), 2)
	if err != nil {
		b.Fatal(err)
	}
	jobs, err := workload.ReadAll(requested)
	if err != nil {
		b.Fatal(err)
	}
	jobs, err = workload.ToLoad(jobs[:min(n, len(jobs))], cores, load)
	if err != nil {
		b.Fatal(err)
	}
	return jobs
}
