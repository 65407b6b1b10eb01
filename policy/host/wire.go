package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"example.com/augur/policy"
)

// What passes over a connection are lines of JSON, each with one field.
type message struct {
	Join    *joining `json:",omitempty"` // the first from a machine
	Reports []Report `json:",omitempty"` // from a machine: an answer with the same Number says that they are on disk
	Order   *Order   `json:",omitempty"` // to a machine
	Answer  *answer  `json:",omitempty"` // to a machine; number 0 answers Join. From one that cannot join, in place of Join
	Leave   bool     `json:",omitempty"` // from a machine, with a Number; to a machine: it is replaced
	Number  uint64   `json:",omitempty"` // of Reports and Leave, from 1
}

type joining struct {
	Name string
	Node policy.Node
	Has  []Report `json:",omitempty"`
}

type answer struct {
	Number uint64 `json:",omitempty"`
	Error  string `json:",omitempty"`
}

// A wire writes messages, one at a time.
type wire struct {
	mu  sync.Mutex
	out *json.Encoder
}

func (w *wire) send(m message) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Encode(m)
}

// Serve lets the machine at the other end of a connection join, and passes orders and reports until one of both ends or the context is
// done. It closes the connection, which must end a Read or a Write that waits. The other end is a [Dialer]. Both trust each other: use
// TLS or a socket of your own user.
func (e *Engine) Serve(ctx context.Context, conn io.ReadWriteCloser) error {
	defer conn.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })() // which ends a Read or a Write
	go func() {
		select {
		case <-e.stopped:
			cancel(ErrClosed)
		case <-ctx.Done():
		}
	}()
	w, in := &wire{out: json.NewEncoder(conn)}, json.NewDecoder(conn)
	var first message
	if err := in.Decode(&first); err != nil {
		return fmt.Errorf("host: a machine joins: %w", cmp.Or(context.Cause(ctx), garbled(err)))
	}
	if first.Answer != nil {
		return errors.New(first.Answer.Error)
	}
	if first.Join == nil {
		return errors.New("host: a machine says something before it joins")
	}
	joined, err := e.Join(ctx, first.Join.Name, first.Join.Node, first.Join.Has...)
	if err != nil {
		_ = w.send(message{Answer: &answer{Error: err.Error()}})
		return err
	}
	l := joined.(*link)
	defer l.Close()
	if err := w.send(message{Answer: &answer{}}); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	var leaves atomic.Bool // the machine, and that has to be answered still
	var reports sync.WaitGroup
	reply := func(number uint64, err error) {
		a := &answer{Number: number}
		if err != nil {
			a.Error = err.Error()
		}
		if err = w.send(message{Answer: a}); err != nil {
			cancel(err)
		}
	}
	go func() {
		for {
			var m message
			err := in.Decode(&m)
			if err != nil {
				cancel(fmt.Errorf("host: machine %q: %w", first.Join.Name, garbled(err)))
				return
			}
			if m.Leave {
				reports.Wait()
				leaves.Store(true)
				reply(m.Number, l.Leave(ctx))
				cancel(nil)
				return
			}
			c, err := l.report(ctx, m.Reports) // in their order, and several share a Sync
			reports.Go(func() {
				if err == nil {
					err = e.end(ctx, c)
				}
				reply(m.Number, err)
			})
		}
	}()
	for {
		o, err := l.Next(ctx)
		if err == nil {
			if err = w.send(message{Order: o.far()}); err != nil {
				err = cmp.Or(context.Cause(ctx), err)
			}
		}
		if err != nil && leaves.Load() {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
		if err != nil {
			if errors.Is(err, ErrReplaced) && !leaves.Load() {
				_ = w.send(message{Leave: true})
			}
			cancel(err)
			return err
		}
	}
}

// garbled says what an error of the decoder comes from if what came is no message.
func garbled(err error) error {
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("what it writes is no message; a worker behind pipes must not print to its standard output, which is its connection: %w", err)
	}
	return err
}

// far returns an order without what grows with the tasks of the stage, since each task has an order.
func (o Order) far() *Order {
	if o.Stage != nil && o.Stage.Holders != nil {
		stage := *o.Stage
		stage.Holders = nil
		o.Stage = &stage
	}
	return &o
}

// A Dialer reaches an engine in another process, which calls [Engine.Serve] for each connection. Let it log its errors: Run of a
// machine that cannot join says nothing, and tries again until its context is done.
type Dialer func(ctx context.Context) (io.ReadWriteCloser, error)

