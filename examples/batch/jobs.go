package main

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/host"
)

// A script is a job of a file.
type script struct {
	host.Job                 // its Data is a work
	at       policy.Duration // when it comes
	work     work
}

// A work is what machines need to know of a job.
type work struct {
	Stages, Commands []string // by stage: names, and what each task runs
}

// named is what a name may be: that of a file.
var named = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)

// readScripts reads a file of jobs; see the program's comment. name is for errors.
func readScripts(text, name string) (scripts []*script, err error) {
	last := policy.Duration(0)
	lines := make(map[string]int)
	for i, line := range strings.Split(text, "\n") {
		head, command, _ := strings.Cut(line, ":")
		words := strings.Fields(head)
		var bad error
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
			continue
		case words[0] == "job":
			var s *script
			if s, bad = readJob(words, last); bad != nil {
				break
			}
			if lines[s.Name] > 0 {
				bad = fmt.Errorf("job %s has the name of the job in line %d, want another", s.Name, lines[s.Name])
			}
			scripts, last, lines[s.Name] = append(scripts, s), s.at, i+1
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
		valid := s.Job.Job
		valid.ID = 1
		if err := valid.Validate(); err != nil {
			return nil, fmt.Errorf("%s: job %s: %w", name, s.Name, err)
		}
		if s.Data, err = json.Marshal(s.work); err != nil {
			return nil, err
		}
	}
	return scripts, nil
}

// options reads pairs of a word and a value, each as its function does. It returns the words from the first one on that is not there.
func readOptions(words []string, read map[string]func(value string) error) (rest []string, err error) {
	for len(words) > 0 && read[words[0]] != nil {
		if len(words) == 1 {
			return nil, fmt.Errorf("%s has no value", words[0])
		}
		if err := read[words[0]](words[1]); err != nil {
			return nil, fmt.Errorf("%s is %q, %w", words[0], words[1], err)
		}
		words = words[2:]
	}
	return words, nil
}

func readJob(words []string, last policy.Duration) (*script, error) {
	if len(words) < 2 || !named.MatchString(words[1]) {
		return nil, fmt.Errorf("want job NAME [SECOND] [limit 10m] [program P] [user U], with a name of letters, digits and . _ -")
	}
	s := &script{at: last}
	s.Name, words = words[1], words[2:]
	if len(words)%2 == 1 {
		second, err := strconv.ParseFloat(words[0], 64)
		if err != nil || !(second >= last.Seconds() && second < math.MaxInt32) {
			return nil, fmt.Errorf("job %s comes at second %q, want a number of at least %v, the second of the job before", s.Name, words[0], last.Seconds())
		}
		s.at, words = policy.Duration(second*float64(time.Second)), words[1:]
	}
	program, user := s.Name, ""
	words, err := readOptions(words, map[string]func(string) error{
		"limit":   func(v string) error { s.Limited = true; return duration(&s.Requested, 1)(v) },
		"program": func(v string) error { program = v; return nil },
		"user":    func(v string) error { user = v; return nil },
	})
	if err == nil && len(words) > 0 {
		err = fmt.Errorf("job %s has %q, want limit, program or user", s.Name, words[0])
	}
	s.Attrs = []policy.Attr{{Name: "program", Value: program}}
	if user != "" {
		s.Attrs = append(s.Attrs, policy.Attr{Name: "user", Value: user})
	}
	return s, err
}

func (s *script) readStage(words []string, command string) error {
	if len(words) < 3 || !named.MatchString(words[1]) || command == "" {
		return fmt.Errorf("want stage NAME TASKS [cores N] [memory 1GB] [saves RELOAD] [after STAGE ...]: COMMAND")
	}
	tasks, err := strconv.ParseUint(words[2], 10, 16)
	if err != nil || tasks == 0 {
		return fmt.Errorf("stage %s has %q tasks, want 1 to 65535", words[1], words[2])
	}
	stage := policy.Stage{Tasks: uint32(tasks), Cores: 1}
	after, err := readOptions(words[3:], map[string]func(string) error{
		"cores": func(v string) error {
			n, err := strconv.ParseUint(v, 10, 16)
			if stage.Cores = int32(n); err != nil || n == 0 {
				return fmt.Errorf("want 1 to 65535")
			}
			return nil
		},
		"memory": (*amount)(&stage.Memory).Set,
		"saves":  func(v string) error { stage.Saves = true; return duration(&stage.Reload, 0)(v) },
	})
	if err != nil {
		return fmt.Errorf("stage %s: %w", words[1], err)
	}
	if len(after) > 0 && (after[0] != "after" || len(after) == 1) {
		return fmt.Errorf("stage %s has %q, want cores, memory, saves or after STAGE", words[1], after[0])
	}
	for _, before := range after[min(1, len(after)):] {
		found := false
		for k, name := range s.work.Stages {
			if name == before {
				stage.Reads, found = append(stage.Reads, policy.Dep{Stage: uint32(k)}), true
			}
		}
		if !found {
			return fmt.Errorf("stage %s comes after %s, want one of those above: %s", words[1], before, strings.Join(s.work.Stages, " "))
		}
	}
	s.Stages, s.work.Stages, s.work.Commands = append(s.Stages, stage), append(s.work.Stages, words[1]), append(s.work.Commands, command)
	return nil
}

// duration reads a span of time of at least so many nanoseconds.
func duration(d *time.Duration, least time.Duration) func(string) error {
	return func(text string) (err error) {
		if *d, err = time.ParseDuration(text); err != nil || *d < least {
			return fmt.Errorf("want a duration such as 2s, not below %v", least)
		}
		return nil
	}
}

// An amount is a number of bytes.
type amount int64

var units = []string{"kB", "MB", "GB", "TB"}

// Set implements [flag.Value].
func (a *amount) Set(text string) error {
	scale := int64(1)
	for _, unit := range units {
		scale *= 1000
		number, ok := strings.CutSuffix(text, unit)
		if n, err := strconv.ParseInt(number, 10, 64); ok && err == nil && n > 0 && n <= math.MaxInt64/scale {
			*a = amount(n * scale)
			return nil
		}
	}
	return fmt.Errorf("want a whole number above 0 of kB, MB, GB or TB, such as 16GB")
}

// String implements [flag.Value].
func (a *amount) String() string {
	n, unit := int64(*a)/1000, 0
	for ; unit < len(units)-1 && n > 0 && n%1000 == 0; unit++ {
		n /= 1000
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n, units[unit])
}
