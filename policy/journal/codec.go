package journal

import (
	"encoding/binary"
	"math"
	"math/bits"
	"time"
)

// A codec writes values to b, or reads them from b. The same calls do both, so that the two cannot differ. It does
// not change the values it writes, since others may read them meanwhile. After the first fault it reads only zeros.
// Reading takes memory of at most a few dozen times the length of b, whatever b holds.
type codec struct {
	b       []byte // what is written so far, or not read yet
	reading bool
	bad     bool // what was read cannot be
}

func (c *codec) fail() { c.bad, c.b = true, nil }

// take reads this many bytes, nil if there are fewer.
func (c *codec) take(n uint64) []byte {
	if n > uint64(len(c.b)) {
		c.fail()
		return nil
	}
	taken := c.b[:n]
	c.b = c.b[n:]
	return taken
}

func (c *codec) byte(x *byte) {
	if !c.reading {
		c.b = append(c.b, *x)
		return
	}
	*x = 0
	if b := c.take(1); b != nil {
		*x = b[0]
	}
}

func (c *codec) bool(x *bool) {
	b := byte(bit(*x, 1))
	if c.byte(&b); b > 1 {
		c.fail()
	}
	if c.reading {
		*x = b == 1
	}
}

func (c *codec) uvarint(x *uint64) {
	if !c.reading {
		c.b = binary.AppendUvarint(c.b, *x)
		return
	}
	n := 0
	if *x, n = binary.Uvarint(c.b); n <= 0 {
		*x = 0
		c.fail()
		return
	}
	c.b = c.b[n:]
}

func (c *codec) varint(x *int64) {
	if !c.reading {
		c.b = binary.AppendVarint(c.b, *x)
		return
	}
	n := 0
	if *x, n = binary.Varint(c.b); n <= 0 {
		*x = 0
		c.fail()
		return
	}
	c.b = c.b[n:]
}

func (c *codec) uint32(x *uint32) {
	if !c.reading {
		c.b = binary.AppendUvarint(c.b, uint64(*x))
		return
	}
	var wide uint64
	if c.uvarint(&wide); wide > math.MaxUint32 {
		c.fail()
	}
	*x = uint32(wide)
}

func (c *codec) int32(x *int32) {
	wide := int64(*x)
	if c.varint(&wide); wide != int64(int32(wide)) {
		c.fail()
	}
	if c.reading {
		*x = int32(wide)
	}
}

// float writes fewer bytes for numbers with fewer significant bits, such as whole numbers.
func (c *codec) float(x *float64) {
	reversed := bits.ReverseBytes64(math.Float64bits(*x))
	if c.uvarint(&reversed); c.reading {
		*x = math.Float64frombits(bits.ReverseBytes64(reversed))
	}
}

func (c *codec) string(x *string) {
	n := uint64(len(*x))
	if c.uvarint(&n); c.reading {
		*x = string(c.take(n))
	} else {
		c.b = append(c.b, *x...)
	}
}

// bytes reads a copy, which the caller may keep; nil if it is empty.
func (c *codec) bytes(x *[]byte) {
	n := uint64(len(*x))
	if c.uvarint(&n); c.reading {
		*x = append([]byte(nil), c.take(n)...)
	} else {
		c.b = append(c.b, *x...)
	}
}

// instant writes a calendar time with the offset of its zone from UTC. It omits the zone's name: policies use the
// hour and the day.
func (c *codec) instant(t *time.Time) {
	known := !t.IsZero()
	if c.bool(&known); !known {
		return
	}
	_, zone := t.Zone()
	seconds, nanoseconds, offset := t.Unix(), uint64(t.Nanosecond()), int32(zone)
	c.varint(&seconds)
	c.uvarint(&nanoseconds)
	if c.int32(&offset); !c.reading {
		return
	}
	if nanoseconds > 999_999_999 {
		c.fail()
		return
	}
	if *t = time.Unix(seconds, int64(nanoseconds)); offset == 0 {
		*t = t.UTC()
	} else {
		*t = t.In(time.FixedZone("", int(offset)))
	}
}

// id writes a number of a named type.
func id[T ~uint32](c *codec, x *T) {
	plain := uint32(*x)
	if c.uint32(&plain); c.reading {
		*x = T(plain)
	}
}

// list writes the number of elements and then the elements, each of at least least bytes; nil if there are none.
func list[T any](c *codec, xs *[]T, least int, element func(*codec, *T)) {
	n := uint64(len(*xs))
	if c.uvarint(&n); c.reading {
		*xs = nil
		if n > uint64(len(c.b)/least) {
			c.fail()
			return
		}
		if n > 0 {
			*xs = make([]T, n)
		}
	}
	for i := range *xs {
		element(c, &(*xs)[i])
	}
}

// optional writes whether there is a value, and then the value.
func optional[T any](c *codec, x **T, value func(*codec, *T)) {
	is := *x != nil
	if c.bool(&is); !is {
		return
	}
	if c.reading {
		*x = new(T)
	}
	value(c, *x)
}
