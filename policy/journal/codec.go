package journal

import (
	"encoding/binary"
	"math"
	"math/bits"
	"time"
)

// A codec writes values to b, or reads them from it: the same calls do both, so that the two cannot differ. What it writes
// it leaves alone, since others may read it meanwhile. After the first fault all that it reads is 0. Reading takes memory of a few dozen times the length of b at most, whatever b holds.
type codec struct {
	b       []byte // what is written so far, or not read yet
	reading bool
	bad     bool // what was read cannot be
}

func (c *codec) fail() { c.bad, c.b = true, nil }

// take reads so many bytes, nil if there are fewer.
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

// float takes fewer bytes the fewer bits a number needs, as whole numbers do.
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

// bytes reads a copy, which its receiver may keep; nil if it is empty.
func (c *codec) bytes(x *[]byte) {
	n := uint64(len(*x))
	if c.uvarint(&n); c.reading {
		*x = append([]byte(nil), c.take(n)...)
	} else {
		c.b = append(c.b, *x...)
	}
}

// instant is a calendar time with the offset of its zone from UTC. The zone's name is left out: policies go by the hour
// and the day.
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

// id is a number with a type of its own.
func id[T ~uint32](c *codec, x *T) {
	plain := uint32(*x)
	if c.uint32(&plain); c.reading {
		*x = T(plain)
	}
}

// list is a number of elements and then these, each of which takes so many bytes at least; nil if there are none.
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

// optional is whether there is a value, and then that.
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
