package main

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
)

// Sixteen short pods wait for two places, and a long one comes every five seconds. With the back-off of
// the manifests no long pod starts before the last short one has. With that of kube-scheduler some do: the
// short ones, which have been tried more often, wait up to 10 s for the next try.
func TestArrivals(t *testing.T) {
	for _, folder := range []string{"index", "values", "gpu"} {
		c := deployed(t, folder)
		if got := passed(t, c.PodInitialBackoffSeconds, c.PodMaxBackoffSeconds); got != 0 {
			t.Errorf("with the back-off of deploy/%s %d long pods start before a short one that waits, want none", folder, got)
		}
	}
	got := passed(t, 1, 10)
	if got == 0 {
		t.Error("with kube-scheduler's own back-off no long pod starts before a short one that waits: the test shows nothing")
	}
	t.Logf("with kube-scheduler's own back-off %d long pods start before a short one that waits", got)
}

// passed returns how many long pods start while short ones wait, under a back-off in seconds.
func passed(t *testing.T, initial, most int64) (n int) {
	t.Helper()
	const (
		short = 3 * time.Second
		long  = 6 * time.Second
		gap   = 5 * time.Second
	)
	objects := []runtime.Object{node("n1", 2)}
	for i := range 5 {
		objects = append(objects, finished("short", 1000+i, 3, i-10), finished("long", 1000+i, 6, i-10))
	}
	c := deployed(t, "index")
	c.PodInitialBackoffSeconds, c.PodMaxBackoffSeconds = initial, most
	k := newCluster(t, c, objects...)
	runtimes := make(map[string]time.Duration)
	submit := func(job string, i int, runtime time.Duration) {
		p := pod("augur-scheduler", job, i, "1")
		runtimes[p.Name] = runtime
		k.submit(p)
	}
	const shorts = 16
	for i := range shorts {
		submit("short", i, short)
	}
	left := shorts
	for seen, longs := 0, 0; ; {
		k.drain(runtimes)
		for ; seen < len(k.placed); seen++ {
			if runtimes[k.placed[seen].pod] == short {
				left--
			} else {
				n++
			}
		}
		if left == 0 {
			return n
		}
		comes := epoch.Add(time.Duration(longs+1) * gap)
		if _, ends := k.next(); comes.Before(ends) {
			k.goOn(comes)
			submit("long", longs, long)
			longs++
		} else {
			k.finish()
		}
	}
}
