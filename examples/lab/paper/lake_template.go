package paper

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// LakeKind is how a job of a [Lake] deals with what it reads.
type LakeKind uint8

// The kinds of jobs.
const (
	LakeRoot     LakeKind = iota // it reads no job's output
	LakeBlind                    // it fails if something is missing
	LakePolling                  // it is submitted when all is there, or waits
	LakeTolerant                 // it reads what there is
)

// String returns the name of the kind.
func (k LakeKind) String() string {
	names := [...]string{"root", "blind", "polling", "tolerant"}
	if int(k) < len(names) {
		return names[k]
	}
	return "LakeKind(" + strconv.Itoa(int(k)) + ")"
}

// lakePeriods are the periods of templates and their shares. It is published that most are a day
// or less, that a day is the most frequent, and that 11 % are a week or more.
var lakePeriods = [...]struct {
	share  float64
	period policy.Duration
}{
	{0.003, time.Hour}, {0.010, 6 * time.Hour}, {0.500, lakeDay}, {0.180, 2 * lakeDay},
	{0.120, 3 * lakeDay}, {0.077, 4 * lakeDay}, {0.110, lakeWeek},
}

// lakeTemplate is a template. Run c of a regular template is expected at c times the period plus
// the phase.
type lakeTemplate struct {
	org, user, workflow int32
	kind                LakeKind
	irregular, hub      bool
	closed              bool // its workflow is closed
	style, files        uint8
	latest              bool // each run also writes a file whose name is that of the last one
	period, phase       policy.Duration
	runtime             policy.Duration // the median
	depth               float64         // mean number of jobs on the way up to a root
	lateness            policy.Duration // about how much later than expected a run may end
	slack               float64         // multiple of an input's lateness for which it waits
	width               float64         // before it is scaled to the load
	priority            float64
	downloads           float64 // mean of a run
	delay               policy.Duration
	skip                int // polling: one run for every skip runs of its trigger, the first edge
	edges               []lakeEdge
	first               int     // run number of runs[0]
	runs                []int32 // jobs, -1 where there was none
}

// lakeEdge means that a template reads the last runs of another one, for some time.
type lakeEdge struct {
	up, runs int32
	from, to policy.Time
}

// rate returns the runs per day.
func (t *lakeTemplate) rate() float64 { return float64(lakeDay) / float64(t.period) }

// newTemplates makes workflows until their templates have enough jobs. A template reads only
// earlier ones.
func (g *lake) newTemplates() {
	periods := make([]float64, len(lakePeriods))
	for i, p := range lakePeriods {
		periods[i] = p.share
	}
	byPeriod := newQuota(30, periods...)
	const slack = 50 // jobs a day
	byKind := newQuota(slack, 1-lakeDependent, lakeBlindShare, lakePollingShare, lakeDependent-lakeBlindShare-lakePollingShare)
	byClosed := newQuota(slack, 1-lakeClosed, lakeClosed)
	byHub := newQuota(slack, 1-lakeHubs, lakeHubs)
	byReader := newQuota(slack, 1-lakeCrossReaders, lakeCrossReaders)
	for total, want := 0.0, lakeRecurring*float64(g.JobsPerDay); total < want; g.workflows++ {
		org := int32(pickSum(g.rng, g.orgSums))
		p := byPeriod.draw(g.rng)
		begin := len(g.templates)
		closed := byClosed.draw(g.rng)
		for range around(g.rng, lakeSteps, 0.8) {
			if total >= want {
				break
			}
			t := g.newTemplate(org, lakePeriods[p].period)
			t.closed = closed == 1
			if len(g.templates) > begin || !t.closed && len(g.open[org]) > 0 {
				t.kind = LakeKind(byKind.draw(g.rng))
			}
			hub, cross := 0, 0
			if !t.closed && t.period <= lakeDay {
				hub = byHub.draw(g.rng)
			}
			if !t.closed && t.kind != LakeRoot {
				cross = byReader.draw(g.rng)
			}
			t.hub = hub == 1
			t.irregular = (t.kind == LakeRoot || t.kind == LakeTolerant) && g.rng.Float64() < lakeIrregular
			g.connect(t, begin, cross == 1)
			g.place(t, begin)
			rate := t.rate() // a trigger may have changed it
			byPeriod.give(p, 1)
			byKind.give(int(t.kind), rate)
			byClosed.give(closed, rate)
			byHub.give(hub, rate)
			byReader.give(cross, rate)
			total += rate
			i := int32(len(g.templates))
			g.templates = append(g.templates, t)
			if !t.closed {
				g.open[org] = append(g.open[org], i)
			}
			if t.hub {
				g.hubs = append(g.hubs, i)
			}
		}
		if closed == 1 {
			var all []int32
			for i := begin; i < len(g.templates); i++ {
				all = append(all, int32(i))
			}
			g.closed[org] = append(g.closed[org], all)
		}
	}
}

