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
	for _, test := range []struct {
		file     string
		config   Config
		values   int
		checksum uint64
		want     [4]answer
	}{
		{"plain.v5", Config{Features: []string{"user", "program", All}}, 10, 0x1a8644fc3fd66012,
			[4]answer{{16.029411764705884, 9.5}, {13.95227272727273, 8.7}, {5.993775616, 17.9}, {7.35, 6}}},
		{"numbers.v5", Config{Features: []string{"log(bytes)", "user+log(bytes)"}, HalfLife: 10 * time.Hour}, 5, 0x8ff05c6ace1f0dd4,
			[4]answer{{11.921304189538807, 90.1}, {135.3317008561087, 1400}, {260.83601334709414, 1400}, {993.8272836272068, 1400}}},
		{"found.v5", Config{Window: 50 * time.Hour}, 23, 0xa257df710b5fd261,
			[4]answer{{10.4, 10.4}, {26.312006144, 26.9}, {91.0111111111111, 91.3}, {1401.3, 1401.3}}},
	} {
		p, err := New(test.config)
		if err == nil {
			err = p.Restore(bytes.NewReader(file(t, test.file)))
		}
		if err != nil {
			t.Fatalf("%s: %v", test.file, err)
		}
		for i, want := range test.want {
			job := Attrs{"user": strconv.Itoa(i), "program": strconv.Itoa(i + 1), "bytes": strconv.Itoa(1000 << (2 * i))}
			var got Prediction
			if !p.Predict(job, time.Unix(1e9+61*3600, 0), &got) || !near(got.Runtime, want.estimate) || !near(got.Distribution().Quantile(0.5), want.median) {
				t.Errorf("%s: of job %d %v is expected, with median %v, want %v", test.file, i, got.Runtime, got.Distribution().Quantile(0.5), want)
			}
		}
		b := snapshot(t, p)
		if got := binary.LittleEndian.Uint64(b[len(b)-8:]); p.Observed() != 60 || p.Values() != test.values || got != test.checksum {
			t.Errorf("%s: %d jobs and %d values, written with checksum %#x, want 60, %d and %#x", test.file, p.Observed(), p.Values(), got, test.values, test.checksum)
		}
	}
}

// A file of this version is written again as it was.
func TestFileOfThisVersion(t *testing.T) {
	p, err := New(Config{Features: []string{"user", "program", All}})
	if err != nil {
		t.Fatal(err)
	}
	of6 := file(t, "plain.v6")
	if err := p.Restore(bytes.NewReader(of6)); err != nil {
		t.Fatal(err)
	}
	low, high, ok := p.Interval(Attrs{"user": "1", "program": "2"}, 0.8, time.Unix(1e9, 0))
	if want := "until March"; p.Note() != want || p.Observed() != 120 || !near(low, 0.052499996870756155) || !near(high, 16.258065032958985) || !ok {
		t.Errorf("note %q, %d jobs, an interval of %v to %v, %v", p.Note(), p.Observed(), low, high, ok)
	}
	if !bytes.Equal(snapshot(t, p), of6) {
		t.Error("the snapshot of what was restored differs")
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
	of5 := file(t, "plain.v5")
	of5[len(snapshotMagic)+3] = 5
	for _, test := range []struct {
		file []byte
		kind error
		want string
	}{
		{append([]byte(snapshotMagic), 4), ErrFormat, "version 4, not 6"},
		{append([]byte(snapshotMagic), 7), ErrFormat, "version 7, not 6"},
		{of5, ErrConfig, "a number of recent runtimes of 5, this one has 20"}, // which was once an option
	} {
		if err := p.Restore(bytes.NewReader(test.file)); !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want %s", err, test.want)
		}
	}
	if !bytes.Equal(snapshot(t, p), before) {
		t.Error("the predictor has changed")
	}
}
