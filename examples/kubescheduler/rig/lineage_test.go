package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
)

// From events of OpenLineage, as Airflow sends them, to the order of pods: what orders.extract writes is read by six jobs,
// what ads.extract writes by one, and what fleet.extract writes by none. The pods come in the opposite order.
func TestLineage(t *testing.T) {
	k := start(t, 1, 1, 0)
	var events strings.Builder
	job := func(day, hour int, name, reads, writes string) {
		for i, kind := range []string{"START", "COMPLETE"} {
			fmt.Fprintf(&events, `{"eventType": %q, "eventTime": "2026-02-%02dT%02d:%02d:00Z", "run": {"runId": "%[5]s-%[2]d"}, `+
				`"job": {"namespace": "prod-airflow", "name": %[5]q}, "inputs": [%[6]s], "outputs": [%[7]s]}`+"\n", kind, day, hour, 10*i, name, reads, writes)
		}
	}
	table := func(name string) string { return fmt.Sprintf(`{"namespace": "s3://lake", "name": %q}`, name) }
	for day := range 24 {
		for _, dag := range []string{"orders", "ads", "fleet"} {
			job(day+1, 1, dag+".extract", "", table(dag))
		}
		job(day+1, 2, "ads.report", table("ads"), "")
		for i := range 6 {
			job(day+1, 2, fmt.Sprintf("reader%d.join", i), table("orders"), "")
		}
	}
	log, values := filepath.Join(k.dir, "events.jsonl"), filepath.Join(k.dir, "values")
	if err := os.WriteFile(log, []byte(events.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	lineage := exec.Command("go", "run", "./examples/lineage", "-strict", "-save", values, log)
	lineage.Dir, lineage.Env = "../../..", append(os.Environ(), "GOWORK=")
	if out, err := lineage.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	want := []string{"orders-extract", "ads-extract", "fleet-extract"}
	var pods []*v1.Pod
	for _, name := range slices.Backward(want) {
		pods = append(pods, podOf(name, name, 1, v1.ResourceCPU, "1"))
	}
	k.create(pods...)
	k.scheduler(strings.ReplaceAll(deployed(t, "values"), "/etc/augur-values/values", values), "")
	if got, _ := k.bound("", len(want), 30*time.Second); !slices.Equal(got, want) {
		t.Errorf("pods are bound in the order %v, want %v", got, want)
	}
}
