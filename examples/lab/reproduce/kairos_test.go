package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// What is published agrees with itself, if the median of Kairos is 217 s.
func TestKairosPublished(t *testing.T) {
	for _, rival := range []string{"FIFO", "Big-C"} {
		for p, ours := range map[string]float64{"P50": 217, "P99": 1452} {
			theirs := kairosPublished[fmt.Sprintf("%s, JCT %s, s", rival, p)]
			saved := kairosPublished[fmt.Sprintf("Kairos, JCT %s, s, below %s's by %%", p, rival)]
			if got := 100 * (1 - ours/theirs); !(math.Abs(got-saved) <= 1) {
				t.Errorf("%s of Kairos is published to be %.0f %% below %s's, %.1f %% by its times", p, saved, rival, got)
			}
		}
	}
}

// All of Fig. 4 is told that the document cites, and of ten draws the eight in which FIFO's median is within a quarter of 808 s.
func TestKairosAlike(t *testing.T) {
	items, err := kairosItems(form{seeds: 1})
	if err != nil {
		t.Fatal(err)
	}
	l, r := &lab{}, &report{paper: "kairos"}
	tells := each(items[:5], func(ask item) func(*report) { return ask(l) })
	for _, b := range l.beds {
		for _, x := range b.trials {
			for i := range x.(*trial[completed]).runs {
				x.(*trial[completed]).runs[i] = completed{600 + 50*float64(i)}
			}
		}
	}
	for _, tell := range tells {
		tell(r)
	}
	for _, n := range cited("kairos") {
		if n.item != "Fig. 4" {
			continue
		}
		want := 10
		if strings.HasSuffix(n.workload, likeFIFO) {
			want = 8
		}
		if got := r.find(n); got == nil || len(got.Values) != want {
			t.Errorf("%v is told as %+v, want %d values", n, got, want)
		}
	}
}
