package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is measured is all that is drawn, and no more.
func TestMeasurements(t *testing.T) {
	for _, f := range figures {
		found := f.file == resultsFile
		for _, m := range measurements() {
			ok, err := filepath.Match(f.file, m.file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || ok
		}
		if !found {
			t.Errorf("%s: nothing measures %s", f.name, f.file)
		}
	}
	seen := make(map[string]bool)
	for _, m := range measurements() {
		drawn := false
		for _, f := range figures {
			ok, _ := filepath.Match(f.file, m.file)
			drawn = drawn || ok
		}
		if !drawn || seen[m.file] {
			t.Errorf("%s: not drawn, or measured twice", m.file)
		}
		seen[m.file] = true
	}
}

// Programs write the file themselves if it is CSV, and else to where it goes.
func TestMeasurement(t *testing.T) {
	programs, folder := t.TempDir(), t.TempDir()
	const script = "#!/bin/sh\nfor file; do :; done\ncase $* in\n*fail*) echo why >&2; exit 3;;\n*-jobs-csv*) echo \"$@\" >\"$file\";;\n*) echo \"$@\";;\nesac\n"
	if err := os.WriteFile(filepath.Join(programs, "program"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, m := range []measurement{
		{"a.json", "program", []string{"-x", "1"}, false},
		{"a.csv", "program", []string{"-x", "1"}, true},
	} {
		var stderr bytes.Buffer
		if err := m.run(t.Context(), programs, folder, &stderr); err != nil || stderr.Len() > 0 {
			t.Fatalf("%s: %v, %s", m.file, err, &stderr)
		}
		text, err := os.ReadFile(filepath.Join(folder, m.file))
		if err != nil {
			t.Fatal(err)
		}
		want := "-json -x 1"
		if m.csv {
			want = "-x 1 -jobs-csv " + filepath.Join(folder, m.file)
		}
		if got := strings.TrimSpace(string(text)); got != want {
			t.Errorf("%s: the program is run with %q, want %q", m.file, got, want)
		}
	}
	var stderr bytes.Buffer
	m := measurement{"b.json", "program", []string{"fail"}, false}
	if err := m.run(t.Context(), programs, folder, &stderr); err == nil || !strings.Contains(stderr.String(), "why") {
		t.Errorf("a program that fails: error %v, stderr %q; want an error and what it said", err, &stderr)
	}
}
