package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"example.com/augur/examples/lab/probing"
	"example.com/augur/policy"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// kairosEagle is Figs. 8 and 9: Kairos over Eagle, for short jobs and for long ones, on nodes as
// many as make the loads of the paper. It runs generated jobs that have the shares of Table
// 2, and, without -quick, the parts of traces that are in public, if they are in the folder of real traces.
func kairosEagle(f form) (items []item, err error) {
	loads := []float64{0.9, 0.8, 0.7}
	if !f.full {
		loads = loads[:1]
	}
	for i := range bigTraces {
		t := &bigTraces[i]
		name := "generated, like " + t.name
		b := &bed[bigJobs]{name: name, seeds: f.seeds, draw: func(seed uint64) (bigJobs, error) {
			return bigJobs{seed, t.generate(seed, f.of(1000, 1000))}, nil
		}}
		items = append(items, t.overEagle(name, b, b, loads))
	}
	if !f.full {
		return items, nil
	}
	for i := range bigTraces {
		t := &bigTraces[i]
		jobs, err := t.read(filepath.Join(f.traces, "eagle_format", t.file))
		if errors.Is(err, fs.ErrNotExist) {
			items = append(items, skipped(t.figure, t.file, err))
			continue
		}
		if err != nil {
			return nil, err
		}
		draw := func(seed uint64) (bigJobs, error) { return bigJobs{seed, jobs}, nil }
		// Only Eagle draws by the seed.
		each, once := &bed[bigJobs]{name: t.file, seeds: f.seeds, draw: draw}, &bed[bigJobs]{name: t.file + ", once", seeds: 1, draw: draw}
		items = append(items, t.overEagle(t.file, each, once, loads), t.sweep(t.file, once))
	}
	return items, nil
}

// bigJobs are a trace, and a seed for who draws.
type bigJobs struct {
	seed uint64
	jobs []*workload.Job
}

// A byClass is what became of the short jobs and of the long ones: P50, P90 and P99 of
// completion times in s, how much of the time of all nodes was spent, in percent, how often a task was
// suspended, and how many tasks stood suspended on a node.
type byClass struct {
	short, long [3]float64
	utilization float64
	suspensions float64
	standing    float64
}

var classPercentiles = [3]struct {
	name  string
	share float64
}{{"P50", 0.5}, {"P90", 0.9}, {"P99", 0.99}}

// A bigScheduler makes what jobs run under.
type bigScheduler func(seed uint64, truth policy.Truth) (policy.Scheduler, error)

// ask asks for the trial of what is made for a trace, on as many nodes as make a load.
func (t *bigTrace) ask(l *lab, b *bed[bigJobs], system string, load float64, under bigScheduler) *trial[byClass] {
	return ask(l, b, fmt.Sprintf("%s at load %.2f", system, load), func(ctx context.Context, d bigJobs) (byClass, error) {
		return t.run(ctx, d, nodesFor(d.jobs, load), under)
	})
}

// eagle asks for Eagle as section 6 has it.
func (t *bigTrace) eagle(l *lab, b *bed[bigJobs], load float64) *trial[byClass] {
	return t.ask(l, b, "Eagle", load, func(seed uint64, truth policy.Truth) (policy.Scheduler, error) {
		return probing.NewEagle(probing.Config{
			Src: rand.NewPCG(seed, 0x6561676c65), Estimate: probing.MeanRuntime(truth), Cutoff: t.cutoff, LongShare: t.share,
		})
	})
}

// kairos asks for Kairos as section 6 has it, but for the changes, which have a name.
func (t *bigTrace) kairos(l *lab, b *bed[bigJobs], name string, load float64, changes ...func(*kairos.Config)) *trial[byClass] {
	return t.ask(l, b, name, load, func(uint64, policy.Truth) (policy.Scheduler, error) {
		var c kairos.Config
		c.Queue, c.Node.Quantum = 2, t.quantum
		for _, change := range changes {
			change(&c)
		}
		return kairos.NewScheduler(c)
	})
}

// besides are what the two are shown beside: orders without preemption, and Kairos that has nothing to set, under a fair turn and
// under another one that knows no runtimes before tasks have ended.
var besides = []string{"fifo", "fair", "srpt", "kairos-adaptive", "index/none@adaptive"}

// beside asks for one of these.
func (t *bigTrace) beside(l *lab, b *bed[bigJobs], name string, load float64) *trial[byClass] {
	return t.ask(l, b, name, load, func(seed uint64, truth policy.Truth) (policy.Scheduler, error) {
		if name == "kairos-adaptive" {
			return kairos.NewAdaptive(), nil
		}
		line, err := catalog.Parse(name)
		if err != nil {
			return nil, err
		}
		return line.New(catalog.Setting{Truth: truth, Seed: seed})
	})
}

// A stand is a scheduler whose suspended tasks are counted.
type stand struct {
	policy.Distributed
	last   policy.Time
	now    int
	passed float64 // tasks times seconds
}

