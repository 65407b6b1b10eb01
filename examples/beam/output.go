package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.Function2x1(dependencyRow)
	register.Function2x1(pathRow)
	register.Function2x1(valueRow)
	register.DoFn1x2[string, int, string](&shard{})
	register.Function1x2(empty)
	register.DoFn4x1[context.Context, int, func(*bool) bool, func(*string) bool, error](&writeShard{})
	register.Iter1[bool]()
}

// dependencyRow has the columns up, down, files, reads, first.
func dependencyRow(p Pair, r Reads) string {
	return csvRow(p.Up, p.Down, whole(r.Files), whole(r.Reads), whole(r.First))
}

// pathRow has the columns up, down, weight.
func pathRow(p Pair, weight float64) string { return csvRow(p.Up, p.Down, number(weight)) }

// valueRow has the columns job, own, aggregate, upstream.
func valueRow(job string, w Worth) string {
	return csvRow(job, number(w.Own), number(w.Aggregate), whole(w.Upstream))
}

func whole(n int64) string    { return strconv.FormatInt(n, 10) }
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// csvRow quotes what needs it.
func csvRow(values ...string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(values) // to memory: no error
	w.Flush()
	return b.String()
}

// write writes a table, its rows in any order, as c.Shards files, each of which begins with the
// names of the columns and may have no rows. A worker writes a whole file; textio would have one
// worker write the whole table.
func (c *config) write(s beam.Scope, table, columns string, rows beam.PCollection) {
	s = s.Scope(table)
	numbers := make([]int, c.Shards)
	for i := range numbers {
		numbers[i] = i
	}
	all := beam.ParDo(s, empty, beam.CreateList(s, numbers))
	parts := beam.ParDo(s, &shard{c.Shards}, rows)
	beam.ParDo0(s, &writeShard{c.Out + "-" + table, columns, c.Shards}, beam.CoGroupByKey(s, all, parts))
}

// empty makes that a file is written though it has no rows.
func empty(shard int) (int, bool) { return shard, true }

// shard says which file a row goes to: the same if a worker makes it again.
type shard struct{ Shards int }

func (f *shard) ProcessElement(row string) (int, string) {
	h := fnv.New32a()
	h.Write([]byte(row))
	return int(h.Sum32() % uint32(f.Shards)), row
}

// writeShard writes a file, without holding it.
type writeShard struct {
	Name, Columns string
	Shards        int
}

func (f *writeShard) ProcessElement(ctx context.Context, shard int, _ func(*bool) bool, rows func(*string) bool) (err error) {
	name := fmt.Sprintf("%s-%05d-of-%05d.csv", f.Name, shard, f.Shards)
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	file, err := files.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(file, 1<<20)
	b.WriteString(f.Columns + "\n")
	var row string
	for rows(&row) {
		b.WriteString(row)
	}
	return errors.Join(b.Flush(), file.Close()) // Flush tells the errors of writing
}
