package paper

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// lake is the state of the generator.
type lake struct {
	Lake
	rng        *rand.Rand
	begin, end policy.Time // of the experiment; the log begins at 0

	orgSums, hourSums []float64
	users             [][]int32 // by organisation
	orgOf             []int32   // by user
	templates         []*lakeTemplate
	open              [][]int32   // by organisation, templates that are not closed
	closed            [][][]int32 // by organisation, the templates of each closed workflow
	hubs              []int32
	workflows         int32
	owed, owedAbroad  float64 // dependencies per day that templates still need

	jobs  []lakeJob
	reads []int32 // jobs
}

// lakeJob is a job of the log. It read, or wanted to read, reads[from:to].
type lakeJob struct {
	submitted, completed policy.Time
	template             int32 // -1: ad hoc
	user, org            int32
	from, to             uint32
	kind                 LakeKind
	failed               bool // input was missing
	files                uint8
	style                uint8
	latest               bool  // it reads the latest file of each template
	closed               int32 // ad hoc: 1 + the closed workflow that it reads, or 0
	width                int32
	size                 float64 // width before it is scaled to the load
	priority             float64
	downloads            uint32 // start of the job's downloads in the log
}

func (l Lake) newLake() *lake {
	g := &lake{
		Lake: l, rng: lakeRNG(l.Seed, 0),
		begin: policy.Time(l.HistoryDays) * policy.Time(lakeDay),
		end:   policy.Time(l.HistoryDays+l.Days) * policy.Time(lakeDay),
		users: make([][]int32, l.Organisations), open: make([][]int32, l.Organisations), closed: make([][][]int32, l.Organisations),
		orgSums: cumulated(l.Organisations, 0.8), hourSums: make([]float64, 24), orgOf: make([]int32, l.Users),
	}
	sum := 0.0
	for i, x := range lakeHours {
		sum += x
		g.hourSums[i] = sum
	}
	for u := range l.Users {
		org := u // each has a user
		if u >= l.Organisations {
			org = pickSum(g.rng, g.orgSums)
		}
		g.users[org] = append(g.users[org], int32(u))
		g.orgOf[u] = int32(org)
	}
	return g
}

// run makes the jobs of a template, after those of the templates that it reads.
func (g *lake) run(i int32) {
	t := g.templates[i]
	t.first = -int((policy.Duration(lakeWarm) + t.phase) / t.period)
	if t.kind == LakePolling {
		g.poll(i)
	} else {
		g.byClock(i)
	}
	if t.irregular {
		slices.SortFunc(t.runs, func(a, b int32) int { return cmp.Compare(g.jobs[a].submitted, g.jobs[b].submitted) })
	}
	// The latest run is to be the one that ended last.
	last := policy.Time(math.MinInt64)
	for _, j := range t.runs {
		if j >= 0 && !g.jobs[j].failed {
			t.latest = t.latest && g.jobs[j].completed > last
			last = g.jobs[j].completed
		}
	}
}

// byClock makes the jobs of a template that does not poll, at the expected times or, if it is irregular, at times that
// vary.
func (g *lake) byClock(i int32) {
	t := g.templates[i]
	var times []policy.Time
	for c := t.first; ; c++ {
		at := policy.Time(c)*policy.Time(t.period) + policy.Time(t.phase)
		if at >= g.end {
			break
		}
		if t.irregular {
			at += saturate.To[policy.Time](0.25 * float64(t.period) * g.rng.NormFloat64())
			if at < -policy.Time(lakeWarm) {
				continue
			}
		}
		times = append(times, at)
	}
	slices.Sort(times)
	for _, at := range times {
		if j := g.clock(i, at); j >= 0 || !t.irregular { // runs of a regular one have numbers
			t.runs = append(t.runs, j)
		}
	}
}

// clock makes a job that is expected at the given time and submitted up to 20 s later.
func (g *lake) clock(i int32, at policy.Time) int32 {
	t := g.templates[i]
	from := len(g.reads)
	missing := false
	submitted := at + policy.Time(g.rng.Int64N(int64(20*time.Second)))
	if submitted >= g.end {
		return -1
	}
	for k := range t.edges {
		e := &t.edges[k]
		if at < e.from || at >= e.to {
			continue
		}
		u, n := g.templates[e.up], int(e.runs)
		if t.kind == LakeTolerant || t.irregular || u.irregular {
			if t.kind == LakeTolerant {
				n += g.rng.IntN(3) - 1
			}
			g.last(u, submitted, n)
			continue
		}
		newest := u.cycle(at.Add(-t.waits(u)))
		for c := newest; c > newest-n && c >= u.first; c-- {
			j := u.job(c)
			switch {
			case j < 0:
			case !g.jobs[j].failed && g.jobs[j].completed <= submitted:
				g.reads = append(g.reads, j)
			case c == newest: // of older ones it can do without
				g.reads = append(g.reads, j)
				missing = true
			}
		}
	}
	return g.addRun(i, submitted, from, missing)
}

