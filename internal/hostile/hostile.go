// Package hostile calls exported functions with numbers that no caller should pass: NaN and the
// infinities, 0 and -1, the least and the greatest of their type, IDs that nobody knows. It holds
// them to what the whole library promises of bad input. A function either takes a number, and what
// it leaves still works, or it returns an error that names the culprit, and has changed nothing.
// It never panics.
//
// A [Subject] gives one constructor and arguments that it takes. [Fuzzer.Try] finds the numbers in
// these arguments, and the methods of what the constructor returns, by reflection.
package hostile

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// A Subject is a function and arguments that it takes, and so the maker of a value with methods.
type Subject struct {
	// Name, if not "", is what a New that is a closure calls.
	Name string
	// New is the function. The methods of its first result are tried too.
	New any
	// Args are its arguments. Numbers, slices and structs of exported fields are copied for each call.
	// A Make makes the argument anew.
	Args []any
	// Then, if not nil, is a function that brings the first result into a state worth trying.
	// What it returns are legal arguments of the methods, by type: IDs and handles that are known.
	Then any
}

// Make makes an argument that a call uses up.
type Make func() any

// A Fuzzer tries subjects.
type Fuzzer struct {
	// Module is the prefix of import paths that the names of functions leave out:
	// "policy/sim.Checker.Event".
	Module string
	// Pool has a value for each type of argument that is not made of numbers, text and structs.
	Pool []any
	// Whole are types of arguments that others have checked. Their numbers stay as they are.
	Whole []reflect.Type
	// Skip reports whether a method is left out.
	Skip func(name string, f reflect.Type) bool
	// Panics and NaN match the names of functions whose comments say that they panic, or return NaN.
	Panics, NaN *regexp.Regexp
	// Loose matches the names of functions whose errors tell of all that they know, and which may
	// remember what they refused.
	Loose *regexp.Regexp
	// Sane says what is wrong with a value that a constructor returned.
	Sane func(value any) error
	// Called counts the functions that were tried, by name.
	Called map[string]int
}

// A call is a function or a method, and how to make its receiver and arguments anew.
type call struct {
	name string
	make func() instance
	then func(value reflect.Value) (known []reflect.Value) // of a constructor; nil for a method
	// refused says that a method refuses the arguments from the pool, all of which its errors may name.
	refused bool
}

// An instance of a call has a receiver and arguments that nobody has used yet.
type instance struct {
	receiver, function reflect.Value
	args, known        []reflect.Value // known is what Subject.Then returned
}

// places returns the numbers in the receiver and in the arguments, but for those of some types.
func (i instance) places(whole []reflect.Type) (found []place) {
	if i.receiver.IsValid() {
		found = places(i.receiver, "", nil)
	}
	for _, a := range i.args {
		found = append(found, places(a, "", whole)...)
	}
	return found
}

// Try fuzzes a subject, and tells what breaks a promise.
func (f *Fuzzer) Try(t *testing.T, s Subject) {
	t.Helper()
	function := reflect.ValueOf(s.New)
	name := strings.TrimPrefix(runtime.FuncForPC(function.Pointer()).Name(), f.Module)
	name, _, _ = strings.Cut(cmp.Or(s.Name, name), "[")
	construct := call{name: name, make: func() instance {
		args := make([]reflect.Value, len(s.Args))
		for i, a := range s.Args {
			if m, ok := a.(Make); ok {
				a = m()
			}
			args[i] = addressable(reflect.ValueOf(a))
		}
		return instance{function: function, args: args}
	}, then: func(value reflect.Value) (known []reflect.Value) {
		if s.Then != nil {
			known = reflect.ValueOf(s.Then).Call([]reflect.Value{value})
		}
		return known
	}}
	made := func() (value reflect.Value, known []reflect.Value) {
		i := construct.make()
		value = concrete(invoke(function, i.args)[0])
		return value, construct.then(value)
	}
	if !f.try(t, construct) {
		return
	}
	value, _ := made()
	if !value.IsValid() {
		return
	}
	for _, m := range f.methods(value.Type()) {
		f.try(t, call{name: f.nameOf(value.Type(), m), make: func() instance {
			value, known := made()
			value = addressable(value)
			method := value.MethodByName(m)
			return instance{value, method, f.arguments(method.Type(), known), known}
		}})
	}
}

