package histogram

import "fmt"

// A Window is the distribution of recent values: a ring of histograms, one for each period,
// the oldest of which is forgotten when a new period begins. It is merged when read.
type Window struct {
	ring []Histogram
	now  int
}

// NewWindow returns a window of the given number of periods, at least 1, each a histogram
// made by c. The error names what is outside its range.
func NewWindow(c Config, periods int) (*Window, error) {
	if periods < 1 {
		return nil, fmt.Errorf("histogram: a window of %d periods, must be at least 1", periods)
	}
	h, err := New(c)
	if err != nil {
		return nil, err
	}
	w := &Window{ring: make([]Histogram, periods)}
	for i := range w.ring {
		w.ring[i] = *h
	}
	return w, nil
}

// Add adds a value to the present period, as [Histogram.Add] does.
func (w *Window) Add(x float64) error { return w.ring[w.now].Add(x) }

// AddN adds a value with a weight to the present period, as [Histogram.AddN] does.
func (w *Window) AddN(x, n float64) error { return w.ring[w.now].AddN(x, n) }

// Advance begins a new period, and forgets the oldest.
func (w *Window) Advance() {
	w.now = (w.now + 1) % len(w.ring)
	w.ring[w.now].Reset()
}

// Count returns the sum of the weights of all values in the window.
func (w *Window) Count() float64 {
	sum := 0.0
	for i := range w.ring {
		sum += w.ring[i].count
	}
	return sum
}

// MergeInto merges all periods into h, the oldest first. For the distribution of the window
// alone h is new, or just Reset; to use the same h again and again saves allocating. It
// returns [ErrWeight] if the sum of weights would be infinite; h then has some of the periods.
func (w *Window) MergeInto(h *Histogram) error {
	for i := range w.ring {
		if err := h.Merge(&w.ring[(w.now+1+i)%len(w.ring)]); err != nil {
			return err
		}
	}
	return nil
}
