package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// A lab runs each system once on each bed that it is asked for, on jobs that are drawn once for each seed,
// and keeps what came of it by seed, however many runs go on at once.
func TestLab(t *testing.T) {
	for _, processors := range []int{1, 4} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		l := new(lab)
		var draws, runs atomic.Int32
		bedOf := func(name string, seeds int) *bed[uint64] {
			return &bed[uint64]{name: name, seeds: seeds, draw: func(seed uint64) (uint64, error) {
				draws.Add(1)
				return seed, nil
			}}
		}
		times := func(factor uint64) func(context.Context, uint64) (string, error) {
			return func(_ context.Context, seed uint64) (string, error) {
				runs.Add(1)
				return fmt.Sprint(factor * seed), nil
			}
		}
		one := ask(l, bedOf("small", 3), "ten", times(10))
		if ask(l, bedOf("small", 3), "ten", times(10)) != one {
			t.Error("the same is run twice")
		}
		two := ask(l, bedOf("small", 3), "two", times(2))
		other := ask(l, bedOf("large", 2), "ten", times(10))
		if two == one || other == one {
			t.Error("another system or bed counts as the same")
		}
		if err := l.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			got  *trial[string]
			want []string
		}{{one, []string{"10", "20", "30"}}, {two, []string{"2", "4", "6"}}, {other, []string{"10", "20"}}} {
			if !slices.Equal(test.got.runs, test.want) {
				t.Errorf("%s on %s: got %q, want %q", test.got.system, test.got.bed, test.got.runs, test.want)
			}
		}
		if draws.Load() != 5 || runs.Load() != 8 {
			t.Errorf("%d draws and %d runs, want 3 + 2 and 2 * 3 + 2", draws.Load(), runs.Load())
		}
	}
}

// An error says where it is from; nothing runs in what is over.
func TestLabErrors(t *testing.T) {
	broken := errors.New("is broken")
	fine := func(seed uint64) (uint64, error) { return seed, nil }
	run := func(ctx context.Context, draw func(uint64) (uint64, error)) (runs int, err error) {
		l := new(lab)
		ask(l, &bed[uint64]{name: "jobs", seeds: 2, draw: draw}, "system", func(_ context.Context, seed uint64) (int, error) {
			if runs++; seed == 2 {
				return 0, broken
			}
			return 0, nil
		})
		err = l.run(ctx)
		return runs, err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if _, err := run(t.Context(), fine); !errors.Is(err, broken) || err.Error() != "jobs, seed 2: system: is broken" {
		t.Errorf("got error %v", err)
	}
	if _, err := run(t.Context(), func(uint64) (uint64, error) { return 0, broken }); err == nil || err.Error() != "jobs, seed 1: is broken" {
		t.Errorf("jobs that cannot be drawn: got error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if runs, err := run(ctx, fine); runs != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %d runs and error %v, want none and %v", runs, err, context.Canceled)
	}
}
