package figure

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.01: "0.01", 2.5: "2.5", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 12345.5: "12,345.5"} {
		if got := Number(x); got != want {
			t.Errorf("Number(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestLogTicks(t *testing.T) {
	for _, test := range []struct {
		lowest, highest float64
		small           bool
		want            string
	}{
		{1, 1000, true, "1 10 100 1,000"},
		{0.3, 40, false, "1 10"},
		{20, 900, false, "20 50 100 200 500"},
		{1, 2e6, false, "1 10 100 1,000 10,000 100,000 1,000,000"},
		{1, 2e6, true, "1 100 10,000 1,000,000"},
	} {
		var got []string
		for _, tick := range Log(test.lowest, test.highest, test.small) {
			if tick.Label != "" {
				got = append(got, tick.Label)
			}
			if tick.Value < 0.99*test.lowest || tick.Value > 1.01*test.highest {
				t.Errorf("%+v: tick at %v", test, tick.Value)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%+v: labels %q", test, got)
		}
	}
}

func TestLinearTicks(t *testing.T) {
	for _, test := range []struct {
		lowest, highest float64
		want            string
	}{
		{-24, 66, "-20 0 20 40 60"},
		{0, 102, "0 20 40 60 80 100"},
		{0.1, 0.45, "0.1 0.2 0.3 0.4"},
		{0, 5.07, "0 1 2 3 4 5"},
		{0, 6, "0 1 2 3 4 5 6"},
		{0, 3785, "0 1,000 2,000 3,000"},
	} {
		var got []string
		for _, tick := range Linear(test.lowest, test.highest) {
			got = append(got, tick.Label)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%v to %v: labels %q, want %s", test.lowest, test.highest, got, test.want)
		}
	}
}

// In grey, colours differ by what the eye tells apart on paper, and where they are near, dashes
// or markers differ too.
func TestStyles(t *testing.T) {
	lightness := func(s *Style) float64 { // of CIE 1976, 0 to 100
		linear := func(x uint8) float64 {
			if c := float64(x) / 255; c > 0.04045 {
				return math.Pow((c+0.055)/1.055, 2.4)
			} else {
				return c / 12.92
			}
		}
		y := 0.2126*linear(uint8(s.Color>>16)) + 0.7152*linear(uint8(s.Color>>8)) + 0.0722*linear(uint8(s.Color))
		if y <= 0.008856 {
			return 903.3 * y
		}
		return 116*math.Cbrt(y) - 16
	}
	for i := range Styles {
		a := &Styles[i]
		if l := lightness(a); l > 80 {
			t.Errorf("style %d has lightness %.1f, want at most 80 to be seen on white", i, l)
		}
		for j := range i {
			b := &Styles[j]
			if d := math.Abs(lightness(a) - lightness(b)); d < 4.5 {
				t.Errorf("styles %d and %d differ by %.1f in lightness, want 4.5", j, i, d)
			}
			if slices.Equal(a.Dashes, b.Dashes) && slices.Equal(a.Shape, b.Shape) {
				t.Errorf("styles %d and %d have the same dashes and markers", j, i)
			}
		}
	}
}

func TestReadJobs(t *testing.T) {
	data := t.TempDir()
	put(t, data, "jobs.csv", "ideal_s,job,policy,outcome,submitted_s,ended_s\n5,1,b,Done,100,110\n0,2,b,Done,100,103\n5,3,b,Failed,1,2\n4,1,a,Done,1,2.5\n")
	type pair struct{ JCT, Ideal float64 }
	var pairs []pair
	all, err := ReadJobs(filepath.Join(data, "jobs.csv"), func(jct, ideal float64) (float64, bool) {
		pairs = append(pairs, pair{jct, ideal})
		return jct, ideal > 0
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]pair{{10, 5}, {3, 0}, {1.5, 4}}, pairs); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Samples{{"b", []float64{10}}, {"a", []float64{1.5}}}, all); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
}

func put(t *testing.T, folder, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
