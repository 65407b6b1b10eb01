package main

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/augur/examples/internal/cli"
)

func output(t *testing.T, args ...string) (out, said string, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	err = run(t.Context(), args, &stdout, &stderr)
	return stdout.String(), stderr.String(), err
}

// Small beds run, are kept, and are told of on a page and in a figure.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "swf", "NASA-iPSC-1993-3.1-cln.swf.gz") // gzip is not needed
	if err := os.MkdirAll(filepath.Dir(log), 0o777); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("; Version: 2.2\n")
	for i := range 20 { // each copy lacks two of them
		fmt.Fprintf(&text, "%d %d -1 %d %d%s 1 1 1 1 1 -1 -1\n", i+1, 10*i, 20+i*i%7*50, 1+i%8, strings.Repeat(" -1", 6))
	}
	page := filepath.Join(dir, "page.md")
	for file, text := range map[string]string{log: text.String(), page: "before\n" + begin + "\nold\n" + end + "\nafter\n"} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, figure := filepath.Join(dir, "out"), filepath.Join(dir, "index.png")
	small := []string{"-beds", "heavytail,e2e,lisa,NASA", "-jobs", "40", "-seeds", "1-2", "-thin", "2", "-loads", "0.5,0.9", "-traces", dir, "-out", out}
	printed, said, err := output(t, append(small, "-figure", figure)...)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said, "lisa is left out") || strings.Count(said, " took ") != 5 {
		t.Errorf("stderr is %q, want the times of three beds, one of them in three passes, and that lisa is left out", said)
	}
	for _, want := range []string{"### Each bed", "| heavytail 0.9 |", "| e2e 0.9 |", "| NASA 0.9 |", "| NASA 0.9 | preempt 10s |", "\n| index/none |", "\n| conservative |", "†", "### Deadlines missed"} {
		if !strings.Contains(printed, want) {
			t.Errorf("the output has no %q", want)
		}
	}
	f, err := os.Open(figure)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if image, err := png.Decode(f); err != nil || image.Bounds().Dx() != 1600 {
		t.Errorf("the figure is no image of 1600 pixels: %v", err)
	}

	// The page has all that the figure is drawn from.
	drawn, again := filepath.Join(dir, "printed.md"), filepath.Join(dir, "again.png")
	if err := os.WriteFile(drawn, []byte(printed), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := output(t, "-draw", drawn, "-figure", again); err != nil {
		t.Fatal(err)
	}
	first, _ := os.ReadFile(figure)
	if second, _ := os.ReadFile(again); !bytes.Equal(first, second) {
		t.Error("the figure drawn from the page is another one")
	}

	// Another run takes what is kept.
	if _, said, err := output(t, append(small, "-write", page)...); err != nil || strings.Contains(said, "took") {
		t.Fatalf("the second run says %q and ends with %v, want no bed run", said, err)
	}
	if got, _ := os.ReadFile(page); string(got) != "before\n"+begin+"\n\n"+printed+"\n"+end+"\nafter\n" {
		t.Errorf("the page is\n%s\nwant between its lines\n%s", got, printed)
	}
	for name, args := range map[string][]string{
		"choose another -out": append(slices.Clone(small), "-seeds", "3"),
		"lacks the lines":     append(slices.Clone(small), "-write", log),
		"wants -figure":       {"-draw", page},
		"would overwrite":     {"-draw", page, "-figure", page},
		"no row below":        {"-draw", log, "-figure", figure},
		`no bed "x"`:          {"-beds", "x"},
		"none of the traces":  {"-beds", "lisa", "-traces", dir, "-out", out},
	} {
		if _, _, err := output(t, args...); err == nil || !strings.Contains(err.Error(), name) || cli.Status(err) != 2 {
			t.Errorf("got error %v, want one of usage with %q", err, name)
		}
	}
}

// Every trace of the list has a bed of its own name, and SRPT and both forms of the index run on every bed.
func TestBeds(t *testing.T) {
	seen := make(map[string]bool)
	for _, b := range beds {
		if names := b.names(); seen[b.name] || names[0] != "srpt" || names[1] != "index" || names[2] != "index/none" || !slices.Contains(names, "fair") {
			t.Errorf("bed %s has %q", b.name, names)
		}
		seen[b.name] = true
	}
}
