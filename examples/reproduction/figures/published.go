package main

import "regexp"

// readPublished returns what a query finds and has been published.
func readPublished(file string, q *query, label func(groups map[string]string) string) ([]bar, error) {
	lines, groups, err := q.find(file)
	if err != nil {
		return nil, err
	}
	var bars []bar
	for i, l := range lines {
		if l.published == nil {
			continue
		}
		low, high := q.between(&l)
		bars = append(bars, bar{label(groups[i]), *l.published, *l.measured, low, high})
	}
	if len(bars) == 0 {
		return nil, q.none(file, "that is published")
	}
	return bars, nil
}

func drawPublished(file, title, unit string, q *query, label func(groups map[string]string) string) (*chart, error) {
	bars, err := readPublished(file, q, label)
	if err != nil {
		return nil, err
	}
	return drawBars(title, unit, bars), nil
}

func nameAndPlace(groups map[string]string) string {
	return groups["name"] + ", " + groups["place"]
}

var slearnQuery = query{
	"slearn", []string{"Fig. 6"},
	regexp.MustCompile(`^(?P<place>\w+)$`),
	regexp.MustCompile(`^mean JCT of (?P<name>.+) over SLearn's$`),
	false,
}

func publishedSLearn(files []string) (*chart, error) {
	return drawPublished(files[0], "SLearn, Fig. 6: mean completion times", "mean completion time over that of SLearn (ratio)", &slearnQuery, nameAndPlace)
}

var kairosQuery = query{
	"kairos", []string{"Fig. 4"},
	regexp.MustCompile(`^heavy-tailed$`),
	regexp.MustCompile(`^(?P<name>FIFO|Big-C|Kairos), (JCT )?(?P<place>P50|P99|largest)( JCT)?, s$`),
	false,
}

func publishedKairos(files []string) (*chart, error) {
	return drawPublished(files[0], "Kairos, Fig. 4: completion times", "job completion time (s)", &kairosQuery, nameAndPlace)
}

var hopperQuery = query{
	"hopper", []string{"Fig. 6.1", "Fig. 6.5a", "Fig. 6.5b"},
	regexp.MustCompile(`^(?P<place>.+)$`),
	regexp.MustCompile(`^below (?P<name>\w+), (?P<copies>copies [^,]+), %$`),
	false,
}

func publishedHopper(files []string) (*chart, error) {
	return drawPublished(files[0], "Hopper, Fig. 6.1 and 6.5: gains", "mean completion time of Hopper below that of others (%)", &hopperQuery, func(groups map[string]string) string {
		return groups["name"] + " with " + groups["copies"] + ", " + groups["place"]
	})
}

var wingQuery = query{
	"wing", []string{"Fig. 10", "Fig. 11", "Fig. 12"},
	regexp.MustCompile(`^lake, (?P<place>.+)$`),
	regexp.MustCompile(`^value under (?P<name>.+) at (?P<x>\d+) % capacity, %$`),
	true,
}

func publishedWing(files []string) (*chart, error) {
	return drawPublished(files[0], "Wing, Fig. 10 to 12: value attained", "value attained (% of all)", &wingQuery, func(groups map[string]string) string {
		return groups["name"] + " at " + groups["x"] + " %, " + groups["place"]
	})
}

var threesigmaQuery = query{
	"threesigma", []string{"Fig. 5"},
	regexp.MustCompile(`^e2e, (?P<place>.+)$`),
	regexp.MustCompile(`^deadlines missed under (?P<name>\w+), %$`),
	true,
}

func publishedThreeSigma(files []string) (*chart, error) {
	return drawPublished(files[0], "3Sigma, Fig. 5: deadlines missed", "deadlines missed (%)", &threesigmaQuery, nameAndPlace)
}