func (g *lake) newTemplate(org int32, period policy.Duration) *lakeTemplate {
	return &lakeTemplate{
		org: org, user: g.users[org][skewed(g.rng, len(g.users[org]))], workflow: g.workflows, period: period,
		style: uint8(g.rng.IntN(lakeStyles)), files: uint8(1 + g.rng.IntN(2)), latest: g.rng.IntN(4) == 0,
		runtime: g.lognormal(float64(lakeMedianRuntime), lakeRuntimeSigma),
		width:   math.Exp(lakeWidthSigma * g.rng.NormFloat64()),
		delay:   g.lognormal(float64(lakeMedianDelay), 1),
		skip:    1,
	}
}

// lognormal returns a time from a second to a day.
func (g *lake) lognormal(median, sigma float64) policy.Duration {
	x := median * math.Exp(sigma*g.rng.NormFloat64())
	return saturate.To[policy.Duration](math.Round(min(max(x, 1e9), float64(lakeDay))))
}

// lakeHours is how many of the workflows begin in each hour of the day: our guess.
var lakeHours = [24]float64{8, 7, 6, 6, 5, 5, 5, 5, 6, 5, 4, 4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2, 3, 4}

// place sets when a template is expected to run: after those of its workflow that it reads.
func (g *lake) place(t *lakeTemplate, begin int) {
	const step = 5 * time.Minute
	t.slack = 0.5 + 2.5*g.rng.Float64()
	trigger := t.kind == LakePolling
	t.lateness = t.runtime
	runs := 0.0
	for _, e := range t.edges {
		t.depth += float64(e.runs) * (1 + g.templates[e.up].depth)
		runs += float64(e.runs)
	}
	t.depth /= max(1, runs)
	own := false
	for i, e := range t.edges {
		u := g.templates[e.up]
		if i == 0 && trigger {
			t.skip = max(1, saturate.To[int](math.Round(float64(t.period)/float64(u.period))))
			t.period = u.period * policy.Duration(t.skip)
			t.irregular = u.irregular
			t.phase = u.phase + u.runtime + lakePoll/2
			own = true
		}
		if trigger {
			t.lateness = max(t.lateness, t.runtime+u.lateness)
			continue
		}
		if int(e.up) < begin {
			continue
		}
		own = true
		t.phase = max(t.phase, u.phase+u.runtime+t.waits(u))
	}
	if !own {
		hour := pickSum(g.rng, g.hourSums)
		t.phase = policy.Duration(hour)*time.Hour + policy.Duration(g.rng.IntN(12))*step
		t.phase += policy.Duration(g.rng.IntN(1+int((t.period-1)/lakeDay))) * lakeDay
	}
	if own && !trigger { // by an hour of its own, and not the soonest
		t.phase += policy.Duration(g.rng.Int64N(int64(lakeDay)))
	}
	if !trigger {
		t.phase = (t.phase + step - 1) / step * step
	}
	g.churn(t, trigger)
}

// connect lets a template read others.
func (g *lake) connect(t *lakeTemplate, begin int, cross bool) {
	if t.kind == LakeRoot {
		return
	}
	g.connectWithin(t, begin)
	if len(t.edges) == 0 {
		t.kind = LakeRoot
	} else if cross {
		g.connectAbroad(t)
	}
}

// need draws how many jobs a template should read, with the given mean. It is more if other
// templates read fewer than they should, and fewer if they read more: owed is the difference per day.
func (g *lake) need(t *lakeTemplate, mean, owed float64) int {
	more := owed / (8 * max(1, t.rate()))
	return around(g.rng, min(max(mean+more, 1), 2*mean), lakeFanSigma)
}

