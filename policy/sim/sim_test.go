package sim_test

import "testing"

// What the simulator promises.
func TestPromises(t *testing.T) {
	t.Run("host and policy say to each other what the stories of testdata say", tellStories)
	t.Run("with everything going wrong that can, each job is done, or it is said why not", faults)
	t.Run("a record replays, and a policy that acts otherwise is found out", replayFindsADifference)
	t.Run("whatever the epoch of the host is, the same happens", epochs)
	t.Run("a policy that starts nothing stalls, also if it keeps waking itself", stalls)
	t.Run("metrics are what is counted by hand", metricsByHand)
	t.Run("a Monitor has counted what the result has", monitorAgreesWithTheResult)
	t.Run("a run ends with its context, with the error of that and no result", runEndsWithItsContext)
}