// methods returns the names of a type's methods that are tried.
func (f *Fuzzer) methods(t reflect.Type) (names []string) {
	for m := range t.Methods() {
		if !f.Skip(f.nameOf(t, m.Name), m.Type) {
			names = append(names, m.Name)
		}
	}
	return names
}

func (f *Fuzzer) nameOf(t reflect.Type, method string) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return strings.TrimPrefix(t.PkgPath(), f.Module) + "." + name + "." + method
}

// try makes a call with each hostile number in each place, and then with two or three at once. It
// reports whether the legal arguments are taken.
func (f *Fuzzer) try(t *testing.T, c call) bool {
	t.Helper()
	if f.Called[c.name]++; f.Panics.MatchString(c.name) {
		return true
	}
	if err := f.check(c, nil, nil); err != nil {
		t.Errorf("%s%s: %v", c.name, c.make().args, err)
		return false
	}
	report := func(at []int, with []reflect.Value) {
		if err := f.check(c, at, with); err != nil {
			places := c.make().places(f.Whole)
			for i, k := range at {
				err = fmt.Errorf("%s = %v: %w", places[k].path, with[i], err)
			}
			t.Errorf("%s with %v", c.name, err)
		}
	}
	legal := c.make()
	places := legal.places(f.Whole)
	_, _, err := try(legal.function, legal.args)
	c.refused = err != nil
	for k, p := range places {
		for _, x := range Numbers(p.value.Type()) {
			report([]int{k}, []reflect.Value{x})
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range min(8, 8*(len(places)-1)) {
		at := random.Perm(len(places))[:min(len(places), 2+random.IntN(2))]
		with := make([]reflect.Value, len(at))
		for i, k := range at {
			numbers := Numbers(places[k].value.Type())
			with[i] = numbers[random.IntN(len(numbers))]
		}
		report(at, with)
	}
	return true
}

// check makes one call, with other numbers in some places, and says which promise the answer breaks.
func (f *Fuzzer) check(c call, at []int, with []reflect.Value) error {
	i := c.make()
	places := i.places(f.Whole)
	finite := true
	for n, k := range at {
		places[k].value.Set(with[n])
		finite = finite && (!with[n].CanFloat() || !math.IsNaN(with[n].Float()) && !math.IsInf(with[n].Float(), 0))
	}
	isMethod := c.then == nil
	state := func() string {
		if isMethod && !f.Loose.MatchString(c.name) {
			return Dump(i.receiver.Interface())
		}
		return ""
	}
	before := state()
	results, raised, err := try(i.function, i.args)
	if raised != nil {
		return fmt.Errorf("it panics: %v", raised)
	}
	if err != nil {
		named := f.Loose.MatchString(c.name) || c.refused || isMethod && len(at) == 0
		for n, k := range at {
			named = named || isMethod && places[k].path == "" || names(err.Error(), places[k].path, with[n].Interface())
		}
		switch {
		case !named:
			return fmt.Errorf("the error names neither field nor number: %w", err)
		case state() != before:
			return fmt.Errorf("it has changed something in spite of its error: %w", err)
		}
		return nothingBeside(results)
	}
	if finite && !f.NaN.MatchString(c.name) && anyNaN(results) {
		return fmt.Errorf("it returns NaN")
	}
	if isMethod {
		return f.stillWorks(i.receiver, func(reflect.Value) []reflect.Value { return i.known })
	}
	if len(results) == 0 {
		return nil
	}
	value := concrete(results[0])
	if !value.IsValid() {
		return nil
	}
	if err := f.Sane(value.Interface()); err != nil {
		return fmt.Errorf("it is taken, and then: %w", err)
	}
	return f.stillWorks(value, c.then)
}

// stillWorks prepares a value and calls all its methods with legal arguments.
func (f *Fuzzer) stillWorks(value reflect.Value, then func(reflect.Value) []reflect.Value) (err error) {
	if value.Kind() == reflect.Pointer && value.IsNil() || isPlain(value.Type()) {
		return nil
	}
	at := "what prepares it"
	defer func() {
		if raised := recover(); raised != nil {
			err = fmt.Errorf("after it %s panics: %v", at, raised)
		}
	}()
	known := then(value)
	for _, m := range f.methods(value.Type()) {
		method := value.MethodByName(m)
		if at = f.nameOf(value.Type(), m); f.Panics.MatchString(at) {
			continue
		}
		if results := invoke(method, f.arguments(method.Type(), known)); anyNaN(results) {
			return fmt.Errorf("after it %s returns NaN", at)
		}
	}
	return nil
}
