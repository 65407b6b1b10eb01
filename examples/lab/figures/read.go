package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

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
