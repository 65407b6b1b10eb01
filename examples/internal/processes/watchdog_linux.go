package processes

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The environment of all that a machine's tasks start has the life of the machine, and that of its watchdog which life it watches.
const lifeOf, watches = "MACHINE_LIFE", "MACHINE_WATCHES"

// Watchdog is what main calls first in a program that has Machines. A machine starts the program once more, as its watchdog. There Watchdog does
// not return: it waits until the machine is gone, perhaps killed, kills all that its tasks have left, and exits.
//
// The watchdog knows these processes by their environment. A process that clears its own and leaves its group as well is not found.
func Watchdog() {
	life := os.Getenv(watches)
	if life == "" {
		return
	}
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	_, _ = io.Copy(io.Discard, os.Stdin) // which ends with the machine
	if err := sweep(func(of string) bool { return of == life }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// watch kills what earlier lives of a machine have left, in case their watchdogs were killed too, and starts a watchdog. The function that
// it returns ends the watchdog, which first kills what is left.
func (m *Machine) watch() (unwatch func(), err error) {
	m.life = fmt.Sprintf("%s/%d.%d", m.Mark, os.Getpid(), time.Now().UnixNano())
	if m.Mark != "" {
		if err := sweep(func(of string) bool { return strings.HasPrefix(of, m.Mark+"/") }); err != nil {
			return nil, err
		}
	}
	from, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer from.Close()
	watchdog := exec.Command("/proc/self/exe")
	watchdog.Args = []string{"watchdog"}
	watchdog.Env = append(os.Environ(), watches+"="+m.life)
	watchdog.Stdin, watchdog.Stderr = from, os.Stderr
	if m.Lock != nil {
		watchdog.ExtraFiles = []*os.File{m.Lock}
	}
	watchdog.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // what ends the machine does not end it
	if err := watchdog.Start(); err != nil {
		_ = to.Close()
		return nil, fmt.Errorf("start the watchdog of machine %s: %w", m.Name, err)
	}
	return func() {
		_ = to.Close()
		_ = watchdog.Wait()
	}, nil
}

// sweep kills the processes of lives, with their groups, until none is left.
func sweep(is func(life string) bool) error {
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		names, err := filepath.Glob("/proc/[0-9]*/environ")
		if err != nil {
			return err
		}
		left := 0
		for _, name := range names {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			b, err := os.ReadFile(name)
			if err != nil || pid == os.Getpid() || !has(string(b), is) {
				continue
			}
			left = pid
			if group, err := syscall.Getpgid(pid); err == nil && group != syscall.Getpgrp() {
				_ = syscall.Kill(-group, syscall.SIGKILL)
			}
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if left == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("process %d, which a task has started, does not end after SIGKILL", left)
		}
	}
}

// has reports whether an environment is that of a life.
func has(environ string, is func(life string) bool) bool {
	for entry := range strings.SplitSeq(environ, "\x00") {
		if life, ok := strings.CutPrefix(entry, lifeOf+"="); ok && is(life) {
			return true
		}
	}
	return false
}
