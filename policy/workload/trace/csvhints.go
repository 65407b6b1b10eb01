package trace

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// What newcomers get wrong first is which column is what, so these errors say what to write instead. All begin with
// a semicolon, and are empty if there is nothing to say.

// unitHint says which unit would do for an instant that is out of range, or no number, in the unit of its column.
func (t *csvTable) unitHint(k csvKey) string {
	c, text := &t.header.keys[k], t.text(k)
	if _, p := date(text, ""); p == nil {
		return fmt.Sprintf("; for a date say %s=%s:date", csvNames[k].name, c.column)
	}
	x, err := number(text)
	for _, u := range csvInstants {
		// 1e9 s after 1970 is in September 2001, and 4e9 s in October 2096.
		if s := x * float64(u.scale) / 1e9; err == nil && u.epoch && u.name != c.unit.name && s >= 1e9 && s <= 4e9 {
			return fmt.Sprintf("; if it counts from 1970, say %s=%s:%s", csvNames[k].name, c.column, u.name)
		}
	}
	return ""
}

// Names of columns that are likely to be those of a key begin like this.
var (
	likeSubmit  = []string{"subm", "arriv", "creat", "time", "date"}
	likeRuntime = []string{"run", "dur", "elapsed", "took", "sec"}
)

func alike(name string, begins []string) bool {
	return slices.ContainsFunc(begins, func(begin string) bool { return strings.HasPrefix(strings.ToLower(name), begin) })
}

// keyHint names an attribute of the plan that may be meant to be a key that is not given.
func (p *csvPlan) keyHint(k csvKey, like []string) string {
	for _, a := range p.attrs {
		if alike(a.key, like) {
			return fmt.Sprintf("; %s=%s makes an attribute, so say %s=%s", a.key, a.column, csvNames[k].name, a.column)
		}
	}
	return ""
}

// separatorHint says that columns are separated by something else than commas.
func separatorHint(header []byte) string {
	for _, sep := range []string{";", "\t", "|"} {
		if bytes.Count(header, []byte(sep)) > bytes.Count(header, []byte(",")) {
			return fmt.Sprintf("; its columns are separated by %q, want commas", sep)
		}
	}
	return ""
}

// columnsHint says how to name the columns of a table, if the line may be its header.
func columnsHint(header []byte) string {
	if hint := separatorHint(header); hint != "" {
		return hint
	}
	cols, p := splitCSV(nil, header)
	if p != nil || len(cols) < 2 {
		return ""
	}
	submit, runtime := "COLUMN", "COLUMN"
	for _, c := range slices.Backward(cols) {
		name := string(bytes.TrimSpace(c))
		if _, err := number(c); err == nil || name == "" {
			return ""
		}
		switch {
		case len(name) > 40:
		case alike(name, likeSubmit):
			submit = name
		case alike(name, likeRuntime):
			runtime = name
		}
	}
	return fmt.Sprintf("; of a table in CSV, say which columns are what, such as submit=%s,runtime=%s", submit, runtime)
}
