package value

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag"
)

// letters are functions whose weights are lists of paths, each with its jobs in order. They forget nothing, so functions that
// are right for them are right for all that are associative, commutative and distributive as Paths demands.
var letters = Paths[[]string]{
	Weight: func(_ *dag.Graph, _, to uint32) []string { return []string{fmt.Sprintf(" %d", to)} },
	Along: func(a, b []string) (all []string) {
		for _, a := range a {
			for _, b := range b {
				all = append(all, a+b)
			}
		}
		return all
	},
	Across: func(a, b []string) []string { return slices.Sorted(slices.Values(slices.Concat(a, b))) },
}

// eachPath calls visit for each path from job j on, one by one, with the jobs after j. It counts only paths through jobs within.
func eachPath(g *dag.Graph, j uint32, within func(d uint32) bool, visit func(path []uint32)) {
	var walk func(path []uint32, u uint32)
	walk = func(path []uint32, u uint32) {
		for _, d := range g.Out(u) {
			if within(d) {
				path := append(slices.Clone(path), d)
				visit(path)
				walk(path, d)
			}
		}
	}
	walk(nil, j)
}

func pathsEqualAllPaths(t *testing.T) {
	several, cut := 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 21))
		g, submitted, completed := randomLog(rng)
		if !fewPaths(g) {
			continue
		}
		own := make([][]string, g.Len())
		for j := range own {
			own[j] = []string{fmt.Sprint("|", j)}
		}
		fold, err := letters.Fold([][]string{{"before"}}, g, own)
		if err != nil || fold[0][0] != "before" {
			t.Fatalf("seed %d: got %v, %v, want folds appended", seed, fold, err)
		}
		width := rng.Int64N(80)
		for j := range uint32(g.Len()) {
			all := func(uint32) bool { return true }
			wantFold := []string{own[j][0]}
			eachPath(g, j, all, func(path []uint32) {
				wantFold = append(wantFold, strings.Trim(fmt.Sprint(path), "[]")+own[path[len(path)-1]][0])
			})
			for i := range wantFold[1:] {
				wantFold[1+i] = " " + wantFold[1+i]
			}
			slices.Sort(wantFold)
			if diff := cmp.Diff(wantFold, fold[1+j]); diff != "" {
				t.Fatalf("seed %d: fold of job %d (-want +got):\n%s", seed, j, diff)
			}

			within, given := all, (func(uint32) bool)(nil)
			if rng.IntN(2) == 0 {
				within = func(d uint32) bool { return submitted[d] <= completed[j]+width }
				given = within
			}
			want := make(map[uint32][]string)
			eachPath(g, j, within, func(path []uint32) {
				d := path[len(path)-1]
				want[d] = append(want[d], " "+strings.Trim(fmt.Sprint(path), "[]"))
			})
			got, count := make(map[uint32][]string), 0
			for d, w := range letters.Dependents(g, j, given) {
				for _, u := range g.In(d) {
					if _, come := got[u]; want[u] != nil && !come {
						t.Fatalf("seed %d: job %d comes before %d, on which it depends", seed, d, u)
					}
				}
				got[d] = slices.Sorted(slices.Values(w))
				count++
			}
			for d := range want {
				slices.Sort(want[d])
				several = max(several, len(want[d]))
			}
			if diff := cmp.Diff(want, got); diff != "" || count != len(want) {
				t.Fatalf("seed %d: %d dependents of job %d (-want +got):\n%s", seed, count, j, diff)
			}
			if given != nil && len(wantFold)-1 > len(want) && len(want) > 0 {
				cut++
			}
			for range letters.Dependents(g, j, given) {
				break
			}
		}
	}
	if several < 20 || cut < 100 {
		t.Errorf("got %d paths between two jobs at most, and %d windows that cut some off, want 20 and 100", several, cut)
	}
}

// Dependents finds what Algorithm 1 finds. Fold of Shares is Aggregate, and Fold of Reach the greatest amount.
func TestSharesAndReach(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 22))
		g, _, _ := randomLog(rng)
		own := randomOwn(rng, g.Len())
		want, err := Aggregate(nil, g, own)
		if err != nil {
			t.Fatal(err)
		}
		fold, _ := Shares().Fold(nil, g, own)
		greatest, _ := Reach().Fold(nil, g, own)
		for name, paths := range map[string]Paths[float64]{"Shares": Shares(), "Reach": Reach()} {
			table := make(map[[2]uint32]float64)
			for _, r := range (algorithm1{Paths: paths}).run(g, 6) {
				table[[2]uint32{r.depOn, r.job}] = r.wt
			}
			n := 0
			for j := range uint32(g.Len()) {
				most := own[j]
				for d, w := range paths.Dependents(g, j, nil) {
					n, most = n+1, max(most, own[d])
					if want := table[[2]uint32{j, d}]; !(math.Abs(w-want) <= 1e-12*want) {
						t.Fatalf("seed %d: %s of job %d to %d: got %v, Algorithm 1 has %v", seed, name, j, d, w, want)
					}
				}
				if greatest[j] != most || math.Abs(fold[j]-want[j]) > 1e-12*want[j] {
					t.Fatalf("seed %d: job %d: got %v of Reach and %v of Shares, want %v and %v", seed, j, greatest[j], fold[j], most, want[j])
				}
			}
			if n != len(table) {
				t.Fatalf("seed %d: got %d pairs of %s, Algorithm 1 has %d", seed, n, name, len(table))
			}
		}
	}
	missing := Shares()
	missing.Across = nil
	if got, err := missing.Fold([]float64{7}, new(dag.Graph), nil); err == nil || !strings.Contains(err.Error(), "Across") || len(got) != 1 {
		t.Errorf("got %v, %v, want an error about Across", got, err)
	}
	func() {
		defer func() {
			if p := recover(); !strings.Contains(fmt.Sprint(p), "Across") {
				t.Errorf("got panic %v, want one about Across", p)
			}
		}()
		missing.Dependents(new(dag.Graph), 0, nil)
	}()
	if got, err := Shares().Fold([]float64{7}, new(dag.Graph), []float64{1}); err == nil || len(got) != 1 {
		t.Errorf("got %v, %v, want an error", got, err)
	}
}

// Section 4.5.1: a job depends on N jobs, and each of these on M others. Then 1/(N·M) of its value comes back to each job that is
// two hops upstream.
func TestTwoHopsUpstream(t *testing.T) {
	const n, m = 3, 4 // job 0, then the N, then the N·M
	var edges []dag.Edge
	for i := range uint32(n) {
		edges = append(edges, dag.Edge{From: 1 + i, To: 0})
		for k := range uint32(m) {
			edges = append(edges, dag.Edge{From: 1 + n + m*i + k, To: 1 + i})
		}
	}
	g, err := dag.New(1+n+n*m, edges)
	if err != nil {
		t.Fatal(err)
	}
	for j := uint32(1 + n); j < uint32(g.Len()); j++ {
		if got := maps.Collect(Shares().Dependents(g, j, nil))[0]; got != 1.0/n*(1.0/m) {
			t.Errorf("job %d: got %v, want 1/12", j, got)
		}
	}
}
