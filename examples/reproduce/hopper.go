package main

import (
	"context"
	"fmt"
)

// reproduceHopper repeats what Hopper was evaluated with: as yet, its worked example in section 2.
func reproduceHopper(ctx context.Context, r *report, _ form) error {
	if err := hopperExample(ctx, r); err != nil {
		return fmt.Errorf("section 2: %w", err)
	}
	return nil
}
