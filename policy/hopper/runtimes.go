package hopper

import (
	"iter"
	"math"
	"slices"
	"sort"
)

// Runtimes are the runtimes of finished tasks, s, in increasing order. The zero value has none
// and is ready for use.
//
// They lie in blocks of at most 512, so that one more moves 1 or 2 KB however many there are: a
// sorted slice of 50,000 would move 200 KB. Add takes O(log n) time and that for moving, At O(n/512).
// Each takes 8 to 16 bytes. After a Runtimes is copied, nothing must be added to either.
type Runtimes struct {
	blocks [][]float64 // not empty; increasing, within and from one to the next
	n      int
}

const runtimesBlock = 512

// Add adds a runtime, s. One that is negative or NaN is left out.
func (r *Runtimes) Add(runtime float64) {
	if !(runtime >= 0) {
		return
	}
	b := r.block(func(x float64) bool { return x < runtime })
	if b == len(r.blocks) { // greater than all
		if b--; b < 0 {
			b = 0
			r.insert(b)
		}
	}
	if len(r.blocks[b]) == runtimesBlock {
		r.split(b)
		if runtime > r.blocks[b][runtimesBlock/2-1] {
			b++
		}
	}
	at, _ := slices.BinarySearch(r.blocks[b], runtime)
	r.blocks[b] = slices.Insert(r.blocks[b], at, runtime)
	r.n++
}

// Len returns how many there are.
func (r *Runtimes) Len() int { return r.n }

// At returns the i-th least, from 0, and NaN if there are not as many.
func (r *Runtimes) At(i int) float64 {
	if i < 0 || i >= r.n {
		return math.NaN()
	}
	b := 0
	for ; i >= len(r.blocks[b]); b++ {
		i -= len(r.blocks[b])
	}
	return r.blocks[b][i]
}

// All yields the runtimes, increasing. r must not change meanwhile.
func (r *Runtimes) All() iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for _, block := range r.blocks {
			for _, runtime := range block {
				if !yield(runtime) {
					return
				}
			}
		}
	}
}

// reset forgets everything but the memory.
func (r *Runtimes) reset() { r.blocks, r.n = r.blocks[:0], 0 }

// reserve makes room for the first n.
func (r *Runtimes) reserve(n int) {
	if len(r.blocks) == 0 {
		r.insert(0)
		r.blocks[0] = slices.Grow(r.blocks[0], n)
		r.reset()
	}
}

// search returns how many runtimes there are of which less holds, which has to be the least
// ones.
func (r *Runtimes) search(less func(float64) bool) int {
	b := r.block(less)
	n := 0
	for _, block := range r.blocks[:b] {
		n += len(block)
	}
	if b < len(r.blocks) {
		block := r.blocks[b]
		n += sort.Search(len(block), func(i int) bool { return !less(block[i]) })
	}
	return n
}

// block returns the first block with a runtime of which less does not hold.
func (r *Runtimes) block(less func(float64) bool) int {
	return sort.Search(len(r.blocks), func(b int) bool {
		return !less(r.blocks[b][len(r.blocks[b])-1])
	})
}

// split moves the upper half of a block to one after it.
func (r *Runtimes) split(b int) {
	r.insert(b + 1)
	low := r.blocks[b]
	r.blocks[b+1] = append(slices.Grow(r.blocks[b+1], runtimesBlock), low[runtimesBlock/2:]...)
	r.blocks[b] = low[:runtimesBlock/2]
}

// insert makes an empty block b, of one that a reset has left if there is any.
func (r *Runtimes) insert(b int) {
	last := len(r.blocks)
	if last == cap(r.blocks) {
		r.blocks = append(r.blocks, nil)
	}
	r.blocks = r.blocks[:last+1]
	left := r.blocks[last][:0]
	copy(r.blocks[b+1:], r.blocks[b:last])
	r.blocks[b] = left
}
