package lakes

import (
	"cmp"
	"flag"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag"
	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy"
)

var full = flag.Bool("full", false, "logs as large as the paper's")

func sizes() []size {
	if *full {
		return []size{week, quarter.over(100), quarter.over(10), quarter}
	}
	return []size{week.over(100), quarter.over(100)}
}

// steps adds up the time of each step of a benchmark.
type steps struct {
	b     *testing.B
	names []string
	spent map[string]spent
}

type spent struct {
	time      time.Duration
	processor float64 // s
}

func (s *steps) run(name string, f func()) {
	begin, busy := time.Now(), processor()
	f()
	if s.spent == nil {
		s.spent = make(map[string]spent)
	}
	x, ok := s.spent[name]
	if !ok {
		s.names = append(s.names, name)
	}
	s.spent[name] = spent{x.time + time.Since(begin), x.processor + processor() - busy}
}

func (s *steps) report() {
	for _, name := range s.names {
		s.b.ReportMetric(s.spent[name].time.Seconds()/float64(s.b.N), name+"-s")
		s.b.ReportMetric(s.spent[name].processor/float64(s.b.N), name+"-cpu-s")
	}
}

func (s *steps) per(name, of string, n int) {
	s.b.ReportMetric(float64(s.spent[name].time.Nanoseconds())/float64(s.b.N)/float64(n), name+"-ns/"+of)
}

// BenchmarkLake goes from the log to what each job is worth without a window: the tables are read, their operations
// joined, and counted by pairs of jobs; the pairs are made a graph, over which the downloads are aggregated. Of 90 days it
// classifies the templates and the dependencies too. Seconds are those of each step, and of processors in it; MiB is
// the most that the process held in any of them, and classify-MiB what it held in that one, with the log.
func BenchmarkLake(b *testing.B) {
	for _, size := range sizes() {
		b.Run(size.String(), func(b *testing.B) {
			log := write(b, size)
			clean := forget()
			s := steps{b: b}
			ops, deps, most, classifying := 0, 0, 0.0, 0.0
			for b.Loop() {
				var (
					l     *provenance.Log
					found *provenance.Lineage
					err   error
				)
				s.run("read", func() { l = log.read(b) })
				s.run("join", func() { found = find(b, l) })
				worth := aggregate(b, &s, len(log.submitted), found)
				if len(worth) != len(log.submitted) {
					b.Fatalf("got the worth of %d jobs, want %d", len(worth), len(log.submitted))
				}
				ops, deps = len(l.Ops), len(found.Dependencies)
				most = max(most, peak())
				if size.days < 90 {
					continue // nothing recurs
				}
				forget()
				s.run("classify", func() {
					_, err = provenance.Classify(l, found.Dependencies, provenance.ClassConfig{End: provenance.Time(log.end)})
				})
				if err != nil {
					b.Fatal(err)
				}
				classifying = max(classifying, peak())
			}
			if clean {
				b.ReportMetric(max(most, classifying), "MiB")
				if classifying > 0 {
					b.ReportMetric(classifying, "classify-MiB")
				}
			}
			s.report()
			s.per("join", "op", ops)
			s.per("graph", "dep", deps)
			s.per("aggregate", "dep", deps)
			b.ReportMetric(float64(len(log.submitted)), "jobs")
			b.ReportMetric(float64(ops), "ops")
			b.ReportMetric(float64(deps), "deps")
		})
	}
}

// aggregate makes the graph and returns what jobs are worth in downloads.
func aggregate(b *testing.B, s *steps, jobs int, found *provenance.Lineage) (worth []float64) {
	var (
		g   *dag.Graph
		err error
	)
	s.run("graph", func() { g, err = found.Graph(jobs) })
	if err != nil {
		b.Fatal(err)
	}
	s.run("aggregate", func() {
		own := make([]float64, jobs)
		for _, d := range found.Downloads {
			own[d.Job]++
		}
		worth, err = value.Aggregate(nil, g, own)
	})
	if err != nil {
		b.Fatal(err)
	}
	return worth
}

// What is found is what is true.
func TestLogIsReadAsItWasMade(t *testing.T) {
	size := week.over(100)
	found := find(t, write(t, size).read(t))
	made, err := size.lake().Log()
	if err != nil {
		t.Fatal(err)
	}
	var want []dag.Edge
	for i, j := range made.Provenance().Jobs {
		truth, err := made.Truth(policy.JobID(i + 1))
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range truth.Reads {
			if j.State != provenance.NoInput {
				want = append(want, dag.Edge{From: uint32(from) - 1, To: uint32(i)})
			}
		}
	}
	var got []dag.Edge
	for _, d := range found.Dependencies {
		got = append(got, dag.Edge{From: d.From, To: d.To})
	}
	slices.SortFunc(want, func(a, b dag.Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	if !slices.Equal(got, want) {
		t.Errorf("got %d dependencies, want %d", len(got), len(want))
	}
}
