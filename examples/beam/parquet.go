package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// readParquet is a reader of Parquet. It copies the file to a temporary one, since Parquet is not
// read from the beginning to the end.
//
// It does not use Beam's parquetio. That holds a whole file, and wants columns of one type in all
// files. Nor does it tell the file and the row of a value.
func readParquet(path string, in io.Reader, pick func(header []string) ([]int, error), take func(line int64, values []string) error) error {
	broken := func(err error) error { return fmt.Errorf("%s: %w", path, err) }
	temp, err := os.CreateTemp("", "*.parquet")
	if err != nil {
		return broken(err)
	}
	defer os.Remove(temp.Name())
	defer temp.Close()
	size, err := io.Copy(temp, in)
	if err != nil {
		return broken(err)
	}
	file, err := parquet.OpenFile(temp, size)
	if err != nil {
		return broken(err)
	}
	var header []string
	fields := file.Schema().Fields()
	for _, f := range fields {
		header = append(header, f.Name())
	}
	at, err := pick(header)
	if err != nil {
		return err
	}
	texts, columns := make([]func(parquet.Value) string, len(at)), make(parquet.Group)
	for i, column := range at {
		f := fields[column]
		columns[f.Name()] = f
		if texts[i] = textOf(f); texts[i] == nil {
			return broken(fmt.Errorf("column %q is %v, want text, a 64-bit integer or a timestamp", f.Name(), f))
		}
	}
	schema := parquet.NewSchema("", columns) // pages of other columns are not read
	table := parquet.NewGenericReader[any](file, schema)
	defer table.Close()
	rows, values := make([]parquet.Row, 64), make([]string, len(at))
	for line := int64(1); ; {
		n, err := table.ReadRows(rows)
		for _, row := range rows[:n] {
			for i, column := range at {
				leaf, _ := schema.Lookup(header[column])
				values[i] = ""
				if v := row[leaf.ColumnIndex]; !v.IsNull() {
					values[i] = texts[i](v)
				}
			}
			if err := take(line, values); err != nil {
				return err
			}
			line++
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return broken(err)
		}
	}
}

// textOf returns what writes values of a column as CSV has them, or nil if its type is not allowed. A
// timestamp without time zone is taken as UTC.
func textOf(column parquet.Field) func(parquet.Value) string {
	if !column.Leaf() || column.Repeated() {
		return nil
	}
	kind, logical := column.Type().Kind(), any(nil)
	if l := column.Type().LogicalType(); l != nil {
		logical = l.Value
	}
	switch t := logical.(type) {
	case nil, *format.StringType:
		switch kind {
		case parquet.ByteArray:
			return func(v parquet.Value) string { return string(v.ByteArray()) }
		case parquet.Int64:
			return func(v parquet.Value) string { return whole(v.Int64()) }
		}
	case *format.IntType:
		if kind == parquet.Int64 && t.IsSigned {
			return func(v parquet.Value) string { return whole(v.Int64()) }
		}
	case *format.TimestampType:
		return func(v parquet.Value) string {
			var at time.Time
			switch n := v.Int64(); t.Unit.Value.(type) {
			case *format.MilliSeconds:
				at = time.UnixMilli(n)
			case *format.MicroSeconds:
				at = time.UnixMicro(n)
			default:
				at = time.Unix(0, n)
			}
			return at.UTC().Format(time.RFC3339Nano)
		}
	}
	return nil
}
