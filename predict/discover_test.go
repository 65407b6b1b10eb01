package predict

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFeaturesAreFound(t *testing.T) {
	p, _ := newPair(t, Config{})
	var want strings.Builder
	want.WriteString("*")
	for _, step := range []struct {
		job  Job
		more string
	}{
		{nil, ""},
		{Attrs{}, ""},
		{Attrs{"program": "build", "bytes": "1e6"}, " log(bytes) program log(bytes)+program"},
		{Attrs{"user": "7", "bytes": "many"}, " user log(bytes)+user program+user"}, // owners are no numbers, and bytes stay numbers
		{Attrs{"disk": "1", "host": "a", "group": "b"}, " log(disk) group host program+log(disk) user+log(disk)" +
			" log(bytes)+group program+group user+group log(disk)+group program+host user+host group+host"},
		{Attrs{"": "1", "log(bytes)": "1", "a+b": "1", " c": "1", "*": "1", "program": "1", "NaN": "NaN"}, " NaN program+NaN user+NaN group+NaN"},
	} {
		want.WriteString(step.more)
		if err := p.Observe(step.job, 1, time.Time{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Features(), " "); got != want.String() {
			t.Errorf("after %v there are the features\n%s, want\n%s", step.job, got, want.String())
		}
	}
	many := make(Attrs)
	for i := range 40 {
		many[fmt.Sprint("a", i)] = "x"
	}
	if err := p.Observe(many, 1, time.Time{}); err != nil || len(p.Features()) != 32 || len(p.discovery.seen) != 32 {
		t.Errorf("of many attributes %d are seen, and there are %d features, error %v", len(p.discovery.seen), len(p.Features()), err)
	}
	if err := p.Observe(struct{ Job }{Attrs{"user": "ann"}}, 1, time.Time{}); err != errNoList || p.Observed() != 7 {
		t.Errorf("a job that lists no attributes: error %v, and %d jobs, want %v and 7", err, p.Observed(), errNoList)
	}
}

// A predictor that finds features learns as one that had them listed from the first job on.
func TestFoundEqualsListed(t *testing.T) {
	for seed := range uint64(3) {
		list := []string{All}
		for i := range 2 { // at first to see what is found
			c := Config{HalfLife: 3 * time.Hour}
			p, _ := newPair(t, c)
			c.Features = list
			listed, _ := newPair(t, c)
			rng := rand.New(rand.NewPCG(seed, 7))
			now := time.Unix(1e9, 0)
			for range 200 {
				job, runtime := randomJob(rng)
				job[[]string{"user", "host", "disk"}[rng.IntN(3)]] = fmt.Sprint(rng.IntN(6))
				now = now.Add(time.Duration(rng.ExpFloat64() * float64(time.Hour)))
				if i > 0 {
					equal(t, p, listed, job, now)
				}
				for _, p := range []*Predictor{p, listed} {
					if err := p.Observe(job, runtime, now); err != nil {
						t.Fatal(err)
					}
				}
			}
			list = p.Features()
		}
	}
}

// Of 30 attributes, 28 tell nothing: half of them are always the same, and the others never, but for two that tell much of few
// jobs. After 1,000 jobs, the pairs that waited have their places, and nothing is left of what they had.
func TestWhatTellsNothingGivesRoom(t *testing.T) {
	p, _ := newPair(t, Config{})
	q, _ := newPair(t, Config{})
	n := 0
	observe := func(learn func(Job, float64, time.Time) error, n int) {
		t.Helper()
		job := Attrs{"user": fmt.Sprint(n % 3), "program": fmt.Sprint(n / 3 % 3)}
		for i := range 14 {
			job[fmt.Sprintf("a%02d", i)] = "x"
			job[fmt.Sprintf("b%02d", i)] = fmt.Sprint("job", n)
		}
		switch n % 25 {
		case 0:
		case 9:
			job["b12"], job["b13"] = fmt.Sprint("job", n-9), fmt.Sprint("job", n-9) // a job of the same runtime
		default:
			delete(job, "b12")
		}
		if n == 1000 {
			delete(job, "program")
		}
		runtime := float64(1+9*(n%3)) * float64(1+4*(n/3%3))
		if err := learn(job, runtime, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 1001 { // jobs that were stopped show nothing
		observe(q.ObserveCensored, n)
	}
	if got := q.Features()[1]; got != "a00" {
		t.Errorf("a00 has given room to %s", got)
	}
	for ; n < 1000; n++ {
		observe(p.Observe, n)
	}
	before := p.Features()
	if len(before) != maxFeatures || before[31] != "a00+program" || p.Values() != 1+14+12*1000+40+960+3+3+3 {
		t.Fatalf("there are %d values of the features %q", p.Values(), before)
	}
	if err := q.Restore(bytes.NewReader(snapshot(t, p))); err != nil { // with what waits, and what the features have told
		t.Fatal(err)
	}
	for ; n < 1001; n++ {
		observe(p.Observe, n)
		observe(q.Observe, n)
	}
	if !bytes.Equal(snapshot(t, p), snapshot(t, q)) {
		t.Error("another predictor goes on otherwise after a Restore")
	}
	after := p.Features()
	if slices.Contains(after, "a00") || slices.Contains(after, "b12") || slices.Contains(after, "b13") || after[29] != "program" || after[30] != "user" ||
		after[1] != "a01+program" {
		t.Errorf("the features are %q", after)
	}
	if missing := p.Missing(); !slices.Contains(missing, "a01+program") || slices.Contains(missing, "program") {
		t.Errorf("%q are missing", missing)
	}
	for _, v := range p.store.values {
		if f := after[v.feature&^often]; !slices.Contains(before, f) && v.weight > 1 {
			t.Errorf("%s has a value of %v jobs after 1", f, v.weight)
		}
	}
}

// Of other features, those that are still there keep their history.
func TestRestoreOfOtherFeatures(t *testing.T) {
	job := Attrs{"user": "ann", "program": "build", "bytes": "1000"}
	full := []string{31: "user"} // for which a predictor that has All too has no room
	for i := range full[:31] {
		full[i] = fmt.Sprint("a", i)
	}
	for _, test := range []struct {
		from, to []string
		then     string // the features that have a history
		next     string // and all after one more job
	}{
		{[]string{"user", "program"}, []string{"program", "bytes", "user"}, "program user", "program bytes user"},
		{[]string{"user+program", "user+log(bytes)"}, []string{"log(bytes)+user", "program+user"}, "log(bytes)+user program+user", "log(bytes)+user program+user"},
		{[]string{"program", "user+log(bytes)"}, nil, "program user+log(bytes)", "* program user+log(bytes) log(bytes) user log(bytes)+program program+user"},
		{full, nil, "", "*"},
		{nil, []string{"user+program", "bytes", "user"}, "user+program user", "user+program bytes user"},
		{nil, nil, "* log(bytes) program user log(bytes)+program log(bytes)+user program+user", "* log(bytes) program user log(bytes)+program log(bytes)+user program+user"},
	} {
		p, _ := newPair(t, Config{Features: test.from})
		q, _ := newPair(t, Config{Features: test.to})
		for range 3 {
			if err := p.Observe(job, 7, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.Restore(bytes.NewReader(snapshot(t, p))); err != nil {
			t.Fatal(err)
		}
		known := func(jobs float64) (names []string) {
			var got Prediction
			q.Predict(job, time.Time{}, &got)
			for _, c := range got.Candidates {
				if c.Jobs >= jobs {
					names = append(names, c.Feature)
				}
			}
			return names
		}
		if got := strings.Join(known(3), " "); got != test.then || q.Values() != len(known(3)) {
			t.Errorf("%q to %q: %d values of %s, want %s", test.from, test.to, q.Values(), got, test.then)
		}
		if err := q.Observe(job, 7, time.Time{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(known(1), " "); got != test.next {
			t.Errorf("%q to %q: after one more job %s, want %s", test.from, test.to, got, test.next)
		}
	}
}

func TestForget(t *testing.T) {
	p, _ := newPair(t, Config{Features: []string{"user", "program+log(bytes)", All}})
	for i := range 60 {
		for _, program := range []string{"build", "test"} {
			job := Attrs{"user": "ann", "program": program, "bytes": fmt.Sprint(1 << (i % 3 * 5))}
			if err := p.Observe(job, 1, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	values := p.Values()
	for _, step := range []struct {
		job     Attrs
		feature string
		want    bool
		left    int
	}{
		{Attrs{"program": "build", "bytes": "1"}, "program", false, values},
		{Attrs{"program": "build", "bytes": "1"}, "user", false, values},
		{Attrs{"program": "build", "bytes": "1"}, "", false, values},
		{Attrs{"program": "none", "bytes": "1"}, "program+log(bytes)", false, values},
		{Attrs{"program": "build", "bytes": "1"}, "log(bytes)+program", true, values/2 + 1}, // with all bins
		{Attrs{"program": "build", "bytes": "1"}, "log(bytes)+program", false, values/2 + 1},
		{Attrs{"user": "ann"}, "user", true, values / 2},
		{nil, All, true, values/2 - 1},
	} {
		if got := p.Forget(step.job, step.feature); got != step.want || p.Values() != step.left {
			t.Errorf("Forget(%v, %q) is %v, and %d values are left, want %v and %d", step.job, step.feature, got, p.Values(), step.want, step.left)
		}
	}
}

// While All has no history, as after a Forget, nothing is scored: a feature that tells nothing does not seem to tell much.
func TestForgetAllScoresNothing(t *testing.T) {
	p, _ := newPair(t, Config{})
	observe := func(runtime float64) {
		if err := p.Observe(Attrs{"cluster": "c"}, runtime, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 100 {
		observe(float64(50 + i))
	}
	before := p.discovery.gains[1]
	if p.Forget(nil, All); before.log != 0 {
		t.Fatalf("a feature that all jobs share has gained %v", before.log)
	}
	before.jobs++
	if observe(100); p.discovery.gains[1] != before {
		t.Errorf("the gain is %v, want %v", p.discovery.gains[1], before)
	}
	if observe(100); p.discovery.gains[1].scored != before.scored+1 {
		t.Errorf("%d jobs are scored, want %d", p.discovery.gains[1].scored, before.scored+1)
	}
}
