package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

var onReal = flag.Bool("real", false, "measure on a real control plane, which is built if it is not there; -v prints the rows of MEASURED.md")

const (
	// name is that of the scheduler in the manifests, and of its lease and service account.
	name = "augur-scheduler"
	// plain is kube-scheduler without our plug-ins.
	plain = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: true, resourceNamespace: kube-system, resourceName: augur-scheduler}
profiles:
- schedulerName: augur-scheduler
`
)

// deployed returns the configuration in a directory of deploy.
func deployed(t *testing.T, dir string) string {
	b, err := os.ReadFile(filepath.Join("../deploy", dir, "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A cluster is a control plane with the rights of the scheduler. It ends with its test.
type cluster struct {
	*testing.T
	plane
	dir        string
	client     *kubernetes.Clientset
	schedulers int
}

func start(t *testing.T, nodes, cores, gpus int) *cluster {
	t.Helper()
	if !*onReal {
		t.Skip("only with -real")
	}
	k := &cluster{T: t, dir: t.TempDir()}
	k.flags(flag.NewFlagSet("", flag.PanicOnError))
	k.module, k.nodes, k.cores, k.gpus = "..", nodes, cores, gpus
	if err := k.build(t.Context()); err != nil {
		t.Skip("cannot build the control plane: ", err)
	}
	ctx, stop := context.WithCancelCause(context.Background())
	over := errors.New("the test is over")
	ended := make(chan error, 1)
	go func() {
		err := k.up(ctx, k.dir)
		stop(err)
		ended <- err
	}()
	t.Cleanup(func() {
		stop(over)
		if err := <-ended; !errors.Is(err, over) {
			t.Error(err)
		}
	})
	for !exists(filepath.Join(k.dir, "ready")) {
		if err := sleep(ctx, 50*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	config, client, err := connect(k.dir)
	if err == nil {
		err = apply(t.Context(), config, []string{"../deploy/index/scheduler.yaml"})
	}
	if err != nil {
		t.Fatal(err)
	}
	k.client = client
	return k
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// program builds the scheduler, once.
var program = sync.OnceValues(func() (string, error) {
	cache, err := os.UserCacheDir()
	path := filepath.Join(cache, "augur-rig", "kubescheduler")
	if err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "build", "-p", "2", "-o", path, "..").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// scheduler runs a scheduler as its service account until the test ends, again a second after each of its ends, as a
// kubelet does. connection is more of its clientConnection. It is called scheduler-1, the next one scheduler-2.
func (k *cluster) scheduler(config, connection string) {
	k.Helper()
	path, err := program()
	if err != nil {
		k.Skip("cannot build the scheduler: ", err)
	}
	k.schedulers++
	file := filepath.Join(k.dir, fmt.Sprint("scheduler-", k.schedulers))
	access := fmt.Sprintf(kubeconfig, k.port, ", as: system:serviceaccount:kube-system:"+name)
	config += fmt.Sprintf("\nclientConnection: {kubeconfig: %s.kubeconfig%s}\n", file, connection)
	if err := errors.Join(os.WriteFile(file+".kubeconfig", []byte(access), 0o600), os.WriteFile(file+".yaml", []byte(config), 0o600)); err != nil {
		k.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- keep(ctx, file, path, "--config="+file+".yaml", "--secure-port=0") }()
	k.Cleanup(func() {
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			k.Error(err)
		}
		if text, _ := os.ReadFile(file + ".log"); k.Failed() {
			k.Logf("%s.log\n%s", file, text[max(0, len(text)-3000):])
		}
	})
}

// leads waits until a scheduler leads.
func (k *cluster) leads() {
	k.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		lease, err := k.client.CoordinationV1().Leases("kube-system").Get(k.Context(), name, metav1.GetOptions{})
		if err == nil && lease.Spec.HolderIdentity != nil && *lease.Spec.HolderIdentity != "" {
			return
		}
		if time.Now().After(end) {
			k.Fatal("no scheduler leads: ", err)
		}
	}
}

// pid returns the process ID of etcd, kube-apiserver or a scheduler.
func (k *cluster) pid(program string) int {
	b, err := os.ReadFile(filepath.Join(k.dir, program+".pid"))
	pid, err2 := strconv.Atoi(string(b))
	if err := errors.Join(err, err2); err != nil {
		k.Fatal(err)
	}
	return pid
}

// kill does what kill -9 does.
func (k *cluster) kill(program string) error { return syscall.Kill(k.pid(program), syscall.SIGKILL) }

// loaded returns the load of the tests.
func loaded(seed uint64) *load {
	var l load
	l.flags(flag.NewFlagSet("", flag.PanicOnError))
	l.scheduler, l.seed, l.history, l.wait = name, seed, 5, 4*time.Minute
	return &l
}

// podOf returns a pod of a template that requests some of a resource.
func podOf(template, name string, seconds float64, r v1.ResourceName, amount string) *v1.Pod {
	t := loaded(0).podsOf(template, seconds)
	t.Name = name
	some := v1.ResourceList{r: resource.MustParse(amount)}
	t.Spec.Containers[0].Resources = v1.ResourceRequirements{Requests: some, Limits: some}
	return &v1.Pod{ObjectMeta: t.ObjectMeta, Spec: t.Spec}
}

// create creates pods, eight at a time.
func (k *cluster) create(pods ...*v1.Pod) {
	var all sync.WaitGroup
	for part := range slices.Chunk(pods, max(1, len(pods)/8)) {
		all.Go(func() {
			for _, p := range part {
				if _, err := k.client.CoreV1().Pods(metav1.NamespaceDefault).Create(k.Context(), p, metav1.CreateOptions{}); err != nil {
					k.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// bound waits until n pods whose names begin with prefix are bound, or some time has passed. It returns their names in
// the order in which they were bound, and the time from the first to the last.
func (k *cluster) bound(prefix string, n int, wait time.Duration) (names []string, took time.Duration) {
	ctx, stop := context.WithTimeout(k.Context(), wait)
	defer stop()
	var (
		mu    sync.Mutex
		first time.Time
		seen  = make(map[string]bool)
	)
	see := func(obj any) {
		p := obj.(*v1.Pod)
		mu.Lock()
		defer mu.Unlock()
		if seen[p.Name] || p.Spec.NodeName == "" || !strings.HasPrefix(p.Name, prefix) {
			return
		}
		seen[p.Name] = true
		if names = append(names, p.Name); len(names) == 1 {
			first = time.Now()
		}
		if took = time.Since(first); len(names) == n {
			stop()
		}
	}
	factory := informers.NewSharedInformerFactory(k.client, 0)
	factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: see, UpdateFunc: func(_, obj any) { see(obj) }})
	factory.Start(ctx.Done())
	<-ctx.Done()
	factory.Shutdown()
	return names, took
}
