package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each table in docs/policies.md has the numbers that the command before it prints.
func TestTablesOfPolicies(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "policies.md"))
	if err != nil {
		t.Fatal(err)
	}
	const command = "    go run ./examples/compare "
	var out string
	tables, rows := 0, 0
	for i, line := range strings.Split(string(page), "\n") {
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
				t.Errorf("policies.md:%d: the program does not print %v of %s", i+1, numbers, cells[0])
			}
		case strings.HasPrefix(line, "## "):
			out = ""
		}
	}
	if tables < 4 || rows < 20 {
		t.Errorf("policies.md has %d tables of policies, with %d rows", tables, rows)
	}
}
