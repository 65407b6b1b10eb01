package hostile

import (
	"math"
	"reflect"
	"slices"
)

// Numbers returns the hostile numbers of a type whose kind is one of a number.
func Numbers(t reflect.Type) (numbers []reflect.Value) {
	add := func(set func(v reflect.Value)) {
		v := reflect.New(t).Elem()
		set(v)
		numbers = append(numbers, v)
	}
	switch {
	case t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32:
		largest, smallest := math.MaxFloat64, math.SmallestNonzeroFloat64
		if t.Kind() == reflect.Float32 {
			largest, smallest = math.MaxFloat32, math.SmallestNonzeroFloat32
		}
		for _, x := range []float64{
			math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, math.Copysign(0, -1), smallest, -smallest, largest, -largest, 1e18, -1e18,
		} {
			add(func(v reflect.Value) { v.SetFloat(x) })
		}
	case isInt(t.Kind()):
		least := int64(-1) << (t.Bits() - 1)
		for _, x := range []int64{least, least + 1, -1, 0, ^least - 1, ^least} {
			add(func(v reflect.Value) { v.SetInt(x) })
		}
		if t.Bits() == 64 {
			add(func(v reflect.Value) { v.SetInt(1e18) })
		}
	default:
		greatest := ^uint64(0) >> (64 - t.Bits())
		for _, x := range []uint64{0, greatest - 1, greatest} {
			add(func(v reflect.Value) { v.SetUint(x) })
		}
		if t.Bits() == 64 {
			add(func(v reflect.Value) { v.SetUint(1e18) })
		}
	}
	return numbers
}

func isInt(k reflect.Kind) bool   { return reflect.Int <= k && k <= reflect.Int64 }
func isUint(k reflect.Kind) bool  { return reflect.Uint <= k && k <= reflect.Uintptr }
func isFloat(k reflect.Kind) bool { return k == reflect.Float32 || k == reflect.Float64 }

// plain returns a number as Rules see it.
func plain(v reflect.Value) any {
	switch {
	case isFloat(v.Kind()):
		return v.Float()
	case isInt(v.Kind()):
		return v.Int()
	}
	return v.Uint()
}

func number(x any) float64 { return reflect.ValueOf(x).Convert(reflect.TypeFor[float64]()).Float() }

// Any is the rule for a number that may be whatever it likes.
func Any(any) Answer { return Takes }

// Where takes the numbers for which ok is true; what is not finite never is. Others get the given answer.
func Where(ok func(x float64) bool, otherwise Answer) Rule {
	return func(x any) Answer {
		if f := number(x); !math.IsNaN(f) && !math.IsInf(f, 0) && ok(f) {
			return Takes
		}
		return otherwise
	}
}

// Finite, Positive and NotNegative take such numbers and refuse the others.
var (
	Finite      = Where(func(float64) bool { return true }, Refuses)
	Positive    = Where(func(x float64) bool { return x > 0 }, Refuses)
	NotNegative = Where(func(x float64) bool { return x >= 0 }, Refuses)
)

// Between takes the numbers from least to most and refuses the others.
func Between(least, most float64) Rule {
	return Where(func(x float64) bool { return least <= x && x <= most }, Refuses)
}

// AtLeast takes finite numbers from least on and refuses the others.
func AtLeast(least float64) Rule { return Between(least, math.MaxFloat64) }

// Only takes the given numbers and gives the others the given answer: IDs that are known, say.
func Only(otherwise Answer, numbers ...float64) Rule {
	return Where(func(x float64) bool { return slices.Contains(numbers, x) }, otherwise)
}

// Or changes the answer for some numbers: those for which when is true, which NaN and the infinities may be too.
func (r Rule) Or(when func(x float64) bool, answer Answer) Rule {
	return func(x any) Answer {
		if when(number(x)) {
			return answer
		}
		return r(x)
	}
}

// Always gives every number the same answer.
func Always(a Answer) Rule { return func(any) Answer { return a } }
