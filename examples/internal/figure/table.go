package figure

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
)

// A Row is some columns of a row of a table, and where it stands.
type Row struct {
	Where string
	Cells []string
	names []string // of the columns
}

// Number returns the number in a column.
func (r *Row) Number(column int) (float64, error) {
	x, err := strconv.ParseFloat(r.Cells[column], 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%s: column %s is %q, want a number", r.Where, r.names[column], r.Cells[column])
	}
	return x, nil
}

// ReadTable calls use with some columns of each row of a file in CSV that begins with their names.
func ReadTable(file string, columns []string, use func(r *Row) error) error {
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
	r := &Row{Cells: make([]string, len(columns)), names: columns}
	for {
		cells, err := table.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		line, _ := table.FieldPos(0)
		r.Where = fmt.Sprintf("%s:%d", file, line)
		for i, j := range at {
			r.Cells[i] = cells[j]
		}
		if err := use(r); err != nil {
			return err
		}
	}
}

// Numbers returns the numbers in columns from one on.
func (r *Row) Numbers(from int, to []float64) (err error) {
	for i := range to {
		if to[i], err = r.Number(from + i); err != nil {
			return err
		}
	}
	return nil
}
