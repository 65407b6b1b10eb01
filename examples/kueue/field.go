package main

import (
	"context"
	"encoding/json"
	"strconv"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/augur/examples/internal/boost"
)

// The annotations of a workload. boostKey is alpha in Kueue 0.17, behind the gate PriorityBoost: a signed integer of 32 bits, which Kueue
// adds to spec.priority. If Kueue changes the field, written and write are all that has to follow.
const (
	boostKey   = "kueue.x-k8s.io/priority-boost"
	secondsKey = "augur.example.com/predicted-seconds"
)

// written returns what the annotations say. What others have written, which comes without a prediction, is nothing.
func written(annotations map[string]string) boost.Written {
	b, err1 := strconv.ParseInt(annotations[boostKey], 10, 32)
	s, err2 := strconv.ParseFloat(annotations[secondsKey], 64)
	if err1 != nil || err2 != nil || !(s > 0) {
		return boost.Written{}
	}
	return boost.Written{Boost: int32(b), Seconds: s}
}

// write writes annotations. It fails if the workload was deleted, and another one has its name.
func write(ctx context.Context, client dynamic.Interface, w *workload, want boost.Written) error {
	annotations := map[string]any{boostKey: nil, secondsKey: nil}
	if want != (boost.Written{}) {
		annotations[boostKey] = strconv.Itoa(int(want.Boost))
		annotations[secondsKey] = strconv.FormatFloat(want.Seconds, 'g', -1, 64)
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": w.UID, "annotations": annotations}})
	if err != nil {
		return err
	}
	_, err = client.Resource(kueue("workloads")).Namespace(w.GetNamespace()).
		Patch(ctx, w.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "augur"})
	return err
}