// Step implements [policy.Scheduler].
func (s *stand) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	s.passed += float64(s.now) * ev.Time.Sub(s.last).Seconds()
	s.last = ev.Time
	switch {
	case ev.Kind == policy.Suspended && !ev.Idle:
		s.now++
	case ev.Kind == policy.Resumed, ev.Kind.End() && ev.Idle:
		s.now--
	}
	return s.Distributed.Step(ev, actions)
}

// run runs jobs on so many nodes of one core, with the network of section 6.2.
func (t *bigTrace) run(ctx context.Context, d bigJobs, nodes int, under bigScheduler) (b byClass, err error) {
	jobs, truth := workload.Split(d.jobs)
	s, err := under(d.seed, truth)
	if err != nil {
		return b, err
	}
	counted := new(stand)
	if x, ok := s.(policy.Distributed); ok {
		counted.Distributed, counted.last = x, d.jobs[0].Submitted
		s = counted
	}
	result, err := sim.Run(ctx, sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: nodes, Cores: 1}), Jobs: jobs, Truth: truth, Delay: 500_000,
	}, s)
	if err != nil {
		return b, err
	}
	tasks := 0
	for _, j := range d.jobs {
		for _, stage := range j.Runtimes {
			tasks += len(stage)
		}
	}
	m := result.Metrics()
	b.suspensions = float64(m.Preemptions) / float64(tasks)
	b.standing = counted.passed / m.Makespan / float64(nodes)
	b.utilization = 100 * result.Busy / result.Available
	var short, long []float64
	for i := range result.Jobs {
		if j := &result.Jobs[i]; j.MeanTask < t.cutoff {
			short = append(short, j.JCT().Seconds())
		} else {
			long = append(long, j.JCT().Seconds())
		}
	}
	for i, p := range classPercentiles {
		b.short[i], b.long[i] = percentile(short, p.share), percentile(long, p.share)
	}
	return b, nil
}

// overEagle runs jobs under both, at some loads, highest first: under Kairos on a bed of its own, which may
// have one seed for all.
func (t *bigTrace) overEagle(name string, b, ours *bed[bigJobs], loads []float64) item {
	return func(l *lab) func(r *report) {
		shares := ask(l, ours, "Table 2", t.shares)
		eagle := each(loads, func(load float64) *trial[byClass] { return t.eagle(l, b, load) })
		kairos := each(loads, func(load float64) *trial[byClass] { return t.kairos(l, ours, "Kairos", load) })
		others := each(loads, func(load float64) []*trial[byClass] {
			return each(besides, func(name string) *trial[byClass] { return t.beside(l, ours, name, load) })
		})
		return func(r *report) {
			for i, what := range []string{"long jobs, % of all", "work of long jobs, % of all"} {
				r.add("Table 2", name, what, []float64{t.long, t.work}[i], each(shares.runs, func(s [2]float64) float64 { return s[i] }))
			}
			saved, added, least := make([]float64, b.seeds), make([]float64, b.seeds), make([]float64, b.seeds)
			for i := range b.seeds {
				saved[i], added[i], least[i] = math.Inf(-1), math.Inf(-1), math.Inf(1)
			}
			for k, load := range loads {
				pairs := make([]eagleKairos, b.seeds)
				for i := range pairs {
					p := eagleKairos{eagle[k].runs[i], kairos[k].runs[min(i, ours.seeds-1)]}
					saved[i] = max(saved[i], 100*(1-p.kairos.short[2]/p.eagle.short[2]))
					more := 100 * (p.kairos.long[2]/p.eagle.long[2] - 1)
					added[i], least[i] = max(added[i], more), min(least[i], more)
					pairs[i] = p
				}
				t.tellLoad(r, name, load, pairs)
				for i, other := range others[k] {
					t.tellBeside(r, name, load, besides[i], other.runs, eagle[k].runs)
				}
			}
			r.add(t.figure, name, "short JCT P99, Kairos below Eagle's by %, at most", t.saved, saved)
			r.add(t.figure, name, "long JCT P99, Kairos above Eagle's by %, at least", t.lessAdd, least)
			r.add(t.figure, name, "long JCT P99, Kairos above Eagle's by %, at most", t.added, added)
		}
	}
}

// shares returns how many percent of the jobs are long, and how much of the work is theirs.
func (t *bigTrace) shares(_ context.Context, d bigJobs) (percent [2]float64, err error) {
	jobs, work := 0.0, 0.0
	for _, j := range d.jobs {
		w, tasks := 0.0, 0.0
		for _, stage := range j.Runtimes {
			for _, d := range stage {
				w += d.Seconds()
				tasks++
			}
		}
		jobs++
		work += w
		if w/tasks >= t.cutoff.Seconds() {
			percent[0]++
			percent[1] += w
		}
	}
	return [2]float64{100 * percent[0] / jobs, 100 * percent[1] / work}, nil
}

