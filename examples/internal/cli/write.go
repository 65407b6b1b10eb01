package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// WriteJSON writes what -json promises, indented.
func WriteJSON(w io.Writer, x any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(x)
}

// Fixed writes a number with so many decimals; - if it does not apply.
func Fixed(x *float64, decimals int) string {
	if x == nil {
		return "-"
	}
	return strconv.FormatFloat(*x, 'f', decimals, 64)
}

// Percent writes a share in percent, with one decimal; - if it does not apply.
func Percent(x *float64) string {
	if x == nil {
		return "-"
	}
	return Fixed(new(*x*100), 1)
}

// Exact writes a number such that it can be read back.
func Exact(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Thousands writes a number with commas.
func Thousands[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// A Table is columns that are aligned to the right. It is written by Flush.
type Table struct{ *tabwriter.Writer }

// NewTable returns an empty table.
func NewTable(w io.Writer) Table {
	return Table{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
}

// Row adds a row. A text with tabs is several cells.
func (t Table) Row(cells ...string) { fmt.Fprintf(t, "%s\t\n", strings.Join(cells, "\t")) }

// Terminal returns the terminal that a writer is; nil if it is none.
func Terminal(w io.Writer) *os.File {
	if p, ok := w.(*plainWriter); ok {
		w = p.w
	}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return f
		}
	}
	return nil
}

// Files are those that a program writes, and none of them twice. Close closes them.
type Files struct {
	Trace string // what is not to be written over; empty: nothing
	open  map[string]*os.File
}

// Create creates a file. The error is one of usage.
func (f *Files) Create(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && f.Trace != "" {
		if trace, err := os.Stat(f.Trace); err == nil && os.SameFile(info, trace) {
			return nil, Usagef("%s is the trace, want another file to write to", name)
		}
	}
	if f.open[filepath.Clean(name)] != nil {
		return nil, Usagef("%s would be written twice, want different files", name)
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, Usage(err)
	}
	if f.open == nil {
		f.open = make(map[string]*os.File)
	}
	f.open[filepath.Clean(name)] = file
	return file, nil
}

// Close closes all of them.
func (f *Files) Close() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(f.open)) {
		errs = append(errs, f.open[name].Close())
	}
	return errors.Join(errs...)
}

// WriteBetween replaces what stands in a file between two lines by a text, with a blank line around it.
func WriteBetween(file, begin, end string, text []byte) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return Usage(err)
	}
	before, rest, ok1 := bytes.Cut(page, []byte(begin+"\n"))
	_, after, ok2 := bytes.Cut(rest, []byte(end+"\n"))
	if !ok1 || !ok2 {
		return Usagef("%s lacks the lines %s and %s", file, begin, end)
	}
	return os.WriteFile(file, slices.Concat(before, []byte(begin+"\n\n"), text, []byte("\n"+end+"\n"), after), 0o666)
}
