package jobtest

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

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
		b.WriteString(strings.Join(entries, ","))
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
	case reflect.String:
		b.WriteString(v.String())
	case reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Float32, reflect.Float64:
		b.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	default:
		if v.CanInt() {
			b.WriteString(strconv.FormatInt(v.Int(), 10))
		} else if v.CanUint() {
			b.WriteString(strconv.FormatUint(v.Uint(), 10))
		}
	}
}
