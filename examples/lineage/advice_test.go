package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// naiveAdvice applies the rules word by word, comparing each job with each other.
func naiveAdvice(templates []template, links []link) (findings []finding) {
	worthOf := func(t template) float64 { return t.value / t.work }
	for i, t := range templates {
		// A1 and A2
		var ranked []template // the jobs of the queue, one by one
		lower, less, others, value, own := 0.0, 0.0, 0.0, 0.0, 0.0
		for k, o := range templates {
			if o.owner != t.owner {
				continue
			}
			own += o.own
			if k == i {
				continue
			}
			value += o.value
			for range o.jobs {
				ranked = append(ranked, o)
				others++
				lower += float64(cmp.Compare(t.priority, o.priority)+1) / 2
				less += float64(cmp.Compare(worthOf(t), worthOf(o))+1) / 2
			}
		}
		slices.SortFunc(ranked, func(a, b template) int { return cmp.Compare(a.priority, b.priority) })
		if others > 0 {
			f := finding{template: uint32(i), standing: lower / others, worth: less / others}
			f.suggested = ranked[max(0, int(math.Ceil(less))-1)].priority
			if f.suggested == t.priority { // level with too many
				step := float64(cmp.Compare(f.worth, f.standing))
				next := math.Inf(int(step))
				for _, o := range ranked {
					if (o.priority-t.priority)*step > 0 && math.Abs(o.priority-t.priority) < math.Abs(next-t.priority) {
						next = o.priority
					}
				}
				f.suggested = (t.priority + next) / 2
				if math.IsInf(next, 0) {
					f.suggested = t.priority + step
				}
			}
			if gap := f.worth - f.standing; gap >= minGap {
				f.kind, f.harm = tooLow, gap*t.value
				findings = append(findings, f)
			} else if -gap >= minGap {
				f.kind = tooHigh
				if own > 0 {
					f.harm = -gap * value * (t.own / own)
				}
				findings = append(findings, f)
			}
		}

		// A3, A4 and A5
		raised := map[int]bool{i: true} // i and what depends on it in the queue
		for range templates {
			for _, l := range links {
				if raised[int(l.up)] && templates[l.down].owner == t.owner {
					raised[int(l.down)] = true
				}
			}
		}
		inverted := finding{kind: inverted, template: uint32(i), suggested: math.Inf(-1)}
		for k := range raised {
			inverted.suggested = max(inverted.suggested, templates[k].priority)
		}
		unagreed := finding{kind: unagreed, template: uint32(i)}
		blind := finding{kind: blind, template: uint32(i)}
		for _, l := range links {
			down := templates[l.down]
			part := down.value * float64(l.jobs) / float64(down.jobs)
			if int(l.up) == i && down.owner == t.owner && down.priority > t.priority {
				inverted.harm += part
				inverted.others = append(inverted.others, l.down)
			}
			if int(l.up) == i && down.owner != t.owner {
				unagreed.harm += part
				unagreed.others = append(unagreed.others, l.down)
			}
			if int(l.down) == i {
				blind.others = append(blind.others, l.up)
			}
		}
		if inverted.others != nil {
			findings = append(findings, inverted)
		}
		if unagreed.others != nil {
			findings = append(findings, unagreed)
		}
		if t.noInput > 0 {
			if ok := t.jobs - t.noInput; ok > 0 {
				blind.harm = t.value * float64(t.noInput) / float64(ok)
			}
			findings = append(findings, blind)
		}

		// A6
		for _, hours := range []time.Duration{12, 6, 3, 1} {
			if d := hours * time.Hour; t.periodic && t.gap > d && t.runtime < d {
				findings = append(findings, finding{kind: shiftable, template: uint32(i), delay: d})
				break
			}
		}
	}
	return findings
}

func randomTemplates(rng *rand.Rand) (templates []template, links []link) {
	for i := range 1 + rng.IntN(12) {
		t := template{
			name: fmt.Sprint("t", i), owner: string(rune('a' + rng.IntN(3))),
			jobs: 1 + rng.IntN(8), priority: float64(rng.IntN(5) - 1),
			value: float64(rng.IntN(4) * rng.IntN(50)), work: float64(1 + rng.IntN(3)), own: float64(rng.IntN(3)),
			periodic: rng.IntN(3) > 0, runtime: time.Duration(rng.IntN(9)) * time.Hour, gap: time.Duration(rng.IntN(15)) * time.Hour,
			late: time.Duration(rng.IntN(2)) * time.Minute,
		}
		if rng.IntN(3) == 0 {
			t.noInput = rng.IntN(t.jobs + 1)
		}
		templates = append(templates, t)
	}
	for up := range templates {
		for down := range templates { // in circles, and of themselves too
			if rng.IntN(5) == 0 {
				links = append(links, link{
					up: uint32(up), down: uint32(down), jobs: 1 + rng.IntN(templates[down].jobs),
				})
			}
		}
	}
	return templates, links
}

