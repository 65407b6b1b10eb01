// Kubescheduler is kube-scheduler with plug-ins over augur:
//
//	Index               QueueSort: the pod whose Job has the least work per worth goes first
//	LeastFragmentation  Score: the node on which the pod fragments the free GPUs least
//
// README.md says how to configure and deploy it. Its flags are those of kube-scheduler.
package main

import (
	"context"
	"os"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"          // the log format json
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // metrics of requests
	_ "k8s.io/component-base/metrics/prometheus/version"  // metric of the version
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"sigs.k8s.io/yaml"
)

func main() {
	var options []app.Option
	for name, factory := range plugins() {
		options = append(options, app.WithPlugin(name, factory))
	}
	os.Exit(cli.Run(app.NewSchedulerCommand(options...)))
}

// plugins returns what this scheduler has besides those of kube-scheduler.
func plugins() frameworkruntime.Registry {
	return frameworkruntime.Registry{
		indexName:         once(newIndex),
		fragmentationName: newLeastFragmentation,
	}
}

// once makes a plug-in for the first profile, and gives it to the others too. All profiles have one
// queue, and kube-scheduler wants them to have the same QueueSort with the same arguments, so that
// there is one history to keep.
func once(factory frameworkruntime.PluginFactory) frameworkruntime.PluginFactory {
	var (
		mu     sync.Mutex
		plugin fwk.Plugin
	)
	return func(ctx context.Context, args runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
		mu.Lock()
		defer mu.Unlock()
		if plugin != nil {
			return plugin, nil
		}
		var err error
		plugin, err = factory(ctx, args, handle)
		return plugin, err
	}
}

// decode reads the arguments of a plug-in. Unlike the framework's it refuses names that it does
// not know.
func decode(obj runtime.Object, args any) error {
	raw, ok := obj.(*runtime.Unknown)
	if !ok || raw == nil {
		return nil // none are given
	}
	return yaml.UnmarshalStrict(raw.Raw, args)
}
