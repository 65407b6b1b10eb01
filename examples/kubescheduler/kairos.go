package main

import (
	"context"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"
)

// kairosName is the name of kairosDispatch in a configuration.
const kairosName = "KairosDispatch"

// kairosDispatch is the Score plug-in that goes by the rule with which the centre of Kairos sends
// a task to a node. The best node is
//
//  1. the one with the fewest pods beyond its cores, so that no core is idle while others share one;
//  2. then the one whose pods vary the least in age, so that young and old come together: the
//     young may soon be gone, and the old would else all be on the same nodes;
//  3. then the one whose name is first.
//
// Only pods of the same scheduler count: services that run for ever are no tasks, and let other
// schedulers have them. Cores are what the node has to allocate, in whole ones and at least one.
// Which nodes have room is kube-scheduler's to say, by what pods request.
type kairosDispatch struct {
	now func() time.Time
	all func() ([]fwk.NodeInfo, error) // what this scheduling cycle sees

	mu     sync.RWMutex
	mirror *mirror
	ranked
}

func newKairosDispatch(_ context.Context, obj runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
	if err := decode(obj, &struct{}{}); err != nil {
		return nil, err
	}
	m, err := newMirror(handle.ProfileName())
	if err != nil {
		return nil, err
	}
	return &kairosDispatch{
		now:    time.Now,
		all:    func() ([]fwk.NodeInfo, error) { return handle.SnapshotSharedLister().NodeInfos().List() },
		mirror: m,
	}, nil
}

// Name returns kairosName.
func (*kairosDispatch) Name() string { return kairosName }

// PreScore tells the advisor what has changed since the last pod.
func (k *kairosDispatch) PreScore(context.Context, fwk.CycleState, *v1.Pod, []fwk.NodeInfo) *fwk.Status {
	nodes, err := k.all()
	if err != nil {
		return fwk.AsStatus(err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return fwk.AsStatus(k.mirror.update(nodes, k.now()))
}

// Score returns what the advisor says of a node, 0 to 1, in units of 2^-52.
func (k *kairosDispatch) Score(_ context.Context, _ fwk.CycleState, _ *v1.Pod, n fwk.NodeInfo) (int64, *fwk.Status) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return int64(k.mirror.score(n.Node().Name) * (1 << 52)), nil
}

var (
	_ fwk.PreScorePlugin = (*kairosDispatch)(nil)
	_ fwk.ScorePlugin    = (*kairosDispatch)(nil)
)
