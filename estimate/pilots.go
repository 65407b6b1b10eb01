package estimate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.com/augur/internal/saturate"
)

// PilotCount returns how many of a job's tasks to run first as pilots, whose runtimes predict those
// of the other tasks: max(1, ratio*tasks), rounded half up. tasks must be at least 1, and ratio in
// (0, 1].
//
// # Source
//
// SLearn, section 4.3, with a ratio of 0.03; section 5.1.2 adapts it. The rounding is ours.
func PilotCount(tasks int, ratio float64) (int, error) {
	if tasks < 1 {
		return 0, fmt.Errorf("estimate: number of tasks is %d, must be ≥ 1", tasks)
	}
	if !(ratio > 0 && ratio <= 1) {
		return 0, fmt.Errorf("estimate: ratio of pilots is %v, must be in (0, 1]", ratio)
	}
	// 0.29 of 50 is half of 29, though its nearest float64 is less.
	const half = 0.5 + 1e-9
	pilots := math.Floor(ratio*float64(tasks) + half)
	if pilots >= float64(tasks) { // which may be more than an int holds
		return tasks, nil
	}
	return max(1, saturate.To[int](pilots)), nil
}

// Pilots draws n of the numbers 0 to tasks-1, appends them to dst in increasing order, and returns
// dst. Every choice is equally likely. tasks must be at most 2^28. Pilots takes O(tasks) time and
// draws at most tasks numbers from src. It does not allocate if dst has room.
//
// # Source
//
// D. E. Knuth, The Art of Computer Programming, volume 2, section 3.4.2, Algorithm S.
func Pilots(dst []int, tasks, n int, src rand.Source) ([]int, error) {
	const most = 1 << 28
	if tasks > most {
		return dst, fmt.Errorf("estimate: number of tasks is %d, must be at most %d", tasks, most)
	}
	if n < 0 || n > tasks {
		return dst, fmt.Errorf("estimate: number of pilots is %d, must be 0 to %d, the number of tasks", n, tasks)
	}
	if src == nil {
		return dst, errors.New("estimate: the random source of Pilots is nil, want one such as rand.NewPCG(seed, 0)")
	}
	dst = slices.Grow(dst, n)
	rng := rand.New(src)
	for task := 0; n > 0; task++ {
		if rng.IntN(tasks-task) < n {
			dst = append(dst, task)
			n--
		}
	}
	return dst, nil
}
