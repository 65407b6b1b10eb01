package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy/wing/pipeline"
)

// A newer file is read, and one that is damaged leaves the values as they are.
func TestReadStore(t *testing.T) {
	path := saveValues(t, map[string]float64{"etl": 5})
	live := new(value.Live)
	read, err := readStore(live, path, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	first := live.Load()
	if _, ok := first.Template("etl"); !ok {
		t.Error("the values of etl are not there")
	}
	if again, err := readStore(live, path, read); err != nil || !again.Equal(read) || live.Load() != first {
		t.Errorf("the same file is read again: %v", err)
	}

	newer, err := os.ReadFile(saveValues(t, map[string]float64{"etl": 5}))
	if err != nil {
		t.Fatal(err)
	}
	change := func(b []byte, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	change(newer[:len(newer)/2], read.Add(time.Second))
	if still, err := readStore(live, path, read); err == nil || !still.Equal(read) || live.Load() != first {
		t.Errorf("half a file: the error is %v, the time %v, want an error and %v", err, still, read)
	}
	change(newer, read.Add(2*time.Second))
	if then, err := readStore(live, path, read); err != nil || !then.Equal(read.Add(2*time.Second)) || live.Load() == first {
		t.Errorf("the newer file is not read: %v", err)
	}
}

// A Job is known by its name as it is, or by what does not change from run to run, or else by its user; if by none, it is worth 1.
func TestWorthOf(t *testing.T) {
	var records []value.Record
	for _, r := range []value.Record{
		{Template: "prod usage-2026-03-02", Recurring: true, Aggregate: value.Worth{Value: 2}},
		{Template: "prod usage-#-#-#", Recurring: true, Aggregate: value.Worth{Value: 3}},
		{Template: "prod sales.load", Recurring: true, Aggregate: value.Worth{Value: 5}},
		{Template: "prod nobody", Recurring: true},
		{User: "ann", Aggregate: value.Worth{Value: 7}},
	} {
		r.Valid = true
		records = append(records, r)
	}
	store, err := value.Build(records)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		job, user           string
		labels, annotations map[string]string
		want                float64
	}{
		{"prod {label:job}", "", map[string]string{"job": "usage-2026-03-02"}, nil, 2},
		{"prod {label:job}", "", map[string]string{"job": "usage-2026-03-03"}, nil, 3},
		{"prod {label:dag_id}.{label:task_id}", "", map[string]string{"dag_id": "sales", "task_id": "load"}, nil, 5},
		{"prod {annotation:dag_id}.{annotation:task_id}", "", map[string]string{"dag_id": "mangled"}, map[string]string{"dag_id": "sales", "task_id": "load"}, 5},
		{"prod {label:dag_id}.{label:task_id}", "", map[string]string{"dag_id": "sales"}, nil, 1},
		{"prod {label:job}", "", map[string]string{"job": "nobody"}, nil, 0},
		{"prod {label:job}", "{label:user}", map[string]string{"job": "adhoc", "user": "ann"}, nil, 7},
		{"{namespace} {label:job}", "{namespace}", map[string]string{"job": "usage-2026-03-02"}, nil, 1},
	} {
		p := pod("s", "x", 1, "1")
		p.Labels, p.Annotations = c.labels, c.annotations
		if got := worthOf(p, store, &worthArgs{Job: c.job, User: c.user}); got != c.want {
			t.Errorf("by %s a pod with %v %v is worth %v, want %v", c.job, c.labels, c.annotations, got, c.want)
		}
	}
}

// saveValues writes what jobs are worth to a file.
func saveValues(t *testing.T, worth map[string]float64) (path string) {
	t.Helper()
	var records []value.Record
	for job, v := range worth {
		records = append(records, value.Record{Template: job, Recurring: true, Valid: true, Aggregate: value.Worth{Value: v, Compute: 1}})
	}
	store, err := value.Build(records)
	if err != nil {
		t.Fatal(err)
	}
	return saveStore(t, store)
}

func saveStore(t *testing.T, store *value.Store) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "values")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := store.Save(f); err != nil {
		t.Fatal(err)
	}
	return path
}

// From events of OpenLineage to the order of pods. Every day sales.extract writes orders, which sales.load reads, whose rows two
// reports read; and nobody reads the backup. So of tasks that take equally long the extract is worth the most. The pods are those of
// Airflow's Kubernetes executor, with the tasks in their annotations.
func TestFromEventsToOrder(t *testing.T) {
	var events strings.Builder
	run := func(day int, hour int, task, reads, writes string) {
		file := func(name string) string {
			if name == "" {
				return ""
			}
			return fmt.Sprintf(`{"namespace":"s3://lake","name":%q}`, name)
		}
		for i, kind := range []string{"START", "COMPLETE"} {
			at := epoch.AddDate(0, 0, day-30).Add(time.Duration(hour)*time.Hour + time.Duration(i*10)*time.Minute)
			fmt.Fprintf(&events, `{"eventType":%q,"eventTime":%q,"run":{"runId":"%s-%d"},"job":{"namespace":"prod-airflow","name":%q},"inputs":[%s],"outputs":[%s]}`+"\n",
				kind, at.Format(time.RFC3339), task, day, task, file(reads), file(writes))
		}
	}
	for day := range 30 {
		date := fmt.Sprint(day)
		run(day, 0, "sales.backup", "", "backup/"+date)
		run(day, 1, "sales.extract", "", "orders/"+date)
		run(day, 2, "sales.load", "orders/"+date, "rows/"+date)
		run(day, 3, "sales.daily", "rows/"+date, "daily/"+date)
		run(day, 3, "finance.revenue", "rows/"+date, "revenue/"+date)
	}
	reader, err := provenance.NewReader(provenance.ReaderConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.OpenLineage("events", strings.NewReader(events.String())); err != nil {
		t.Fatal(err)
	}
	log := reader.Take()
	start, end := provenance.Time(epoch.AddDate(0, 0, -30).UnixNano()), provenance.Time(epoch.UnixNano())
	result, err := pipeline.Run(log, pipeline.Config{
		Start: start, End: end, Classes: provenance.ClassConfig{Month: 10 * 24 * time.Hour},
		Value: func(*provenance.Job, []provenance.Download) float64 { return 1 }, // no downloads
	})
	if err != nil {
		t.Fatal(err)
	}
	c := deployed(t, "values")
	argue(t, c, indexName, "/etc/augur-values/values", saveStore(t, result.Store))
	k := newCluster(t, c, node("n1", 1))
	var pods []*v1.Pod
	for i, task := range []string{"sales.daily", "sales.backup", "sales.load", "sales.extract", "finance.revenue"} {
		p := pod("augur-scheduler", "worker", i, "1")
		p.OwnerReferences, p.Labels = nil, nil
		dag, task, _ := strings.Cut(task, ".")
		p.Annotations = map[string]string{"dag_id": dag, "task_id": task}
		pods = append(pods, p)
	}
	k.submit(pods...)
	var got []string
	for _, p := range k.run(nil) {
		got = append(got, p.pod)
	}
	// The extract is worth 5 jobs, the load 3, and those of worth 1 go in the order in which they came.
	if want := []string{"worker-3", "worker-2", "worker-0", "worker-1", "worker-4"}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}
