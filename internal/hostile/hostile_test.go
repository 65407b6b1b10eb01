package hostile

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

type config struct {
	Size  int
	Parts []struct{ Share float64 }
}

// An account takes amounts that are numbers, in one way that is right and in several that are wrong.
type account struct{ sum float64 }

func (a *account) Add(x float64) error {
	if math.IsNaN(x) {
		return fmt.Errorf("account: amount is %v", x)
	}
	a.sum = min(max(a.sum+x, 0), 1e9)
	return nil
}

func (a *account) AddAll(c config) error {
	for _, p := range c.Parts {
		a.sum += p.Share
		if !(p.Share >= 0 && p.Share <= 1) {
			return fmt.Errorf("account: Share is %v, want 0 to 1", p.Share)
		}
	}
	return nil
}

func (a *account) AddLoosely(x float64) { a.sum += x }

func (a *account) AddNamelessly(c config) error {
	if c.Size < 0 {
		return errors.New("account: no")
	}
	return nil
}

func (a *account) AddStrictly(c config) (*account, error) {
	if c.Size < 0 {
		return a, errors.New("account: Size is negative")
	}
	return a, nil
}

func (a *account) Divide(x uint8) float64 { return float64(1 / int(x)) }
func (a *account) Sum() float64           { return a.sum }

// TestFindings holds a Fuzzer to finding each of an account's mistakes.
func TestFindings(t *testing.T) {
	for method, want := range map[string]string{
		"Add": "", "Sum": "", "AddAll": "has changed something", "AddLoosely": "Sum returns NaN", "AddNamelessly": "names neither",
		"AddStrictly": "beside the error", "Divide": "it panics",
	} {
		none := regexp.MustCompile("^$")
		f := Fuzzer{Module: "example.com/augur/", Panics: none, NaN: none, Loose: none, Called: map[string]int{}}
		i := func() instance {
			a := addressable(reflect.ValueOf(new(account)))
			m := a.MethodByName(method)
			return instance{receiver: a, function: m, args: f.arguments(m.Type(), nil)}
		}
		f.Skip = func(name string, _ reflect.Type) bool { return !strings.HasSuffix(name, ".Sum") }
		var found []string
		for k, p := range i().places(nil) {
			for _, x := range Numbers(p.value.Type()) {
				if err := f.check(call{name: method, make: i}, []int{k}, []reflect.Value{x}); err != nil {
					found = append(found, err.Error())
				}
			}
		}
		if all := strings.Join(found, "\n"); want == "" && all != "" || !strings.Contains(all, want) {
			t.Errorf("of %s it finds %q, want %q", method, all, want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		text, culprit string
		x             any
		want          bool
	}{
		{"x: Levels is 65, want 1 to 64", "Levels", 65, true},
		{"x: Levels is 65, want 1 to 64", "Levels", 64, false}, // another number
		{"x: Config.Levels must be at least 1", "Levels", 0, true},
		{"x: Sublevels must be at least 1", "Levels", 0, false}, // not a word
		{"x: job 17 is not known", "", uint64(17), true},
		{"x: job 17 is not known", "", uint64(7), false},
		{"x: weight is NaN, must be finite", "", math.NaN(), true},
		{"x: Delay is 1s, want at least 0", "Delay", 1e9, false},
	} {
		if got := names(tt.text, tt.culprit, tt.x); got != tt.want {
			t.Errorf("%q names %s, %v: got %v, want %v", tt.text, tt.culprit, tt.x, got, tt.want)
		}
	}
}
