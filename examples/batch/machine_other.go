//go:build !linux

package main

import (
	"context"
	"errors"
	"runtime"
)

var errNoMachine = errors.New("machines stop and kill processes as Linux does, and this is " + runtime.GOOS)

func beMachine(context.Context, *options) error { return errNoMachine }

func dead(*options, string) bool { return false }

type crew struct {
	*options
	began map[string]chan struct{}
}

func (c *crew) machine(int) string { return "" }

func (c *crew) fill() error { return errNoMachine }

func (c *crew) dismiss(int) {}
