package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// Results are kept in one file: the lines of all papers in the order in which they are told, each a JSON object of a line of
// its own, compressed by gzip.

// readResults reads what -save wrote, by paper.
func readResults(file string) (map[string]*report, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	reports := map[string]*report{}
	d := json.NewDecoder(z)
	d.DisallowUnknownFields()
	for n := 1; ; n++ {
		var l line
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return reports, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: result %d: %w", file, n, err)
		}
		if _, ok := papers[l.Paper]; !ok {
			return nil, fmt.Errorf("%s: result %d is of paper %q, which is none; write it anew by -save all", file, n, l.Paper)
		}
		r := reports[l.Paper]
		if r == nil {
			r = &report{paper: l.Paper}
			reports[l.Paper] = r
		}
		l.measure()
		r.lines = append(r.lines, l)
	}
}

// saveResults writes reports to a file, in place of what it has of their papers.
func saveResults(file string, ran []*report) error {
	kept, err := readResults(file)
	if errors.Is(err, os.ErrNotExist) {
		kept = map[string]*report{}
	} else if err != nil {
		return err
	}
	for _, r := range ran {
		kept[r.paper] = r
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	e := json.NewEncoder(z)
	for _, paper := range paperNames() {
		if r := kept[paper]; r != nil {
			for _, l := range r.lines {
				l.Measured, l.Margin, l.Note = nil, nil, "" // which follow
				if err := e.Encode(&l); err != nil {
					return err
				}
			}
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

// differs returns an error if a result that was run again for some of the seeds is not what the file has of it. It reports
// whether there was anything to compare: lines that have fewer values than seeds are pooled, or have few seeds.
func (r *report) differs(again *line, seeds int) (compared bool, err error) {
	kept := r.find(name{again.Item, again.Workload, again.Metric})
	if kept == nil {
		return false, fmt.Errorf("%s, %s, %s of %s is not in the results; write them anew by -save %[4]s", again.Item, again.Workload, again.Metric, r.paper)
	}
	if len(kept.Values) < seeds {
		return false, nil
	}
	rest := kept.Values
	for _, x := range again.Values {
		at := slices.IndexFunc(rest, func(y *float64) bool { return x == nil && y == nil || x != nil && y != nil && *x == *y })
		if at < 0 {
			return true, fmt.Errorf("%s, %s, %s of %s is %s when it is run again, which is none of its results %s; if that is meant, write them anew by -save %[4]s",
				again.Item, again.Workload, again.Metric, r.paper, short(x), list(kept.Values))
		}
		rest = rest[at+1:]
	}
	return true, nil
}
