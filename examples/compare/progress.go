package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"example.com/augur/examples/internal/cli"
)

// progress shows how far a run is, on a terminal.
type progress struct {
	w     *os.File // nil if stderr is no terminal
	name  string
	jobs  int
	begin time.Time
	last  time.Time
}

func newProgress(stderr io.Writer, name string, jobs int) *progress {
	return &progress{w: cli.Terminal(stderr), name: name, jobs: jobs, begin: time.Now()}
}

// show is called often, and writes four times a second, after the first second.
func (p *progress) show(ended int, events int64) {
	if p.w == nil {
		return
	}
	now := time.Now()
	if now.Sub(p.begin) < time.Second || now.Sub(p.last) < time.Second/4 {
		return
	}
	p.last = now
	fmt.Fprintf(p.w, "\r\033[K%s: %d %% of %s jobs ended, %s events", p.name, 100*ended/p.jobs, cli.Thousands(p.jobs), cli.Thousands(events))
}

func (p *progress) clear() {
	if p.w != nil && !p.last.IsZero() {
		fmt.Fprint(p.w, "\r\033[K")
	}
}
