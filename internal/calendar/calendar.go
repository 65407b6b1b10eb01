// Package calendar tells in attributes when a job was submitted.
package calendar

import (
	"strconv"

	"example.com/augur/policy"
)

// Add adds the hour of submission, 0 to 23, and its day, such as Monday, to the attributes
// of a job, if they are known.
func Add(j *policy.Job) {
	if !j.At.IsZero() {
		j.Attrs = append(j.Attrs,
			policy.Attr{Name: "hour", Value: strconv.Itoa(j.At.Hour())},
			policy.Attr{Name: "day", Value: j.At.Weekday().String()})
	}
}
