package paper_test

import (
	"reflect"
	"testing"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload"
)

// Each generator makes the jobs that its paper describes.
func TestPromises(t *testing.T) {
	t.Run("the same seed gives the same jobs, and another seed gives others", anotherSeedGivesOtherJobs)
	t.Run("a source that was left early yields the same jobs again", sourcesComeAgain)
	t.Run("Kairos: shares, tasks and times of Table 1, on 30 nodes with 4 cores", kairosIsTable1)
	t.Run("3Sigma: the figures of section 5", e2eIsThatOf3Sigma)
	t.Run("Hopper: the figures of section 5.2", hopperPublished)
	t.Run("Wing: the figures of Cosmos", lakeIsLikeCosmos)
	t.Run("Wing: all dependencies of a lake are found by package pipeline, and no others, and all downloads", lakeTruth)
	t.Run("SLearn: the figures of the TwoSigma trace", twoSigma)
	t.Run("SLearn: the figures of the Google traces", googleTraces)
}

// A source that was left early yields the same jobs as before.
func sourcesComeAgain(t *testing.T) {
	e2e, slearn, hopper := paper.DefaultE2E(), paper.Google19DAG(), paper.Facebook()
	e2e.Jobs, hopper.Jobs = 50, 20
	slearn.Jobs, slearn.Drawn = 4000, 60
	for name, source := range map[string]workload.Source{
		"e2e":       jobtest.Must(e2e.Source()),
		"history":   jobtest.Must(e2e.History(50)),
		"slearn":    jobtest.Must(slearn.History()),
		"execution": jobtest.Must(slearn.Source()),
		"kairos":    jobtest.Must(paper.DefaultKairos().Source()),
		"hopper":    jobtest.Must(hopper.Source()),
		"lake":      defaultLake(t).History(),
	} {
		for range source {
			break
		}
		if once, again := jobtest.All(t, source), jobtest.All(t, source); len(once) < 2 || !reflect.DeepEqual(once, again) {
			t.Errorf("%s: got %d jobs, and then %d that are not the same", name, len(once), len(again))
		}
	}
}
