package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"

	"example.com/augur/predict"
)

// kinds are the jobs of the pods that wait: how long their pods run, and what they are worth per
// core-second to those that read their output. Of the last one nothing is known beforehand.
var kinds = []struct {
	job        string
	runtime    time.Duration
	efficiency float64
}{
	{"train", 3000 * time.Second, 0.2},
	{"etl", 600 * time.Second, 5},
	{"report", 120 * time.Second, 1},
	{"backup", 300 * time.Second, 0.1},
	{"thumbnail", 20 * time.Second, 0.5},
	{"novel", 200 * time.Second, 0},
}

// thirty returns the pods that wait, in the order in which they are submitted, and how long they
// will run: five of each job in turn, whose runtimes differ by up to 15 %.
func thirty(scheduler string) (pods []*v1.Pod, runtimes map[string]time.Duration) {
	runtimes = make(map[string]time.Duration)
	for i := range 30 {
		k := kinds[i%len(kinds)]
		p := pod(scheduler, k.job, i, "1")
		pods = append(pods, p)
		runtimes[p.Name] = vary(k.runtime, i)
	}
	return pods, runtimes
}

// past returns pods that have succeeded before: eight of each job that is known.
func past() (pods []*v1.Pod) {
	for i := range 40 {
		k := kinds[i%(len(kinds)-1)]
		end := epoch.Add(time.Duration(i-40) * time.Minute)
		pods = append(pods, succeeded(pod("default-scheduler", k.job, 1000+i, "1"), end.Add(-vary(k.runtime, 3*i)), end))
	}
	return pods
}

// vary changes a runtime by up to 15 %.
func vary(d time.Duration, i int) time.Duration {
	return (d * time.Duration(85+i*7%31) / 100).Truncate(time.Second)
}

// flow runs the thirty pods on three nodes of two cores, under a configuration, or, if that is nil,
// under kube-scheduler as it is.
func flow(t *testing.T, c *config.KubeSchedulerConfiguration) []placement {
	t.Helper()
	objects := []runtime.Object{node("n1", 2), node("n2", 2), node("n3", 2)}
	for _, p := range past() {
		objects = append(objects, p)
	}
	name := v1.DefaultSchedulerName
	if c != nil {
		name = c.Profiles[0].SchedulerName
	}
	k := newCluster(t, c, objects...)
	pods, runtimes := thirty(name)
	k.submit(pods...)
	return k.run(runtimes)
}

