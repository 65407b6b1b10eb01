package queue

import (
	"fmt"
	"math"
	"testing"
)

// drfTrial does what data says to a DRF, and finds the next tenant by the definition among
// all.
func drfTrial(data []byte) error {
	type tenant struct {
		handle         Handle
		weight, use    [3]float64
		waits, removed bool
		charged        int
	}
	capacity := []float64{8, 64, 0}
	d, err := NewDRF[int](capacity...)
	if err != nil {
		return err
	}
	var tenants []*tenant
	charges := 0
	share := func(x *tenant) (s float64) {
		for j, c := range capacity {
			if c > 0 {
				s = max(s, x.use[j]/c/x.weight[j])
			}
		}
		return s
	}
	next := func() int {
		best := -1
		for i, x := range tenants {
			if !x.waits {
				continue
			}
			if best < 0 || share(x) < share(tenants[best]) || share(x) == share(tenants[best]) && x.charged < tenants[best].charged {
				best = i
			}
		}
		return best
	}
	for step := 0; len(data) >= 4; step, data = step+1, data[4:] {
		op, which, a, b := data[0]%8, int(data[1]), float64(data[2]), float64(int8(data[3]))
		if op == 0 || len(tenants) == 0 {
			x := &tenant{weight: [3]float64{1 + a, 1 + a/2, 1}}
			if x.handle, err = d.Add(len(tenants), x.weight[:]...); err != nil {
				return err
			}
			tenants = append(tenants, x)
			continue
		}
		i := which % len(tenants)
		x := tenants[i]
		want, got := !x.removed, false
		switch op {
		case 1, 2:
			if got = d.Join(x.handle); want && !x.waits {
				charges++
				x.waits, x.charged = true, charges
			}
		case 3:
			want = x.waits
			got = d.Leave(x.handle)
			x.waits = false
		case 4:
			if which%4 != 0 { // rarely
				continue
			}
			_, got = d.Remove(x.handle)
			x.removed, x.waits = true, false
		case 5:
			capacity[which%3] = a
			got, want = d.SetCapacity(capacity...) == nil, true
		case 6, 7:
			if n := next(); op == 6 && n >= 0 {
				x, want = tenants[n], true
			}
			c := 1.0
			if op == 7 { // something ends
				a, b, c = -a, -math.Abs(b), 0
			}
			if got = d.Charge(x.handle, b, a, c); want {
				x.use = [3]float64{x.use[0] + b, x.use[1] + a, x.use[2] + c}
				if a > 0 || b > 0 || c > 0 {
					charges++
					x.charged = charges
				}
			}
		}
		if got != want {
			return fmt.Errorf("step %d, op %d of tenant %d: got %v, want %v", step, op, i, got, want)
		}
		n := next()
		if got, ok := d.Next(); ok != (n >= 0) || ok && got != n {
			return fmt.Errorf("after step %d, op %d of tenant %d: next: got %d, %v, want %d", step, op, i, got, ok, n)
		}
		there := 0
		for i, x := range tenants {
			tenant := d.tenants.get(x.handle)
			ok, s := tenant != nil, 0.0
			if ok {
				s = tenant.share
			}
			use := row(d, d.use, x.handle.slot)[1].hi
			if ok == x.removed || ok && (s != share(x) || use != x.use[1]) {
				return fmt.Errorf("after step %d: tenant %d: got share %v, use %v, %v, want share %v, use %v", step, i, s, use, ok, share(x), x.use[1])
			}
			if ok {
				there++
			}
		}
		if got := d.tenants.n; got != there {
			return fmt.Errorf("after step %d: got %d tenants, want %d", step, got, there)
		}
	}
	return nil
}

func FuzzDRF(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 0, 0, 3, 0, 1, 0, 0, 0, 1, 1, 0, 0, 6, 0, 5, 3, 6, 0, 5, 1, 5, 1, 9, 0, 3, 0, 0, 0})
	addRandom(f, 100, 400, 4)
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := drfTrial(data[:min(len(data), 1600)]); err != nil {
			t.Fatal(err)
		}
	})
}
