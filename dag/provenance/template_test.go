package provenance_test

import (
	"strings"
	"testing"

	"example.com/augur/dag/provenance"
)

func TestTemplate(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"", ""},
		{"DailyReport", "DailyReport"},
		{"DailyReport_2020-11-04", "DailyReport_#-#-#"},
		{"DailyReport_2020-1-4", "DailyReport_#-#-#"},
		{"DailyReport_20201104T0300Z", "DailyReport_#T#Z"},
		{"run42.script", "run#.script"},
		{"logs 04 Nov 2020", "logs # # #"},
		{"logs_Nov-04", "logs_#-#"},
		{"logs04nov2020", "logs###"},
		{"logs_september_9", "logs_#_#"},
		{"may_the_1st", "may_the_#st"},
		{"marchand 7", "marchand #"},
		{"sept 7", "sept #"},
		{"part_9f86d081", "part_#"},
		{"part_9F86D08", "part_#"},
		{"part_9f86d0", "part_#f#d#"},
		{"decade", "decade"},
		{"deadbeef", "deadbeef"},
		{"9f86d081x", "#f#d#x"},
		{"job-123e4567-e89b-12d3-a456-426614174000", "job-#"},
		{"123e4567-e89b-12d3-a456-426614174000.out", "#.out"},
		{"abcdabcd-abcd-abcd-abcd-abcdabcdabcd", "#"},
		{"abcdabcd-abcd-abcd-abcd-abcdabcdabcde", "abcdabcd-abcd-abcd-abcd-abcdabcdabcde"},
		{"größe 5", "größe #"},
		{"a\xff1", "a\xff#"},
	} {
		if got := provenance.Template(test.name); got != test.want {
			t.Errorf("%q: got %q, want %q", test.name, got, test.want)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("a1b2-Nov-04-9f86d081-123e4567-e89b-12d3-a456-426614174000")
	f.Fuzz(func(t *testing.T, name string) {
		got := provenance.Template(name)
		if len(got) > len(name) || strings.ContainsAny(got, "0123456789") {
			t.Errorf("%q: got %q", name, got)
		}
	})
}
