package journal

import (
	"errors"
	"fmt"
	"io"
)

// lockSuffix is what the file has behind the journal's name that whoever has the journal open holds the lock of. It is
// a file of its own, which stays: the journal's own is another one after each Renew.
const lockSuffix = ".lock"

// errLocked is the error of a file that somebody else holds the lock of.
var errLocked = errors.New("it is open already, in another process or in this one")

func (files) lock(name string) (io.Closer, error) {
	f, err := lock(name + lockSuffix)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return f, nil
}
