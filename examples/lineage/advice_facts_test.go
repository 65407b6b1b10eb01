package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy/wing/pipeline"
)

// randomLog returns a sorted log of up to 40 jobs in [0, 1100), of which the first 1000 are analysed, so that instants are often
// equal, some jobs run into the end, and some failed or never ended.
func randomLog(rng *rand.Rand) *provenance.Log {
	l := new(provenance.Log)
	for i := range 8 {
		l.Files.Number(fmt.Sprint("f", i))
		l.Templates.Number(fmt.Sprint("t", i%5))
		l.Orgs.Number(fmt.Sprint("o", i%3))
	}
	l.Users.Number("ann")
	op := func(at provenance.Time, job uint32, kind provenance.OpKind) {
		l.Ops = append(l.Ops, provenance.Op{Time: at, Job: job, File: uint32(rng.IntN(8)), Kind: kind})
	}
	for i := range uint32(rng.IntN(41)) {
		l.IDs.Number(fmt.Sprint("j", i))
		j := provenance.Job{
			Template: uint32(rng.IntN(5)), Org: uint32(rng.IntN(3)), State: provenance.State(rng.IntN(9)), Submitted: provenance.Time(rng.IntN(110) * 10),
			Priority: float64(rng.IntN(5)), Compute: float64(rng.IntN(4) * 8),
		}
		if j.State > provenance.NoInput {
			j.State = provenance.Complete
		}
		j.Completed = j.Submitted + provenance.Time(rng.IntN(12)*10)
		for range rng.IntN(4) {
			op(j.Submitted+provenance.Time(rng.IntN(3)*10), i, provenance.Read)
		}
		for range rng.IntN(3) {
			op(j.Completed, i, provenance.Write)
		}
		if j.State == provenance.Running {
			j.Completed = 0
		}
		l.Jobs = append(l.Jobs, j)
	}
	for range rng.IntN(60) {
		op(provenance.Time(rng.IntN(131)*10), provenance.User, provenance.Read)
	}
	return inOrder(l)
}

// naiveFacts counts word by word. It returns false for a template that is left out.
func naiveFacts(r *pipeline.Result, number uint32) (t template, ok bool) {
	recurs := func(template uint32) bool { return r.Classes.Templates[template].Has(provenance.Recurring) }
	if !recurs(number) {
		return t, false
	}
	t = template{name: r.Log.Templates.Name(number), periodic: r.Classes.Templates[number].Has(provenance.Periodic)}
	var priorities []float64
	var orgs [3]int
	var gaps []time.Duration
	value, work, complete, known := 0.0, 0.0, 0.0, 0.0
	for i, j := range r.Log.Jobs {
		if j.Template != number || j.Submitted >= r.Config.End {
			continue
		}
		t.jobs++
		t.own += j.Compute
		priorities = append(priorities, j.Priority)
		if orgs[j.Org]++; orgs[j.Org] == slices.Max(orgs[:]) { // at the end, the last that has as many as the most
			t.owner = r.Log.Orgs.Name(j.Org)
		}
		switch j.State {
		case provenance.Complete:
			complete++
			t.runtime = max(t.runtime, time.Duration(j.Completed-j.Submitted))
			if credits, ok := r.Windowed.Aggregate(nil, uint32(i)); ok {
				known, value, work = known+1, value+credits[0], work+credits[1]
			}
			for _, d := range r.Found.Dependencies {
				if int(d.From) == i {
					gaps = append(gaps, max(0, time.Duration(d.First-j.Completed)))
				}
			}
			for _, d := range r.Found.Downloads {
				if int(d.Job) == i {
					gaps = append(gaps, max(0, time.Duration(d.Time-j.Completed)))
				}
			}
		case provenance.NoInput:
			t.noInput++
			for _, d := range r.Found.Dependencies {
				input := r.Log.Jobs[d.From].Template
				if r.Log.Jobs[d.To].Template != number || !recurs(input) {
					continue
				}
				for _, up := range r.Log.Jobs {
					if up.Template == input && up.State == provenance.Complete && up.Submitted <= j.Submitted && j.Submitted < up.Completed {
						t.late = max(t.late, time.Duration(up.Completed-j.Submitted))
					}
				}
			}
		}
	}
	if known > 0 {
		t.value, t.work = value/known*complete, work/known*complete
	}
	if n := len(priorities); n > 0 {
		slices.Sort(priorities)
		t.priority = (priorities[(n-1)/2] + priorities[n/2]) / 2
	}
	if len(gaps) > 0 {
		t.gap = slices.Min(gaps)
	}
	return t, t.work > 0
}

func TestFactsAreThoseOfTheNaive(t *testing.T) {
	seen := make(map[string]int)
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 4))
		l := randomLog(rng)
		if len(l.Jobs) > 0 {
			l.Jobs[0].Submitted = 0 // so that some job counts
		}
		r, err := pipeline.Run(l, pipeline.Config{
			End: 1000, Join: time.Duration(1 + rng.IntN(300)), Window: time.Duration(1 + rng.IntN(400)),
			Classes: provenance.ClassConfig{Month: 300, Months: 1 + rng.IntN(2), Submissions: 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		var want []template
		var numbers []uint32
		for number := range uint32(r.Log.Templates.Len()) {
			if x, ok := naiveFacts(r, number); ok {
				want, numbers = append(want, x), append(numbers, number)
				for what, is := range map[string]bool{"late": x.late > 0, "gap": x.gap > 0, "blind": x.noInput > 0, "periodic": x.periodic} {
					if is {
						seen[what]++
					}
				}
			}
		}
		var links []link
		for up, a := range numbers {
			for down, b := range numbers {
				readers := make(map[uint32]bool)
				for _, d := range r.Found.Dependencies {
					if r.Log.Jobs[d.From].Template == a && r.Log.Jobs[d.To].Template == b {
						readers[d.To] = true
					}
				}
				if len(readers) > 0 {
					links = append(links, link{uint32(up), uint32(down), len(readers)})
				}
				if len(readers) > 0 && a == b {
					seen["reads from itself"]++
				}
			}
		}
		gotTemplates, gotLinks := gather(r)
		exported := cmp.AllowUnexported(template{}, link{})
		if diff := cmp.Diff(want, gotTemplates, exported, cmpopts.EquateEmpty(), cmpopts.EquateApprox(1e-12, 0)) +
			cmp.Diff(links, gotLinks, exported, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d: -want +got:\n%s", seed, diff)
		}
	}
	if len(seen) != 5 {
		t.Errorf("only these cases have come: %v", seen)
	}
}
