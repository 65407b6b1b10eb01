package sim_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

func replayFindsADifference(t *testing.T) {
	var record bytes.Buffer
	run(t, sim.Config{Record: &record}, baseline.NewFIFO(), bag(1, 0, s, 2*s), bag(2, 0, s, s, s), bag(3, 0, s))
	if _, err := sim.Replay(bytes.NewReader(record.Bytes()), newFIFO); err != nil {
		t.Error(err)
	}

	_, err := sim.Replay(bytes.NewReader(record.Bytes()), func() (policy.Scheduler, error) { return baseline.NewFair(), nil })
	if want := `sim: line 8 of the record, Ready at 0 s: action 1 is {"kind":"Start","copy":{"job":2}}, want {"kind":"Start","copy":{"job":1,"index":1}}`; err == nil || err.Error() != want {
		t.Errorf("Fair in place of FIFO: got error %v, want %s", err, want)
	}

	cut := record.Bytes()[:record.Len()-20]
	if _, err := sim.Replay(bytes.NewReader(cut), newFIFO); err == nil || !strings.Contains(err.Error(), "line") {
		t.Errorf("a record that breaks off: error %v, want one that names the line", err)
	}
}

func newKairos() (policy.Scheduler, error) {
	return kairos.NewScheduler(kairos.Config{})
}

// recorded returns a record of a run with restarts under a central policy, or one with parts.
func recorded(t testing.TB, parts bool) (record []byte, newPolicy func() (policy.Scheduler, error)) {
	newPolicy = newFIFO
	if parts {
		newPolicy = newKairos
	}
	p, err := newPolicy()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	config := sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 2}), Delay: s / 10, Record: &b,
		Faults: sim.Faults{
			Outages: []sim.Outage{{Node: 2, At: at(2), For: s}}, Cancels: []sim.Cancel{{Job: 3, At: at(3)}},
			Restarts: []policy.Time{at(1.5)}, NewPolicy: newPolicy,
		},
	}
	jobs, truth := workload.Split([]*workload.Job{bag(1, 0, s, 2*s), bag(2, s, s, s, s), bag(3, 2*s, 9*s)})
	config.Jobs, config.Truth = jobs, truth
	if _, err := sim.Run(t.Context(), config, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), newPolicy
}

// A record that nobody has written is refused, with the line.
func TestHostileRecords(t *testing.T) {
	const joined = `{"event":{"t":0,"kind":"Joined","node":1,"info":{"id":1,"partition":1,"cores":2,"speed":1}}}`
	const submitted = `{"event":{"t":0,"kind":"Submitted","copy":{"job":1},"job":{"id":1,"stages":[{"tasks":2,"cores":1}]}}}`
	for _, test := range []struct {
		name, record, want string
	}{
		{"nothing", "", "the record is empty"},
		{"no JSON", "Submitted", "line 1 of the record: invalid character 'S'"},
		{"no event", "{}", "line 1 of the record has an event and a restart, or neither"},
		{"only restarts", `{"restart":true}`, "the record is empty"},
		{"both", joined + `{"restart":true,"event":{"kind":"Woken"}}`, "line 2 of the record has an event and a restart"},
		{"an unknown kind of action", joined + `{"event":{"kind":"Woken"},"actions":[{"kind":"Explode"}]}`, `line 2 of the record: `},
		{"an unknown field", `{"event":{"kind":"Woken","weather":"rain"}}`, `line 1 of the record: json: unknown field "weather"`},
		{"a part that has not joined", `{"part":3,"event":{"kind":"Woken"}}`, "line 1 of the record: Woken for part 3"},
		{"a task of no job", joined + `{"event":{"kind":"Started","copy":{"job":9,"index":4000000000},"node":1}}`, "line 2 of the record"},
		{"time that goes back", joined + `{"event":{"t":5,"kind":"Woken"}}{"event":{"t":4,"kind":"Woken"}}`, "line 3 of the record"},
		{"actions that are missing", joined + submitted + `{"event":{"kind":"Ready","copy":{"job":1}}}`, "line 3 of the record, Ready at 0 s: action 0 is "},
		{"actions of nobody", joined + `{"event":{"kind":"Woken"},"actions":[{"kind":"Wake"}]}`, "line 2 of the record, Woken at 0 s: action 0 is no more actions"},
	} {
		_, err := sim.Replay(strings.NewReader(test.record), newFIFO)
		if err == nil || !strings.HasPrefix(err.Error(), "sim: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}

// Bytes of any kind are refused or replayed, and what is replayed is replayed again.
func FuzzReplay(f *testing.F) {
	var newPolicy [2]func() (policy.Scheduler, error)
	for i, parts := range []bool{false, true} {
		var record []byte
		record, newPolicy[i] = recorded(f, parts)
		f.Add(parts, record)
		f.Add(parts, record[:len(record)/2])
	}
	f.Add(false, []byte(`{"event":{"kind":"Submitted","copy":{"job":1},"job":{"id":1,"stages":[{"tasks":2,"cores":1,"gang":true,"prefer":[1],"reads":[{"stage":0}]}],"slo":{},"inputs":{}}}}`))
	f.Fuzz(func(t *testing.T, parts bool, record []byte) {
		of := newPolicy[map[bool]int{true: 1}[parts]]
		events, err := sim.Replay(bytes.NewReader(record), of)
		if err != nil && !strings.HasPrefix(err.Error(), "sim: ") {
			t.Errorf("error %v, want one of sim", err)
		}
		again, errAgain := sim.Replay(bytes.NewReader(record), of)
		if again != events || fmt.Sprint(errAgain) != fmt.Sprint(err) {
			t.Errorf("%d events and error %v, and then %d and %v", events, err, again, errAgain)
		}
		if braces := bytes.Count(record, []byte("{")); err == nil && events == 0 || 2*events > braces {
			t.Errorf("%d events, error %v, of a record with %d braces", events, err, braces)
		}
	})
}
