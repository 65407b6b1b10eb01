package baseline

import (
	"slices"

	"example.com/augur/policy"
)

// amounts are cores, bytes of memory, and thousandths of named resources by their place in View.Resources. What exceeds the array
// is not planned. Devices are not told apart. Where nodes have nothing but cores, those are all that is kept.
type amounts interface{ onlyCores | everything }

type (
	onlyCores  = [1]int64
	everything = [2 + policy.MaxNames]int64
)

// first returns as many of all amounts as are kept.
func first[A amounts](all *everything) (a A) {
	for i := 0; i < len(a); i++ {
		a[i] = all[i]
	}
	return a
}

// fitting returns how many tasks fit that each need so much, at most want. A task takes a core at least.
func fitting[A amounts](free, need *A, want int64) int64 {
	for i := 0; i < len(*need); i++ {
		switch x := (*need)[i]; {
		case x == 0:
		case (*free)[i] < x:
			return 0
		case want > 1:
			want = min(want, (*free)[i]/x)
		}
	}
	return want
}

// A step is what is free from an instant until that of the next step.
type step[A amounts] struct {
	at   policy.Time
	free A
}

// A timeline is what is free when, on a node or in all: steps by increasing instants, the last of which has no end. No two
// neighbours have the same free. They are in blocks, so that a change moves few of them and a search passes over many at once.
type timeline[A amounts] struct {
	blocks []*block[A]
	spare  []*block[A] // that are no longer needed
}

// blockSize is how many steps a block has at most.
const blockSize = 128

type block[A amounts] struct {
	steps []step[A]       // at least one
	known bool            // the rest is right
	most  A               // of each amount, free in some step
	tail  int             // from that step on a core is free until the end of the block
	idle  policy.Duration // the longest time before that in which a core is free
}

// push adds a step at the end.
func (t *timeline[A]) push(s step[A]) {
	n := len(t.blocks)
	if n == 0 || len(t.blocks[n-1].steps) == blockSize {
		t.insert(n, nil)
		n++
	}
	b := t.blocks[n-1]
	b.steps, b.known = append(b.steps, s), false
}

// insert makes a block of some steps block k.
func (t *timeline[A]) insert(k int, steps []step[A]) {
	var b *block[A]
	if n := len(t.spare); n > 0 {
		b, t.spare = t.spare[n-1], t.spare[:n-1]
	} else {
		b = new(block[A])
	}
	b.steps, b.known = append(b.steps[:0], steps...), false
	t.blocks = slices.Insert(t.blocks, k, b)
}

// remove takes the blocks from k to end out.
func (t *timeline[A]) remove(k, end int) {
	t.spare = append(t.spare, t.blocks[k:end]...)
	t.blocks = slices.Delete(t.blocks, k, end)
}

// clear takes all steps away.
func (t *timeline[A]) clear() { t.remove(0, len(t.blocks)) }

// find returns the block and the place in it of the last step that begins at an instant or before, the first step if none does.
func (t *timeline[A]) find(at policy.Time) (b *block[A], k, i int) {
	end := len(t.blocks)
	for end-k > 1 {
		if m := int(uint(k+end) / 2); t.blocks[m].steps[0].at <= at {
			k = m
		} else {
			end = m
		}
	}
	b = t.blocks[k]
	end = len(b.steps)
	for end-i > 1 {
		if m := int(uint(i+end) / 2); b.steps[m].at <= at {
			i = m
		} else {
			end = m
		}
	}
	return b, k, i
}

// forget drops what was before now.
func (t *timeline[A]) forget(now policy.Time) {
	if len(t.blocks) == 0 {
		return
	}
	b, k, i := t.find(now)
	if i > 0 {
		b.steps, b.known = slices.Delete(b.steps, 0, i), false
	}
	t.remove(0, k)
}

