package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// A measurement is a run of compare that writes a file.
type measurement struct {
	file string
	args []string
	csv  bool // the file is that of -jobs-csv, or else what -json prints
}

// contenders are the policies of the figures of compare, and its jobs: of these, how long a job takes
// depends on the load, and those that know its runtime or learn it do otherwise than those that do not. The first, which knows
// it, is what the others are compared with.
var contenders = []string{"-workload", "gtrace11", "-nodes", "60", "-policies", "srpt,index,gs-slearn,fifo"}

// measurements are what figures are drawn from, but for the results of reproduce.
var measurements = []measurement{
	{"jobs.csv", slices.Concat(contenders, []string{"-load", "0.9"}), true},
	{sweepFile, slices.Concat(contenders, []string{"-loads", "0.3,0.5,0.7,0.8,0.9,0.95", "-seeds", "1-10"}), false},
}

// measure builds compare, runs it and keeps what it writes in a folder.
func measure(ctx context.Context, folder string, stdout, stderr io.Writer) (err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	programs, err := os.MkdirTemp("", "figures")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(programs)) }()
	program := filepath.Join(programs, "compare")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "example.com/augur/examples/compare")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build, from the root of the repository: %w: %s", err, text)
	}
	for _, m := range measurements {
		begin := time.Now()
		if err := m.run(ctx, program, folder, stderr); err != nil {
			return fmt.Errorf("compare for %s: %w", m.file, err)
		}
		fmt.Fprintf(stdout, "%s, by compare, in %.0f s\n", filepath.Join(folder, m.file), time.Since(begin).Seconds())
	}
	return nil
}

// run runs a program, which may say what is wrong on stderr.
func (m *measurement) run(ctx context.Context, program, folder string, stderr io.Writer) error {
	file := filepath.Join(folder, m.file)
	args := slices.Concat([]string{"-json"}, m.args)
	if m.csv {
		args = slices.Concat(m.args, []string{"-jobs-csv", file})
	}
	c := exec.CommandContext(ctx, program, args...)
	c.Stderr = stderr
	if !m.csv {
		f, err := os.Create(file)
		if err != nil {
			return err
		}
		c.Stdout = f
		return errors.Join(c.Run(), f.Close())
	}
	return c.Run()
}
