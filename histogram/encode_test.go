package histogram

import (
	"encoding/binary"
	"errors"
	"testing"
)

// Bins that do not increase are refused, wherever they are.
func TestUnmarshalRefusesBinsOutOfOrder(t *testing.T) {
	for _, test := range []struct {
		centres []float64
		want    error
	}{
		{[]float64{1, 2, 3}, nil},
		{[]float64{2, 1, 3}, ErrFormat},
		{[]float64{1, 3, 2}, ErrFormat},
		{[]float64{1, 1, 3}, ErrFormat},
	} {
		b := binary.AppendUvarint([]byte{'H', version, byte(JoinGap)}, 10)
		b = binary.AppendUvarint(b, 3)
		for _, x := range []float64{3, 2, 0, 2, 1, 3} { // count, origin, sum, squares, minimum, maximum
			b = appendFloat(b, x)
		}
		for _, c := range test.centres {
			b = appendFloat(appendFloat(b, c), 1)
		}
		if err := new(Histogram).UnmarshalBinary(b); !errors.Is(err, test.want) {
			t.Errorf("centres %v: got error %v, want %v", test.centres, err, test.want)
		}
	}
}
