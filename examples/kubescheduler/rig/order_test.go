package main

import (
	"fmt"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Jobs complete sooner than in kube-scheduler's own order, by a twentieth in the mean at least on each seed.
func TestCompletion(t *testing.T) {
	for seed := range uint64(3) {
		own := 0.0
		for _, c := range []struct{ name, config string }{{"kube-scheduler", plain}, {"Index", deployed(t, "index")}} {
			t.Run(fmt.Sprintf("%d/%s", seed+1, c.name), func(t *testing.T) {
				k := start(t, 15, 4, 0)
				l := loaded(seed + 1)
				if err := l.past(t.Context(), k.client); err != nil {
					t.Fatal(err)
				}
				l.history = 0
				k.scheduler(c.config, "")
				k.leads()
				r, err := l.run(t.Context(), k.client)
				if err != nil {
					t.Fatal(err)
				}
				t.Log(r)
				t.Logf("| %s | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %d |", c.name, l.seed, r.Mean, r.P50, r.P99, r.Slowdown, r.WaitMean, r.Writes)
				if c.config == plain {
					own = r.Mean
				} else if own > 0 && r.Mean > 0.95*own {
					t.Errorf("the mean completion is %.1f s, in kube-scheduler's order %.1f s", r.Mean, own)
				}
			})
		}
	}
}

// No Job is lost, and no pod that has succeeded runs again, when the leading scheduler, the API server or etcd is killed,
// and when a node or pods that wait are deleted. It prints for how long no pod was bound after each.
func TestFaults(t *testing.T) {
	for _, replicas := range []int{1, 2} {
		t.Run(fmt.Sprint(replicas, " replicas"), func(t *testing.T) {
			k := start(t, 15, 4, 0)
			l := loaded(4)
			config := deployed(t, "index")
			k.scheduler(config, "")
			k.leads()
			if replicas == 2 {
				k.scheduler(config, "")
			}
			pods := k.client.CoreV1().Pods(metav1.NamespaceDefault)
			faults := []struct {
				at   time.Duration
				name string
				do   func() error
			}{
				{8 * time.Second, "none", func() error { return nil }},
				{15 * time.Second, "kill -9 of the scheduler that leads", func() error { return k.kill("scheduler-1") }},
				{30 * time.Second, "kill -9 of kube-apiserver", func() error { return k.kill("kube-apiserver") }},
				{45 * time.Second, "kill -9 of etcd", func() error { return k.kill("etcd") }},
				{60 * time.Second, "1 of 15 nodes deleted", func() error {
					return k.client.CoreV1().Nodes().Delete(t.Context(), "n000", metav1.DeleteOptions{})
				}},
				// One of each Job: the Job controller makes another one after 10 s, and twice that for each further one.
				{65 * time.Second, "pods that wait deleted", func() error {
					list, err := pods.List(t.Context(), metav1.ListOptions{FieldSelector: "spec.nodeName="})
					if err != nil {
						return err
					}
					seen := make(map[string]bool)
					for _, p := range list.Items {
						if job := p.Labels[batchv1.JobNameLabel]; !seen[job] && len(seen) < 20 {
							seen[job] = true
							remove(t.Context(), k.client, &p)
						}
					}
					t.Logf("%d pods that wait are deleted", len(seen))
					return nil
				}},
			}
			var r *result
			var err error
			done := make(chan bool)
			go func() { defer close(done); r, err = l.run(t.Context(), k.client) }()
			times := make([]time.Time, len(faults))
			begin := time.Now()
			for i, f := range faults {
				time.Sleep(time.Until(begin.Add(f.at)))
				times[i] = time.Now()
				if err := f.do(); err != nil {
					t.Errorf("%s: %v", f.name, err)
				}
			}
			if <-done; err != nil {
				t.Fatal(err)
			}
			t.Log(r)
			for i, f := range faults {
				t.Logf("| %d | %s | %.1f s |", replicas, f.name, pause(r.bound, times[i]).Seconds())
			}
			ran, err := pods.List(t.Context(), metav1.ListOptions{LabelSelector: batchv1.JobNameLabel, FieldSelector: "status.phase=Succeeded"})
			if err != nil {
				t.Fatal(err)
			}
			if len(ran.Items) > l.pods {
				t.Errorf("%d pods have succeeded, want at most %d", len(ran.Items), l.pods)
			}
		})
	}
}

// pause returns the longest time between two of the instants that begins by two seconds after at, and ends after it.
func pause(bound []time.Time, at time.Time) (longest time.Duration) {
	for i := 1; i < len(bound); i++ {
		if bound[i].After(at) && bound[i-1].Before(at.Add(2*time.Second)) {
			longest = max(longest, bound[i].Sub(bound[i-1]))
		}
	}
	return longest
}
