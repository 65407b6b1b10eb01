package provenance_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/dag/provenance"
)

func asOfForgetsWhatCameLater(t *testing.T) {
	whole := func() *provenance.Log {
		return &provenance.Log{
			Jobs: []provenance.Job{
				{State: provenance.Complete, Submitted: 1, Completed: 4, Compute: 7},
				{State: provenance.Failed, Submitted: 2, Completed: 5, Compute: 8},
				{State: provenance.Running, Submitted: 3},
				{State: provenance.Complete, Submitted: 5, Completed: 9, Compute: 9},
			},
			Ops: []provenance.Op{{Time: 4, Job: 0}, {Time: 5, Job: 1}, {Time: 3, Job: 2}},
		}
	}
	log := whole()
	for _, test := range []struct {
		end  provenance.Time
		jobs []provenance.Job
		ops  []provenance.Op
	}{
		{5, []provenance.Job{log.Jobs[0], {Submitted: 2}, log.Jobs[2], {Submitted: 5}}, []provenance.Op{log.Ops[0], log.Ops[2]}},
		{6, []provenance.Job{log.Jobs[0], log.Jobs[1], log.Jobs[2], {Submitted: 5}}, log.Ops},
		{0, []provenance.Job{{Submitted: 1}, {Submitted: 2}, {Submitted: 3}, {Submitted: 5}}, nil},
	} {
		past := log.AsOf(test.end)
		if diff := cmp.Diff(test.jobs, past.Jobs) + cmp.Diff(test.ops, past.Ops, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("until %d (-want +got)\n%s", test.end, diff)
		}
		if diff := cmp.Diff(whole().Jobs, log.Jobs) + cmp.Diff(whole().Ops, log.Ops); diff != "" {
			t.Fatalf("until %d changed the log (-want +got)\n%s", test.end, diff)
		}
	}
	if log.AsOf(10) != log {
		t.Error("a log of which nothing is later is copied")
	}
}
