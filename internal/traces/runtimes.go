package traces

import (
	"bufio"
	"compress/gzip"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Sets names the sets of runtimes that [Runtimes] knows.
var Sets = []string{
	"google2011 jobs", "google2011 tasks", "nasa", "wagap", "philly", "alibaba_gpu", "lisa",
	"goog tasks", "yh1 tasks",
}

// Runtimes returns the runtimes of one of [Sets], in seconds and in the order of the file:
// those of what ran and ended, successfully if the file tells. It skips the test if the
// file is not there.
func Runtimes(t testing.TB, set string) []float64 {
	t.Helper()
	const us, ms = 1e-6, 1e-3
	switch set {
	case "google2011 jobs":
		return rows(t, "google2011/jobs_first_half.csv.gz", ",", finished(6, 7, 8, us))
	case "google2011 tasks":
		return rows(t, "google2011/tasks_parts_00000-00006.csv.gz", ",", finished(11, 12, 13, us))
	case "nasa":
		return rows(t, "swf/NASA-iPSC-1993-3.1-cln.swf.gz", "", single(3, 1))
	case "wagap":
		return rows(t, "swf/wagap-2013.swf.gz", "", single(3, 1))
	case "philly":
		return rows(t, "philly/philly_to_2017-10-31.csv.gz", ",", single(1, 1))
	case "alibaba_gpu":
		return rows(t, "alibaba_gpu/openb_pod_list_default.csv.gz", ",", difference(10, 9, 1))
	case "lisa":
		return rows(t, "surf_lisa/tasks_2022-10.csv.gz", ",", single(2, ms))
	case "goog tasks":
		return rows(t, "eagle_format/GOOG_subtrace.tr.gz", "", after(3))
	case "yh1 tasks":
		return rows(t, "eagle_format/YH1_sub.tr.gz", "", after(3))
	}
	t.Fatalf("no set of runtimes %q", set)
	return nil
}

// rows reads the runtimes of all lines of a file, but for those that begin with a semicolon.
// Columns are cut at sep, or at white space if sep is empty.
func rows(t testing.TB, name, sep string, read func(columns []string) []float64) []float64 {
	t.Helper()
	file, err := os.Open(Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var runtimes []float64
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, ";") {
			continue
		}
		columns := strings.Fields(line)
		if sep != "" {
			columns = strings.Split(line, sep)
		}
		for _, x := range read(columns) {
			if x >= 0 {
				runtimes = append(runtimes, x)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(runtimes) == 0 {
		t.Fatalf("no runtimes in %s", name)
	}
	return runtimes
}

func number(columns []string, i int) (float64, bool) {
	if i >= len(columns) {
		return 0, false
	}
	x, err := strconv.ParseFloat(columns[i], 64)
	return x, err == nil
}

func single(i int, unit float64) func([]string) []float64 {
	return func(columns []string) []float64 {
		x, ok := number(columns, i)
		if !ok {
			return nil
		}
		return []float64{x * unit}
	}
}

func difference(from, to int, unit float64) func([]string) []float64 {
	return func(columns []string) []float64 {
		a, ok := number(columns, from)
		b, ok2 := number(columns, to)
		if !ok || !ok2 {
			return nil
		}
		return []float64{(b - a) * unit}
	}
}

// finished takes the difference where the event is FINISH and the start was seen.
func finished(from, to, event int, unit float64) func([]string) []float64 {
	read := difference(from, to, unit)
	return func(columns []string) []float64 {
		if event >= len(columns) || columns[event] != "FINISH" || columns[from] == "0" {
			return nil
		}
		return read(columns)
	}
}

func after(first int) func([]string) []float64 {
	return func(columns []string) []float64 {
		var runtimes []float64
		for i := first; i < len(columns); i++ {
			if x, ok := number(columns, i); ok {
				runtimes = append(runtimes, x)
			}
		}
		return runtimes
	}
}
