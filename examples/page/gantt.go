package page

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"example.com/augur/examples/internal/figure"
	"example.com/augur/examples/internal/lanes"
	"example.com/augur/internal/saturate"
)

// A gantt is what ran on some nodes, of each policy.
type gantt struct {
	From, To float64 // seconds
	Charts   []*ganttChart
	Nodes    []ganttNode
	Ticks    []webTick // in percent of the width
	Shown    int       // nodes
	Of       int
	Height   int // pixels
	Lanes    int
	most     int // blocks of a policy
}

// A ganttNode is a node that is shown; At is where it begins, in percent of the height.
type ganttNode struct {
	Name string
	At   string
}

// A ganttChart is the blocks of a policy. Those shorter than Merged seconds that follow each other on a core are drawn
// as one.
type ganttChart struct {
	Policy *pagePolicy
	Blocks []ganttBlock
	Merged float64
}

// A ganttBlock is a rectangle: x and width in 1/[ganttWidth] of the time, y and height in lanes.
type ganttBlock struct {
	X, Width  string
	Y, Height int
	Class     string
	Title     string
}

// Limits of what is drawn: lanes (cores), blocks of one policy, and blocks of all policies.
const (
	ganttWidth     = 100_000
	ganttMaxNodes  = 24
	ganttMaxLanes  = 120
	ganttMaxBlocks = 4000
	ganttAllBlocks = 20_000
	ganttMinNodes  = 4 // even if these have more
	ganttTones     = 6 // of jobs
	ganttHeight    = 480
)

// A ran is a copy of a task, or several on one core.
type ran struct {
	node, job, stage, task, copy, end string
	cores                             int
	start, stop                       float64
	lane                              int  // the first of them
	tall                              int  // lanes
	merged                            int  // copies; 0: one
	first, last                       *ran // of those that are merged
}

// copies adds the chart of a file of -copies-csv. It reads the file twice, so that only the nodes that are shown are kept.
func (p *page) copies(file string) error {
	g := &p.Gantt
	nodes, err := g.choose(file)
	if err != nil || nodes == nil {
		return err
	}
	all := make(map[*pagePolicy]map[string][]*ran)
	var policies []*pagePolicy
	g.From, g.To = math.Inf(1), math.Inf(-1)
	err = figure.ReadTable(file, []string{"policy", "node", "job", "stage", "task", "copy", "end", "start_s", "end_s", "cores"}, func(r *figure.Row) error {
		var n [3]float64
		if err := r.Numbers(7, n[:]); err != nil {
			return err
		}
		if n[1] < n[0] || !(n[2] >= 1 && n[2] <= 1<<16) {
			return fmt.Errorf("%s: columns start_s, end_s and cores are %v, want an end after the start and at least one core", r.Where, n)
		}
		g.From, g.To = min(g.From, n[0]), max(g.To, n[1])
		policy := p.policy(strings.Clone(r.Cells[0]))
		if all[policy] == nil {
			all[policy] = make(map[string][]*ran)
			policies = append(policies, policy)
		}
		if !slices.Contains(nodes, r.Cells[1]) {
			return nil
		}
		text := func(i int) string { return strings.Clone(r.Cells[i]) }
		x := &ran{node: text(1), job: text(2), stage: text(3), task: text(4), copy: text(5), end: text(6), start: n[0], stop: n[1], cores: saturate.To[int](n[2])}
		all[policy][x.node] = append(all[policy][x.node], x)
		return nil
	})
	if err != nil {
		return err
	}
	if g.To == g.From {
		g.To++
	}
	g.Ticks = ticksOf(figure.Linear(g.From, g.To), func(t float64) float64 { return 100 * (t - g.From) / (g.To - g.From) })
	heights := make(map[string]int) // lanes of each node
	tallest := 1
	for _, byNode := range all {
		for node, list := range byNode {
			var n int
			byNode[node], n = stack(list)
			heights[node] = max(heights[node], n)
			tallest = max(tallest, heights[node])
		}
	}
	begins := g.place(even(nodes, max(1, ganttMaxLanes/tallest)), heights)
	for _, policy := range policies {
		c := &ganttChart{Policy: policy}
		c.fill(g, all[policy], begins)
		g.Charts = append(g.Charts, c)
	}
	return nil
}

