package augurriver

import (
	"cmp"
	"slices"
	"time"
)

// A mark is what the row of a job that waits is to have. River fetches by priority and then by scheduled_at.
type mark struct {
	id        int64
	priority  int
	scheduled time.Time // zero: it stays
}

// step is how far apart two marked jobs are scheduled at least, if one of them is moved: SQLite keeps milliseconds.
const step = time.Millisecond

// marks returns what has to change so that the first jobs have marks, and start in that order, and no others have. Marked are those that
// have marks, with the instants for which they are scheduled. Jobs keep their instants where these are in order. A job that is to
// start before one that has waited for longer is scheduled between its neighbours: so others need not be written again when it comes.
func (s *sweeper) marks(first []int64, marked map[int64]time.Time) (list []mark) {
	following := make([]time.Time, len(first)) // of the next one that has a mark
	for i := len(first) - 1; i > 0; i-- {
		following[i-1] = following[i]
		if at, ok := marked[first[i]]; ok {
			following[i-1] = at
		}
	}
	var last time.Time
	for i, id := range first {
		at, had := marked[id]
		if !had {
			at = s.tasks[id].scheduled
		}
		switch follows, precedes := at.After(last), following[i].IsZero() || at.Before(following[i]); {
		case follows && (had || precedes):
		case i > 0:
			at = last.Add(step)
		default:
			at = following[i].Add(-step)
		}
		if !had || !at.Equal(marked[id]) {
			list = append(list, mark{id, next, at})
		}
		last = at
		delete(marked, id)
	}
	up := len(list)
	for id := range marked {
		list = append(list, mark{id, wait, s.tasks[id].scheduled})
	}
	slices.SortFunc(list[up:], func(a, b mark) int { return cmp.Compare(a.id, b.id) })
	return list
}
