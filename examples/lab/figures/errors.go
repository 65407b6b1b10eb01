package main

import (
	"math"
	"strings"
)

// readErrors returns the errors of the first predictor of a file in percent of the runtime, of all
// its ways to predict together and of each that is to be drawn.
func readErrors(file string, drawn func(way string) bool) (samples, error) {
	var all samples
	predictor := ""
	err := readTable(file, []string{"predictor", "estimate_s", "runtime_s"}, func(r *row) error {
		name, way, _ := strings.Cut(r.cells[0], ": ")
		if predictor == "" {
			predictor = name
		}
		if name != predictor || way != "" && !drawn(way) {
			return nil
		}
		estimate, err := r.number(1)
		if err != nil {
			return err
		}
		runtime, err := r.number(2)
		if err != nil {
			return err
		}
		switch way {
		case "":
			way = "chosen by score"
		case "*":
			way = "* (all jobs)"
		}
		if runtime > 0 {
			all.add(way, 100*math.Abs(estimate-runtime)/runtime)
		}
		return nil
	})
	return all, err
}

func predictionErrors(file, title string, drawn func(way string) bool) (*chart, error) {
	all, err := readErrors(file, drawn)
	if err != nil {
		return nil, err
	}
	return drawCDFs(file, title, "error of the prediction (% of the runtime)", "predicted jobs", 1, all)
}

func featureErrors(file string) (*chart, error) {
	return predictionErrors(file, "Errors of predictions, by feature", func(way string) bool { return !estimator(way) })
}

func estimatorErrors(file string) (*chart, error) {
	return predictionErrors(file, "Errors of predictions, by estimator", estimator)
}

// estimator reports whether predictions are by an estimator, or by a figure of the distribution, and
// not by a feature.
func estimator(way string) bool {
	return strings.HasPrefix(way, "by ") || way == "median of distribution" || strings.HasPrefix(way, "utility ")
}
