package main

import "testing"

// A chain of ten jobs, with a shorter way past two of them, so that pairs are tied by paths of
// different lengths. Only the last job is downloaded from.
func chain(t testing.TB) config {
	jobs, ops := jobsHeader, opsHeader
	for i, job := range "abcdefghij" {
		jobs += string(job) + "," + string('0'+rune(i)) + "\n"
		ops += "100,write,from " + string(job) + "," + string(job) + "\n"
		if i > 0 {
			ops += "101,read,from " + string("abcdefghij"[i-1]) + "," + string(job) + "\n"
		}
	}
	ops += "101,read,from a,d\n" + "102,download,from j,\n" + "102,download,from j,\n"
	return tables(t, []string{jobs}, ops)
}

// With k iterations there are all paths of up to 2^k dependencies, and no longer ones.
func TestIterationsBoundPaths(t *testing.T) {
	for k, want := range []struct {
		pairs    int
		valuable string // the job furthest from the last one that has some of its value
	}{
		{10, "i"}, // the 9 of the chain, and a to d
		{19, "h"},
		{32, "f"},
		{45, "a"}, // all: by d, a is 7 from the end
		{45, "a"},
	} {
		c := chain(t)
		c.Iterations, c.Paths = k, true
		got, err := runPipeline(t, c)
		if err != nil {
			t.Fatal(err)
		}
		if d := differ(askLibrary(t, c), got); d != "" {
			t.Errorf("%d iterations: %s", k, d)
		}
		if len(got.Paths) != want.pairs {
			t.Errorf("%d iterations: got %d pairs, want %d", k, len(got.Paths), want.pairs)
		}
		far := "j"
		for job, w := range got.Values {
			if w.Aggregate > 0 {
				far = min(far, job)
			}
		}
		if far != want.valuable {
			t.Errorf("%d iterations: got value back to %s, want %s", k, far, want.valuable)
		}
		// d hands a half of 2 to a by itself, and the other half by c and b: 9 dependencies.
		if k == 3 && got.Values["a"].Aggregate != 1 {
			t.Errorf("got %v for a within 8 dependencies, want 1", got.Values["a"])
		}
		if k == 4 && got.Values["a"].Aggregate != 2 {
			t.Errorf("got %v for a within 16 dependencies, want 2", got.Values["a"])
		}
	}
}
