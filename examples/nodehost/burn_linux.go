package main

import (
	"os/signal"
	"syscall"
	"time"

	"example.com/augur/examples/internal/cli"
)

// burn takes processor time, and then returns: what a child of ours does. Its arguments are
// for how long, and deaf if it is to ignore all signals that can be ignored.
func burn(args []string) error {
	if len(args) == 0 {
		return cli.Usagef("burn for how long?")
	}
	need, err := time.ParseDuration(args[0])
	if err != nil {
		return cli.Usage(err)
	}
	if len(args) > 1 && args[1] == "deaf" {
		signal.Ignore(syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGTSTP,
			syscall.SIGALRM, syscall.SIGUSR1, syscall.SIGUSR2)
	}
	for x := uint32(1); ; {
		for range 1 << 16 {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
		}
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			return err
		}
		if time.Duration(u.Utime.Nano()+u.Stime.Nano()) >= need {
			return nil
		}
	}
}
