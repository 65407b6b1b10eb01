// Command kueue is a controller beside Kueue that boosts the priority of workloads that are predicted to run shortly, within
// their class. README.md says how it is installed; what it decides stands in package boost.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"example.com/augur/examples/internal/boost"
)

func main() {
	klog.InitFlags(nil)
	kubeconfig := flag.String("kubeconfig", "", "path of a kubeconfig (default: the service account of the pod)")
	label := flag.String("label", "augur.example.com/boost=true", "KEY=VALUE: the label of LocalQueues whose workloads are boosted")
	scarce := flag.String("resource", "cpu", "the resource of which there is too little: a workload counts by its runtime times what it requests of it")
	lease := flag.String("lease", "kueue-system/augur-kueue", "NAMESPACE/NAME of the Lease of the replica that writes")
	tau := flag.Duration("tau", 0, "how long after its submission a workload may be passed by those that take e times less (default 1h)")
	floor := flag.Duration("floor", 0, "runtimes that are shorter count as this (default 1s)")
	resolution := flag.Float64("resolution", 0, "the logarithm of the ratio of runtimes that differ in their boost (default 0.2)")
	band := flag.Int("band", 1_000_000, "the greatest boost")
	features := flag.String("features", strings.Join(boost.DefaultFeatures, ","), "what makes workloads alike, of namespace, owner, image, queue and label:KEY; several are joined by +")
	qps := flag.Float64("qps", 50, "requests to the API server a second, in the mean")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := func() error {
		c := boost.Config{Tau: *tau, Floor: *floor, Resolution: *resolution, Band: int32(*band), Features: strings.Split(*features, ",")}
		if *band != int(c.Band) {
			return fmt.Errorf("-band is %d, want at most 2147483647", *band)
		}
		booster, err := boost.New(c)
		if err != nil {
			return err
		}
		config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
		if err != nil {
			return err
		}
		config.QPS, config.Burst = float32(*qps), int(2**qps)
		return run(ctx, config, booster, *label, *lease, *scarce)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "kueue:", err)
		os.Exit(1)
	}
}

// run learns from what finishes, and writes boosts while it has the lease, until ctx is done or the lease is lost.
func run(ctx context.Context, config *rest.Config, booster *boost.Booster, label, lease, scarce string) error {
	key, value, ok := strings.Cut(label, "=")
	if !ok || key == "" {
		return fmt.Errorf("-label is %q, want KEY=VALUE", label)
	}
	namespace, name, ok := strings.Cut(lease, "/")
	if !ok || namespace == "" || name == "" {
		return fmt.Errorf("-lease is %q, want NAMESPACE/NAME", lease)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	leases, err := coordination.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c, err := watch(ctx, client, booster, key, value, scarce)
	if err != nil {
		return err
	}
	defer c.queue.ShutDown()

	host, err := os.Hostname()
	if err != nil {
		return err
	}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: namespace, Name: name},
			Client:     leases,
			LockConfig: resourcelock.ResourceLockConfig{Identity: fmt.Sprintf("%s-%d-%d", host, os.Getpid(), time.Now().UnixNano())},
		},
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     2 * time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: c.lead,
			OnStoppedLeading: func() { klog.Background().Info("No longer the replica that writes") },
		},
	})
	if err != nil {
		return err
	}
	elector.Run(ctx)
	if ctx.Err() == nil {
		return fmt.Errorf("lost the lease %s", lease)
	}
	return nil
}
