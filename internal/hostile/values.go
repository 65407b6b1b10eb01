package hostile

import (
	"fmt"
	"math"
	"reflect"
	"slices"
)

// Numbers returns the hostile numbers of a type whose kind is one of a number.
func Numbers(t reflect.Type) (numbers []reflect.Value) {
	switch v := reflect.Zero(t); {
	case v.CanFloat():
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, math.SmallestNonzeroFloat64, math.MaxFloat64, -math.MaxFloat64, 1e18} {
			numbers = append(numbers, reflect.ValueOf(x).Convert(t))
		}
	case v.CanInt():
		least := int64(-1) << (t.Bits() - 1)
		for _, x := range []int64{least, -1, 0, ^least - 1, ^least} {
			numbers = append(numbers, reflect.ValueOf(x).Convert(t))
		}
	default:
		greatest := ^uint64(0) >> (64 - t.Bits())
		for _, x := range []uint64{0, greatest - 1, greatest} {
			numbers = append(numbers, reflect.ValueOf(x).Convert(t))
		}
	}
	return numbers
}

// A place is a number in an argument, which may be set, and the name of the field that it is in.
type place struct {
	path  string
	value reflect.Value
}

// places returns the numbers in an addressable value: in exported fields, in the first element of
// slices and in their last, behind pointers to structs; none in those of types that are whole.
func places(v reflect.Value, path string, whole []reflect.Type) (found []place) {
	switch {
	case slices.Contains(whole, v.Type()):
	case v.CanInt() || v.CanUint() || v.CanFloat():
		return []place{{path, v}}
	case v.Kind() == reflect.Pointer && !v.IsNil() && isPlain(v.Type().Elem()):
		return places(v.Elem(), path, whole)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				found = append(found, places(v.Field(i), f.Name, whole)...)
			}
		}
	case v.Kind() == reflect.Slice && v.Len() > 0 && v.Type().Elem() != reflect.TypeFor[byte](): // which is text or code
		for _, i := range slices.Compact([]int{0, v.Len() - 1}) {
			found = append(found, places(v.Index(i), path, whole)...)
		}
	}
	return found
}

// isPlain reports whether a type is a number or a struct of exported fields, which may be copied.
func isPlain(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return reflect.Bool < t.Kind() && t.Kind() <= reflect.Float64
	}
	for f := range t.Fields() {
		if !f.IsExported() {
			return false
		}
	}
	return true
}

// addressable returns a variable with a copy of a value, in which numbers can be set.
func addressable(v reflect.Value) reflect.Value {
	copied := reflect.New(v.Type()).Elem()
	copied.Set(v)
	switch {
	case v.Kind() == reflect.Pointer && !v.IsNil() && isPlain(v.Type().Elem()):
		copied.Set(addressable(v.Elem()).Addr())
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				copied.Field(i).Set(addressable(v.Field(i)))
			}
		}
	case v.Kind() == reflect.Slice && !v.IsNil():
		copied.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			copied.Index(i).Set(addressable(v.Index(i)))
		}
	}
	return copied
}

// arguments makes legal arguments of a function: known values of their types, or such from the pool, or 1.
func (f *Fuzzer) arguments(function reflect.Type, known []reflect.Value) []reflect.Value {
	for _, p := range f.Pool {
		known = append(known, reflect.ValueOf(p))
	}
	args := make([]reflect.Value, function.NumIn())
	for i := range args {
		args[i] = reflect.New(function.In(i)).Elem()
		fill(args[i], known)
	}
	return args
}

// fill sets a variable to a legal value.
func fill(v reflect.Value, known []reflect.Value) {
	for _, k := range known {
		if k.Type() == v.Type() || v.Kind() == reflect.Interface && k.Type().Implements(v.Type()) {
			v.Set(addressable(k))
			return
		}
	}
	switch t := v.Type(); {
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case v.CanFloat():
		v.SetFloat(0.5)
	case t.Kind() == reflect.String:
		v.SetString("a")
	case t.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(t, 1, 1))
		fill(v.Index(0), known)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				fill(v.Field(i), known)
			}
		}
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		if isPlain(t.Elem()) {
			fill(v.Elem(), known)
		}
	case t.Kind() == reflect.Func:
		v.Set(reflect.MakeFunc(t, func([]reflect.Value) (results []reflect.Value) {
			for out := range t.Outs() {
				results = append(results, reflect.New(out).Elem())
			}
			return results
		}))
	}
}

func invoke(function reflect.Value, args []reflect.Value) []reflect.Value {
	if t := function.Type(); t.IsVariadic() && len(args) == t.NumIn() && args[len(args)-1].Type() == t.In(t.NumIn()-1) {
		return function.CallSlice(args)
	}
	return function.Call(args)
}

// try calls a function, and returns the error among its results or in the sequence that it
// returns, and what it panics with. What is not valid in a sequence is as bad as a panic.
func try(function reflect.Value, args []reflect.Value) (results []reflect.Value, raised any, err error) {
	defer func() { raised = recover() }()
	results = invoke(function, args)
	for _, r := range results {
		if err, ok := reflect.TypeAssert[error](r); ok {
			return results, nil, err
		}
	}
	for _, r := range results {
		if r.Kind() != reflect.Func || r.IsNil() || !r.Type().CanSeq2() {
			continue
		}
		taken := 0
		for first, second := range r.Seq2() {
			if err, ok := reflect.TypeAssert[error](second); ok {
				return nil, nil, err
			}
			if v, ok := reflect.TypeAssert[interface{ Validate() error }](first); ok && v.Validate() != nil {
				panic(v.Validate())
			}
			if taken++; taken == 20 {
				break
			}
		}
	}
	return results, nil, nil
}

// concrete returns what is in an interface.
func concrete(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// nothingBeside refuses half a result beside an error. Numbers say nothing then, and slices may be those
// that came in.
func nothingBeside(results []reflect.Value) error {
	for _, r := range results {
		if _, isError := reflect.TypeAssert[error](r); isError {
			continue
		}
		switch r.Kind() {
		case reflect.Pointer, reflect.Map, reflect.Struct, reflect.Interface:
			if !r.IsZero() {
				return fmt.Errorf("it returns %v beside the error", r)
			}
		}
	}
	return nil
}

func anyNaN(results []reflect.Value) bool {
	return slices.ContainsFunc(results, func(r reflect.Value) bool { return r.CanFloat() && math.IsNaN(r.Float()) })
}
