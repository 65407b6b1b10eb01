package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/profile"
	testclock "k8s.io/utils/clock/testing"
)

// A cluster is kube-scheduler as it is, on a fake API server, with nodes on which pods run by a clock
// of the test. The scheduler takes a pod from its queue only when it is told to, and its queue goes by
// the same clock, but for a microsecond for each pod that comes to it or is tried.
type cluster struct {
	t      *testing.T
	client *fake.Clientset
	sched  *scheduler.Scheduler
	now    time.Time
	clock  *testclock.FakeClock // of the queue

	asks, gives chan struct{}  // the scheduler asks for a pod; it is given one
	binds       chan *v1.Pod   // pods that the API server has been told to bind
	waiting     int            // pods that have no node
	running     map[string]end // by pod
	placed      []placement    // in the order of binding
	plugins     []fwk.Plugin   // those of ours that were made
}

// A placement is a pod that was bound.
type placement struct {
	pod, node  string
	start, end time.Duration // since epoch
}

type end struct {
	placement int // which
	at        time.Time
}

// newCluster starts a scheduler on a cluster with the given nodes and pods. Its profiles and its
// back-off are those of a configuration, which kube-scheduler must take, or, if that is nil, what it has by itself.
func newCluster(t *testing.T, c *config.KubeSchedulerConfiguration, objects ...runtime.Object) *cluster {
	t.Helper()
	if c == nil {
		c = configuration(t, []byte("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration"))
	}
	if err := validation.ValidateKubeSchedulerConfiguration(c); err != nil {
		t.Fatal(err)
	}
	k := &cluster{
		t: t, now: epoch, clock: testclock.NewFakeClock(epoch), client: fake.NewClientset(objects...),
		asks: make(chan struct{}), gives: make(chan struct{}), binds: make(chan *v1.Pod, 1),
		running: make(map[string]end),
	}
	k.client.PrependReactor("create", "pods", k.bind)
	k.client.PrependReactor("list", "pods", k.list)
	registry := frameworkruntime.Registry{}
	for name, factory := range plugins() {
		registry[name] = func(ctx context.Context, args runtime.Object, h fwk.Handle) (fwk.Plugin, error) {
			p, err := factory(ctx, args, h)
			k.plugins = append(k.plugins, p)
			return p, err
		}
	}
	options := []scheduler.Option{
		scheduler.WithFrameworkOutOfTreeRegistry(registry),
		scheduler.WithProfiles(c.Profiles...),
		scheduler.WithPercentageOfNodesToScore(c.PercentageOfNodesToScore),
		scheduler.WithPodInitialBackoffSeconds(c.PodInitialBackoffSeconds),
		scheduler.WithPodMaxBackoffSeconds(c.PodMaxBackoffSeconds),
		scheduler.WithPodMaxInUnschedulablePodsDuration(24 * time.Hour), // looked at by the real clock too
		scheduler.WithClock(k.clock),
	}
	ctx := klog.NewContext(t.Context(), klog.Logger{}) // says nothing
	informers := scheduler.NewInformerFactory(k.client, 0)
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: k.client.EventsV1()})
	var err error
	k.sched, err = scheduler.New(ctx, k.client, informers, nil, profile.NewRecorderFactory(broadcaster), options...)
	if err != nil {
		t.Fatal(err)
	}
	next := k.sched.NextPod
	k.sched.NextPod = func(log klog.Logger) (*framework.QueuedPodInfo, error) {
		select {
		case k.asks <- struct{}{}:
		case <-ctx.Done():
			return nil, nil
		}
		select {
		case <-k.gives:
		case <-ctx.Done():
			return nil, nil
		}
		return next(log)
	}
	informers.Start(ctx.Done())
	informers.WaitForCacheSync(ctx.Done())
	if err := k.sched.WaitForHandlersSync(ctx); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		k.sched.Run(ctx)
		close(done)
	}()
	t.Cleanup(func() { <-done }) // the context of a test is done before
	<-k.asks
	return k
}

