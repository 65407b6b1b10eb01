package value

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func bytesOf(t testing.TB, s *Store) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func randomStore(t testing.TB, seed uint64) *Store {
	t.Helper()
	s, err := Build(randomRecords(rand.New(rand.NewPCG(seed, 14))))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func loadRefuses(t *testing.T) {
	few, err := Build(randomRecords(rand.New(rand.NewPCG(3, 14)))[:4])
	if err != nil {
		t.Fatal(err)
	}
	good := bytesOf(t, few)
	refuse := func(what string, b []byte, want string) {
		t.Helper()
		if s, err := Load(bytes.NewReader(b)); s != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Fatalf("%s: got %v, want it to be refused with %q", what, err, want)
		}
	}
	for i := range len(good) - 1 { // all but the last newline
		refuse(fmt.Sprintf("cut to %d of %d bytes", i, len(good)), good[:i], "EOF")
	}
	refuse("more", append(bytes.Clone(good), '0'), "more follows")
	refuse("something else", []byte("a,b\n1,2\n"), "invalid character")
	refuse("another JSON", []byte("{}"), "of this version: 0, want 4")
	refuse("newer", []byte(`{"augur/value":5}`), "of this version: 5, want 4")

	// whole is a saved store of these profiles.
	whole := func(profiles string) []byte {
		return fmt.Appendf(nil, `{"augur/value":4,"CRC":%d,"Profiles":%s}`, crc32.ChecksumIEEE([]byte(profiles)), profiles)
	}
	const sound = `{"Templates":{"a":{"Jobs":2,"Valid":1,"Own":{"Value":1,"Compute":2},"Aggregate":{"Value":3,"Compute":4},"WithDependents":1,"TimeToDependency":5,"Spread":{"Runtime":[0,1,2,3,4,5,6,7,8,9,10],"FanIn":[1,1,1,1,1,1,1,1,1,1,2]}}},"Users":{}}`
	if _, err := Load(bytes.NewReader(whole(sound))); err != nil {
		t.Error(err)
	}
	for bit := range 8 * (len(good) - 1) { // of all but the last newline
		damaged := bytes.Clone(good)
		damaged[bit/8] ^= 1 << (bit % 8)
		if s, err := Load(bytes.NewReader(damaged)); err == nil && !bytes.Equal(bytesOf(t, s), good) {
			t.Fatalf("bit %d turned over: loads as another store", bit)
		}
	}
	for _, test := range [][3]string{
		{`"Jobs":2`, `"Jobs":0`, "do not add up"},
		{`"Valid":1`, `"Valid":3`, "do not add up"},
		{`"Valid":1`, `"Valid":-1`, "do not add up"},
		{`"WithDependents":1`, `"WithDependents":2`, "do not add up"},
		{`"WithDependents":1`, `"WithDependents":-1`, "do not add up"},
		{`"Value":1`, `"Value":-1`, "Own.Value is -1"},
		{`"Compute":4`, `"Compute":1e308`, "Aggregate.Compute is 1e+308"},
		{`"TimeToDependency":5`, `"TimeToDependency":-5`, "TimeToDependency is -5"},
		{`3,4,5`, `3,5,4`, "deciles are [0 1 2 3 5 4"},
		{`[0,1,2`, `[-1,1,2`, "deciles are [-1"},
		{`1,1,2]`, `1,1,1e308]`, "1e+308], want increasing"},
	} {
		refuse(test[1], whole(strings.Replace(sound, test[0], test[1], 1)), test[2])
	}

	if err := (&Store{templates: map[string]Profile{"caf\xe9": {}}}).Save(new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("a name that is not UTF-8: got %v, want an error", err)
	}
	broken := errors.New("broken pipe")
	if _, err := Load(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's error", err)
	}
	if err := randomStore(t, 3).Save(writerFunc(func([]byte) (int, error) { return 0, broken })); !errors.Is(err, broken) {
		t.Errorf("got %v, want the writer's error", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// No bytes make Load panic, and what it takes is sound.
func FuzzLoad(f *testing.F) {
	for seed := range uint64(5) {
		f.Add(bytesOf(f, randomStore(f, seed)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Load(bytes.NewReader(b))
		if err != nil {
			return
		}
		for name, p := range s.Templates() {
			if sum, ok := s.Priority(name, ""); ok != (p.Valid > 0) || !(sum.Efficiency >= 0) || p.Jobs < 1 {
				t.Fatalf("template %q has priority %v, %v", name, sum, ok)
			}
		}
		other, err := Load(bytes.NewReader(bytesOf(t, s)))
		if err != nil || !bytes.Equal(bytesOf(t, other), bytesOf(t, s)) {
			t.Fatalf("what it saves itself: %v", err)
		}
	})
}

// A store that is loaded answers as the one that was saved.
func TestSave(t *testing.T) {
	for seed := range uint64(50) {
		s := randomStore(t, seed)
		got, err := Load(bytes.NewReader(bytesOf(t, s)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, got, cmp.AllowUnexported(Store{})); diff != "" {
			t.Fatalf("seed %d: -saved +loaded:\n%s", seed, diff)
		}
	}
}
