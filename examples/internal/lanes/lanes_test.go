package lanes_test

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/examples/internal/lanes"
)

// At each instant each span that runs has as many lanes as cores, no two have the same, and there are no more lanes than are needed.
func TestOf(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 5))
		type span struct{ begin, end, cores int64 }
		var spans []span
		for range 1 + random.IntN(60) {
			begin := random.Int64N(30)
			spans = append(spans, span{begin, begin + random.Int64N(9), 1 + random.Int64N(5)})
		}
		bars, got := lanes.Of(1000, len(spans), func(i int) (int64, int64, int64) { return spans[i].begin, spans[i].end, spans[i].cores })
		want := int64(0)
		for now := range int64(40) {
			owner := make(map[int]int)
			all := int64(0)
			for i, s := range spans {
				if s.begin > now || now >= s.end {
					continue
				}
				has := int64(0)
				for _, b := range bars {
					for k := b.Lane; b.Span == i && k < b.Lane+b.Lanes; k++ {
						if other, taken := owner[k]; taken || k >= got {
							t.Fatalf("seed %d: at %d span %d has lane %d of %d, which span %d has", seed, now, i, k, got, other)
						}
						owner[k] = i
						has++
					}
				}
				if has != s.cores {
					t.Fatalf("seed %d: at %d span %d has %d lanes, want %d", seed, now, i, has, s.cores)
				}
				all += has
			}
			want = max(want, all)
		}
		if int64(got) != want {
			t.Errorf("seed %d: %d lanes, want as many as cores are in use at once, %d", seed, got, want)
		}
	}
}
