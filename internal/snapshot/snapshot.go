// Package snapshot frames what a part of a policy has learnt, and checks it when it is loaded again.
//
// A part says what it has learnt in one function, which works both ways: each call on the [Code] writes a value when the part is
// saved, and reads it when the part is loaded. So the two cannot disagree. [Save] and [Load] put a head before and a checksum
// behind that. A part that has parts writes their snapshots among its own values, by [Code.Part].
//
//	func (a *account) Save(w io.Writer) error { return snapshot.Save(w, a.head(), a.code) }
//
//	func (a *account) Load(r io.Reader) error {
//		fresh := *a
//		err := snapshot.Load(r, a.head(), fresh.code)
//		if err == nil {
//			*a = fresh
//		}
//		return err
//	}
//
// Load works on a copy, so that an error leaves the part as it was.
package snapshot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"slices"
)

// ErrFormat is wrapped by an error of Load if the input is not a snapshot, is damaged or cut short, or has another version.
var ErrFormat = errors.New("not a whole snapshot")

// ErrConfig is wrapped by an error of Load if the snapshot is whole, but of something with another configuration.
var ErrConfig = errors.New("snapshot of another configuration")

// A Head says what a snapshot is of.
type Head struct {
	Kind    string // such as "forecast.Beliefs"
	Version int    // of what the Code function writes
	Config  string // what must be the same where the snapshot is loaded, such as "Loss 0.03"; "" if anything will do
}

const magic = "augur/learnt 1\n"

var table = crc64.MakeTable(crc64.ECMA)

// Save writes a snapshot. The error is that of a part or of w.
func Save(w io.Writer, h Head, code func(*Code)) error {
	if w == nil {
		return fmt.Errorf("%s: Save to a writer that is nil", h.Kind)
	}
	c := &Code{b: []byte(magic)}
	c.head(h)
	code(c)
	if c.err != nil {
		return fmt.Errorf("%s: %w", h.Kind, c.err)
	}
	_, err := w.Write(binary.LittleEndian.AppendUint64(c.b, crc64.Checksum(c.b, table)))
	return err
}

// Load reads a snapshot, to the end of r. The error wraps [ErrFormat] or [ErrConfig], or is that of r. After an error the parts
// that [Code.Part] and [Code.Binary] name are as they were; whatever else code sets must be a copy.
func Load(r io.Reader, h Head, code func(*Code)) error {
	if r == nil {
		return fmt.Errorf("%s: Load from a reader that is nil", h.Kind)
	}
	all, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	c := &Code{b: all, loading: true}
	c.Check(len(all) >= len(magic)+8 && string(all[:len(magic)]) == magic, "it begins otherwise, or ends early")
	if c.err == nil {
		c.b = all[len(magic) : len(all)-8]
		c.head(h)
	}
	if c.err == nil {
		code(c)
		c.Check(len(c.b) == 0, "more follows")
	}
	if c.err == nil {
		end := len(all) - 8
		c.Check(crc64.Checksum(all[:end], table) == binary.LittleEndian.Uint64(all[end:]), "checksum")
	}
	if c.err == nil {
		return nil
	}
	for _, undo := range slices.Backward(c.undo) {
		c.err = errors.Join(c.err, undo())
	}
	return fmt.Errorf("%s: %w", h.Kind, c.err)
}

// head writes the head, or compares it.
func (c *Code) head(want Head) {
	got := want
	version := uint64(want.Version)
	c.Text(&got.Kind)
	c.Uint(&version)
	c.Text(&got.Config)
	switch {
	case c.err != nil:
	case got.Kind != want.Kind:
		c.err = fmt.Errorf("%w: it is of a %s", ErrConfig, got.Kind)
	case version != uint64(want.Version):
		c.err = fmt.Errorf("%w: version %d, not %d", ErrFormat, version, want.Version)
	case got.Config != want.Config:
		c.err = fmt.Errorf("%w: it is of one with %s, this one has %s", ErrConfig, none(got.Config), none(want.Config))
	}
}

func none(config string) string {
	if config == "" {
		return "nothing to keep"
	}
	return config
}
