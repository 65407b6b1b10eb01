package predict

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/augur/histogram"
)

var write = flag.Bool("write", false, "write the files of testdata that are of the present version, if there are none")

// Of each version that ever was files are kept, which say the same in all: what 60 jobs have taught. To write one
// again gives the file of the present version, byte for byte: who changes what is written changes its number too.
func TestFilesOfAllVersions(t *testing.T) {
	type answer struct{ estimate, median float64 }
	for _, test := range []struct {
		name   string
		config Config
		want   [4]answer
	}{
		{"plain", Config{Features: []string{"user", "program", All}, Recent: 5},
			[4]answer{{140.3, 88}, {157.14999999999998, 124}, {171, 150}, {159.13333333333335, 124}}},
		{"window", Config{Features: []string{"user", "program", All}, Recent: 5, Window: 50 * time.Hour},
			[4]answer{{151.5, 106}, {174.86666666666667, 158}, {171, 176}, {181.63636363636363, 150}}},
	} {
		newest := filepath.Join("testdata", test.name+".v2")
		if _, err := os.Stat(newest); *write && errors.Is(err, os.ErrNotExist) {
			if err := os.WriteFile(newest, snapshot(t, restored(t, test.config, test.name+".v1")), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		present, err := os.ReadFile(newest)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []string{".v1", ".v2"} {
			p := restored(t, test.config, test.name+v)
			if !bytes.Equal(snapshot(t, p), present) {
				t.Errorf("%s%s is written otherwise than %s", test.name, v, newest)
			}
			if p.Observed() != 60 || p.Values() != 8 {
				t.Errorf("%s%s: %d jobs and %d values, want 60 and 8", test.name, v, p.Observed(), p.Values())
			}
			for i, want := range test.want {
				job, now := Attrs{"user": strconv.Itoa(i), "program": strconv.Itoa(i + 1)}, time.Unix(1e9+61*3600, 0)
				var got Prediction
				x, ok := p.Estimate(job, now)
				if !ok || !p.Predict(job, now, &got) || (answer{x, got.Distribution().Quantile(0.5)}) != want {
					t.Errorf("%s%s: of job %d %v is expected, want %v", test.name, v, i, x, want)
				}
			}
		}
	}
}

func restored(t *testing.T, c Config, name string) *Predictor {
	t.Helper()
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Restore(bytes.NewReader(b)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

// A snapshot of version 1 is held to the rule of joining that it was made with, whose numbers were others then.
func TestVersionsThatCannotBeRead(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "plain.v1"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(Config{Features: []string{"user", "program", All}, Recent: 5, Histogram: histogram.Config{Join: histogram.JoinGap}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Restore(bytes.NewReader(b)); err == nil || !strings.Contains(err.Error(), "Histogram.Join") {
		t.Errorf("a predictor that joins otherwise: got error %v", err)
	}
	if p, err = New(Config{Features: []string{"user"}, Recent: 5}); err != nil {
		t.Fatal(err)
	}
	for i := range b {
		if err := p.Restore(bytes.NewReader(b[:i])); !errors.Is(err, ErrFormat) {
			t.Fatalf("cut to %d bytes: got error %v, want %v", i, err, ErrFormat)
		}
	}
	for _, v := range []byte{0, snapshotVersion + 1} {
		b[len(snapshotMagic)] = v
		if err := p.Restore(bytes.NewReader(b)); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "not 1 to 2") {
			t.Errorf("version %d: got error %v", v, err)
		}
	}
}
