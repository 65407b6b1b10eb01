package augur_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// block is a program in a page.
var block = regexp.MustCompile("(?ms)^( *)```go\n(.*?)^ *```$")

// What a newcomer copies works: each program of the README and the guides is part of a Go file here, which is compiled, and
// tested if it is an example. Comments that begin with import are the page's own.
func TestProgramsOfThePages(t *testing.T) {
	var source strings.Builder
	for _, pattern := range []string{"*_test.go", "policy/*_test.go", "policy/*/*_test.go", "policy/host/hosttest/*_test.go", "examples/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source.WriteString(flush(string(text)))
		}
	}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	programs := 0
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range block.FindAllStringSubmatch(string(text), -1) {
			programs++
			if program := flush(found[2]); !strings.Contains(source.String(), program) {
				t.Errorf("%s shows a program that is not in a Go file of the repository:\n%s", page, program)
			}
			if n := strings.Count(flush(found[2]), "\n"); page == "README.md" && n > 15 {
				t.Errorf("README.md has a program of %d lines, want at most 15", n)
			}
		}
	}
	if programs < 8 {
		t.Errorf("%d programs found in the pages", programs)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(readme), "\n"); n > 120 {
		t.Errorf("README.md has %d lines, want at most 120", n)
	}
}

// link is one of a page to a file.
var link = regexp.MustCompile(`\]\(([^)#:]+)[)#]`)

func TestPagesLinkToWhatIsThere(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*/*.md", "examples/*/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	links := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), found[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", page, found[1])
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links found", links)
	}
}

// decimal is a number, with its interval if it has one.
var decimal = regexp.MustCompile(`\d+\.\d+( ± \d+\.\d+)?`)

// The numbers in README's table of what to use are in the page that the row links to.
func TestNumbersOfTheReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "| one number |\n| --- | --- | --- |\n| ")
	if !ok {
		t.Fatal("README.md has no table with a column of numbers")
	}
	for row := range strings.Lines(table) {
		cells := strings.Split(row, " | ")
		if len(cells) != 3 {
			break
		}
		page := link.FindStringSubmatch(cells[2])
		if page == nil {
			t.Fatalf("no link to a page in %q", cells[2])
		}
		figures, err := os.ReadFile(page[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, number := range decimal.FindAllString(cells[2], -1) {
			if found, _ := regexp.Match(`\b`+regexp.QuoteMeta(number)+`\b`, figures); !found {
				t.Errorf("%s does not have %s", page[1], number)
			}
		}
	}
}

// flush takes away indents, comments of a page on imports, and the example's output.
func flush(text string) string {
	lines := strings.Split(text, "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "// import ") })
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Join(lines, "\n")
}
