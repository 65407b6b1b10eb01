package wing_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy/wing"
)

// naiveAdvice applies the rules word by word, comparing each job with each other.
func naiveAdvice(templates []wing.Template, links []wing.Link, minGap float64) (findings []wing.Finding) {
	worthOf := func(t wing.Template) float64 { return t.Value / t.Work }
	for i, t := range templates {
		// A1 and A2
		var ranked []wing.Template // the jobs of the queue, one by one
		lower, less, others, value, own := 0.0, 0.0, 0.0, 0.0, 0.0
		for k, o := range templates {
			if o.Queue != t.Queue {
				continue
			}
			own += o.Own
			if k == i {
				continue
			}
			value += o.Value
			for range o.Jobs {
				ranked = append(ranked, o)
				others++
				lower += float64(cmp.Compare(t.Priority, o.Priority)+1) / 2
				less += float64(cmp.Compare(worthOf(t), worthOf(o))+1) / 2
			}
		}
		slices.SortFunc(ranked, func(a, b wing.Template) int { return cmp.Compare(a.Priority, b.Priority) })
		if others > 0 {
			f := wing.Finding{Template: uint32(i), Standing: lower / others, Worth: less / others}
			f.Suggested = ranked[max(0, int(math.Ceil(less))-1)].Priority
			if f.Suggested == t.Priority { // level with too many
				step := float64(cmp.Compare(f.Worth, f.Standing))
				next := math.Inf(int(step))
				for _, o := range ranked {
					if (o.Priority-t.Priority)*step > 0 && math.Abs(o.Priority-t.Priority) < math.Abs(next-t.Priority) {
						next = o.Priority
					}
				}
				f.Suggested = (t.Priority + next) / 2
				if math.IsInf(next, 0) {
					f.Suggested = t.Priority + step
				}
			}
			if gap := f.Worth - f.Standing; gap >= minGap {
				f.Kind, f.Harm = wing.TooLow, gap*t.Value
				findings = append(findings, f)
			} else if -gap >= minGap {
				f.Kind = wing.TooHigh
				if own > 0 {
					f.Harm = -gap * value * (t.Own / own)
				}
				findings = append(findings, f)
			}
		}

		// A3, A4 and A5
		raised := map[int]bool{i: true} // i and what depends on it in the queue
		for range templates {
			for _, l := range links {
				if raised[int(l.Up)] && templates[l.Down].Queue == t.Queue {
					raised[int(l.Down)] = true
				}
			}
		}
		inverted := wing.Finding{Kind: wing.Inverted, Template: uint32(i), Suggested: math.Inf(-1)}
		for k := range raised {
			inverted.Suggested = max(inverted.Suggested, templates[k].Priority)
		}
		unagreed := wing.Finding{Kind: wing.Unagreed, Template: uint32(i)}
		blind := wing.Finding{Kind: wing.Blind, Template: uint32(i)}
		for _, l := range links {
			down := templates[l.Down]
			part := down.Value * float64(l.Jobs) / float64(down.Jobs)
			if int(l.Up) == i && down.Queue == t.Queue && down.Priority > t.Priority {
				inverted.Harm += part
				inverted.Others = append(inverted.Others, l.Down)
			}
			if int(l.Up) == i && down.Owner != t.Owner && !l.Agreed {
				unagreed.Harm += part
				unagreed.Others = append(unagreed.Others, l.Down)
			}
			if int(l.Down) == i {
				blind.Others = append(blind.Others, l.Up)
			}
		}
		if inverted.Others != nil {
			findings = append(findings, inverted)
		}
		if unagreed.Others != nil {
			findings = append(findings, unagreed)
		}
		if t.NoInput > 0 {
			if ok := t.Jobs - t.NoInput; ok > 0 {
				blind.Harm = t.Value * float64(t.NoInput) / float64(ok)
			}
			findings = append(findings, blind)
		}

		// A6
		for _, hours := range []time.Duration{12, 6, 3, 1} {
			if d := hours * time.Hour; t.Periodic && t.Gap > d && t.Runtime < d {
				findings = append(findings, wing.Finding{Kind: wing.Shiftable, Template: uint32(i), Delay: d})
				break
			}
		}
	}
	return findings
}

