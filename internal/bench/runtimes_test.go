package bench

import (
	"bufio"
	"compress/gzip"
	"os"
	"strconv"
	"strings"
	"testing"

	"example.com/augur/internal/traces"
)

// google2011 returns the runtimes of the jobs of Google's trace of 2011 that finished and whose start was seen, in s.
func google2011(b *testing.B) []float64 {
	return runtimes(b, "google2011/jobs_first_half.csv.gz", func(line string) []string {
		columns := strings.Split(line, ",")
		if len(columns) < 9 || columns[8] != "FINISH" || columns[6] == "0" {
			return nil
		}
		return columns[6:8]
	}, func(x []float64) []float64 { return []float64{(x[1] - x[0]) * 1e-6} })
}

// googleTasks returns the runtimes of the tasks of Hawk's Google trace, in s.
func googleTasks(b *testing.B) []float64 {
	return runtimes(b, "eagle_format/GOOG_subtrace.tr.gz", func(line string) []string {
		columns := strings.Fields(line)
		return columns[min(3, len(columns)):]
	}, func(x []float64) []float64 { return x })
}

// runtimes reads a file whose lines have numbers in the columns that cut returns, of which make makes runtimes.
func runtimes(b *testing.B, name string, cut func(line string) []string, make func(numbers []float64) []float64) (all []float64) {
	b.Helper()
	file, err := os.Open(traces.Path(b, name))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var numbers []float64
		columns := cut(lines.Text())
		for _, column := range columns {
			if x, err := strconv.ParseFloat(column, 64); err == nil {
				numbers = append(numbers, x)
			}
		}
		if len(columns) == 0 || len(numbers) < len(columns) {
			continue
		}
		for _, x := range make(numbers) {
			if x >= 0 {
				all = append(all, x)
			}
		}
	}
	if err := lines.Err(); err != nil || len(all) == 0 {
		b.Fatalf("%d runtimes in %s: %v", len(all), name, err)
	}
	return all
}
