package cli

import (
	"fmt"
	"io"
	"os"
	"time"
)

// A Progress shows how far a run is, or several, on a terminal.
type Progress struct {
	w     *os.File // nil if stderr is no terminal
	name  string
	jobs  int   // of a run
	read  int64 // bytes or jobs
	begin time.Time
	last  time.Time
}

// NewProgress returns one that is silent if stderr is no terminal. The name says what runs.
func NewProgress(stderr io.Writer, name string, jobs int) *Progress {
	return &Progress{w: Terminal(stderr), name: name, jobs: jobs, begin: time.Now()}
}

// Show is called often, as Progress of sim.Config, and writes four times a second, after the first second.
func (p *Progress) Show(ended int, events int64) {
	now, ok := p.due()
	if !ok {
		return
	}
	p.last = now
	fmt.Fprintf(p.w, "\r\033[K%s: %d %% of %s jobs ended, %s events", p.name, 100*ended/p.jobs, Thousands(p.jobs), Thousands(events))
}

// Ran is called when one of so many runs has ended, and by one goroutine at a time.
func (p *Progress) Ran(ended, of int) {
	if p.w == nil || time.Since(p.begin) < time.Second {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.w, "\r\033[K%s: %d of %d ended", p.name, ended, of)
}

// Clear wipes what is shown, when the run is over.
func (p *Progress) Clear() {
	if p.w != nil && !p.last.IsZero() {
		fmt.Fprint(p.w, "\r\033[K")
	}
}

// Read is called when so many more bytes, or jobs, have been read.
func (p *Progress) Read(n int, what string) {
	p.read += int64(n)
	if p.read&63 > 0 && what != "bytes" {
		return // jobs are read fast
	}
	if now, ok := p.due(); ok {
		p.last = now
		fmt.Fprintf(p.w, "\r\033[K%s: %s %s read", p.name, Thousands(p.read), what)
	}
}

// due reports whether it is time to write again.
func (p *Progress) due() (now time.Time, ok bool) {
	if p.w == nil {
		return now, false
	}
	now = time.Now()
	return now, now.Sub(p.begin) >= time.Second && now.Sub(p.last) >= time.Second/4
}
