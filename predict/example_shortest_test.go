package predict_test

import (
	"cmp"
	"fmt"
	"log"
	"slices"
	"time"

	"example.com/augur/predict"
)

// A build is a job of the host's own type. All that a predictor asks of it is Attr.
type build struct {
	repo, branch string
}

func (b build) Attr(name string) (value string, ok bool) {
	switch name {
	case "repo":
		return b.repo, true
	case "branch":
		return b.branch, b.branch != "" // not all builds have one
	}
	return "", false
}

// A build server learns how long builds take, and runs those first that it expects to be
// short. A repository that it has never seen goes by what builds take in general.
func Example_shortestFirst() {
	p, err := predict.New(predict.Config{Features: []string{"repo", "repo+branch", predict.All}})
	if err != nil {
		log.Fatal(err)
	}
	now := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC) // of a host that lives: time.Now()
	for _, ended := range []struct {
		build
		seconds float64
	}{
		{build{"shop", "main"}, 300}, {build{"shop", "fix"}, 42}, {build{"docs", "main"}, 88},
		{build{"shop", "main"}, 310}, {build{"shop", "fix"}, 38}, {build{"docs", "main"}, 95},
		{build{"docs", "main"}, 90}, {build{"shop", "main"}, 305},
	} {
		now = now.Add(time.Hour)
		if err := p.Observe(ended.build, ended.seconds, now); err != nil {
			log.Fatal(err)
		}
	}

	type entry struct {
		build
		seconds float64
	}
	var waiting []entry
	for _, b := range []build{{"shop", "main"}, {"app", ""}, {"shop", "fix"}, {"docs", "main"}} {
		seconds, _ := p.Estimate(b, now) // ok, since All has seen jobs
		waiting = append(waiting, entry{b, seconds})
	}
	slices.SortStableFunc(waiting, func(a, b entry) int { return cmp.Compare(a.seconds, b.seconds) })
	for _, w := range waiting {
		fmt.Printf("%s/%s: %.0f s\n", w.repo, w.branch, w.seconds)
	}
	// Output:
	// shop/fix: 40 s
	// docs/main: 91 s
	// app/: 158 s
	// shop/main: 305 s
}
