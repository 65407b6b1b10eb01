package histogram

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestJSONLosesNothing(t *testing.T) {
	type record struct {
		Of   string
		Runs Histogram
		More *Histogram
	}
	for i, h := range seeds(t) {
		b, err := json.Marshal(record{"a", *h, h})
		if err != nil {
			t.Fatal(err)
		}
		var got record
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatalf("histogram %d: %v from %s", i, err, b)
		}
		want := encoded(t, h)
		if a, b := encoded(t, &got.Runs), encoded(t, got.More); a != want || b != want {
			t.Errorf("histogram %d: %q and %q, want %q", i, a, b, want)
		}
	}
}

func encoded(t *testing.T, h *Histogram) string {
	t.Helper()
	b, err := h.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What decodes from text is sound, and what does not leaves the histogram as it was.
func FuzzUnmarshalText(f *testing.F) {
	for _, h := range seeds(f) {
		b, _ := h.MarshalText()
		f.Add(b)
	}
	f.Add([]byte("{}"))
	f.Add([]byte("SAIAUAA")) // no padding
	f.Fuzz(func(t *testing.T, text []byte) {
		h := of(t, Config{}, 1, 2, 3)
		before := encoded(t, h)
		if err := h.UnmarshalText(text); err != nil {
			if encoded(t, h) != before || !errors.Is(err, ErrFormat) {
				t.Fatalf("refused with %v, and changed", err)
			}
			return
		}
		work(t, h)
	})
}
