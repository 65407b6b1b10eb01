// Drift says how far the figures of one JSON file are from those of others, as a row of a table in
// Markdown for each. See .ci/determinism.
//
//	go run ./internal/drift SCENARIO amd64.json 386.json arm64.json
//
// It exits with status 1 if a file has other fields, or other text, than the first.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "drift: want a scenario and at least two files")
		os.Exit(2)
	}
	if err := drift(os.Stdout, os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "drift:", err)
		os.Exit(1)
	}
}

func drift(w io.Writer, scenario string, files []string) error {
	var first any
	for i, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var x any
		if err := json.Unmarshal(text, &x); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if i == 0 {
			first = x
			continue
		}
		var d distance
		if err := d.add("", first, x); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		d.write(w, scenario, strings.TrimSuffix(filepath.Base(name), ".json"))
	}
	return nil
}

// A distance is that of one file from another.
type distance struct {
	figures, differ int
	most            float64 // of |x-y| / max(|x|, |y|)
	where           string
}

func (d *distance) write(w io.Writer, scenario, name string) {
	if d.differ == 0 {
		fmt.Fprintf(w, "| %s | %s | %d | 0 | 0 | |\n", scenario, name, d.figures)
		return
	}
	fmt.Fprintf(w, "| %s | %s | %d | %d | %.1g | %s |\n", scenario, name, d.figures, d.differ, d.most, d.where)
}

// add compares two values of one place.
func (d *distance) add(path string, x, y any) error {
	switch x := x.(type) {
	case map[string]any:
		other, _ := y.(map[string]any)
		if len(other) != len(x) {
			return fmt.Errorf("%s has %d fields, want %d", path, len(other), len(x))
		}
		for name := range x {
			if err := d.add(path+"."+name, x[name], other[name]); err != nil {
				return err
			}
		}
	case []any:
		other, _ := y.([]any)
		if len(other) != len(x) {
			return fmt.Errorf("%s has %d elements, want %d", path, len(other), len(x))
		}
		for i := range x {
			if err := d.add(fmt.Sprintf("%s[%s]", path, label(x[i], i)), x[i], other[i]); err != nil {
				return err
			}
		}
	case float64:
		other, ok := y.(float64)
		if !ok {
			return fmt.Errorf("%s is %v, want a number", path, y)
		}
		d.number(path, x, other)
	default:
		if x != y {
			return fmt.Errorf("%s is %v, want %v", path, y, x)
		}
	}
	return nil
}

// label names an element by the policy or predictor that it is of, if it is of one.
func label(x any, i int) string {
	if fields, ok := x.(map[string]any); ok {
		for _, name := range []string{"policy", "predictor"} {
			if of, ok := fields[name].(string); ok {
				return of
			}
		}
	}
	return fmt.Sprint(i)
}

func (d *distance) number(path string, x, y float64) {
	d.figures++
	if x == y {
		return
	}
	d.differ++
	off := math.Abs(x-y) / max(math.Abs(x), math.Abs(y))
	path = strings.TrimPrefix(path, ".")
	// Fields come in any order.
	if off > d.most || off == d.most && path < d.where {
		d.most, d.where = off, path
	}
}
