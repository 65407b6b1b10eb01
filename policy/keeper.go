package policy

import "io"

// A Keeper is a policy that can save what it has learnt.
type Keeper interface {
	Save(w io.Writer) error
	Load(r io.Reader) error
}