// bind does what an API server and a kubelet do when a pod is bound: it has its node, and starts at
// once.
func (k *cluster) bind(a clienttesting.Action) (handled bool, _ runtime.Object, _ error) {
	if a.GetSubresource() != "binding" {
		return false, nil, nil
	}
	b := a.(clienttesting.CreateAction).GetObject().(*v1.Binding)
	obj, err := k.client.Tracker().Get(a.GetResource(), a.GetNamespace(), b.Name)
	if err != nil {
		return true, nil, err
	}
	p := obj.(*v1.Pod).DeepCopy()
	p.Spec.NodeName = b.Target.Name
	p.Status.Phase = v1.PodRunning
	p.Status.StartTime = new(metav1.NewTime(k.now))
	if err := k.client.Tracker().Update(a.GetResource(), p, p.Namespace); err != nil {
		return true, nil, err
	}
	k.binds <- p
	return true, b, nil
}

// list heeds the field selectors of a list, which the fake API server does not: that of
// kube-scheduler, for pods that have not finished, and that of observe.
func (k *cluster) list(a clienttesting.Action) (handled bool, _ runtime.Object, _ error) {
	all, err := k.client.Tracker().List(a.GetResource(), v1.SchemeGroupVersion.WithKind("Pod"), a.GetNamespace())
	if err != nil {
		return true, nil, err
	}
	selector := a.(clienttesting.ListAction).GetListRestrictions().Fields
	pods := all.(*v1.PodList)
	pods.Items = slices.DeleteFunc(pods.Items, func(p v1.Pod) bool {
		return !selector.Matches(fields.Set{"status.phase": string(p.Status.Phase)})
	})
	return true, pods, nil
}

// submit creates pods, one after the other, and returns when all are in the scheduler's queue.
func (k *cluster) submit(pods ...*v1.Pod) {
	k.t.Helper()
	before := len(k.sched.SchedulingQueue.PodsInActiveQ())
	for i, p := range pods {
		if _, err := k.client.CoreV1().Pods(p.Namespace).Create(k.t.Context(), p, metav1.CreateOptions{}); err != nil {
			k.t.Fatal(err)
		}
		k.until(func() bool { return len(k.sched.SchedulingQueue.PodsInActiveQ()) == before+i+1 })
		k.clock.Step(time.Microsecond)
	}
	k.waiting += len(pods)
}

// place lets the scheduler try the next pod, and returns false if there was no room for it.
func (k *cluster) place(runtimes map[string]time.Duration) bool {
	k.t.Helper()
	before := len(k.sched.SchedulingQueue.UnschedulablePods())
	k.clock.Step(time.Microsecond)
	k.gives <- struct{}{}
	<-k.asks // the pod has been tried; if it has a node it is bound meanwhile
	for {
		select {
		case p := <-k.binds:
			// So that the scheduler sees the start of the pod, from which its age is counted.
			k.until(func() bool {
				known, err := k.sched.Cache.GetPod(p)
				return err == nil && known.Status.StartTime != nil
			})
			k.waiting--
			ends := k.now.Add(runtimes[p.Name])
			k.running[p.Name] = end{len(k.placed), ends}
			k.placed = append(k.placed, placement{p.Name, p.Spec.NodeName, k.now.Sub(epoch), ends.Sub(epoch)})
			return true
		case <-time.After(time.Millisecond):
			if len(k.sched.SchedulingQueue.UnschedulablePods()) > before {
				return false
			}
		}
		k.alive()
	}
}

// drain lets the scheduler try pods until all that wait have been tried in vain, as it does by itself:
// it takes those that back off too when there are no others.
func (k *cluster) drain(runtimes map[string]time.Duration) {
	k.t.Helper()
	for len(k.sched.SchedulingQueue.UnschedulablePods()) < k.waiting {
		k.place(runtimes)
	}
}

