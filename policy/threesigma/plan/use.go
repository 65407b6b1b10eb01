package plan

// slack is the share of a capacity by which the sum of what is taken may exceed it: the room that
// the rounding of a sum needs. See tolerance, which is twice as much.
const slack = tolerance / 2

// A use is what a choice takes of each pool in each slot, kept as jobs come and go.
//
// Invariant: taken[i] is the sum of Problem.at over the options added and not removed, up to
// rounding, for i = pool × slots + slot. An error of rounding is at most 2^-53 of the sum
// then, and they add up: what was let in by fits passes Value if there were fewer than four million
// changes of one slot in between; set begins anew, and forgets them.
//
// Adding, removing and asking take O(slots × shares) time, for the shares of a place, and no
// memory. A use is no safer for two goroutines at once than a slice is.
type use struct {
	p     *Problem
	slots int
	taken []float64 // nodes
	limit []float64 // capacity and slack, in nodes
}

// newUse returns the use of no option. The problem must be valid.
func newUse(p *Problem) *use {
	u := &use{p: p, slots: p.slotCount()}
	u.taken = make([]float64, len(p.Capacity)*u.slots)
	u.limit = make([]float64, 0, len(u.taken))
	for _, slots := range p.Capacity {
		for _, c := range slots {
			u.limit = append(u.limit, c+float64(c*slack))
		}
	}
	return u
}

// span returns the place of option o of job j, and the profile of what it takes there from a slot
// on, cut where the slots end.
func (u *use) span(j, o int) (place Place, start int, profile []float64) {
	job := &u.p.Jobs[j]
	opt := &job.Options[o]
	profile = job.Profiles[opt.Profile]
	if left := u.slots - int(opt.Start); len(profile) > left {
		profile = profile[:left]
	}
	return job.Places[opt.Place], int(opt.Start), profile
}

// row returns what of all slots of all pools is so many slots of one pool.
func (u *use) row(all []float64, pool int32, start, slots int) []float64 {
	first := int(pool)*u.slots + start
	return all[first : first+slots]
}

// fits says whether option o of job j could be added.
func (u *use) fits(j, o int) bool {
	place, start, profile := u.span(j, o)
	for _, s := range place {
		taken := u.row(u.taken, s.Pool, start, len(profile))
		limit := u.row(u.limit, s.Pool, start, len(profile))
		for t, x := range profile {
			if taken[t]+float64(s.Nodes*x) > limit[t] {
				return false
			}
		}
	}
	return true
}

// add adds option o of job j, whether it fits or not.
func (u *use) add(j, o int) {
	place, start, profile := u.span(j, o)
	for _, s := range place {
		taken := u.row(u.taken, s.Pool, start, len(profile))
		for t, x := range profile {
			taken[t] += float64(s.Nodes * x)
		}
	}
}

// remove takes back add.
func (u *use) remove(j, o int) {
	place, start, profile := u.span(j, o)
	for _, s := range place {
		taken := u.row(u.taken, s.Pool, start, len(profile))
		for t, x := range profile {
			taken[t] -= float64(s.Nodes * x)
		}
	}
}

// set makes u the use of a choice, which may have None, whether it fits or not.
func (u *use) set(choice []int) {
	clear(u.taken)
	for j, o := range choice {
		if o != None {
			u.add(j, o)
		}
	}
}

// keep makes u the use of what of start fits, jobs in order, and returns that as a choice. It
// leaves out what is no option, and is of no utility; start may be shorter or longer than the jobs
// are many.
func (u *use) keep(start []int) []int {
	clear(u.taken)
	choice := make([]int, len(u.p.Jobs))
	for j := range choice {
		choice[j] = None
		if j >= len(start) {
			continue
		}
		if o := start[j]; o >= 0 && o < len(u.p.Jobs[j].Options) && u.p.Jobs[j].Options[o].Utility > 0 && u.fits(j, o) {
			u.add(j, o)
			choice[j] = o
		}
	}
	return choice
}
