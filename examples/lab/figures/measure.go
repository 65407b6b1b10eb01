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

// A measurement is a program of the repository that writes a file.
type measurement struct {
	file    string
	program string
	args    []string
	csv     bool // the file is that of -jobs-csv, or else what -json prints
}

// contenders are the policies of the figures of compare, and its jobs: of these, how long a job takes
// depends on the load, and those that know its runtime or learn it do otherwise than those that do not. The first, which knows
// it, is what the others are compared with.
var contenders = []string{"-workload", "gtrace11", "-nodes", "60", "-policies", "srpt,index,gs-slearn,fifo"}

// measurements are what figures are drawn from, but for the results of reproduce.
func measurements() []measurement {
	return []measurement{
		{"jobs.csv", "compare", slices.Concat(contenders, []string{"-load", "0.9"}), true},
		{"predictions.csv", "predict", []string{"-features", "paper"}, true},
		{pageSweep, "compare", slices.Concat(contenders, []string{"-loads", "0.3,0.5,0.7,0.8,0.9,0.95", "-seeds", "1-10"}), false},
	}
}

// measure builds the programs, runs them and keeps what they write in a folder.
func measure(ctx context.Context, folder string, stdout, stderr io.Writer) (err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	programs, err := os.MkdirTemp("", "figures")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(programs)) }()
	build := exec.CommandContext(ctx, "go", "build", "-o", programs,
		"example.com/augur/examples/compare", "example.com/augur/examples/predict")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build, from the root of the repository: %w: %s", err, text)
	}
	for _, m := range measurements() {
		begin := time.Now()
		if err := m.run(ctx, programs, folder, stderr); err != nil {
			return fmt.Errorf("%s for %s: %w", m.program, m.file, err)
		}
		fmt.Fprintf(stdout, "%s, by %s, in %.0f s\n", filepath.Join(folder, m.file), m.program, time.Since(begin).Seconds())
	}
	return nil
}

// run runs a program, which may say what is wrong on stderr.
func (m *measurement) run(ctx context.Context, programs, folder string, stderr io.Writer) error {
	file := filepath.Join(folder, m.file)
	args := slices.Concat([]string{"-json"}, m.args)
	if m.csv {
		args = slices.Concat(m.args, []string{"-jobs-csv", file})
	}
	c := exec.CommandContext(ctx, filepath.Join(programs, m.program), args...)
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
