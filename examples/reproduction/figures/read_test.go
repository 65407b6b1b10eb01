package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/plotter"
)

func TestReadJobs(t *testing.T) {
	data := t.TempDir()
	put(t, data, "jobs.csv", "ideal_s,job,policy,outcome,submitted_s,ended_s\n5,1,b,Done,100,110\n0,2,b,Done,100,103\n5,3,b,Failed,1,2\n4,1,a,Done,1,2.5\n")
	type pair struct{ JCT, Ideal float64 }
	var pairs []pair
	all, err := readJobs(filepath.Join(data, "jobs.csv"), func(jct, ideal float64) (float64, bool) {
		pairs = append(pairs, pair{jct, ideal})
		return jct, ideal > 0
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]pair{{10, 5}, {3, 0}, {1.5, 4}}, pairs); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(samples{{"b", []float64{10}}, {"a", []float64{1.5}}}, all, cmp.AllowUnexported(sample{})); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	data := t.TempDir()
	put(t, data, "p.csv", "predictor,job,estimate_s,runtime_s\nx,1,15,10\nx,2,9,0\nx: user,1,5,10\nx: *,1,10,10\nx: by mean,1,1,10\nmore,1,1,10\n")
	for _, test := range []struct {
		drawn func(string) bool
		want  samples
	}{
		{func(way string) bool { return !estimator(way) }, samples{{"chosen by score", []float64{50}}, {"user", []float64{50}}, {"* (all jobs)", []float64{0}}}},
		{estimator, samples{{"chosen by score", []float64{50}}, {"by mean", []float64{90}}}},
	} {
		got, err := readErrors(filepath.Join(data, "p.csv"), test.drawn)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(sample{})); diff != "" {
			t.Errorf("samples (-want +got):\n%s", diff)
		}
	}
}

func TestReadLoads(t *testing.T) {
	data := t.TempDir()
	var files []string
	for name, text := range map[string]string{
		"1": `{"load": 0.5, "policies": [{"policy": "a", "mean_jct_s": 10}, {"policy": "b", "mean_jct_s": null}]}`,
		"2": `{"load": 0.5000001, "policies": [{"policy": "a", "mean_jct_s": 40}, {"policy": "b", "mean_jct_s": 7}]}`,
		"3": `{"load": 0.3, "policies": [{"policy": "a", "mean_jct_s": 5}]}`,
	} {
		put(t, data, name, text)
	}
	for _, name := range []string{"1", "2", "3"} {
		files = append(files, filepath.Join(data, name))
	}
	got, err := readLoads(files)
	if err != nil {
		t.Fatal(err)
	}
	want := []*curve{
		{name: "a", points: plotter.XYs{{X: 30, Y: 5}, {X: 50, Y: 25}}, margins: [][2]float64{{5, 5}, {10, 40}}},
		{name: "b", points: plotter.XYs{{X: 50, Y: 7}}, margins: [][2]float64{{7, 7}}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(curve{})); diff != "" {
		t.Errorf("curves (-want +got):\n%s", diff)
	}
}

const lines = `[
{"paper": "wing", "item": "Fig. 12", "workload": "lake, one queue", "metric": "value under PRIO at 40 % capacity, %", "published": 93, "measured": 99, "margin": 2},
{"paper": "wing", "item": "Fig. 12", "workload": "lake, one queue", "metric": "value under MIL at 20 % capacity, %", "published": null, "measured": 80, "margin": null},
{"paper": "wing", "item": "Fig. 12", "workload": "lake, one queue", "metric": "value under PRIO at 20 % capacity, %", "published": 47, "measured": 66, "margin": 33},
{"paper": "wing", "item": "Fig. 12", "workload": "lake, one queue", "metric": "value under Wing-Agg at 20 % capacity, %", "published": 93, "measured": null, "margin": null},
{"paper": "wing", "item": "Fig. 13", "workload": "lake, one queue", "metric": "value under PRIO at 60 % capacity, %", "published": 1, "measured": 1, "margin": 1},
{"paper": "wing", "item": "Fig. 12", "workload": "lake", "metric": "value under PRIO at 60 % capacity, %", "published": 1, "measured": 1, "margin": 1},
{"paper": "wing", "item": "Fig. 12", "workload": "lake, one queue", "metric": "value under PRIO less that under MIL at 40 % capacity, % of all value", "published": 1, "measured": 1, "margin": 1},
{"paper": "swing", "item": "Fig. 12", "workload": "lake, one queue", "metric": "value under PRIO at 80 % capacity, %", "published": 1, "measured": 1, "margin": 1}
]`

func TestCurves(t *testing.T) {
	data := t.TempDir()
	put(t, data, "reproduce.json", lines)
	got, err := oneQueueQuery.curves(filepath.Join(data, "reproduce.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := []*curve{
		{
			name: "PRIO", points: plotter.XYs{{X: 20, Y: 66}, {X: 40, Y: 99}}, margins: [][2]float64{{33, 99}, {97, 100}},
			published: plotter.XYs{{X: 20, Y: 47}, {X: 40, Y: 93}},
		},
		{name: "MIL", points: plotter.XYs{{X: 20, Y: 80}}, margins: [][2]float64{{80, 80}}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(curve{})); diff != "" {
		t.Errorf("curves (-want +got):\n%s", diff)
	}
}

func TestReadPublished(t *testing.T) {
	data := t.TempDir()
	put(t, data, "reproduce.json", lines)
	got, err := readPublished(filepath.Join(data, "reproduce.json"), &wingQuery, nameAndPlace)
	if err != nil {
		t.Fatal(err)
	}
	want := []bar{{"PRIO, one queue", 93, 99, 97, 100}, {"PRIO, one queue", 47, 66, 33, 99}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(bar{})); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
}
