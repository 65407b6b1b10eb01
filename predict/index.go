package predict

// An index maps keys to ids, which are not 0: a hash table with open addressing. It holds 32 bits
// of each key, which give its home slot and nearly always tell it from other keys.
type index struct {
	slots []uint64 // a key's tag, and below it an id; 0 if empty. Their number is a power of two
	n     int
}

// home is the slot where the search begins for a tag, or for what a slot contains.
func (x *index) home(content uint64) int { return int(content>>32) & (len(x.slots) - 1) }

// tag is the part of a key that a slot holds, in its place.
func tag(k key) uint64 { return k.a << 32 }

const idMask = 1<<32 - 1

// first returns the first slot whose id may belong to the key, and that id, or 0 if there is none.
func (x *index) first(k key) (slot int, id uint32) {
	if x.n == 0 {
		return 0, 0
	}
	return x.search(k, x.home(tag(k)))
}

// next returns the next such slot after the given one.
func (x *index) next(k key, slot int) (int, uint32) {
	return x.search(k, (slot+1)&(len(x.slots)-1))
}

func (x *index) search(k key, slot int) (int, uint32) {
	for ; ; slot = (slot + 1) & (len(x.slots) - 1) {
		content := x.slots[slot]
		if content == 0 || content&^idMask == tag(k) {
			return slot, uint32(content)
		}
	}
}

// add adds the id of a new key.
func (x *index) add(k key, id uint32) {
	if 4*(x.n+1) > 3*len(x.slots) {
		old := x.slots
		x.slots = make([]uint64, max(8, 2*len(old)))
		for _, content := range old {
			if content != 0 {
				x.put(content)
			}
		}
	}
	x.n++
	x.put(tag(k) | uint64(id))
}

func (x *index) put(content uint64) {
	slot := x.home(content)
	for x.slots[slot] != 0 {
		slot = (slot + 1) & (len(x.slots) - 1)
	}
	x.slots[slot] = content
}

// remove removes the id of a key, which must be there. It moves up the entries that follow without
// a gap, as far as their home slots allow, so that no search stops before it reaches them.
func (x *index) remove(k key, id uint32) {
	mask := len(x.slots) - 1
	hole := x.home(tag(k))
	for uint32(x.slots[hole]) != id {
		hole = (hole + 1) & mask
	}
	for slot := (hole + 1) & mask; x.slots[slot] != 0; slot = (slot + 1) & mask {
		if (slot-x.home(x.slots[slot]))&mask >= (slot-hole)&mask {
			x.slots[hole] = x.slots[slot]
			hole = slot
		}
	}
	x.slots[hole] = 0
	x.n--
}
