package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// A load is Jobs that come over a while. Each is a run of one of 40 templates, DAG-TASK, which are the same for all
// seeds, and is named as a CronJob names it. Its pods request a core each; they have the labels dag_id, task_id and
// job, and the annotations dag_id and task_id.
type load struct {
	scheduler, jobLabels string
	suspend              bool
	pods, history        int
	window, longest      float64
	seed                 uint64
	wait                 time.Duration
}

func (l *load) flags(f *flag.FlagSet) {
	f.StringVar(&l.scheduler, "scheduler", v1.DefaultSchedulerName, "schedulerName of the pods")
	f.StringVar(&l.jobLabels, "job-labels", "", "labels of the Jobs, KEY=VALUE,..., such as kueue.x-k8s.io/queue-name=QUEUE")
	f.BoolVar(&l.suspend, "suspend", false, "create the Jobs suspended, as Kueue wants them")
	f.IntVar(&l.pods, "pods", 1000, "pods in all")
	f.IntVar(&l.history, "history", 0, "runs of each template, of a pod each, that have ended before the load begins")
	f.Float64Var(&l.window, "window", 50, "seconds over which Jobs come")
	f.Float64Var(&l.longest, "longest", 25, "seconds that a pod runs at most")
	f.Uint64Var(&l.seed, "seed", 1, "seed of the Jobs")
	f.DurationVar(&l.wait, "wait", 8*time.Minute, "how long to wait for the Jobs when the last one has come")
}

// A run is a Job of the load.
type run struct {
	name, template string
	at, seconds    float64
	pods           int32
	created, done  time.Time
}

// runs draws the Jobs, in the order in which they come.
func (l *load) runs() []*run {
	r := rand.New(rand.NewPCG(l.seed, 1))
	var all []*run
	for left := l.pods; left > 0; {
		i := r.IntN(templates)
		n := min(1+int(r.ExpFloat64()*4), left)
		left -= n
		all = append(all, &run{template: template(i), pods: int32(n), at: r.Float64() * l.window, seconds: l.runtime(i, r)})
	}
	slices.SortStableFunc(all, func(a, b *run) int { return cmp.Compare(a.at, b.at) })
	for i, j := range all {
		j.name = fmt.Sprintf("%s-%d", j.template, 29_000_000+100_000*l.seed+uint64(i)) // where a CronJob has the minute
	}
	return all
}

const templates = 40

func template(i int) string {
	dags := []string{"orders", "clicks", "billing", "fleet", "search", "ads", "mail", "fraud"}
	tasks := []string{"extract", "clean", "join", "train", "report"}
	return dags[i%len(dags)] + "-" + tasks[i/len(dags)]
}

// runtime draws the seconds of a run: those of its template, Pareto distributed with shape 0.9 from 1.2 s on, by a
// log-normal factor.
func (l *load) runtime(template int, r *rand.Rand) float64 {
	base := 1.2 * math.Pow(1-rand.New(rand.NewPCG(7, uint64(template))).Float64(), -1/0.9)
	return min(min(base, l.longest)*math.Exp(0.3*r.NormFloat64()), l.longest)
}

// podsOf returns the pods of a run.
func (l *load) podsOf(template string, seconds float64) v1.PodTemplateSpec {
	dag, task, _ := strings.Cut(template, "-")
	return v1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      map[string]string{"dag_id": dag, "task_id": task, "job": template},
			Annotations: map[string]string{"dag_id": dag, "task_id": task, secondsKey: fmt.Sprint(seconds)},
		},
		Spec: v1.PodSpec{SchedulerName: l.scheduler, RestartPolicy: v1.RestartPolicyNever, Containers: []v1.Container{{
			Name: "work", Image: "registry.example.com/" + dag + ":v7",
			Resources: v1.ResourceRequirements{Requests: v1.ResourceList{v1.ResourceCPU: resource.MustParse("1")}},
		}}},
	}
}

