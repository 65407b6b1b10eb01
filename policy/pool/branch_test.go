package pool

import (
	"strconv"
	"testing"
	"time"

	"example.com/augur/predict"
)

// The limit of a tenant is one branch, however many other limits apply to its tasks, and wherever it is named. Nothing of the tree is
// left when they are gone.
func TestTenantIsOneBranch(t *testing.T) {
	q, err := NewQueue[int](Config{Tenant: "tenant", Limits: []Limit{{"kind", "", 1}, {"tenant", "", 2}}})
	if err != nil {
		t.Fatal(err)
	}
	for id := range 50 {
		q.Add(id, predict.Attrs{"tenant": "a", "kind": strconv.Itoa(id)}, time.Unix(9, 0))
	}
	if n := len(q.core.bounds[0].limits["a"].branches); n != 1 {
		t.Errorf("the limit of the tenant has %d branches, want 1", n)
	}
	for id := range 50 {
		q.Remove(id)
	}
	for _, b := range q.core.bounds {
		if len(b.limits) > 0 {
			t.Errorf("%d limits of %q are left", len(b.limits), b.attr)
		}
	}
	if n := len(q.core.tenants["a"].root.branches); n > 0 {
		t.Errorf("%d branches are left", n)
	}
}
