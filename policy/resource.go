package policy

import (
	"fmt"
	"math/bits"
	"slices"
)

// A Need is how much of a named resource each task of a stage takes, besides cores and memory: a part of a GPU, two
// GPUs, a licence, bandwidth.
//
// If the resource comes in devices and Amount is at most one device's amount, the task takes a part of one device. If
// Amount is more, the task takes whole devices, and runs only on nodes where Amount is a multiple of one device's
// amount.
type Need struct {
	Name   string `json:"name"`
	Amount int64  `json:"amount"` // thousandths of the resource's unit, 1 to MaxAmount
}

// An Offer is how much a node has of a named resource.
type Offer struct {
	Name   string `json:"name"`
	Amount int64  `json:"amount"` // thousandths of the resource's unit, 1 to MaxAmount: of each device, or of the node
	// Devices is the number of devices, such as GPUs, that the resource comes in. 0 means that it does not come in
	// devices: all tasks on the node share Amount.
	Devices uint8 `json:"devices,omitzero"`
}

// All returns the node's total amount of the resource, over all devices, in thousandths.
func (o *Offer) All() int64 { return o.Amount * int64(max(1, o.Devices)) }

// Limits on named resources.
const (
	MaxAmount  = 1e9 // the largest Amount, in thousandths
	MaxNames   = 8   // of resources that one node offers, or one task needs
	MaxDevices = 64  // of one node, over all resources
)

// Devices is a set of devices of a node. Bit k is device k. The devices of a node are numbered from 0, in the order of
// [Node.Offers].
type Devices uint64

// A Stock counts the free named resources of one node. Hosts, policies and the simulator's checker use it. A nil *Stock stands
// for a node without named resources. A call takes time in proportion to the needs of the stage, the offers and the
// devices, and allocates nothing.
type Stock struct{ of []stocked }

type stocked struct {
	Offer
	first int     // the number of its first device
	free  []int64 // of each device, or of the node
}

// NewStock returns the stock of a node on which nothing runs. It returns nil if the node offers no named resources.
func NewStock(n *Node) *Stock {
	if len(n.Offers) == 0 {
		return nil
	}
	s, first := new(Stock), 0
	for _, o := range n.Offers {
		x := stocked{Offer: o, first: first, free: make([]int64, max(1, o.Devices))}
		for i := range x.free {
			x.free[i] = o.Amount
		}
		s.of = append(s.of, x)
		first += int(o.Devices)
	}
	return s
}

// All yields the offers of the node with the free amounts: one for each device, or a single one if there are no
// devices. The caller must not change them.
func (s *Stock) All(yield func(o *Offer, free []int64) bool) {
	if s == nil {
		return
	}
	for i := range s.of {
		if !yield(&s.of[i].Offer, s.of[i].free) {
			return
		}
	}
}

// find returns the stock of a resource, nil if the node does not offer it.
func (s *Stock) find(name string) *stocked {
	if s == nil {
		return nil
	}
	for i := range s.of {
		if s.of[i].Name == name {
			return &s.of[i]
		}
	}
	return nil
}

// whole returns how many whole devices a task with this need takes: 0 if it takes a part of one device, or if the
// resource does not come in devices. It returns false if the amount is not a whole number of devices.
func (x *stocked) whole(amount int64) (devices int, ok bool) {
	if x.Devices == 0 || amount < x.Amount {
		return 0, true
	}
	return int(amount / x.Amount), amount%x.Amount == 0
}

// Fits returns how many more tasks of a stage fit on the node by its named resources alone, without regard to cores and
// memory. If the stage needs no named resources, Fits returns the largest uint32.
func (s *Stock) Fits(stage *Stage) uint32 { return s.fits(stage, false) }

// Holds is [Stock.Fits] of the node if nothing ran on it.
func (s *Stock) Holds(stage *Stage) uint32 { return s.fits(stage, true) }

func (s *Stock) fits(stage *Stage, empty bool) uint32 {
	fits := int64(1<<32 - 1)
	for _, need := range stage.Needs {
		x := s.find(need.Name)
		if x == nil {
			return 0
		}
		devices, ok := x.whole(need.Amount)
		if !ok {
			return 0
		}
		n := int64(0)
		for _, free := range x.free {
			if empty {
				free = x.Amount
			}
			if devices == 0 {
				n += max(0, free) / max(1, need.Amount)
			} else if free == x.Amount {
				n++
			}
		}
		fits = min(fits, n/int64(max(1, devices)))
	}
	return uint32(fits)
}

// Holds returns how many tasks of a stage the node holds if nothing else runs there. It allocates if the stage needs named resources.
func (n *Node) Holds(stage *Stage) uint32 {
	holds := int64(n.Cores / max(1, stage.Cores))
	if n.Memory > 0 && stage.Memory > 0 {
		holds = min(holds, n.Memory/stage.Memory)
	}
	if stage.Needs != nil {
		holds = min(holds, int64(NewStock(n).Holds(stage)))
	}
	return uint32(holds)
}

