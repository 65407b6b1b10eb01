package dag

import (
	"errors"
	"fmt"
)

// Laws tries the laws that an Algebra must keep to, in its comment, on all triples of the given
// weights. The error names the law that does not hold and the weights, or the function that is
// missing. Equal says whether two weights are the same, or so near that rounding explains it.
//
// It is for the tests of an algebra of one's own: what breaks a law gives weights that depend on how
// the paths were put together, and nothing else tells. That none is broken is no proof. Among the
// weights should be those that may be special, such as 0 and infinity, some that are equal in part,
// and some of paths. It takes O(n³) time for n weights.
func (a Algebra[W]) Laws(weights []W, equal func(a, b W) bool) error {
	switch {
	case a.Along == nil:
		return errors.New("dag: Along is nil, want a function")
	case a.Across == nil:
		return errors.New("dag: Across is nil, want a function")
	case equal == nil:
		return errors.New("dag: equal is nil, want a function")
	}
	along, across := a.Along, a.Across
	for _, x := range weights {
		for _, y := range weights {
			if left, right := across(x, y), across(y, x); !equal(left, right) {
				return fmt.Errorf("dag: Across does not commute: of %v and %v it gives %v, and the other way round %v", x, y, left, right)
			}
			for _, z := range weights {
				for _, law := range []struct {
					name        string
					left, right W
				}{
					{"Along is not associative: (x y) z and x (y z)", along(along(x, y), z), along(x, along(y, z))},
					{"Across is not associative: (x + y) + z and x + (y + z)", across(across(x, y), z), across(x, across(y, z))},
					{"Along does not distribute: x (y + z) and x y + x z", along(x, across(y, z)), across(along(x, y), along(x, z))},
					{"Along does not distribute: (x + y) z and x z + y z", along(across(x, y), z), across(along(x, z), along(y, z))},
				} {
					if !equal(law.left, law.right) {
						return fmt.Errorf("dag: %s, of x = %v, y = %v, z = %v, are %v and %v", law.name, x, y, z, law.left, law.right)
					}
				}
			}
		}
	}
	return nil
}
