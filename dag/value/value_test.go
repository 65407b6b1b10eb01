package value

import "testing"

// What values promise.
func TestPromises(t *testing.T) {
	t.Run("an aggregate is the sum over all paths to dependents", aggregateEqualsAllPaths)
	t.Run("Paths are all paths to dependents, in every algebra", pathsEqualAllPaths)
	t.Run("Windowed counts the paths that end within the window", windowedEqualsAllPaths)
	t.Run("a Function falls by its drops", functions)
	t.Run("a Store has the medians of its records, by template and by user", buildOfRecords)
	t.Run("readers of a Live see one Store or another, whole, while they are replaced", liveStores)
	t.Run("Load refuses a part of a Store, another version, and profiles that cannot be", loadRefuses)
	t.Run("a lookup allocates nothing", lookupAllocatesNothing)
}
