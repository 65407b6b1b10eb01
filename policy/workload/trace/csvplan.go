package trace

import (
	"fmt"
	"slices"
	"strings"
)

// planCSV reads ReaderConfig.Columns.
func planCSV(text string) (*csvPlan, error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("trace: columns %q: %s", cut(text), fmt.Sprintf(format, args...))
	}
	p := new(csvPlan)
	entries, err := splitPlan(text)
	if err != nil {
		return nil, wrong("%v", err)
	}
	for _, entry := range entries {
		entry = strings.TrimSpace(entry)
		if condition, ok := strings.CutPrefix(entry, "?"); ok {
			c, err := planCondition(condition)
			if err != nil {
				return nil, wrong("%v", err)
			}
			p.where = append(p.where, c)
			continue
		}
		key, column, _ := strings.Cut(entry, "=")
		if numbered(key) { // 1=submit:unix is submit=1:unix of a table without a header
			p.numbered = true
			what, unit, ok := strings.Cut(column, ":")
			if key, column = what, key; ok {
				column += ":" + unit
			}
		}
		if key == "" || column == "" {
			if key == text {
				return nil, wrong("want the name of a preset (%s), or a list of key=column and ?condition", listed(Presets()))
			}
			return nil, wrong("%q is not key=column or ?condition", entry)
		}
		if name, ok := strings.CutPrefix(key, "need."); ok {
			n, err := planNeed(name, column)
			switch {
			case err != nil:
				return nil, wrong("%v", err)
			case slices.ContainsFunc(p.needs, func(n csvNeed) bool { return n.key == name }):
				return nil, wrong("%s is given twice", key)
			}
			p.needs = append(p.needs, n)
			continue
		}
		k := csvKey(slices.IndexFunc(csvNames[:], func(n csvName) bool { return n.name == key }))
		if attr, ok := strings.CutPrefix(key, "@"); ok && attr != "" {
			k, key = -1, attr
		}
		switch {
		case k < 0:
			if slices.ContainsFunc(p.attrs, func(c csvColumn) bool { return c.key == key }) {
				return nil, wrong("%s is given twice", key)
			}
			p.attrs = append(p.attrs, csvColumn{column: column, key: key})
			continue
		case p.has(k) || k == csvJob && p.whole:
			return nil, wrong("%s is given twice", key)
		case k == csvJob && column == "*":
			p.whole = true
			continue
		}
		p.keys[k] = csvColumn{column: column}
		if units := csvNames[k].units; units != nil {
			if p.keys[k].column, p.keys[k].unit, err = cutUnit(key, column, units); err != nil {
				return nil, wrong("%v", err)
			}
		}
		if k == csvRuntime {
			if p.sum = planSum(p.keys[k].column); p.sum != nil && p.keys[k].unit.scale == 0 {
				return nil, wrong("a sum is not in unit %s", p.keys[k].unit.name)
			} else if p.sum != nil {
				p.keys[k].column = p.sum[0].column
			}
		}
	}
	if p.numbered {
		p.each(func(c *csvColumn) {
			if n, ok := natural([]byte(c.column)); c.column != "" && (!ok || n < 1 || n > maxColumns) {
				err = wrong("%q is not the number of a column, as in 1=submit: name all columns by numbers, or all by names", c.column)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	if what := p.missing(); what != "" {
		return nil, wrong("%s", what)
	}
	return p, nil
}

// numbered reports whether a key of a plan is a column, by its number, or a few of them.
func numbered(key string) bool {
	return key != "" && '0' <= key[0] && key[0] <= '9' && strings.Trim(key, "0123456789.*+/") == ""
}

// planSum reads a sum such as 0.2*in+30*out; nil if the text is none, but the name of a column.
func planSum(text string) (sum []csvTerm) {
	for part := range strings.SplitSeq(text, "+") {
		rate, column, _ := strings.Cut(part, "*")
		x, ok := finite([]byte(rate))
		if !ok || x < 0 || column == "" {
			return nil
		}
		sum = append(sum, csvTerm{csvColumn{column: column}, x})
	}
	return sum
}

// cutUnit cuts the unit off a column, as in queued:ms. The first of the units is the default.
func cutUnit(key, text string, units []csvUnit) (column string, unit csvUnit, err error) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, units[0], nil
	}
	var names []string
	for _, u := range units {
		if u.name == text[i+1:] {
			return text[:i], u, nil
		}
		names = append(names, u.name)
	}
	return "", unit, fmt.Errorf("%s has no unit %q, want one of %s", key, text[i+1:], strings.Join(names, ", "))
}

// splitPlan cuts a plan at its commas, but not at those of a column's name in quotes. The entries are without the quotes, except
// around the column of a condition.
func splitPlan(text string) (entries []string, err error) {
	var entry []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ',':
			entries, entry = append(entries, string(entry)), entry[:0]
		case c == '"' && i > 0 && strings.IndexByte("=?*", text[i-1]) >= 0:
			n := strings.IndexByte(text[i+1:], '"')
			if n < 0 {
				return nil, fmt.Errorf("a quote is not closed: %s", text[i:])
			}
			name := text[i+1:][:n]
			if strings.TrimSpace(string(entry)) == "?" {
				name = text[i:][:n+2]
			}
			entry = append(entry, name...)
			i += n + 1
		default:
			entry = append(entry, c)
		}
	}
	return append(entries, string(entry)), nil
}

