package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"example.com/augur/policy"
)

// A machine runs copies of tasks as processes. It outlives the scheduler, and remembers how a copy ended until it is told
// to forget it. One goroutine does everything.
type machine struct {
	node    policy.NodeID
	cores   int
	running int
	copies  map[policy.Copy]*process
	ends    chan *process
	out     *json.Encoder // nil while there is no scheduler
}

// A process is a copy on a machine.
type process struct {
	report // the last one
	cmd    *exec.Cmd
	since  time.Time // when it began to run, or to run again
	killed bool      // by order
}

// What is incoming is an order, or news of the connection.
type incoming struct {
	order
	conn net.Conn // a new one
	lost bool
}

// startMachine starts a machine as a process that outlives this one.
func startMachine(o *options, number int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(o.dir, fmt.Sprintf("machine%d.log", number)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(self, "-dir", o.dir, "-machine", fmt.Sprint(number), "-cores", fmt.Sprint(o.Cores), "-patience", o.patience.String())
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is for the scheduler
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}

// lockMachine takes the lock that a machine of a number holds as long as it lives.
func lockMachine(o *options, number int) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(o.dir, fmt.Sprintf("machine%d.lock", number)), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// alive reports whether there is a machine of a number. Where machines are not beside the scheduler it has to wait for them
// for a while, and one that comes too late is told to kill what it has.
func alive(o *options, number int) bool {
	f, err := lockMachine(o, number)
	if err == nil {
		_ = f.Close()
	}
	return err != nil
}

// beMachine is the machine of a number, until it is told to quit, or no scheduler has been there for long.
func beMachine(ctx context.Context, o *options) error {
	lock, err := lockMachine(o, o.machine)
	for tries := 0; err != nil; tries++ { // the one before may be about to end
		if tries == 50 {
			return fmt.Errorf("machine %d is there already: %w", o.machine, err)
		}
		time.Sleep(20 * time.Millisecond)
		lock, err = lockMachine(o, o.machine)
	}
	defer lock.Close()
	runtime.LockOSThread() // the kernel kills processes whose parent's thread ends
	m := &machine{node: policy.NodeID(o.machine), cores: o.Cores, copies: make(map[policy.Copy]*process), ends: make(chan *process)}
	defer m.killAll()
	in := make(chan incoming)
	go connect(o.socket(), in)
	alone := time.NewTimer(o.patience)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-alone.C:
			return fmt.Errorf("machine %d: no scheduler for %v", o.machine, o.patience)
		case p := <-m.ends:
			m.ended(p)
		case x := <-in:
			switch {
			case x.conn != nil:
				alone.Stop()
				m.out = json.NewEncoder(x.conn)
				m.hello()
			case x.lost:
				m.out = nil
				alone.Reset(o.patience)
			case x.Do == quit:
				return nil
			default:
				m.obey(x.order)
			}
		}
	}
}

// connect connects to the scheduler, again and again, and passes its orders on.
func connect(socket string, in chan<- incoming) {
	for ; ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("unix", socket)
		if err != nil {
			continue
		}
		in <- incoming{conn: conn}
		for from := json.NewDecoder(conn); ; {
			var o order
			if from.Decode(&o) != nil {
				break
			}
			in <- incoming{order: o}
		}
		_ = conn.Close()
		in <- incoming{lost: true}
	}
}

// say tells the scheduler. If it is gone, it asks when it is back.
func (m *machine) say(r report) {
	if m.out != nil {
		_ = m.out.Encode(r)
	}
}

func (m *machine) hello() {
	r := report{Kind: policy.Joined, Node: m.node, Cores: int32(m.cores)}
	for _, p := range m.copies {
		r.Copies = append(r.Copies, p.report)
	}
	slices.SortFunc(r.Copies, func(a, b report) int { return compareCopies(a.Copy, b.Copy) })
	m.say(r)
}

func (m *machine) obey(o order) {
	p := m.copies[o.Copy]
	if p == nil {
		if o.Do == start {
			m.start(o)
		}
		return // else it has ended, and is forgotten
	}
	over := p.Kind.End()
	switch {
	case o.Do == forget && over:
		delete(m.copies, o.Copy)
		return
	case over:
	case o.Do == suspend && p.Kind != policy.Suspended:
		p.signal(syscall.SIGSTOP)
		p.Service += time.Since(p.since)
		p.Kind = policy.Suspended
		m.running--
	case o.Do == resume && p.Kind == policy.Suspended && m.running == m.cores:
		refused := p.report
		refused.Idle = true
		m.say(refused)
		return
	case o.Do == resume && p.Kind == policy.Suspended:
		p.signal(syscall.SIGCONT)
		p.since, p.Kind = time.Now(), policy.Resumed
		m.running++
	case o.Do == kill:
		p.killed = true
		p.signal(syscall.SIGKILL)
		for !p.Kind.End() { // what follows may need its core
			m.ended(<-m.ends)
		}
		return
	}
	m.say(p.report)
}

// start runs a copy, if a core is free.
func (m *machine) start(o order) {
	if m.running == m.cores {
		m.say(report{Kind: policy.Refused, Copy: o.Copy})
		return
	}
	cmd := exec.Command("sh", "-c", o.Command)
	cmd.Env = append(os.Environ(), o.Env...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p := &process{report: report{Kind: policy.Started, Copy: o.Copy}, cmd: cmd, since: time.Now()}
	m.copies[o.Copy] = p
	m.running++
	m.say(p.report)
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n", o.Copy, err)
		m.ended(p)
		return
	}
	go func() {
		_ = cmd.Wait()
		m.ends <- p
	}()
}

// ended takes note of a process that has ended.
func (m *machine) ended(p *process) {
	p.Idle = p.Kind == policy.Suspended
	if !p.Idle {
		p.Service += time.Since(p.since)
		m.running--
	}
	switch s := p.cmd.ProcessState; {
	case p.killed:
		p.Kind = policy.Killed
	case s != nil && s.Success():
		p.Kind = policy.Finished
	default:
		fmt.Fprintf(os.Stderr, "%v: %v\n", p.Copy, s)
		p.Kind = policy.Failed
	}
	m.say(p.report)
}

func (m *machine) killAll() {
	for _, p := range m.copies {
		if !p.Kind.End() {
			p.signal(syscall.SIGKILL)
		}
	}
}

// signal signals a process and those that it has started.
func (p *process) signal(s syscall.Signal) {
	if p.cmd.Process != nil {
		_ = syscall.Kill(-p.cmd.Process.Pid, s)
	}
}
