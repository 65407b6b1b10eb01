package histogram

import (
	"encoding/base64"
	"fmt"
)

// MarshalText returns what [Histogram.AppendBinary] appends as base64, so that a Histogram is a string in
// JSON and loses nothing there. The error is always nil.
func (h Histogram) MarshalText() ([]byte, error) {
	b, _ := h.AppendBinary(nil)
	return base64.StdEncoding.AppendEncode(nil, b), nil
}

// UnmarshalText makes h the histogram that [Histogram.MarshalText] has written. Anything else is refused with
// an error that wraps [ErrFormat], and h is left as it was.
func (h *Histogram) UnmarshalText(text []byte) error {
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return h.UnmarshalBinary(b)
}
