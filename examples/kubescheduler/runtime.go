package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"

	"example.com/augur/predict"
)

// runtimeName is the name of byRuntime in a configuration.
const runtimeName = "PredictedRuntime"

// byRuntime is the QueueSort plug-in that lets the pod go first which is predicted to run for the
// shortest time: 3σPredict, trained from the pods that have succeeded.
type byRuntime struct {
	queueOrder
	history *history
	keeper  keeper // nil if snapshots are not kept
}

// runtimeArgs are the arguments of byRuntime. All may be left out.
type runtimeArgs struct {
	// Features are those of predict.Config, made of the attributes of a subject. The default is
	// defaultFeatures.
	Features []string `json:"features"`
	// HalfLife and Values are those of predict.Config: in which time what was seen loses half
	// its weight (never, by default), and how many values of features are kept (100,000).
	HalfLife metav1.Duration `json:"halfLife"`
	Values   int             `json:"values"`
	// Snapshot is where the history is kept: file:PATH or configmap:NAMESPACE/NAME; "" means that
	// it begins anew with the process.
	Snapshot string `json:"snapshot"`
	// SaveEvery is how often it is saved, if there is something new; 0 means every ten
	// minutes. What ended since is seen again at the next start, if the API server still has it.
	SaveEvery metav1.Duration `json:"saveEvery"`
}

// newByRuntime returns the plug-in when it has learned from the pods that have finished by now. It
// goes on learning until ctx is done.
func newByRuntime(ctx context.Context, obj runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
	var args runtimeArgs
	if err := decode(obj, &args); err != nil {
		return nil, err
	}
	if len(args.Features) == 0 {
		args.Features = defaultFeatures
	}
	if err := checkFeatures(args.Features); err != nil {
		return nil, err
	}
	if args.SaveEvery.Duration < 0 {
		return nil, fmt.Errorf("saveEvery is %v, want 0 or more", args.SaveEvery.Duration)
	}
	h, err := newHistory(predict.Config{Features: args.Features, HalfLife: args.HalfLife.Duration, Values: args.Values})
	if err != nil {
		return nil, err
	}
	k, err := keeperOf(args.Snapshot, handle.ClientSet())
	if err != nil {
		return nil, err
	}
	if k != nil {
		if err := restore(ctx, h, k); err != nil {
			return nil, err
		}
	}
	if err := observe(ctx, handle.ClientSet(), h); err != nil {
		return nil, err
	}
	if k != nil {
		every := args.SaveEvery.Duration
		if every == 0 {
			every = 10 * time.Minute
		}
		go keep(ctx, h, k, every)
	}
	return &byRuntime{queueOrder: queueOrder{cost: h.seconds}, history: h, keeper: k}, nil
}

// Name returns runtimeName.
func (*byRuntime) Name() string { return runtimeName }

// Close saves the history. Kube-scheduler calls it when it ends, but does not wait for it if it was the
// leader: the process may end before.
func (b *byRuntime) Close() error {
	if b.keeper == nil {
		return nil
	}
	return saveNow(context.Background(), b.history, b.keeper)
}

var _ fwk.QueueSortPlugin = (*byRuntime)(nil)