// job returns the job of run c, or -1 if there is none.
func (t *lakeTemplate) job(c int) int32 {
	if c -= t.first; c < 0 || c >= len(t.runs) {
		return -1
	}
	return t.runs[c]
}

// last adds the last n runs of u that ended by t to the reads.
func (g *lake) last(u *lakeTemplate, t policy.Time, n int) {
	c := len(u.runs) - 1
	if !u.irregular {
		// Runs may end before they are expected to.
		c = min(c, u.cycle(t)-u.first+2+int(u.lateness/u.period))
	} else {
		c, _ = slices.BinarySearchFunc(u.runs, t, func(j int32, t policy.Time) int { return cmp.Compare(g.jobs[j].submitted, t) })
		c--
	}
	for ; n > 0 && c >= 0; c-- {
		j := u.runs[c]
		if j >= 0 && !g.jobs[j].failed && g.jobs[j].completed <= t {
			g.reads = append(g.reads, j)
			n--
		}
	}
}

// poll makes a job for every run of its trigger, or for every skip-th run, when all inputs are there.
func (g *lake) poll(i int32) {
	t := g.templates[i]
	trigger := g.templates[t.edges[0].up]
	for c := 0; ; c++ {
		// Run c follows that of number skip*(first+c), or, where runs have no numbers, that of
		// index skip*c.
		at := t.skip * c
		if !t.irregular {
			at = t.skip*(t.first+c) - trigger.first
		}
		if at >= len(trigger.runs) {
			return
		}
		made := int32(-1)
		if at >= 0 {
			if j := trigger.runs[at]; j >= 0 && !g.jobs[j].failed {
				made = g.polled(i, j, at)
			}
		}
		if t.irregular && made < 0 {
			continue
		}
		t.runs = append(t.runs, made)
	}
}

// polled makes the job that follows the run of its trigger with the given index.
func (g *lake) polled(i, after int32, at int) int32 {
	t := g.templates[i]
	from := len(g.reads)
	done := g.jobs[after].completed
	expected := done
	if u := g.templates[t.edges[0].up]; !t.irregular {
		expected = policy.Time(at+u.first)*policy.Time(u.period) + policy.Time(t.phase)
	}
	for k := range t.edges {
		e := &t.edges[k]
		if expected < e.from || expected >= e.to {
			continue
		}
		u := g.templates[e.up]
		switch {
		case k == 0:
			for c := at; c >= max(0, at-int(e.runs)+1); c-- {
				if j := u.runs[c]; j >= 0 && !g.jobs[j].failed {
					g.reads = append(g.reads, j)
				}
			}
		case u.irregular:
			g.last(u, done, int(e.runs))
		default:
			newest := u.cycle(expected)
			for c := newest; c > newest-int(e.runs) && c >= u.first; c-- {
				if j := u.job(c); j >= 0 && !g.jobs[j].failed {
					g.reads = append(g.reads, j)
				}
			}
		}
	}
	for _, j := range g.reads[from:] {
		done = max(done, g.jobs[j].completed)
	}
	submitted := done + policy.Time(g.rng.Int64N(int64(lakePoll)))
	if submitted >= g.end {
		g.reads = g.reads[:from]
		return -1
	}
	return g.addRun(i, submitted, from, false)
}

// addRun adds a run of a template that reads the jobs added to reads since from.
func (g *lake) addRun(i int32, submitted policy.Time, from int, missing bool) int32 {
	t := g.templates[i]
	j := lakeJob{
		submitted: submitted, completed: submitted, template: i, user: t.user, org: t.org,
		from: uint32(from), to: uint32(len(g.reads)), kind: t.kind, failed: missing, size: t.width,
		files: t.files, style: t.style, priority: t.priority,
	}
	if !missing {
		median := float64(t.runtime)
		if g.rng.Float64() < lakeSlow {
			median *= 2 + 8*g.rng.Float64()
		}
		j.completed += policy.Time(g.lognormal(median, lakeRunSigma))
	}
	g.jobs = append(g.jobs, j)
	return int32(len(g.jobs) - 1)
}

// sort sorts the jobs by submission, those from before the log first.
func (g *lake) sort() {
	order := make([]int32, len(g.jobs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(g.jobs[a].submitted, g.jobs[b].submitted), cmp.Compare(a, b))
	})
	place := make([]int32, len(order))
	jobs, reads := make([]lakeJob, len(order)), make([]int32, 0, len(g.reads))
	for at, i := range order {
		place[i] = int32(at)
	}
	for at, i := range order {
		j := g.jobs[i]
		from := uint32(len(reads))
		for _, up := range g.reads[j.from:j.to] {
			reads = append(reads, place[up])
		}
		j.from, j.to = from, uint32(len(reads))
		slices.Sort(reads[from:])
		jobs[at] = j
	}
	g.jobs, g.reads = jobs, reads
}
