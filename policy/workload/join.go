package workload

import (
	"errors"
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// Join returns the jobs with what another table tells of them: those attributes, that they do
// not have themselves, of the job of others that has the same value of the attribute key, as
// a table of tasks and one of jobs both have the number of the job. Of several such jobs of
// others the first one counts. Jobs without the attribute, or whose value others do not have,
// stay as they are; found counts the rest. Others are read to their end; nothing else of
// them is looked at. It returns new jobs and leaves the old ones unchanged. It takes memory in
// proportion to the jobs, and time in proportion to both. The error is that of others, or says that there are none, or
// that a job is nil.
func Join(jobs []*Job, others Source, key string) (joined []*Job, found int, err error) {
	if key == "" {
		return nil, 0, fmt.Errorf("workload: jobs joined by an attribute without a name, want the name of one that both have")
	}
	if others == nil {
		return nil, 0, errors.New("workload: jobs joined with a source that is nil")
	}
	same := make(map[string][]int) // places of those not found yet
	joined = make([]*Job, len(jobs))
	for i, j := range jobs {
		if j == nil {
			return nil, 0, isNil(i)
		}
		joined[i] = j
		if value, ok := j.Attr(key); ok {
			same[value] = append(same[value], i)
		}
	}
	read := 0
	for other, err := range others {
		if err != nil {
			return nil, 0, err
		}
		if other == nil {
			return nil, 0, isNil(read)
		}
		read++
		value, ok := other.Attr(key)
		if !ok {
			continue
		}
		for _, i := range same[value] {
			found++
			joined[i] = withAttrs(jobs[i], other.Attrs)
		}
		delete(same, value)
	}
	return joined, found, nil
}

// withAttrs returns a copy of j with the attributes of more that it lacks.
func withAttrs(j *Job, more []policy.Attr) *Job {
	copied := *j
	copied.Attrs = slices.Clip(j.Attrs)
	for _, a := range more {
		if _, ok := copied.Attr(a.Name); !ok {
			copied.Attrs = append(copied.Attrs, a)
		}
	}
	return &copied
}
