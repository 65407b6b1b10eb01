package augur_test

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// dangling finds what looks like a link to an identifier of the package, as in [Name] and
// [Type.Method]. Where there is such an identifier go/doc has made a link of it, so that what is
// left as text leads nowhere. Into other packages it makes a link of whatever is named.
var dangling = regexp.MustCompile(`\[\*?[A-Z][A-Za-z0-9]*(\.[A-Z][A-Za-z0-9]*)?\]`)

func TestDocLinksLeadSomewhere(t *testing.T) {
	seen := 0
	names := make(map[string]map[string]bool) // that a package exports, by its path
	type link struct{ path, name, position string }
	var abroad []link // into other packages
	for dir := range house {
		fset := token.NewFileSet()
		files, err := sources(fset, dir)
		if err != nil {
			t.Fatal(err)
		}
		p, err := doc.NewFromFiles(fset, files, module+dir, doc.PreserveAST)
		if err != nil {
			t.Fatal(err)
		}
		names[module+dir] = exported(p)
		for _, f := range files {
			for _, group := range f.Comments {
				for _, block := range p.Parser().Parse(group.Text()).Content {
					var links []*comment.DocLink
					texts := ""
					walk(block, &links, &texts)
					seen += len(links)
					for _, l := range links {
						if strings.HasPrefix(l.ImportPath, module) && l.Name != "" {
							abroad = append(abroad, link{l.ImportPath, strings.TrimPrefix(l.Recv+"."+l.Name, "."), fset.Position(group.Pos()).String()})
						}
					}
					for _, link := range dangling.FindAllString(texts, -1) {
						t.Errorf("%s: %s leads nowhere", fset.Position(group.Pos()), link)
					}
				}
			}
		}
	}
	for _, l := range abroad {
		if !names[l.path][l.name] {
			t.Errorf("%s: [%s] leads nowhere in %s", l.position, l.name, l.path)
		}
	}
	if seen == 0 || len(abroad) == 0 {
		t.Errorf("%d links found, and %d into other packages", seen, len(abroad))
	}
}

// sources parses the files of a package, but for its tests.
func sources(fset *token.FileSet, dir string) (files []*ast.File, err error) {
	paths, err := filepath.Glob(dir + "/*.go")
	if err != nil {
		return nil, err
	}
	for _, name := range paths {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// exported returns the names that links may lead to: Name, Type.Method and Type.Field.
func exported(p *doc.Package) map[string]bool {
	names := make(map[string]bool)
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, name := range v.Names {
				names[name] = true
			}
		}
	}
	funcs := func(prefix string, list []*doc.Func) {
		for _, f := range list {
			names[prefix+f.Name] = true
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs("", p.Funcs)
	for _, typ := range p.Types {
		names[typ.Name] = true
		values(typ.Consts)
		values(typ.Vars)
		funcs("", typ.Funcs)
		funcs(typ.Name+".", typ.Methods)
		ast.Inspect(typ.Decl, func(n ast.Node) bool {
			if f, ok := n.(*ast.Field); ok {
				for _, name := range f.Names {
					names[typ.Name+"."+name.Name] = true
				}
			}
			return true
		})
	}
	return names
}

// walk collects the links and the plain text in a block of a comment.
func walk(b comment.Block, links *[]*comment.DocLink, text *string) {
	inline := func(ts []comment.Text) {
		for _, t := range ts {
			switch t := t.(type) {
			case comment.Plain:
				*text += string(t)
			case *comment.DocLink:
				*links = append(*links, t)
			}
		}
	}
	switch b := b.(type) {
	case *comment.Paragraph:
		inline(b.Text)
	case *comment.Heading:
		inline(b.Text)
	case *comment.List:
		for _, item := range b.Items {
			for _, b := range item.Content {
				walk(b, links, text)
			}
		}
	}
}