// add makes some tasks' needs free from one instant to another, or takes them if tasks is less than 0.
func (t *timeline[A]) add(need *A, tasks int64, from, to policy.Time) {
	if from = max(from, t.blocks[0].steps[0].at); from >= to {
		return
	}
	t.split(from)
	if to != never {
		t.split(to)
	}
	_, k, i := t.find(from)
	first, place := k, i
	for ; k < len(t.blocks); k, i = k+1, 0 {
		b := t.blocks[k]
		b.known = false
		for ; i < len(b.steps) && b.steps[i].at < to; i++ {
			for x := 0; x < len(*need); x++ {
				b.steps[i].free[x] += tasks * (*need)[x]
			}
		}
		if i < len(b.steps) {
			t.merge(k, i)
			break
		}
	}
	t.merge(first, place)
}

// split makes a step begin at an instant.
func (t *timeline[A]) split(at policy.Time) {
	b, k, i := t.find(at)
	if b.steps[i].at == at {
		return
	}
	if len(b.steps) == blockSize {
		half := blockSize / 2
		t.insert(k+1, b.steps[half:])
		b.steps, b.known = b.steps[:half], false
		if i >= half {
			b, i = t.blocks[k+1], i-half
		}
	}
	b.steps, b.known = slices.Insert(b.steps, i+1, step[A]{at, b.steps[i].free}), false
}

// merge takes step i of block k out if it changes nothing.
func (t *timeline[A]) merge(k, i int) {
	b := t.blocks[k]
	switch {
	case i > 0 && b.steps[i].free == b.steps[i-1].free:
	case i == 0 && k > 0 && b.steps[0].free == t.blocks[k-1].steps[len(t.blocks[k-1].steps)-1].free:
	default:
		return
	}
	b.steps, b.known = slices.Delete(b.steps, i, i+1), false
	if len(b.steps) == 0 {
		t.remove(k, k+1)
	}
}

// earliest returns the first instant, now or later, from which so much is free for so long, or until an instant from which on it is
// free anyway. It is latest if there is none before.
func (t *timeline[A]) earliest(now, latest, anyway policy.Time, need *A, time policy.Duration) policy.Time {
	if now >= latest {
		return latest
	}
	_, k, i := t.find(now)
	cores := (*need)[0]          // most often they are what decides
	start, end := latest, latest // of the room, if start is before latest; else none is open
	for ; k < len(t.blocks); k, i = k+1, 0 {
		b := t.blocks[k]
		if i == 0 && k > 0 {
			if i = b.pass(need, time, start < latest || b.steps[len(b.steps)-1].at >= anyway); i > 0 {
				if b.steps[0].at >= end {
					return start
				}
				start, end = latest, latest
			}
		}
		rest := b.steps[i:]
		for i := range rest {
			s := &rest[i]
			if s.at >= end {
				return start
			}
			if s.free[0] < cores || len(s.free) > 1 && fitting(&s.free, need, 1) == 0 {
				start, end = latest, latest
			} else if start == latest {
				start = max(now, s.at)
				end = min(anyway, after(start, time))
			}
		}
	}
	return start
}

// between appends the steps of a span of time.
func (t *timeline[A]) between(from, to policy.Time, steps []step[A]) []step[A] {
	_, k, i := t.find(from)
	for ; k < len(t.blocks); k, i = k+1, 0 {
		for _, s := range t.blocks[k].steps[i:] {
			if s.at >= to {
				return steps
			}
			steps = append(steps, s)
		}
	}
	return steps
}

// pass returns how many steps of a block a search may pass over, as it can start in none of them. With open, room before the block
// goes on in it, or need not last so long.
func (b *block[A]) pass(need *A, time policy.Duration, open bool) int {
	if !b.known {
		b.known, b.most, b.tail, b.idle = true, b.steps[0].free, 0, 0
		for i := range b.steps {
			s := &b.steps[i]
			for x := 0; x < len(b.most); x++ {
				b.most[x] = max(b.most[x], s.free[x])
			}
			if s.free[0] <= 0 {
				b.idle = max(b.idle, s.at.Sub(b.steps[b.tail].at))
				b.tail = i + 1
			}
		}
	}
	switch {
	case fitting(&b.most, need, 1) == 0:
		return len(b.steps)
	case !open && b.idle < time:
		return b.tail
	}
	return 0
}
