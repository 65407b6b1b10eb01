package queue

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A DRF divides several resources, such as cores and memory, among tenants by dominant
// resource fairness: the next task comes from the waiting tenant with the least dominant share.
// A tenant's dominant share is the largest of its shares of the resources,
//
//	s_i = max_j u_ij/(c_j·w_ij)
//
// where u_ij is its use of resource j, c_j the capacity and w_ij the weight. Ties go to the
// tenant whose last join or charge is longest ago.
//
// A new tenant does not wait. Call [DRF.Join] when it has a task to start, and [DRF.Leave] when it
// has no more. Charge it with the resources of a task when the task starts, and take the charge
// back when the task ends. Next returns the element, but the other methods need its handle, so
// let T be a pointer to a struct that keeps the handle, or an index. The caller tracks what is free.
// If the next task does not fit, either start nothing until a task ends, so that no
// large task starves, or let the tenant leave and join again later, so that nothing stays unused.
//
// A tenant that uses nothing is next after each other tenant was next at most once. The paper proves that tenants
// with equal weights and small tasks are no worse off than with equal parts of the cluster, do not envy each other,
// and do not gain by asking for more than they need.
//
// A change takes O(m + log n) time for m resources and n tenants, except SetCapacity; a query takes
// constant time. Only Add allocates, when there are more tenants than ever before. The zero DRF is
// not usable; make one with [NewDRF].
//
// # Source
//
// A. Ghodsi, M. Zaharia, B. Hindman, A. Konwinski, S. Shenker and I. Stoica, "Dominant resource
// fairness: fair allocation of multiple resource types", NSDI 2011, Algorithm 1; section 4.3 for
// weights.
type DRF[T any] struct {
	capacity []float64
	tenants  table[drfTenant[T]]
	use      []sum         // of each place in tenants, for each resource
	weight   []float64     // as use
	turns    *Heap[uint32] // places of the waiting tenants, least dominant share first
	charges  uint64        // number of charges and joins so far
}

type drfTenant[T any] struct {
	x       T
	share   float64
	charged uint64 // number of the last charge or join
	turn    Handle // in turns, stale if it does not wait
}

// NewDRF returns a DRF without tenants, for resources of the given capacities. Each capacity is
// finite and at least 0; a resource of capacity 0 is ignored. The error names the resource whose
// capacity is not allowed, or says that there are no resources.
func NewDRF[T any](capacity ...float64) (*DRF[T], error) {
	if len(capacity) == 0 {
		return nil, fmt.Errorf("queue: there are no resources, want at least 1")
	}
	d := &DRF[T]{capacity: make([]float64, len(capacity))}
	d.turns = NewHeap(func(a, b uint32) int { return before(d.tenants.at(a), d.tenants.at(b)) })
	if err := d.SetCapacity(capacity...); err != nil {
		return nil, err
	}
	return d, nil
}

// SetCapacity changes the capacities. If there are more capacities than before, it adds resources: no tenant uses any of
// them yet, and each tenant has the same weight there as for the last old resource. It takes time in proportion to the
// number of tenants times that of resources. If it returns an error, nothing has changed.
func (d *DRF[T]) SetCapacity(capacity ...float64) error {
	if len(capacity) < len(d.capacity) {
		return fmt.Errorf("queue: got capacities of %d resources, want %d or more", len(capacity), len(d.capacity))
	}
	for j, c := range capacity {
		if !(c >= 0) || math.IsInf(c, 1) {
			return fmt.Errorf("queue: capacity of resource %d is %v, want a finite number of at least 0", j, c)
		}
	}
	d.widen(len(capacity))
	copy(d.capacity, capacity)
	waiting := slices.Collect(d.turns.All())
	for _, i := range waiting { // all leave before the order changes
		d.turns.Remove(d.tenants.at(i).turn)
	}
	for i := range d.tenants.places {
		if d.tenants.places[i].there() {
			d.tenants.at(uint32(i)).share = d.dominant(uint32(i))
		}
	}
	for _, i := range waiting {
		d.tenants.at(i).turn = d.turns.Push(i)
	}
	return nil
}

// widen makes room for more resources.
func (d *DRF[T]) widen(m int) {
	before := len(d.capacity)
	if m == before {
		return
	}
	use, weight := make([]sum, 0, len(d.tenants.places)*m), make([]float64, 0, len(d.tenants.places)*m)
	for i := range d.tenants.places {
		w := row(d, d.weight, uint32(i))
		use = append(append(use, row(d, d.use, uint32(i))...), make([]sum, m-before)...)
		weight = append(append(weight, w...), slices.Repeat(w[before-1:], m-before)...)
	}
	d.use, d.weight, d.capacity = use, weight, make([]float64, m)
}