// Join implements [Joiner].
func (d Dialer) Join(ctx context.Context, name string, n policy.Node, has ...Report) (Link, error) {
	conn, err := d(ctx)
	if err != nil {
		return nil, err
	}
	return dial(ctx, conn, nil, joining{name, n, has})
}

// errEnded is the error of a [Conn] whose connection has ended.
var errEnded = errors.New("host: the connection has ended")

// Conn returns a Joiner for a machine that has one connection, such as a program whose standard input and output are pipes. The
// other process calls [Engine.Serve] for their other ends, or [Engine.Keep]. When the connection ends, [Machine.Run] and [Agent.Run]
// kill what runs and return.
func Conn(in io.Reader, out io.WriteCloser) Joiner { return &single{in: in, out: out} }

type single struct {
	in   io.Reader
	out  io.WriteCloser
	used bool
	err  error // of the first Join
}

func (s *single) Join(ctx context.Context, name string, n policy.Node, has ...Report) (Link, error) {
	switch {
	case s.used && s.err == nil:
		return nil, errEnded
	case s.used:
		return nil, errors.Join(errEnded, s.err)
	}
	var l Link
	s.used = true
	l, s.err = dial(ctx, duplex{s.in, s.out}, errEnded, joining{name, n, has})
	return l, s.err
}

// dial joins over a connection. last is the error of the link when the connection has ended; nil: that of the connection.
func dial(ctx context.Context, conn io.ReadWriteCloser, last error, j joining) (Link, error) {
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	r := &remote{link: link{more: make(chan struct{}, 1), done: make(chan struct{})}, conn: conn, last: last, wire: wire{out: json.NewEncoder(conn)}, waits: make(map[uint64]chan error)}
	in := json.NewDecoder(conn)
	answered := make(chan error, 1)
	go func() { // since a Close need not end a Read of what Conn has
		var m message
		err := r.send(message{Join: &j})
		if err == nil {
			err = in.Decode(&m)
		}
		if err == nil && m.Answer == nil {
			err = errors.New("host: what was reached is no engine")
		}
		if err == nil && m.Answer.Error != "" {
			err = errors.New(m.Answer.Error)
		}
		answered <- err
	}()
	var err error
	select {
	case err = <-answered:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	go r.read(in)
	return r, nil
}

// A remote is the link of a machine to an engine in another process. Orders wait in it, since answers to reports may be behind them.
type remote struct {
	link
	wire
	conn io.ReadWriteCloser
	last error

	lock   sync.Mutex
	number uint64
	waits  map[uint64]chan error
}

// read passes on what the engine says.
func (r *remote) read(in *json.Decoder) {
	for {
		var m message
		if err := in.Decode(&m); err != nil {
			r.end(cmp.Or(r.last, err))
			return
		}
		switch {
		case m.Leave:
			r.end(ErrReplaced)
			return
		case m.Order != nil:
			r.give([]Order{*m.Order})
		case m.Answer != nil:
			r.lock.Lock()
			w := r.waits[m.Answer.Number]
			delete(r.waits, m.Answer.Number)
			r.lock.Unlock()
			var err error
			if m.Answer.Error != "" {
				err = errors.New(m.Answer.Error)
			}
			if w != nil {
				w <- err
			}
		}
	}
}

func (r *remote) end(err error) {
	r.link.end(err)
	_ = r.conn.Close()
}

// Report implements [Link].
func (r *remote) Report(ctx context.Context, reports ...Report) error {
	return r.call(ctx, message{Reports: reports})
}

// Leave implements [Link].
func (r *remote) Leave(ctx context.Context) error {
	defer r.end(ErrReplaced)
	return r.call(ctx, message{Leave: true})
}

// call sends a message and waits for its answer.
func (r *remote) call(ctx context.Context, m message) error {
	answer := make(chan error, 1)
	r.lock.Lock()
	r.number++
	m.Number = r.number
	r.waits[m.Number] = answer
	r.lock.Unlock()
	watch := context.AfterFunc(ctx, func() { _ = r.conn.Close() }) // a message that has been sent in part leaves no use for it
	err := r.send(m)
	watch()
	if err != nil {
		r.end(cmp.Or(r.last, err))
		return cmp.Or(context.Cause(ctx), err)
	}
	select {
	case err := <-answer:
		return err
	case <-r.done:
	case <-ctx.Done():
	}
	select {
	case err := <-answer: // which came before that
		return err
	default:
		return cmp.Or(r.reason(), context.Cause(ctx))
	}
}

// Close implements [Link].
func (r *remote) Close() error {
	r.end(errShut)
	return nil
}
