// Package hosttest tests whether a machine keeps the contract of package host. The author of a machine with processes, containers or
// anything else runs it in a test:
//
//	func TestMachine(t *testing.T) {
//		hosttest.Run(t, hosttest.Config{
//			New:   func(t *testing.T) hosttest.Machine { return newMachine(t) },
//			Short: []byte("sleep 0.1"), Long: []byte("sleep 1000"), Fails: []byte("exit 1"),
//			Cannot: []policy.ActionKind{policy.Suspend, policy.Report},
//		})
//	}
//
// The test is the engine: it gives orders, refuses reports, ends links, and checks the machine's answers. The subtests are named
// for their trouble: an order that comes twice, an order after the end of its copy, a Kill while a copy is suspended, a lost
// link, a refused report, a Join after a crash. In all of them each copy must end once, service must count only the time in
// which the copy has worked, and Join must state exactly the machine's copies.
//
// # When not to use it
//
// It does not test an engine, nor a host that calls a policy itself: put a check.Checker between those. To test a policy, see
// package policytest.
//
// # Cost
//
// A few seconds, mostly waits for events that should not come.
//
// # Source
//
// Ours.
package hosttest

import (
	"context"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/host"
)

// A Machine joins, carries out orders and joins again whenever its link ends, until the context is done. When Run returns none of its
// tasks runs. A [host.Machine] is one.
type Machine interface {
	Run(ctx context.Context, to host.Joiner) error
}

// Config says what machine is tested. New, Short, Long and Fails are required.
type Config struct {
	// New makes a machine that has nothing, always of the same name. The one before has ended.
	New func(t *testing.T) Machine
	// The Data of tasks of one core: Short ends well after 10 ms to 1 s, Fails fails, and Long runs until it is killed. Saves is a task
	// that runs until it is killed or saved; nil if the machine cannot save.
	Short, Long, Fails, Saves []byte
	// Cannot is that of host.Config: without Suspend and Report these are tested too.
	Cannot []policy.ActionKind
	// Running returns how many copies run or are suspended on the machine, as the test itself can see it. nil: that is not tested.
	Running func() int
	// Patience is how long tasks go on without a link: longer than Short and a few Joins take, a second or two. 0: that is not tested.
	Patience time.Duration

	Pause time.Duration // how soon the machine does what it does after an order; 0: 200 ms
	Wait  time.Duration // how long the test waits for what must come; 0: 20 s
}

// Run tests a machine.
func Run(t *testing.T, c Config) {
	for _, k := range cases {
		t.Run(k.name, func(t *testing.T) {
			if !k.suits(&c) {
				t.Skip("the Config says that the machine cannot do that")
			}
			if err := try(t, c, k.do); err != nil {
				t.Error(err)
			}
		})
	}
}

// A trial is one of the tests.
type trial struct {
	name  string
	needs func(c *Config) bool // nil: nothing
	do    func(*session)
}

func (k *trial) suits(c *Config) bool { return k.needs == nil || k.needs(c) }

func (c *Config) can(kind policy.ActionKind) bool { return !slices.Contains(c.Cannot, kind) }

// try runs a trial with a new machine. The error says what the machine does wrong.
func try(t *testing.T, c Config, do func(*session)) (err error) {
	if c.Pause == 0 {
		c.Pause = 200 * time.Millisecond
	}
	if c.Wait == 0 {
		c.Wait = 20 * time.Second
	}
	s := &session{t: t, Config: &c, copies: make(map[policy.Copy]*copied), joins: make(chan joining), said: make(chan saying, 100)}
	defer func() {
		switch f := recover().(type) {
		case nil:
		case finding:
			err = f
		default:
			panic(f)
		}
		if e := s.end(); err == nil {
			err = e
		}
	}()
	s.begin()
	do(s)
	return nil
}