// past writes the history: pods that have succeeded just now.
func (l *load) past(ctx context.Context, client kubernetes.Interface) error {
	r := rand.New(rand.NewPCG(l.seed, 2))
	for n := range l.history * templates {
		name, seconds := template(n%templates), l.runtime(n%templates, r)
		t := l.podsOf(name, seconds)
		name = fmt.Sprintf("%s-%d", name, 28_000_000+100_000*l.seed+uint64(n))
		t.Name, t.Spec.NodeName = name+"-x", pastNode
		t.OwnerReferences = []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: name, UID: "past", Controller: new(true)}}
		p, err := client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, &v1.Pod{ObjectMeta: t.ObjectMeta, Spec: t.Spec}, metav1.CreateOptions{})
		if err == nil {
			err = report(ctx, client, p, v1.PodSucceeded, time.Now().Add(-time.Duration(seconds*float64(time.Second))))
		}
		if err != nil {
			return fmt.Errorf("history: %w", err)
		}
	}
	return nil
}

// run submits the Jobs and waits for them. If some are not done in time it returns an error besides the result of the others.
func (l *load) run(ctx context.Context, client kubernetes.Interface) (*result, error) {
	if err := l.past(ctx, client); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	labels := make(map[string]string)
	for label := range strings.SplitSeq(l.jobLabels, ",") {
		if key, value, ok := strings.Cut(label, "="); ok {
			labels[key] = value
		}
	}
	var (
		mu    sync.Mutex
		all   = l.runs()
		jobs  = make(map[string]*run)
		done  = make(chan bool, len(all))
		came  = make(map[string]time.Time) // of each pod
		waits = make(map[string]float64)   // of each pod that is bound
		res   = result{Scheduler: l.scheduler, Seed: l.seed}
	)
	for _, j := range all {
		jobs[j.name] = j
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(metav1.NamespaceDefault))
	see := func(obj any) {
		mu.Lock()
		defer mu.Unlock()
		now := time.Now()
		switch o := obj.(type) {
		case *v1.Pod:
			if jobs[o.Labels[batchv1.JobNameLabel]] == nil {
				return
			}
			if came[o.Name].IsZero() {
				came[o.Name] = now
			}
			if _, old := waits[o.Name]; !old && o.Spec.NodeName != "" {
				waits[o.Name] = now.Sub(came[o.Name]).Seconds()
				res.bound = append(res.bound, now)
			}
		case *batchv1.Job:
			if j := jobs[o.Name]; j != nil && j.done.IsZero() && o.Status.Succeeded >= j.pods {
				j.done = now
				done <- true
			}
		}
	}
	for _, i := range []cache.SharedIndexInformer{factory.Core().V1().Pods().Informer(), factory.Batch().V1().Jobs().Informer()} {
		i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: see, UpdateFunc: func(_, obj any) { see(obj) }})
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())

	before, err := writes(ctx, client)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	for _, j := range all {
		if err := sleep(ctx, time.Until(begin.Add(time.Duration(j.at*float64(time.Second))))); err != nil {
			return nil, err
		}
		mu.Lock()
		j.created = time.Now()
		mu.Unlock()
		if err := insist(ctx, func() error {
			_, err := client.BatchV1().Jobs(metav1.NamespaceDefault).Create(ctx, &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: j.name, Labels: labels}, Spec: batchv1.JobSpec{
				Completions: &j.pods, Parallelism: &j.pods, Suspend: &l.suspend, Template: l.podsOf(j.template, j.seconds),
				BackoffLimit: new(int32(1000)), // pods may be deleted
			}}, metav1.CreateOptions{})
			return err
		}); err != nil {
			return nil, fmt.Errorf("job %s: %w", j.name, err)
		}
	}
	late, cancel := context.WithTimeoutCause(ctx, l.wait, fmt.Errorf("some Jobs are not done after %v", l.wait))
	defer cancel()
	for range all {
		select {
		case <-done:
		case <-late.Done():
			err = context.Cause(late)
		}
	}
	after, _ := writes(ctx, client)
	mu.Lock()
	defer mu.Unlock()
	res.Makespan = time.Since(begin).Seconds()
	res.fill(all, waits, before, after)
	return &res, err
}
