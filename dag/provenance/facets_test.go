package provenance_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
)

// with adds to an event: facets of the run and of the job, and those of each of its files.
func with(event, run, job, files string) string {
	event = strings.Replace(event, `},"job":`, `,"facets":{`+run+`}},"job":`, 1)
	event = strings.Replace(event, `},"inputs":`, `,"facets":{`+job+`}},"inputs":`, 1)
	return strings.ReplaceAll(event, `"facets":{"x":{}}`, `"facets":{`+files+`}`)
}

func change(kind, previous string) string {
	text := fmt.Sprintf(`"lifecycleStateChange":{"lifecycleStateChange":%q`, kind)
	if previous != "" {
		text += fmt.Sprintf(`,"previousIdentifier":{"namespace":"s3://lake","name":%q}`, previous)
	}
	return text + "}"
}

func parent(id, job string) string {
	return fmt.Sprintf(`"parent":{"run":{"runId":%q},"job":{"namespace":"etl","name":%q}}`, id, job)
}

const (
	spark     = `"processing_engine":{"name":"spark","version":"3.5"}`
	streaming = `"jobType":{"processingType":"STREAMING","integration":"FLINK"}`
	batch     = `"jobType":{"processingType":"BATCH","integration":"FLINK"}`
)

// What events of OpenLineage come to, whatever their order: the jobs that depend on others, as reader<writer, and the others.
func TestOpenLineageFacets(t *testing.T) {
	link := func(name string) string {
		return fmt.Sprintf(`"symlinks":{"identifiers":[{"namespace":"s3://lake","name":%q,"type":"TABLE"}]}`, name)
	}
	task := func(id, upstream string) string {
		return parent("d", "dag") + fmt.Sprintf(`,"airflow":{"dag":{"dag_id":"dag"},"task":{"task_id":%q,"owner":"ann","upstream_task_ids":%s}}`, id, upstream)
	}
	none := ""
	for name, test := range map[string]struct {
		events []string
		want   string
	}{
		"facets and names of no form": {[]string{strings.Replace(with(event("COMPLETE", 2, "w", "w", "", "f x"), none, none, ""), `"facets":{}`, `"facets":[]`, 1), strings.Replace(event("START", 9, "r", "r", "f x", ""), `"name":"x"`, `"name":""`, 1)}, "r<w"},
		"written":                     {[]string{event("COMPLETE", 2, "w", "w", "", "f"), event("START", 9, "r", "r", "f", "")}, "r<w"},
		"dropped": {[]string{event("COMPLETE", 2, "w", "w", "", "f"), with(event("COMPLETE", 4, "d", "d", "", "f"), none, none, change("DROP", "")),
			event("START", 9, "r", "r", "f", "")}, "d r w"},
		"truncated": {[]string{event("COMPLETE", 2, "w", "w", "", "f"), with(event("COMPLETE", 4, "d", "d", "", "f"), none, none, change("TRUNCATE", "")),
			event("START", 9, "r", "r", "f", "")}, "d r w"},
		"altered": {[]string{event("COMPLETE", 2, "w", "w", "", "f"), with(event("COMPLETE", 4, "a", "a", "", "f"), none, none, change("ALTER", "")),
			event("START", 9, "r", "r", "f", "")}, "a r<w"},
		"overwritten": {[]string{event("COMPLETE", 2, "w", "w", "", "f"), with(event("COMPLETE", 4, "o", "o", "", "f"), none, none, change("OVERWRITE", "")),
			event("START", 9, "r", "r", "f", "")}, "r<o w"},
		"renamed": {[]string{event("COMPLETE", 2, "w", "w", "", "old"), event("START", 3, "n", "n", "", ""), with(event("COMPLETE", 4, "n", "n", "", "f"), none, none, change("RENAME", "old")),
			event("START", 9, "r", "r", "f", ""), event("START", 9, "s", "s", "old", "")}, "n<w r<n s"},
		"swapped": {[]string{event("COMPLETE", 1, "w", "w", "", "t"), event("COMPLETE", 2, "v", "v", "", "new"), event("START", 3, "s", "s", "", ""),
			strings.Replace(strings.Replace(event("COMPLETE", 4, "s", "s", "", "t old"), `"facets":{"x":{}}`, `"facets":{`+change("RENAME", "new")+`}`, 1), `"facets":{"x":{}}`, `"facets":{`+change("RENAME", "t")+`}`, 1),
			event("START", 9, "r", "r", "t", ""), event("START", 9, "q", "q", "old", "")}, "q<s r<s s<v s<w"},
		"renamed by its writer": {[]string{event("COMPLETE", 2, "w", "w", "", "old"), event("START", 1, "w", "w", "", ""),
			with(event("OTHER", 3, "w", "w", "", "f"), none, none, change("RENAME", "old")), event("START", 9, "r", "r", "f", "")}, "r<w"},
		"written, then altered": {[]string{event("RUNNING", 2, "w", "w", "", "f"), with(event("COMPLETE", 4, "w", "w", "", "f"), none, none, change("ALTER", "")),
			event("START", 9, "r", "r", "f", "")}, "r<w"},
		"written, then dropped": {[]string{event("RUNNING", 2, "w", "w", "", "f"), with(event("COMPLETE", 4, "w", "w", "", "f"), none, none, change("DROP", "")),
			event("START", 9, "r", "r", "f", "")}, "r w"},

		"linked": {[]string{with(event("COMPLETE", 2, "w", "w", "", "path/f"), none, none, link("db.f")), event("START", 9, "r", "r", "db.f", "")}, "r<w"},
		"linked in turn": {[]string{with(event("COMPLETE", 2, "w", "w", "", "path/f"), none, none, link("db.f")),
			with(event("START", 9, "r", "r", "view", ""), none, none, link("db.f"))}, "r<w"},

		"a stream":            {[]string{with(event("RUNNING", 2, "w", "w", "", "f"), none, streaming, ""), event("START", 9, "r", "r", "f", "")}, "r<w"},
		"a stream that reads": {[]string{event("START", 1, "s", "s", "f", ""), event("COMPLETE", 4, "w", "w", "", "f"), with(event("RUNNING", 7, "s", "s", "f", ""), none, streaming, "")}, "s w"},
		"a stream that reads on": {[]string{event("COMPLETE", 2, "w", "w", "", "f"), event("START", 3, "s", "s", "g", ""), event("COMPLETE", 5, "v", "v", "", "h"),
			with(event("RUNNING", 7, "s", "s", "h", ""), none, streaming, "")}, "s v w"},
		"a stream that ends":   {[]string{with(event("RUNNING", 2, "w", "w", "", "f"), none, streaming, ""), event("START", 5, "r", "r", "f", ""), event("FAIL", 9, "w", "w", "", "")}, "r<w"},
		"a batch without end":  {[]string{with(event("RUNNING", 2, "w", "w", "", "f"), none, batch, ""), event("START", 9, "r", "r", "f", "")}, "r w"},
		"a batch that runs on": {[]string{event("RUNNING", 2, "w", "w", "", "f"), event("START", 5, "r", "r", "f", ""), event("COMPLETE", 9, "w", "w", "", "f")}, "r w"},

		"an application": {[]string{
			with(event("START", 1, "a", "app", "", ""), spark, none, ""), with(event("COMPLETE", 8, "a", "app", "", ""), spark, none, ""),
			with(event("START", 2, "a1", "app.execute", "", ""), spark+","+parent("a", "app"), none, ""),
			with(event("COMPLETE", 3, "a1", "app.execute.db_f", "", "f"), spark+","+parent("a", "app"), none, ""),
			event("START", 9, "r", "r", "f", "")}, "r<a"},
		"an application without events": {[]string{
			with(event("COMPLETE", 3, "a1", "app.execute", "", "f"), spark+","+parent("a", "app"), none, ""),
			event("START", 9, "r", "r", "f", "")}, "r<a"},
		"an application by its type": {[]string{
			with(event("COMPLETE", 3, "a1", "other", "", "f"), parent("a", "app"), `"jobType":{"processingType":"BATCH","integration":"SPARK","jobType":"SQL_JOB"}`, ""),
			event("START", 9, "r", "r", "f", "")}, "r<a"},
		"an application of a task": {[]string{
			event("START", 0, "t", "dag.task", "", ""),
			with(event("START", 1, "a", "app", "", ""), spark+","+parent("t", "dag.task"), none, ""),
			with(event("COMPLETE", 3, "a1", "app.execute", "", "f"), spark+","+parent("a", "app"), none, ""),
			with(event("COMPLETE", 4, "a", "app", "", ""), spark+","+parent("t", "dag.task"), none, ""),
			event("START", 9, "r", "r", "f", "")}, "r<a"},
		"an application of a task, by its type": {[]string{
			with(event("START", 1, "a", "task.app", "", ""), spark+","+parent("t", "task"), `"jobType":{"integration":"SPARK","jobType":"APPLICATION"}`, ""),
			with(event("COMPLETE", 3, "a1", "app.execute", "", "f"), parent("a", "app"), `"jobType":{"integration":"SPARK","jobType":"SQL_JOB"}`, ""),
			event("START", 9, "r", "r", "f", "")}, "r<a"},
		"a statement of a model": {[]string{
			event("START", 1, "m", "model", "", ""), with(event("START", 2, "s", "model.sql.1", "", ""), parent("m", "model"), `"jobType":{"integration":"DBT","jobType":"SQL"}`, ""),
			with(event("COMPLETE", 3, "s", "model.sql.1", "", ""), parent("m", "model"), `"jobType":{"integration":"DBT","jobType":"SQL"}`, ""), event("COMPLETE", 4, "m", "model", "", "f"),
			event("START", 9, "r", "r", "f", "")}, "r<m"},
		"an old application": {[]string{
			strings.Replace(with(event("COMPLETE", 3, "a1", "app.execute", "", "f"), parent("a", "app"), none, ""), `"producer":"p"`, `"producer":"https://github.com/OpenLineage/OpenLineage/tree/0.9.0/integration/spark"`, 1),
			event("START", 9, "r", "r", "f", "")}, "r<a"},
		"a part of itself": {[]string{
			with(event("COMPLETE", 3, "a", "a.b", "", "f"), spark+","+parent("b", "a"), none, ""), with(event("COMPLETE", 4, "b", "b.a", "", "g"), spark+","+parent("a", "b"), none, ""),
			event("START", 9, "r", "r", "f g", "")}, "r<a r<b"},

		"a task of a DAG": {[]string{event("START", 0, "d", "dag", "", ""), with(event("COMPLETE", 2, "w", "dag.w", "", "f"), parent("d", "dag"), none, ""), event("COMPLETE", 7, "d", "dag", "", ""),
			event("START", 9, "r", "r", "f", "")}, "r<w"},
		"a DAG by its type": {[]string{with(event("START", 0, "d", "dag", "", ""), none, `"jobType":{"processingType":"BATCH","integration":"AIRFLOW","jobType":"DAG"}`, ""), event("START", 9, "r", "r", "", "")}, "r"},
		"tasks that start together": {[]string{
			with(event("START", 1, "w", "dag.w", "", ""), parent("d", "dag"), none, ""), with(event("COMPLETE", 3, "w", "dag.w", "", "f"), parent("d", "dag"), none, ""),
			with(event("START", 1, "r", "dag.r", "f", ""), parent("d", "dag"), none, ""), with(event("COMPLETE", 5, "r", "dag.r", "", "g"), parent("d", "dag"), none, ""),
			with(event("START", 1, "s", "dag.s", "g", ""), parent("d", "dag"), none, "")}, "r<w s<r"},
		"tasks that start together, the reader first": {[]string{
			with(event("START", 1, "w", "dag.w", "", ""), parent("d", "dag"), none, ""), with(event("COMPLETE", 5, "w", "dag.w", "", "f"), parent("d", "dag"), none, ""),
			with(event("START", 1, "r", "dag.r", "f", ""), parent("d", "dag"), none, ""), with(event("COMPLETE", 3, "r", "dag.r", "", ""), parent("d", "dag"), none, "")}, "r w"},
		"tasks that start when they can": {[]string{
			with(event("START", 1, "w", "dag.w", "", ""), parent("d", "dag"), none, ""), with(event("COMPLETE", 3, "w", "dag.w", "", "f"), parent("d", "dag"), none, ""),
			with(event("START", 2, "r", "dag.r", "f", ""), parent("d", "dag"), none, ""), with(event("COMPLETE", 5, "r", "dag.r", "", "g"), parent("d", "dag"), none, "")}, "r w"},

		"declared by run": {[]string{event("COMPLETE", 2, "w", "w", "", ""),
			with(event("START", 9, "r", "r", "", ""), `"jobDependencies":{"upstream":[{"job":{"namespace":"etl","name":"x"},"run":{"runId":"w"}}]}`, none, "")}, "r<w"},
		"declared by job": {[]string{event("COMPLETE", 2, "v", "load", "", ""), event("COMPLETE", 4, "w", "load", "", ""), event("COMPLETE", 12, "x", "load", "", ""),
			with(event("START", 9, "r", "r", "", ""), `"jobDependencies":{"upstream":[{"job":{"namespace":"etl","name":"load"}}]}`, none, "")}, "r<w v x"},
		"declared on itself":         {[]string{with(event("START", 1, "r", "r", "", ""), `"jobDependencies":{"upstream":[{"job":{"namespace":"etl","name":"r"}}]},`+parent("d", "dag"), none, ""), event("COMPLETE", 9, "r", "r", "", "")}, "r"},
		"declared on the run before": {[]string{event("COMPLETE", 3, "w", "r", "", ""), with(event("START", 4, "r", "r", "", ""), `"jobDependencies":{"upstream":[{"job":{"namespace":"etl","name":"r"}}]}`, none, ""), event("COMPLETE", 9, "r", "r", "", "")}, "r<w"},
		"declared at one instant": {[]string{event("START", 2, "w", "w", "", ""), event("COMPLETE", 2, "w", "w", "", ""),
			with(event("START", 2, "r", "r", "", ""), `"jobDependencies":{"upstream":[{"run":{"runId":"w"}}]}`, none, ""), event("COMPLETE", 3, "r", "r", "", "")}, "r<w"},
		"declared and failed": {[]string{event("FAIL", 2, "w", "w", "", ""),
			with(event("START", 9, "r", "r", "", ""), `"jobDependencies":{"upstream":[{"run":{"runId":"w"}}]}`, none, "")}, "r w"},
		"declared by a task": {[]string{event("COMPLETE", 8, "x", "dag.w", "", ""),
			with(event("START", 1, "w", "dag.w", "", ""), task("w", "[]"), none, ""), with(event("COMPLETE", 3, "w", "dag.w", "", ""), task("w", "[]"), none, ""),
			with(event("START", 1, "r", "dag.r", "", ""), task("r", `["w"]`), none, ""), with(event("COMPLETE", 9, "r", "dag.r", "", ""), task("r", `["w"]`), none, "")}, "r<w x"},
		"declared and done after": {[]string{event("COMPLETE", 12, "w", "w", "", ""), event("COMPLETE", 9, "r", "r", "", ""),
			with(event("START", 1, "r", "r", "", ""), `"jobDependencies":{"upstream":[{"run":{"runId":"w"}}]}`, none, "")}, "r w"},
		"declared by a task, not on another DAG": {[]string{event("COMPLETE", 3.5, "x", "dag.w", "", ""),
			with(event("COMPLETE", 3, "w", "dag.w", "", ""), task("w", "[]"), none, ""), with(event("START", 4, "r", "dag.r", "", ""), task("r", `["w"]`), none, "")}, "r<w x"},
		"declared by a text": {[]string{
			with(event("COMPLETE", 3, "w", "dag.w", "", ""), task("w", `"[]"`), none, ""), with(event("COMPLETE", 3, "v", "dag.v", "", ""), task("v", `"[]"`), none, ""),
			with(event("START", 4, "r", "dag.r", "", ""), task("r", `"['v', 'w']"`), none, "")}, "r<v r<w"},
	} {
		for seed := range uint64(10) {
			rng := rand.New(rand.NewPCG(seed, 1))
			events := slices.Clone(test.events)
			rng.Shuffle(len(events), func(i, k int) { events[i], events[k] = events[k], events[i] })
			r := reader(t, provenance.ReaderConfig{})
			if err := r.OpenLineage("x", strings.NewReader(strings.Join(events, "\n"))); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := dependencies(t, r.Take()); got != test.want {
				t.Errorf("%s, seed %d: got %s, want %s", name, seed, got, test.want)
			}
		}
	}
}

