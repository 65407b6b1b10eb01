package value

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

func saved(t testing.TB, s *Store) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func randomStore(t testing.TB, seed uint64) *Store {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 14))
	s, err := Build(randomRecords(rng), Config{MedianOfRatios: rng.IntN(2) == 0})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func loadRefuses(t *testing.T) {
	s := randomStore(t, 3)
	if len(s.templates) == 0 || len(s.users) == 0 {
		t.Fatal("the store has nothing to damage")
	}
	good := saved(t, s)
	refuse := func(what string, b []byte, want string) {
		t.Helper()
		if s, err := Load(bytes.NewReader(b)); s != nil || !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Fatalf("%s: got %v, want it to be refused with %q", what, err, want)
		}
	}
	if s, err := Load(nil); s != nil || err == nil || err.Error() != "value: Load from a reader that is nil" {
		t.Errorf("no reader: got %v and error %v, want one that says so", s, err)
	}
	if err := s.Save(nil); err == nil || err.Error() != "value: Save to a writer that is nil" {
		t.Errorf("no writer: error %v, want one that says so", err)
	}
	const damaged, early = "damaged", "ends early"
	for i := range good {
		refuse(fmt.Sprintf("cut to %d of %d bytes", i, len(good)), good[:i], early)
		for bit := range 8 {
			b := bytes.Clone(good)
			b[i] ^= 1 << bit
			want := damaged
			if i < len(magic) {
				want = "begins otherwise"
			}
			refuse(fmt.Sprintf("bit %d of byte %d changed", bit, i), b, want)
		}
	}
	refuse("more", append(bytes.Clone(good), 0), damaged)
	refuse("something else", []byte("a,b\n1,2\n"), "begins otherwise")
	refuse("something else, long", bytes.Repeat([]byte("a,b\n1,2\n"), 100), "begins otherwise")

	// What another version holds is not known, but its header is as ours.
	refuse("newer", append(appendHeader(nil, version+1, 3), "abcdefghijkl"...), fmt.Sprintf("version %d, want %d", version+1, version))
	refuse("newer and cut", appendHeader(nil, 255, 1<<62), "version 255")
	refuse("older", appendHeader(nil, version-1, 3), "version 1")
	refuse("too long", appendHeader(nil, version, math.MaxUint64), damaged)
	refuse("too long for memory", append(appendHeader(nil, version, 1<<62), good[headerSize:]...), early)

	broken := errors.New("broken pipe")
	for _, n := range []int{0, 5, headerSize, headerSize + 5, len(good)} {
		if _, err := Load(io.MultiReader(bytes.NewReader(good[:n]), iotest.ErrReader(broken))); !errors.Is(err, broken) || errors.Is(err, ErrFormat) {
			t.Errorf("after %d bytes: got %v, want the reader's error alone", n, err)
		}
	}
	if err := s.Save(writerFunc(func(b []byte) (int, error) { return 7, broken })); !errors.Is(err, broken) || !strings.Contains(err.Error(), "byte 7 of") {
		t.Errorf("got %v, want the writer's error and place", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// sealed puts a header and a checksum around an encoded store.
func sealed(body []byte) []byte {
	b := append(appendHeader(nil, version, uint64(len(body))), body...)
	return binary.LittleEndian.AppendUint64(b, crc64.Checksum(body, crcTable))
}

// Where the checksums are right, what is inside is still checked.
func TestLoadChecksWhatIsInside(t *testing.T) {
	s, err := Build([]Record{
		{Template: "a", Recurring: true, Valid: true, TimeToDependency: 1},
		{Template: "b", Recurring: true},
		{User: "u"},
	}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	type named struct {
		name string
		Profile
	}
	for _, test := range []struct {
		name   string
		change func(a, b *named)
		want   string
	}{
		{"nothing", func(a, b *named) {}, ""},
		{"names", func(a, b *named) { a.name = "c" }, "order"},
		{"same names", func(a, b *named) { a.name = "b" }, "order"},
		{"no name", func(a, b *named) { a.name = "" }, "order"},
		{"no jobs", func(a, b *named) { a.Profile = Profile{} }, "profile"},
		{"more known than jobs", func(a, b *named) { a.Valid = 2 }, "number"},
		{"more followed", func(a, b *named) { a.WithDependents = 2 }, "number"},
		{"not followed", func(a, b *named) { a.WithDependents = 0 }, "profile"},
		{"at once", func(a, b *named) { a.TimeToDependency = 0 }, ""},
		{"negative", func(a, b *named) { a.Own.Value = -1 }, "amount"},
		{"minus 0", func(a, b *named) { a.Own.Compute = math.Copysign(0, -1) }, "amount"},
		{"NaN", func(a, b *named) { a.Aggregate.Efficiency = math.NaN() }, "amount"},
		{"infinite", func(a, b *named) { a.Own.Value = math.Inf(1) }, "amount"},
		{"medians of nothing", func(a, b *named) { b.Aggregate.Value = 1 }, "medians"},
	} {
		templates := []named{{"a", *s.templates["a"]}, {"b", *s.templates["b"]}}
		test.change(&templates[0], &templates[1])
		bad := []byte{0, byte(len(templates))}
		for _, p := range templates {
			bad = p.appendTo(append(append(bad, byte(len(p.name))), p.name...))
		}
		_, err := Load(bytes.NewReader(sealed(append(bad, 0))))
		if test.want == "" {
			if err != nil {
				t.Errorf("%s: got %v", test.name, err)
			}
			continue
		}
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
	body := saved(t, s)
	body = body[headerSize : len(body)-8]
	if _, err := Load(bytes.NewReader(sealed(append([]byte{2}, body[1:]...)))); !errors.Is(err, ErrFormat) {
		t.Errorf("neither rule: got %v", err)
	}
	for i := range body {
		if _, err := Load(bytes.NewReader(sealed(body[:i]))); !errors.Is(err, ErrFormat) {
			t.Errorf("cut to %d bytes and sealed: got %v", i, err)
		}
	}
	if _, err := Load(bytes.NewReader(sealed(append(bytes.Clone(body), 0)))); !errors.Is(err, ErrFormat) {
		t.Errorf("one byte more and sealed: got %v", err)
	}
}

// No bytes make Load panic, and what it takes is sound.
func FuzzLoad(f *testing.F) {
	for seed := range uint64(5) {
		b := saved(f, randomStore(f, seed))
		f.Add(b)
		f.Add(b[headerSize : len(b)-8])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, b := range [][]byte{b, sealed(b)} {
			s, err := Load(bytes.NewReader(b))
			if err != nil {
				if s != nil || !errors.Is(err, ErrFormat) {
					t.Fatalf("got %v, %v, want no store and an error of ours", s, err)
				}
				continue
			}
			for name, p := range s.Templates() {
				if got, ok := s.Template(name); !ok || got != p || p.Jobs < 1 {
					t.Fatalf("template %q is %v, %v", name, got, ok)
				}
				if sum, ok := s.Priority(name, ""); ok != (p.Valid > 0) || !(sum.Efficiency >= 0) {
					t.Fatalf("template %q has priority %v, %v", name, sum, ok)
				}
			}
			again := saved(t, s)
			other, err := Load(bytes.NewReader(again))
			if err != nil || !bytes.Equal(saved(t, other), again) {
				t.Fatalf("what it saves itself: %v", err)
			}
		}
	})
}
