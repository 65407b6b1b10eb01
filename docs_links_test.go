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
// left as text leads nowhere.
var dangling = regexp.MustCompile(`\[\*?[A-Z][A-Za-z0-9]*(\.[A-Z][A-Za-z0-9]*)?\]`)

func TestDocLinksLeadSomewhere(t *testing.T) {
	seen := 0
	for dir := range house {
		names, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		var files []*ast.File
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		p, err := doc.NewFromFiles(fset, files, module+dir, doc.PreserveAST)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			for _, group := range f.Comments {
				for _, block := range p.Parser().Parse(group.Text()).Content {
					links, texts := 0, ""
					walk(block, &links, &texts)
					seen += links
					for _, link := range dangling.FindAllString(texts, -1) {
						t.Errorf("%s: %s leads nowhere", fset.Position(group.Pos()), link)
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no links found")
	}
}

// walk counts the links in a block of a comment and collects its plain text.
func walk(b comment.Block, links *int, text *string) {
	inline := func(ts []comment.Text) {
		for _, t := range ts {
			switch t := t.(type) {
			case comment.Plain:
				*text += string(t)
			case *comment.DocLink:
				*links++
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