// run runs the pods that wait, and those that run, to their ends.
func (k *cluster) run(runtimes map[string]time.Duration) []placement {
	k.t.Helper()
	for k.drain(runtimes); len(k.running) > 0; k.drain(runtimes) {
		k.finish()
	}
	return k.placed
}

func (k *cluster) goOn(at time.Time) {
	k.clock.Step(at.Sub(k.now))
	k.now = at
}

// next returns the pod that ends next, of several the one that was bound first, and when it ends.
func (k *cluster) next() (pod string, at time.Time) {
	var first string
	for name, e := range k.running {
		if f, ok := k.running[first]; !ok || e.at.Before(f.at) || e.at.Equal(f.at) && e.placement < f.placement {
			first = name
		}
	}
	return first, k.running[first].at
}

// finish goes on to the instant at which the next pod ends, and lets that succeed. It is deleted then:
// that is how kube-scheduler, which watches pods that have not finished, hears of it. It puts all that
// wait back into its queue.
func (k *cluster) finish() {
	k.t.Helper()
	first, at := k.next()
	k.goOn(at)
	delete(k.running, first)
	pods := v1.SchemeGroupVersion.WithResource("pods")
	obj, err := k.client.Tracker().Get(pods, "default", first)
	if err != nil {
		k.t.Fatal(err)
	}
	p := succeeded(obj.(*v1.Pod), obj.(*v1.Pod).Status.StartTime.Time, k.now)
	learned := k.learned()
	if err := k.client.Tracker().Update(pods, p, p.Namespace); err != nil {
		k.t.Fatal(err)
	}
	k.until(func() bool { return k.history() == nil || k.learned() == learned+1 })
	if err := k.client.Tracker().Delete(pods, p.Namespace, p.Name); err != nil {
		k.t.Fatal(err)
	}
	k.until(func() bool {
		q := k.sched.SchedulingQueue
		_, err := k.sched.Cache.GetPod(p)
		return err != nil && len(q.PodsInActiveQ())+len(q.PodsInBackoffQ()) == k.waiting
	})
}

// history returns that of Index, nil if there is none.
func (k *cluster) history() *history {
	for _, p := range k.plugins {
		if b, ok := p.(*index); ok {
			return b.history
		}
	}
	return nil
}

// learned is the number of pods that the history has learned from.
func (k *cluster) learned() uint64 {
	if h := k.history(); h != nil {
		return h.predictor.Observed()
	}
	return 0
}

// until waits until something is so.
func (k *cluster) until(so func() bool) {
	k.t.Helper()
	for !so() {
		k.alive()
		time.Sleep(100 * time.Microsecond)
	}
}

// alive ends the test if it is about to run out of time.
func (k *cluster) alive() {
	k.t.Helper()
	if end, ok := k.t.Deadline(); ok && time.Until(end) < time.Minute {
		k.t.Fatal("the scheduler does not go on")
	}
}

// deployed returns the configuration that is deployed from a folder of deploy.
func deployed(t *testing.T, folder string) *config.KubeSchedulerConfiguration {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("deploy", folder, "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return configuration(t, text)
}

func configuration(t *testing.T, text []byte) *config.KubeSchedulerConfiguration {
	t.Helper()
	obj, _, err := scheme.Codecs.UniversalDecoder().Decode(text, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return obj.(*config.KubeSchedulerConfiguration)
}

// argue replaces a text in the arguments of a plug-in.
func argue(t *testing.T, c *config.KubeSchedulerConfiguration, plugin, old, new string) {
	t.Helper()
	all := c.Profiles[0].PluginConfig
	raw := all[slices.IndexFunc(all, func(p config.PluginConfig) bool { return p.Name == plugin })].Args.(*runtime.Unknown)
	if !bytes.Contains(raw.Raw, []byte(old)) {
		t.Fatalf("the arguments of %s do not have %q: %s", plugin, old, raw.Raw)
	}
	raw.Raw = bytes.Replace(raw.Raw, []byte(old), []byte(new), 1)
}
