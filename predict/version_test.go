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

// Files of this version are read, and written again as they were: who changes what is written changes its version too.
func TestFilesOfThisVersion(t *testing.T) {
	type answer struct{ estimate, median float64 }
	for _, test := range []struct {
		file   string
		config Config
		values int
		want   [4]answer
	}{
		{"few.v7", Config{Features: []string{"user", "program", All}}, 10,
			[4]answer{{16.029411764705884, 9.5}, {13.95227272727273, 8.7}, {5.993775616, 17.9}, {7.35, 6}}},
		{"numbers.v7", Config{Features: []string{"log(bytes)", "user+log(bytes)"}, HalfLife: 10 * time.Hour}, 5,
			[4]answer{{11.921304189538807, 90.1}, {135.3317008561087, 1400}, {260.83601334709414, 1400}, {993.8272836272068, 1400}}},
		{"found.v7", Config{Window: 50 * time.Hour}, 23,
			[4]answer{{10.4, 10.4}, {26.312006144, 26.9}, {91.0111111111111, 91.3}, {1401.3, 1401.3}}},
	} {
		p := restored(t, test.file, test.config)
		for i, want := range test.want {
			job := Attrs{"user": strconv.Itoa(i), "program": strconv.Itoa(i + 1), "bytes": strconv.Itoa(1000 << (2 * i))}
			var got Prediction
			if !p.Predict(job, time.Unix(1e9+61*3600, 0), &got) || !near(got.Runtime, want.estimate) || !near(got.Distribution().Quantile(0.5), want.median) {
				t.Errorf("%s: of job %d %v is expected, with median %v, want %v", test.file, i, got.Runtime, got.Distribution().Quantile(0.5), want)
			}
		}
		if p.Observed() != 60 || p.Values() != test.values {
			t.Errorf("%s: %d jobs and %d values, want 60 and %d", test.file, p.Observed(), p.Values(), test.values)
		}
	}
	p := restored(t, "plain.v7", Config{Features: []string{"user", "program", All}})
	low, high, ok := p.Interval(Attrs{"user": "1", "program": "2"}, 0.8, time.Unix(1e9, 0))
	if want := "until March"; p.Note() != want || p.Observed() != 120 || !near(low, 0.052499996870756155) || !near(high, 16.258065032958985) || !ok {
		t.Errorf("note %q, %d jobs, an interval of %v to %v, %v", p.Note(), p.Observed(), low, high, ok)
	}
}

// restored returns a predictor that was restored from a file, and would write it again.
func restored(t testing.TB, name string, c Config) *Predictor {
	t.Helper()
	p, err := New(c)
	if err == nil {
		err = p.Restore(bytes.NewReader(file(t, name)))
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !bytes.Equal(snapshot(t, p), file(t, name)) {
		t.Errorf("%s: the snapshot of what was restored differs", name)
	}
	return p
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
	of5 := file(t, "few.v7") // recent runtimes
	of5[len(snapshotMagic)+3] = 5
	for _, test := range []struct {
		file []byte
		kind error
		want string
	}{
		{append([]byte(snapshotMagic), 6), ErrFormat, "version 6, not 7"},
		{append([]byte(snapshotMagic), 8), ErrFormat, "version 8, not 7"},
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
