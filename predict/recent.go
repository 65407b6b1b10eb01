package predict

// recent holds the last runtimes of a feature value, at most limit. It does what
// estimate.Recent does, in less time: the order of the values is kept from one to the next.
type recent struct {
	values []float64 // a ring once it is full
	order  []uint8   // positions of values, the least value first, the older of two equal ones first or last
	next   uint8     // where the next value goes, if full: the oldest value
}

// maxRecent is the largest limit.
const maxRecent = 255

func (r *recent) add(x float64, limit int) {
	n := len(r.values)
	if n < limit {
		if n == cap(r.values) {
			grown := min(limit, max(1, 2*n))
			r.values = append(make([]float64, 0, grown), r.values...)
			r.order = append(make([]uint8, 0, grown), r.order...)
		}
		r.values = append(r.values, x)
		i := n
		r.order = r.order[:n+1]
		for ; i > 0 && r.values[r.order[i-1]] > x; i-- {
			r.order[i] = r.order[i-1]
		}
		r.order[i] = uint8(n)
		return
	}
	// x takes the place of the oldest value, and moves from there to where it belongs.
	slot := r.next
	r.values[slot] = x
	if r.next++; int(r.next) == limit {
		r.next = 0
	}
	i := 0
	for r.order[i] != slot {
		i++
	}
	for ; i > 0 && r.values[r.order[i-1]] > x; i-- {
		r.order[i] = r.order[i-1]
	}
	for ; i+1 < n && r.values[r.order[i+1]] < x; i++ {
		r.order[i] = r.order[i+1]
	}
	r.order[i] = slot
}

func (r *recent) mean() float64 {
	sum := 0.0
	for _, x := range r.values[r.next:] { // the oldest first, however the ring lies
		sum += x
	}
	for _, x := range r.values[:r.next] {
		sum += x
	}
	return sum / float64(len(r.values))
}

func (r *recent) median() float64 {
	n := len(r.order)
	return middle(r.values[r.order[(n-1)/2]], r.values[r.order[n/2]])
}

// middle is the mean of two numbers, the first of which is not the larger.
func middle(a, b float64) float64 { return a + (b-a)/2 }

func mean(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum / float64(len(values))
}

// appendTo appends the values, the oldest first.
func (r *recent) appendTo(values []float64) []float64 {
	values = append(values, r.values[r.next:]...)
	return append(values, r.values[:r.next]...)
}
