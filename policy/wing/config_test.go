package wing_test

import (
	"math"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/wing"
	"example.com/augur/queue"
)

// What a configuration lacks is named, with its value and what is allowed.
func TestConfigErrors(t *testing.T) {
	prio := wing.ByPriority()
	scheduler := func(c wing.Config) error { _, err := wing.NewScheduler(c); return err }
	queues := func(q ...wing.Queue) error { return scheduler(wing.Config{Ranker: prio, Queues: q}) }
	lookup := func(c wing.LookupConfig) error { _, err := wing.NewLookup(c); return err }
	mil := func(c wing.MILConfig) error { _, err := wing.NewMIL(c); return err }
	raise := func(c wing.RaiseConfig) error { _, err := wing.NewRaise(c); return err }
	for _, test := range []struct {
		err  error
		want string
	}{
		{scheduler(wing.Config{Ranker: prio, Inherit: 3}), "Config.Inherit is 3, want"},
		{queues(wing.Queue{}), `Config.Queues[0].Name is "", want`},
		{queues(wing.Queue{Name: "a"}, wing.Queue{Name: "a"}), `Config.Queues[1].Name is "a", want`},
		{queues(wing.Queue{Name: "a", Parent: "b"}), `Config.Queues[0].Parent is "b", want`},
		{queues(wing.Queue{Name: "a", Share: queue.Share{Guaranteed: 2}}), `Config.Queues[0].Share of "a": queue: Share.Guaranteed is 2, want`},
		{queues(wing.Queue{Name: "a", Share: queue.Share{Guaranteed: 0.7}}, wing.Queue{Name: "b", Share: queue.Share{Guaranteed: 0.7}}), `Config.Queues[1].Share of "b"`},
		{queues(wing.Queue{Name: "a", Share: queue.Share{Guaranteed: math.NaN()}}), `Share.Guaranteed is NaN`},
		{lookup(wing.LookupConfig{}), "LookupConfig.Efficiency is nil"},
		{mil(wing.MILConfig{}), "MILConfig.Value is nil"},
		{raise(wing.RaiseConfig{Dependents: foresight{}.of}), "RaiseConfig.Ranker is nil"},
		{raise(wing.RaiseConfig{Ranker: prio}), "RaiseConfig.Dependents is nil"},
		{raise(wing.RaiseConfig{Ranker: prio, Dependents: foresight{}.of, LeadTime: -1}), "RaiseConfig.LeadTime is -1ns, want"},
	} {
		if test.err == nil || !strings.HasPrefix(test.err.Error(), "wing: ") || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("error is %v, want one with %q", test.err, test.want)
		}
	}
	// Shares of tenths that sum up to 1 but for rounding leave nothing, and no error.
	var tenths []wing.Queue
	for i := range 10 {
		tenths = append(tenths, wing.Queue{Name: string(rune('a' + i)), Share: queue.Share{Guaranteed: 0.1}})
	}
	if err := queues(tenths...); err != nil {
		t.Error(err)
	}
}

// medians is a store of efficiencies by name.
type medians struct{ templates, users map[string]float64 }

func (m medians) of(template, user string) (float64, bool) {
	if e, ok := m.templates[template]; ok {
		return e, true
	}
	e, ok := m.users[user]
	return e, ok
}

// foresight predicts the same of all jobs.
type foresight []wing.Dependent

func (f foresight) of(*policy.Job) []wing.Dependent { return f }
