package value

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/augur/dag"
)

// randomLog draws a log of jobs in time. Few or many of them depend on jobs submitted before, some of these in the same
// instant or before the other one completed. The numbers of some logs are in order.
func randomLog(rng *rand.Rand) (g *dag.Graph, submitted, completed []int64) {
	n := rng.IntN(40)
	submitted, completed = make([]int64, n), make([]int64, n)
	span := int64(1 + rng.IntN(200))
	for j := range n {
		submitted[j] = rng.Int64N(span)
	}
	place := rng.Perm(n) // among jobs of one instant
	switch rng.IntN(3) {
	case 0:
		coarse := 1 + rng.Int64N(30) // many jobs of one instant
		for j := range submitted {
			submitted[j] -= submitted[j] % coarse
		}
		slices.Sort(submitted)
	case 1:
		slices.Sort(submitted)
		slices.Sort(place)
	}
	for j := range n {
		completed[j] = submitted[j] + rng.Int64N(1+span/4)
	}
	var edges []dag.Edge
	if n > 0 {
		for range rng.IntN(1 + rng.IntN(6*n)) {
			a, b := rng.IntN(n), rng.IntN(n)
			if a == b {
				continue
			}
			if submitted[a] > submitted[b] || submitted[a] == submitted[b] && place[a] > place[b] {
				a, b = b, a
			}
			edges = append(edges, dag.Edge{From: uint32(a), To: uint32(b)})
		}
	}
	g, err := dag.New(n, edges)
	if err != nil {
		panic(err)
	}
	return g, submitted, completed
}

// randomOwn draws values of which many are 0, as downloads are.
func randomOwn(rng *rand.Rand, n int) []float64 {
	own := make([]float64, n)
	for j := range own {
		switch rng.IntN(4) {
		case 0:
			own[j] = float64(rng.IntN(1000))
		case 1:
			own[j] = math.Exp(10 * rng.NormFloat64())
		}
	}
	return own
}

// fewPaths tells whether the paths of g can be walked one by one.
func fewPaths(g *dag.Graph) bool {
	count := make([]float64, g.Len()) // of paths from each job
	for _, v := range slices.Backward(g.Order()) {
		count[v] = 1
		for _, d := range g.Out(v) {
			count[v] += count[d]
		}
		if count[v] > 500 {
			return false
		}
	}
	return true
}

func near(t *testing.T, got float64, want *big.Rat, tolerance float64) bool {
	t.Helper()
	w, _ := want.Float64()
	return math.Abs(got-w) <= tolerance*w
}

func aggregateEqualsAllPaths(t *testing.T) {
	long := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g, submitted, completed := randomLog(rng)
		if !fewPaths(g) {
			continue
		}
		own := randomOwn(rng, g.Len())
		agg, err := Aggregate([]float64{-1}, g, own)
		if err != nil {
			t.Fatal(err)
		}
		if agg[0] != -1 || len(agg) != 1+g.Len() {
			t.Fatalf("seed %d: got %v, want one appended for each job", seed, agg)
		}
		eps := float64(2*g.Len()+g.Edges()) / (1 << 53)
		most := 0
		for j := range g.Len() {
			hops := exactly(g, submitted, completed, math.MaxInt64, own, uint32(j), uint32(j))
			most = max(most, len(hops))
			if want := sum(hops); !near(t, agg[1+j], want, eps) {
				t.Fatalf("seed %d: job %d: got %v, want %v", seed, j, agg[1+j], want.FloatString(9))
			}
		}
		if most > 5 {
			long++
		}
	}
	if long < 50 {
		t.Errorf("got %d logs with paths of more than 4 hops, want 50", long)
	}
}

func TestAggregateRefuses(t *testing.T) {
	g, err := dag.New(2, []dag.Edge{{From: 0, To: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		g    *dag.Graph
		own  []float64
		want string
	}{
		{"no graph", nil, nil, "graph is nil"},
		{"too few", g, []float64{1}, "1 own values for 2 jobs"},
		{"too many", g, []float64{1, 2, 3}, "3 own values for 2 jobs"},
		{"negative", g, []float64{1, -2}, "job 1 is -2"},
		{"NaN", g, []float64{math.NaN(), 1}, "job 0 is NaN"},
		{"infinite", g, []float64{math.Inf(1), 1}, "job 0 is +Inf"},
		{"too large", g, []float64{MaxSum, MaxSum}, "sum of all own values"},
	} {
		dst := []float64{7}
		if got, err := Aggregate(dst, test.g, test.own); err == nil || !strings.Contains(err.Error(), test.want) || len(got) != 1 {
			t.Errorf("%s: got %v, %v, want an error with %q", test.name, got, err, test.want)
		}
	}
	if got, err := Aggregate(nil, g, []float64{0, MaxSum}); err != nil || got[0] != MaxSum {
		t.Errorf("got %v, %v, want the greatest sum", got, err)
	}
}

func TestAggregateAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	g, _, _ := randomLog(rng)
	own := randomOwn(rng, g.Len())
	dst := make([]float64, 0, g.Len())
	if n := testing.AllocsPerRun(10, func() { dst, _ = Aggregate(dst[:0], g, own) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

// benchLog draws a lake: one job every few seconds for some days, 9 of 10 in one of the teams, whose
// jobs read what others of the team wrote in the last day or so, and sometimes another team's.
// The share of jobs that depend on none, and four dependencies a job, are those of section 1.
func benchLog(n int, days float64) (g *dag.Graph, submitted, completed []int64) {
	const teams, day = 150, 24 * 3600 * 1e9
	rng := rand.New(rand.NewPCG(uint64(n), 5))
	submitted, completed = make([]int64, n), make([]int64, n)
	team := make([][]uint32, teams)
	edges := make([]dag.Edge, 0, 5*n)
	each := days * day / float64(n)
	back := day / each / teams // jobs of a team in a day
	for j := range n {
		submitted[j] = int64(float64(j) * each)
		completed[j] = submitted[j] + int64(rng.ExpFloat64()*1800e9)
		own := rng.IntN(teams)
		if rng.IntN(10) < 8 {
			for range 1 + rng.IntN(10) {
				from := own
				if rng.IntN(10) == 0 {
					from = rng.IntN(teams)
				}
				if k := len(team[from]); k > 0 {
					k -= 1 + int(rng.ExpFloat64()*min(back/3, float64(k)/5))%k
					edges = append(edges, dag.Edge{From: team[from][k], To: uint32(j)})
				}
			}
		}
		if rng.IntN(3) == 0 { // the others write what nobody reads
			team[own] = append(team[own], uint32(j))
		}
	}
	g, err := dag.New(n, edges)
	if err != nil {
		panic(err)
	}
	return g, submitted, completed
}

// benchOwn draws downloads of which most jobs have none and few have most, as in Fig. 8.
func benchOwn(n int) []float64 {
	rng := rand.New(rand.NewPCG(uint64(n), 6))
	own := make([]float64, n)
	for j := range own {
		own[j] = math.Floor(min(0.3/rng.Float64(), 1e5))
	}
	return own
}
