package cli

import (
	"strings"
	"testing"
	"time"
)

// Values at the ends of a range are taken, and those beyond are refused and change nothing.
func TestValues(t *testing.T) {
	var n int
	var x float64
	var b int64
	var d time.Duration
	var on bool
	for name, test := range map[string]struct {
		read       func(string) error
		good, bad  string
		value      func() any
		want, says any
	}{
		"whole":   {Whole(&n, -1, 3), "-1 3", "-2 4 1.0 1e0 x", func() any { return n }, 3, "want a whole number of -1 to 3"},
		"between": {Between(&b, 0, 1<<40, "few bytes"), "0 1099511627776", "-1 2e12 1_000 0x1p4 nan", func() any { return b }, int64(1 << 40), "want few bytes"},
		"above 0": {Above0(&x), "1e-300 2.5", "0 -1 inf 1e999", func() any { return x }, 2.5, "want a finite number above 0"},
		"span":    {Span(&d, time.Second, "some time"), "1m 1s", "0.9s 5 -1h", func() any { return d }, time.Second, "want some time"},
		"on, off": {OnOff(&on), "off on", "yes", func() any { return on }, true, "want on or off"},
	} {
		for good := range strings.FieldsSeq(test.good) {
			if err := test.read(good); err != nil {
				t.Errorf("%s: %s is refused: %v", name, good, err)
			}
		}
		for bad := range strings.FieldsSeq(test.bad) {
			if err := test.read(bad); err == nil || err.Error() != test.says {
				t.Errorf("%s: %s has error %v, want %q", name, bad, err, test.says)
			}
		}
		if got := test.value(); got != test.want {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}
