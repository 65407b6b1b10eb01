package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"example.com/augur/predict"
)

// A job is one of those that are drawn: how many pods it has, how long each runs, and what it is worth.
type job struct {
	name     string
	runtimes []time.Duration
	worth    float64
}

// draw returns eight Jobs of one to eight pods, whose runtimes are heavy-tailed, and pods of the past of all of them but the last.
func draw(seed uint64) (jobs []job, past []*v1.Pod) {
	rng := rand.New(rand.NewPCG(seed, 8))
	for i := range 8 {
		j := job{name: fmt.Sprintf("job%d", i), worth: math.Exp2(float64(rng.IntN(5)))}
		typical := min(60*math.Pow(1-rng.Float64(), -1/0.9), 3000)
		vary := func() time.Duration {
			return time.Duration(typical * math.Exp(0.2*rng.NormFloat64()) * float64(time.Second)).Round(time.Second)
		}
		for range 1 + rng.IntN(8) {
			j.runtimes = append(j.runtimes, vary())
		}
		jobs = append(jobs, j)
		for n := range 8 {
			if end := epoch.Add(time.Duration(8*n+i-64) * time.Minute); i < 7 {
				past = append(past, succeeded(pod("default-scheduler", j.name, 1000+n, "1"), end.Add(-vary()), end))
			}
		}
	}
	slices.SortStableFunc(past, func(a, b *v1.Pod) int {
		return a.Status.ContainerStatuses[0].State.Terminated.FinishedAt.Compare(b.Status.ContainerStatuses[0].State.Terminated.FinishedAt.Time)
	})
	return jobs, past
}

// podsOf returns the pods of Jobs, in the order in which they are submitted, and how long they will run.
func podsOf(scheduler string, jobs []job) (pods []*v1.Pod, runtimes map[string]time.Duration) {
	runtimes = make(map[string]time.Duration)
	for _, j := range jobs {
		for i, d := range j.runtimes {
			p := pod(scheduler, j.name, i, "1")
			p.OwnerReferences[0].UID = types.UID(j.name)
			pods, runtimes[p.Name] = append(pods, p), d
		}
	}
	return pods, runtimes
}

// flow runs the Jobs on three nodes of two cores, and returns the order of their pods, and when the Jobs complete. Folder has
// the configuration, or "" for kube-scheduler as it is. If sized the scheduler can see how many pods the Jobs have.
func flow(t *testing.T, jobs []job, past []*v1.Pod, folder string, sized bool) (order []string, ends map[string]float64) {
	t.Helper()
	objects := []runtime.Object{node("n1", 2), node("n2", 2), node("n3", 2)}
	for _, p := range past {
		objects = append(objects, p)
	}
	worth := make(map[string]float64)
	for _, j := range jobs {
		worth["prod-airflow "+j.name] = j.worth
		if sized {
			objects = append(objects, &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: j.name, UID: types.UID(j.name)},
				Spec: batchv1.JobSpec{Completions: new(int32(len(j.runtimes)))}})
		}
	}
	k, name := (*cluster)(nil), v1.DefaultSchedulerName
	if folder == "" {
		k = newCluster(t, nil, objects...)
	} else {
		c := deployed(t, folder)
		if folder == "values" {
			argue(t, c, indexName, "/etc/augur-values/values", saveValues(t, worth))
			argue(t, c, indexName, "{annotation:dag_id}.{annotation:task_id}", "{label:job}")
		}
		name = c.Profiles[0].SchedulerName
		k = newCluster(t, c, objects...)
	}
	pods, runtimes := podsOf(name, jobs)
	k.submit(pods...)
	ends = make(map[string]float64)
	for i, p := range k.run(runtimes) {
		of := pods[slices.IndexFunc(pods, func(q *v1.Pod) bool { return q.Name == p.pod })].Labels["job"]
		order = append(order, k.placed[i].pod)
		ends[of] = max(ends[of], p.end.Seconds())
	}
	return order, ends
}

