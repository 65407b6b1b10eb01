package main

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// floatint finds conversions of floating-point numbers to integers, which differ between processors if the integer
// cannot hold the number. Tests and examples may convert what they know.
var floatint = &analysis.Analyzer{
	Name: "floatint",
	Doc:  "find conversions of floating-point numbers to integers outside of internal/saturate",
	Run: func(pass *analysis.Pass) (any, error) {
		if path := pass.Pkg.Path(); strings.Contains(path, "/examples/") || strings.Contains(path, "/internal/saturate") {
			return nil, nil
		}
		is := func(e ast.Expr, info types.BasicInfo) bool {
			b, ok := pass.TypesInfo.TypeOf(e).Underlying().(*types.Basic)
			return ok && b.Info()&info != 0
		}
		for _, f := range pass.Files {
			if strings.HasSuffix(pass.Fset.Position(f.Pos()).Filename, "_test.go") {
				continue
			}
			for n := range ast.Preorder(f) {
				c, ok := n.(*ast.CallExpr)
				if ok && len(c.Args) == 1 && pass.TypesInfo.Types[c.Fun].IsType() && pass.TypesInfo.Types[c.Args[0]].Value == nil &&
					is(c.Fun, types.IsInteger) && is(c.Args[0], types.IsFloat) {
					pass.Reportf(c.Pos(), "a floating-point number becomes an integer, use saturate.To[%s]", types.ExprString(c.Fun))
				}
			}
		}
		return nil, nil
	},
}
