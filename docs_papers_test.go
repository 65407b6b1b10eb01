package augur_test

import (
	"go/doc"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	quoted    = regexp.MustCompile("`([^`\n]+)`")
	testName  = regexp.MustCompile(`^(Test|Example|Fuzz|Benchmark)(_?[A-Za-z0-9]\w*)?$`)
	inPackage = regexp.MustCompile(`^([a-z]\w*)\.([A-Z]\w*(\.[A-Z]\w*)?)$`)
	ofType    = regexp.MustCompile(`^[A-Z]\w*\.[A-Z]\w*$`)
	testFunc  = regexp.MustCompile(`(?m)^func ((Test|Example|Fuzz|Benchmark)\w*)\(`)
)

// What docs/papers.md names in backticks is there: tests, identifiers of packages such as `slearn.NewScheduler`, and methods and fields
// such as `NodeConfig.Quantum`.
func TestPapersNameWhatIsThere(t *testing.T) {
	const page = "docs/papers.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	tests, names, members := map[string]bool{}, map[string]bool{}, map[string]bool{}
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() && path != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir():
			fset := token.NewFileSet()
			files, err := sources(fset, path)
			if err != nil || len(files) == 0 {
				return err
			}
			p, err := doc.NewFromFiles(fset, files, module+path, doc.PreserveAST)
			if err != nil {
				return err
			}
			for name := range exported(p) {
				names[p.Name+"."+name], members[name] = true, true
			}
		case strings.HasSuffix(path, "_test.go"):
			code, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range testFunc.FindAllSubmatch(code, -1) {
				tests[string(m[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for n, line := range strings.Split(string(text), "\n") {
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			known, checked := false, true
			switch word := m[1]; {
			case testName.MatchString(word):
				known = tests[word]
			case inPackage.MatchString(word):
				known = names[word]
			case ofType.MatchString(word):
				known = members[word]
			default:
				checked = false
			}
			if checked {
				seen++
			}
			if checked && !known {
				t.Errorf("%s:%d: %s is nowhere", page, n+1, m[1])
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d names found in %s, want at least 100", seen, page)
	}
}
