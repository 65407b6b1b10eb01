package processes

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

// A process is a child of this program, in a process group of its own. The kernel kills it when this program ends, however it ends.
type process struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	over bool          // its number may be another's
	took time.Duration // processor time, once it is over
}

const (
	suspend   = syscall.SIGSTOP
	resume    = syscall.SIGCONT
	terminate = syscall.SIGTERM
	kill      = syscall.SIGKILL
)

// A nursery starts processes. It must be closed.
//
// The kernel kills a child with its parent (PR_SET_PDEATHSIG) when the thread that made it ends, so one thread makes them all, and
// lives as long as the nursery.
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

// start starts a command.
func (n *nursery) start(cmd *exec.Cmd) (*process, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	n.births <- func() { started <- cmd.Start() }
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %q: %w", strings.Join(cmd.Args, " "), err)
	}
	return &process{cmd: cmd}, nil
}

// wait returns when the process is over, with an error unless it exited with status 0. What is left of its group is killed.
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
	err := p.cmd.Wait()
	p.over, p.took = true, p.cmd.ProcessState.UserTime()+p.cmd.ProcessState.SystemTime()
	return err
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// signal signals the whole group. It leaves a process alone that is over.
func (p *process) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		_ = syscall.Kill(-p.pid(), s) // it may be over this very moment
	}
}

// used returns the processor time that the process has taken so far, with that of the children that it has waited for, and false
// if that is not known. While it runs, the kernel counts in ticks of 10 ms.
func (p *process) used() (time.Duration, bool) {
	if p == nil {
		return 0, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return p.took, true
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
