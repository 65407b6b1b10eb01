package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/augur/dag/value"
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

// A job's name is known as it is, or by what does not change from run to run.
func TestJobOf(t *testing.T) {
	p := pod("s", "usage-2026-03-02", 1, "1")
	store, err := value.Build([]value.Record{{Template: "usage-2026-03-02", User: "default", Recurring: true}})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := jobOf(p, "label:job", "namespace", store).Attr("template"); got != "usage-2026-03-02" {
		t.Errorf("the template is %q, want the name that the store has", got)
	}
	none := new(value.Store)
	j := jobOf(p, "label:job", "namespace", none)
	if got, _ := j.Attr("template"); got != "usage-#-#-#" {
		t.Errorf("the template is %q, want usage-#-#-#", got)
	}
	if got, _ := j.Attr("user"); got != "default" {
		t.Errorf("the user is %q, want default", got)
	}
	if got, _ := jobOf(p, "label:none", "namespace", none).Attr("template"); got != "" {
		t.Errorf("without the label the template is %q, want none", got)
	}
}

// saveValues writes the values per core-second of jobs to a file.
func saveValues(t *testing.T, efficiency map[string]float64) (path string) {
	t.Helper()
	var records []value.Record
	for job, e := range efficiency {
		records = append(records, value.Record{
			Template: job, User: "default", Recurring: true, Valid: true,
			Own:       value.Worth{Value: 1, Compute: 1},
			Aggregate: value.Worth{Value: 100 * e, Compute: 100},
		})
	}
	store, err := value.Build(records)
	if err != nil {
		t.Fatal(err)
	}
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
