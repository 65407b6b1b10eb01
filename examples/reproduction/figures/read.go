package main

import (
	"bytes"
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

// An object is one of JSON, and where it stands.
type object struct {
	where  string
	fields map[string]json.RawMessage
}

// readObjects reads a file of JSON that is an object or an array of objects.
func readObjects(file string) ([]object, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if text = bytes.TrimSpace(text); bytes.HasPrefix(text, []byte("{")) {
		text = slices.Concat([]byte("["), text, []byte("]"))
	}
	return objects(file, text)
}

func objects(where string, text []byte) ([]object, error) {
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	result := make([]object, len(list))
	for i, fields := range list {
		result[i] = object{where, fields}
		if len(list) > 1 {
			result[i].where = fmt.Sprintf("%s: object %d", where, i+1)
		}
	}
	return result, nil
}

// get decodes a field into what x points to; only what is a pointer itself may be null.
func (o *object) get(name string, x any) error {
	text, ok := o.fields[name]
	if !ok {
		return fmt.Errorf("%s: there is no field %s", o.where, name)
	}
	if _, ok := x.(**float64); !ok && string(text) == "null" {
		return fmt.Errorf("%s: field %s is null", o.where, name)
	}
	if err := json.Unmarshal(text, x); err != nil {
		return fmt.Errorf("%s: field %s: %w", o.where, name, err)
	}
	return nil
}

// list returns the objects in a field.
func (o *object) list(name string) ([]object, error) {
	var text json.RawMessage
	if err := o.get(name, &text); err != nil {
		return nil, err
	}
	return objects(o.where+": field "+name, text)
}

// A line is what reproduce says of a number of a paper.
type line struct {
	paper                       string
	item, workload, metric      string
	published, measured, margin *float64 // nil: not known
}

// readLines reads what reproduce wrote.
func readLines(file string) ([]line, error) {
	list, err := readObjects(file)
	if err != nil {
		return nil, err
	}
	lines := make([]line, len(list))
	for i, o := range list {
		l := &lines[i]
		if err := errors.Join(
			o.get("paper", &l.paper), o.get("item", &l.item), o.get("workload", &l.workload), o.get("metric", &l.metric),
			o.get("published", &l.published), o.get("measured", &l.measured), o.get("margin", &l.margin),
		); err != nil {
			return nil, err
		}
	}
	return lines, nil
}
