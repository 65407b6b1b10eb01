package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/augur/examples/internal/cli"
)

// What is written is what check wants, whatever its date, until what comes out changes.
func TestWriteAndCheck(t *testing.T) {
	measured := 10.
	twoPapers(t, &measured)
	file := filepath.Join(t.TempDir(), "R.md")
	call := func(args ...string) error { return run(t.Context(), append(args, "all"), io.Discard, io.Discard) }
	if err := call("-write", file, "-date", "2026-02-28"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-date 2026-02-28 -write ../../REPRODUCTION.md all", "Date of version: 2026-02-28\n", "Seeds: 1 to 3;", "| One | Fig. 1 |", "one, two"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if err := call("-check", file, "-json"); err != nil {
		t.Errorf("just written: %v", err)
	}
	if err := call("-check", file, "-full"); err == nil {
		t.Error("of other seeds: no error")
	}
	measured = 12
	err = call("-check", file)
	n := 1 + strings.Count(string(text)[:strings.Index(string(text), "| Two | Fig. 1")], "\n")
	want := fmt.Sprintf(`line %d of %s differs: got "| Two | Fig. 1 | jobs | saved, %% | 10 | 10 ± 0 | reproduced |  |", want "| Two | Fig. 1 | jobs | saved, %% | 10 | 12 ± 0 | in part |  |"`, n, file)
	if err == nil || !strings.Contains(err.Error(), want) || cli.Status(err) != 1 {
		t.Errorf("error %v, want one with %q", err, want)
	}
	measured = 10
	if err := os.WriteFile(file, bytes.ReplaceAll(text, []byte("2026-02-28"), []byte("2026-02-30")), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := call("-check", file); err == nil || !strings.Contains(err.Error(), `the date is "2026-02-30"`) {
		t.Errorf("a day that is none: error %v", err)
	}
}

func TestCompare(t *testing.T) {
	for _, test := range []struct{ got, want, problem string }{
		{"a\nb\n", "a\nb\n", ""},
		{"a\nb\n", "a\nc\n", `line 2 of F differs: got "b", want "c"`},
		{"a\n", "a\nb\n", `line 2 of F differs: got "", want "b"`},
		{"a", "a\nb", `line 2 of F differs: got the end, want "b"`},
		{"a\nb", "a", `line 2 of F differs: got "b", want the end`},
	} {
		err := compare("F", []byte(test.got), []byte(test.want))
		if (err == nil) != (test.problem == "") || err != nil && !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%q for %q: error %v, want %q", test.got, test.want, err, test.problem)
		}
	}
}

func TestDateOf(t *testing.T) {
	if _, err := dateOf([]byte("# Reproduction\n")); err == nil || !strings.Contains(err.Error(), `no line begins with "- Date of version: "`) {
		t.Errorf("without a date: error %v", err)
	}
}
