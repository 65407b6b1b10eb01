package traces_test

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/augur/internal/traces"
)

// write makes a file, and the folders that it is in, and returns its path.
func write(t *testing.T, text string, parts ...string) string {
	t.Helper()
	path := filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPath(t *testing.T) {
	const ours, other = "// the library\nmodule example.com/augur\n\ngo 1.26.0\n", "module example.com/augur/examples/x\n"
	dir, err := filepath.EvalSymlinks(t.TempDir()) // Getwd gives the path without links
	if err != nil {
		t.Fatal(err)
	}
	write(t, ours, dir, "main", "go.mod")
	write(t, other, dir, "main", "examples", "x", "go.mod")
	write(t, other, dir, "alone", "go.mod")
	beside := write(t, "", dir, "shared", "traces", "eagle", "a.tr")
	named := write(t, "", dir, "elsewhere", "eagle", "a.tr")
	for _, test := range []struct {
		name, env, wd, file string
		want                string // empty: skipped
	}{
		{"from the root", "", "main", "eagle/a.tr", beside},
		{"through another module", "", "main/examples/x", "eagle/a.tr", beside},
		{"by the variable", filepath.Join(dir, "elsewhere"), "main", "eagle/a.tr", named},
		{"not there", "", "main", "eagle/b.tr", ""},
		{"variable wrong", filepath.Join(dir, "nowhere"), "main", "eagle/a.tr", ""},
		{"outside the library", "", "alone", "eagle/a.tr", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("AUGUR_TRACES", test.env)
			t.Chdir(filepath.Join(dir, filepath.FromSlash(test.wd)))
			got, ok := path(t, test.file)
			if got != test.want || ok != (test.want != "") {
				t.Errorf("got %q (found: %v), want %q", got, ok, test.want)
			}
		})
	}
}

// skipped is a test that panics with itself where it would be skipped.
type skipped struct{ testing.TB }

func (s *skipped) Skipf(string, ...any) { panic(s) }

// path calls Path and reports whether it came back.
func path(t *testing.T, name string) (found string, ok bool) {
	s := &skipped{t}
	defer func() {
		if r := recover(); r != nil && r != any(s) {
			panic(r)
		}
	}()
	return traces.Path(s, name), true
}
