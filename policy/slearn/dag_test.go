package slearn

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

func stagedHistory() *History {
	return jobtest.Must(NewHistory(HistoryConfig{
		Predictor: jobtest.Must(predict.New(predict.Config{Features: []string{"user+stage", "user"}})), Stages: true, Point: Winner,
	}))
}

// chain makes a job of two stages, of four tasks and of two, each task of a stage alike.
func chain(id policy.JobID, submitted, first, second policy.Duration) *workload.Job {
	return &workload.Job{
		Job: policy.Job{
			ID: id, Submitted: policy.Time(submitted), Attrs: []policy.Attr{{Name: "user", Value: "u"}},
			Stages: []policy.Stage{{Tasks: 4, Cores: 1}, {Tasks: 2, Cores: 3, Reads: []policy.Dep{{Stage: 0}}}},
		},
		Runtimes: [][]policy.Duration{{first, first, first, first}, {second, second}},
	}
}

// History learns from two jobs, run under GS, that the tasks of a user's stages take 10 s and
// 20 s. The pilots of the third take 15 s, half more.
func TestDAG(t *testing.T) {
	for _, test := range []struct {
		plain bool
		want  float64 // of a job whose pilots take 15 s
	}{{false, 4*15 + 6*30}, {true, 4*15 + 6*20}} {
		h := stagedHistory()
		jobs := []*workload.Job{chain(1, 0, 10*s, 20*s), chain(2, 100*s, 10*s, 20*s)}
		g := jobtest.Must(NewScheduler(Config{Forecast: NewForecast(h)}))
		runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 6})}, jobs, g)
		job := &chain(3, 0, 0, 0).Job
		if got, ok := h.Predict(job, 0); got != 4*10+6*20 || !ok {
			t.Errorf("history says %v core-seconds (%v), want 160", got, ok)
		}
		d := jobtest.Must(NewDAG(DAGConfig{Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: h, Plain: test.plain}))
		if got := d.Work(job, 0, []float64{14, 16}); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("plain %v: %v core-seconds, want %v", test.plain, got, test.want)
		}
		stranger := *job
		stranger.Attrs = nil
		if got := d.Work(&stranger, 0, []float64{14, 16}); got != 10*15 {
			t.Errorf("%v core-seconds of a job like which there was none, want 150", got)
		}
	}
}

// Pilots are tasks of a stage that reads no other, wherever it stands.
func TestPilotsOfWhatReadsNothing(t *testing.T) {
	s := jobtest.Must(NewSampling(SamplingConfig{Src: rand.NewPCG(1, 2), Ratio: 0.5}))
	p, err := s.Plan(&policy.Job{Stages: []policy.Stage{{Tasks: 4, Cores: 1, Reads: []policy.Dep{{Stage: 1}}}, {Tasks: 6, Cores: 1}}}, 0)
	if err != nil || p.Stage != 1 || p.Pilots != 3 {
		t.Errorf("got %d pilots of stage %d, %v, want 3 of stage 1", p.Pilots, p.Stage, err)
	}
}
