//go:build !linux

package processes

import (
	"errors"
	"os/exec"
	"runtime"
	"time"
)

const lifeOf = "MACHINE_LIFE"

// Watchdog does nothing here.
func Watchdog() {}

func (m *Machine) watch() (func(), error) {
	return nil, errors.New("machines stop and kill processes as Linux does, and this is " + runtime.GOOS)
}

type signal int

const (
	suspend signal = iota
	resume
	terminate
	kill
)

type process struct{}

func (*process) signal(signal)               {}
func (*process) wait() error                 { return nil }
func (*process) pid() int                    { return 0 }
func (*process) used() (time.Duration, bool) { return 0, false }

type nursery struct{}

func newNursery() *nursery { return new(nursery) }

func (*nursery) close() {}

func (*nursery) start(*exec.Cmd) (*process, error) { return nil, nil }
