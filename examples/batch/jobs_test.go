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
	scripts, err := readScripts("# two\njob a\nstage x 2: echo a:b\n\njob b 1.5\nstage x 1: true\nstage y 3 saves 2s after x: false\n", "f")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, s := range scripts {
		fmt.Fprintln(&got, s.name, s.at, s.names, s.commands)
	}
	if want := "a 0s [x] [echo a:b]\nb 1.5s [x y] [true false]\n"; got.String() != want {
		t.Errorf("got\n%swant\n%s", &got, want)
	}
	if y := scripts[1].stages[1]; len(y.Reads) != 1 || y.Reads[0] != (policy.Dep{}) || !y.Saves || y.Reload != 2*time.Second || scripts[1].stages[0].Saves {
		t.Errorf("stage y is %+v, want that it reads stage 0, saves, and reloads for 2 s", y)
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
		{"job\n", "", "f:1: 1 words"},
		{"job a NaN\n", "", `second "NaN"`},
		{"job a 2\nstage x 1: true\njob b 1\n", "", "f:3: job b comes at second"},
		{"job a\n", "", "job a: policy: job 1 has no stages"},
		{"job a\nstage x 0: true\n", "", `"0" tasks`},
		{"job a\nstage x 1:\n", "", "COMMAND"},
		{"job a\nstage x 1 after: true\n", "", "want stage NAME"},
		{"job a\nstage x 1 saves: true\n", "", "want stage NAME"},
		{"job a\nstage x 1 saves long: true\n", "", `reloads for "long"`},
		{"job a\nstage x 1 saves -1s: true\n", "", `reloads for "-1s"`},
		{"job a\nstage x 1 after y: true\n", "", "comes after y"},
		{"job a\nstage x 1: true\n", "-policy nobody", "nobody"},
		{"job a\nstage x 1: true\n", "-policy fair+grass", "second copies"},
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
