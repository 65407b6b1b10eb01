package histogram

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var write = flag.Bool("write", false, "write the files of testdata that are of the present version, if there are none")

// Of each version that ever was files are kept, which say the same in all: 200 values in 12 bins. To write one again
// gives the file of the present version, byte for byte: who changes what is written changes its number too.
func TestFilesOfAllVersions(t *testing.T) {
	type answers struct{ count, mean, largest, median, below100 float64 }
	for name, want := range map[string]answers{
		"logmass": {200, 140.805, 480, 109.17724184357897, 0.47900982755548754},
		"gap":     {200, 140.805, 480, 108.02313828653249, 0.4749441544149231},
		"empty":   {},
	} {
		newest := filepath.Join("testdata", name+".v2")
		if _, err := os.Stat(newest); *write && errors.Is(err, os.ErrNotExist) {
			b, err := decodeFile(t, name+".v1").MarshalBinary()
			if err := errors.Join(err, os.WriteFile(newest, b, 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		present, err := os.ReadFile(newest)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []string{".v1", ".v2"} {
			h := decodeFile(t, name+v)
			if b, err := h.MarshalBinary(); err != nil || !bytes.Equal(b, present) {
				t.Errorf("%s%s is written as %x, error %v, want %x", name, v, b, err, present)
			}
			if h.Count() == 0 && name == "empty" {
				continue
			}
			if got := (answers{h.Count(), h.Mean(), h.Max(), h.Quantile(0.5), h.CDF(100)}); got != want {
				t.Errorf("%s%s: got %v, want %v", name, v, got, want)
			}
		}
	}
}

func decodeFile(t *testing.T, name string) *Histogram {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	h := new(Histogram)
	if err := h.UnmarshalBinary(b); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return h
}

func TestVersionsThatCannotBeRead(t *testing.T) {
	gone, err := os.ReadFile(filepath.Join("testdata", "log.v1")) // joined by a rule that is no more
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		b    []byte
		want string
	}{
		{gone, "join rule 3 of version 1"},
		{[]byte{'H', 0, 0, 1, 0}, "version 0, not 1 to 2"},
		{[]byte{'H', 3, 0, 1, 0}, "version 3, not 1 to 2"},
		{[]byte{'H', 1, 0, 1, 0}, "join rule 0 of version 1"},
	} {
		if err := new(Histogram).UnmarshalBinary(test.b); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want %q", err, test.want)
		}
	}
}
