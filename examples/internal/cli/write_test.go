package cli

import (
	"errors"
	"io"
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

// A file is replaced as a whole, also by way of a link, and is as it was if that fails.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "store"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(name, []byte("old"), 0o600), os.Symlink(name, link)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		err  error
		want string
	}{{io.ErrShortWrite, "old"}, {nil, "new"}} {
		err := WriteFile(link, func(w io.Writer) error {
			_, err := io.WriteString(w, "new")
			return errors.Join(err, test.err)
		})
		if got, _ := os.ReadFile(name); string(got) != test.want || !errors.Is(err, test.err) {
			t.Errorf("got %q and error %v, want %q and %v", got, err, test.want, test.err)
		}
	}
	if to, err := os.Readlink(link); to != name {
		t.Errorf("the link is to %q, error %v, want %s", to, err, name)
	}
	if err := WriteFile(os.DevNull, func(io.Writer) error { return nil }); err != nil {
		t.Error(err)
	}
	// Standard input is an input too.
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	var err error
	if os.Stdin, err = os.Open(name); err != nil {
		t.Fatal(err)
	}
	defer os.Stdin.Close()
	if err := (&Files{Inputs: []string{"-"}}).Claim(link); Status(err) != 2 {
		t.Errorf("standard input may be written over: got error %v", err)
	}
}
