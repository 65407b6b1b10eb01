package augur_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestNumbersAreTried holds each package to having a hostile.Call for every exported function and
// method that takes a number: as a parameter, in a slice, in a field of a struct, or, where the
// receiver is a struct of parameters, in that. Step is left to policytest, and what takes a *testing.T or
// F to that package's own tests.
func TestNumbersAreTried(t *testing.T) {
	exports := exportData(t)
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "gc", func(pkg string) (io.ReadCloser, error) { return os.Open(exports[pkg]) })
	for dir := range house {
		pkg, err := imp.Import(module + dir)
		if err != nil {
			t.Fatal(err)
		}
		want, got := takeNumbers(pkg), triedIn(t, dir)
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("%s takes a number, and none of %s/hostile*_test.go has a Call of that name", path.Base(dir)+"."+name, dir)
			}
		}
		for _, name := range got {
			if first, second, _ := strings.Cut(name, "."); !declares(pkg, first, second) {
				t.Errorf("a hostile.Call in %s is of %s, which the package does not have", dir, name)
			}
		}
	}
}

// exportData returns the file of export data of each package of the module and of those that they import.
func exportData(t *testing.T) map[string]string {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var pkg struct{ ImportPath, Export string }
		if err := dec.Decode(&pkg); err != nil {
			t.Fatal(err)
		}
		files[pkg.ImportPath] = pkg.Export
	}
	return files
}

// takeNumbers returns the exported functions and methods of a package that take numbers.
func takeNumbers(pkg *types.Package) (names []string) {
	takes := func(f *types.Func) bool {
		s := f.Signature()
		if s.Params().Len() > 0 && strings.HasPrefix(s.Params().At(0).Type().String(), "*testing.") {
			return false
		}
		for param := range s.Params().Variables() {
			if holdsNumber(param.Type()) {
				return true
			}
		}
		if recv := s.Recv(); recv != nil && s.Results().Len() > 0 {
			last := s.Results().At(s.Results().Len() - 1).Type().String()
			if last == "error" || strings.HasPrefix(last, "iter.Seq") || strings.HasSuffix(last, "workload.Source") {
				t := recv.Type()
				if p, ok := t.(*types.Pointer); ok {
					t = p.Elem()
				}
				return holdsNumber(t)
			}
		}
		return false
	}
	for _, name := range pkg.Scope().Names() {
		switch o := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			if o.Exported() && takes(o) {
				names = append(names, name)
			}
		case *types.TypeName:
			named, ok := o.Type().(*types.Named)
			if !o.Exported() || !ok || types.IsInterface(named) {
				continue
			}
			for m := range named.Methods() {
				if m.Exported() && m.Name() != "Step" && takes(m) {
					names = append(names, name+"."+m.Name())
				}
			}
		}
	}
	return names
}

// holdsNumber reports whether a caller passes numbers with a value of the type, or of one that
// a parameter may be. Bytes are text or code.
func holdsNumber(t types.Type) bool {
	if p, ok := t.(*types.TypeParam); ok {
		return allowsNumber(p.Constraint())
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsNumeric != 0 && u.Kind() != types.Byte || t != u && u.Kind() == types.Byte
	case *types.Slice:
		return holdsNumber(u.Elem())
	case *types.Array:
		return holdsNumber(u.Elem())
	case *types.Map:
		return holdsNumber(u.Key()) || holdsNumber(u.Elem())
	case *types.Struct:
		if n, ok := t.(*types.Named); ok && (n.Obj().Pkg() == nil || !strings.HasPrefix(n.Obj().Pkg().Path()+"/", module)) {
			return false
		}
		for f := range u.Fields() {
			if f.Exported() && holdsNumber(f.Type()) {
				return true
			}
		}
	}
	return false
}

// allowsNumber reports whether a constraint is a union with numbers in it.
func allowsNumber(constraint types.Type) bool {
	i, ok := constraint.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for e := range i.EmbeddedTypes() {
		union, ok := e.(*types.Union)
		if !ok {
			if allowsNumber(e) {
				return true
			}
			continue
		}
		for term := range union.Terms() {
			if holdsNumber(term.Type()) {
				return true
			}
		}
	}
	return false
}

// declares reports whether a package has a function, or a type with a method.
func declares(pkg *types.Package, first, second string) bool {
	o := pkg.Scope().Lookup(first)
	if o == nil || second == "" {
		return o != nil
	}
	m, _, _ := types.LookupFieldOrMethod(o.Type(), true, pkg, second)
	return m != nil
}

// triedIn returns the names of the Calls in a package's hostile*_test.go; none if there is no such file.
func triedIn(t *testing.T, dir string) (names []string) {
	files, err := filepath.Glob(filepath.Join(dir, "hostile*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, calls(parsed)...)
	}
	return names
}

// calls returns the names of the Calls in a file.
func calls(file *ast.File) (names []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		fields := map[string]ast.Expr{}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok {
					fields[key.Name] = kv.Value
				}
			}
		}
		if name, ok := fields["Name"].(*ast.BasicLit); ok && fields["New"] != nil {
			if s, err := strconv.Unquote(name.Value); err == nil {
				names = append(names, s)
			}
		}
		return true
	})
	return names
}
