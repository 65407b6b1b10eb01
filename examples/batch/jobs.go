package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/augur/policy"
)

// A script is a job of the file: what the policy may know of it, and its commands.
type script struct {
	name     string
	at       policy.Duration // after the first start of the scheduler
	stages   []policy.Stage
	names    []string // of stages
	commands []string
}

// readScripts reads a file of jobs; see the program's comment. name is for errors.
func readScripts(text, name string) (scripts []*script, err error) {
	last := policy.Duration(0)
	for i, line := range strings.Split(text, "\n") {
		head, command, _ := strings.Cut(line, ":")
		words := strings.Fields(head)
		var bad error
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
			continue
		case words[0] == "job":
			var s *script
			if s, bad = readJob(words, last); bad == nil {
				scripts, last = append(scripts, s), s.at
			}
		case words[0] == "stage" && len(scripts) > 0:
			bad = scripts[len(scripts)-1].readStage(words, strings.TrimSpace(command))
		default:
			bad = fmt.Errorf("it begins with %q, want job, or stage below a job", words[0])
		}
		if bad != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, bad)
		}
	}
	if len(scripts) == 0 {
		return nil, fmt.Errorf("%s: no jobs, want at least 1", name)
	}
	for _, s := range scripts {
		if err := (&policy.Job{ID: 1, Stages: s.stages}).Validate(); err != nil {
			return nil, fmt.Errorf("%s: job %s: %w", name, s.name, err)
		}
	}
	return scripts, nil
}

func readJob(words []string, last policy.Duration) (*script, error) {
	if len(words) < 2 || len(words) > 3 {
		return nil, fmt.Errorf("%d words, want job NAME [SECOND]", len(words))
	}
	s := &script{name: words[1], at: last}
	if len(words) == 3 {
		second, err := strconv.ParseFloat(words[2], 64)
		if err != nil || !(second >= last.Seconds() && second < math.MaxInt32) {
			return nil, fmt.Errorf("job %s comes at second %q, want a number of at least %v, as that of the job before", s.name, words[2], last.Seconds())
		}
		s.at = policy.Duration(second * float64(time.Second))
	}
	return s, nil
}

func (s *script) readStage(words []string, command string) error {
	var saves string
	if len(words) > 4 && words[3] == "saves" {
		saves, words = words[4], slices.Delete(slices.Clone(words), 3, 5)
	}
	if len(words) < 3 || len(words) > 3 && (words[3] != "after" || len(words) == 4) || command == "" {
		return fmt.Errorf("want stage NAME TASKS [saves RELOAD] [after STAGE ...]: COMMAND")
	}
	tasks, err := strconv.ParseUint(words[2], 10, 16)
	if err != nil || tasks == 0 {
		return fmt.Errorf("stage %s has %q tasks, want 1 to 65535", words[1], words[2])
	}
	stage := policy.Stage{Tasks: uint32(tasks), Cores: 1, Saves: saves != ""}
	if stage.Saves {
		if stage.Reload, err = time.ParseDuration(saves); err != nil || stage.Reload < 0 {
			return fmt.Errorf("stage %s reloads for %q, want a duration of at least 0, such as 2s", words[1], saves)
		}
	}
	for _, before := range words[min(4, len(words)):] {
		found := false
		for k, name := range s.names {
			if name == before {
				stage.Reads, found = append(stage.Reads, policy.Dep{Stage: uint32(k)}), true
			}
		}
		if !found {
			return fmt.Errorf("stage %s comes after %s, want one of those above: %s", words[1], before, strings.Join(s.names, " "))
		}
	}
	s.stages, s.names, s.commands = append(s.stages, stage), append(s.names, words[1]), append(s.commands, command)
	return nil
}

// env is what a copy finds in its environment, if so much is saved of its task.
func (s *script) env(c policy.Copy, saved policy.Duration) []string {
	return []string{"JOB=" + s.name, "STAGE=" + s.names[c.Stage], fmt.Sprint("TASK=", c.Index), fmt.Sprint("COPY=", c.N), fmt.Sprint("SAVED=", saved.Seconds())}
}
