package check_test

import (
	"errors"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/check"
)

// The checker sees a host that gives tasks the wrong devices, or more than a node has.
func TestCheckerCountsNamedResources(t *testing.T) {
	story := func(gang bool, started ...said) []said {
		job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 1, Gang: gang, Needs: []policy.Need{{Name: "gpu", Amount: 500}, {Name: "link", Amount: 2000}}}}}
		node := &policy.Node{ID: 1, Partition: 1, Cores: 9, Speed: 1, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 2}, {Name: "link", Amount: 7000}}}
		all := []said{
			{event: &policy.Event{Kind: policy.Joined, Node: 1, Info: node}},
			{event: &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: task(1, 0, 0)}, Job: job}},
			{event: &policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: task(1, 0, 0)}}},
		}
		for _, s := range started {
			if s.event.Kind == policy.Started {
				all = append(all, act(start(s.event.Copy.Task, 0)))
			}
			all = append(all, s)
		}
		return all
	}
	on := func(kind policy.EventKind, index uint32, devices policy.Devices) said {
		return ev(kind, 1, index, 0).on(1).with(func(ev *policy.Event) { ev.Devices = devices })
	}
	gang := func(shares ...policy.Share) said {
		return ev(policy.Started, 1, 0, 0).with(func(ev *policy.Event) { ev.Gang = shares })
	}
	for _, test := range []struct {
		name  string
		story []said
		says  string // "" if all is well
	}{
		{"three halves on two devices", story(false, on(policy.Started, 0, 1), on(policy.Started, 1, 1), on(policy.Started, 2, 2)), ""},
		{"three halves on one", story(false, on(policy.Started, 0, 1), on(policy.Started, 1, 1), on(policy.Started, 2, 1)), "0 thousandths of gpu are free"},
		{"again after an end", story(false, on(policy.Started, 0, 1), on(policy.Started, 1, 1), on(policy.Finished, 1, 1), on(policy.Started, 2, 1)), ""},
		{"on no device", story(false, on(policy.Started, 0, 0)), "0 devices of gpu, want 1"},
		{"on a device that is not there", story(false, on(policy.Started, 0, 4)), "0 devices of gpu, want 1"},
		{"ends on another device", story(false, on(policy.Started, 0, 1), on(policy.Finished, 0, 2)), "on node 1 with devices 10, but it is on node 1 with devices 1"},
		{"a gang", story(true, gang(policy.Share{Node: 1, Tasks: 2, Devices: 1}, policy.Share{Node: 1, Tasks: 1, Devices: 2})), ""},
		{"a gang on one device", story(true, gang(policy.Share{Node: 1, Tasks: 3, Devices: 1})), "1000 thousandths of gpu are free (device 0), want 1500"},
		{"a task without needs", append(checkerStory(), act(start(task(1, 0, 1), 0)), on(policy.Started, 1, 1)), "has devices 1, and needs none"},
	} {
		_, err := heard(test.story)
		if v, _ := errors.AsType[*check.Violation](err); (v != nil) != (test.says != "") || v != nil && !strings.Contains(v.Text, test.says) {
			t.Errorf("%s: got error %v, want one that says %q", test.name, err, test.says)
		}
	}
}