// Add adds a tenant, which does not wait yet and uses nothing. Pass one weight for each resource,
// one for all resources, or none for 1. The error names a weight that is not between 1e-100 and 1e100,
// or a wrong number of weights.
func (d *DRF[T]) Add(x T, weights ...float64) (Handle, error) {
	if n := len(weights); n > 1 && n != len(d.capacity) {
		return Handle{}, fmt.Errorf("queue: got %d weights, want 1 or %d", n, len(d.capacity))
	}
	for j, w := range weights {
		if !goodWeight(w) {
			return Handle{}, fmt.Errorf("queue: weight of resource %d is %v, want 1e-100 to 1e100", j, w)
		}
	}
	handle := d.tenants.add(drfTenant[T]{x: x})
	for len(d.use) < len(d.tenants.places)*len(d.capacity) {
		d.use, d.weight = append(d.use, sum{}), append(d.weight, 0)
	}
	use, weight := row(d, d.use, handle.slot), row(d, d.weight, handle.slot)
	for j := range use {
		use[j] = sum{}
		switch len(weights) {
		case 0:
			weight[j] = 1
		case 1:
			weight[j] = weights[0]
		default:
			weight[j] = weights[j]
		}
	}
	return handle, nil
}

// row returns one tenant's part of use or weight.
func row[T, E any](d *DRF[T], of []E, i uint32) []E {
	m := len(d.capacity)
	return of[int(i)*m:][:m]
}

// dominant returns the dominant share of a tenant. A use below 0 counts as 0.
func (d *DRF[T]) dominant(i uint32) (share float64) {
	use, weight := row(d, d.use, i), row(d, d.weight, i)
	for j, c := range d.capacity {
		if c == 0 {
			continue
		}
		share = max(share, use[j].hi/c/weight[j])
	}
	return share
}

// Remove removes a tenant and returns it. If the handle is stale, it changes nothing and returns
// false.
func (d *DRF[T]) Remove(tenant Handle) (x T, ok bool) {
	t := d.tenants.get(tenant)
	if t == nil {
		return x, false
	}
	d.Leave(tenant)
	x = t.x
	d.tenants.remove(tenant)
	return x, true
}

// Join makes a tenant wait: it has a task to start. If it waits already, nothing changes. Join
// returns false if the handle is stale.
func (d *DRF[T]) Join(tenant Handle) bool {
	t := d.tenants.get(tenant)
	if t == nil {
		return false
	}
	if _, waits := d.turns.Get(t.turn); !waits {
		d.charges++
		t.charged = d.charges
		t.turn = d.turns.Push(tenant.slot)
	}
	return true
}

// Leave ends the waiting of a tenant: it has no more tasks to start. It returns false if the tenant
// did not wait.
func (d *DRF[T]) Leave(tenant Handle) bool {
	t := d.tenants.get(tenant)
	if t == nil {
		return false
	}
	_, waited := d.turns.Remove(t.turn)
	return waited
}

// Next returns the tenant whose turn it is, and false if none waits. It changes nothing:
// [DRF.Charge] passes the turn on.
func (d *DRF[T]) Next() (x T, ok bool) {
	i, ok := d.turns.Peek()
	if !ok {
		return x, false
	}
	return d.tenants.at(i).x, true
}

// Compare returns a negative number if tenant a goes before tenant b, a positive one if it goes after, whether or not
// they wait, and 0 if a handle is stale or both are the same.
func (d *DRF[T]) Compare(a, b Handle) int {
	x, y := d.tenants.get(a), d.tenants.get(b)
	if x == nil || y == nil {
		return 0
	}
	return before(x, y)
}

func before[T any](x, y *drfTenant[T]) int {
	return cmp.Or(cmp.Compare(x.share, y.share), cmp.Compare(x.charged, y.charged))
}

// Charge adds amounts to a tenant's use of each resource; a negative amount takes back. Amounts that are charged and
// taken back leave no rest. If the handle is stale, the number of amounts is not that of resources, or a use would not
// be finite, Charge changes nothing and returns false.
func (d *DRF[T]) Charge(tenant Handle, amounts ...float64) bool {
	t := d.tenants.get(tenant)
	if t == nil || len(amounts) != len(d.capacity) {
		return false
	}
	use, more := row(d, d.use, tenant.slot), false
	for j, a := range amounts {
		if _, ok := use[j].plus(a); !ok {
			return false
		}
		more = more || a > 0
	}
	for j, a := range amounts {
		use[j], _ = use[j].plus(a)
	}
	if more {
		d.charges++
		t.charged = d.charges
	}
	t.share = d.dominant(tenant.slot)
	d.turns.Fix(t.turn)
	return true
}
