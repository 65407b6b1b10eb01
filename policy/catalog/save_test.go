package catalog

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/threesigma/plan"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/workload"
)

// halves returns jobs of which no part of the library is without work: users and programs recur, tasks straggle, requests are
// wrong, some jobs have stages, gangs, wide tasks, deadlines and places of data. Between the halves all that came has ended.
func halves(plain bool) (list []*workload.Job, second policy.Time) {
	list = jobtest.Must(workload.ReadAll(jobtest.Must(workload.HeavyTail{Seed: 5, Jobs: 240}.Source())))
	list = jobtest.Must(workload.ToLoad(list, 24, 1.3))
	source := jobtest.Must(workload.FillRequested(workload.Of(list), 3))
	source = jobtest.Must(workload.Stragglers{Seed: 6, Tail: 1.3, Bound: 50}.Source(source))
	source = jobtest.Must(workload.Deadlines{Seed: 7, Share: 0.4, Slack: []float64{0.5, 3}, Utility: 1, Partitions: []policy.PartitionID{1, 2}, Prefer: 0.5, Elsewhere: 1.5}.Source(source))
	source = jobtest.Must(workload.Locality{Seed: 8, Nodes: 6}.Source(source))
	list = jobtest.Must(workload.ReadAll(source))
	second = policy.Time(5 * 24 * time.Hour)
	rng, half := rand.New(rand.NewPCG(9, 10)), len(list)/2
	from := list[half].Submitted
	for i, j := range list {
		if i >= half {
			by := second.Sub(from)
			j.Submitted = j.Submitted.Add(by)
			if j.SLO != nil {
				j.SLO = &policy.SLO{Deadline: j.SLO.Deadline.Add(by), Utility: j.SLO.Utility}
			}
		}
		j.Priority = float64(rng.IntN(3))
		j.Requested = policy.Duration(float64(j.Requested) * (0.3 + rng.Float64()))
		if s := &j.Stages[0]; !plain && s.Tasks <= 12 {
			switch rng.IntN(8) {
			case 0:
				s.Gang = s.Tasks > 1
			case 1:
				s.Cores = 2
			case 2:
				s.Needs = []policy.Need{{Name: "gpu", Amount: 1 + rng.Int64N(2)}}
			}
		}
	}
	return list, second
}

// cluster returns nodes on which all of them fit.
func cluster() []policy.Node {
	nodes := sim.Cluster(sim.Partition{Nodes: 3, Cores: 4}, sim.Partition{Nodes: 3, Cores: 4, Speed: 1.5})
	for i := range nodes {
		nodes[i].Offers = []policy.Offer{{Name: "gpu", Amount: 1, Devices: 4}}
	}
	return nodes
}

// A keptLine is a policy that is saved between the halves.
type keptLine struct {
	name  string
	plain bool // tasks of one core only, which need nothing else
	draws bool // it draws between nodes that are equal, and after a restart draws anew: the paper's Kairos
}

