package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is measured is all that is drawn, and no more.
func TestMeasurements(t *testing.T) {
	files := map[string]bool{resultsFile: true}
	for _, m := range measurements {
		files[m.file] = true
	}
	drawn := map[string]bool{}
	for _, f := range figures {
		drawn[f.file] = true
	}
	if !maps.Equal(files, drawn) {
		t.Errorf("there are the files %v, and figures are drawn from %v", files, drawn)
	}
}

// The program writes the file itself if it is CSV, and else to where it goes.
func TestMeasurement(t *testing.T) {
	program, folder := filepath.Join(t.TempDir(), "program"), t.TempDir()
	const script = "#!/bin/sh\nfor file; do :; done\ncase $* in\n*fail*) echo why >&2; exit 3;;\n*-jobs-csv*) echo \"$@\" >\"$file\";;\n*) echo \"$@\";;\nesac\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, m := range []measurement{
		{"a.json", []string{"-x", "1"}, false},
		{"a.csv", []string{"-x", "1"}, true},
	} {
		var stderr bytes.Buffer
		if err := m.run(t.Context(), program, folder, &stderr); err != nil || stderr.Len() > 0 {
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
	m := measurement{"b.json", []string{"fail"}, false}
	if err := m.run(t.Context(), program, folder, &stderr); err == nil || !strings.Contains(stderr.String(), "why") {
		t.Errorf("a program that fails: error %v, stderr %q; want an error and what it said", err, &stderr)
	}
}
