package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// What stands between the lines is replaced, and nothing else; without the lines nothing is written.
func TestWriteBetween(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("a\n<begin>\nold\n<end>\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = "a\n<begin>\n\nnew\n\n<end>\nb\n"
	if err := WriteBetween(page, "<begin>", "<end>", []byte("new\n")); err != nil {
		t.Fatal(err)
	}
	if err := WriteBetween(page, "<begin>", "<finish>", []byte("newer\n")); Status(err) != 2 {
		t.Errorf("a page without the lines has error %v, want one of usage", err)
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != want {
		t.Errorf("the page is %q, error %v, want %q", got, err, want)
	}
}