// make makes the policy.
func (l keptLine) make(t testing.TB, truth policy.Truth) policy.Keeper {
	t.Helper()
	p, err := New(l.name, Setting{
		Truth: truth, Seed: 3, Hopper: hopper.Config{TurnConfig: hopper.TurnConfig{Group: "user"}},
		ThreeSigma: threesigma.Config{Interval: time.Minute, Solver: plan.Greedy{}}, // which has no budget, so that it needs no luck
		Ranker: func(string) (wing.Ranker, error) {
			return wing.Fixed(func(j *policy.Job) float64 { return 1 + j.Priority }), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p.(policy.Keeper)
}

// run runs the jobs, and returns what the policy has learnt by the end of the first half, and how the second one went. If there
// is a next, it makes the policy of the second half of that.
func (l keptLine) run(t testing.TB, next func(learnt []byte, truth policy.Truth) policy.Keeper) (learnt []byte, records []sim.JobRecord) {
	t.Helper()
	list, second := halves(l.plain)
	jobs, truth := workload.Split(list)
	p := l.make(t, truth)
	config := sim.Config{
		Nodes: cluster(), Jobs: jobs, Truth: truth,
		Pause: func(_ *sim.State, _, due policy.Time) {
			if due >= second.Add(-time.Hour) && learnt == nil {
				learnt = saved(t, p)
			}
		},
	}
	if next != nil {
		config.Faults.Restarts = []policy.Time{second.Add(-time.Hour)}
		config.Faults.NewPolicy = func() (policy.Scheduler, error) { return next(learnt, truth).(policy.Scheduler), nil }
	}
	result, err := sim.Run(context.Background(), config, p.(policy.Scheduler))
	if err != nil {
		t.Fatal(err)
	}
	half := len(result.Jobs) / 2
	for _, j := range result.Jobs[:half] {
		if j.Ended > second.Add(-2*time.Hour) {
			t.Fatalf("job %d ends at %v, want it to end before the second half", j.ID, j.Ended)
		}
	}
	return learnt, result.Jobs[half:]
}

func saved(t testing.TB, p policy.Keeper) []byte {
	t.Helper()
	var text, again bytes.Buffer
	if err := errors.Join(p.Save(&text), p.Save(&again)); err != nil {
		t.Fatalf("Save: %v", err)
	}
	if !bytes.Equal(text.Bytes(), again.Bytes()) {
		t.Error("saved twice it has other bytes")
	}
	return text.Bytes()
}

// everyPart returns the policies with a name, and a spec with each part.
func everyPart() (list []keptLine) {
	for _, p := range Named() {
		list = append(list, keptLine{name: p.Name, plain: strings.HasPrefix(p.Name, "kairos"), draws: strings.HasPrefix(p.Name, "kairos") && p.Name != "kairos-adaptive"})
	}
	for _, of := range []struct {
		before string
		room   *room
	}{{"", &turns}, {"index-", &fills}, {"index/", &forecasts}, {"fair+", &copiers}, {"fair+grass.", &whens}, {"fair:", &places}, {"fair@", &nodes}} {
		for _, p := range of.room.parts {
			list = append(list, keptLine{name: of.before + p.name, plain: of.room == &nodes, draws: of.before+p.name == "fair@kairos"})
		}
	}
	return list
}

// A policy that was saved, and loaded into a new one, decides as one that went on; and it is saved as the same bytes. So no part
// that learns is forgotten.
func TestSave(t *testing.T) {
	learn, all := make(map[string]bool), everyPart()
	if testing.Short() {
		all = learners
	}
	for _, l := range all {
		t.Run(l.name, func(t *testing.T) {
			learnt, went := l.run(t, nil)
			_, back := l.run(t, func(learnt []byte, truth policy.Truth) policy.Keeper {
				p := l.make(t, truth)
				if err := p.Load(bytes.NewReader(learnt)); err != nil {
					t.Fatal(err)
				}
				if again := saved(t, p); !bytes.Equal(again, learnt) {
					t.Errorf("what was saved, loaded and saved again has other bytes: %d, of %d", len(again), len(learnt))
				}
				return p
			})
			_, blank := l.run(t, func(_ []byte, truth policy.Truth) policy.Keeper { return l.make(t, truth) })
			learn[l.name] = !reflect.DeepEqual(blank, went)
			for i := range went {
				if !l.draws && !reflect.DeepEqual(back[i], went[i]) {
					t.Fatalf("after Load job %d went %+v, want %+v", went[i].ID, back[i], went[i])
				}
			}
			t.Logf("%d bytes, and without them it decides otherwise: %v", len(learnt), learn[l.name])
		})
	}
	for name := range strings.FieldsSeq(`index index/history index/last-two index/pilots index/hybrid index/chooser gs-slearn-dag multifactor random hopper fair+grass
		fair@adaptive fair:least-fragmentation 3sigma`) {
		if got, tried := learn[name]; tried && !got {
			t.Errorf("%s decides the same when it has learnt nothing, so that the jobs do not show whether it was loaded", name)
		}
	}
}
