package heap

import "testing"

// What is kept is counted, and what is let go is not.
func TestOf(t *testing.T) {
	const large = 1 << 20
	got := Of(func() []byte {
		for range 10 {
			sink = make([]byte, large)
		}
		sink = nil
		return make([]byte, 3*large)
	})
	if got < 3*large-large/4 || got > 3*large+large/4 {
		t.Errorf("3 MiB that are kept take %d bytes, want %d", got, 3*large)
	}
}

var sink []byte
