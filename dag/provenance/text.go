package provenance

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Text writes the report for people, with the names of the log that it is of. Behind a share,
// in brackets, is what the paper found in Cosmos.
func (r *Report) Text(l *Log) string {
	var b strings.Builder
	line := func(what string, s Share, paper string) {
		fmt.Fprintf(&b, "%-58s %s", what, s)
		if paper != "" {
			fmt.Fprintf(&b, " [%s %%]", paper)
		}
		b.WriteByte('\n')
	}
	example := func(format string, args ...any) { fmt.Fprintf(&b, "    "+format+"\n", args...) }
	template, org := l.Templates.Name, l.Orgs.Name

	line("1. recurring jobs", r.RecurringJobs, "68")
	line("   recurring dependencies", r.RecurringDependencies, "79")
	line("   jobs that depend on another", r.DependentJobs, "80")
	line("2. jobs that depend on one of lower priority", r.InvertedJobs, "13")
	line("   recurring templates for which that is the rule", r.InvertedTemplates, "21")
	for _, w := range r.worst.inversions {
		example("%s has lower priority than %s: %v", template(w.up), template(w.down), w.inverted)
	}
	line("   ad-hoc jobs of more priority than recurring ones", r.AdHocAbove, "33")
	line("3. recurring jobs that do not wait for what they need", r.Uncoordinated, "34")
	for _, w := range r.worst.risks {
		slack := "never known"
		if w.slack < math.MaxInt64 {
			slack = w.slack.Round(time.Second).String()
		}
		example("%s: %d of %d jobs missed an input, least slack %s", template(w.template), w.missed, w.jobs, slack)
	}
	line("4. dependencies between organisations", r.CrossDependencies, "33")
	line("   between templates", r.CrossTemplates, "17")
	line("   jobs that have such", r.CrossJobs, "28")
	line("   recurring jobs that have such", r.CrossRecurring, "23")
	line("   jobs that depend on another organisation", r.CrossDependents, "20")
	line("   organisations that have such", r.CrossOrgs, "95")
	for _, w := range r.worst.crossing {
		example("%s on %s: %d", org(w.to), org(w.from), w.dependencies)
	}
	line("5. jobs in the largest component", r.InLargest, "50")
	line("   jobs in components of 10 and more", r.InTen, "80")
	for _, w := range r.worst.components {
		example("%d jobs with %s", w.jobs, l.IDs.Name(w.first))
	}
	for i, s := range r.Shifts {
		what := "   "
		if i == 0 {
			what = "6. "
		}
		paper := map[float64]string{1: "31", 3: "27", 6: "22", 12: "14"}[s.By.Hours()]
		line(what+"jobs that might be put off by "+s.By.String(), s.Jobs, paper)
		if i < len(r.worst.postponable) { // a report from JSON has no examples
			for _, w := range r.worst.postponable[i] {
				example("%s: %d jobs, %.3g resource-seconds", template(w.number), w.jobs, w.compute)
			}
		}
	}
	line("   recurring jobs whose output nobody has read", r.Unread, "")
	return b.String()
}
