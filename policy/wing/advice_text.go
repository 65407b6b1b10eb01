package wing

import (
	"fmt"
	"strings"
	"time"
)

// text returns the Text of a finding.
func (a *advisor) text(f *Finding) string {
	t := &a.templates[f.Template]
	return fmt.Sprintf("%s (%s, queue %s): %v. %s", t.Name, t.Owner, t.Queue, f.Kind, a.reason(f, t))
}

func (a *advisor) reason(f *Finding, t *Template) string {
	switch f.Kind {
	case TooLow, TooHigh:
		return fmt.Sprintf("Its priority of %.6g is above that of %.0f %% of the other jobs in its queue, but its value "+
			"for the compute time is above that of %.0f %%. A priority of %.6g would put it there.",
			t.Priority, 100*f.Standing, 100*f.Worth, f.Suggested)
	case Inverted:
		return fmt.Sprintf("Its priority of %.6g is below that of %s, which %s its output. Give it at least %.6g.",
			t.Priority, a.names(f.Others, func(o *Template) string { return fmt.Sprintf("%s (%.6g)", o.Name, o.Priority) }),
			verb(f.Others), f.Suggested)
	case Blind:
		later := "later"
		if t.Late > 0 {
			later = span(t.Late) + " later"
		}
		from := ""
		if len(f.Others) > 0 {
			from = " from " + a.names(f.Others, func(o *Template) string { return o.Name })
		}
		return fmt.Sprintf("%d of its %d jobs failed because input%s was not there yet. Let them wait for it, or submit them %s.",
			t.NoInput, t.Jobs, from, later)
	case Unagreed:
		return fmt.Sprintf("%s %s its output. Agree with them on when it is to be there, and tell them before you change it.",
			a.names(f.Others, func(o *Template) string { return fmt.Sprintf("%s (%s)", o.Name, o.Owner) }), verb(f.Others))
	case Shiftable:
		return fmt.Sprintf("Nobody reads its output for %v after it is done, and it runs for at most %v. It could run %v later, "+
			"when the cluster is less busy.", span(t.Gap), span(t.Runtime), span(f.Delay))
	}
	return ""
}

// names lists the first three templates by name, and how many more there are.
func (a *advisor) names(ids []uint32, name func(*Template) string) string {
	var texts []string
	for i, id := range ids {
		if i == 3 && len(ids) > 4 {
			texts = append(texts, fmt.Sprintf("%d others", len(ids)-i))
			break
		}
		texts = append(texts, name(&a.templates[id]))
	}
	if n := len(texts); n > 1 {
		return strings.Join(texts[:n-1], ", ") + " and " + texts[n-1]
	}
	return strings.Join(texts, "")
}

// span formats a duration to the second, without trailing zero units.
func span(d time.Duration) string {
	text := d.Round(time.Second).String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

func verb(subjects []uint32) string {
	if len(subjects) == 1 {
		return "reads"
	}
	return "read"
}
