// Package hostile holds exported functions to what their comments say of numbers that no caller
// should pass: NaN and the infinities, 0 and -1, the least and the greatest of their type, 10^18,
// IDs that nobody knows.
//
// A [Call] is a function with arguments that it takes. [Test] puts each hostile number in the place of
// each number among them, in fields of structs and elements of slices too, and compares what the
// function does with the [Rule] for that place: it takes the number, or refuses it with an error that
// names the culprit, or ignores it, and then its state is what it was.
//
// In no package is a number forgotten: Test fails if a place has no rule, and a test in
// the root of the module fails if an exported function that takes a number has no Call.
package hostile

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// A Call is an exported function and arguments that it takes.
type Call struct {
	// Name is the function's, as go doc writes it: "New", "Histogram.AddN".
	Name string
	// New returns the function, a method bound to a value made anew, say, and what tells the state of all
	// that it may change; nil if that is nothing. See [Dump].
	New func() (function any, state func() string)
	// Args are legal arguments, by name.
	Args []Arg
	// Cases are further lists of arguments, legal or not, each as long as Args: empty, unsorted,
	// duplicate.
	Cases []Case
	// Sane, if not nil, says what is wrong after arguments that are taken: of what was returned, or of the
	// value that New made, which may have taken a number that spoils it.
	Sane func(results []any) error

	tried int // calls made
}

// An Arg is an argument, and what is allowed in it.
type Arg struct {
	Name  string
	Value any
	// Rules has a rule for every number in Value, by its place: "" if it is a number itself, "[]" if
	// it is a slice of numbers, "Bins" or "Tails.Least" in a struct (also behind a pointer),
	// "[].Weight" in a slice of structs. Numbers of no consequence, such as seeds, are [Any].
	Rules Rules
}

// Number is an argument that is a number.
func Number(name string, value any, rule Rule) Arg {
	return Arg{Name: name, Value: value, Rules: Rules{"": rule}}
}

// Func is the New of a function that changes nothing.
func Func(function any) func() (any, func() string) {
	return func() (any, func() string) { return function, nil }
}

// Rules are rules by place.
type Rules map[string]Rule

// A Rule says what becomes of a number, which comes as a float64, an int64 or a uint64. Those of
// this package are for most of them.
type Rule func(x any) Answer

// A Case is a list of arguments that is not Args with one number changed.
type Case struct {
	Name string
	Args []any
	Want Answer
}

// An Answer is what a function does with what it is given.
type Answer struct {
	kind    kind
	results []any
}

type kind int

const (
	takes kind = iota
	refuses
	ignores
	gives
	panics
)

var (
	// Takes: it returns no error.
	Takes = Answer{kind: takes}
	// Refuses: it returns an error that names the parameter or field, or quotes the number, and does not say of
	// the former that it is another number; the state is what it was.
	Refuses = Answer{kind: refuses}
	// Ignores: it returns no error, and the state is what it was.
	Ignores = Answer{kind: ignores}
	// Panics: its comment says so.
	Panics = Answer{kind: panics}
)

// Gives is the answer of a function that returns the given results, and leaves the state as it was.
func Gives(results ...any) Answer { return Answer{gives, results} }

// Test makes each of the calls with each hostile number. With -v it tells how many that were.
func Test(t *testing.T, calls ...Call) {
	t.Helper()
	tried := 0
	for _, c := range calls {
		t.Run(c.Name, func(t *testing.T) { c.test(t) })
		tried += c.tried
	}
	t.Logf("functions: %d, calls: %d", len(calls), tried)
}

