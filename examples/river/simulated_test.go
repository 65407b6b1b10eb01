package augurriver

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"
)

// waits plays a workload to its end, and returns the means and 99th percentiles of the waits of small tenants and of all, s.
func (m *rows) waits(s *sweeper, jobs []arrival, sweep int) (r result) {
	start, past, left := m.now, len(m.jobs), 1
	for i := 0; left > 0 || len(jobs) > 0; i++ {
		m.now = start.Add(time.Duration(i) * time.Second / 30) // three processes fetch every 100 ms
		for len(jobs) > 0 && !start.Add(jobs[0].at).After(m.now) {
			m.insert(jobs[0].args)
			jobs = jobs[1:]
		}
		if sweep > 0 && i%sweep == 0 {
			m.sweep(s)
		}
		left = m.fetch()
	}
	var small, all []float64
	for _, j := range m.jobs[past:] {
		var a sleepArgs
		if json.Unmarshal(j.EncodedArgs, &a) != nil {
			panic("args")
		}
		w := j.AttemptedAt.Sub(j.CreatedAt).Seconds()
		all = append(all, w)
		if a.Customer != "flood" {
			small = append(small, w)
		}
	}
	r.small, r.smallP99 = meanAndP99(small)
	r.all, r.allP99 = meanAndP99(all)
	r.updates = float64(m.updates) / float64(len(all))
	return r
}

func meanAndP99(x []float64) (mean, p99 float64) {
	slices.Sort(x)
	for _, v := range x {
		mean += v / float64(len(x))
	}
	return mean, x[len(x)*99/100]
}

// The workload of TestFlood with simulated workers. The bounds are a little above what comes out, so that they hold up how far the
// leader looks ahead: with 4 times as many marks small tenants wait twice as long, with a quarter all wait a third longer.
func TestSimulated(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			var results []result
			for _, sweep := range []int{0, 15} {
				reports, jobs := flood(seed + 1)
				m, s := newRows(t, Config{Tenant: "customer"})
				s.config.Every = 500 * time.Millisecond
				m.slots = 12
				for _, report := range slices.Sorted(maps.Keys(reports)) {
					m.past(sleepArgs{"small0", report, reports[report]})
				}
				results = append(results, m.waits(s, jobs, sweep))
			}
			plain, order := results[0], results[1]
			t.Logf("River %+v", plain)
			t.Logf("Order %+v", order)
			if order.small > .03*plain.small || order.smallP99 > .06*plain.smallP99 {
				t.Errorf("small tenants wait %.1f s, P99 %.1f, want at most .03 and .06 of River's %.1f and %.1f", order.small, order.smallP99, plain.small, plain.smallP99)
			}
			if order.all > .52*plain.all {
				t.Errorf("all wait %.1f s, want at most .52 of River's %.1f", order.all, plain.all)
			}
			if order.updates > 1.2 {
				t.Errorf("%.2f updates a job, want at most 1.2", order.updates)
			}
		})
	}
}

// One worker, and 200 jobs that are there when another tenant begins to insert one like them each second: those that are younger
// go in their turn, although River takes the older of two with the same priority first.
func TestOneWorker(t *testing.T) {
	var jobs []arrival
	for i := range 200 {
		jobs = append(jobs, arrival{time.Duration(i) * time.Millisecond, sleepArgs{"flood", "report", .05}})
	}
	for i := range 10 {
		jobs = append(jobs, arrival{time.Duration(i+1)*time.Second + 20*time.Millisecond, sleepArgs{"small", "report", .05}})
	}
	m, s := newRows(t, Config{Tenant: "customer"})
	s.config.Every = 500 * time.Millisecond
	m.slots = 1
	m.past(sleepArgs{"small", "report", .05})
	r := m.waits(s, jobs, 15)
	t.Logf("%+v", r)
	if r.small > 0.6 || r.smallP99 > 1 {
		t.Errorf("the small tenant waits %.2f s, and %.2f at most, want at most .6 and 1: a look is .5 s apart", r.small, r.smallP99)
	}
	if r.updates > 1.5 {
		t.Errorf("%.2f updates a job, want at most 1.5", r.updates)
	}
}
