package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"example.com/augur/policy"
)

// amounts are units of extended resources by name.
type amounts map[v1.ResourceName]string

// asking returns a pod that also requests extended resources.
func asking(p *v1.Pod, has amounts) *v1.Pod {
	for name, q := range has {
		p.Spec.Containers[0].Resources.Requests[name] = resource.MustParse(q)
	}
	return p
}

// offering returns a node that also has extended resources.
func offering(n *v1.Node, has amounts) *v1.Node {
	for name, q := range has {
		n.Status.Allocatable[name] = resource.MustParse(q)
	}
	return n
}

// many are so many kinds of resources.
func many(n int) amounts {
	has := amounts{}
	for i := range n {
		has[v1.ResourceName(fmt.Sprintf("example.com/r%d", i))] = "1"
	}
	return has
}

func TestTaskOf(t *testing.T) {
	for _, test := range []struct {
		name string
		has  amounts
		want []policy.Need
		err  []string
	}{
		{"none", nil, nil, nil},
		{"GPUs and a licence", amounts{"nvidia.com/gpu": "2", "example.com/licence": "1"},
			[]policy.Need{{Name: "example.com/licence", Amount: 1000}, {Name: "nvidia.com/gpu", Amount: 2000}}, nil},
		{"native ones are none", amounts{"hugepages-2Mi": "4Mi", "nvidia.com/gpu": "0"}, nil, nil},
		{"as many as fit", amounts{"nvidia.com/gpu": "1M"}, []policy.Need{{Name: "nvidia.com/gpu", Amount: 1e9}}, nil},
		{"one more", amounts{"nvidia.com/gpu": "1000001"}, nil, []string{"default/train-0", "1000001", "nvidia.com/gpu", "larger units"}},
		{"eight kinds", many(8), nil, nil},
		{"nine kinds", many(9), nil, []string{"default/train-0", "9", "split it"}},
	} {
		got, err := taskOf(asking(pod("s", "train", 0, "1500m"), test.has))
		if checkError(t, test.name, err, test.err); err != nil {
			continue
		}
		if got.Cores != 1500 {
			t.Errorf("%s: it takes %d thousandths of a core, want 1500", test.name, got.Cores)
		}
		if test.want == nil && len(got.Needs) == len(test.has) { // of which only the number matters
			continue
		}
		if diff := cmp.Diff(test.want, got.Needs); diff != "" {
			t.Errorf("%s: needs (-want +got)\n%s", test.name, diff)
		}
	}
	// A pod has what its largest init container takes, or the sum of its containers.
	p := asking(pod("s", "train", 0, "1"), amounts{"nvidia.com/gpu": "1"})
	p.Spec.Containers = append(p.Spec.Containers, *p.Spec.Containers[0].DeepCopy())
	p.Spec.InitContainers = []v1.Container{*asking(pod("s", "x", 0, "1"), amounts{"nvidia.com/gpu": "3"}).Spec.Containers[0].DeepCopy()}
	if got, err := taskOf(p); err != nil || got.Needs[0].Amount != 3000 || got.Cores != 2000 {
		t.Errorf("with an init container the task is %+v, %v, want 3000 of a GPU and 2000 of a core", got, err)
	}
}

func TestOffersOf(t *testing.T) {
	sizes := deviceSizes{"nvidia.com/gpu": 1, "example.com/gpu-milli": 1000}
	for _, test := range []struct {
		name string
		has  amounts
		want []policy.Offer
		err  []string
	}{
		{"none", nil, nil, nil},
		{"devices and what is shared", amounts{"nvidia.com/gpu": "8", "example.com/licence": "5", "example.com/gpu-milli": "4000"}, []policy.Offer{
			{Name: "example.com/gpu-milli", Amount: 1e6, Devices: 4}, {Name: "example.com/licence", Amount: 5000}, {Name: "nvidia.com/gpu", Amount: 1000, Devices: 8},
		}, nil},
		{"no whole devices", amounts{"example.com/gpu-milli": "4500"}, nil, []string{"node n1", "4500 example.com/gpu-milli", "1000", "argument devices"}},
		{"64 devices", amounts{"nvidia.com/gpu": "64"}, []policy.Offer{{Name: "nvidia.com/gpu", Amount: 1000, Devices: 64}}, nil},
		{"65 devices", amounts{"nvidia.com/gpu": "62", "example.com/gpu-milli": "3000"}, nil, []string{"node n1", "nvidia.com/gpu", "64", "argument devices"}},
		{"a great many devices", amounts{"nvidia.com/gpu": "1E"}, nil, []string{"node n1", "nvidia.com/gpu", "64"}},
		{"too much", amounts{"example.com/bytes": "2M"}, nil, []string{"node n1", "2000000 example.com/bytes", "larger units"}},
		{"nine kinds", many(9), nil, []string{"node n1", "9", "device plug-ins"}},
	} {
		got, err := offersOf(offering(node("n1", 4), test.has), sizes)
		if checkError(t, test.name, err, test.err); err != nil {
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: offers (-want +got)\n%s", test.name, diff)
		}
		if err := (&policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1, Offers: got}).Validate(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// checkError looks whether an error names what it must, or is nil if that is nothing.
func checkError(t *testing.T, name string, err error, names []string) {
	t.Helper()
	if (err != nil) != (names != nil) {
		t.Errorf("%s: the error is %v, want one that names %q", name, err, names)
		return
	}
	for _, want := range names {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one that names %q", name, err, want)
		}
	}
}