func (c *Call) test(t *testing.T) {
	t.Helper()
	args := make([]reflect.Value, len(c.Args))
	for i, a := range c.Args {
		args[i] = reflect.ValueOf(a.Value)
	}
	if err := c.try(args, Takes, "", nil); err != nil {
		t.Errorf("with legal arguments: %v", err)
		return
	}
	for i, a := range c.Args {
		seen := map[string]bool{}
		for _, p := range places(args[i], "") {
			if seen[p.path] = true; a.Rules[p.path] == nil {
				t.Errorf("there is no rule for %s%s", a.Name, dotted(p.path))
				continue
			}
			for _, x := range Numbers(p.kind) {
				changed := append([]reflect.Value(nil), args...)
				changed[i] = p.with(x)
				culprit := a.Name
				if at := strings.LastIndexByte(p.path, '.') + 1; at < len(p.path) && p.path != "[]" {
					culprit = p.path[at:]
				}
				if err := c.try(changed, a.Rules[p.path](plain(x)), culprit, x.Interface()); err != nil {
					t.Errorf("%s%s = %v: %v", a.Name, dotted(p.path), x, err)
				}
			}
		}
		for path := range a.Rules {
			if !seen[path] {
				t.Errorf("there is a rule for %s%s, which is no number in the arguments", a.Name, dotted(path))
			}
		}
	}
	function, _ := c.New()
	for _, k := range c.Cases {
		values := make([]reflect.Value, len(k.Args))
		for i, a := range k.Args {
			if values[i] = reflect.ValueOf(a); a == nil {
				values[i] = reflect.Zero(reflect.TypeOf(function).In(i))
			}
		}
		if err := c.try(values, k.Want, "", nil); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
}

func dotted(path string) string {
	if path == "" || path[0] == '[' {
		return path
	}
	return "." + path
}

// try makes one call, and says what is wrong with the answer.
func (c *Call) try(args []reflect.Value, want Answer, culprit string, x any) (err error) {
	function, state := c.New()
	if state == nil || want.kind == takes { // it may change then, and to tell it may take long
		state = func() string { return "" }
	}
	before := state()
	c.tried++
	results, raised := call(reflect.ValueOf(function), args)
	if raised != nil {
		if want.kind == panics {
			return nil
		}
		return fmt.Errorf("it panics: %v", raised)
	}
	var refused error
	if n := len(results); n > 0 {
		refused, _ = results[n-1].(error)
	}
	switch {
	case want.kind == panics:
		return fmt.Errorf("it does not panic, and returns %v", results)
	case want.kind == refuses && refused == nil:
		return fmt.Errorf("it is not refused: %v", results)
	case want.kind != refuses && refused != nil:
		return fmt.Errorf("it is refused: %w", refused)
	case want.kind == refuses && culprit != "" && !names(refused.Error(), culprit, x):
		return fmt.Errorf("the error names neither %s nor the number, or has another: %w", culprit, refused)
	case want.kind == gives && !same(results, want.results):
		return fmt.Errorf("it returns %v, want %v", results, want.results)
	}
	if after := state(); after != before {
		return fmt.Errorf("the state has changed:\n%s\nbefore:\n%s", after, before)
	}
	switch {
	case refused != nil:
		return nothingBeside(results[:len(results)-1])
	case c.Sane != nil && want.kind == takes:
		return c.sane(results)
	}
	return nil
}

// sane calls Sane, which may panic over what it finds.
func (c *Call) sane(results []any) (err error) {
	defer func() {
		if raised := recover(); raised != nil {
			err = fmt.Errorf("what it leaves panics: %v", raised)
		}
	}()
	return c.Sane(results)
}

// nothingBeside refuses half a result beside an error. Numbers say nothing then, and slices may be those
// that came in.
func nothingBeside(results []any) error {
	for _, r := range results {
		v := reflect.ValueOf(r)
		switch v.Kind() {
		case reflect.Pointer, reflect.Map, reflect.Func, reflect.Struct:
			if !v.IsZero() {
				return fmt.Errorf("it returns %v beside the error", r)
			}
		}
	}
	return nil
}

func call(f reflect.Value, args []reflect.Value) (results []any, raised any) {
	defer func() { raised = recover() }()
	var out []reflect.Value
	if f.Type().IsVariadic() && len(args) == f.Type().NumIn() {
		out = f.CallSlice(args)
	} else {
		out = f.Call(args)
	}
	for _, r := range out {
		results = append(results, r.Interface())
	}
	return results, nil
}

// same compares results; NaN is equal to NaN here, and results past the wanted do not count.
func same(got, want []any) bool {
	if len(got) < len(want) {
		return false
	}
	for i, w := range want {
		a, isFloat := got[i].(float64)
		b, _ := w.(float64)
		if isFloat && math.IsNaN(a) && math.IsNaN(b) {
			continue
		}
		if !reflect.DeepEqual(got[i], w) {
			return false
		}
	}
	return true
}
