// Package traces finds the files of real traces that tests and benchmarks read. They are
// not part of the library: a test that needs one asks [Path], and is skipped where the
// file is not there.
package traces

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var module = regexp.MustCompile(`(?m)^module example\.com/augur\s*$`)

// Path returns the path of a file among the traces, named by its path below their folder.
// That folder is the value of the environment variable AUGUR_TRACES, or else
// shared/traces next to the root of the library. It skips the test if there is no such
// file.
func Path(t testing.TB, name string) string {
	t.Helper()
	folder := os.Getenv("AUGUR_TRACES")
	if folder == "" {
		folder = filepath.Join(root(t), "..", "shared", "traces")
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no trace %s (set AUGUR_TRACES to the folder of the traces): %v", name, err)
	}
	return path
}

// root returns the folder with the library's go.mod: the working directory or one above
// it. Modules in between, such as an example with a go.mod of its own, are passed by.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if text, err := os.ReadFile(filepath.Join(at, "go.mod")); err == nil && module.Match(text) {
			return at
		}
		if at == filepath.Dir(at) {
			t.Skipf("no go.mod of the library above %s, so no traces (set AUGUR_TRACES to their folder)", dir)
		}
	}
}
