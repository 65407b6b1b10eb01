package augur_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// The program that the README shows predicts and schedules.
func Example_predictAndSchedule() {
	history, err1 := predict.New(predict.Config{})                                   // learns runtimes: 3Sigma's predictor
	beliefs, err2 := forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: history}) // and how far its estimates are to be trusted
	index, err3 := gittins.New(gittins.Config{})                                     // decides by it whose turn it is
	scheduler, err4 := central.New(central.Config{Turn: index, Forecast: beliefs})   // a policy made of these parts
	source, err5 := workload.DefaultHeavyTail().Source()                             // or trace.Open("log.swf.gz", trace.ReaderConfig{}), and its Jobs
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		log.Fatal(err)
	}
	jobs, truth := workload.SplitSource(source) // what a policy may see, and what only the cluster knows
	cluster := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 23, Cores: 4}), Jobs: jobs, Truth: truth}
	result, err := sim.Run(context.Background(), cluster, scheduler)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean completion time: %.0f s\n", result.Metrics().MeanJCT)
	next, _ := history.Estimate(predict.Attrs{"user": "u2", "program": "p0"}, time.Time{})
	fmt.Printf("program p0 of user u2 will take %.0f s\n", next)
	// Output:
	// mean completion time: 114 s
	// program p0 of user u2 will take 16 s
}

// The README shows it as it is.
func TestREADMEProgram(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(source), "func Example_predictAndSchedule() {\n")
	program, _, _ = strings.Cut(program, "\t// Output:")
	lines := strings.Split(strings.TrimSuffix(program, "\n"), "\n")
	if len(lines) > 18 {
		t.Errorf("the program has %d lines", len(lines))
	}
	for _, line := range lines {
		if line = strings.TrimPrefix(line, "\t"); !strings.Contains(string(readme), line+"\n") {
			t.Errorf("README.md does not have the line %q", line)
		}
	}
}
