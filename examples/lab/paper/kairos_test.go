package paper_test

import (
	"fmt"
	"log"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

const s = time.Second

// The first jobs of the heavy-tailed workload.
func ExampleKairos() {
	source, err := paper.DefaultKairos().Source()
	if err != nil {
		log.Fatal(err)
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range jobs[:3] {
		program, _ := j.Attr("program")
		fmt.Printf("job %d at %.0f s, %s: %d maps, %d reduces\n", j.ID, j.Submitted.Seconds(), program, j.Stages[0].Tasks, j.Stages[1].Tasks)
	}
	// Output:
	// job 1 at 32 s, small: 15 maps, 15 reduces
	// job 2 at 85 s, small: 15 maps, 15 reduces
	// job 3 at 112 s, medium small: 15 maps, 15 reduces
}

// kairosRow is a row of Table 1.
type kairosRow struct {
	program       string
	input         string
	maps, reduces uint32
	alone         time.Duration
	share         float64
}

var kairosTable = []kairosRow{
	{"small", "4000000000", 15, 15, 85 * s, 0.32},
	{"medium small", "4000000000", 15, 15, 201 * s, 0.31},
	{"medium", "8000000000", 30, 30, 239 * s, 0.31},
	{"medium long", "30000000000", 112, 60, 308 * s, 0.04},
	{"long", "60000000000", 224, 60, 1175 * s, 0.02},
}

func kairosIsTable1(t *testing.T) {
	long60 := paper.DefaultKairos()
	long60.LongMaps = 60
	uniform := slices.Clone(kairosTable[:3])
	uniform[0].share, uniform[1].share, uniform[2].share = 0.35, 0.35, 0.3 // section 5.3.1
	for _, test := range []struct {
		name  string
		k     paper.Kairos
		table []kairosRow
		maps  uint32 // of long jobs
		gap   float64
	}{
		{"as printed", paper.DefaultKairos(), kairosTable, 224, 60},
		{"blocks of 1 GB", long60, kairosTable, 60, 60},
		{"uniform", paper.UniformKairos(), uniform, 0, 30},
	} {
		k := test.k
		if k.Jobs != 100 {
			t.Errorf("%s: got %d jobs, want 100 (section 5.2)", test.name, k.Jobs)
		}
		k.Jobs = 3000
		jobs := jobtest.Made(t)(k.Source())
		n := float64(len(jobs))
		mean := jobs[len(jobs)-1].Submitted.Seconds() / n
		jobtest.WantWithin(t, test.name+": mean gap", mean, test.gap, test.gap/math.Sqrt(n))
		apart := make([]*workload.Job, 200) // so that each is alone
		for i, j := range jobs[:len(apart)] {
			alone := *j
			alone.Submitted = policy.Time(i) * policy.Time(time.Hour)
			apart[i] = &alone
		}
		result := runtest.FIFO(t, apart, sim.Partition{Nodes: 30, Cores: 4, Memory: 16 << 30})
		type seen struct{ n, least, most, longest float64 }
		got := make(map[string]*seen)
		for i, j := range jobs {
			if err := j.Validate(); err != nil {
				t.Fatal(err)
			}
			program, _ := j.Attr("program")
			input, _ := j.Attr("input")
			at := slices.IndexFunc(test.table, func(r kairosRow) bool { return r.program == program })
			if at < 0 {
				t.Fatalf("%s: job %d is of category %q", test.name, j.ID, program)
			}
			want := test.table[at]
			if program == "long" {
				want.maps = test.maps
			}
			if input != want.input || j.Stages[0].Tasks != want.maps || j.Stages[1].Tasks != want.reduces ||
				j.Stages[0].Memory != 2<<30 || j.Stages[1].Memory != 4<<30 || len(j.Stages[1].Reads) != 1 {
				t.Fatalf("%s: job %d, %s: got stages %+v", test.name, j.ID, program, j.Stages)
			}
			g := got[program]
			if g == nil {
				g = &seen{least: math.Inf(1)}
				got[program] = g
			}
			g.n++
			if i < len(apart) {
				jct := result.Jobs[i].JCT().Seconds()
				g.least, g.most = min(g.least, jct), max(g.most, jct)
			}
			longest := max(slices.Max(j.Runtimes[0]), slices.Max(j.Runtimes[1])).Seconds()
			g.longest = max(g.longest, longest)
			for _, stage := range j.Runtimes {
				if least, most := slices.Min(stage), slices.Max(stage); float64(least) < float64(most)*0.9-1 {
					t.Fatalf("%s: job %d: got runtimes from %v to %v, want them within a tenth", test.name, j.ID, least, most)
				}
			}
		}
		t.Logf("%-14s %-12s  %8s %8s  %8s %8s   %s", test.name, "", "share", "", "alone, s", "", "longest task, s")
		for _, want := range test.table {
			g := got[want.program]
			t.Logf("%-14s %-12s  %8.3f %8.3f  %8.1f %8.1f   %.1f", "", want.program, want.share, g.n/n, want.alone.Seconds(), g.most, g.longest)
			jobtest.WantWithin(t, test.name+": share of "+want.program, g.n/n, want.share, math.Sqrt(want.share*(1-want.share)/n))
			for _, jct := range []float64{g.least, g.most} {
				if math.Abs(jct-want.alone.Seconds()) > 1e-6 { // runtimes are rounded to nanoseconds
					t.Errorf("%s: %s takes %v s alone, want %v", test.name, want.program, jct, want.alone.Seconds())
				}
			}
		}
	}
}

// "The resulting workload takes roughly 2 hours" (section 5.2): so long do arrivals last.
func TestDefaultKairos(t *testing.T) {
	jobs := jobtest.Made(t)(paper.DefaultKairos().Source())
	if hours := jobs[len(jobs)-1].Submitted.Seconds() / 3600; len(jobs) != 100 || math.Round(hours) != 2 {
		t.Errorf("got %d jobs over %.2f hours, want 100 over about 2", len(jobs), hours)
	}
	t.Logf("load on 120 cores: %.2f", workload.Measure(jobs).Load(120))
}

func TestKairosValidation(t *testing.T) {
	jobtest.WantRefused(t, "paper: Kairos.", paper.DefaultKairos, paper.Kairos.Source, map[string]func(k *paper.Kairos){
		"Jobs is 0, want 1 to 2^28":                          func(k *paper.Kairos) { k.Jobs = 0 },
		"Jobs is 268435457, want 1 to 2^28":                  func(k *paper.Kairos) { k.Jobs = 1<<28 + 1 },
		"MeanGap is 0s, want above 0 s":                      func(k *paper.Kairos) { k.MeanGap = 0 },
		"Shares[1] is -0.1, want 0 to 1":                     func(k *paper.Kairos) { k.Shares[1] = -0.1 },
		"Shares[4] is NaN, want 0 to 1":                      func(k *paper.Kairos) { k.Shares[4] = math.NaN() },
		"Shares is [0.32 0.31 0.31 0.04 0], want 1 together": func(k *paper.Kairos) { k.Shares[4] = 0 },
		"LongMaps is 0, want 1 to 10000":                     func(k *paper.Kairos) { k.LongMaps = 0 },
		"LongMaps is 10001, want 1 to 10000":                 func(k *paper.Kairos) { k.LongMaps = 10001 },
	})
	k := paper.DefaultKairos()
	k.MeanGap = math.MaxInt64
	source, err := k.Source()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jobtest.Drain(source); err == nil || err.Error() != "paper: Kairos.MeanGap of 2562047h47m16.854775807s puts job 1 beyond 1e9 s, want a smaller one, or fewer Jobs" {
		t.Errorf("got error %v, want one that says that job 1 is too late", err)
	}
}
