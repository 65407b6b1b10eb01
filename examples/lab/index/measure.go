package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"example.com/augur/examples/internal/cli"
)

// A result is what is kept of a bed.
type result struct {
	bed  *bed
	Args []string `json:"args"` // of compare
	Runs []one    `json:"runs"` // by load, then by seed or by copy
	// Loads are the offered loads, of the first seed; nodes are whole, so they are a little below what was asked for.
	Loads []struct {
		Load *float64 `json:"load"`
	} `json:"loads"`
}

// One is a run of all policies.
type one struct {
	Requested int      `json:"requested_set"`
	Jobs      float64  `json:"jobs"`
	Bound     *float64 `json:"mean_jct_bound_s"`
	Policies  []row    `json:"policies"`
}

// A row is what compare tells of a policy.
type row struct {
	Policy   string   `json:"policy"`
	Failed   float64  `json:"jobs_failed"`
	Mean     *float64 `json:"mean_jct_s"`
	P99      *float64 `json:"p99_jct_s"`
	Slowdown *float64 `json:"mean_bounded_slowdown"`
	Largest  *float64 `json:"max_bounded_slowdown"`
	Missed   *float64 `json:"deadline_miss_rate"`
	Attained *float64 `json:"value_attained_percent"`

	Stops     float64 `json:"stops"`
	MostStops float64 `json:"most_stops"`
	Reloading float64 `json:"reloading"`
}

// measure returns the results of the beds, those of traces that are there. It says on stderr how long each took.
func (o *options) measure(ctx context.Context, stderr io.Writer) (results []*result, err error) {
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return nil, cli.Usage(err)
	}
	programs, err := os.MkdirTemp("", "index")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(programs)) }()
	compare := filepath.Join(programs, "compare")
	for _, b := range o.beds {
		if b.trace != "" {
			if _, err := os.Stat(filepath.Join(o.traces, b.trace)); err != nil {
				fmt.Fprintf(stderr, "%s is left out: %v\n", b.name, err)
				continue
			}
		}
		var whole *result
		for _, p := range b.passes() {
			file := filepath.Join(o.out, b.name+p.name+".json")
			r, err := o.kept(b, p, file)
			if errors.Is(err, fs.ErrNotExist) {
				if _, err := os.Stat(compare); err != nil {
					if text, err := exec.CommandContext(ctx, "go", "build", "-o", compare, "example.com/augur/examples/compare").CombinedOutput(); err != nil {
						return nil, fmt.Errorf("go build, from the root of the repository: %w: %s", err, text)
					}
				}
				r, err = o.compare(ctx, b, p, compare, file, stderr)
			}
			if err != nil {
				return nil, fmt.Errorf("bed %s: %w", b.name, err)
			}
			if whole == nil {
				whole = r
				continue
			}
			for i := range r.Runs {
				whole.Runs[i].Policies = append(whole.Runs[i].Policies, r.Runs[i].Policies...)
			}
		}
		results = append(results, whole)
	}
	return results, nil
}

// kept reads the file of a pass.
func (o *options) kept(b *bed, p pass, file string) (*result, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &result{bed: b}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if want := b.command(o, p); !slices.Equal(r.Args, want) {
		return nil, cli.Usagef("%s is of compare %q, not of %q; choose another -out, or remove it", file, r.Args, want)
	}
	return r, nil
}

// compare runs the policies of a pass, and writes its file at once when all is done.
func (o *options) compare(ctx context.Context, b *bed, p pass, program, file string, stderr io.Writer) (*result, error) {
	r := &result{bed: b, Args: b.command(o, p)}
	args := append(slices.Clone(r.Args), "-json", "-times=false")
	if i := slices.Index(args, "-trace"); i >= 0 {
		args[i+1] = filepath.Join(o.traces, args[i+1])
	}
	var out, said bytes.Buffer
	c := exec.CommandContext(ctx, program, args...)
	c.Stdout, c.Stderr = &out, &said
	start := time.Now()
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("compare: %w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	fmt.Fprintf(stderr, "%s%s took %v, and %v of all cores\n", b.name, p.name, time.Since(start).Round(time.Second), c.ProcessState.UserTime().Round(time.Second))
	if err := json.Unmarshal(out.Bytes(), r); err != nil {
		return nil, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(file+".new", text, 0o666); err != nil {
		return nil, err
	}
	return r, os.Rename(file+".new", file)
}
