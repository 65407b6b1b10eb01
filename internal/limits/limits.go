// Package limits bounds what a job may hold, be it read from a trace or generated.
package limits

const (
	// Seconds bounds every time of a job, about 31 years, so that sums of them fit into policy.Time.
	Seconds = 1e9
	// ID bounds the IDs of jobs: tables by ID grow with the largest.
	ID = 1 << 28
)
