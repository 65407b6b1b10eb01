package snapshot_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/augur/internal/snapshot"
)

// A thing is saved with each kind of value.
type thing struct {
	count  int
	number float64
	at     int64
	is     bool
	text   string
	list   []float64
	of     map[string]int
	sparse [9]float64
	src    *rand.PCG
	part   *thing
	config string
}

func (x *thing) code(c *snapshot.Code) {
	c.Count(&x.count, 100)
	c.Float(&x.number, -1, math.Inf(1))
	snapshot.Int(c, &x.at)
	c.Bool(&x.is)
	c.Text(&x.text)
	snapshot.Slice(c, &x.list, 5, c.Positive)
	snapshot.Map(c, &x.of, 5, func(n *int) { c.Count(n, 7) })
	c.Floats(x.sparse[:], func(i int) float64 { return float64(i) }, 0, 10)
	c.Source(x.src)
	if x.part != nil {
		c.Keep("part", x.part)
	}
}

func (x *thing) head() snapshot.Head {
	return snapshot.Head{Kind: "a thing", Version: 3, Config: x.config}
}

func (x *thing) Save(w io.Writer) error { return snapshot.Save(w, x.head(), x.code) }

func (x *thing) Load(r io.Reader) error {
	next := *x
	err := snapshot.Load(r, x.head(), next.code)
	if err == nil {
		*x = next
	}
	return err
}

func full() *thing {
	x := &thing{count: 7, number: math.Inf(1), at: math.MinInt64, is: true, text: "a\x00ü", list: []float64{1, 0, 3}, of: map[string]int{"b": 1, "": 2, "a": 3}, src: rand.NewPCG(1, 2)}
	for i := range x.sparse {
		x.sparse[i] = float64(i)
	}
	x.sparse[3], x.sparse[8] = 0, 7.5
	return x
}

func bytesOf(t *testing.T, x *thing) []byte {
	t.Helper()
	var text bytes.Buffer
	if err := x.Save(&text); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// What is loaded is what was saved, and draws on.
func TestSaveAndLoad(t *testing.T) {
	x, back := full(), &thing{src: rand.NewPCG(9, 9), part: &thing{src: rand.NewPCG(8, 8)}}
	x.part = full()
	x.part.text = "of another"
	text := bytesOf(t, x)
	if err := back.Load(bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if again := bytesOf(t, back); !bytes.Equal(again, text) || back.part.text != "of another" || back.sparse != x.sparse || back.of["a"] != 3 {
		t.Errorf("loaded %+v, and saved again as %q, want %q", back, again, text)
	}
	if got, want := back.src.Uint64(), x.src.Uint64(); got != want {
		t.Errorf("the source draws %d, want %d", got, want)
	}
}

// A Load that returns an error has changed nothing, also of parts and random sources. The error says what is wrong, and in which part.
func TestLoadRefuses(t *testing.T) {
	whole := full()
	whole.part = full()
	text := bytesOf(t, whole)
	x := full()
	x.count, x.part = 8, full()
	x.part.count = 9
	x.src.Uint64()
	before := bytesOf(t, x)
	refused := func(what string, input []byte, want error, says string) {
		t.Helper()
		err := x.Load(bytes.NewReader(input))
		if !errors.Is(err, want) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want %v with %q", what, err, want, says)
		}
		if after := bytesOf(t, x); !bytes.Equal(after, before) {
			t.Fatalf("%s: it is not as it was", what)
		}
	}
	for at := range text {
		refused("cut", text[:at], snapshot.ErrFormat, "a thing: not a whole snapshot")
		damaged := bytes.Clone(text)
		damaged[at] ^= 1
		if x.Load(bytes.NewReader(damaged)) == nil || !bytes.Equal(bytesOf(t, x), before) {
			t.Fatalf("with byte %d damaged it was loaded, or is not as it was", at)
		}
	}
	refused("longer", append(bytes.Clone(text), 0), snapshot.ErrFormat, "")
	whole.part.config = "another colour"
	refused("a part of another configuration", bytesOf(t, whole), snapshot.ErrConfig, "a thing: part: a thing: snapshot of another configuration: it is of one with another colour, this one has nothing to keep")
	other := func(h snapshot.Head) []byte {
		var text bytes.Buffer
		if err := snapshot.Save(&text, h, func(*snapshot.Code) {}); err != nil {
			t.Fatal(err)
		}
		return text.Bytes()
	}
	refused("another kind", other(snapshot.Head{Kind: "stone", Version: 3}), snapshot.ErrConfig, "it is of a stone")
	refused("another version", other(snapshot.Head{Kind: "a thing", Version: 4}), snapshot.ErrFormat, "version 4, not 3")
	refused("nothing of it", other(x.head()), snapshot.ErrFormat, "it ends early")
	failed := errors.New("failed")
	if err := x.Load(io.MultiReader(bytes.NewReader(text[:9]), failing{failed})); !errors.Is(err, failed) {
		t.Errorf("error %v, want that of the reader", err)
	}
	if x.Load(nil) == nil || x.Save(nil) == nil {
		t.Error("a reader or a writer that is nil is taken")
	}
	if err := x.Save(failing{failed}); !errors.Is(err, failed) {
		t.Errorf("error %v, want that of the writer", err)
	}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error)  { return 0, f.error }
func (f failing) Write([]byte) (int, error) { return 0, f.error }

// A source that cannot be saved is left alone, and one that can does not take the state of one that could not.
func TestSources(t *testing.T) {
	save := func(src rand.Source) []byte {
		var text bytes.Buffer
		if err := snapshot.Save(&text, snapshot.Head{}, func(c *snapshot.Code) { c.Source(src) }); err != nil {
			t.Fatal(err)
		}
		return text.Bytes()
	}
	opaque := struct{ rand.Source }{rand.NewPCG(1, 2)}
	for _, test := range []struct {
		from, to rand.Source
		want     error
	}{
		{rand.NewPCG(1, 2), rand.NewPCG(3, 4), nil},
		{opaque, opaque, nil},
		{rand.NewPCG(1, 2), opaque, snapshot.ErrConfig},
		{opaque, rand.NewPCG(1, 2), snapshot.ErrConfig},
		{rand.NewChaCha8([32]byte{}), rand.NewPCG(1, 2), snapshot.ErrConfig},
	} {
		err := snapshot.Load(bytes.NewReader(save(test.from)), snapshot.Head{}, func(c *snapshot.Code) { c.Source(test.to) })
		if !errors.Is(err, test.want) || err != nil && test.want == nil {
			t.Errorf("from a %T to a %T: %v, want %v", test.from, test.to, err, test.want)
		}
	}
}

// A snapshot is read without a panic, whatever it is, and what was loaded is saved as it was, up to how numbers are written.
func FuzzLoad(f *testing.F) {
	x := full()
	x.part = full()
	var text bytes.Buffer
	if err := x.Save(&text); err != nil {
		f.Fatal(err)
	}
	f.Add(text.Bytes())
	f.Fuzz(func(t *testing.T, input []byte) {
		x := full()
		x.part = full()
		before := bytesOf(t, x)
		if x.Load(bytes.NewReader(input)) != nil && !bytes.Equal(bytesOf(t, x), before) {
			t.Error("after an error it is not as it was")
		}
	})
}
