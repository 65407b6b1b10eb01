package journal

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A journal of version 1 is read as far as its records are whole if nothing comes after them. What is cut or damaged in
// any way is refused, and stays as it was.
func TestVersion1CutOrDamaged(t *testing.T) {
	whole := readFile(t, "testdata/events.v1.journal")
	c := Config{New: newScribe}
	taken := 0
	for at := range whole {
		f := &memory{b: slices.Clone(whole[:at])}
		if at == 0 {
			continue // a new one begins
		}
		if _, err := open(f, c); err == nil {
			taken++
		} else if !errors.Is(err, ErrFormat) || !bytes.Equal(f.b, whole[:at]) {
			t.Errorf("cut to %d bytes: got error %v, want %v and the file as it was", at, err, ErrFormat)
		}
	}
	if want := len(full()); taken != want {
		t.Errorf("%d of %d cuts are taken, want %d: after the beginning and after each record but the last", taken, len(whole), want)
	}
	for at := range whole {
		for bit := range 8 {
			f := &memory{b: slices.Clone(whole)}
			f.b[at] ^= 1 << bit
			before := slices.Clone(f.b)
			if _, err := open(f, c); !errors.Is(err, ErrFormat) || !bytes.Equal(f.b, before) {
				t.Errorf("bit %d of byte %d: got error %v, want %v and the file as it was", bit, at, err, ErrFormat)
			}
		}
	}
	f := &memory{b: append(slices.Clone(whole), 0)}
	if _, err := open(f, c); err == nil || !strings.Contains(err.Error(), "no whole record at byte 401, and a journal of version 1") {
		t.Errorf("with a byte more: got error %v", err)
	}
}

// A journal of version 1 is written anew, and is whole in one version or the other wherever that is broken off.
func TestVersion1IsWrittenAnew(t *testing.T) {
	whole, want := readFile(t, "testdata/events.v1.journal"), readFile(t, "testdata/events.v2.journal")
	c := Config{New: newScribe}
	for way := range ways {
		for stop := 1; ; stop++ {
			d := newFragile(stop, way)
			d.names["journal"] = &memory{b: slices.Clone(whole), synced: len(whole)}
			j, err := openOn(d, "journal", c)
			if err == nil {
				err = j.Close()
			}
			after := d.after
			switch {
			case err == nil:
				after = d
			case !errors.Is(err, errBroken) || errors.Is(err, ErrFormat) || d.files > 0:
				t.Fatalf("broken off at call %d in way %d: got error %v, %d files open", stop, way, err, d.files)
			case way == fails:
				after = d
			}
			again, failed := openOn(after.clone(), "journal", c)
			if failed != nil {
				t.Fatalf("broken off at call %d in way %d: %v", stop, way, failed)
			}
			if events, cut := again.Restored(); events != len(full()) || cut != 0 {
				t.Fatalf("broken off at call %d in way %d: %d events, %d bytes cut, want %d and 0", stop, way, events, cut, len(full()))
			}
			if err != nil {
				continue
			}
			if !bytes.Equal(d.names["journal"].b, want) || len(d.names) != 1 || stop < 9 {
				t.Errorf("after %d calls: %d files, want one that has the same events in the present version", stop-1, len(d.names))
			}
			break
		}
	}
	for fails := 1; ; fails++ {
		f := &faulty{memory: memory{b: slices.Clone(whole)}, fails: fails}
		_, err := open(f, c)
		if f.calls < fails {
			break
		}
		if !errors.Is(err, errFaulty) || errors.Is(err, ErrFormat) {
			t.Fatalf("call %d of the file failed: got error %v, want %v", fails, err, errFaulty)
		}
	}
}