// A priority that is too low is never advised to stay, nor to fall.
func TestSuggestedPriority(t *testing.T) {
	of := func(jobs int, priority, value float64) template {
		return template{jobs: jobs, priority: priority, value: value, work: 1}
	}
	for _, test := range []struct {
		name      string
		templates []template // it is about the first
		want      float64
	}{
		{"many jobs of its own", []template{of(45, 1, 20), of(45, 3, 30), of(15, 8, 10)}, 3},
		{"level with all, and best", []template{of(3, 5, 9), of(3, 5, 1), of(3, 5, 2)}, 6},
		{"level with all, and worst", []template{of(3, 5, 0), of(3, 5, 1), of(3, 5, 2)}, 4},
		{"level with most, and then one", []template{of(3, 5, 9), of(9, 5, 1), of(1, 8, 10)}, 6.5},
		{"large numbers", []template{of(1, 1e17, 9), of(1, 1e17, 1)}, 1e17 + 16},
		{"the largest number", []template{of(1, math.MaxFloat64, 9), of(1, math.MaxFloat64, 1)}, math.MaxFloat64},
		{"the largest numbers", []template{of(1, -math.MaxFloat64, 9), of(3, -math.MaxFloat64, 1), of(1, math.MaxFloat64, 10)}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, f := range advise(test.templates, nil, "") {
				if f.template == 0 {
					if f.suggested != test.want {
						t.Errorf("got %v, want %v: %s", f.suggested, test.want, f.text)
					}
					return
				}
			}
			t.Error("nothing is found")
		})
	}
}

func TestAdviceIsThatOfTheNaive(t *testing.T) {
	kinds := map[findingKind]int{}
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		templates, links := randomTemplates(rng)
		before := [2]string{fmt.Sprint(templates), fmt.Sprint(links)}
		advice := advise(templates, links, "")
		if after := [2]string{fmt.Sprint(templates), fmt.Sprint(links)}; after != before {
			t.Errorf("seed %d: the slices were changed", seed)
		}
		want := naiveAdvice(templates, links)
		got := slices.Clone(advice)
		byTemplate := func(f, g finding) int {
			return cmp.Or(cmp.Compare(f.template, g.template), cmp.Compare(f.kind, g.kind))
		}
		for i := 1; i < len(got); i++ {
			if got[i].harm > got[i-1].harm {
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
			kinds[g.kind]++
			stake := func(other uint32) float64 { // of more than one, which is first
				for _, l := range links {
					switch {
					case g.kind == blind && l.up == other && l.down == g.template:
						return float64(l.jobs)
					case g.kind != blind && l.up == g.template && l.down == other:
						return templates[other].value * (float64(l.jobs) / float64(templates[other].jobs))
					}
				}
				return math.NaN()
			}
			if !slices.IsSortedFunc(g.others, func(a, b uint32) int { return cmp.Or(cmp.Compare(stake(b), stake(a)), cmp.Compare(a, b)) }) {
				t.Errorf("seed %d: the others of %+v are not in order", seed, g)
			}
			g.others = slices.Sorted(slices.Values(g.others))
			slices.Sort(w.others)
			if math.Abs(g.harm-w.harm) > 1e-12*w.harm || g.kind != w.kind || g.template != w.template || g.standing != w.standing ||
				g.worth != w.worth || g.suggested != w.suggested || !slices.Equal(g.others, w.others) || g.delay != w.delay {
				t.Fatalf("seed %d: got %+v, want %+v", seed, g, w)
			}
			if (g.kind == tooLow && g.suggested <= templates[g.template].priority) ||
				(g.kind == tooHigh && g.suggested >= templates[g.template].priority) {
				t.Errorf("seed %d: %v, but %v is suggested for %v", seed, g.kind, g.suggested, templates[g.template].priority)
			}
			if text := g.text; !strings.HasPrefix(text, templates[g.template].name+" (") || !strings.HasSuffix(text, ".") {
				t.Errorf("seed %d: text is %q", seed, text)
			}
		}
		owned := advise(templates, links, "b")
		mine := slices.DeleteFunc(slices.Clone(advice), func(f finding) bool { return templates[f.template].owner != "b" })
		if fmt.Sprint(owned) != fmt.Sprint(mine) {
			t.Fatalf("seed %d: the findings of owner b are %v, want %v", seed, owned, mine)
		}
	}
	if len(kinds) != 6 {
		t.Errorf("only these kinds were found: %v", kinds)
	}
}
