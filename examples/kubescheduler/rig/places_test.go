package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
)

const gpu = v1.ResourceName("nvidia.com/gpu")

// packed is kube-scheduler's own way to leave nodes with free GPUs.
const packed = plain + `  pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated, resources: [{name: nvidia.com/gpu, weight: 1}]}}
`

// Pods with one to eight GPUs come and go on 24 nodes with eight each. Then come 15 pods with eight.
func TestGPUs(t *testing.T) {
	for seed := range uint64(3) {
		own := -1
		for _, c := range []struct{ name, config string }{
			{"kube-scheduler", plain}, {"MostAllocated", packed}, {"LeastFragmentation", deployed(t, "gpu")},
		} {
			t.Run(fmt.Sprintf("%d/%s", seed+1, c.name), func(t *testing.T) {
				k := start(t, 24, 64, 8)
				k.scheduler(c.config, "")
				k.leads()
				r := rand.New(rand.NewPCG(seed+1, 3))
				begin := time.Now()
				for i := range 120 {
					n := []string{"1", "1", "1", "1", "1", "1", "2", "2", "2", "4", "4", "8"}[r.IntN(12)]
					k.create(podOf("ads-train", fmt.Sprint("small-", i), 2+r.ExpFloat64()*8, gpu, n))
					time.Sleep(time.Until(begin.Add(time.Duration(i+1) * 250 * time.Millisecond)))
				}
				var large []*v1.Pod
				for i := range 15 {
					large = append(large, podOf("mail-train", fmt.Sprint("large-", i), 60, gpu, "8"))
				}
				k.create(large...)
				placed, _ := k.bound("large-", 15, 2*time.Second)
				t.Logf("| %s | %d | %d of 15 |", c.name, seed+1, len(placed))
				if c.config == plain {
					own = len(placed)
				} else if len(placed) <= own {
					t.Errorf("%d of 15 pods with eight GPUs are placed at once, and %d by kube-scheduler", len(placed), own)
				}
			})
		}
	}
}

// A thousand pods wait when the scheduler starts. Kube-scheduler reuses the scores of the pod before where that filled
// its node, unless a plug-in for scores cannot sign pods, as ours cannot.
func TestThroughput(t *testing.T) {
	for _, size := range []struct{ name, cpu string }{{"a node each", "4"}, {"20 m", "20m"}} {
		for _, c := range []struct{ name, config string }{
			{"kube-scheduler", plain}, {"Index", deployed(t, "index")}, {"LeastFragmentation", deployed(t, "gpu")},
		} {
			t.Run(size.name+"/"+c.name, func(t *testing.T) {
				const n = 1000
				k := start(t, n, 4, 0)
				var pods []*v1.Pod
				for i := range n {
					pods = append(pods, podOf("ads-train", fmt.Sprint("pod-", i), 600, v1.ResourceCPU, size.cpu))
				}
				k.create(pods...)
				k.scheduler(c.config, ", qps: 5000, burst: 5000")
				names, took := k.bound("pod-", n, time.Minute)
				stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", k.pid("scheduler-1")))
				if err != nil {
					t.Fatal(err)
				}
				var user, system float64 // hundredths of seconds
				fmt.Sscan(strings.Join(strings.Fields(string(stat))[13:15], " "), &user, &system)
				t.Logf("| %s | %s | %.0f | %.1f |", size.name, c.name, float64(len(names)-1)/took.Seconds(), (user+system)/100)
				if len(names) < n {
					t.Errorf("%d of %d pods are bound after a minute", len(names), n)
				}
			})
		}
	}
}
