package main

import (
	"math"
	"regexp"
	"slices"
)

// readClaims returns what a query finds and has been published, with what it is compared with: nil of the reference
// itself, and if that is not there.
func readClaims(file string, q *query, label func(groups map[string]string) string) (claims, of []*claim, err error) {
	lines, groups, err := q.find(file)
	if err != nil {
		return nil, nil, err
	}
	all := make([]*claim, len(lines))
	for i, l := range lines {
		all[i] = &claim{label(groups[i]), math.NaN(), l.Values}
		if l.Published != nil {
			all[i].published = *l.Published
		}
	}
	for i, l := range lines {
		if l.Published == nil {
			continue
		}
		claims = append(claims, all[i])
		mine := groups[i]
		at := slices.IndexFunc(groups, func(g map[string]string) bool {
			return q.of != "" && g["name"] == q.of && mine["name"] != q.of && g["place"] == mine["place"] && g["x"] == mine["x"]
		})
		if at < 0 {
			of = append(of, nil)
		} else {
			of = append(of, all[at])
		}
	}
	if len(claims) == 0 {
		return nil, nil, q.none(file, "that is published")
	}
	return claims, of, nil
}

// drawPublished draws a row for each number of a paper that was measured: what both are, and, unless they are comparisons
// themselves, how they differ from the query's reference, seed by seed.
func drawPublished(file, title, unit string, q *query, label func(groups map[string]string) string) (*chart, error) {
	claims, of, err := readClaims(file, q, label)
	if err != nil {
		return nil, err
	}
	c := newRows(title, len(claims), slices.ContainsFunc(claims, func(c *claim) bool { return len(c.values) > 1 }))
	low, high := q.limits()
	labels := make([]string, len(claims))
	levels, differences := make([]dot, len(claims)), make([]dot, len(claims))
	from, compared := 0., "points above "+q.of+", seed by seed"
	if q.ratio {
		from, compared = 1, "over "+q.of+", seed by seed"
	}
	for i, x := range claims {
		labels[i] = x.label
		levels[i] = dot{x.published, estimateOf(x.values, low, high)}
		differences[i] = unknown
		if of[i] == nil {
			continue
		}
		if e, ok := paired(x.values, of[i].values, q.ratio); ok {
			differences[i].measured = e
		}
		if differences[i].published = x.published - of[i].published; q.ratio {
			differences[i].published = x.published / of[i].published
		}
	}
	if q.of == "" {
		c.panel(unit, "").rows(labels, levels, from)
		return c, nil
	}
	c.panel(unit, "").rows(labels, levels, 0)
	c.panel(compared, "").rows(nil, differences, from)
	return c, nil
}

func nameAndPlace(groups map[string]string) string {
	return groups["name"] + ", " + groups["place"]
}

var slearnQuery = query{
	"slearn", []string{"Fig. 6"},
	regexp.MustCompile(`^(?P<place>\w+)$`),
	regexp.MustCompile(`^mean JCT of (?P<name>.+) over SLearn's$`),
	false, "", true,
}

func publishedSLearn(file string) (*chart, error) {
	return drawPublished(file, "SLearn, Fig. 6: mean completion times", "mean completion time over that of SLearn (ratio)", &slearnQuery, nameAndPlace)
}

var kairosQuery = query{
	"kairos", []string{"Fig. 4"},
	regexp.MustCompile(`^heavy-tailed$`),
	regexp.MustCompile(`^(?P<name>FIFO|Big-C|Kairos), (JCT )?(?P<place>P50|P99|largest)( JCT)?, s$`),
	false, "Kairos", true,
}

func publishedKairos(file string) (*chart, error) {
	return drawPublished(file, "Kairos, Fig. 4: completion times", "job completion time (s)", &kairosQuery, nameAndPlace)
}

var hopperQuery = query{
	"hopper", []string{"Fig. 6.1", "Fig. 6.5a", "Fig. 6.5b"},
	regexp.MustCompile(`^(?P<place>facebook|bing|facebook, memory)$`),
	regexp.MustCompile(`^below (?P<name>\w+)(, copies in turn)?, %$`),
	false, "", false,
}

func publishedHopper(file string) (*chart, error) {
	return drawPublished(file, "Hopper, Fig. 6.1 and 6.5: gains", "mean completion time of Hopper below that of others (%)", &hopperQuery, nameAndPlace)
}

var wingQuery = query{
	"wing", []string{"Fig. 10", "Fig. 11", "Fig. 12"},
	regexp.MustCompile(`^lake, (?P<place>one queue|queues of organisations)$`),
	regexp.MustCompile(`^value under (?P<name>.+) at (?P<x>\d+) % capacity, %$`),
	true, "PRIO", false,
}

func publishedWing(file string) (*chart, error) {
	return drawPublished(file, "Wing, Fig. 10 to 12: value attained", "value attained (% of all)", &wingQuery, func(groups map[string]string) string {
		return groups["name"] + " at " + groups["x"] + " %, " + groups["place"]
	})
}

var threesigmaQuery = query{
	"threesigma", []string{"Fig. 5"},
	regexp.MustCompile(`^e2e, (?P<place>600 jobs|600 jobs, finished only|600 jobs, cycles of 4 s)$`),
	regexp.MustCompile(`^deadlines missed under (?P<name>\w+), %$`),
	true, "3Sigma", false,
}

func publishedThreeSigma(file string) (*chart, error) {
	return drawPublished(file, "3Sigma, Fig. 5: deadlines missed", "deadlines missed (%)", &threesigmaQuery, nameAndPlace)
}
