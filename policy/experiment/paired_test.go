package experiment

import "testing"

func TestPair(t *testing.T) {
	for _, test := range []struct {
		x, to []float64
		want  string
	}{
		{[]float64{4, 3, 5}, []float64{5, 3, 4}, "1.00 [0.57 1.74]"}, {[]float64{1}, []float64{2}, "0.50"}, {[]float64{1, 2}, []float64{0, 2}, "-"}, {nil, nil, "-"},
	} {
		if got := Pair(test.x, test.to).Text(2); got != test.want {
			t.Errorf("%v to %v: got %s, want %s", test.x, test.to, got, test.want)
		}
	}
}
