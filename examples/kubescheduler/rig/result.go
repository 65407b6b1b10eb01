package main

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"k8s.io/client-go/kubernetes"
)

// A result is what a load came to. Times are in seconds.
type result struct {
	Scheduler         string
	Seed              uint64
	Jobs, Lost, Pods  int
	Mean, P50, P99    float64 // from the creation of a Job until all its pods have succeeded
	Slowdown          float64 // mean of this over the runtime of a pod, at least 1 s
	WaitMean, WaitP99 float64 // from the creation of a pod to its binding
	Makespan          float64
	Writes            int            // to the API server, by all programs; 0 if it was started again meanwhile
	WritesOf          map[string]int // by verb and resource

	bound []time.Time // when pods were bound
}

func (r *result) String() string {
	b, err := json.Marshal(r)
	if err != nil {
		return err.Error() // a mean of nothing is NaN
	}
	return string(b)
}

func (r *result) fill(all []*run, waits map[string]float64, before, after map[string]int) {
	var took, slow []float64
	for _, j := range all {
		if j.done.IsZero() {
			r.Lost++
			continue
		}
		t := j.done.Sub(j.created).Seconds()
		took, slow = append(took, t), append(slow, t/max(j.seconds, 1))
	}
	wait := slices.Collect(maps.Values(waits))
	r.Jobs, r.Pods = len(took), len(wait)
	r.Mean, r.P50, r.P99 = mean(took), quantile(took, 0.5), quantile(took, 0.99)
	r.Slowdown, r.WaitMean, r.WaitP99 = mean(slow), mean(wait), quantile(wait, 0.99)
	r.WritesOf = make(map[string]int)
	for key, n := range after {
		if n -= before[key]; n < 0 {
			r.Writes, r.WritesOf = 0, nil
			return
		} else if n > 0 {
			r.Writes += n
			r.WritesOf[key] = n
		}
	}
}

// A line of the API server's metrics, whose labels are in the order of their names.
var written = regexp.MustCompile(`(?m)^apiserver_request_total\{.*,resource="(.*?)",.*subresource="(.*?)",verb="(POST|PUT|PATCH|APPLY|DELETE\w*)",.*\} (\S+)$`)

// writes reads how often the API server was asked to write something since it was started, by verb and resource.
func writes(ctx context.Context, client kubernetes.Interface) (map[string]int, error) {
	text, err := client.Discovery().RESTClient().Get().AbsPath("/metrics").DoRaw(ctx)
	counts := make(map[string]int)
	for _, m := range written.FindAllSubmatch(text, -1) {
		n, err := strconv.ParseFloat(string(m[4]), 64)
		if err != nil {
			return nil, err
		}
		key := string(m[3]) + " " + string(m[1])
		if len(m[2]) > 0 {
			key += "/" + string(m[2])
		}
		counts[key] += int(n)
	}
	return counts, err
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// quantile returns the least value that a part q of x do not exceed.
func quantile(x []float64, q float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	return slices.Sorted(slices.Values(x))[max(0, int(math.Ceil(q*float64(len(x))))-1)]
}
