package paper_test

import "testing"

// Each generator makes the jobs that its paper describes.
func TestPromises(t *testing.T) {
	t.Run("the same seed gives the same jobs, and another seed gives others", anotherSeedGivesOtherJobs)
	t.Run("Kairos: shares, tasks and times of Table 1, on 30 nodes with 4 cores", kairosIsTable1)
	t.Run("3Sigma: the figures of section 5", e2eIsThatOf3Sigma)
	t.Run("Hopper: the figures of section 5.2", hopperPublished)
	t.Run("Wing: the figures of Cosmos", lakeIsLikeCosmos)
	t.Run("SLearn: the figures of the TwoSigma trace", twoSigma)
	t.Run("SLearn: the figures of the Google traces", googleTraces)
}
