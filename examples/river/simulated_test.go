package augurriver

import (
	"cmp"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/riverqueue/river/rivertype"
)

// A rows is River's table in memory, with workers that fetch from it every 100 ms as River does.
type rows struct {
	now     time.Time
	jobs    []*rivertype.JobRow
	seconds map[int64]float64
	slots   int
	updates int
}

func (m *rows) insert(a arrival) *rivertype.JobRow {
	args, _ := json.Marshal(a.args)
	j := &rivertype.JobRow{
		ID: int64(len(m.jobs) + 1), Kind: a.args.Kind(), EncodedArgs: args, Priority: wait, State: rivertype.JobStateAvailable,
		CreatedAt: m.now, ScheduledAt: m.now,
	}
	m.jobs = append(m.jobs, j)
	m.seconds[j.ID] = a.args.Seconds
	return j
}

// fetch completes what has ended, and starts the next jobs in River's order.
func (m *rows) fetch() (left int) {
	free := m.slots
	var available []*rivertype.JobRow
	for _, j := range m.jobs {
		if j.State == rivertype.JobStateRunning {
			if end := j.AttemptedAt.Add(time.Duration(m.seconds[j.ID] * 1e9)); !end.After(m.now) {
				j.State, j.FinalizedAt = rivertype.JobStateCompleted, &end
			} else {
				free--
				left++
			}
		}
		if j.State == rivertype.JobStateAvailable {
			available = append(available, j)
		}
	}
	slices.SortFunc(available, func(a, b *rivertype.JobRow) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), a.ScheduledAt.Compare(b.ScheduledAt), cmp.Compare(a.ID, b.ID))
	})
	for _, j := range available[:min(free, len(available))] {
		j.State, j.AttemptedAt = rivertype.JobStateRunning, new(m.now)
	}
	return left + len(available)
}

func (m *rows) view(since time.Time) (v view) {
	v.now = m.now
	for _, j := range m.jobs {
		r := row{id: j.ID, state: j.State, priority: j.Priority, scheduled: j.ScheduledAt}
		if j.AttemptedAt != nil {
			r.attempted = *j.AttemptedAt
		}
		if j.FinalizedAt != nil {
			r.finalized = *j.FinalizedAt
		}
		if r.finalized.IsZero() || !r.finalized.Before(since) {
			v.rows = append(v.rows, r)
		}
	}
	return v
}

// sweep is that of a sweeper, without a database.
func (m *rows) sweep(s *sweeper) {
	v := m.view(s.lessons.since)
	jobs := make(map[int64]*rivertype.JobRow)
	for _, id := range s.missing(v) {
		jobs[id] = m.jobs[id-1]
	}
	up, down := s.step(v, jobs)
	for _, id := range up {
		m.jobs[id-1].Priority = next
	}
	for _, id := range down {
		m.jobs[id-1].Priority = wait
	}
	m.updates += len(up) + len(down)
}

func simulate(t *testing.T, seed uint64, ordered bool) (small, smallP99, all, allP99, updates float64) {
	reports, jobs := flood(seed)
	m := &rows{now: time.Unix(1e9, 0), seconds: make(map[int64]float64), slots: 12}
	o, err := New(Config{Tenant: "customer", Features: []string{"report"}, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	q, _ := o.queue()
	s := newSweeper(o.config, q)
	for report, seconds := range reports {
		j := m.insert(arrival{args: sleepArgs{"small0", report, seconds}})
		j.State, j.AttemptedAt, j.FinalizedAt = rivertype.JobStateCompleted, new(m.now.Add(-time.Minute-time.Duration(seconds*1e9))), new(m.now.Add(-time.Minute))
	}
	start, left := m.now, 1
	for i := 0; left > 0 || len(jobs) > 0; i++ {
		m.now = start.Add(time.Duration(i) * 100 * time.Millisecond / 3)
		for len(jobs) > 0 && !start.Add(jobs[0].at).After(m.now) {
			m.insert(jobs[0])
			jobs = jobs[1:]
		}
		if i%15 == 0 && ordered {
			m.sweep(s)
		}
		left = m.fetch()
	}
	var w [2][]float64
	for _, j := range m.jobs[12:] {
		var a sleepArgs
		json.Unmarshal(j.EncodedArgs, &a)
		x := j.AttemptedAt.Sub(j.CreatedAt).Seconds()
		w[1] = append(w[1], x)
		if a.Customer != "flood" {
			w[0] = append(w[0], x)
		}
	}
	stat := func(x []float64) (mean, p99 float64) {
		slices.Sort(x)
		for _, v := range x {
			mean += v / float64(len(x))
		}
		return mean, x[len(x)*99/100]
	}
	small, smallP99 = stat(w[0])
	all, allP99 = stat(w[1])
	return small, smallP99, all, allP99, float64(m.updates) / float64(len(w[1]))
}

func TestSimulated(t *testing.T) {
	for seed := range uint64(5) {
		for _, ordered := range []bool{false, true} {
			a, b, c, d, e := simulate(t, seed+1, ordered)
			t.Logf("%d %5v small %5.1f %5.1f all %5.1f %5.1f updates %.2f", seed+1, ordered, a, b, c, d, e)
		}
	}
}
