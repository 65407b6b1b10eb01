package sim

import "example.com/augur/policy"

// outcomes are how jobs ended, by their IDs, for ever: a byte for each, in pages, so that
// one great ID does not cost the room of all that are smaller. The zero outcomes are empty.
type outcomes []*[outcomePage]policy.Outcome

const outcomePage = 4096

// of returns how a job ended, 0 if it has not.
func (o outcomes) of(id policy.JobID) policy.Outcome {
	if k := int(id / outcomePage); k < len(o) && o[k] != nil {
		return o[k][id%outcomePage]
	}
	return 0
}

// set says how a job ended.
func (o *outcomes) set(id policy.JobID, outcome policy.Outcome) {
	k := int(id / outcomePage)
	if k >= len(*o) {
		*o = append(*o, make(outcomes, k+1-len(*o))...)
	}
	if (*o)[k] == nil {
		(*o)[k] = new([outcomePage]policy.Outcome)
	}
	(*o)[k][id%outcomePage] = outcome
}
