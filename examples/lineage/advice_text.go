package main

import (
	"fmt"
	"strings"
	"time"
)

// reason explains a finding.
func (a *advisor) reason(f *finding, t *template) string {
	switch f.kind {
	case tooLow, tooHigh:
		return fmt.Sprintf("Its priority of %.6g is above that of %.0f %% of the other jobs in its queue, but its value "+
			"per compute time is above that of %.0f %%. A priority of %.6g would match.",
			t.priority, 100*f.standing, 100*f.worth, f.suggested)
	case inverted:
		return fmt.Sprintf("Its priority of %.6g is below that of %s, which %s its output. Give it at least %.6g.",
			t.priority, a.names(f.others, func(o *template) string { return fmt.Sprintf("%s (%.6g)", o.name, o.priority) }),
			verb(f.others), f.suggested)
	case blind:
		later := "later"
		if t.late > 0 {
			later = duration(t.late) + " later"
		}
		from := ""
		if len(f.others) > 0 {
			from = " from " + a.names(f.others, func(o *template) string { return o.name })
		}
		return fmt.Sprintf("%d of its %d jobs failed because input%s was not there yet. Let them wait for it, or submit them %s.",
			t.noInput, t.jobs, from, later)
	case unagreed:
		return fmt.Sprintf("%s %s its output. Agree on when it is due, and tell them before you change it.",
			a.names(f.others, func(o *template) string { return fmt.Sprintf("%s (%s)", o.name, o.owner) }), verb(f.others))
	case shiftable:
		return fmt.Sprintf("Nobody reads its output until %v after its end, and it runs for at most %v. It could run %v later, "+
			"when the cluster is less busy.", duration(t.gap), duration(t.runtime), duration(f.delay))
	}
	return ""
}

// names lists the first three templates by name, and how many more there are.
func (a *advisor) names(ids []uint32, name func(*template) string) string {
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

// duration formats a duration to the second, without trailing zero units.
func duration(d time.Duration) string {
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
