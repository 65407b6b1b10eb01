package policy

import (
	"io"

	"example.com/augur/internal/snapshot"
)

// A Keeper is a Scheduler, or a part of one, that can save what it has learnt from jobs that have ended: histories of runtimes,
// how much estimates have erred, what users have used. A host saves it now and then, and loads it into a new policy when it
// starts again. What the jobs at hand have told is not saved: the host reports them again.
//
// A snapshot knows its version, what parts it is of, and the options that it depends on. It has a checksum. Instants in it
// are of the host's clock, which must go on: a host that starts from another epoch starts without a snapshot.
type Keeper interface {
	// Save writes what was learnt. Policies that have learnt the same write the same bytes. The error is that of w or of a part.
	Save(w io.Writer) error
	// Load replaces what was learnt by a snapshot, which it reads to the end of r. Call it before the first event. If it
	// returns an error the policy is as it was, so that a host may go on without a snapshot. The error wraps [ErrFormat] or
	// [ErrConfig] and names the part, or is that of r.
	Load(r io.Reader) error
}

// Errors of [Keeper], for errors.Is.
var (
	// ErrFormat says that the input is not a snapshot, is damaged or cut short, or has another version.
	ErrFormat = snapshot.ErrFormat
	// ErrConfig says that the snapshot is whole, but of a policy with other parts or other options.
	ErrConfig = snapshot.ErrConfig
)
