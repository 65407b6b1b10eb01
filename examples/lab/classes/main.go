// Classes fits the job classes of the workload e2e to the Google trace of 2011, as the
// evaluation of 3Sigma does, and writes them as Go source: the files
// e2e_finished.go and e2e_two_hours.go of examples/lab/paper:
//
//	go run ./examples/lab/classes -of finished -jobs jobs_first_half.csv.gz -tasks tasks_parts_00000-00006.csv.gz
//
// or with -of endedInTwoHours. It takes jobs with at most 256 tasks, all known, and cuts them into k classes by k-means on the
// logarithm of their runtime. The paper does not give k; ours is the k of 2 to 10 with the greatest mean silhouette. Each class
// gets lognormal distributions, of runtimes and of widths above 1, and the features of its jobs.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"go/format"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"example.com/augur/examples/internal/cli"
)

func main() { cli.Main("classes", run) }

func run(_ context.Context, args []string, stdout, _ io.Writer) error {
	fs := flag.NewFlagSet("classes", flag.ContinueOnError)
	jobs := fs.String("jobs", "", "table of jobs in `FILE`, CSV, gzipped")
	tasks := fs.String("tasks", "", "table of task attempts in `FILE`, CSV, gzipped")
	names := strings.Join(slices.Sorted(maps.Keys(choices)), ", ")
	name := fs.String("of", "finished", "which jobs, `NAME` of "+names)
	if _, err := cli.Parse(fs, args, stdout, "Classes fits job classes to the Google trace, and writes them as Go source. Flags:"); err != nil {
		return err
	}
	if _, ok := choices[*name]; !ok {
		return cli.Usagef("-of is %q, want one of %s", *name, names)
	}
	return fit(*jobs, *tasks, *name, stdout)
}

// A choice is which jobs of the trace count, and what is written of them.
type choice struct {
	finished bool    // only those that finished, not those that failed, or were killed or evicted
	longest  float64 // that they run, s
	what     string  // in words
	file     string  // where it is written to, below the root
}

// choices are by the name of the variable that is written. The paper does not say which jobs it takes. Published are that
// 600 jobs are two hours at a load of 1.4: endedInTwoHours comes near that. Within one hour jobs are smaller by a third,
// and without a bound three times as large.
var choices = map[string]choice{
	"finished":        {true, math.Inf(1), "finished", "examples/lab/paper/e2e_finished.go"},
	"endedInTwoHours": {false, 7200, "ended in any way within two hours", "examples/lab/paper/e2e_two_hours.go"},
}

const (
	widest      = 256 // nodes: 3Sigma, section 5
	mostClasses = 10  // tried values of k
	recent      = 20  // runtimes: an estimate is their median
	often       = 10  // jobs of a program that is listed by its name
)

// fit reads the tables and writes the classes.
func fit(jobsFile, tasksFile, name string, w io.Writer) error {
	c := choices[name]
	all, err := read(jobsFile, tasksFile, c.finished)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(j job) bool { return j.runtime > c.longest })
	jobs := slices.DeleteFunc(slices.Clone(all), func(j job) bool { return j.width > widest })
	if len(jobs) < mostClasses {
		return fmt.Errorf("%d jobs with at most %d tasks, want at least %d", len(jobs), widest, mostClasses)
	}
	cuts, scores := bestCuts(logRuntimes(jobs))
	classes := make([][]job, len(cuts))
	for i, from := range cuts {
		classes[i] = jobs[from:append(cuts, len(jobs))[i+1]]
	}
	s := &source{}
	s.comment(c, all, jobs, classes, scores)
	s.line("var %s = e2eClasses{", name)
	s.classes(classes)
	s.features(features(classes))
	s.line("}")
	text, err := format.Source(s.Bytes())
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// bestCuts returns where the classes of the best number of them begin, and the scores of all numbers.
func bestCuts(logs []float64) (cuts []int, scores string) {
	best := math.Inf(-1)
	for k := 2; k <= mostClasses; k++ {
		c := kmeans(logs, k)
		score := silhouette(logs, c)
		scores += fmt.Sprintf(" %.3f", score)
		if score > best {
			best, cuts = score, c
		}
	}
	return cuts, scores
}

// predictable returns the share of jobs of which an estimate, made when they begin, is
// within a factor of two. It is the median of the last runtimes of the same program, or,
// if there are none, of the same user.
func predictable(jobs []job) float64 {
	byBegin := slices.Clone(jobs)
	slices.SortFunc(byBegin, func(a, b job) int { return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.id, b.id)) })
	type key struct{ user, program string }
	last := make(map[key][]float64)
	made, right := 0, 0
	for _, j := range byBegin {
		keys := [2]key{{program: j.program}, {user: j.user}}
		seen := last[keys[0]]
		if len(seen) == 0 {
			seen = last[keys[1]]
		}
		if len(seen) > 0 {
			sorted := slices.Sorted(slices.Values(seen))
			n := len(sorted)
			made++
			if ratio := (sorted[(n-1)/2] + sorted[n/2]) / 2 / j.runtime; 0.5 <= ratio && ratio <= 2 {
				right++
			}
		}
		for _, k := range keys {
			last[k] = append(last[k], j.runtime)
			last[k] = last[k][max(0, len(last[k])-recent):]
		}
	}
	return float64(right) / float64(max(1, made))
}

type feature struct {
	user, program string
	logs          [][]float64 // of runtimes, by class
}

// features returns users with their programs, in order of both.
func features(classes [][]job) []feature {
	runs := make(map[string]int)
	for _, class := range classes {
		for _, j := range class {
			runs[j.program]++
		}
	}
	found := make(map[[2]string][][]float64)
	for i, class := range classes {
		for _, j := range class {
			key := [2]string{j.user, ""}
			if runs[j.program] >= often {
				key[1] = j.program
			}
			if found[key] == nil {
				found[key] = make([][]float64, len(classes))
			}
			found[key][i] = append(found[key][i], math.Log(j.runtime))
		}
	}
	var list []feature
	for key, logs := range found {
		list = append(list, feature{key[0], key[1], logs})
	}
	slices.SortFunc(list, func(a, b feature) int { return cmp.Or(cmp.Compare(a.user, b.user), cmp.Compare(a.program, b.program)) })
	return list
}
