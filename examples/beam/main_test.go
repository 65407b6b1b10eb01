package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag"
	"example.com/augur/dag/provenance"
)

func TestMain(m *testing.M) { ptest.Main(m) }

// An answer is what is found out from a log.
type answer struct {
	Dependencies map[Pair]Reads
	Values       map[string]Worth
	Paths        map[Pair]float64
}

// runPipeline runs the pipeline on Prism, and reads what it has written. Without c.Paths
// there are no paths.
func runPipeline(t testing.TB, c config) (answer, error) {
	t.Helper()
	if c.Shards == 0 {
		c.Shards = 3
	}
	c.Out = filepath.Join(t.TempDir(), "out", "log")
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	c.build(s)
	if err := ptest.Run(p); err != nil {
		return answer{}, err
	}
	a := answer{make(map[Pair]Reads), make(map[string]Worth), make(map[Pair]float64)}
	for _, row := range written(t, &c, "dependencies", "up,down,files,reads,first") {
		once(t, a.Dependencies, Pair{row[0], row[1]}, Reads{integer(t, row[2]), integer(t, row[3]), integer(t, row[4])})
	}
	for _, row := range written(t, &c, "values", "job,own,aggregate,upstream") {
		once(t, a.Values, row[0], Worth{float(t, row[1]), float(t, row[2]), integer(t, row[3])})
	}
	if !c.Paths {
		return a, nil
	}
	for _, row := range written(t, &c, "paths", "up,down,weight") {
		once(t, a.Paths, Pair{row[0], row[1]}, float(t, row[2]))
	}
	return a, nil
}

// written returns the rows of a table, and sees to it that all of its files are there.
func written(t testing.TB, c *config, table, columns string) (rows [][]string) {
	t.Helper()
	for i := range c.Shards {
		file, err := os.Open(fmt.Sprintf("%s-%s-%05d-of-%05d.csv", c.Out, table, i, c.Shards))
		if err != nil {
			t.Fatal(err)
		}
		part, err := csv.NewReader(file).ReadAll()
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		if len(part) == 0 || strings.Join(part[0], ",") != columns {
			t.Fatalf("%s begins without %q", file.Name(), columns)
		}
		rows = append(rows, part[1:]...)
	}
	return rows
}

func once[K comparable, V any](t testing.TB, m map[K]V, k K, v V) {
	if _, ok := m[k]; ok {
		t.Fatalf("%v is written twice", k)
	}
	m[k] = v
}

func integer(t testing.TB, s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func float(t testing.TB, s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// askLibrary finds out the same from the same files, with the packages of augur.
func askLibrary(t testing.TB, c config) answer {
	t.Helper()
	log, found, g := joined(t, c)
	id := log.IDs.Name
	a := answer{make(map[Pair]Reads), make(map[string]Worth), make(map[Pair]float64)}
	for _, d := range found.Dependencies {
		a.Dependencies[Pair{id(d.From), id(d.To)}] = Reads{int64(d.Files), int64(d.Reads), int64(d.First)}
	}
	own := make([]float64, len(log.Jobs))
	for j := range own {
		if own[j] = float64(len(found.Of(uint32(j)))); c.jobsCount() {
			own[j] = 1
		}
	}
	// More hops than there are jobs are not needed.
	hops := int(min(int64(1)<<c.Iterations, int64(len(log.Jobs))))
	for j := range uint32(len(log.Jobs)) {
		agg := own[j]
		for d, weight := range pathsFrom(g, j, hops) {
			agg += weight * own[d]
			if c.Paths {
				a.Paths[Pair{id(j), id(d)}] = weight
			}
		}
		a.Values[id(j)] = Worth{own[j], agg, int64(len(g.In(j)))}
	}
	return a
}

// pathsFrom sums, by job, the products of 1/N along all paths from a job of at most so many dependencies.
func pathsFrom(g *dag.Graph, job uint32, hops int) map[uint32]float64 {
	all, last := make(map[uint32]float64), map[uint32]float64{job: 1} // by paths of exactly so many
	for range hops {
		next := make(map[uint32]float64)
		for j, weight := range last {
			for _, d := range g.Out(j) {
				next[d] += weight / float64(len(g.In(d)))
			}
		}
		if len(next) == 0 {
			break
		}
		for d, weight := range next {
			all[d] += weight
		}
		last = next
	}
	return all
}

// joined reads the tables or events as provenance does, in the order of their names, and joins them.
func joined(t testing.TB, c config) (*provenance.Log, *provenance.Lineage, *dag.Graph) {
	t.Helper()
	r, err := provenance.NewReader(provenance.ReaderConfig{Unit: time.Nanosecond, Columns: c.Columns})
	if err != nil {
		t.Fatal(err)
	}
	read := func(glob string, table func(name string, in io.Reader) error) {
		names, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(names)
		for _, name := range names {
			file, err := fileio.ReadableFile{Metadata: fileio.FileMetadata{Path: name}}.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := table(name, file); err != nil {
				t.Fatal(err)
			}
			file.Close()
		}
	}
	read(c.Jobs, r.JobsCSV)
	read(c.Operations, r.OpsCSV)
	read(c.Events, r.OpenLineage)
	log := r.Take()
	found, err := log.Find(c.Window)
	if err != nil {
		t.Fatal(err)
	}
	g, err := found.Graph(len(log.Jobs))
	if err != nil {
		t.Fatal(err)
	}
	return log, found, g
}

// differ says how two answers differ: dependencies, own values and which pairs there are not at all,
// sums of floats by no more than their order may change.
func differ(want, got answer) string {
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) })
	if d := cmp.Diff(want.Dependencies, got.Dependencies); d != "" {
		return "dependencies (-want +got):\n" + d
	}
	for job, w := range want.Values {
		if g := got.Values[job]; g.Own != w.Own {
			return fmt.Sprintf("own value of job %s: got %v, want %v", job, g.Own, w.Own)
		}
	}
	if d := cmp.Diff(want.Values, got.Values, near); d != "" {
		return "values (-want +got):\n" + d
	}
	if d := cmp.Diff(want.Paths, got.Paths, near); d != "" {
		return "paths (-want +got):\n" + d
	}
	return ""
}

// tables writes the texts of tables to files, and returns a config that reads them.
func tables(t testing.TB, jobs []string, operations ...string) config {
	t.Helper()
	dir := t.TempDir()
	put := func(kind string, texts []string) string {
		for i, text := range texts {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s%d.csv", kind, i)), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return filepath.Join(dir, kind+"*.csv")
	}
	return config{Jobs: put("jobs", jobs), Operations: put("ops", operations)}
}
