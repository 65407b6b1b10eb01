package queue

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A DRF divides several resources, such as cores and memory, among tenants by dominant
// resource fairness: the next task is one of the tenant with the least dominant share, of
// those that wait. A tenant's dominant share is the largest of its shares of the resources,
//
//	s_i = max_j u_ij/(c_j·w_ij)
//
// where u_ij is what it uses of resource j, c_j the capacity and w_ij the weight. Ties go to the
// tenant whose last join or charge is longest ago.
//
// Where tasks are small, the paper shows, a tenant with equal weights can start at least as
// many as on an equal part of everything, none would rather have what another has, and none
// gains by asking for more than it needs. With one resource this is [Sharing] by [ByUse],
// whose bound on starvation holds here too: a tenant that uses nothing is next after each
// other was next at most once.
//
// A new tenant does not wait. Call [DRF.Join] when it has something to start, and [DRF.Leave]
// when it has nothing more. Charge it with what a task uses when the task starts, and take
// it back when the task ends. Since Next returns the element and all else wants its handle,
// let T be a pointer to what keeps the handle, or an index. What is free is the caller's to know: if the next task does
// not fit, either nothing starts until something ends, so that nothing large starves, or the
// tenant leaves and joins again when something has ended, so that nothing is left unused.
//
// A change takes O(m + log n) time for m resources and n tenants, and all else constant time,
// but for SetCapacity. Only Add allocates, when there are more tenants than ever. The zero DRF
// is not usable; make one with [NewDRF].
//
// # Source
//
// A. Ghodsi, M. Zaharia, B. Hindman, A. Konwinski, S. Shenker and I. Stoica, "Dominant resource
// fairness: fair allocation of multiple resource types", NSDI 2011, Algorithm 1; section 4.3 for
// weights.
type DRF[T any] struct {
	capacity []float64
	tenants  table[drfTenant[T]]
	use      []float64     // of each place in tenants, for each resource
	weight   []float64     // as use
	turns    *Heap[uint32] // the places of those that wait, least dominant share first
	charges  uint64        // and joins so far
}

type drfTenant[T any] struct {
	x       T
	share   float64
	charged uint64 // number of the last charge or join
	turn    Handle // in turns, stale if it does not wait
}

// NewDRF returns a DRF without tenants, for resources of the given capacities, each at least 0
// and finite. A resource of capacity 0 is not counted. The error names the resource whose
// capacity is outside the range, or says that there is none.
func NewDRF[T any](capacity ...float64) (*DRF[T], error) {
	if len(capacity) == 0 {
		return nil, fmt.Errorf("queue: there are no resources, want at least 1")
	}
	d := &DRF[T]{capacity: make([]float64, len(capacity))}
	d.turns = NewHeap(func(a, b uint32) int {
		x, y := d.tenants.at(a), d.tenants.at(b)
		if x.share != y.share {
			return cmp.Compare(x.share, y.share)
		}
		return cmp.Compare(x.charged, y.charged)
	})
	if err := d.SetCapacity(capacity...); err != nil {
		return nil, err
	}
	return d, nil
}

// SetCapacity gives the resources other capacities. More capacities than before add resources, of which no tenant uses
// anything and each has the weight that it has of the last one before. It takes time in proportion to the resources of
// all tenants. If the error is not nil, nothing has changed.
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
			d.tenants.at(uint32(i)).share, _ = d.dominant(uint32(i))
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
	use, weight := make([]float64, 0, len(d.tenants.places)*m), make([]float64, 0, len(d.tenants.places)*m)
	for i := range d.tenants.places {
		w := d.row(d.weight, uint32(i))
		use = append(append(use, d.row(d.use, uint32(i))...), make([]float64, m-before)...)
		weight = append(append(weight, w...), slices.Repeat(w[before-1:], m-before)...)
	}
	d.use, d.weight, d.capacity = use, weight, make([]float64, m)
}

// Add adds a tenant, which does not wait and uses nothing. Its weights are for each resource;
// one is for all, and none means 1. The error names the weight that is not a finite number
// above 0, or says that there are too many or too few.
func (d *DRF[T]) Add(x T, weights ...float64) (Handle, error) {
	if n := len(weights); n > 1 && n != len(d.capacity) {
		return Handle{}, fmt.Errorf("queue: got %d weights, want 1 or %d", n, len(d.capacity))
	}
	for j, w := range weights {
		if !goodWeight(w) {
			return Handle{}, fmt.Errorf("queue: weight of resource %d is %v, want a finite number above 0", j, w)
		}
	}
	handle := d.tenants.add(drfTenant[T]{x: x})
	for len(d.use) < len(d.tenants.places)*len(d.capacity) {
		d.use, d.weight = append(d.use, 0), append(d.weight, 0)
	}
	use, weight := d.row(d.use, handle.slot), d.row(d.weight, handle.slot)
	for j := range use {
		use[j] = 0
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

// row returns the part of use or weight that is one tenant's.
func (d *DRF[T]) row(of []float64, i uint32) []float64 {
	m := len(d.capacity)
	return of[int(i)*m:][:m]
}

// dominant returns the dominant share of a tenant, and the first resource of which it has
// that. A use below 0 counts as 0.
func (d *DRF[T]) dominant(i uint32) (share float64, resource int) {
	use, weight := d.row(d.use, i), d.row(d.weight, i)
	for j, c := range d.capacity {
		if c == 0 {
			continue
		}
		if s := use[j] / c / weight[j]; s > share {
			share, resource = s, j
		}
	}
	return share, resource
}

// Remove takes a tenant out and returns it. A stale handle changes nothing, and the result is
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

// Join says that a tenant has something to start. If it waits already, nothing changes. The
// result is false if the handle is stale.
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

// Leave says that a tenant has nothing more to start. The result is false if it did not wait.
func (d *DRF[T]) Leave(tenant Handle) bool {
	t := d.tenants.get(tenant)
	if t == nil {
		return false
	}
	_, waited := d.turns.Remove(t.turn)
	return waited
}

// Next returns the tenant whose turn it is, and false if none waits. It changes nothing: the
// turn passes on by [DRF.Charge].
func (d *DRF[T]) Next() (x T, ok bool) {
	i, ok := d.turns.Peek()
	if !ok {
		return x, false
	}
	return d.tenants.at(i).x, true
}

// Charge adds to what a tenant uses of each resource, and takes back negative amounts. If
// the handle is stale, the amounts are not as many as the resources, or a use would not be a
// finite number, nothing changes and the result is false.
func (d *DRF[T]) Charge(tenant Handle, amounts ...float64) bool {
	t := d.tenants.get(tenant)
	if t == nil || len(amounts) != len(d.capacity) {
		return false
	}
	use, more := d.row(d.use, tenant.slot), false
	for j, a := range amounts {
		if !finite(use[j] + a) {
			return false
		}
		more = more || a > 0
	}
	for j, a := range amounts {
		use[j] += a
	}
	if more {
		d.charges++
		t.charged = d.charges
	}
	t.share, _ = d.dominant(tenant.slot)
	d.turns.Fix(t.turn)
	return true
}

// Share returns the dominant share of a tenant, by its weights, and the number of its
// dominant resource, the first if there are several; false if the handle is stale.
func (d *DRF[T]) Share(tenant Handle) (share float64, resource int, ok bool) {
	if d.tenants.get(tenant) == nil {
		return 0, 0, false
	}
	share, resource = d.dominant(tenant.slot)
	return share, resource, true
}
