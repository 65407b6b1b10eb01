package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func readREADME(t *testing.T) []string {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(readme), "\n")
}

// The README shows the first table that the program prints, but for the speed.
func TestREADME(t *testing.T) {
	readme := readREADME(t)
	out, _, err := compare(t)
	if err != nil {
		t.Fatal(err)
	}
	table, _, found := strings.Cut(out, "ratios to fifo")
	if !found {
		t.Fatal("nothing is compared with fifo")
	}
	for line := range strings.Lines(table) {
		if fields := strings.Fields(line); len(fields) > 0 && !strings.Contains(line, ":") {
			line = line[:strings.LastIndex(line, fields[len(fields)-1])]
		}
		line = strings.TrimSpace(line)
		if !slices.ContainsFunc(readme, func(l string) bool {
			return strings.TrimSpace(l) == line || strings.HasPrefix(strings.TrimSpace(l), line)
		}) {
			t.Errorf("README.md does not have the line %q", line)
		}
	}
}

// Each table of policies in the README has the numbers that the command before it prints.
func TestREADMETables(t *testing.T) {
	const command = "    go run ./examples/compare "
	var out string
	tables, rows := 0, 0
	for i, line := range readREADME(t) {
		switch cells := strings.Split(strings.Trim(line, "| "), " | "); {
		case strings.HasPrefix(line, command+"-workload") && strings.Contains(line, "-policies"):
			out = line[len(command):]
		case strings.HasPrefix(line, "| policy |") && out != "":
			printed, _, err := compare(t, strings.Fields(out)...)
			if err != nil {
				t.Fatal(err)
			}
			out = printed
			tables++
		case out != "" && strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| ---"):
			rows++
			numbers := cells[3:] // after the policy, what it does and what it must know
			printed := slices.ContainsFunc(strings.Split(out, "\n"), func(l string) bool {
				fields := strings.Fields(l)
				return len(fields) > 0 && fields[0] == cells[0] &&
					!slices.ContainsFunc(numbers, func(n string) bool { return !slices.Contains(fields, n) })
			})
			if !printed {
				t.Errorf("README.md:%d: the program does not print %v of %s", i+1, numbers, cells[0])
			}
		case strings.HasPrefix(line, "## "):
			out = ""
		}
	}
	if tables < 4 || rows < 20 {
		t.Errorf("README.md has %d tables of policies, with %d rows", tables, rows)
	}
}
