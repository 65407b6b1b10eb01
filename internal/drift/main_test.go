package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDrift(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name+".json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first := file("amd64", `{"jobs": 2, "note": null, "policies": [{"policy": "fifo", "jct": 100}, {"policy": "fair", "jct": 50}]}`)
	for _, test := range []struct{ name, text, want, err string }{
		{"same", `{"policies": [{"jct": 100, "policy": "fifo"}, {"policy": "fair", "jct": 50}], "jobs": 2, "note": null}`, "| s | same | 3 | 0 | 0 | |\n", ""},
		{"near", `{"jobs": 2, "note": null, "policies": [{"policy": "fifo", "jct": 101}, {"policy": "fair", "jct": 40}]}`, "| s | near | 3 | 2 | 0.2 | policies[fair].jct |\n", ""},
		{"other", `{"jobs": 2, "note": null, "policies": [{"policy": "fifo", "jct": 100}, {"policy": "srpt", "jct": 50}]}`, "", ".policies[fair].policy is srpt, want fair"},
		{"fewer", `{"jobs": 2, "note": null, "policies": [{"policy": "fifo", "jct": 100}]}`, "", ".policies has 1 elements, want 2"},
		{"none", `{"jobs": null, "note": null, "policies": []}`, "", "want"},
		{"field", `{"jobs": 2, "policies": []}`, "", "2 fields, want 3"},
		{"broken", `{`, "", "broken.json"},
	} {
		var out strings.Builder
		err := drift(&out, "s", []string{first, file(test.name, test.text)})
		if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.err)
		}
		if err == nil && out.String() != test.want {
			t.Errorf("%s: got %q, want %q", test.name, &out, test.want)
		}
	}
}
