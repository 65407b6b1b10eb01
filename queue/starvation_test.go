package queue

import (
	"fmt"
	"math"
	"testing"
)

// Short jobs come faster than the one slot can serve them, for ever, and one long job waits
// in the last level. Without shares it never has a turn; with shares it is done within the
// bound: between two of its tasks each other level j is charged at most w_j/w times its
// charge and one charge more.
func TestSharedLevelsStarveNone(t *testing.T) {
	const (
		tasks  = 10 // of the long job
		length = 10 // of each of them, seconds
		short  = 1  // length of a short job
	)
	for _, decay := range []float64{1, 2, 5} { // of weights from level to level
		t.Run(fmt.Sprintf("decay=%v", decay), func(t *testing.T) {
			levels, err := NewMultilevel[string](MultilevelConfig{Levels: 4, First: 2})
			if err != nil {
				t.Fatal(err)
			}
			shares := newSharing(t, ByService)
			weights := make([]float64, len(levels.levels))
			for i := range weights {
				weights[i] = math.Pow(decay, float64(-i))
			}
			handles := addWaiting(t, shares, weights...)
			for i := range handles {
				if levels.levelLen(i) == 0 {
					shares.Leave(handles[i])
				}
			}
			push := func(x string, estimate float64) {
				levels.Push(x, estimate)
				i, _ := levels.Level(estimate)
				shares.Join(handles[i])
			}
			last := len(levels.levels) - 1
			bound := 0.0 // seconds until the long job is done
			for i := range 2 {
				bound += weights[i]/weights[last]*(tasks-1)*length + tasks*short*float64(1+2*i)
			}
			bound += tasks * length

			for range tasks {
				push("long", 1e6)
			}
			now, left := 0.0, tasks
			for left > 0 {
				push("short", short) // two kinds, in levels 0 and 1
				push("medium", 3*short)
				i, _ := shares.Next()
				x, ok := levels.PopIn(i)
				if !ok {
					t.Fatalf("level %d is empty, and waits", i)
				}
				served := float64(short)
				switch x {
				case "medium":
					served = 3 * short
				case "long":
					served = length
					left--
				}
				shares.Charge(handles[i], served)
				if levels.levelLen(i) == 0 {
					shares.Leave(handles[i])
				}
				if now += served; now > bound {
					t.Fatalf("at %v s %d tasks of the long job are left, want it done within %v s", now, left, bound)
				}
			}
			if now < 0.5*bound {
				t.Errorf("the long job is done at %v s, which says little of a bound of %v s", now, bound)
			}
			if first, _ := levels.Peek(); first != "short" {
				t.Errorf("in the order of levels: got %q first, want %q, for ever", first, "short")
			}
		})
	}
}
