package provenance_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/dag/provenance"
)

// rows returns run events in order of time, of which no two that end write one file at one instant.
func rows(rng *rand.Rand, runs int) (rows []string) {
	files := func() string {
		var names []string
		for range rng.IntN(4) {
			names = append(names, fmt.Sprint("f", rng.IntN(runs)))
		}
		return strings.Join(names, " ")
	}
	for i := range runs {
		run, job := fmt.Sprint("r", rng.IntN(1000), "-", i), fmt.Sprint("job", rng.IntN(5), "x", rng.IntN(100))
		start := float64(rng.IntN(20)) // many at one instant
		rows = append(rows, event("START", start, run, job, files(), ""))
		if kind := []string{"COMPLETE", "COMPLETE", "FAIL", ""}[rng.IntN(4)]; kind != "" {
			rows = append(rows, event(kind, start+float64(rng.IntN(5))+float64(i+1)/1024, run, job, files(), files()))
		}
	}
	return rows
}

// names writes a log as names by number: what differs between logs that are numbered differently.
func names(l *provenance.Log) (lines []string) {
	for i := range l.Jobs {
		lines = append(lines, fmt.Sprint(l.IDs.Name(uint32(i)), l.Jobs[i]))
	}
	for _, op := range l.Ops {
		lines = append(lines, op.String())
	}
	for _, n := range []*provenance.Names{&l.Templates, &l.Users, &l.Orgs, &l.Files} {
		for i := range uint32(n.Len()) {
			number, ok := n.Find(n.Name(i))
			lines = append(lines, fmt.Sprint(n.Name(i), number, ok))
		}
	}
	return lines
}

func TestSort(t *testing.T) {
	shuffled := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rows := rows(rng, 1+rng.IntN(12))
		read := func() *provenance.Log {
			r := reader(t, provenance.ReaderConfig{})
			if err := r.OpenLineage("x", strings.NewReader(strings.Join(rows, "\n"))); err != nil {
				t.Fatal(err)
			}
			return r.Take()
		}
		first, plain := read(), read()
		first.Sort()
		if diff := cmp.Diff(texts(plain), texts(first)); diff != "" {
			t.Fatalf("seed %d: it says something else now: -before +after:\n%s", seed, diff)
		}
		rng.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
		second := read()
		if !slices.Equal(names(plain), names(second)) {
			shuffled++
		}
		second.Sort()
		if diff := cmp.Diff(names(first), names(second)); diff != "" {
			t.Fatalf("seed %d: -one order of rows +another:\n%s", seed, diff)
		}
		for i := range first.Jobs {
			if i > 0 && first.Jobs[i].Submitted < first.Jobs[i-1].Submitted {
				t.Fatalf("seed %d: job %d was submitted before the one before it", seed, i)
			}
			if number, ok := first.IDs.Find(first.IDs.Name(uint32(i))); !ok || int(number) != i {
				t.Fatalf("seed %d: job %d has ID %q, which is found at %d", seed, i, first.IDs.Name(uint32(i)), number)
			}
		}
		wantSound(t, first)
	}
	if shuffled < 100 {
		t.Errorf("only %d of 200 logs were numbered differently before they were sorted", shuffled)
	}
}

// Of two writes of a file at one instant the last one counts, and goes on to do so.
func TestSortKeepsTheLastWrite(t *testing.T) {
	for _, order := range [][2]string{{"a", "b"}, {"b", "a"}} {
		r := reader(t, provenance.ReaderConfig{})
		for _, row := range []string{
			event("START", 0, order[0], "load", "", "f"), event("START", 0, order[1], "load", "", "f"),
			event("COMPLETE", 1, order[0], "load", "", "f"), event("COMPLETE", 1, order[1], "load", "", "f"),
			event("START", 1, "r", "read", "f", ""),
		} {
			if err := r.OpenLineage("x", strings.NewReader(row)); err != nil {
				t.Fatal(err)
			}
		}
		l := r.Take()
		l.Sort()
		found, err := l.Find(0)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(found.Dependencies); n != 1 || l.IDs.Name(found.Dependencies[0].From) != order[1] {
			t.Errorf("%v end: got dependencies %v, want one on the latter", order, found.Dependencies)
		}
	}
}

// A log that was put together by hand may lack names.
func TestSortWithoutNames(t *testing.T) {
	l := &provenance.Log{
		Jobs: []provenance.Job{{Template: 7, Submitted: 2}, {Submitted: 1}},
		Ops:  []provenance.Op{{Time: 3, Job: 0, File: 9}, {Time: 1, Job: 1, File: 9, Kind: provenance.Write}, {Time: 4, Job: provenance.User, File: 9}},
	}
	l.Sort()
	want := []string{"{0 0 0 running 1 0 0 0}", "{7 0 0 running 2 0 0 0}", l.Ops[0].String(), l.Ops[1].String(), l.Ops[2].String()}
	if diff := cmp.Diff(want, names(l)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	wantOps := []provenance.Op{{Time: 1, Job: 0, File: 9, Kind: provenance.Write}, {Time: 3, Job: 1, File: 9}, {Time: 4, Job: provenance.User, File: 9}}
	if diff := cmp.Diff(wantOps, l.Ops); diff != "" {
		t.Errorf("operations: -want +got:\n%s", diff)
	}
	new(provenance.Log).Sort()
}

func asOfForgetsWhatCameLater(t *testing.T) {
	whole := func() *provenance.Log {
		return &provenance.Log{
			Jobs: []provenance.Job{
				{State: provenance.Complete, Submitted: 1, Completed: 4, Compute: 7},
				{State: provenance.Failed, Submitted: 2, Completed: 5, Compute: 8},
				{State: provenance.Running, Submitted: 3},
				{State: provenance.Complete, Submitted: 5, Completed: 9, Compute: 9},
			},
			Ops: []provenance.Op{{Time: 4, Job: 0}, {Time: 5, Job: 1}, {Time: 3, Job: 2}},
		}
	}
	log := whole()
	for _, test := range []struct {
		end  provenance.Time
		jobs []provenance.Job
		ops  []provenance.Op
	}{
		{5, []provenance.Job{log.Jobs[0], {Submitted: 2}, log.Jobs[2], {Submitted: 5}}, []provenance.Op{log.Ops[0], log.Ops[2]}},
		{6, []provenance.Job{log.Jobs[0], log.Jobs[1], log.Jobs[2], {Submitted: 5}}, log.Ops},
		{0, []provenance.Job{{Submitted: 1}, {Submitted: 2}, {Submitted: 3}, {Submitted: 5}}, nil},
	} {
		past := log.AsOf(test.end)
		if diff := cmp.Diff(test.jobs, past.Jobs) + cmp.Diff(test.ops, past.Ops, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("until %d (-want +got)\n%s", test.end, diff)
		}
		if diff := cmp.Diff(whole().Jobs, log.Jobs) + cmp.Diff(whole().Ops, log.Ops); diff != "" {
			t.Fatalf("until %d changed the log (-want +got)\n%s", test.end, diff)
		}
	}
	if log.AsOf(10) != log {
		t.Error("a log of which nothing is later is copied")
	}
}