// choose chooses the nodes that are shown, evenly among all: so few that what ran on them is not too much for a policy.
func (g *gantt) choose(file string) ([]string, error) {
	seen := make(map[string]bool)
	rows := make(map[string]int) // by policy
	err := readIfThere(file, []string{"policy", "node"}, func(r *figure.Row) error {
		if _, ok := rows[r.Cells[0]]; !ok {
			rows[strings.Clone(r.Cells[0])] = 0
		}
		rows[r.Cells[0]]++
		if !seen[r.Cells[1]] {
			seen[strings.Clone(r.Cells[1])] = true
		}
		return nil
	})
	if err != nil || len(seen) == 0 {
		return nil, err
	}
	g.Of, g.most = len(seen), min(ganttMaxBlocks, ganttAllBlocks/len(rows))
	n := g.most * len(seen) / slices.Max(slices.Collect(maps.Values(rows)))
	// A shorter name of a node is a smaller number.
	names := slices.SortedFunc(maps.Keys(seen), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return even(names, min(max(n, ganttMinNodes), ganttMaxNodes)), nil
}

// even returns at most n of a list, evenly among all.
func even(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	some := make([]string, n)
	for i := range some {
		some[i] = list[i*(len(list)-1)/max(n-1, 1)]
	}
	return some
}

// MergedText writes Merged with two digits; it is empty if nothing is merged.
func (c *ganttChart) MergedText() string {
	if c.Merged == 0 {
		return ""
	}
	step := math.Pow(10, math.Floor(math.Log10(c.Merged))-1)
	return figure.Number(float64(math.Ceil(c.Merged/step) * step))
}

// stack gives the copies of a node lanes, and returns their parts on neighbouring lanes and how many lanes there are.
func stack(list []*ran) (parts []*ran, n int) {
	bars, n := lanes.Of(math.MaxInt, len(list), func(i int) (begin, end float64, cores int64) {
		return list[i].start, list[i].stop, int64(list[i].cores)
	})
	for _, b := range bars {
		part := *list[b.Span]
		part.lane, part.tall = b.Lane, b.Lanes
		parts = append(parts, &part)
	}
	return parts, n
}

// place puts nodes below each other, and returns the lane at which each begins.
func (g *gantt) place(nodes []string, heights map[string]int) map[string]int {
	begins := make(map[string]int)
	for _, name := range nodes {
		begins[name] = g.Lanes
		g.Lanes += max(heights[name], 1) // one on which nothing ran is empty
	}
	g.Shown = len(nodes)
	g.Height = g.Lanes * min(max(ganttHeight/g.Lanes, 4), 16)
	every := (len(nodes)*16 + g.Height - 1) / g.Height // labels need 16 pixels
	for i, name := range nodes {
		if i%every == 0 {
			g.Nodes = append(g.Nodes, ganttNode{name, fmt.Sprintf("%.2f", 100*float64(begins[name])/float64(g.Lanes))})
		}
	}
	return begins
}

// fill adds at most g.most blocks: what is shorter than some time is merged with what is next to it, and the time grows
// until there are few enough. So the longest copies stay apart, and what is busy stays so.
func (c *ganttChart) fill(g *gantt, byNode map[string][]*ran, begins map[string]int) {
	var list []*ran
	for _, node := range slices.Sorted(maps.Keys(begins)) {
		for _, x := range byNode[node] {
			x.lane += begins[node]
			list = append(list, x)
		}
	}
	few := list
	for shorter := (g.To - g.From) / 100_000; len(few) > g.most && shorter < 2*(g.To-g.From); shorter *= 1.5 {
		few, c.Merged = merge(list, shorter), shorter
	}
	per := ganttWidth / (g.To - g.From)
	for _, x := range few {
		b := ganttBlock{
			X: unit((x.start - g.From) * per), Width: unit(max((x.stop-x.start)*per, 0.1)), Y: x.lane, Height: x.tall,
			Class: fmt.Sprint("j", tone(x.job)), Title: fmt.Sprintf("job %s, stage %s, task %s, copy %s, node %s: %.6g to %.6g s, %s", x.job, x.stage, x.task, x.copy, x.node, x.start, x.stop, cmp.Or(x.end, "running")),
		}
		if x.merged > 0 {
			b.Class, b.Title = "many", fmt.Sprintf("%d copies, node %s: %.6g to %.6g s", x.merged, x.node, x.start, x.stop)
		} else if !strings.EqualFold(x.end, "finished") {
			b.Class += " cut"
		}
		c.Blocks = append(c.Blocks, b)
	}
}

// merge merges copies and gaps on a lane that are shorter than a time. Copies on several lanes are merged lane by lane, so that nothing looks
// narrower than it is; what comes to the same on neighbouring lanes is one block.
func merge(list []*ran, shorter float64) (few []*ran) {
	var pieces []*ran
	for _, x := range list {
		n := x.tall
		if x.stop-x.start >= shorter {
			n = 1
		}
		for k := range n {
			piece := *x
			piece.lane, piece.tall, piece.first, piece.last = x.lane+k, x.tall/n, x, x
			pieces = append(pieces, &piece)
		}
	}
	slices.SortStableFunc(pieces, func(a, b *ran) int { return cmp.Or(cmp.Compare(a.lane, b.lane), cmp.Compare(a.start, b.start)) })
	var flat []*ran
	for _, x := range pieces {
		if n := len(flat); n > 0 {
			last := flat[n-1]
			if last.lane == x.lane && x.stop-x.start < shorter && x.start-last.stop < shorter && (last.merged > 0 || last.stop-last.start < shorter) {
				last.stop, last.last, last.merged = x.stop, x.last, max(last.merged, 1)+1
				continue
			}
		}
		flat = append(flat, x)
	}
	slices.SortStableFunc(flat, func(a, b *ran) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.lane, b.lane)) })
	for _, x := range flat {
		if n := len(few); n > 0 {
			over := few[n-1]
			if over.lane+over.tall == x.lane && over.first == x.first && over.last == x.last && over.merged == x.merged {
				over.tall += x.tall
				continue
			}
		}
		few = append(few, x)
	}
	return few
}

// tone returns which of the tones the blocks of a job have.
func tone(job string) int {
	sum := 0
	for _, c := range job {
		sum = (sum*10 + int(c)) % 9973
	}
	return sum % ganttTones
}
