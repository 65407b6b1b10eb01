package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
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

// A machine runs copies of tasks as processes. It outlives the scheduler. One goroutine does everything. It does not count cores: the
// scheduler does.
type machine struct {
	node   policy.NodeID
	cores  int
	copies map[policy.Copy]*process // until their ends are forgotten
	ends   chan *process
	late   chan *process // that should have saved what they have done by now
	log    []report      // that the journal may not have
	seq    uint64
	out    *json.Encoder // nil while there is no scheduler
}

// A process is a copy on a machine.
type process struct {
	copy    policy.Copy
	cmd     *exec.Cmd
	since   time.Time       // when it began to run, or to run again
	service policy.Duration // before that
	saved   policy.Duration // of its task
	stands  bool
	killed  bool        // by order
	saving  *time.Timer // until it is killed; nil: it was not asked to save
	over    bool
}

// grace is how long a copy may take to save what it has done.
const grace = 10 * time.Second

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
	m := &machine{node: policy.NodeID(o.machine), cores: o.Cores, copies: make(map[policy.Copy]*process), ends: make(chan *process), late: make(chan *process)}
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
		case p := <-m.late:
			m.obey(order{Do: kill, Copy: p.copy})
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

// say reports what has happened to a copy.
func (m *machine) say(kind policy.EventKind, p *process) {
	m.seq++
	r := report{Seq: m.seq, Kind: kind, Copy: p.copy, Service: p.service, Saved: p.saved}
	m.log = append(m.log, r)
	if m.out != nil {
		_ = m.out.Encode(r) // if it fails, the connection is about to be lost
	}
}

// hello says what is here, and all that may have been said in vain.
func (m *machine) hello() {
	_ = m.out.Encode(report{Kind: policy.Joined, Node: m.node, Cores: int32(m.cores), Copies: slices.SortedFunc(maps.Keys(m.copies), compareCopies), Log: m.log})
}

func (m *machine) obey(o order) {
	p := m.copies[o.Copy]
	switch {
	case o.Do == forget:
		for len(m.log) > 0 && m.log[0].Seq <= o.Seq {
			if m.log[0].Kind.End() {
				delete(m.copies, m.log[0].Copy)
			}
			m.log = m.log[1:]
		}
	case o.Do == start && p == nil:
		m.start(o)
	case p == nil || p.over: // the order comes too late
	case o.Do == suspend && !p.stands:
		p.signal(syscall.SIGSTOP)
		p.service, p.stands = p.service+max(1, time.Since(p.since)), true
		m.say(policy.Suspended, p)
	case o.Do == resume && p.stands:
		p.signal(syscall.SIGCONT)
		p.since, p.stands = time.Now(), false
		m.say(policy.Resumed, p)
	case o.Do == save && p.saving == nil:
		p.work()
		p.saving = time.AfterFunc(grace, func() { m.late <- p })
		p.signal(syscall.SIGTERM)
		p.signal(syscall.SIGCONT) // if it stands
	case o.Do == kill:
		p.killed = true
		p.signal(syscall.SIGKILL)
		for !p.over { // what follows may need its core
			m.ended(<-m.ends)
		}
	}
}

// start runs a copy.
func (m *machine) start(o order) {
	cmd := exec.Command("sh", "-c", o.Command)
	cmd.Env = append(os.Environ(), o.Env...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p := &process{copy: o.Copy, cmd: cmd, since: time.Now(), service: o.Saved, saved: o.Saved}
	if o.Saved > 0 {
		p.since = p.since.Add(o.Reload) // until then it does nothing new
	}
	m.copies[o.Copy] = p
	m.say(policy.Started, p)
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
	if p.over = true; p.saving == nil {
		p.work()
	} else {
		p.saving.Stop()
	}
	kind := policy.Failed
	switch s := p.cmd.ProcessState; {
	case p.killed || p.saving != nil:
		if kind = policy.Killed; !p.killed && s.Success() {
			p.saved = p.service
		}
	case s != nil && s.Success():
		kind = policy.Finished
	default:
		fmt.Fprintf(os.Stderr, "%v: %v\n", p.copy, s)
	}
	m.say(kind, p)
}

func (m *machine) killAll() {
	for _, p := range m.copies {
		if !p.over {
			p.signal(syscall.SIGKILL)
		}
	}
}

// work counts what a process has done since it began to run.
func (p *process) work() {
	if !p.stands {
		p.service += max(0, time.Since(p.since))
	}
}

// signal signals a process and those that it has started.
func (p *process) signal(s syscall.Signal) {
	if p.cmd.Process != nil {
		_ = syscall.Kill(-p.cmd.Process.Pid, s)
	}
}