// connectWithin lets a template read others of its organisation. In its workflow, which starts
// with begin, it reads mostly the one just before it.
func (g *lake) connectWithin(t *lakeTemplate, begin int) {
	mean := (lakeDependencies - lakeCrossReaders*lakeCrossDependencies) / lakeDependent
	need := g.need(t, mean, g.owed)
	left := need
	for misses := 0; left > 0 && misses < 8; {
		up, ok := int32(-1), false
		if mine := len(g.templates) - begin; mine > 0 && (t.closed || len(t.edges) == 0 || g.rng.Float64() < 0.6) {
			up, ok = int32(len(g.templates)-min(mine, geometric(g.rng, 1.3))), true
		} else {
			up, ok = g.within(t.org)
		}
		n := 0
		if ok {
			n = g.add(t, up, min(left, geometric(g.rng, lakeRuns)))
		}
		if n == 0 {
			misses++
		}
		left -= n
	}
	for i, misses := 0, 0; left > 0 && misses < len(t.edges); i++ { // more runs of each, but not of months
		e := &t.edges[i%len(t.edges)]
		if policy.Duration(e.runs+2)*g.templates[e.up].period > lakeWeek {
			misses++
			continue
		}
		e.runs++
		left--
		misses = 0
	}
	g.owed += (mean - float64(need-left)) * t.rate()
}

// connectAbroad lets a template read hubs of other organisations.
func (g *lake) connectAbroad(t *lakeTemplate) {
	need := g.need(t, lakeCrossDependencies, g.owedAbroad)
	left := need
	for misses := 0; left > 0 && misses < 30; {
		n := 0
		if up, ok := g.abroad(t.org); ok {
			n = g.add(t, up, min(left, geometric(g.rng, lakeCrossRuns)))
		}
		if n == 0 {
			misses++
		}
		left -= n
	}
	g.owedAbroad += (lakeCrossDependencies - float64(need-left)) * t.rate()
}

// within draws an open template of the organisation, some more often than others.
func (g *lake) within(org int32) (int32, bool) {
	of := g.open[org]
	if len(of) == 0 {
		return 0, false
	}
	return of[skewed(g.rng, len(of))], true
}

// abroad draws a hub of another organisation.
func (g *lake) abroad(org int32) (int32, bool) {
	if len(g.hubs) == 0 {
		return 0, false
	}
	up := g.hubs[skewed(g.rng, len(g.hubs))]
	return up, g.templates[up].org != org
}

// add lets a template read the given number of runs of another, but at most a week of them. It
// returns the number, 0 if the template reads the other one already.
func (g *lake) add(t *lakeTemplate, up int32, runs int) int {
	if slices.ContainsFunc(t.edges, func(e lakeEdge) bool { return e.up == up }) {
		return 0
	}
	runs = max(1, min(runs, int(lakeWeek/g.templates[up].period)-1))
	t.edges = append(t.edges, lakeEdge{up: up, runs: int32(runs), from: -policy.Time(lakeWarm), to: g.end})
	return runs
}

// churn replaces the edges of a template over time, except that of a trigger.
func (g *lake) churn(t *lakeTemplate, trigger bool) {
	if t.closed {
		return
	}
	mean := float64(lakeWeek) / -math.Log1p(-lakeChurn)
	first := 0
	if trigger {
		first = 1
	}
	for i := first; i < len(t.edges); i++ {
		e := t.edges[i]
		lasts := g.rng.ExpFloat64() * mean
		if !(lasts < float64(e.to-e.from)) {
			continue
		}
		at := e.from + saturate.To[policy.Time](lasts)
		up, ok := int32(0), false
		if g.templates[e.up].org == t.org {
			up, ok = g.within(t.org)
		} else {
			up, ok = g.abroad(t.org)
		}
		if !ok || g.add(t, up, int(e.runs)) == 0 {
			continue // this one stays
		}
		t.edges[i].to = at
		t.edges[len(t.edges)-1].from = at
	}
}

// lakePoll is the longest time from the end of a polling job's input to its submission: 15 minutes.
const lakePoll = 15 * time.Minute

// waits returns how long after the expected end of a run of u the template counts on it.
func (t *lakeTemplate) waits(u *lakeTemplate) policy.Duration {
	return saturate.To[policy.Duration](t.slack * float64(u.lateness+lakePoll))
}

// cycle returns the number of the last run that is expected to have ended by an instant.
func (t *lakeTemplate) cycle(at policy.Time) int {
	d := int64(at) - int64(t.phase) - int64(t.runtime)
	c := d / int64(t.period)
	if d%int64(t.period) < 0 {
		c--
	}
	return int(c)
}

// lakeRNG returns the random source of a part of the generator.
func lakeRNG(seed, part uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6c616b65<<8|part)) }
