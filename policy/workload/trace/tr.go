package trace

import (
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// trParser reads the format tr. The mean, which the simulators give to the scheduler as an estimate, must be a number and is
// then ignored, since it follows from the runtimes.
func trParser(*ReaderConfig) (parser, error) {
	return &eachLine{parse: func(_ *interned, line []byte) (*workload.Job, *problem) {
		var f faults
		arrival, rest := word(line)
		submitted := f.seconds(arrival, "arrival")
		count, rest := word(rest)
		n, ok := natural(count)
		if !ok || n < 1 || n > policy.MaxTasks {
			f.refuse("number of tasks is not in 1 to 2^28", quote(count))
		}
		mean, rest := word(rest)
		f.amount(mean, "mean runtime", math.MaxFloat64)
		if f.wrong != nil {
			return nil, f.wrong
		}
		// A runtime takes two bytes of the row or more, so the count cannot ask for more memory than the row deserves.
		runtimes := make([]policy.Duration, 0, min(int(n), len(rest)/2))
		for i := range int(n) {
			var text []byte
			if text, rest = word(rest); len(text) == 0 {
				return nil, &problem{"fewer runtimes than tasks", fmt.Sprintf("got %d, want %d", i, n)}
			}
			runtimes = append(runtimes, f.seconds(text, "runtime"))
			if f.wrong != nil {
				f.wrong.detail = fmt.Sprintf("task %d: %s", i, f.wrong.detail)
				return nil, f.wrong
			}
		}
		if text, _ := word(rest); len(text) > 0 {
			return nil, &problem{"more runtimes than tasks", fmt.Sprintf("want %d", n)}
		}
		j := bag(runtimes...)
		j.Submitted = policy.Time(submitted)
		return j, nil
	}}, nil
}

// looksTR accepts a row whose first words, those that every row has, are numbers.
func looksTR(first []byte) bool {
	for n := range 4 {
		var text []byte
		if text, first = word(first); len(text) == 0 {
			return n > 0
		}
		if _, ok := number(text); !ok {
			return false
		}
	}
	return true
}