// An eagleKairos is the same jobs under both.
type eagleKairos struct{ eagle, kairos byClass }

// tellLoad tells of one load.
func (t *bigTrace) tellLoad(r *report, name string, load float64, pairs []eagleKairos) {
	add := func(metric string, of func(p eagleKairos) float64) {
		r.add(t.figure, name, fmt.Sprintf("load %.2f, %s", load, metric), unpublished, each(pairs, of))
	}
	for _, class := range []struct {
		name string
		of   func(b byClass) [3]float64
	}{{"short", func(b byClass) [3]float64 { return b.short }}, {"long", func(b byClass) [3]float64 { return b.long }}} {
		for k, p := range classPercentiles {
			add(class.name+" JCT "+p.name+" under Kairos, s", func(p eagleKairos) float64 { return class.of(p.kairos)[k] })
			add(class.name+" JCT "+p.name+" under Eagle, s", func(p eagleKairos) float64 { return class.of(p.eagle)[k] })
			add(class.name+" JCT "+p.name+", Kairos over Eagle", func(p eagleKairos) float64 { return class.of(p.kairos)[k] / class.of(p.eagle)[k] })
		}
	}
	add("suspensions a task under Kairos", func(p eagleKairos) float64 { return p.kairos.suspensions })
	add("tasks suspended on a node under Kairos", func(p eagleKairos) float64 { return p.kairos.standing })
	add("utilization under Kairos, %", func(p eagleKairos) float64 { return p.kairos.utilization })
	add("utilization under Eagle, %", func(p eagleKairos) float64 { return p.eagle.utilization })
}

// tellBeside tells of one load under another policy.
func (t *bigTrace) tellBeside(r *report, name string, load float64, system string, runs, eagle []byClass) {
	add := func(metric string, of func(b byClass) float64) {
		r.add(t.figure, name, fmt.Sprintf("load %.2f, %s under %s", load, metric, system), unpublished, each(runs, of))
	}
	for k, p := range classPercentiles {
		add("short JCT "+p.name+", s,", func(b byClass) float64 { return b.short[k] })
		add("long JCT "+p.name+", s,", func(b byClass) float64 { return b.long[k] })
	}
	over := func(of func(b byClass) [3]float64) (ratios []float64) {
		for i := range eagle {
			ratios = append(ratios, of(runs[min(i, len(runs)-1)])[2]/of(eagle[i])[2])
		}
		return ratios
	}
	r.add(t.figure, name, fmt.Sprintf("load %.2f, short JCT P99, %s over Eagle", load, system), unpublished, over(func(b byClass) [3]float64 { return b.short }))
	r.add(t.figure, name, fmt.Sprintf("load %.2f, long JCT P99, %s over Eagle", load, system), unpublished, over(func(b byClass) [3]float64 { return b.long }))
	if strings.Contains(system, "adaptive") {
		add("suspensions a task", func(b byClass) float64 { return b.suspensions })
		add("tasks suspended on a node", func(b byClass) float64 { return b.standing })
	}
}

// sweep tells what the settings of Kairos are worth on a trace, at load 0.9.
func (t *bigTrace) sweep(name string, b *bed[bigJobs]) item {
	return func(l *lab) func(r *report) {
		eagle := t.eagle(l, b, 0.9)
		var settings []string
		var trials []*trial[byClass]
		add := func(name string, w float64, change func(c *kairos.Config)) {
			name = fmt.Sprintf("W = %.0f s, %s", w, name)
			settings = append(settings, name)
			trials = append(trials, t.kairos(l, b, name, 0.9, func(c *kairos.Config) {
				c.Node.Quantum = seconds(w)
				change(c)
			}))
		}
		for _, w := range []float64{100, 1000, 10_000} {
			add("Q = 2", w, func(*kairos.Config) {})
			add("Q = 4", w, func(c *kairos.Config) { c.Queue = 4 })
			add("Q = 8", w, func(c *kairos.Config) { c.Queue = 8 })
			add("no starvation rule", w, func(c *kairos.Config) { c.Node.Starvation = kairos.Never })
			add("firm", w, func(c *kairos.Config) { c.Node.ArrivalsWait = true })
		}
		return func(r *report) {
			for i, setting := range settings {
				for _, k := range []int{0, 2} {
					p := classPercentiles[k].name
					short := paired(trials[i], eagle, func(x, y byClass) float64 { return x.short[k] / y.short[k] })
					long := paired(trials[i], eagle, func(x, y byClass) float64 { return x.long[k] / y.long[k] })
					r.add(t.figure, name, setting+": short JCT "+p+", Kairos over Eagle", unpublished, short)
					r.add(t.figure, name, setting+": long JCT "+p+", Kairos over Eagle", unpublished, long)
				}
				r.add(t.figure, name, setting+": short JCT P99, Kairos below Eagle's by %", unpublished, trials[i].below(eagle, func(b byClass) float64 { return b.short[2] }))
			}
		}
	}
}
