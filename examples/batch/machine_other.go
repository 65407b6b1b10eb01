//go:build !linux

package main

import (
	"context"
	"errors"
	"runtime"
)

func beMachine(context.Context, *options) error { return errNoMachine }

func alive(*options, int) bool { return false }

func startMachine(*options, int) error { return errNoMachine }

var errNoMachine = errors.New("machines stop and kill processes as Linux does, and this is " + runtime.GOOS)
