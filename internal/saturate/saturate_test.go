package saturate

import (
	"math"
	"testing"
	"time"
)

func TestTo(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, x := range []struct {
		of       float64
		i8       int8
		u32      uint32
		whole    int64
		unsigned uint64
		long     time.Duration
	}{
		{0, 0, 0, 0, 0, 0}, {1.9, 1, 1, 1, 1, 1}, {-1.9, -1, 0, -1, 0, -1}, {127.5, 127, 127, 127, 127, 127}, {-129, -128, 0, -129, 0, -129},
		{1 << 32, 127, math.MaxUint32, 1 << 32, 1 << 32, 1 << 32},
		{0x1p63, 127, math.MaxUint32, math.MaxInt64, 1 << 63, math.MaxInt64},
		{-0x1p63, -128, 0, math.MinInt64, 0, math.MinInt64},
		{0x1p64, 127, math.MaxUint32, math.MaxInt64, math.MaxUint64, math.MaxInt64},
		{0x1p63 - 1024, 127, math.MaxUint32, 1<<63 - 1024, 1<<63 - 1024, 1<<63 - 1024},
		{inf, 127, math.MaxUint32, math.MaxInt64, math.MaxUint64, math.MaxInt64}, {-inf, -128, 0, math.MinInt64, 0, math.MinInt64},
		{nan, 0, 0, 0, 0, 0},
	} {
		if got := To[int8](x.of); got != x.i8 {
			t.Errorf("int8 of %v is %v, want %v", x.of, got, x.i8)
		}
		if got := To[uint32](x.of); got != x.u32 {
			t.Errorf("uint32 of %v is %v, want %v", x.of, got, x.u32)
		}
		if got := To[int64](x.of); got != x.whole {
			t.Errorf("int64 of %v is %v, want %v", x.of, got, x.whole)
		}
		if got := To[uint64](x.of); got != x.unsigned {
			t.Errorf("uint64 of %v is %v, want %v", x.of, got, x.unsigned)
		}
		if got := To[time.Duration](x.of); got != x.long {
			t.Errorf("Duration of %v is %v, want %v", x.of, got, x.long)
		}
	}
}
