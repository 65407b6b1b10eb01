package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"example.com/augur/internal/whole"
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

// Count writes a number and a noun, which is singular after 1.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
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

// Files are those that a program writes: none that it reads, and none of them twice. Close closes them.
type Files struct {
	Inputs []string // what is not to be written over: files, those of directories, and - is standard input
	places map[string]bool
	open   []*os.File
}

// Claim returns an error of usage if a file to be written is an input, or claimed before. An empty name is no file.
func (f *Files) Claim(name string) error {
	if name == "" {
		return nil
	}
	at := place(name)
	for _, input := range f.Inputs {
		if in, err := statInput(input); err == nil && within(at, in) {
			return Usagef("%s would overwrite the input %s, want another file to write to", name, input)
		}
	}
	if f.places[at] {
		return Usagef("%s would be written twice, want different files", name)
	}
	if f.places == nil {
		f.places = make(map[string]bool)
	}
	f.places[at] = true
	return nil
}

// statInput tells of an input. Standard input that is no file, such as a terminal, is an error.
func statInput(name string) (os.FileInfo, error) {
	if name != "-" {
		return os.Stat(name)
	}
	info, err := os.Stdin.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = os.ErrInvalid
	}
	return info, err
}

// within reports whether what is at a place is there, and is an input or in the directory that is one.
func within(place string, input os.FileInfo) bool {
	for at := place; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil || os.SameFile(info, input) {
			return err == nil
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// place returns the path of a file without links, as far as it is there.
func place(name string) string {
	path, err := filepath.Abs(name)
	if err != nil {
		path = name
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// Create claims and creates a file. The error is one of usage.
func (f *Files) Create(name string) (*os.File, error) {
	if err := f.Claim(name); err != nil {
		return nil, err
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, Usage(err)
	}
	f.open = append(f.open, file)
	return file, nil
}

// Close closes all that were created.
func (f *Files) Close() error {
	var errs []error
	for _, file := range f.open {
		errs = append(errs, file.Close())
	}
	return errors.Join(errs...)
}

// WriteFile makes a file of what write writes, or leaves it as it was. To what is no file, such as /dev/stdout, it just writes.
// The error is one of usage.
func WriteFile(name string, write func(io.Writer) error) (err error) {
	if info, missing := os.Stat(name); missing != nil || info.Mode().IsRegular() {
		err = whole.WriteFile(place(name), write)
	} else if f, e := os.OpenFile(name, os.O_WRONLY, 0); e == nil {
		err = errors.Join(write(f), f.Close())
	} else {
		err = e
	}
	if err != nil {
		return Usage(err)
	}
	return nil
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
