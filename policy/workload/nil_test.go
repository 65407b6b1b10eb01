package workload

import (
	"strings"
	"testing"
)

// What is nil, and needed, gives an error that says so.
func TestNilIsRefused(t *testing.T) {
	jobs := []*Job{{}, nil}
	for _, test := range []struct {
		name string
		call func() error
		want string
	}{
		{"Stretch", func() error { _, err := Stretch(jobs, 2); return err }, "number 2 of the jobs is nil"},
		{"Window", func() error { _, err := Window(jobs, 0, 1); return err }, "number 2 of the jobs is nil"},
		{"Join", func() error { _, _, err := Join(jobs, Of(nil), "id"); return err }, "number 2 of the jobs is nil"},
		{"Join of nothing", func() error { _, _, err := Join(nil, nil, "id"); return err }, "a source that is nil"},
		{"Join with nil", func() error { _, _, err := Join(nil, Of(jobs), "id"); return err }, "number 2 of the jobs is nil"},
	} {
		if err := test.call(); err == nil || !strings.HasPrefix(err.Error(), "workload: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}
