package main

import (
	"cmp"
	"context"
	"slices"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// ranked is the part of a Score plug-in whose scores say only which node is better.
type ranked struct{}

// NormalizeScore makes 100 of the best score and 0 to 98 of the others, in their order, so that the
// best node is the only one with its score however many there are. The scores stay where they
// are: their positions say whose they are.
func (ranked) NormalizeScore(_ context.Context, _ fwk.CycleState, _ *v1.Pod, scores fwk.NodeScoreList) *fwk.Status {
	order := make([]*fwk.NodeScore, len(scores))
	for i := range scores {
		order[i] = &scores[i]
	}
	slices.SortFunc(order, func(a, b *fwk.NodeScore) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name))
	})
	last := int64(len(order) - 1)
	for i, s := range order {
		if i == 0 {
			s.Score = fwk.MaxScore
		} else {
			s.Score = (last - int64(i)) * (fwk.MaxScore - 1) / last
		}
	}
	return nil
}

// ScoreExtensions returns r, which has a NormalizeScore.
func (r ranked) ScoreExtensions() fwk.ScoreExtensions { return r }
