// Command kueue is a controller beside Kueue that boosts the priority of workloads with short predicted runtimes, within
// their class. README.md says how to install it; package boost has the rule.
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
	scarce := flag.String("resource", "cpu", "the scarce resource: workloads are ordered by runtime times their request of it")
	lease := flag.String("lease", "kueue-system/augur-kueue", "NAMESPACE/NAME of the Lease of the replica that writes")
	tau := flag.Duration("tau", 0, "how much later a workload of 1/e of the predicted runtime may be submitted and still go first (default 1h)")
	floor := flag.Duration("floor", 0, "the shortest runtime that counts (default 1s)")
	resolution := flag.Float64("resolution", 0, "the step of ln(runtime) that changes the boost by one (default 0.2)")
	band := flag.Int("band", 1_000_000, "the greatest boost")
	features := flag.String("features", strings.Join(boost.DefaultFeatures, ","), "features by which workloads are similar: namespace, owner, image, queue and label:KEY, joined by +, in a list")
	qps := flag.Float64("qps", 50, "mean requests to the API server a second")
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
