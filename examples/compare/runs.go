package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"example.com/augur/examples/internal/cli"
)

// writeRuns writes a row for each run: the seed, the load, the policy, and its figures by the names that they have in JSON, but for
// how long the run took. A figure that does not apply is empty.
func writeRuns(w io.Writer, reports []*report) error {
	out := csv.NewWriter(w)
	var columns []string // of all rows: some have figures that others lack
	for _, r := range reports {
		for i := range r.Policies {
			names, _, err := figures(&r.Policies[i])
			if err != nil {
				return err
			}
			for _, name := range names {
				if !slices.Contains(columns, name) {
					columns = append(columns, name)
				}
			}
		}
	}
	out.Write(append([]string{"seed", "load"}, columns...))
	for _, r := range reports {
		for i := range r.Policies {
			_, values, err := figures(&r.Policies[i])
			if err != nil {
				return err
			}
			row := []string{strconv.FormatUint(r.Seed, 10), ""}
			if r.Load != nil {
				row[1] = cli.Exact(*r.Load)
			}
			for _, c := range columns {
				row = append(row, values[c])
			}
			out.Write(row)
		}
	}
	out.Flush()
	return out.Error()
}

// figures returns what JSON has of a row, the names of inner objects joined by a dot.
func figures(r *row) (names []string, values map[string]string, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	values = make(map[string]string)
	var path []string // of the objects that the next token is in; the last is its own name
	for {
		token, err := d.Token()
		switch x := token.(type) {
		case nil:
			if errors.Is(err, io.EOF) {
				return names, values, nil
			} else if err != nil {
				return nil, nil, err
			}
		case json.Delim:
			if x == '{' {
				path = append(path, "")
				continue
			}
			if path = path[:len(path)-1]; len(path) > 0 {
				path[len(path)-1] = ""
			}
			continue
		case string:
			if last := &path[len(path)-1]; *last == "" {
				*last = x
				continue
			}
		}
		name := strings.Join(path, ".")
		path[len(path)-1] = ""
		if name == "wall_s" || name == "events_per_s" {
			continue
		}
		names = append(names, name)
		switch x := token.(type) {
		case json.Number:
			values[name] = x.String()
		case string:
			values[name] = x
		}
	}
}
