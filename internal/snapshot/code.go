package snapshot

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// A Code writes values, or reads them where [Code.Loading]. It keeps the first error, and reads zeros after it.
type Code struct {
	b       []byte // what was written, or what is left to read
	loading bool
	err     error
	undo    []func() error
}

// Loading reports whether values are read.
func (c *Code) Loading() bool { return c.loading }

// Check fails with a text if what was read is not right.
func (c *Code) Check(ok bool, what string) {
	if !ok && c.err == nil {
		c.err = fmt.Errorf("%w: %s", ErrFormat, what)
	}
}

// take returns the next n bytes of the input.
func (c *Code) take(n uint64) []byte {
	if c.Check(n <= uint64(len(c.b)), "it ends early"); c.err != nil {
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

// Uint is a number in as few bytes as it needs.
func (c *Code) Uint(x *uint64) {
	if !c.loading {
		c.b = binary.AppendUvarint(c.b, *x)
		return
	}
	if *x = 0; c.err != nil {
		return
	}
	var n int
	*x, n = binary.Uvarint(c.b)
	if c.Check(n > 0, "it ends early, or a number is too long"); c.err != nil {
		*x = 0
		return
	}
	c.b = c.b[n:]
}

// Int is a number that may be negative, such as an instant or a duration.
func Int[T ~int64](c *Code, x *T) {
	zigzag := uint64(*x)<<1 ^ uint64(*x>>63)
	c.Uint(&zigzag)
	*x = T(zigzag>>1) ^ -T(zigzag&1)
}

// Count is a number from 0 to most.
func (c *Code) Count(x *int, most int) {
	n := uint64(*x)
	c.Uint(&n)
	if c.Check(n <= uint64(most), "a number is out of range"); c.err != nil {
		n = 0
	}
	*x = int(n)
}

// Float is a number from least to most.
func (c *Code) Float(x *float64, least, most float64) {
	if !c.loading {
		c.b = binary.LittleEndian.AppendUint64(c.b, math.Float64bits(*x))
		return
	}
	*x = 0
	if b := c.take(8); b != nil {
		y := math.Float64frombits(binary.LittleEndian.Uint64(b))
		if c.Check(y >= least && y <= most, "a number is out of range"); c.err == nil {
			*x = y
		}
	}
}

// Positive is a finite number of at least 0.
func (c *Code) Positive(x *float64) { c.Float(x, 0, math.MaxFloat64) }

// Bool is a yes or no.
func (c *Code) Bool(x *bool) {
	n := 0
	if *x {
		n = 1
	}
	c.Count(&n, 1)
	*x = n == 1
}

// Text is a string.
func (c *Code) Text(x *string) {
	n := uint64(len(*x))
	if c.Uint(&n); !c.loading {
		c.b = append(c.b, *x...)
		return
	}
	*x = string(c.take(n))
}

// Slice saves or loads a list of at most that many elements, each by a call of each, which reads or writes a byte or more.
func Slice[E any](c *Code, list *[]E, most int, each func(*E)) {
	n := len(*list)
	if c.Count(&n, most); c.loading {
		*list = nil
	}
	for i := 0; i < n && c.err == nil; i++ {
		if c.loading {
			*list = append(*list, *new(E))
		}
		each(&(*list)[i])
	}
}

// Map is a map of at most so many keys, in their order.
func Map[V any](c *Code, m *map[string]V, most int, each func(*V)) {
	var names []string
	if c.loading {
		*m = make(map[string]V)
	} else {
		names = slices.SortedFunc(maps.Keys(*m), cmp.Compare[string])
	}
	last, first := "", true
	Slice(c, &names, most, func(name *string) {
		c.Text(name)
		c.Check(first || *name > last, "names are not in order")
		last, first = *name, false
		v := (*m)[*name]
		if each(&v); c.loading && c.err == nil {
			(*m)[*name] = v
		}
	})
}

// Floats are numbers from least to most of a list whose length is known. Those that are as without says are left out: few
// others make it short.
func (c *Code) Floats(list []float64, without func(i int) float64, least, most float64) {
	var at []int
	for i := range list {
		if c.loading {
			list[i] = without(i)
		} else if list[i] != without(i) {
			at = append(at, i)
		}
	}
	last := -1
	Slice(c, &at, len(list), func(i *int) {
		c.Count(i, len(list)-1)
		if c.Check(*i > last, "places are not in order"); c.err == nil {
			c.Float(&list[*i], least, most)
		}
		last = *i
	})
}

// Part is a snapshot of its own, of the part with this name. If whatever follows fails, the part is loaded with what it had
// before.
func (c *Code) Part(name string, save func(io.Writer) error, load func(io.Reader) error) {
	if c.err != nil {
		return
	}
	var before bytes.Buffer
	if err := save(&before); err != nil {
		c.err = fmt.Errorf("%s: %w", name, err)
		return
	}
	n := uint64(before.Len())
	if c.Uint(&n); !c.loading {
		c.b = append(c.b, before.Bytes()...)
		return
	}
	b := c.take(n)
	if c.err != nil {
		return
	}
	if err := load(bytes.NewReader(b)); err != nil {
		c.err = fmt.Errorf("%s: %w", name, err)
		return
	}
	c.undo = append(c.undo, func() error { return load(&before) })
}

// A Binary encodes itself.
type Binary interface {
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// Binary is a value that encodes itself.
func (c *Code) Binary(name string, x Binary) {
	c.Part(name, func(w io.Writer) error {
		b, err := x.AppendBinary(nil)
		if err == nil {
			_, err = w.Write(b)
		}
		return err
	}, func(r io.Reader) error {
		b, err := io.ReadAll(r)
		if err == nil {
			if err = x.UnmarshalBinary(b); err != nil {
				err = fmt.Errorf("%w: %w", ErrFormat, err)
			}
		}
		return err
	})
}

// Source is the state of a source of randomness, if that can be encoded, as those of math/rand/v2 can: what is loaded draws
// on from there. Other sources begin anew.
func (c *Code) Source(src rand.Source) {
	x, ok := src.(Binary)
	kind := ""
	if ok {
		kind = fmt.Sprintf("%T", src)
	}
	saved := kind
	if c.Text(&saved); c.err == nil && saved != kind {
		c.err = fmt.Errorf("%w: the random numbers are of %q, and here of a %T", ErrConfig, saved, src)
	}
	if ok {
		c.Binary(kind, x)
	}
}

// A Keeper is a part with a snapshot: policy.Keeper.
type Keeper interface {
	Save(w io.Writer) error
	Load(r io.Reader) error
}

// Keep is [Code.Part] of a part, if that is a [Keeper].
func (c *Code) Keep(name string, part any) {
	if k, ok := part.(Keeper); ok {
		c.Part(name, k.Save, k.Load)
	}
}
