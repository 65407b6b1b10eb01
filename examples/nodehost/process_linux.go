package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A process is a child of this program, in a process group of its own. The kernel kills it
// when this program ends, however it ends.
type process struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	over bool // its number may be another's
}

// A nursery starts processes. It must be closed.
//
// The kernel kills a child with its parent (PR_SET_PDEATHSIG) when the thread that made it
// ends, so that one thread makes them all, and lives as long as this program.
type nursery struct {
	births chan func()
}

func newNursery() *nursery {
	n := &nursery{births: make(chan func())}
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
		for birth := range n.births {
			birth()
		}
	}()
	return n
}

func (n *nursery) close() { close(n.births) }

// start starts a command. ended is called from another goroutine when it is over, with the
// processor time that it and its children took.
func (n *nursery) start(args []string, ended func(used time.Duration, err error)) (*process, error) {
	p := &process{cmd: exec.Command(args[0], args[1:]...)}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p.cmd.Stderr = os.Stderr
	started := make(chan error)
	n.births <- func() { started <- p.cmd.Start() }
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %q: %w", strings.Join(args, " "), err)
	}
	go func() {
		err := p.wait()
		ended(p.cmd.ProcessState.UserTime()+p.cmd.ProcessState.SystemTime(), err)
	}()
	return p, nil
}

// wait returns when the process is over, with an error unless it exited with status 0. What
// is left of its group is killed.
func (p *process) wait() error {
	const byPID, exited, stay = 1, 4, 1 << 24 // P_PID, WEXITED and WNOWAIT of waitid(2)
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(p.pid()), 0, exited|stay, 0, 0)
		if errno != syscall.EINTR {
			break // a child that cannot be waited for is one that Wait says more about
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = syscall.Kill(-p.pid(), syscall.SIGKILL)
	p.over = true
	return p.cmd.Wait()
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// pause, resume and kill signal the whole group. They leave a process alone that is over.
func (p *process) pause() error  { return p.signal(syscall.SIGSTOP) }
func (p *process) resume() error { return p.signal(syscall.SIGCONT) }
func (p *process) kill() error   { return p.signal(syscall.SIGKILL) }

func (p *process) signal(s syscall.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return nil
	}
	if err := syscall.Kill(-p.pid(), s); err != nil && err != syscall.ESRCH {
		return fmt.Errorf("%s for process %d: %w", s, p.pid(), err)
	}
	return nil
}

// used returns the processor time that the process has taken so far, with that of the
// children that it has waited for, and false if it is over. The kernel counts it in ticks of
// 10 ms.
func (p *process) used() (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return 0, false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid()) + "/stat")
	if err != nil {
		return 0, false
	}
	return processorTime(string(stat))
}

// processorTime returns that in a line of /proc/PID/stat, as used does.
func processorTime(stat string) (used time.Duration, ok bool) {
	// The second field, a name in brackets, may hold anything, brackets too.
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 15 {
		return 0, false
	}
	for _, field := range fields[11:15] { // utime, stime, cutime, cstime: 14 to 17 of proc(5)
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, false
		}
		used += time.Duration(ticks) * 10 * time.Millisecond
	}
	return used, true
}