// Take takes what one task of a stage needs and returns the devices for it. It returns false and changes nothing if
// too little is free.
//
// A part of a device comes from the fullest device that still has enough, and whole devices are the first free ones.
// A host may choose other devices: it then calls Add with those.
func (s *Stock) Take(stage *Stage) (devices Devices, ok bool) {
	if s.Fits(stage) == 0 {
		return 0, false
	}
	for _, need := range stage.Needs {
		x := s.find(need.Name)
		if x.Devices == 0 {
			continue
		}
		whole, _ := x.whole(need.Amount)
		if whole == 0 {
			devices |= 1 << (x.first + x.tightest(need.Amount))
			continue
		}
		for i, free := range x.free {
			if free == x.Amount && whole > 0 {
				devices |= 1 << (x.first + i)
				whole--
			}
		}
	}
	s.Add(stage, devices, -1)
	return devices, true
}

// tightest returns the device with the least free amount that is enough; ties go to the lowest number.
func (x *stocked) tightest(amount int64) int {
	best := -1
	for i, free := range x.free {
		if free >= amount && (best < 0 || free < x.free[best]) {
			best = i
		}
	}
	return best
}

// Add gives back the needs of a number of tasks of a stage, each of which holds all of the given devices. If tasks is negative,
// Add takes them instead. It does not check that enough is free, so a free amount may fall below 0: see [Stock.Check].
func (s *Stock) Add(stage *Stage, devices Devices, tasks int64) {
	for _, need := range stage.Needs {
		x := s.find(need.Name)
		switch {
		case x == nil:
		case x.Devices == 0:
			x.free[0] += tasks * need.Amount
		default:
			amount := min(need.Amount, x.Amount)
			for i := range x.free {
				if devices>>(x.first+i)&1 != 0 {
					x.free[i] += tasks * amount
				}
			}
		}
	}
}

// Check returns an error if a number of tasks of a stage cannot start on the given devices, which they share. Either these are
// not the devices that a task needs, or too little is free on them.
func (s *Stock) Check(stage *Stage, devices Devices, tasks uint32) error {
	for _, need := range stage.Needs {
		x := s.find(need.Name)
		if x == nil {
			return fmt.Errorf("the node offers no %s", need.Name)
		}
		whole, ok := x.whole(need.Amount)
		if !ok {
			return fmt.Errorf("%d thousandths of %s is not a whole number of devices of %d each; want a multiple", need.Amount, need.Name, x.Amount)
		}
		mine := devices & x.devices()
		devices &^= mine
		want := max(1, whole)
		if x.Devices == 0 {
			want = 0
		}
		if got := bits.OnesCount64(uint64(mine)); got != want {
			return fmt.Errorf("%d devices of %s, want %d for %d thousandths", got, need.Name, want, need.Amount)
		}
		amount := min(need.Amount, x.Amount)
		if x.Devices == 0 {
			amount = need.Amount
		}
		for i, free := range x.free {
			if (x.Devices == 0 || mine>>(x.first+i)&1 != 0) && free < int64(tasks)*amount {
				return fmt.Errorf("%d thousandths of %s are free (device %d), want %d", free, need.Name, x.first+i, int64(tasks)*amount)
			}
		}
	}
	if devices != 0 {
		return fmt.Errorf("devices %b, which the stage does not need; want only devices of resources that it needs", devices)
	}
	return nil
}

// devices returns the devices of a resource.
func (x *stocked) devices() Devices {
	return (1<<x.Devices - 1) << x.first // 1<<64 is 0: all
}

// validNeeds returns an error that names what is wrong with the needs of a stage.
func validNeeds(needs []Need) error {
	if len(needs) > MaxNames {
		return fmt.Errorf("%d needs, want at most %d", len(needs), MaxNames)
	}
	for i, need := range needs {
		switch {
		case need.Name == "":
			return fmt.Errorf("a need without a name, want that of a resource")
		case need.Amount < 1 || need.Amount > MaxAmount:
			return fmt.Errorf("needs %d thousandths of %s, want 1 to %d", need.Amount, need.Name, int64(MaxAmount))
		case slices.ContainsFunc(needs[:i], func(n Need) bool { return n.Name == need.Name }):
			return fmt.Errorf("needs %s twice, want one need with the sum", need.Name)
		}
	}
	return nil
}

// validOffers returns an error that names what is wrong with the offers of a node.
func validOffers(offers []Offer) error {
	if len(offers) > MaxNames {
		return fmt.Errorf("%d offers, want at most %d", len(offers), MaxNames)
	}
	devices := 0
	for i, o := range offers {
		devices += int(o.Devices)
		switch {
		case o.Name == "":
			return fmt.Errorf("an offer without a name, want that of a resource")
		case o.Amount < 1 || o.Amount > MaxAmount:
			return fmt.Errorf("offers %d thousandths of %s, want 1 to %d", o.Amount, o.Name, int64(MaxAmount))
		case slices.ContainsFunc(offers[:i], func(x Offer) bool { return x.Name == o.Name }):
			return fmt.Errorf("offers %s twice, want one offer with all devices", o.Name)
		case devices > MaxDevices:
			return fmt.Errorf("%d devices, want at most %d", devices, MaxDevices)
		}
	}
	return nil
}
