package predict

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Files that an older program wrote after 60 jobs are read. What is written of them now has a checksum: who changes what is
// written changes its version too.
func TestFilesOfThisVersion(t *testing.T) {
	type answer struct{ estimate, median float64 }
	features := []string{"user", "program", All}
	for _, test := range []struct {
		file     string
		config   Config
		checksum uint64
		want     [4]answer
	}{
		{"plain.v4", Config{Features: features}, 0xb937458951b5e238,
			[4]answer{{16.029411764705884, 9.5}, {13.95227272727273, 8.7}, {5.993775616, 17.9}, {7.35, 6}}},
		{"window.v4", Config{Features: features, Window: 50 * time.Hour}, 0x72b0b6100e74077f,
			[4]answer{{18.892307692307693, 10.9}, {16.214705882352945, 11.1}, {16.099999999999998, 16.099999999999998}, {8.15, 6}}},
		{"fading.v4", Config{Features: features, HalfLife: 10 * time.Hour}, 0xcef71ec5e37c0e76,
			[4]answer{{16.029411764705884, 15.6}, {15.150254326381662, 11.1}, {14.550471151430035, 10.3}, {7.35, 6}}},
	} {
		p, err := New(test.config)
		if err == nil {
			err = p.Restore(bytes.NewReader(file(t, test.file)))
		}
		if err != nil {
			t.Fatalf("%s: %v", test.file, err)
		}
		for i, want := range test.want {
			job, now := Attrs{"user": strconv.Itoa(i), "program": strconv.Itoa(i + 1)}, time.Unix(1e9+61*3600, 0)
			var got Prediction
			if !p.Predict(job, now, &got) || (answer{got.Runtime, got.Distribution().Quantile(0.5)}) != want {
				t.Errorf("%s: of job %d %v is expected, with median %v, want %v", test.file, i, got.Runtime, got.Distribution().Quantile(0.5), want)
			}
		}
		b := snapshot(t, p)
		if got := binary.LittleEndian.Uint64(b[len(b)-8:]); p.Observed() != 60 || p.Values() != 10 || got != test.checksum {
			t.Errorf("%s: %d jobs and %d values, written with checksum %#x, want 60, 10 and %#x", test.file, p.Observed(), p.Values(), got, test.checksum)
		}
	}
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFilesThatCannotBeRead(t *testing.T) {
	p, err := New(Config{Features: []string{"user", "program", All}})
	if err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, p)
	for _, test := range []struct {
		file []byte
		kind error
		want string
	}{
		{append([]byte(snapshotMagic), 3), ErrFormat, "version 3, not 4"},
		{append([]byte(snapshotMagic), 5), ErrFormat, "version 5, not 4"},
		{file(t, "recent5.v4"), ErrConfig, "a number of recent runtimes of 5, this one has 20"}, // which was once an option
	} {
		if err := p.Restore(bytes.NewReader(test.file)); !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want %s", err, test.want)
		}
	}
	if !bytes.Equal(snapshot(t, p), before) {
		t.Error("the predictor has changed")
	}
}
