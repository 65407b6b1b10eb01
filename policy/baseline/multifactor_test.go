package baseline

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

func TestMultifactorConfig(t *testing.T) {
	for _, test := range []struct {
		names  string // what the error must name
		change func(*MultifactorConfig)
	}{
		{"Age is -1", func(c *MultifactorConfig) { c.Age = -1 }},
		{"FairShare is NaN", func(c *MultifactorConfig) { c.FairShare = math.NaN() }},
		{"Size is +Inf", func(c *MultifactorConfig) { c.Size = math.Inf(1) }},
		{"Config.Priority is 1e+10", func(c *MultifactorConfig) { c.Priority = 1e10 }},
	} {
		c := MultifactorConfig{}
		test.change(&c)
		if _, err := NewMultifactor(c); err == nil || !strings.Contains(err.Error(), test.names) {
			t.Errorf("got error %v, want one that says %q", err, test.names)
		}
	}
}

// brisk is Multifactor for stories of minutes.
func brisk(c MultifactorConfig) *multifactor {
	m := must(Multifactor(c)).(*multifactor)
	m.maxAge, m.halfLife, m.period = 100*s, 60*s, 10*s
	return m
}

// The job that waits for its reservation has the greatest of all priorities, and these are
// the sums that the definition gives, from everything that ever ran, as of the last
// calculation.
func TestMultifactorAgainstDefinition(t *testing.T) {
	changed := 0
	for seed := range uint64(10) {
		const cores = 16
		jobs := batch(seed, 150, cores, true)
		for i, j := range jobs {
			j.Attrs = []policy.Attr{{Name: "user", Value: fmt.Sprint(i * i % 7)}}
			j.Priority = float64(i%4) / 3
		}
		m, filler := brisk(MultifactorConfig{Age: 5000, FairShare: 10_000, Size: 1000, Priority: 1000}), EASY().(*easy)

		type run struct {
			user       string
			width      float64
			start, end policy.Time
		}
		runs := map[policy.Copy]*run{}
		var over []*run
		var came []string
		waiting := map[policy.JobID]int{}
		last, want, had := policy.Time(-1), map[policy.JobID]float64{}, map[string]float64{}
		half := m.halfLife.Seconds()
		usage := func(user string, now policy.Time) (sum float64) {
			add := func(r *run, end policy.Time) {
				if r.user == user {
					faded := func(t policy.Time) float64 { return math.Pow(0.5, now.Sub(t).Seconds()/half) }
					sum += r.width * half / math.Ln2 * (faded(end) - faded(r.start))
				}
			}
			for _, r := range runs {
				add(r, now)
			}
			for _, r := range over {
				add(r, r.end)
			}
			return sum
		}
		user := func(id policy.JobID) string { return jobs[id-1].Attrs[0].Value }
		priority := func(id policy.JobID) float64 {
			j := jobs[id-1]
			age := min(1, max(0, last.Sub(j.Submitted).Seconds())/100)
			size := min(1, float64(j.Stages[0].Width())/cores)
			share, ok := had[user(id)]
			if !ok {
				share = 1
			}
			return 5000*age + 10_000*share + 1000*size + 1000*j.Priority
		}
		p := watch{filled(m, filler), func(ev *policy.Event, actions []policy.Action) error {
			id := ev.Copy.Job
			switch {
			case ev.Kind == policy.Submitted && !slices.Contains(came, user(id)):
				came = append(came, user(id))
			case ev.Kind == policy.Started:
				runs[ev.Copy] = &run{user(id), float64(jobs[id-1].Stages[0].Width()), ev.Time, 0}
			case ev.Kind.End():
				runs[ev.Copy].end = ev.Time
				over = append(over, runs[ev.Copy])
				delete(runs, ev.Copy)
			}
			if last < 0 || ev.Time >= last.Add(m.period) {
				last = ev.Time
				sum := 0.0
				for _, u := range came {
					sum += usage(u, last)
				}
				for _, u := range came {
					had[u] = 1
					if sum > 0 {
						had[u] = math.Pow(2, -usage(u, last)/sum*float64(len(came)))
					}
				}
				for id := range waiting {
					if now := priority(id); now != want[id] {
						want[id] = now
						changed++
					}
				}
			}
			switch {
			case ev.Kind == policy.Ready:
				waiting[id] = int(jobs[id-1].Stages[0].Units())
				want[id] = priority(id)
			case ev.Again:
				if waiting[id]++; waiting[id] == 1 {
					want[id] = priority(id)
				}
			case ev.Kind == policy.Ended:
				delete(waiting, id)
			}
			for _, a := range actions {
				if waiting[a.Copy.Job]--; waiting[a.Copy.Job] == 0 {
					delete(waiting, a.Copy.Job)
				}
			}
			first := filler.reserved.job
			for id := range waiting {
				if got := m.jobs.Get(id).key; math.Abs(got-want[id]) > 0.51 {
					return fmt.Errorf("job %d has priority %v, want %v", id, got, want[id])
				}
				if !ev.More && first != 0 && want[id] > want[first]+1.01 {
					return fmt.Errorf("job %d with priority %v is first, but job %d has %v", first, want[first], id, want[id])
				}
			}
			return nil
		}}
		config := sim.Config{
			Nodes:  sim.Cluster(sim.Partition{Nodes: 1, Cores: cores}),
			Faults: sim.Faults{Seed: seed, TaskFailure: 0.02},
		}
		if _, err := simulate(t, config, jobs, p); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	if changed < 1000 {
		t.Errorf("%d priorities changed while their jobs waited, want more", changed)
	}
}
