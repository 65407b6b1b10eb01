package journal_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// Tests start this binary again, as a process of its own that has nothing in memory of what they have: what
// it is to do is in the environment.

const (
	childTask = "JOURNAL_CHILD"
	childDir  = "JOURNAL_DIR"
)

var childTasks = map[string]func(dir string) error{
	"predict on":         predictOn,
	"write until killed": writeOn,
}

func TestMain(m *testing.M) {
	if task := childTasks[os.Getenv(childTask)]; task != nil {
		if err := task(os.Getenv(childDir)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func child(t *testing.T, task, dir string) *exec.Cmd {
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), childTask+"="+task, childDir+"="+dir)
	return c
}