// dependencies writes those of a log, and its other jobs.
func dependencies(t *testing.T, l *provenance.Log) string {
	t.Helper()
	wantSound(t, l)
	found, err := l.Find(0)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	in := make(map[uint32]bool)
	for _, d := range found.Dependencies {
		list = append(list, l.IDs.Name(d.To)+"<"+l.IDs.Name(d.From))
		in[d.From], in[d.To] = true, true
	}
	for i := range l.Jobs {
		if !in[uint32(i)] {
			list = append(list, l.IDs.Name(uint32(i)))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// Of two that write a file at one instant the last row counts, and the least name is that of a file that has several.
func TestOpenLineageTies(t *testing.T) {
	rows := []string{event("START", 1, "a", "a", "", ""), event("START", 1, "b", "b", "", ""), event("COMPLETE", 3, "b", "b", "", "f"), event("COMPLETE", 3, "a", "a", "", "f"), event("START", 9, "r", "r", "f", "")}
	link := `"symlinks":{"identifiers":[{"namespace":"s3://lake","name":"e"}]}`
	for _, rows := range [][]string{rows, append([]string{with(event("START", 20, "x", "x", "g", ""), "", "", link)}, append(rows, with(event("START", 20, "y", "y", "f", ""), "", "", link))...)} {
		r := reader(t, provenance.ReaderConfig{})
		if err := r.OpenLineage("x", strings.NewReader(strings.Join(rows, "\n"))); err != nil {
			t.Fatal(err)
		}
		l := r.Take()
		if got := dependencies(t, l); !strings.Contains(got, "r<a") {
			t.Errorf("got %s, want that r reads what a wrote", got)
		}
		for _, op := range l.Ops {
			if name := l.Files.Name(op.File); len(rows) > 5 && name != "s3://lake e" {
				t.Errorf("got file %s, want the least name", name)
			}
		}
	}
}

// A task tells its application who has asked for it, and how urgent it is. The last event names the job. What is unusual is noted.
func TestOpenLineageParents(t *testing.T) {
	r := reader(t, provenance.ReaderConfig{})
	rows := []string{
		with(event("START", 0, "t", "dag.task", "", ""), `"airflow":{"task":{"owner":"ann","priority_weight":3}}`, "", ""),
		with(strings.Replace(event("START", 1, "a", "app", "", ""), "Z", "", 1), spark+","+parent("t", "dag.task"), "", ""),
		with(event("COMPLETE", 3, "a1", "app.execute", "", "f"), spark+","+parent("a", "app"), "", ""),
		with(strings.Replace(event("COMPLETE", 4, "a", "app.jar", "", ""), "Z", "+0000", 1), `"jobDependencies":{"upstream":[{"run":{"runId":"elsewhere"}}]}`, "", ""),
	}
	if err := r.OpenLineage("x", strings.NewReader(strings.Join(rows, "\n"))); err != nil {
		t.Fatal(err)
	}
	want := []string{"3000000000 a s3://lake f write\n", "a etl app.jar ann etl complete 1000000000 4000000000\n"}
	l := r.Take()
	if diff := cmp.Diff(want, texts(l)); diff != "" || l.Jobs[0].Priority != 3 {
		t.Errorf("priority %v; -want +got:\n%s", l.Jobs[0].Priority, diff)
	}
	notes := map[string]int{
		"eventTime has no zone, and is taken to be in UTC": 1, "run is but the parent of others, and no job": 1,
		"dependency is declared on no job of the log that is done before": 1,
	}
	if diff := cmp.Diff(notes, r.Notes()); diff != "" {
		t.Errorf("notes: -want +got:\n%s", diff)
	}
}

// Runs that count for one application have one ID, so that each may be read by itself.
func TestRunOf(t *testing.T) {
	rows := []string{
		with(event("COMPLETE", 2, "a1", "app.execute", "", "f"), spark+","+parent("a", "app"), "", ""),
		with(event("COMPLETE", 3, "a2", "app.collect", "g", ""), spark+","+parent("a", "app"), "", ""),
		with(event("COMPLETE", 4, "a", "app", "", ""), spark, "", ""),
		event("START", 9, "r", "r", "f", ""),
	}
	whole := reader(t, provenance.ReaderConfig{})
	if err := whole.OpenLineage("x", strings.NewReader(strings.Join(rows, "\n"))); err != nil {
		t.Fatal(err)
	}
	byRun := make(map[string][]string)
	for _, row := range rows {
		id, ok := provenance.RunOf([]byte(row))
		if !ok {
			t.Errorf("%s has no run", row)
		}
		byRun[id] = append(byRun[id], row)
	}
	var got []string
	for _, id := range slices.Sorted(maps.Keys(byRun)) {
		r := reader(t, provenance.ReaderConfig{})
		if err := r.OpenLineage("x", strings.NewReader(strings.Join(byRun[id], "\n"))); err != nil {
			t.Fatal(err)
		}
		got = append(got, texts(r.Take())...)
	}
	slices.Sort(got)
	l := whole.Take()
	if diff := cmp.Diff(texts(l), got); diff != "" || len(byRun) != 2 || l.Jobs[0].Submitted != 2e9 {
		t.Errorf("%d runs, the application submitted at %d; -want +got:\n%s", len(byRun), l.Jobs[0].Submitted, diff)
	}
	for _, row := range []string{"", "{}", `{"run":{"runId":"x"}}`, `{"run":{},"job":{}}`} {
		if id, ok := provenance.RunOf([]byte(row)); ok {
			t.Errorf("%s: got run %q, want none", row, id)
		}
	}
}