// Ten drawn workloads, whose Jobs come at once, under kube-scheduler's own queue, and by Index: without the sizes of Jobs, by which
// the pods are ordered by their predicted runtimes alone; with them; and with what they are worth too. Run it with -v to see the table.
func TestOrder(t *testing.T) {
	const draws = 10
	var all, weighted [4]float64 // over kube-scheduler's own
	for seed := range uint64(draws) {
		jobs, past := draw(seed)
		pods, _ := podsOf("", jobs)
		predicted := predictions(t, past, jobs)
		by := make(map[string]job)
		for _, j := range jobs {
			by[j.name] = j
		}
		var means, worths [4]float64
		for i, v := range []struct {
			name, folder string
			sized        bool
			cost         func(j job) float64
		}{
			{"kube-scheduler", "", true, func(job) float64 { return 0 }},
			{"runtimes alone", "index", false, func(j job) float64 { return predicted[j.name] }},
			{"Index", "index", true, func(j job) float64 { return predicted[j.name] * float64(len(j.runtimes)) }},
			{"Index with worth", "values", true, func(j job) float64 { return predicted[j.name] * float64(len(j.runtimes)) / j.worth }},
		} {
			order, ends := flow(t, jobs, past, v.folder, v.sized)
			if want := turns(pods, func(p *v1.Pod) float64 { return v.cost(by[p.Labels["job"]]) }); !slices.Equal(order, want) {
				t.Errorf("seed %d, %s: the order is\n%v, want\n%v", seed, v.name, order, want)
			}
			sum := 0.0
			for _, j := range jobs {
				means[i] += ends[j.name] / float64(len(jobs))
				worths[i] += ends[j.name] * j.worth
				sum += j.worth
			}
			worths[i] /= sum
			all[i] += means[i] / means[0] / draws
			weighted[i] += worths[i] / worths[0] / draws
		}
		t.Logf("seed %2d: Jobs complete after %5.0f s, by runtimes alone %5.0f s, by Index %5.0f s, with worth %5.0f s; by worth %5.0f, %5.0f, %5.0f, %5.0f s",
			seed, means[0], means[1], means[2], means[3], worths[0], worths[1], worths[2], worths[3])
	}
	t.Logf("mean over kube-scheduler's: runtimes alone %.2f, Index %.2f, with worth %.2f; counted by worth: %.2f, %.2f, %.2f", all[1], all[2], all[3], weighted[1], weighted[2], weighted[3])
	if !(all[1] < 0.9 && all[2] < all[1]-0.02) {
		t.Errorf("the mean completion of Jobs is %.2f of kube-scheduler's by runtimes alone and %.2f by Index, want less and less", all[1], all[2])
	}
	if !(weighted[3] < weighted[2]-0.02) {
		t.Errorf("counted by worth it is %.2f by Index and %.2f with worth, want less", weighted[2], weighted[3])
	}
}

// predictions returns what another predictor says of the pods of Jobs, in seconds, which has seen those of the past in the order in
// which they ended.
func predictions(t *testing.T, past []*v1.Pod, jobs []job) map[string]float64 {
	t.Helper()
	predictor, err := predict.New(predict.Config{Features: []string{"namespace+owner", "namespace+image", "image", "namespace", "*"}})
	if err != nil {
		t.Fatal(err)
	}
	attrs := func(job string) predict.Attrs {
		return predict.Attrs{"namespace": "default", "owner": "Job/" + job, "image": "registry.example.com/" + job}
	}
	for _, p := range past {
		s := p.Status.ContainerStatuses[0].State.Terminated
		if err := predictor.Observe(attrs(p.Labels["job"]), s.FinishedAt.Sub(s.StartedAt.Time).Seconds(), s.FinishedAt.Time); err != nil {
			t.Fatal(err)
		}
	}
	predicted := make(map[string]float64)
	for _, j := range jobs {
		predicted[j.name], _ = predictor.Mean(attrs(j.name), epoch)
	}
	return predicted
}

// turns returns the order in which pods that come at once get their places: the least cost first, then the one that came to the
// queue first.
func turns(pods []*v1.Pod, cost func(*v1.Pod) float64) (names []string) {
	sorted := slices.Clone(pods)
	slices.SortStableFunc(sorted, func(p, q *v1.Pod) int { return cmp.Compare(cost(p), cost(q)) })
	for _, p := range sorted {
		names = append(names, p.Name)
	}
	return names
}