// missing says what the plan lacks, or has too much.
func (p *csvPlan) missing() string {
	submit, start, end := p.keys[csvSubmit], p.keys[csvStart], p.keys[csvEnd]
	switch {
	case submit.column == "":
		return "submit is not given" + p.keyHint(csvSubmit, likeSubmit)
	case p.has(csvRuntime) == (p.has(csvStart) && p.has(csvEnd)) || p.has(csvStart) != p.has(csvEnd):
		hint := ""
		if !p.has(csvRuntime) {
			hint = p.keyHint(csvRuntime, likeRuntime)
		}
		return "want either runtime or both start and end" + hint
	case start.unit.epoch != end.unit.epoch:
		return "want start and end both since 1970, or neither"
	case p.has(csvDeadline) && p.keys[csvDeadline].unit.epoch != submit.unit.epoch:
		return "want submit and deadline both since 1970, or neither"
	case p.has(csvLimited) && !p.has(csvRequested):
		return "limited is given without requested"
	case p.has(csvUtility) && !p.has(csvDeadline):
		return "utility is given without deadline"
	case p.has(csvTasks) && p.has(csvGang):
		return "want tasks or gang, not both"
	case p.grouped() && (p.has(csvTasks) || p.has(csvGang)):
		return "with job, each row is a task, so want neither tasks nor gang"
	case !p.grouped() && (p.has(csvStage) || p.has(csvTask) || p.has(csvParents)):
		return "stage, task and parents want job"
	case p.has(csvTask) != p.has(csvParents):
		return "want both task and parents, or neither"
	case p.has(csvTask) && p.has(csvStage):
		return "with task and parents, each row is a stage, so want no stage"
	}
	return p.wrongNeeds()
}

// planCondition reads a condition, without its question mark.
func planCondition(text string) (csvCondition, error) {
	column, is, _ := strings.Cut(strings.TrimPrefix(text, `"`), `"`)
	if !strings.HasPrefix(text, `"`) {
		i := strings.IndexAny(text+"=", "=!>")
		column, is = text[:i], text[i:]
	}
	c := csvCondition{csvColumn: csvColumn{column: column}, is: '?'}
	no := fmt.Errorf("?%s is not a condition: want ?column, ?column=text, ?column!=text or ?column>number", text)
	if is != "" {
		if c.is, c.value = is[0], is[1:]; !strings.ContainsRune("=!>", rune(c.is)) {
			return c, no
		}
	}
	var ok bool
	switch c.is {
	case '?':
		c.why = c.column + " is blank"
	case '=':
		c.why = c.column + " is not " + c.value
	case '>':
		c.why = c.column + " is not above " + c.value
		if c.number, ok = finite([]byte(c.value)); !ok {
			return c, fmt.Errorf("%q is not a number", c.value)
		}
	case '!':
		if c.value, ok = strings.CutPrefix(c.value, "="); !ok {
			return c, no
		}
		c.why = c.column + " is " + c.value
	}
	if c.column == "" {
		return c, fmt.Errorf("?%s names no column", text)
	}
	return c, nil
}

// holds reports whether a row with this text in the column is read.
func (c *csvCondition) holds(text []byte) bool {
	switch c.is {
	case '?':
		return len(text) > 0
	case '=':
		return string(text) == c.value
	case '!':
		return string(text) != c.value
	}
	x, ok := finite(text)
	return ok && x > c.number
}