// The order of 30 pods under augur beside that of kube-scheduler's own queue. Run it with -v to
// see the table.
func TestOrder(t *testing.T) {
	pods, runtimes := thirty("")
	worth := make(map[string]float64)
	for _, k := range kinds {
		if k.efficiency > 0 {
			worth[k.job] = k.efficiency
		}
	}
	fifo := flow(t, nil)
	byRuntime := flow(t, deployed(t, "deploy/config-runtime.yaml"))
	values := deployed(t, "deploy/config-value.yaml")
	argue(t, values, valueName, "/etc/augur-values/values", saveValues(t, worth))
	byValue := flow(t, values)

	// By itself it is that of submission.
	if got, want := names(fifo), turns(pods, func(*v1.Pod) float64 { return 0 }); !slices.Equal(got, want) {
		t.Errorf("kube-scheduler's own order is\n%v, want\n%v", got, want)
	}

	predicted := predictions(t, pods)
	if got, want := names(byRuntime), turns(pods, func(p *v1.Pod) float64 { return predicted[p.Name] }); !slices.Equal(got, want) {
		t.Errorf("the order by predicted runtime is\n%v, want\n%v", got, want)
	}

	// By value it is that of the table above, and the unknown ones last.
	if got, want := names(byValue), turns(pods, func(p *v1.Pod) float64 { return -worth[p.Labels["job"]] }); !slices.Equal(got, want) {
		t.Errorf("the order by value is\n%v, want\n%v", got, want)
	}

	// Short ones first is what makes the mean completion time less, and valuable ones first the mean
	// in which a pod counts by what it is worth.
	one := func(string) float64 { return 1 }
	amount := make(map[string]float64)
	for _, p := range pods {
		amount[p.Name] = worth[p.Labels["job"]] * runtimes[p.Name].Seconds()
	}
	by := func(pod string) float64 { return amount[pod] }
	if f, r := meanEnd(fifo, one), meanEnd(byRuntime, one); !(r < f) {
		t.Errorf("by predicted runtime the pods complete after %.0f s on average, want less than %.0f s", r, f)
	}
	if f, v := meanEnd(fifo, by), meanEnd(byValue, by); !(v < f) {
		t.Errorf("by value the pods complete after %.0f s on average, counted by value, want less than %.0f s", v, f)
	}

	var b strings.Builder
	fmt.Fprintf(&b, "\n       %-27s  %-44s  %s\n", "kube-scheduler", "PredictedRuntime", "WingValue")
	fmt.Fprintf(&b, "       %-14s %-4s %7s  %-14s %-4s %7s %9s %6s  %-14s %-4s %7s\n",
		"pod", "node", "start s", "pod", "node", "start s", "predicted", "ran s", "pod", "node", "start s")
	for i, f := range fifo {
		r, v := byRuntime[i], byValue[i]
		fmt.Fprintf(&b, "  %2d.  %-14s %-4s %7.0f  %-14s %-4s %7.0f %9.0f %6.0f  %-14s %-4s %7.0f\n", i+1,
			f.pod, f.node, f.start.Seconds(), r.pod, r.node, r.start.Seconds(), predicted[r.pod], runtimes[r.pod].Seconds(),
			v.pod, v.node, v.start.Seconds())
	}
	mean := func(name string, weight func(pod string) float64) {
		fmt.Fprintf(&b, "  %-32s kube-scheduler %.0f s, PredictedRuntime %.0f s, WingValue %.0f s\n",
			name, meanEnd(fifo, weight), meanEnd(byRuntime, weight), meanEnd(byValue, weight))
	}
	mean("mean completion time:", one)
	mean("the same, by what pods are worth:", by)
	t.Log(b.String())
}

// predictions returns what another predictor says of pods, in seconds, which has seen those of the
// past in the order in which they ended, but none of the thirty.
func predictions(t *testing.T, pods []*v1.Pod) map[string]float64 {
	t.Helper()
	predictor, err := predict.New(predict.Config{Features: []string{"namespace+owner", "namespace+image", "image", "namespace", "*"}})
	if err != nil {
		t.Fatal(err)
	}
	attrs := func(p *v1.Pod) predict.Attrs {
		job := p.Labels["job"]
		return predict.Attrs{"namespace": "default", "owner": "Job/" + job, "image": "registry.example.com/" + job}
	}
	for _, p := range past() {
		s := p.Status.ContainerStatuses[0].State.Terminated
		if err := predictor.Observe(attrs(p), s.FinishedAt.Sub(s.StartedAt.Time).Seconds(), s.FinishedAt.Time); err != nil {
			t.Fatal(err)
		}
	}
	predicted := make(map[string]float64)
	for _, p := range pods {
		predicted[p.Name], _ = predictor.Estimate(attrs(p), epoch)
	}
	return predicted
}

func names(placed []placement) (names []string) {
	for _, p := range placed {
		names = append(names, p.pod)
	}
	return names
}

// turns returns the order in which pods that come at once get their places: the least cost first, then
// the one that came to the queue first.
func turns(pods []*v1.Pod, cost func(*v1.Pod) float64) (names []string) {
	sorted := slices.Clone(pods)
	slices.SortStableFunc(sorted, func(p, q *v1.Pod) int { return cmp.Compare(cost(p), cost(q)) })
	for _, p := range sorted {
		names = append(names, p.Name)
	}
	return names
}

// meanEnd is when the pods end on average, in seconds, each counted by its weight.
func meanEnd(placed []placement, weight func(pod string) float64) float64 {
	var sum, weights float64
	for _, p := range placed {
		sum += weight(p.pod) * p.end.Seconds()
		weights += weight(p.pod)
	}
	return sum / weights
}
