package main

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"
	"k8s.io/component-base/metrics/legacyregistry"
)

// What an operator sees of the predictions: metrics, and an Event.
func TestMetricsAndEvent(t *testing.T) {
	page := func() map[string]string {
		w := httptest.NewRecorder()
		legacyregistry.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		values := make(map[string]string)
		for line := range strings.Lines(w.Body.String()) {
			series, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			values[series] = value
		}
		return values
	}
	number := func(s string) (x float64) {
		if _, err := fmt.Sscan(s, &x); err != nil && s != "" {
			t.Fatal(err)
		}
		return x
	}
	before := page()
	recorder := events.NewFakeRecorder(1)
	p, err := newIndex(t.Context(), nil, handle{client: fake.NewClientset(), events: recorder})
	if err != nil {
		t.Fatal(err)
	}
	x := p.(*index)
	if x.key(pod("s", "a", 0, "1")); secondsOf(x.history, pod("s", "a", 0, "1")) != unknown {
		t.Errorf("before any pod has succeeded one will run %v s, want %v", secondsOf(x.history, pod("s", "a", 0, "1")), unknown)
	}
	if err := x.history.learn([]*v1.Pod{finished("a", 1, 100, 0), finished("a", 2, 40, 1), finished("a", 3, 0, 2)}); err != nil {
		t.Fatal(err)
	}
	novel := pod("s", "b", 0, "1")
	novel.Namespace = "elsewhere"
	for _, p := range []*v1.Pod{novel, pod("s", "a", 4, "1"), pod("s", "a", 5, "1")} {
		x.key(p)
	}
	if err := saveNow(t.Context(), x.history, inFile(t.TempDir()+"/history")); err != nil {
		t.Fatal(err)
	}
	after := page()
	for series, more := range map[string]float64{
		`augur_predictions_total{feature="none"}`: 1, `augur_predictions_total{feature="*"}`: 1, `augur_predictions_total{feature="namespace+owner"}`: 2,
		`augur_predicted_over_actual_runtime_bucket{le="2"}`: 0, `augur_predicted_over_actual_runtime_bucket{le="4"}`: 1, // 100 s for 40 s
		`augur_predicted_over_actual_runtime_count`: 1,
	} {
		if got := number(after[series]) - number(before[series]); got != more {
			t.Errorf("%s has grown by %v, want %v", series, got, more)
		}
	}
	if after["augur_history_values"] != "5" || after["augur_history_pods"] != "3" || number(after["augur_history_last_save_timestamp_seconds"]) < 1e9 {
		t.Errorf("the history has %s values of %s pods and was saved at %s, want 5 of 3, and now",
			after["augur_history_values"], after["augur_history_pods"], after["augur_history_last_save_timestamp_seconds"])
	}
	x.PostBind(t.Context(), nil, pod("s", "a", 4, "1"), "n1")
	if got, want := <-recorder.Events, "Normal Predicted It will run 46.67 s by the pods with its namespace+owner. Its Job has 1 pods left, and is worth 1."; got != want {
		t.Errorf("the event is %q, want %q", got, want)
	}
}
