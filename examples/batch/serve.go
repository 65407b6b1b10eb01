package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/rpc"
	"os"
	"path/filepath"
	"sync"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/host"
	"example.com/augur/policy/kairos"
)

// machinesSocket is where machines join, and socket where submit and its like ask.
func machinesSocket(o *options) string { return filepath.Join(o.dir, "machines") }
func socket(o *options) string         { return filepath.Join(o.dir, "socket") }

// A scheduler is an engine with its sockets.
type scheduler struct {
	*host.Engine
	*options
	kept    kept
	changed map[string]bool // flags that are not as they were
	seen    seen

	listeners []net.Listener
	closed    context.Context // whose end ends connections
	end       context.CancelFunc
	serving   sync.WaitGroup // connections, and what accepts them
}

// kept is what the directory remembers of its last scheduler, besides the journal.
type kept struct {
	Flags map[string]string // by name
	Jobs  string            // the file
	Begun time.Time         // when these began to come
}

// recall makes a scheduler. Flags that are not given are as for the scheduler before; it reports which others have changed.
func recall(o *options) (*scheduler, error) {
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return nil, cli.Usage(err)
	}
	s := &scheduler{options: o, changed: make(map[string]bool), seen: seen{saved: make(map[policy.Task]policy.Duration)}}
	s.closed, s.end = context.WithCancel(context.Background())
	text, err := os.ReadFile(s.file())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err == nil:
		err = json.Unmarshal(text, &s.kept)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.file(), err)
	}
	o.flags.VisitAll(func(f *flag.Flag) {
		was, ok := s.kept.Flags[f.Name]
		switch {
		case !ok || f.Name == "dir" || f.Name == "jobs" || was == f.Value.String():
		case !o.given[f.Name]:
			err = errors.Join(err, f.Value.Set(was))
		default:
			s.changed[f.Name] = true
			fmt.Fprintf(o.stderr, "batch: -%s was %s and is %s from now on\n", f.Name, was, f.Value)
		}
	})
	return s, err
}

// open opens the engine, with all that it knew, and lets machines join and others ask.
func (s *scheduler) open(ctx context.Context) (err error) {
	s.Engine, err = host.Open(host.Config{
		Dir: s.dir, New: newPolicy, Policy: s.policy, Cannot: []policy.ActionKind{policy.Report},
		Attempts: s.attempts, Patience: s.patience, Heard: s.seen.hear,
	})
	if err != nil {
		return err
	}
	s.seen.Lock()
	n := s.seen.events
	s.seen.Unlock()
	if n > 0 {
		fmt.Fprintf(s.stderr, "batch: %d events restored\n", n)
	}
	if err = errors.Join(s.keep(), s.listen(ctx)); err != nil {
		return errors.Join(err, s.close())
	}
	return nil
}

// listen lets machines join and others ask.
func (s *scheduler) listen(ctx context.Context) error {
	asked := rpc.NewServer()
	if err := asked.Register(&Desk{context.Background(), s.Engine}); err != nil { // the engine's end answers who waits
		return err
	}
	for name, serve := range map[string]func(net.Conn){
		machinesSocket(s.options): func(c net.Conn) { _ = s.Serve(ctx, c) }, // a machine joins again and says why if it cannot
		socket(s.options):         func(c net.Conn) { asked.ServeConn(c) },  // until nothing more can be read, and all is answered
	} {
		_ = os.Remove(name) // of a scheduler that was killed: no other one is there, since the journal is locked
		l, err := net.Listen("unix", name)
		if err != nil {
			return err
		}
		s.listeners = append(s.listeners, l)
		s.serving.Go(func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				s.serving.Go(func() {
					defer context.AfterFunc(s.closed, func() {
						_ = c.SetReadDeadline(time.Now())
						_ = c.SetWriteDeadline(time.Now().Add(time.Second)) // for whoever does not read the answer
					})()
					serve(c)
				})
			}
		})
	}
	go s.bury(ctx)
	return nil
}

// bury lets machines leave that are known to be dead: what they had need not wait for the end of their patience.
func (s *scheduler) bury(ctx context.Context) {
	for {
		machines, err := s.Nodes(ctx)
		if err != nil {
			return
		}
		for _, m := range machines {
			if m.Silent && dead(s.options, m.Name) {
				_ = s.Leave(ctx, m.Name)
			}
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return
		}
	}
}

// close closes the engine, so that all who wait for it are answered, and then the connections.
func (s *scheduler) close() error {
	for _, l := range s.listeners {
		_ = l.Close()
	}
	err := s.Close()
	s.end()
	s.serving.Wait()
	return err
}

func (s *scheduler) file() string { return filepath.Join(s.dir, "flags.json") }

// keep writes what the next scheduler recalls. It happens as a whole or not at all.
func (s *scheduler) keep() error {
	if s.kept.Flags == nil {
		s.kept.Flags = make(map[string]string)
	}
	s.flags.VisitAll(func(f *flag.Flag) { s.kept.Flags[f.Name] = f.Value.String() })
	text, err := json.Marshal(s.kept)
	if err == nil {
		err = os.WriteFile(s.file()+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(s.file()+".new", s.file())
	}
	return err
}

// serve is a scheduler until it is interrupted.
func serve(ctx context.Context, o *options) error {
	s, err := recall(o)
	if err == nil {
		err = s.open(ctx)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(o.stderr, "batch: the scheduler runs; machines and their tasks continue when it ends\n")
	select {
	case <-ctx.Done():
	case <-s.Done(): // at an error, which close returns
	}
	return s.close()
}

// newPolicy makes the policy of a name.
func newPolicy(name string) (policy.Scheduler, error) {
	line := name
	if name == "kairos" {
		line = "fifo@kairos"
	}
	p, err := catalog.New(line, catalog.Setting{Seed: 1, Kairos: kairos.Config{Node: kairos.NodeConfig{Quantum: time.Second}}}) // tasks take seconds here
	if err != nil {
		return nil, cli.Usagef("-policy %s: %w", name, err)
	}
	return p, nil
}

// seen is what the events tell that no Status does.
type seen struct {
	sync.Mutex
	events                                  int // restored
	started, failed, lost, suspended, saves int
	saved                                   map[policy.Task]policy.Duration
}

// hear takes note of an event that the centre of the policy hears, which is all of them.
func (s *seen) hear(part policy.NodeID, ev *policy.Event, _ []policy.Action) {
	if part != 0 || ev.Replay {
		return
	}
	s.Lock()
	defer s.Unlock()
	s.events++
	switch ev.Kind {
	case policy.Started:
		s.started++
	case policy.Failed:
		s.failed++
	case policy.Lost:
		s.lost++
	case policy.Suspended:
		if !ev.Idle {
			s.suspended++
		}
	}
	if ev.Kind.End() && ev.Saved > s.saved[ev.Copy.Task] {
		s.saved[ev.Copy.Task] = ev.Saved
		s.saves++
	}
}