func randomTemplates(rng *rand.Rand) (templates []wing.Template, links []wing.Link) {
	for i := range 1 + rng.IntN(12) {
		t := wing.Template{
			Name: fmt.Sprint("t", i), Owner: string(rune('a' + rng.IntN(3))), Queue: string(rune('p' + rng.IntN(2))),
			Jobs: 1 + rng.IntN(8), Priority: float64(rng.IntN(5) - 1),
			Value: float64(rng.IntN(4) * rng.IntN(50)), Work: float64(1 + rng.IntN(3)), Own: float64(rng.IntN(3)),
			Periodic: rng.IntN(3) > 0, Runtime: time.Duration(rng.IntN(9)) * time.Hour, Gap: time.Duration(rng.IntN(15)) * time.Hour,
			Late: time.Duration(rng.IntN(2)) * time.Minute,
		}
		if rng.IntN(3) == 0 {
			t.NoInput = rng.IntN(t.Jobs + 1)
		}
		templates = append(templates, t)
	}
	for up := range templates {
		for down := range templates { // in circles, and of themselves too
			if rng.IntN(5) == 0 {
				links = append(links, wing.Link{
					Up: uint32(up), Down: uint32(down), Jobs: 1 + rng.IntN(templates[down].Jobs), Agreed: rng.IntN(3) == 0,
				})
			}
		}
	}
	rng.Shuffle(len(links), func(i, k int) { links[i], links[k] = links[k], links[i] })
	return templates, links
}

func adviceSuggestsAnotherPriority(t *testing.T) {
	template := func(jobs int, priority, value float64) wing.Template {
		return wing.Template{Jobs: jobs, Priority: priority, Value: value, Work: 1}
	}
	for _, test := range []struct {
		name      string
		templates []wing.Template // it is about the first
		want      float64
	}{
		{"many jobs of its own", []wing.Template{template(45, 1, 20), template(45, 3, 30), template(15, 8, 10)}, 3},
		{"level with all, and best", []wing.Template{template(3, 5, 9), template(3, 5, 1), template(3, 5, 2)}, 6},
		{"level with all, and worst", []wing.Template{template(3, 5, 0), template(3, 5, 1), template(3, 5, 2)}, 4},
		{"level with most, and then one", []wing.Template{template(3, 5, 9), template(9, 5, 1), template(1, 8, 10)}, 6.5},
		{"large numbers", []wing.Template{template(1, 1e17, 9), template(1, 1e17, 1)}, 1e17 + 16},
		{"the largest number", []wing.Template{template(1, math.MaxFloat64, 9), template(1, math.MaxFloat64, 1)}, math.MaxFloat64},
		{"the largest numbers", []wing.Template{template(1, -math.MaxFloat64, 9), template(3, -math.MaxFloat64, 1), template(1, math.MaxFloat64, 10)}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			advice, err := wing.Advise(test.templates, nil, wing.AdviceConfig{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range advice {
				if f.Template == 0 {
					if f.Suggested != test.want {
						t.Errorf("got %v, want %v: %s", f.Suggested, test.want, f.Text)
					}
					return
				}
			}
			t.Error("nothing is found")
		})
	}
}

func TestAdviceIsThatOfTheNaive(t *testing.T) {
	kinds := map[wing.FindingKind]int{}
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		templates, links := randomTemplates(rng)
		before := [2]string{fmt.Sprint(templates), fmt.Sprint(links)}
		minGap := []float64{0, 0.1, 0.5, 1}[rng.IntN(4)]
		advice, err := wing.Advise(templates, links, wing.AdviceConfig{MinGap: minGap})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if after := [2]string{fmt.Sprint(templates), fmt.Sprint(links)}; after != before {
			t.Errorf("seed %d: the slices were changed", seed)
		}
		want := naiveAdvice(templates, links, cmp.Or(minGap, 0.25))
		got := slices.Clone(advice)
		byTemplate := func(f, g wing.Finding) int {
			return cmp.Or(cmp.Compare(f.Template, g.Template), cmp.Compare(f.Kind, g.Kind))
		}
		for i := 1; i < len(got); i++ {
			if got[i].Harm > got[i-1].Harm {
				t.Errorf("seed %d: finding %d does more harm than the one before", seed, i)
			}
		}
		slices.SortFunc(got, byTemplate)
		slices.SortFunc(want, byTemplate)
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d findings, want %d:\n%+v\n%+v", seed, len(got), len(want), got, want)
		}
		for i, g := range got {
			w := want[i]
			kinds[g.Kind]++
			stake := func(other uint32) float64 { // of more than one, which is first
				for _, l := range links {
					switch {
					case g.Kind == wing.Blind && l.Up == other && l.Down == g.Template:
						return float64(l.Jobs)
					case g.Kind != wing.Blind && l.Up == g.Template && l.Down == other:
						return templates[other].Value * (float64(l.Jobs) / float64(templates[other].Jobs))
					}
				}
				return math.NaN()
			}
			if !slices.IsSortedFunc(g.Others, func(a, b uint32) int { return cmp.Or(cmp.Compare(stake(b), stake(a)), cmp.Compare(a, b)) }) {
				t.Errorf("seed %d: the others of %+v are not in order", seed, g)
			}
			g.Others = slices.Sorted(slices.Values(g.Others))
			slices.Sort(w.Others)
			if math.Abs(g.Harm-w.Harm) > 1e-12*w.Harm || g.Kind != w.Kind || g.Template != w.Template || g.Standing != w.Standing ||
				g.Worth != w.Worth || g.Suggested != w.Suggested || !slices.Equal(g.Others, w.Others) || g.Delay != w.Delay {
				t.Fatalf("seed %d: got %+v, want %+v", seed, g, w)
			}
			if (g.Kind == wing.TooLow && g.Suggested <= templates[g.Template].Priority) ||
				(g.Kind == wing.TooHigh && g.Suggested >= templates[g.Template].Priority) {
				t.Errorf("seed %d: %v, but %v is suggested for %v", seed, g.Kind, g.Suggested, templates[g.Template].Priority)
			}
			if text := g.Text; !strings.HasPrefix(text, templates[g.Template].Name+" (") || !strings.HasSuffix(text, ".") {
				t.Errorf("seed %d: text is %q", seed, text)
			}
		}
		owned, err := wing.Advise(templates, links, wing.AdviceConfig{MinGap: minGap, Owner: "b"})
		if err != nil {
			t.Fatal(err)
		}
		mine := slices.DeleteFunc(slices.Clone(advice), func(f wing.Finding) bool { return templates[f.Template].Owner != "b" })
		if fmt.Sprint(owned) != fmt.Sprint(mine) {
			t.Fatalf("seed %d: the findings of owner b are %v, want %v", seed, owned, mine)
		}
	}
	if len(kinds) != 6 {
		t.Errorf("only these kinds were found: %v", kinds)
	}
}

