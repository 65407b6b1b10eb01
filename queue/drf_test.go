package queue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestDRFRefuses(t *testing.T) {
	for _, test := range []struct {
		capacity []float64
		names    string
	}{
		{nil, "no resources"}, {[]float64{1, -1}, "resource 1 is -1"}, {[]float64{math.NaN()}, "resource 0 is NaN"}, {[]float64{math.Inf(1)}, "+Inf"},
	} {
		if _, err := NewDRF[int](test.capacity...); err == nil || !strings.Contains(err.Error(), test.names) {
			t.Errorf("capacity %v: got error %v, want one that says %q", test.capacity, err, test.names)
		}
	}
	d, err := NewDRF[int](1, 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.SetCapacity(1, 2); err == nil || !strings.Contains(err.Error(), "2 resources, want 3") {
		t.Errorf("two capacities: got error %v, want one that says so", err)
	}
	for _, weights := range [][]float64{{0}, {-1}, {1, 2}, {1, 2, math.NaN()}, {math.Inf(1), 1, 1}, {math.SmallestNonzeroFloat64}} {
		if _, err := d.Add(0, weights...); err == nil {
			t.Errorf("weights %v: got no error, want one", weights)
		}
	}
	handle, _ := d.Add(7)
	if d.Charge(handle, 1) || d.Charge(handle, 1, 2, math.NaN()) || d.Leave(handle) {
		t.Error("got true, want false")
	}
	d.Charge(handle, 0, 5, 0)
	if share := d.tenants.get(handle).share; share != 0 {
		t.Errorf("share of a resource of capacity 0: got %v, want 0", share)
	}
	d.Remove(handle)
	_, removed := d.Remove(handle)
	if removed || d.Join(handle) || d.Leave(handle) || d.Charge(handle, 1, 1, 1) {
		t.Error("stale handle: got true, want false")
	}
}

func newDRF(tb testing.TB, n, resources int) (*DRF[int], []Handle, [][]float64) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), uint64(resources)))
	capacity := make([]float64, resources)
	for j := range capacity {
		capacity[j] = 1e6
	}
	d, err := NewDRF[int](capacity...)
	if err != nil {
		tb.Fatal(err)
	}
	handles, demands := make([]Handle, n), make([][]float64, n)
	for i := range handles {
		handles[i], _ = d.Add(i, float64(1+rng.IntN(10)))
		d.Join(handles[i])
		demands[i] = make([]float64, resources)
		for j := range demands[i] {
			demands[i][j] = rng.Float64()
		}
	}
	return d, handles, demands
}

// A task of the next tenant starts.
func BenchmarkDRF(b *testing.B) {
	for _, resources := range []int{2, 4} {
		for _, n := range []int{10, 1000, 10_000} {
			b.Run(fmt.Sprintf("resources=%d/n=%d", resources, n), func(b *testing.B) {
				b.ReportAllocs()
				d, handles, demands := newDRF(b, n, resources)
				for b.Loop() {
					i, _ := d.Next()
					d.Charge(handles[i], demands[i]...)
				}
			})
		}
	}
}
