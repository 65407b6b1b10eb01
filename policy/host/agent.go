package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"example.com/augur/policy"
)

// An Agent is what a machine with processes, containers or virtual machines is made of. It joins, and joins again whenever its link has
// ended, passes on each order once, and keeps the ends of copies until they are on disk. Name, Node and Obey are required.
//
// A machine whose tasks are functions is a [Machine]. Package hosttest tests a machine that was made of an Agent.
type Agent struct {
	Name string
	Node policy.Node // its Cores and so on; see [Engine.Join]
	// Obey carries out an order, or begins to, and returns soon. Each copy gets one Start. The other orders come in the order in which
	// the engine has given them, and may come while the copy ends: then they change nothing. A Suspend that takes a while is reported when it
	// is done, and no Resume comes before that. A Kill with Save may be followed by one without. The Agent itself kills when
	// Patience is over, and, with Save if there is a link, when the context of Run is done. Obey is called by one goroutine at a
	// time. It may call Report.
	Obey func(Order)
	// Suspended says whether a copy is suspended that was started and has not ended, and its service so far. It is called after a lost
	// link, and may be while Obey is. nil: none is.
	Suspended func(policy.Copy) (service policy.Duration, suspended bool)
	// Patience is how long copies go on without a link. Then each gets a Kill. It should be less than Config.Patience, so that no task is
	// done twice. 0: for ever.
	Patience time.Duration
	// Once lets Run end when Patience is over and all copies have ended.
	Once bool

	obeying sync.Mutex // before mu
	mu      sync.Mutex
	copies  map[policy.Copy]*kept
	link    Link
	over    bool            // nothing is reported any more
	context context.Context // of reports
	open    sync.WaitGroup  // copies that have not ended
	queue   []Report        // that are to be reported over link, the first first
	sender  bool            // a goroutine reports them
	reports sync.WaitGroup  // that goroutine
}

// kept is a copy, until its end is on disk.
type kept struct {
	saves  bool
	stands *Report // Suspended, until it is on disk or the copy goes on
	end    *Report // nil: it has not ended
}

const (
	again       = 100 * time.Millisecond // from the end of a link, or a failed Join, to the next Join
	leaveWithin = 2 * time.Second        // when a machine ends, for an engine that does not answer
)

// Run joins and passes on orders, and joins again whenever the link has ended, until the context is done. Then each copy gets a
// Kill, with Save if its stage Saves and there is a link. Run waits until all have ended, leaves, and returns the error of the
// last Join, if that failed. Meanwhile it passes on orders, but no Starts.
//
// Run returns at once if Node is not valid, or Obey or Name is missing; the other end of a [Conn] hears why. It also ends when a
// [Conn] has ended, with the error of its Join if that failed. When another machine has joined under the name, or [Engine.Leave]
// was called, it ends with [ErrReplaced]. An Agent runs once.
func (a *Agent) Run(ctx context.Context, to Joiner) error {
	_, err := joins(a.Name, a.Node)
	if err == nil && (a.Name == "" || a.Obey == nil) {
		err = fmt.Errorf("host: machine %q: a Machine requires Name, Node and Do, and an Agent Name, Node and Obey", a.Name)
	}
	if s, ok := to.(*single); ok && err != nil {
		_ = json.NewEncoder(s.out).Encode(message{Answer: &answer{Error: err.Error()}}) // let Keep say why
	}
	if err != nil {
		return err
	}
	a.mu.Lock()
	if a.copies != nil {
		a.mu.Unlock()
		return fmt.Errorf("host: machine %q has run before; make a new Agent", a.Name)
	}
	var stop context.CancelFunc
	a.context, stop = context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	a.copies = make(map[policy.Copy]*kept)
	a.mu.Unlock()
	lonely := make(chan struct{}, 1)
	alone := time.AfterFunc(cmp.Or(a.Patience, 1<<62), func() {
		a.kill(false)
		lonely <- struct{}{}
	})
	defer alone.Stop()
	for {
		has := a.has()
		l, err := to.Join(ctx, a.Name, a.Node, has...)
		if err == nil {
			if !alone.Stop() {
				<-lonely // too late
			}
			a.joined(l, has)
			for ctx.Err() == nil && err == nil {
				var o Order
				if o, err = l.Next(ctx); err == nil {
					a.obey(o)
				}
			}
			if ctx.Err() != nil {
				return a.leave(l, to, stop)
			}
			_ = l.Close()
			alone.Reset(cmp.Or(a.Patience, 1<<62))
		}
		switch {
		case err == errEnded:
			return a.leave(nil, nil, stop)
		case errors.Is(err, errEnded), errors.Is(err, ErrReplaced): // it would replace the other one
			_ = a.leave(nil, nil, stop)
			return err
		case err != nil && ctx.Err() != nil:
			_ = a.leave(nil, to, stop)
			return err
		}
		select {
		case <-ctx.Done():
		case <-lonely:
			if a.Once {
				a.open.Wait()
				return err
			}
			alone.Reset(1 << 62)
		case <-time.After(again):
		}
	}
}

