package augur_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// headings are what the comment of each package of the library has: a newcomer learns from it
// when to look elsewhere, what it costs and where it comes from. One that comes from nowhere says
// that under Source.
var headings = []string{"# When not to use it", "# Cost", "# Source"}

func TestPackagesAreExplained(t *testing.T) {
	packages := map[string][]*ast.File{}
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{"internal", "examples", "testdata"}, d.Name()) || len(file) > 1 && file[0] == '.' {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		packages[path.Dir(file)] = append(packages[path.Dir(file)], parsed)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	list := string(text)
	for dir := range house {
		if packages[dir] == nil {
			t.Errorf("no package found in %s", dir)
		}
	}
	for dir, files := range packages {
		if !strings.Contains(list, "//\t"+dir+" ") && !strings.Contains(list, "//\t"+dir+"\n") && dir != "." {
			t.Errorf("doc.go does not list %s", dir)
		}
		for _, what := range unexplained(files) {
			t.Errorf("package %s lacks %s", dir, what)
		}
	}
}

// unexplained returns what the documentation of a package lacks: headings of the package comment,
// and an example that godoc shows with its whole file, which is one that is alone there with other
// declarations.
func unexplained(files []*ast.File) (missing []string) {
	var comment strings.Builder
	for _, f := range files {
		if !strings.HasSuffix(f.Name.Name, "_test") {
			comment.WriteString(f.Doc.Text())
		}
	}
	lines := strings.Split(comment.String(), "\n")
	for _, h := range headings {
		if !slices.Contains(lines, h) {
			missing = append(missing, h)
		}
	}
	if !slices.ContainsFunc(files, func(f *ast.File) bool {
		return slices.ContainsFunc(doc.Examples(f), func(e *doc.Example) bool {
			_, whole := e.Code.(*ast.File)
			return whole
		})
	}) {
		missing = append(missing, "a whole-file example")
	}
	return missing
}
