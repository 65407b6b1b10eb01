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
	features := []string{"user", "program", "user+program", All}
	p, err := New(Config{Features: features, Values: 1 << 20})
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
	counts := make(map[string]float64)
	name := func(job Attrs, feature string) string {
		user, program := job["user"], job["program"]
		switch feature {
		case "user":
			program = ""
		case "program":
			user = ""
		case All:
			user, program = "", ""
		}
		return fmt.Sprintf("%s %q %q", feature, user, program)
	}
	for _, job := range jobs {
		if err := p.Observe(job, 1, time.Time{}); err != nil {
			t.Fatal(err)
		}
		var got Prediction
		p.Predict(job, time.Time{}, &got)
		for _, c := range got.Candidates {
			counts[name(job, c.Feature)]++
			if want := counts[name(job, c.Feature)]; c.Jobs != want {
				t.Errorf("%d jobs have %.60s, want %v", int(c.Jobs), name(job, c.Feature), want)
			}
		}
	}
	if p.Values() != len(counts) {
		t.Errorf("%d values are held, want %d", p.Values(), len(counts))
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
