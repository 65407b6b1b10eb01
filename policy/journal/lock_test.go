package journal

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// beside is how many files there are beside a journal.
var beside = map[bool]int{true: 1}[locks]

// unlocked are files without a lock.
type unlocked struct{ files }

func (unlocked) lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }

// Where there are no locks, and two journals are open on one file, the second one to write does not write over what the
// first one has.
func TestTwoWithoutALock(t *testing.T) {
	for name, jobs := range map[string]int{"in Sync": 3, "in Step": 20_000} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "events")
			one, two, after := new(tally), new(tally), new(tally)
			open := func(c *tally) *Journal {
				t.Helper()
				j, err := openOn(unlocked{}, file, c.config())
				ok(t, err)
				return j
			}
			write := func(j *Journal, c *tally, jobs int) (stepped, synced error) {
				for range jobs {
					if err := tell(j, submitted(policy.JobID(c.N+1))); err != nil {
						return err, j.Sync()
					}
				}
				return nil, j.Sync()
			}
			first := open(one)
			more := func(jobs int) {
				t.Helper()
				stepped, synced := write(first, one, jobs)
				ok(t, errors.Join(stepped, synced))
			}
			more(1)
			second := open(two)
			more(3)
			stepped, synced := write(second, two, jobs)
			if synced == nil || !strings.Contains(synced.Error(), "another one is open on it") || (stepped != nil) != (jobs > 3) {
				t.Errorf("the second one to write: got error %v of a step and %v of Sync", stepped, synced)
			}
			if err := second.Close(); !errors.Is(err, synced) {
				t.Errorf("closed, it has error %v, want %v", err, synced)
			}
			more(1)
			ok(t, first.Close())
			if err := open(after).Close(); err != nil || after.N != 5 {
				t.Errorf("there are %d jobs, error %v, want the 5 of the first one", after.N, err)
			}
		})
	}
}
