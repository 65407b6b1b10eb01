package predict

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Jobs whose attributes differ share no history, whatever the attributes are.
func TestDifferentValuesShareNoHistory(t *testing.T) {
	texts := []string{
		"build",
		// With MurmurHash3_x64_128 and seed 0 this text has the hash of "build".
		"\xb8\xc4D\x87\xb2\xb5\xcd\xea\x0e\x18\xe2\x9a\xdd\xddx\x12",
		"", "\x00", "a", "ab", "b", "\x01a", "a\x01b", "build\x00",
	}
	for n := range 40 { // all lengths near the blocks of a hash
		texts = append(texts, strings.Repeat("x", n+1), strings.Repeat("\x00", n+2))
	}
	texts = append(texts, strings.Repeat("x", 4<<10), strings.Repeat("x", 4<<10)+"y")
	names := []string{"user", "program", "user+program", All}
	features, err := newFeatureSet(names)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []Attrs
	for _, text := range texts {
		jobs = append(jobs, Attrs{"user": text}, Attrs{"program": text})
		for _, other := range texts[:10] {
			jobs = append(jobs, Attrs{"user": text, "program": other})
		}
	}
	secret, values, used := newSecret(), make(map[key]string), make(map[string]key)
	for _, job := range jobs {
		var k keys
		features.keys(job, secret, &k)
		for i := range k.features() {
			user, program := job["user"], job["program"]
			switch names[i] {
			case "user":
				program = ""
			case "program":
				user = ""
			case All:
				user, program = "", ""
			}
			value := fmt.Sprintf("%s %q %q", names[i], user, program)
			if other, ok := values[k.of[i]]; ok && other != value {
				t.Errorf("%.60s has the key of %.60s", value, other)
			}
			if before, ok := used[value]; ok && before != k.of[i] {
				t.Errorf("%.60s has two keys", value)
			}
			values[k.of[i]], used[value] = value, k.of[i]
		}
	}
}

// A meddler is a job that restores a predictor while its attribute is read.
type meddler struct {
	restore func()
	times   int
}

func (m *meddler) Attr(string) (string, bool) {
	if m.times > 0 {
		m.times--
		m.restore()
	}
	return "ann", true
}

// A Restore between the hash of a job and its observation or prediction brings another secret. The job is then hashed again.
func TestRestoreMeanwhile(t *testing.T) {
	c := Config{Features: []string{"user"}}
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	m := &meddler{restore: func() {
		q, err := New(c)
		if err == nil {
			err = q.Observe(Attrs{"user": "ann"}, 5, time.Time{})
		}
		if err == nil {
			err = p.Restore(strings.NewReader(string(snapshot(t, q))))
		}
		if err != nil {
			t.Error(err)
		}
	}}
	for _, step := range []struct {
		what string
		do   func() (float64, bool)
		want float64
	}{
		{"Estimate", func() (float64, bool) { return p.Estimate(m, time.Time{}) }, 5},
		{"Predict", func() (float64, bool) {
			var got Prediction
			ok := p.Predict(m, time.Time{}, &got)
			return got.Runtime, ok
		}, 5},
		{"Observe", func() (float64, bool) {
			if err := p.Observe(m, 7, time.Time{}); err != nil {
				t.Error(err)
			}
			return p.Estimate(m, time.Time{})
		}, 6},
	} {
		m.times = 2
		if got, ok := step.do(); !ok || got != step.want || p.Values() != 1 {
			t.Errorf("%s: estimate is %v, %v of %d values, want %v of 1", step.what, got, ok, p.Values(), step.want)
		}
	}
}
