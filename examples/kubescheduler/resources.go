package main

import (
	"fmt"
	"maps"
	"math"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper"

	"example.com/augur/policy"
)

// deviceSizes say which extended resources come in devices, and how many units of the resource a device has: 1 where
// pods request GPUs, 1000 where they request thousandths of GPUs. What other extended resources a node has is shared by its
// pods.
type deviceSizes map[v1.ResourceName]int64

// check names a size that is not possible.
func (d deviceSizes) check() error {
	for _, name := range slices.Sorted(maps.Keys(d)) {
		if size := d[name]; size < 1 || size > maxUnits {
			return fmt.Errorf("devices: a device of %s has %d units, want 1 to %d", name, size, int64(maxUnits))
		}
	}
	return nil
}

// maxUnits is the largest quantity of an extended resource that policy can count, since it counts thousandths.
const maxUnits = policy.MaxAmount / 1000

// taskOf returns what a pod requests: its CPU in thousandths of a core, at least one, and its extended resources. The
// error names the pod, and the resource that cannot be counted.
func taskOf(p *v1.Pod) (*policy.Stage, error) {
	requests := resource.PodRequests(p, resource.PodResourcesOptions{})
	task := &policy.Stage{Tasks: 1, Cores: int32(min(max(requests.Cpu().MilliValue(), 1), math.MaxInt32))}
	units := extended(requests)
	for _, name := range slices.Sorted(maps.Keys(units)) {
		if units := units[name]; units > maxUnits {
			return nil, fmt.Errorf("pod %s/%s requests %d %s, want at most %d: request larger units of it", p.Namespace, p.Name, units, name, int64(maxUnits))
		}
		task.Needs = append(task.Needs, policy.Need{Name: string(name), Amount: 1000 * units[name]})
	}
	if n := len(task.Needs); n > policy.MaxNames {
		return nil, fmt.Errorf("pod %s/%s requests %d extended resources, want at most %d: split it, or leave %s to another profile",
			p.Namespace, p.Name, n, policy.MaxNames, fragmentationName)
	}
	return task, nil
}

// offersOf returns the extended resources that a node has for pods. The error names the node and what of it cannot be
// counted.
func offersOf(n *v1.Node, sizes deviceSizes) (offers []policy.Offer, err error) {
	devices, has := int64(0), extended(n.Status.Allocatable)
	for _, name := range slices.Sorted(maps.Keys(has)) {
		units, size := has[name], sizes[name]
		switch {
		case size == 0 && units > maxUnits:
			return nil, fmt.Errorf("node %s has %d %s, want at most %d: let it offer larger units of it", n.Name, units, name, int64(maxUnits))
		case size == 0:
			offers = append(offers, policy.Offer{Name: string(name), Amount: 1000 * units})
		case units%size != 0:
			return nil, fmt.Errorf("node %s has %d %s, which are no whole devices of %d: set the size of a device in the argument devices", n.Name, units, name, size)
		case units/size > policy.MaxDevices-devices:
			return nil, fmt.Errorf("node %s has %d devices of %s and %d others, want at most %d in all: leave %s out of the argument devices, or give it a larger size",
				n.Name, units/size, name, devices, policy.MaxDevices, name)
		default:
			devices += units / size
			offers = append(offers, policy.Offer{Name: string(name), Amount: 1000 * size, Devices: uint8(units / size)})
		}
	}
	if len(offers) > policy.MaxNames {
		return nil, fmt.Errorf("node %s has %d extended resources, want at most %d: let its device plug-ins offer fewer", n.Name, len(offers), policy.MaxNames)
	}
	return offers, nil
}

// extended returns the extended resources of a list of which there is something, in units.
func extended(list v1.ResourceList) map[v1.ResourceName]int64 {
	units := make(map[v1.ResourceName]int64)
	for name, q := range list {
		if n := q.Value(); n > 0 && helper.IsExtendedResourceName(name) {
			units[name] = n
		}
	}
	return units
}
