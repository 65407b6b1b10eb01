package hostile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A place is where a number is in an argument.
type place struct {
	path string
	kind reflect.Type
	with func(x reflect.Value) reflect.Value // the argument with another number there
}

// places returns where there are numbers in v: in exported fields, in the first element of slices
// and in their last, behind pointers. Arguments are not changed, but copied.
func places(v reflect.Value, path string) (found []place) {
	switch k := v.Kind(); {
	case isInt(k) || isUint(k) || isFloat(k):
		return []place{{path, v.Type(), func(x reflect.Value) reflect.Value { return x }}}
	case k == reflect.Pointer && !v.IsNil() && v.Elem().Kind() == reflect.Struct:
		for _, p := range places(v.Elem(), path) {
			found = append(found, place{p.path, p.kind, func(x reflect.Value) reflect.Value {
				changed := reflect.New(v.Type().Elem())
				changed.Elem().Set(p.with(x))
				return changed
			}})
		}
	case k == reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			for _, p := range places(v.Field(i), strings.TrimPrefix(path+"."+f.Name, ".")) {
				found = append(found, place{p.path, p.kind, func(x reflect.Value) reflect.Value {
					changed := reflect.New(v.Type()).Elem()
					changed.Set(v)
					changed.Field(i).Set(p.with(x))
					return changed
				}})
			}
		}
	case k == reflect.Slice && v.Len() > 0:
		for _, i := range slices.Compact([]int{0, v.Len() - 1}) {
			for _, p := range places(v.Index(i), path+"[]") {
				found = append(found, place{p.path, p.kind, func(x reflect.Value) reflect.Value {
					changed := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
					reflect.Copy(changed, v)
					changed.Index(i).Set(p.with(x))
					return changed
				}})
			}
		}
	}
	return found
}

// Dump writes all that can be reached from a value, unexported fields too, so that two states can be
// compared. Functions and channels are left out, and so is what lies past the length of a slice.
func Dump(value any) string {
	var b strings.Builder
	dump(&b, reflect.ValueOf(value), map[uintptr]bool{})
	return b.String()
}

func dump(b *strings.Builder, v reflect.Value, above map[uintptr]bool) {
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Pointer:
		if v.IsNil() || above[v.Pointer()] {
			b.WriteString("nil or above")
			return
		}
		above[v.Pointer()] = true
		dump(b, v.Elem(), above)
		delete(above, v.Pointer())
	case reflect.Interface:
		dump(b, v.Elem(), above)
	case reflect.Struct:
		b.WriteString("{")
		for i := range v.NumField() {
			b.WriteString(v.Type().Field(i).Name + ":")
			dump(b, v.Field(i), above)
			b.WriteString(" ")
		}
		b.WriteString("}")
	case reflect.Slice, reflect.Array:
		b.WriteString("[")
		for i := range v.Len() {
			dump(b, v.Index(i), above)
			b.WriteString(" ")
		}
		b.WriteString("]")
	case reflect.Map:
		var entries []string
		for it := v.MapRange(); it.Next(); {
			var e strings.Builder
			dump(&e, it.Key(), above)
			e.WriteString("=")
			dump(&e, it.Value(), above)
			entries = append(entries, e.String())
		}
		slices.Sort(entries)
		fmt.Fprintf(b, "%v", entries)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
	default:
		fmt.Fprintf(b, "%v", v)
	}
}