// leave ends all copies and the link, if there is one. If an end could not be reported it joins once more to tell it, unless to is nil.
func (a *Agent) leave(l Link, to Joiner, stop func()) error {
	a.kill(l != nil)
	var orders sync.WaitGroup
	ctx, ended := context.WithCancel(a.context)
	if l != nil {
		orders.Go(func() {
			for {
				o, err := l.Next(ctx)
				if err != nil {
					if errors.Is(err, ErrReplaced) {
						to = nil
					}
					return
				}
				if o.Do != policy.Start {
					a.obey(o)
				}
			}
		})
	}
	a.open.Wait()
	ended()
	orders.Wait()
	defer time.AfterFunc(leaveWithin, stop).Stop()
	a.mu.Lock()
	a.over = true
	a.mu.Unlock()
	a.reports.Wait()
	if has := a.has(); len(has) > 0 && to != nil {
		if again, err := to.Join(a.context, a.Name, a.Node, has...); err == nil {
			l = again
		}
	}
	if l == nil {
		return nil
	}
	return l.Leave(a.context)
}

// kill orders the end of all copies.
func (a *Agent) kill(save bool) {
	a.mu.Lock()
	var orders []Order
	for c, k := range a.copies {
		orders = append(orders, Order{Do: policy.Kill, Copy: c, Save: save && k.saves})
	}
	a.mu.Unlock()
	for _, o := range orders {
		a.obey(o)
	}
}

// has returns what a machine tells when it joins.
func (a *Agent) has() (has []Report) {
	a.mu.Lock()
	copies := slices.SortedFunc(maps.Keys(a.copies), compare)
	a.mu.Unlock()
	for _, c := range copies {
		x := Report{Copy: c, Kind: policy.Started}
		if a.Suspended != nil {
			if service, suspended := a.Suspended(c); suspended {
				x = Report{Copy: c, Kind: policy.Suspended, Service: service}.fit()
			}
		}
		a.mu.Lock()
		if k := a.copies[c]; k != nil && k.end != nil {
			x = *k.end
		}
		a.mu.Unlock()
		has = append(has, x)
	}
	return has
}

// joined takes note of a link, forgets the ends that Join has told, and reports what came meanwhile.
func (a *Agent) joined(l Link, has []Report) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.link, a.queue = l, nil
	for _, x := range has {
		if x.Kind.End() {
			delete(a.copies, x.Copy)
		}
	}
	for _, k := range a.copies {
		if k.end != nil {
			a.say(*k.end)
		} else if k.stands != nil {
			a.say(*k.stands)
		}
	}
}

// obey passes on an order, unless it comes late or twice.
func (a *Agent) obey(o Order) {
	a.obeying.Lock()
	defer a.obeying.Unlock()
	a.mu.Lock()
	k := a.copies[o.Copy]
	pass := k == nil && o.Do == policy.Start || k != nil && k.end == nil && o.Do != policy.Start
	if pass && k == nil {
		a.copies[o.Copy] = &kept{saves: o.Stage.Saves}
		a.open.Add(1)
	}
	if pass && o.Do == policy.Resume {
		k.stands = nil
	}
	a.mu.Unlock()
	if pass {
		a.Obey(o)
	}
}

// Report tells the engine what has become of a copy: Suspended, Progress or its end, as [Link.Report] does, in the order of the calls.
// It does not wait. What cannot be reported the next Join tells, but Progress. Only the first end of a copy counts, and nothing does
// after it. An end that is out of range is Failed, and says why.
func (a *Agent) Report(x Report) {
	x = x.fit()
	a.mu.Lock()
	defer a.mu.Unlock()
	k := a.copies[x.Copy]
	if k == nil || k.end != nil || x.check() != nil { // one that is out of range would take others with it
		return
	}
	switch {
	case x.Kind.End():
		k.end = &x
		defer a.open.Done()
	case x.Kind == policy.Suspended:
		k.stands = &x
	}
	a.say(x)
}

// fit returns a report that an engine takes.
func (r Report) fit() Report {
	if err := r.check(); err != nil {
		r.Service, r.Saved, r.Value = 0, 0, 0
		if r.Kind.End() {
			r.Kind, r.Reason = policy.Failed, err.Error()
		}
	}
	return r
}

// say lets send report. The caller holds mu.
func (a *Agent) say(x Report) {
	if a.link == nil || a.over {
		return
	}
	if a.queue = append(a.queue, x); !a.sender {
		a.sender = true
		a.reports.Go(a.send)
	}
}

// send reports what is in the queue, in its order: all at once that gathers while the last ones are on their way. It forgets copies whose
// ends are on disk. What a link does not take the next one will be told.
func (a *Agent) send() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.queue) > 0 {
		l, list := a.link, a.queue
		a.queue = nil
		a.mu.Unlock()
		err := l.Report(a.context, list...)
		a.mu.Lock()
		for _, x := range list {
			switch k := a.copies[x.Copy]; {
			case err != nil:
			case x.Kind.End():
				delete(a.copies, x.Copy)
			case x.Kind == policy.Suspended && k != nil && k.stands != nil && *k.stands == x:
				k.stands = nil
			}
		}
	}
	a.sender = false
}
