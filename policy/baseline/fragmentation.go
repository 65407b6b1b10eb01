package baseline

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
)

// A Fragmentation is the fragmentation measure F_n(M) of FGD: the expected number of free devices of a node, such as GPUs,
// that a task drawn from a mix of tasks cannot use. Parts of devices count as such.
//
// A host that shares devices calls Add for each kind of task in its mix. Then it starts a task on the node, and on the
// devices, where Growth is least. The zero value is an empty mix.
//
// To a task, what is free of a device is a fragment if it is less than what the task takes of each device. All that is free on
// a node is a fragment if the node has no room for the task, or if the task needs none of the resource. Memory does not
// count: a host to which it matters makes it a named resource without devices.
//
// It remembers the measures of the nodes that it has seen until the mix changes. Nodes on which the same is free, or which
// have not changed, cost little then: a host does best with a mix that it sets once, or now and then.
//
// A Fragmentation must not be used by several goroutines at once.
//
// # Source
//
// Q. Weng, L. Yang, Y. Yu, W. Wang, X. Tang, G. Yang and L. Zhang, "Beware of fragmentation: scheduling GPU-sharing
// workloads with fragmentation gradient descent", USENIX ATC 2023, section 4.
type Fragmentation struct {
	// MaxKinds is the number of kinds of tasks in the mix, ≥ 1; 0 means no limit. Of more, the one with the least weight is
	// forgotten. Set it before the first Add.
	MaxKinds int

	kinds []kind
	total float64 // weight of all kinds
	// needing leaves out the devices that a task does not need. They are fragments to it wherever the next task goes.
	needing bool

	sums  map[string]float64 // by the state of a node, since the mix has changed
	state []byte             // scratch
}

// maxSums bounds the memory of sums: about 10 MB on nodes of eight devices.
const maxSums = 1 << 16

// A kind is tasks that take the same.
type kind struct {
	cores  int32
	needs  []policy.Need
	weight float64
}

// Add adds tasks of a stage to the mix, as often as weight says in proportion to the others. Of the stage only Cores
// and Needs matter. It returns an error, and adds nothing, if weight is not finite and above 0, or if the stage is not valid.
// It takes time in proportion to the kinds of tasks in the mix, and forgets the measures of nodes.
func (f *Fragmentation) Add(stage *policy.Stage, weight float64) error {
	if !(weight > 0) || math.IsInf(weight, 1) || math.IsInf(f.total+weight, 1) {
		return fmt.Errorf("baseline: a weight in the mix of tasks is %v, want a finite number above 0", weight)
	}
	one := policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: stage.Cores, Needs: stage.Needs}}}
	if err := one.Validate(); err != nil {
		return fmt.Errorf("baseline: a kind of task in the mix: %w", err)
	}
	f.add(stage, weight)
	return nil
}

func (f *Fragmentation) add(stage *policy.Stage, weight float64) {
	at := slices.IndexFunc(f.kinds, func(k kind) bool { return k.cores == stage.Cores && slices.Equal(k.needs, stage.Needs) })
	if at < 0 {
		if f.MaxKinds > 0 && len(f.kinds) >= f.MaxKinds {
			f.forget()
		}
		at = len(f.kinds)
		f.kinds = append(f.kinds, kind{cores: stage.Cores, needs: slices.Clone(stage.Needs)})
	}
	f.kinds[at].weight += weight
	f.total += weight
	if len(f.sums) > 0 {
		clear(f.sums)
	}
}

// forget forgets the kind with the least weight, the latest of equals.
func (f *Fragmentation) forget() {
	least := 0
	for i := range f.kinds {
		if f.kinds[i].weight <= f.kinds[least].weight {
			least = i
		}
	}
	f.kinds = slices.Delete(f.kinds, least, least+1)
	f.total = 0
	for i := range f.kinds {
		f.total += f.kinds[i].weight
	}
}

// Of returns the fragmentation of a node, in devices, of which cores and named resources are free: 0 if the mix is empty. It
// takes time in proportion to the kinds of tasks and the devices, the first time, and then to the devices.
func (f *Fragmentation) Of(cores int64, s *policy.Stock) float64 {
	if f.total == 0 {
		return 0
	}
	return f.sum(cores, s) / f.total
}

// Growth returns how much the fragmentation of a node grows, in devices, if a task of a stage starts there on the given devices:
// below 0 if it shrinks. It returns an error if the task has no room there. A host that lets the node choose the devices
// asks with those of [policy.Stock.Take], and one that chooses asks with each that [policy.Stock.Check] allows, as
// FGD does. It leaves s as it was.
func (f *Fragmentation) Growth(cores int64, s *policy.Stock, stage *policy.Stage, devices policy.Devices) (float64, error) {
	if cores < int64(stage.Cores) {
		return 0, fmt.Errorf("baseline: %d cores are free, want %d for a task", cores, stage.Cores)
	}
	if err := s.Check(stage, devices, 1); err != nil {
		return 0, fmt.Errorf("baseline: %w", err)
	}
	if f.total == 0 {
		return 0, nil
	}
	return f.growth(cores, s, stage, devices) / f.total, nil
}

// growth is Growth, times the weight of all kinds.
func (f *Fragmentation) growth(cores int64, s *policy.Stock, stage *policy.Stage, devices policy.Devices) float64 {
	before := f.sum(cores, s)
	s.Add(stage, devices, -1)
	after := f.sum(cores-int64(stage.Cores), s)
	s.Add(stage, devices, 1)
	return after - before
}

// sum is Of, times the weight of all kinds.
func (f *Fragmentation) sum(cores int64, s *policy.Stock) float64 {
	f.state = appendState(f.state[:0], cores, s)
	if sum, ok := f.sums[string(f.state)]; ok {
		return sum
	}
	if f.sums == nil {
		f.sums = make(map[string]float64)
	} else if len(f.sums) >= maxSums {
		clear(f.sums)
	}
	sum := f.count(cores, s)
	f.sums[string(f.state)] = sum
	return sum
}

// appendState appends what tells a node, as far as sum looks at it, from others.
func appendState(state []byte, cores int64, s *policy.Stock) []byte {
	state = binary.AppendVarint(state, cores)
	for o, free := range s.All {
		state = append(binary.AppendUvarint(state, uint64(len(o.Name))), o.Name...)
		state = append(binary.AppendVarint(state, o.Amount), o.Devices)
		for _, x := range free {
			state = binary.AppendVarint(state, x)
		}
	}
	return state
}

// count is sum without memory.
func (f *Fragmentation) count(cores int64, s *policy.Stock) (sum float64) {
	for i := range f.kinds {
		k := &f.kinds[i]
		stage := policy.Stage{Tasks: 1, Cores: k.cores, Needs: k.needs}
		fits := cores >= int64(k.cores) && s.Fits(&stage) > 0
		for o, free := range s.All {
			need := int64(0)
			if at := slices.IndexFunc(k.needs, func(n policy.Need) bool { return n.Name == o.Name }); at >= 0 {
				need = min(k.needs[at].Amount, o.Amount)
			}
			if o.Devices == 0 || need == 0 && f.needing {
				continue
			}
			for _, x := range free {
				if !fits || need == 0 || x < need {
					sum += float64(k.weight * (float64(x) / float64(o.Amount)))
				}
			}
		}
	}
	return sum
}
