package main

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/plot/plotter"

	"example.com/augur/examples/internal/figure"
)

const lines = `
{"paper": "wing", "item": "Fig. 10", "workload": "lake, queues of organisations", "metric": "value under PRIO at 40 % capacity, %", "published": 93, "values": [97, 99]}
{"paper": "wing", "item": "Fig. 10", "workload": "lake, queues of organisations", "metric": "value under Wing-Direct at 20 % capacity, %", "published": null, "values": [80, null]}
{"paper": "wing", "item": "Fig. 10", "workload": "lake, queues of organisations", "metric": "value under PRIO at 20 % capacity, %", "published": 47, "values": [33, 66]}
{"paper": "wing", "item": "Fig. 10", "workload": "lake, queues of organisations", "metric": "value under Wing-Agg at 20 % capacity, %", "published": 93, "values": [83, 86]}
{"paper": "wing", "item": "Fig. 10", "workload": "lake, queues of organisations", "metric": "value under Wing-Agg at 60 % capacity, %", "published": 93, "values": []}
{"paper": "wing", "item": "Fig. 13", "workload": "lake, queues of organisations", "metric": "value under PRIO at 60 % capacity, %", "published": 1, "values": [1]}
{"paper": "wing", "item": "Fig. 10", "workload": "lake", "metric": "value under PRIO at 60 % capacity, %", "published": 1, "values": [1]}
{"paper": "wing", "item": "Fig. 10", "workload": "lake, queues of organisations", "metric": "value under PRIO less that under MIL at 40 % capacity, % of all value", "published": 1, "values": [1]}
{"paper": "swing", "item": "Fig. 10", "workload": "lake, queues of organisations", "metric": "value under PRIO at 80 % capacity, %", "published": 1, "values": [1]}
`

func TestCurves(t *testing.T) {
	data := t.TempDir()
	put(t, data, resultsFile, gzipped(t, lines))
	got, err := queuesQuery.curves(filepath.Join(data, resultsFile))
	if err != nil {
		t.Fatal(err)
	}
	want := []*curve{
		{name: "PRIO", at: []float64{20, 40}, values: [][]float64{{33, 66}, {97, 99}}, published: plotter.XYs{{X: 20, Y: 47}, {X: 40, Y: 93}}},
		{name: "Wing-Direct", at: []float64{20}, values: [][]float64{{80, math.NaN()}}},
		{name: "Wing-Agg", at: []float64{20}, values: [][]float64{{83, 86}}, published: plotter.XYs{{X: 20, Y: 93}}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(curve{}), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("curves (-want +got):\n%s", diff)
	}
	over := got[2].over(got[0], &styles[0], false)
	if !slices.Equal(over.at, []float64{20}) || over.estimates[0].mean != 35 || !slices.Equal(over.published, plotter.XYs{{X: 20, Y: 46}}) {
		t.Errorf("above PRIO: %+v, want 35 at 20, published 46", over)
	}
}

// A sweep has a curve for each policy, in the order of loads, and no point where no job is done.
func TestByLoad(t *testing.T) {
	text := []byte(`{"loads": [{"load": 0.5, "seeds": 2}, {"load": 0.3, "seeds": 1}], "runs": [
		{"load": 0.5, "policies": [{"policy": "a", "mean_jct_s": 10}, {"policy": "b", "mean_jct_s": null}]},
		{"load": 0.5000001, "policies": [{"policy": "a", "mean_jct_s": 40}, {"policy": "b", "mean_jct_s": 7}]},
		{"load": 0.3, "policies": [{"policy": "a", "mean_jct_s": 5}, {"policy": "b", "mean_jct_s": 6}]}]}`)
	o, err := figure.Parse("sweep", text)
	if err != nil {
		t.Fatal(err)
	}
	got, err := byLoad(o)
	if err != nil {
		t.Fatal(err)
	}
	want := []*curve{{name: "a", at: []float64{30, 50}, values: [][]float64{{5}, {10, 40}}}, {name: "b", at: []float64{30}, values: [][]float64{{6}}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(curve{})); diff != "" {
		t.Errorf("curves (-want +got):\n%s", diff)
	}
}
