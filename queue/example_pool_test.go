package queue_test

import (
	"cmp"
	"fmt"
	"log"

	"example.com/augur/queue"
)

// A request has a name and an estimate of the seconds that it takes a worker.
type request struct {
	name    string
	seconds float64
}

// A tenant has requests that wait, the shortest first, and its place among the tenants.
type tenant struct {
	name    string
	waiting *queue.Heap[request]
	place   queue.Handle
}

// A pool divides workers among tenants by weights, over time.
type pool struct {
	sharing *queue.Sharing[*tenant]
}

func (p *pool) tenant(name string, weight float64) (*tenant, error) {
	t := &tenant{name: name, waiting: queue.NewHeap(func(a, b request) int {
		return cmp.Or(cmp.Compare(a.seconds, b.seconds), cmp.Compare(a.name, b.name))
	})}
	var err error
	t.place, err = p.sharing.Add(t, weight)
	return t, err
}

func (p *pool) submit(t *tenant, r request) {
	t.waiting.Push(r)
	p.sharing.Join(t.place)
}

// next returns what a free worker is to do, and charges it to the tenant.
func (p *pool) next() (*tenant, request, bool) {
	t, ok := p.sharing.Next()
	if !ok {
		return nil, request{}, false
	}
	r, _ := t.waiting.Pop()
	p.sharing.Charge(t.place, r.seconds)
	if t.waiting.Len() == 0 {
		p.sharing.Leave(t.place)
	}
	return t, r, true
}

// Shop pays for three times as much as lab. So when lab has had its turn with a request of
// 9 s, shop goes on until it has had 27 s, or has nothing left.
func Example_pool() {
	sharing, err := queue.NewSharing[*tenant](queue.ByService)
	if err != nil {
		log.Fatal(err)
	}
	p := pool{sharing}
	shop, err := p.tenant("shop", 3)
	if err != nil {
		log.Fatal(err)
	}
	lab, err := p.tenant("lab", 1)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 5 {
		p.submit(shop, request{fmt.Sprint("order ", i), 2})
	}
	p.submit(lab, request{"fit", 9})
	p.submit(lab, request{"plot", 1})
	for t, r, ok := p.next(); ok; t, r, ok = p.next() {
		fmt.Println(t.name, r.name)
	}
	// Output:
	// shop order 0
	// lab plot
	// shop order 1
	// lab fit
	// shop order 2
	// shop order 3
	// shop order 4
}
