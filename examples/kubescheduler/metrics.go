package main

import (
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
)

// The metrics of Index, beside kube-scheduler's own on /metrics.
var (
	ratios = metrics.NewHistogram(&metrics.HistogramOpts{
		Name: "augur_predicted_over_actual_runtime", Help: "Predicted mean over actual runtime of a pod, just before the history learned from it.",
		Buckets: []float64{0.1, 0.25, 0.5, 0.8, 1.25, 2, 4, 10}, StabilityLevel: metrics.ALPHA,
	})
	predicted = metrics.NewCounterVec(&metrics.CounterOpts{
		Name: "augur_predictions_total", Help: "Pods that came to the queue, by the feature that predicted them: * is all pods, none is no history.",
		StabilityLevel: metrics.ALPHA,
	}, []string{"feature"})
	historyValues = metrics.NewGauge(&metrics.GaugeOpts{
		Name: "augur_history_values", Help: "Values of features that the history keeps.", StabilityLevel: metrics.ALPHA,
	})
	historyPods = metrics.NewGauge(&metrics.GaugeOpts{
		Name: "augur_history_pods", Help: "Pods that the history has learned from.", StabilityLevel: metrics.ALPHA,
	})
	lastSave = metrics.NewGauge(&metrics.GaugeOpts{
		Name: "augur_history_last_save_timestamp_seconds", Help: "When the history was saved last by this process, in seconds since 1970; 0 before.", StabilityLevel: metrics.ALPHA,
	})
)

func init() { legacyregistry.MustRegister(ratios, predicted, historyValues, historyPods, lastSave) }
