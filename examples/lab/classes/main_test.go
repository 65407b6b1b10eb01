package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/traces"
)

// What the generator e2e draws from is what the trace says.
func TestCommittedClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a table of 317,280 jobs, twice")
	}
	jobs, tasks := traces.Path(t, "google2011/jobs_first_half.csv.gz"), traces.Path(t, "google2011/tasks_parts_00000-00006.csv.gz")
	for name, c := range choices {
		want, err := os.ReadFile("../../../" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := fit(jobs, tasks, name, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s is not what this program writes: -file +written:\n%s", c.file, diff)
		}
	}
}

// cost is the sum of squared distances to the means of the runs.
func cost(values []float64, cuts []int) float64 {
	total := 0.0
	for i, from := range cuts {
		to := len(values)
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		mean := 0.0
		for _, x := range values[from:to] {
			mean += x / float64(to-from)
		}
		for _, x := range values[from:to] {
			total += (x - mean) * (x - mean)
		}
	}
	return total
}

// leastCost tries all ways to cut values into k runs, the first of which begins at from.
func leastCost(values []float64, cuts []int, k int) float64 {
	if len(cuts) == k {
		return cost(values, cuts)
	}
	least := math.Inf(1)
	for next := cuts[len(cuts)-1] + 1; next <= len(values)-(k-len(cuts)); next++ {
		least = min(least, leastCost(values, append(slices.Clone(cuts), next), k))
	}
	return least
}

func TestKMeansIsBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		values := make([]float64, 1+rng.IntN(12))
		for i := range values {
			values[i] = float64(rng.IntN(20)) // some alike
		}
		slices.Sort(values)
		k := 1 + rng.IntN(min(4, len(values)))
		cuts := kmeans(values, k)
		if len(cuts) != k || cuts[0] != 0 || !slices.IsSorted(cuts) || len(slices.Compact(slices.Clone(cuts))) != k {
			t.Fatalf("%v in %d runs: got them to begin at %v", values, k, cuts)
		}
		if got, want := cost(values, cuts), leastCost(values, []int{0}, k); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v in %d runs at %v: got cost %v, want %v", values, k, cuts, got, want)
		}
	}
}

// silhouetteByDefinition compares each value with each other one.
func silhouetteByDefinition(values []float64, cuts []int) float64 {
	run := func(i int) int {
		r, found := slices.BinarySearch(cuts, i)
		if !found {
			r--
		}
		return r
	}
	total := 0.0
	for i, x := range values {
		sums, counts := make([]float64, len(cuts)), make([]float64, len(cuts))
		for k, y := range values {
			if k != i {
				sums[run(k)] += math.Abs(x - y)
				counts[run(k)]++
			}
		}
		own, b := run(i), math.Inf(1)
		if counts[own] == 0 {
			continue
		}
		a := sums[own] / counts[own]
		for r := range cuts {
			if r != own {
				b = min(b, sums[r]/counts[r])
			}
		}
		if most := max(a, b); most > 0 {
			total += (b - a) / most
		}
	}
	return total / float64(len(values))
}

func TestSilhouette(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		values := make([]float64, 2+rng.IntN(30))
		for i := range values {
			values[i] = math.Round(rng.ExpFloat64() * 10)
		}
		slices.Sort(values)
		cuts := append([]int{0}, rng.Perm(len(values) - 1)[:1+rng.IntN(min(5, len(values)-1))]...)
		for i := range cuts[1:] {
			cuts[i+1]++
		}
		slices.Sort(cuts)
		if got, want := silhouette(values, cuts), silhouetteByDefinition(values, cuts); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v cut at %v: got %v, want %v", values, cuts, got, want)
		}
	}
	// By hand: a = 1 each; b = 9.5, 8.5, 8.5, 9.5.
	want := (2*8.5/9.5 + 2*7.5/8.5) / 4
	if got := silhouette([]float64{0, 1, 9, 10}, []int{0, 2}); math.Abs(got-want) > 1e-12 {
		t.Errorf("got %v, want %v", got, want)
	}
}

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "table.csv.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	fmt.Fprint(z, text)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

const jobsHeader = "job_id,user,logical_job_name,schedule_us,end_us,end_event\n"

func TestRead(t *testing.T) {
	jobs := file(t, jobsHeader+
		"1,u1,l1,1000000,4000000,FINISH\n"+
		"2,u1,l2,1000000,2000000,KILL\n"+
		"7,u1,l2,1000000,,\n"+ // has not ended
		"3,u2,l2,0,2000000,FINISH\n"+ // began before the trace
		"4,u2,l2,,2000000,FINISH\n"+
		"5,u3,l3,1000000,2500000,FINISH\n"+
		"6,u3,l3,1000000,9000000,FINISH\n") // without tasks
	tasks := file(t, "job_id,task_index,attempt\n7,0,1\n1,0,1\n1,7,1\n1,7,2\n5,0,1\n2,0,1\n")
	want := []job{{2, 1e6, 1, 1, "u1", "l2"}, {5, 1e6, 1.5, 1, "u3", "l3"}, {1, 1e6, 3, 2, "u1", "l1"}}
	for finished, want := range map[bool][]job{false: want, true: want[1:]} {
		got, err := read(jobs, tasks, finished)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(job{})); diff != "" {
			t.Errorf("finished %v: -want +got:\n%s", finished, diff)
		}
	}
}

func TestPredictable(t *testing.T) {
	jobs := []job{
		{1, 50, 10, 1, "u1", "a"},  // the last of a: 4, 30: 17
		{2, 10, 4, 1, "u1", "a"},   // nothing is known
		{3, 20, 30, 1, "u1", "a"},  // 4: wrong
		{4, 60, 13, 1, "u1", "b"},  // of the user: 4, 10, 30: right
		{5, 70, 4.9, 1, "u2", "a"}, // 4, 10, 30: just wrong
	}
	if got := predictable(jobs); got != 0.5 {
		t.Errorf("got %v, want 2 of 4", got)
	}
	if got := predictable(nil); got != 0 {
		t.Errorf("no jobs: got %v, want 0", got)
	}
}

func TestReadRefuses(t *testing.T) {
	tasks := file(t, "job_id,task_index\n1,0\n")
	good := file(t, jobsHeader+"1,u1,l1,1000000,4000000,FINISH\n")
	for _, test := range []struct{ jobs, tasks, want string }{
		{filepath.Join(t.TempDir(), "none"), tasks, "no such file"},
		{file(t, "job_id,user\n1,u1\n"), tasks, "has no column logical_job_name"},
		{file(t, jobsHeader+"x,u1,l1,1000000,4000000,FINISH\n"), tasks, `line 2: strconv.ParseUint: parsing "x"`},
		{file(t, jobsHeader+"1,u1,l1,4000000,1000000,FINISH\n"), tasks, "line 2: job 1 runs from 4000000 to 1000000 µs"},
		{file(t, jobsHeader+"1,u1\n"), tasks, "wrong number of fields"},
		{good, file(t, "job_id,task_index\n1,x\n"), `line 2: strconv.Atoi: parsing "x"`},
		{good, tasks, "1 jobs with at most 256 tasks, want at least 10"},
	} {
		if err := fit(test.jobs, test.tasks, "finished", new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one with %q", err, test.want)
		}
	}
}
