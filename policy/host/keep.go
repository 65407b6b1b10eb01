package host

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// Keep keeps a worker process: it starts the command, serves the machine at its standard input and output, which is to join by
// [Conn], and kills it and starts a new one when that has ended, until the engine is closed or the context is done. A worker joins
// under the name of its place, the same in each life, so what a dead one had starts again at once. A task that kills its worker
// is Lost each time, which does not count for [Config.Attempts]: it starts again until its job is cancelled.
//
// Keep calls command for each life, with the reason why the last one has ended, in one line: nil for the first. A new life starts
// a tenth of a second after the end of the last, so command should log the reason: a worker that can never join ends a moment
// after each start. Set Stderr, since standard error is lost otherwise, and let nothing but Conn write to the worker's standard
// output. A worker that says nothing for [Config.Patience] after its start is killed; one that hangs later is not.
//
// Keep returns nil when the context is done or the engine is closed. If command returns nil, Keep returns the reason, which is
// nil before the first life. It also returns an error if a command cannot be started.
func (e *Engine) Keep(ctx context.Context, command func(last error) *exec.Cmd) error {
	var last error
	for {
		cmd := command(last)
		if cmd == nil {
			return last
		}
		in, err := cmd.StdinPipe()
		if err != nil {
			return fmt.Errorf("host: %w", err)
		}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			return fmt.Errorf("host: %w", err)
		}
		over, stop := context.WithCancelCause(ctx)
		late := time.AfterFunc(e.config.Patience, func() { stop(fmt.Errorf("it has said nothing for %v", e.config.Patience)) })
		go func() { // also a worker that never joins
			select {
			case <-e.stopped:
			case <-over.Done():
			}
			_ = cmd.Process.Kill()
			_ = out.Close() // which a process of the worker's may still hold
		}()
		from := bufio.NewReader(out)
		_, _ = from.Peek(1)
		late.Stop()
		err = e.Serve(over, duplex{from, in})
		stop(nil)
		last = err
		if ended := cmd.Wait(); ended != nil {
			last = fmt.Errorf("%w; %w", err, ended)
		}
		if errors.Is(err, ErrClosed) {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-e.stopped:
			return nil
		case <-time.After(again): // it may have died at once
		}
	}
}

// duplex is a connection of two pipes.
type duplex struct {
	io.Reader
	io.WriteCloser
}
