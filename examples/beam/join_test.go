package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	jobsHeader = "job,submitted\n"
	opsHeader  = "time,op,file,job\n"
)

// What becomes of operations in the corners of rules J1 to J4 of provenance.Find. Jobs a, b, c are
// submitted at 1, 2, 3 ns, and c2 with c; the window is 10 ns. All cases go through the pipeline
// together, each with jobs and files of its own.
func TestCorners(t *testing.T) {
	type rows = []string // time,op,job, of one file; several tables if there is an empty row
	ab := Pair{"a", "b"}
	for i, test := range corners(t, map[string]corner{
		"read after write":               {rows{"5,write,a", "6,read,b"}, map[Pair]Reads{ab: {1, 1, 6}}, 0},
		"read before write, one instant": {rows{"5,read,b", "5,write,a"}, map[Pair]Reads{ab: {1, 1, 5}}, 0},
		"read before write":              {rows{"5,read,b", "6,write,a"}, nil, 0},
		"no write":                       {rows{"5,read,b"}, nil, 0},
		"last write only":                {rows{"5,write,a", "6,write,b", "7,read,c"}, map[Pair]Reads{{"b", "c"}: {1, 1, 7}}, 0},
		"rows late":                      {rows{"7,read,c", "6,write,b", "5,write,a"}, map[Pair]Reads{{"b", "c"}: {1, 1, 7}}, 0},
		"two writes, one instant":        {rows{"5,write,a", "5,write,b", "7,read,c"}, map[Pair]Reads{{"b", "c"}: {1, 1, 7}}, 0},
		"the same, other rows":           {rows{"5,write,b", "5,write,a", "7,read,c"}, map[Pair]Reads{{"a", "c"}: {1, 1, 7}}, 0},
		"two writes, two tables":         {rows{"5,write,a", "", "5,write,b", "7,read,c"}, map[Pair]Reads{{"b", "c"}: {1, 1, 7}}, 0},
		"the same, other tables":         {rows{"7,read,c", "5,write,b", "", "5,write,a"}, map[Pair]Reads{{"a", "c"}: {1, 1, 7}}, 0},
		"end of window":                  {rows{"5,write,a", "15,read,b", "15,download,"}, map[Pair]Reads{ab: {1, 1, 15}}, 1},
		"after the window":               {rows{"5,write,a", "16,read,b", "16,download,"}, nil, 0},
		"no fall back, backward":         {rows{"5,write,a", "6,write,c", "7,read,b"}, nil, 0},
		"submitted together":             {rows{"5,write,c", "6,read,c2"}, nil, 0},
		"own output":                     {rows{"5,write,a", "6,read,a"}, nil, 0},
		"own output hides":               {rows{"5,write,a", "6,write,b", "7,read,b"}, nil, 0},
		"upload hides":                   {rows{"5,write,a", "6,upload,", "7,read,b", "7,download,"}, nil, 0},
		"write hides upload":             {rows{"5,upload,", "6,write,a", "7,read,b", "7,download,"}, map[Pair]Reads{ab: {1, 1, 7}}, 1},
		"upload in the same instant":     {rows{"5,write,a", "5,upload,", "7,read,b"}, nil, 0},
		"upload before, same instant":    {rows{"5,upload,", "5,write,a", "7,read,b"}, map[Pair]Reads{ab: {1, 1, 7}}, 0},
		"downloads":                      {rows{"5,download,", "5,write,a", "6,download,", "7,write,b", "8,download,"}, nil, 3},
		"many reads":                     {rows{"5,write,a", "8,read,b", "6,read,b", "6,read,c", "6,read,b"}, map[Pair]Reads{ab: {1, 3, 6}, {"a", "c"}: {1, 1, 6}}, 0},
		"before the epoch":               {rows{"-5,write,a", "-3,read,b"}, map[Pair]Reads{ab: {1, 1, -3}}, 0},
	}) {
		if test.want != test.got {
			t.Errorf("%d: got %s, want %s", i, test.got, test.want)
		}
	}
}

type corner struct {
	rows      []string
	deps      map[Pair]Reads
	downloads float64
}

type outcome struct{ got, want string }

