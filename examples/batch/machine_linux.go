package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/processes"
	"example.com/augur/policy"
	"example.com/augur/policy/host"
)

// lock takes the lock that a machine holds until it and all that its tasks have started is dead. It has the machine's process number.
func lock(o *options, name string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(o.dir, name+".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("there is a machine %s already (%s: %w)", name, f.Name(), err)
	}
	return f, nil
}

// dead reports whether there was a machine of a name here, and is none.
func dead(o *options, name string) bool {
	if _, err := os.Stat(filepath.Join(o.dir, name+".lock")); err != nil {
		return false // it is elsewhere
	}
	f, err := lock(o, name)
	if err == nil {
		_ = f.Close()
	}
	return err == nil
}

// beMachine is a machine, until it is interrupted.
func beMachine(ctx context.Context, o *options) error {
	if !named.MatchString(o.name) {
		return cli.Usagef("-name is %q, want letters, digits and . _ -", o.name)
	}
	out, err := filepath.Abs(filepath.Join(o.dir, "out"))
	if err == nil {
		err = os.MkdirAll(out, 0o700)
	}
	if err != nil {
		return err
	}
	held, err := lock(o, o.name)
	for tries := 0; err != nil && tries < 50; tries++ { // the one before may be about to end
		time.Sleep(20 * time.Millisecond)
		held, err = lock(o, o.name)
	}
	if err != nil {
		return err
	}
	defer held.Close()
	if _, err := held.WriteAt(fmt.Appendf(nil, "%-20d", os.Getpid()), 0); err != nil {
		return err
	}
	m := processes.Machine{
		Name: o.name, Node: policy.Node{Cores: int32(o.cores), Memory: int64(o.memory)}, Patience: o.patience, Once: o.once, Lock: held, Mark: filepath.Join(filepath.Dir(out), o.name),
		Command: func(order host.Order) (*exec.Cmd, error) { return command(order, out) },
	}
	return m.Run(ctx, host.Dialer(func(ctx context.Context) (io.ReadWriteCloser, error) {
		return new(net.Dialer).DialContext(ctx, "unix", machinesSocket(o))
	}))
}

// command is what a task runs.
func command(o host.Order, out string) (*exec.Cmd, error) {
	var w work
	if err := json.Unmarshal(o.Data, &w); err != nil || int(o.Copy.Stage) >= len(w.Commands) {
		return nil, fmt.Errorf("job %s does not say what it runs: %v", o.Name, err)
	}
	stage := w.Stages[o.Copy.Stage]
	file := fmt.Sprintf("%s.%s.%d", o.Name, stage, o.Copy.Index)
	cmd := exec.Command("sh", "-c", "exec >>\"$OUTPUT\" 2>&1 </dev/null\n"+w.Commands[o.Copy.Stage])
	cmd.Env = append(os.Environ(), "JOB="+o.Name, "STAGE="+stage, fmt.Sprint("TASK=", o.Copy.Index), fmt.Sprint("COPY=", o.Copy.N), fmt.Sprint("SAVED=", o.Saved.Seconds()), "OUTPUT="+filepath.Join(out, file))
	return cmd, nil
}

// A crew is the machines that a scheduler has started, as processes that outlive it.
type crew struct {
	*options
	began map[string]chan struct{} // in this life; closed when it has ended
}

// machine is the name of a machine by its number, from 0.
func (c *crew) machine(i int) string { return fmt.Sprint("m", i+1) }

// alive reports whether there is a machine.
func (c *crew) alive(name string) bool {
	if ended := c.began[name]; ended != nil {
		select {
		case <-ended:
		default:
			return true
		}
	}
	_, err := os.Stat(filepath.Join(c.dir, name+".lock"))
	return err == nil && !dead(c.options, name)
}

// fill starts the machines that are missing.
func (c *crew) fill() error {
	for i := range c.machines {
		if !c.alive(c.machine(i)) {
			if err := c.start(c.machine(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *crew) start(name string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(c.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	args := []string{"machine", "-dir", c.dir, "-name", name, "-cores", fmt.Sprint(c.cores), "-patience", earlier(c.patience).String(), "-once"}
	if c.memory > 0 {
		args = append(args, "-memory", c.memory.String())
	}
	cmd := exec.Command(self, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is for the scheduler
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	c.began[name] = ended
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	return nil
}

// dismiss ends machines from a number on.
func (c *crew) dismiss(from int) {
	files, _ := filepath.Glob(filepath.Join(c.dir, "m*.lock"))
	for _, file := range files {
		name, number := filepath.Base(file), 0
		name = name[:len(name)-len(".lock")]
		if n, _ := fmt.Sscanf(name, "m%d", &number); n != 1 || name != c.machine(number-1) || number <= from || !c.alive(name) {
			continue
		}
		pid := 0
		if text, err := os.ReadFile(file); err == nil {
			_, _ = fmt.Sscan(string(text), &pid)
		}
		if pid > 0 {
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
	}
}
