package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
)

func TestReadScripts(t *testing.T) {
	scripts, err := readScripts("# two\njob a\nstage x 2: echo a:b\n\njob b 1.5 limit 10m user u\nstage x 1: true\nstage y 3 cores 2 memory 5MB saves 2s after x: false\n", "f")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, s := range scripts {
		fmt.Fprintln(&got, s.Name, s.at, s.work.Stages, s.work.Commands)
	}
	if want := "a 0s [x] [echo a:b]\nb 1.5s [x y] [true false]\n"; got.String() != want {
		t.Errorf("got\n%swant\n%s", &got, want)
	}
	if y := scripts[1].Stages[1]; len(y.Reads) != 1 || y.Reads[0] != (policy.Dep{}) || !y.Saves || y.Cores != 2 || y.Memory != 5e6 || y.Reload != 2*time.Second || scripts[1].Stages[0].Saves {
		t.Errorf("stage y is %+v, want that it reads stage 0, takes 2 cores and 5 MB, saves, and reloads for 2 s", y)
	}
	if b := scripts[1]; !b.Limited || b.Requested != 10*time.Minute || len(b.Attrs) != 2 || b.Attrs[0].Value != "b" || b.Attrs[1].Value != "u" {
		t.Errorf("job b is %+v, want a limit of 10 min, program b and user u", b.Job)
	}
}

func TestBadCommandLines(t *testing.T) {
	dir := t.TempDir()
	file := func(text string) string {
		name := filepath.Join(dir, "f")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct{ jobs, args, want string }{
		{"", "-cores 0 -dir " + dir, "-cores is 0"},
		{"", "-jobs f", "-dir is empty"},
		{"# none\n", "", "no jobs"},
		{"stage x 1: true\n", "", `f:1: it begins with "stage"`},
		{"", "start", "is no command, want flags or one of cancel list machine serve submit wait"},
		{"", "submit -dir " + dir, "no file of jobs"},
		{"", "cancel -dir " + dir, "no job"},
		{"", "list -dir " + dir, "no scheduler is there"},
		{"", "machine -dir " + dir, "-name is \"\""},
		{"", "machine -dir " + dir + " -memory 0GB", "want a whole number above 0 of kB"},
		{"", "serve -dir " + dir + " -patience 1ms", "-patience is 1ms"},
		{"job\n", "", "f:1: want job NAME"},
		{"job a/b\n", "", "f:1: want job NAME"},
		{"job a limit\n", "", `second "limit"`},
		{"job a limit 0s\n", "", `limit is "0s"`},
		{"job a 1 color red\n", "", `job a has "color"`},
		{"job a\nstage x 1: true\njob a\n", "", "f:3: job a has the name of the job in line 1"},
		{"job a\nstage x 1 cores 0: true\n", "", `cores is "0"`},
		{"job a\nstage x 1 memory much: true\n", "", `memory is "much"`},
		{"job a\nstage x 1 cores 3: true\n", "", "job a, stage x, takes more"},
		{"job a NaN\n", "", `second "NaN"`},
		{"job a 2\nstage x 1: true\njob b 1\n", "", "f:3: job b comes at second"},
		{"job a\n", "", "job a: policy: job 1 has no stages"},
		{"job a\nstage x 0: true\n", "", `"0" tasks`},
		{"job a\nstage x 1:\n", "", "COMMAND"},
		{"job a\nstage x 1 after: true\n", "", `has "after"`},
		{"job a\nstage x 1 saves: true\n", "", "saves has no value"},
		{"job a\nstage x 1 saves long: true\n", "", `saves is "long"`},
		{"job a\nstage x 1 saves -1s: true\n", "", `saves is "-1s"`},
		{"job a\nstage x 1 after y: true\n", "", "comes after y"},
		{"job a\nstage x 1: true\n", "-policy nobody", "nobody"},
		{"job a\nstage x 1: true\n", "-policy fair+grass", "may return Report"},
		{"job a\nstage x 1: true\n", "-policy srpt", "-policy srpt: "},
	} {
		args := strings.Fields(c.args)
		if c.jobs != "" {
			args = append(args, "-dir", filepath.Join(dir, "new"), "-jobs", file(c.jobs))
		}
		var out bytes.Buffer
		if err := run(t.Context(), args, &out, &out); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %q: got error %v, want %q in it", c.args, c.jobs, err, c.want)
		}
	}
}