// corners runs the cases, and says what came out and what was to.
func corners(t *testing.T, cases map[string]corner) (outcomes []outcome) {
	var jobs strings.Builder
	jobs.WriteString(jobsHeader)
	ops := []string{opsHeader, opsHeader}
	want := answer{Dependencies: make(map[Pair]Reads)}
	for name, c := range cases {
		id := func(job string) string { return name + "/" + job } // with commas and blanks
		for i, job := range []string{"a", "b", "c", "c2"} {
			jobs.WriteString(fmt.Sprintf("%q,%d\n", id(job), min(i+1, 3)))
		}
		table := 0
		for _, row := range c.rows {
			if row == "" {
				table++
				continue
			}
			v := strings.Split(row, ",")
			if v[2] != "" {
				v[2] = id(v[2])
			}
			ops[table] += fmt.Sprintf("%s,%s,%q,%q\n", v[0], v[1], name, v[2])
		}
		for p, r := range c.deps {
			want.Dependencies[Pair{id(p.Up), id(p.Down)}] = r
		}
	}
	config := tables(t, []string{jobs.String()}, ops...)
	config.Window = 10
	got, err := runPipeline(t, config)
	if err != nil {
		t.Fatal(err)
	}
	if d := differ(askLibrary(t, config), got); d != "" {
		t.Error(d)
	}
	for name, c := range cases {
		show := func(deps map[Pair]Reads, downloads float64) string {
			var lines []string
			for p, r := range deps {
				if strings.HasPrefix(p.Up, name+"/") {
					lines = append(lines, fmt.Sprint(p, r))
				}
			}
			slices.Sort(lines)
			return fmt.Sprint(name, ": ", lines, downloads)
		}
		downloads := 0.0
		for _, job := range []string{"a", "b", "c", "c2"} {
			downloads += got.Values[name+"/"+job].Own
		}
		outcomes = append(outcomes, outcome{show(got.Dependencies, downloads), show(want.Dependencies, c.downloads)})
	}
	return outcomes
}

// Random logs with many ties, in any order of rows, over several tables, are joined as the library
// joins them. They go through the pipeline together, and the bound on paths is at work in them.
func TestRandomLogsEqualLibrary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	jobs := []string{jobsHeader, jobsHeader}
	ops := []string{"\ufeff op,job,note, TIME ,file\n", "file,time,job,op\n", opsHeader}
	for log := range 60 {
		n, files, span := 2+rng.IntN(40), 1+rng.IntN(40), 5+rng.IntN(60)
		for job := range n {
			table := rng.IntN(len(jobs))
			jobs[table] += fmt.Sprintf("%d-%d,%d\n", log, job, rng.IntN(span))
		}
		for range rng.IntN(12 * n) {
			time, file := rng.IntN(span), fmt.Sprintf("%d/%d", log, rng.IntN(files))
			op, job := []string{"read", "write"}[rng.IntN(2)], fmt.Sprintf("%d-%d", log, rng.IntN(n))
			if rng.IntN(5) == 0 {
				op, job = []string{"download", "download", "upload"}[rng.IntN(3)], ""
			}
			switch table := rng.IntN(len(ops)); table {
			case 0:
				ops[0] += fmt.Sprintf("%s,%s,\"some, note\", %d ,%s\n", op, job, time, file)
			case 1:
				ops[1] += fmt.Sprintf("%s,%d,%s,%s\n", file, time, job, op)
			default:
				ops[2] += fmt.Sprintf("%d,%s,%s,%s\n", time, op, file, job)
			}
		}
	}
	c := tables(t, jobs, ops...)
	c.Window, c.Paths = 20, true
	last := 0
	for c.Iterations = range 3 {
		want := askLibrary(t, c)
		got, err := runPipeline(t, c)
		if err != nil {
			t.Fatal(err)
		}
		if d := differ(want, got); d != "" {
			t.Fatalf("%d iterations: %s", c.Iterations, d)
		}
		if len(want.Paths) < last+100 {
			t.Errorf("%d iterations find %d pairs, want 100 more than %d", c.Iterations, len(want.Paths), last)
		}
		last = len(want.Paths)
	}
}

// The window of 0 is the library's default.
func TestDefaultWindow(t *testing.T) {
	days := int64(30 * 24 * time.Hour)
	c := tables(t, []string{jobsHeader + "a,0\nb,1\nc,1\n"},
		opsHeader+fmt.Sprintf("0,write,f,a\n%d,read,f,b\n%d,read,f,c\n", days, days+1))
	got, err := runPipeline(t, c)
	if err != nil {
		t.Fatal(err)
	}
	want := map[Pair]Reads{{"a", "b"}: {1, 1, days}}
	if !maps.Equal(got.Dependencies, want) {
		t.Errorf("got %v, want %v", got.Dependencies, want)
	}
}