func TestAdviceErrors(t *testing.T) {
	good := func() []wing.Template {
		return []wing.Template{{Name: "x", Jobs: 3, Work: 1}, {Name: "y", Jobs: 3, Work: 1}}
	}
	change := func(f func(t *wing.Template)) []wing.Template {
		templates := good()
		f(&templates[1])
		return templates
	}
	for _, test := range []struct {
		templates []wing.Template
		links     []wing.Link
		c         wing.AdviceConfig
		want      string
	}{
		{good(), nil, wing.AdviceConfig{MinGap: 2}, "AdviceConfig.MinGap is 2, want"},
		{good(), nil, wing.AdviceConfig{Delays: []time.Duration{1, 0}}, "AdviceConfig.Delays[1] is 0s, want"},
		{change(func(t *wing.Template) { t.Jobs = 0 }), nil, wing.AdviceConfig{}, `template 1, "y": field Jobs is 0, want`},
		{change(func(t *wing.Template) { t.Priority = math.Inf(1) }), nil, wing.AdviceConfig{}, "Priority is +Inf, want"},
		{change(func(t *wing.Template) { t.Value = math.NaN() }), nil, wing.AdviceConfig{}, "Value is NaN, want"},
		{change(func(t *wing.Template) { t.Work = 0 }), nil, wing.AdviceConfig{}, "Work is 0, want"},
		{change(func(t *wing.Template) { t.Own = -1 }), nil, wing.AdviceConfig{}, "Own is -1, want"},
		{change(func(t *wing.Template) { t.NoInput = 4 }), nil, wing.AdviceConfig{}, "NoInput is 4, want 0 to Jobs = 3"},
		{change(func(t *wing.Template) { t.Gap = -1 }), nil, wing.AdviceConfig{}, "Gap"},
		{good(), []wing.Link{{Up: 0, Down: 2, Jobs: 1}}, wing.AdviceConfig{}, "link 0 is from 0 to 2, want"},
		{good(), []wing.Link{{Up: 0, Down: 1, Jobs: 4}}, wing.AdviceConfig{}, "link 0: Jobs is 4, want 1 to 3"},
		{good(), []wing.Link{{Up: 0, Down: 1, Jobs: 1}, {Up: 0, Down: 1, Jobs: 2}}, wing.AdviceConfig{}, "two links from 0 to 1"},
	} {
		advice, err := wing.Advise(test.templates, test.links, test.c)
		if advice != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, %v, want an error with %q", advice, err, test.want)
		}
	}
	if advice, err := wing.Advise(nil, nil, wing.AdviceConfig{}); err != nil || len(advice) != 0 {
		t.Errorf("nothing: got %v, %v", advice, err)
	}
}
