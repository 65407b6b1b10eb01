package hostile

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// account is a type with a method of each fault.
type account struct{ sum float64 }

func (a *account) add(x float64) error {
	if !(x >= 0 && x <= math.MaxFloat64) {
		return fmt.Errorf("x is %v, must be finite and not negative", x)
	}
	a.sum += x
	return nil
}

func (a *account) addMute(x float64) error {
	if a.add(x) != nil {
		return errors.New("cannot do that")
	}
	return nil
}

func (a *account) addLoosely(x float64) error { a.sum += x; return nil }

func (a *account) addHastily(x float64) error {
	a.sum += x
	return new(account).add(x)
}

func (a *account) addOrPanic(x float64) error {
	if err := a.add(x); err != nil {
		panic(err)
	}
	return nil
}

func TestFindsFaults(t *testing.T) {
	nan := reflect.ValueOf(math.NaN())
	for _, tt := range []struct {
		name   string
		method func(a *account) func(x float64) error
		want   Answer
		found  string // part of what is said; "" if it is right
	}{
		{"right", func(a *account) func(float64) error { return a.add }, Refuses, ""},
		{"too strict", func(a *account) func(float64) error { return a.add }, Takes, "it is refused"},
		{"mute", func(a *account) func(float64) error { return a.addMute }, Refuses, "names neither"},
		{"takes anything", func(a *account) func(float64) error { return a.addLoosely }, Refuses, "not refused"},
		{"changed all the same", func(a *account) func(float64) error { return a.addHastily }, Refuses, "state has changed"},
		{"changed, though it should ignore it", func(a *account) func(float64) error { return a.addLoosely }, Ignores, "state has changed"},
		{"panics", func(a *account) func(float64) error { return a.addOrPanic }, Refuses, "it panics"},
		{"panics, as it says", func(a *account) func(float64) error { return a.addOrPanic }, Panics, ""},
		{"does not panic", func(a *account) func(float64) error { return a.add }, Panics, "does not panic"},
		{"gives something else", func(a *account) func(float64) error { return func(float64) error { return nil } }, Gives(1.0), "want [1]"},
	} {
		c := Call{Name: tt.name, New: func() (any, func() string) {
			a := new(account)
			return tt.method(a), func() string { return Dump(a) }
		}}
		switch err := c.try([]reflect.Value{nan}, tt.want, "x", math.NaN()); {
		case tt.found == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.found != "" && (err == nil || !strings.Contains(err.Error(), tt.found)):
			t.Errorf("%s: it finds %v, want something with %q", tt.name, err, tt.found)
		}
	}
}

func TestSanity(t *testing.T) {
	a := new(account)
	c := Call{
		New: func() (any, func() string) { a.sum = 1; return a.addLoosely, nil },
		Sane: func([]any) error {
			if a.sum == 0 {
				panic("it is 0")
			}
			return a.add(0 * a.sum)
		},
	}
	for _, tt := range []struct {
		x     float64
		found string
	}{{1, "<nil>"}, {math.Inf(1), "x is NaN"}, {-1, "what it leaves panics: it is 0"}} {
		if got := fmt.Sprint(c.try([]reflect.Value{reflect.ValueOf(tt.x)}, Takes, "", nil)); !strings.Contains(got, tt.found) {
			t.Errorf("after adding %v it finds %v, want something with %q", tt.x, got, tt.found)
		}
	}
	if c.tried != 3 {
		t.Errorf("it has counted %d calls, want 3", c.tried)
	}
}

func TestNothingBesideAnError(t *testing.T) {
	type pair struct{ a, b int }
	for _, tt := range []struct {
		result any
		right  bool
	}{{(*pair)(nil), true}, {&pair{}, false}, {pair{}, true}, {pair{1, 2}, false}, {[]int{1}, true}, {map[int]int{}, false}, {nil, true}} {
		if err := nothingBeside([]any{tt.result}); (err == nil) != tt.right {
			t.Errorf("%#v beside an error: %v, want that to be right: %v", tt.result, err, tt.right)
		}
	}
}

func TestPlaces(t *testing.T) {
	type inner struct{ A, b int }
	type outer struct {
		X    float64
		S    []inner
		P    *inner
		Name string
	}
	v := outer{1, []inner{{2, 3}, {4, 5}, {6, 7}}, &inner{8, 9}, ""}
	var got []string
	for _, p := range places(reflect.ValueOf(v), "") {
		changed := p.with(reflect.ValueOf(-1).Convert(p.kind)).Interface().(outer)
		got = append(got, fmt.Sprintf("%s %v %v %v", p.path, changed.X, changed.S, *changed.P))
	}
	want := []string{
		"X -1 [{2 3} {4 5} {6 7}] {8 9}",
		"S[].A 1 [{-1 3} {4 5} {6 7}] {8 9}", "S[].A 1 [{2 3} {4 5} {-1 7}] {8 9}",
		"P.A 1 [{2 3} {4 5} {6 7}] {-1 9}",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("places are %q, want %q", got, want)
	}
	if d := Dump(v); d != Dump(outer{1, []inner{{2, 3}, {4, 5}, {6, 7}}, &inner{8, 9}, ""}) || !strings.Contains(d, "b:9") {
		t.Errorf("the dump is %s", d)
	}
}

func TestNumbersOfAType(t *testing.T) {
	for _, tt := range []struct {
		of   any
		want string
	}{
		{int8(0), "[-128 -127 -1 0 126 127]"},
		{uint16(0), "[0 65534 65535]"},
		{int64(0), "[-9223372036854775808 -9223372036854775807 -1 0 9223372036854775806 9223372036854775807 1000000000000000000]"},
	} {
		var numbers []any
		for _, x := range Numbers(reflect.TypeOf(tt.of)) {
			numbers = append(numbers, x.Interface())
		}
		if got := fmt.Sprint(numbers); got != tt.want {
			t.Errorf("of %T: %v, want %v", tt.of, got, tt.want)
		}
	}
	if n := len(Numbers(reflect.TypeFor[float64]())); n != 12 {
		t.Errorf("there are %d hostile numbers, want 12", n)
	}
}
