package threesigma_test

import "testing"

// What the Scheduler promises.
func TestPromises(t *testing.T) {
	t.Run("of two jobs with the same mean, the distribution decides which goes first", caseForDistributions)
	t.Run("jobs with deadlines come before any number of others that are worth little", deadlinesFirst)
	t.Run("best-effort jobs are killed where a deadline needs their nodes, and no more of them than it needs", preemption)
	t.Run("best-effort jobs start however long they will run, and however long they have waited", nothingStarves)
	t.Run("a job that no start can save goes on without its deadline, or is given up", lateJobs)
	t.Run("a job whose history says that it is too late is tried, if over-estimates are handled", overestimated)
	t.Run("a job that runs longer than any before it is expected to end soon, then later and later", underestimated)
	t.Run("the answers of a solver are checked, its errors are told, and jobs are started all the same", solverIsChecked)
}
