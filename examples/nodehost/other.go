//go:build !linux

package main

import (
	"context"
	"errors"
	"io"
	"runtime"
)

func run(context.Context, []string, io.Writer, io.Writer) error {
	return errors.New("it stops and continues processes as Linux does, and this is " + runtime.GOOS)
}
