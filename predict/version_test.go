package predict

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A file of the present version is kept, from which what 60 jobs have taught is read. To write it again gives it byte for byte:
// who changes what is written changes its number too.
func TestFilesOfThisVersion(t *testing.T) {
	type answer struct{ estimate, median float64 }
	for _, test := range []struct {
		name   string
		config Config
		values int
		want   [4]answer
	}{
		{"plain", Config{Features: []string{"user", "program", All}, Recent: 5}, 20,
			[4]answer{{2.4, 2.4}, {12.825000000000001, 3.9}, {1.61270120448, 2.1}, {0.39999999999999997, 0.3}}},
		{"window", Config{Features: []string{"user", "program", All}, Recent: 5, Window: 50 * time.Hour}, 20,
			[4]answer{{2.4, 2.4}, {19.95, 1.7999999999999998}, {1.61270120448, 2.1}, {0.39999999999999997, 0.3}}},
	} {
		newest := filepath.Join("testdata", test.name+".v"+strconv.Itoa(snapshotVersion))
		present, err := os.ReadFile(newest)
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(test.config)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Restore(bytes.NewReader(present)); err != nil {
			t.Fatalf("%s: %v", newest, err)
		}
		if !bytes.Equal(snapshot(t, p), present) {
			t.Errorf("%s is written otherwise", newest)
		}
		if p.Observed() != 60 || p.Values() != test.values {
			t.Errorf("%s: %d jobs and %d values, want 60 and %d", newest, p.Observed(), p.Values(), test.values)
		}
		for i, want := range test.want {
			job, now := Attrs{"user": strconv.Itoa(i), "program": strconv.Itoa(i + 1)}, time.Unix(1e9+61*3600, 0)
			var got Prediction
			x, ok := p.Estimate(job, now)
			if !ok || !p.Predict(job, now, &got) || (answer{x, got.Distribution().Quantile(0.5)}) != want {
				t.Errorf("%s: of job %d %v is expected, with median %v, want %v", newest, i, x, got.Distribution().Quantile(0.5), want)
			}
		}
	}
}

func TestVersionsThatCannotBeRead(t *testing.T) {
	p, err := New(Config{Features: []string{"user", "program", All}, Recent: 5})
	if err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, p)
	for _, v := range []byte{0, snapshotVersion - 1, snapshotVersion + 1} {
		want := "version " + strconv.Itoa(int(v)) + ", not " + strconv.Itoa(snapshotVersion)
		if err := p.Restore(bytes.NewReader(append([]byte(snapshotMagic), v))); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("version %d: got error %v, want %s", v, err, want)
		}
	}
	if !bytes.Equal(snapshot(t, p), before) {
		t.Error("the predictor has changed")
	}
}
