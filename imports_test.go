package augur_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
)

// house lists the packages of the library with those of ours that each may import; all
// that these may import is allowed too. Nothing else may import anything of ours, but for
// examples and tests, and what is there for tests.
var house = map[string][]string{
	"histogram":              nil,
	"estimate":               {"histogram"},
	"predict":                {"estimate"},
	"queue":                  nil,
	"dag":                    nil,
	"dag/provenance":         {"dag", "estimate"},
	"dag/value":              {"dag", "estimate"},
	"policy":                 {"dag"},
	"policy/advise":          {"policy"},
	"policy/journal":         {"policy"},
	"policy/central":         {"policy"},
	"policy/forecast":        {"policy/central", "predict"},
	"policy/gittins":         {"policy/forecast", "queue"},
	"policy/baseline":        {"policy/central", "queue", "predict"},
	"policy/pool":            {"predict", "queue"},
	"policy/preempt":         {"policy/baseline"},
	"policy/catalog":         {"policy/gittins", "policy/hopper", "policy/kairos", "policy/preempt", "policy/slearn", "policy/threesigma", "policy/wing", "policy/workload"},
	"policy/slearn":          {"policy/baseline", "policy/forecast"},
	"policy/threesigma":      {"policy/forecast", "policy/threesigma/plan"},
	"policy/threesigma/plan": nil,
	"policy/kairos":          {"policy/baseline"},
	"policy/hopper":          {"policy/central", "queue", "estimate"},
	"policy/wing":            {"policy/baseline", "dag/value"},
	"policy/wing/pipeline":   {"policy/wing", "dag/provenance"},
	"policy/workload":        {"policy", "queue"},
	"policy/workload/trace":  {"policy/workload"},
	"policy/check":           {"policy"},
	"policy/host":            {"policy/check", "policy/journal", "queue"},
	"policy/sim":             {"policy/check", "queue", "predict"},
	"policy/host/hosttest":   {"policy/host"},
	"policy/policytest":      {"policy/sim", "policy/workload", "policy/central"},
	"policy/experiment":      {"policy/catalog", "policy/sim", "policy/workload/trace"}, // and nothing else of the library may import lines
}

const module = "example.com/augur/"

func TestImportsPointDown(t *testing.T) {
	seen := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(path.Join(file, "go.mod")); err == nil && file != "." {
				return fs.SkipDir // a module of its own
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		pkg := path.Dir(file)
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			seen++
			if !allowed(pkg, name) {
				t.Errorf("%s: package %s may not import %s, by the house in imports_test.go", file, pkg, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen == 0 {
		t.Error("no imports found")
	}
}

// allowed reports whether a package of ours may import another one.
func allowed(pkg, name string) bool {
	if pkg == "internal/jobtest" || pkg == "internal/runtest" {
		return true
	}
	if pkg == "internal/parts" || pkg == "internal/calendar" || pkg == "internal/slab" { // of those that are internal the only ones that know the contract
		return name == module+"policy" || !strings.Contains(name, ".")
	}
	if name == "C" {
		return false
	}
	if ours, ok := strings.CutPrefix(name, module); ok {
		return strings.HasPrefix(ours, "internal/") || below(pkg, ours)
	}
	first, _, _ := strings.Cut(name, "/")
	return !strings.Contains(first, ".") ||
		strings.HasPrefix(name, "gonum.org/v1/gonum/") || strings.HasPrefix(name, "golang.org/x/exp/")
}

func below(pkg, name string) bool {
	for _, next := range house[pkg] {
		if next == name || below(next, name) {
			return true
		}
	}
	return false
}

func TestAllowedFindsWhatPointsUp(t *testing.T) {
	for _, test := range []struct {
		pkg, name string
		want      bool
	}{
		{"policy/baseline", module + "policy", true},
		{"policy/hopper", module + "policy/central", true},
		{"policy", module + "policy/central", false},
		{"policy/wing", module + "histogram", true},
		{"policy", module + "policy/sim", false},
		{"policy", module + "policy/advise", false},
		{"policy/sim", module + "policy/workload", false},
		{"policy/workload", module + "policy/workload/trace", false},
		{"internal/parts", module + "policy", true},
		{"internal/parts", module + "policy/sim", false},
		{"policy/kairos", module + "policy/slearn", false},
		{"dag", module + "queue", false},
		{"policy", "github.com/google/go-cmp/cmp", false},
		{"policy", "C", false},
		{"policy", "slices", true},
		{"internal/jobtest", module + "policy/sim", true},
		{"policy/experiment", module + "policy/catalog", true},
		{"policy/pool", module + "policy/catalog", false},
	} {
		if got := allowed(test.pkg, test.name); got != test.want {
			t.Errorf("allowed(%s, %s) = %v, want %v", test.pkg, test.name, got, test.want)
		}
	}
}
