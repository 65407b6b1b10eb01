// Package calendar tells in attributes when a job was submitted.
package calendar

import (
	"strconv"

	"example.com/augur/policy"
)

// Add adds the hour of submission, 0 to 23, and its day, such as Monday, to the attributes
// of a job, if they are known and not there yet.
func Add(j *policy.Job) {
	if _, there := j.Attr("hour"); !there && !j.At.IsZero() {
		j.Attrs = append(j.Attrs,
			policy.Attr{Name: "hour", Value: strconv.Itoa(j.At.Hour())},
			policy.Attr{Name: "day", Value: j.At.Weekday().String()})
	}
}
