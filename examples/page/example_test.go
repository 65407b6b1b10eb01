package page_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"example.com/augur/examples/page"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
)

// narrow is a policy of one's own: the job with the fewest tasks goes first.
func narrow(*experiment.Cell, policy.Truth) (policy.Scheduler, error) {
	return baseline.NewOrdered(func(a, b *policy.Job) int { return cmp.Compare(a.Tasks(), b.Tasks()) }), nil
}

// A policy of one's own on a log of one's own at three loads, drawn.
func Example() {
	result, err := experiment.Run(context.Background(), experiment.Config{
		Jobs: experiment.Trace("../samples/jobs.swf", ""), Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 16}),
		Policies: append(experiment.Named("fifo", "index"), experiment.Policy{Name: "narrow", New: narrow}),
		Loads:    []float64{0.5, 0.7, 0.9}, Thin: 8,
	})
	if err != nil {
		log.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "page")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "out.html")
	if err := page.WriteFile(file, result); err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(file)
	fmt.Println("narrow is in the chart:", bytes.Contains(text, []byte("<title>narrow</title>")), err)
	_, facts, _ := bytes.Cut(text, []byte("</h1>\n<p>"))
	fmt.Printf("the page begins: %.32s\n", facts)
	// Output:
	// narrow is in the chart: true <nil>
	// the page begins: At load 0.9, index: 0.82 [0.79 0
}
