package main

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
)

// A row is some columns of a row of a table, and where it stands.
type row struct {
	where string
	cells []string
	names []string // of the columns
}

// number returns the number in a column.
func (r *row) number(column int) (float64, error) {
	x, err := strconv.ParseFloat(r.cells[column], 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%s: column %s is %q, want a number", r.where, r.names[column], r.cells[column])
	}
	return x, nil
}

// readTable calls use with some columns of each row of a file in CSV that begins with their names.
func readTable(file string, columns []string, use func(r *row) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	table := csv.NewReader(f)
	header, err := table.Read()
	if err != nil {
		return fmt.Errorf("%s: no header: %w", file, err)
	}
	at := make([]int, len(columns))
	for i, name := range columns {
		if at[i] = slices.Index(header, name); at[i] < 0 {
			return fmt.Errorf("%s: there is no column %s", file, name)
		}
	}
	r := &row{cells: make([]string, len(columns)), names: columns}
	for {
		cells, err := table.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		line, _ := table.FieldPos(0)
		r.where = fmt.Sprintf("%s:%d", file, line)
		for i, j := range at {
			r.cells[i] = cells[j]
		}
		if err := use(r); err != nil {
			return err
		}
	}
}

// A line is what reproduce says of a number of a paper.
type line struct {
	Paper     string   `json:"paper"`
	Item      string   `json:"item"`
	Workload  string   `json:"workload"`
	Metric    string   `json:"metric"`
	Published *float64 `json:"published"` // nil: not given as a number
	Values    seeds    `json:"values"`    // what was measured
}

// seeds are a number of each seed; NaN if a seed has none.
type seeds []float64

// UnmarshalJSON reads a list, in which null is NaN.
func (s *seeds) UnmarshalJSON(text []byte) error {
	var list []*float64
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*s = make(seeds, len(list))
	for i, x := range list {
		if (*s)[i] = math.NaN(); x != nil {
			(*s)[i] = *x
		}
	}
	return nil
}

// measured reports whether some seed has a number.
func (s seeds) measured() bool {
	return slices.ContainsFunc(s, func(x float64) bool { return !math.IsNaN(x) })
}

// readLines reads a file of JSON lines in gzip, as the results of reproduce are kept.
func readLines(file string) (lines []line, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	d := json.NewDecoder(text)
	for {
		var l line
		err := d.Decode(&l)
		if err == io.EOF {
			return lines, nil
		}
		if err == nil && (l.Paper == "" || l.Item == "" || l.Metric == "") {
			err = errors.New("want fields paper, item and metric")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: object %d: %w", file, len(lines)+1, err)
		}
		lines = append(lines, l)
	}
}
