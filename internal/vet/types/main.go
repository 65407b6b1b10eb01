// Types checks the types of packages and of their tests, as the compiler does, but all from source: of what
// they import it reads the declarations only. Where that is much and not compiled yet, it takes seconds where
// go vet, which wants it compiled, takes minutes:
//
//	GOWORK=off go -C internal/vet build -o /tmp/types ./types
//	cd examples/kubescheduler && /tmp/types ./...
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	wrong, err := check(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "types:", err)
		os.Exit(2)
	}
	for _, e := range wrong {
		fmt.Fprintln(os.Stderr, e)
	}
	if len(wrong) > 0 {
		os.Exit(1)
	}
}

// check returns what is wrong with the packages that match patterns, in the module of the working directory.
func check(patterns []string) (wrong []string, err error) {
	home, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	all, err := packages.Load(&packages.Config{
		Mode:  packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes,
		Tests: true,
		ParseFile: func(files *token.FileSet, name string, text []byte) (*ast.File, error) {
			f, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
			if f != nil && !strings.HasPrefix(name, home+string(filepath.Separator)) {
				for _, d := range f.Decls {
					if d, ok := d.(*ast.FuncDecl); ok {
						d.Body = nil
					}
				}
			}
			return f, err
		},
	}, patterns...)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no packages match %q", patterns)
	}
	// Of what is imported nothing is said: without bodies, imports are not used there. Nor of the programs that go
	// test makes, which lie elsewhere.
	for _, p := range all {
		if !strings.HasSuffix(p.ID, ".test") {
			for _, e := range p.Errors {
				if text := e.Error(); !slices.Contains(wrong, text) { // a package comes again with its tests
					wrong = append(wrong, text)
				}
			}
		}
	}
	return wrong, nil
}
