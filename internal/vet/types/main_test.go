package main

import (
	"os"
	"strings"
	"testing"
)

// What is wrong is found, in a test too; what is right is not blamed.
func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, test := range []struct{ code, tested, want string }{
		{`import "os"; func exit() { os.Exit(1) }`, `exit()`, ""},
		{`func two() (int, error) { return 2, nil }`, `var x int = two(); _ = x`, "p_test.go:3:55: multiple-value two()"},
		{`func exit() { os.Exit(1) }`, ``, "p.go:1:26: undefined: os"},
		{`import "example.com/none"; var _ = none.X`, ``, "example.com/none"},
	} {
		for name, text := range map[string]string{
			"go.mod":    "module example.com/p\n\ngo 1.26.0\n",
			"p.go":      "package p; " + test.code + "\n",
			"p_test.go": "package p\n\nimport \"testing\"; func Test(*testing.T) { " + test.tested + " }\n",
		} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		wrong, err := check([]string{"./..."})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(wrong, "\n"); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s and %s: got %q, want %q", test.code, test.tested, got, test.want)
		}
	}
}
