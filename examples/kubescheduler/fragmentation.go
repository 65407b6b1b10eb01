package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
)

// fragmentationName is the name of leastFragmentation in a configuration.
const fragmentationName = "LeastFragmentation"

// leastFragmentation is the Score plug-in by FGD's measure of fragmentation, for pods that request devices such as GPUs. The best
// node is
//
//  1. the one where the pod increases [baseline.Fragmentation] least;
//  2. then the one whose name is first.
//
// Requests of future pods are learnt from the placed pods of all schedulers: each counts once, when it is first seen on a
// node. Beyond 64 kinds the least frequent are forgotten.
//
// Kube-scheduler does not know which devices a pod has. So the plug-in assumes that the pods of a node came in the order of their
// starts, each to the device with the least room that is enough. Pods that request no devices are not scored.
type leastFragmentation struct {
	sizes deviceSizes
	all   func() ([]fwk.NodeInfo, error) // what this scheduling cycle sees

	mu    sync.Mutex
	mix   baseline.Fragmentation
	nodes map[string]*stocked
	task  *policy.Stage // that is scored: kube-scheduler scores one at a time
	ranked
}

// A stocked is what is free on a node.
type stocked struct {
	generation int64 // of its NodeInfo
	cores      int64 // in thousandths
	stock      *policy.Stock
	pods       map[types.UID]bool // that are counted in the mix
}

// fragmentationArgs are the arguments of leastFragmentation.
type fragmentationArgs struct {
	// Devices are the extended resources that come in devices, each with the units that a device has. The default is
	// nvidia.com/gpu: 1.
	Devices deviceSizes `json:"devices"`
}

func newLeastFragmentation(_ context.Context, obj runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
	var args fragmentationArgs
	if err := decode(obj, &args); err != nil {
		return nil, err
	}
	if args.Devices == nil {
		args.Devices = deviceSizes{"nvidia.com/gpu": 1}
	}
	if err := args.Devices.check(); err != nil {
		return nil, err
	}
	return &leastFragmentation{
		sizes: args.Devices,
		all:   func() ([]fwk.NodeInfo, error) { return handle.SnapshotSharedLister().NodeInfos().List() },
		mix:   baseline.Fragmentation{MaxKinds: 64},
		nodes: make(map[string]*stocked),
	}, nil
}

// Name returns fragmentationName.
func (*leastFragmentation) Name() string { return fragmentationName }

// PreScore looks at what has changed since the last pod. A node whose resources cannot be counted is logged, and scores least.
func (f *leastFragmentation) PreScore(ctx context.Context, _ fwk.CycleState, p *v1.Pod, _ []fwk.NodeInfo) *fwk.Status {
	nodes, err := f.all()
	if err != nil {
		return fwk.AsStatus(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.update(nodes); err != nil {
		klog.FromContext(ctx).Error(err, "Not all devices are counted")
	}
	if f.task, err = taskOf(p); err != nil {
		return fwk.AsStatus(err)
	}
	if !f.needsDevices(f.task) {
		return fwk.NewStatus(fwk.Skip)
	}
	return nil
}

// needsDevices reports whether a task takes something that comes in devices.
func (f *leastFragmentation) needsDevices(task *policy.Stage) bool {
	return slices.ContainsFunc(task.Needs, func(n policy.Need) bool { return f.sizes[v1.ResourceName(n.Name)] > 0 })
}

// update counts what is free on the nodes that have changed. The errors are of pods and nodes that it cannot count.
func (f *leastFragmentation) update(infos []fwk.NodeInfo) error {
	var errs []error
	here := make(map[string]bool, len(infos))
	for _, info := range infos {
		name := info.Node().Name
		here[name] = true
		n := f.nodes[name]
		if n == nil {
			n = &stocked{pods: make(map[types.UID]bool)}
			f.nodes[name] = n
		} else if n.generation == info.GetGeneration() {
			continue
		}
		errs = append(errs, f.look(n, info))
	}
	maps.DeleteFunc(f.nodes, func(name string, _ *stocked) bool { return !here[name] })
	return errors.Join(errs...)
}

// look counts what is free on a node.
func (f *leastFragmentation) look(n *stocked, info fwk.NodeInfo) error {
	n.generation, n.stock = info.GetGeneration(), nil
	n.cores = info.GetAllocatable().GetMilliCPU() - info.GetRequested().GetMilliCPU()
	offers, err := offersOf(info.Node(), f.sizes)
	if err != nil {
		return err
	}
	n.stock = policy.NewStock(&policy.Node{Offers: offers})
	var pods []*v1.Pod
	for _, p := range info.GetPods() {
		pods = append(pods, p.GetPod())
	}
	slices.SortFunc(pods, byStart)
	counted := n.pods
	n.pods = make(map[types.UID]bool)
	var errs []error
	for _, p := range pods {
		task, err := taskOf(p)
		if err == nil && f.needsDevices(task) {
			if n.pods[p.UID] = true; !counted[p.UID] {
				err = f.mix.Add(task, 1)
			}
			n.stock.Take(task)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// byStart orders pods by when their node has accepted them, those that are on their way last, then by UID.
func byStart(a, b *v1.Pod) int {
	s, t := a.Status.StartTime, b.Status.StartTime
	switch {
	case s == nil && t != nil:
		return +1
	case s != nil && t == nil:
		return -1
	case s != nil && !s.Equal(t):
		return s.Compare(t.Time)
	}
	return cmp.Compare(a.UID, b.UID)
}

// Score returns by how much fragmentation shrinks on a node, in devices times 2^30. A node on which no device has room by
// what is counted here has the least of all.
func (f *leastFragmentation) Score(_ context.Context, _ fwk.CycleState, _ *v1.Pod, info fwk.NodeInfo) (int64, *fwk.Status) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.nodes[info.Node().Name]
	if n == nil {
		return math.MinInt64, nil
	}
	devices, ok := n.stock.Take(f.task)
	if !ok {
		return math.MinInt64, nil
	}
	n.stock.Add(f.task, devices, 1)
	growth, err := f.mix.Growth(n.cores, n.stock, f.task, devices)
	if err != nil {
		return math.MinInt64, nil // nor have its cores
	}
	return int64(math.Round(-growth * (1 << 30))), nil
}

var (
	_ fwk.PreScorePlugin = (*leastFragmentation)(nil)
	_ fwk.ScorePlugin    = (*leastFragmentation)(nil)
)
