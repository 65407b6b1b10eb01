package main

import (
	"slices"
	"testing"

	v1 "k8s.io/api/core/v1"
	scheduling "k8s.io/api/scheduling/v1alpha2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	"k8s.io/kubernetes/pkg/features"
)

// Pods of a PodGroup, under kube-scheduler's alpha gates, wait in its queue one by one. The first of them to come out has the others tried
// with it, so the group goes when Index says that one of its pods does: here before a longer pod that came earlier and after a shorter one.
func TestGang(t *testing.T) {
	featuregatetesting.SetFeatureGatesDuringTest(t, utilfeature.DefaultFeatureGate, featuregatetesting.FeatureOverrides{
		features.GenericWorkload: true, features.GangScheduling: true,
	})
	objects := []runtime.Object{node("n1", 5), &scheduling.PodGroup{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "group"},
		Spec:       scheduling.PodGroupSpec{SchedulingPolicy: scheduling.PodGroupSchedulingPolicy{Gang: &scheduling.GangSchedulingPolicy{MinCount: 3}}},
	}}
	for i, ran := range map[string]int{"short": 10, "gang": 100, "long": 1000} {
		objects = append(objects, finished(i, 1000, ran, 0), finished(i, 1001, ran, 1))
	}
	k := newCluster(t, deployed(t, "index"), objects...)
	k.submit(pod("augur-scheduler", "long", 0, "1"))
	for i := range 3 {
		p := pod("augur-scheduler", "gang", i, "1")
		p.Spec.SchedulingGroup = &v1.PodSchedulingGroup{PodGroupName: new("group")}
		if _, err := k.client.CoreV1().Pods(p.Namespace).Create(t.Context(), p, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	k.until(func() bool { return len(k.sched.SchedulingQueue.PodsInActiveQ()) == 4 })
	k.submit(pod("augur-scheduler", "short", 0, "1"))
	var got []string
	for _, bound := range []int{1, 3, 1} {
		k.gives <- struct{}{}
		<-k.asks
		for range bound {
			p := <-k.binds
			got = append(got, p.Labels["job"])
		}
	}
	if want := []string{"short", "gang", "gang", "gang", "long"}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}
