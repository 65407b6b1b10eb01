package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
)

// valueName is the name of byValue in a configuration.
const valueName = "WingValue"

// byValue is the QueueSort plug-in that lets the pod go first whose job is worth the most to those
// that read its output, per core-second: Wing-Agg, by the values that examples/lineage has saved.
// Jobs of which these know nothing go last.
type byValue struct{ queueOrder }

// valueArgs are the arguments of byValue. Store is required.
type valueArgs struct {
	Store string `json:"store"` // path of what lineage -save has written
	// Reload is how often it is looked whether the file has changed; the default is every minute.
	Reload metav1.Duration `json:"reload"`
	// Template and User are the attributes of a subject that name the job, as the log of the
	// lineage has it, and its user. The defaults are label:job and namespace. What changes from run
	// to run is taken off a name that the log does not have.
	Template string `json:"template"`
	User     string `json:"user"`
	// Direct counts what a job is worth by itself only: Wing-Direct.
	Direct bool `json:"direct"`
}

// newByValue returns the plug-in with the values as they are in the file now. It goes on
// looking for newer ones until ctx is done.
func newByValue(ctx context.Context, obj runtime.Object, _ fwk.Handle) (fwk.Plugin, error) {
	args := valueArgs{Template: "label:job", User: "namespace", Reload: metav1.Duration{Duration: time.Minute}}
	if err := decode(obj, &args); err != nil {
		return nil, err
	}
	switch {
	case args.Store == "":
		return nil, errors.New("store is missing, want the file that lineage -save has written")
	case args.Reload.Duration <= 0:
		return nil, fmt.Errorf("reload is %v, want more than 0", args.Reload.Duration)
	}
	if err := checkAttr(args.Template); err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	if err := checkAttr(args.User); err != nil {
		return nil, fmt.Errorf("user: %w", err)
	}
	live := new(value.Live)
	read, err := readStore(live, args.Store, time.Time{})
	if err != nil {
		return nil, err
	}
	efficiency := live.Priority
	if args.Direct {
		efficiency = live.Direct
	}
	lookup, err := wing.NewLookup(wing.LookupConfig{Efficiency: efficiency})
	if err != nil {
		return nil, err
	}
	go func() {
		tick := time.NewTicker(args.Reload.Duration)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if read, err = readStore(live, args.Store, read); err != nil {
					klog.FromContext(ctx).Error(err, "No newer values")
				}
			}
		}
	}()
	return &byValue{queueOrder{cost: func(p *v1.Pod) float64 {
		return -lookup(jobOf(p, args.Template, args.User, live.Load())) // the greatest goes first
	}}}, nil
}

// Name returns valueName.
func (*byValue) Name() string { return valueName }

// jobOf is a pod's job as a lookup wants to know it: its template and its user.
func jobOf(p *v1.Pod, template, user string, store *value.Store) *policy.Job {
	name, _ := subject{p}.Attr(template)
	if _, ok := store.Template(name); !ok {
		name = provenance.Template(name)
	}
	who, _ := subject{p}.Attr(user)
	return &policy.Job{Attrs: []policy.Attr{
		{Name: "template", Value: name},
		{Name: "user", Value: who},
	}}
}

// readStore puts the values of a file in use, unless it is that of an instant already, and returns
// when it was written.
func readStore(live *value.Live, path string, have time.Time) (time.Time, error) {
	f, err := os.Open(path)
	if err != nil {
		return have, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.ModTime().Equal(have) {
		return have, err
	}
	s, err := value.Load(f)
	if err != nil {
		return have, fmt.Errorf("%s: %w", path, err)
	}
	live.Swap(s)
	return info.ModTime(), nil
}

var _ fwk.QueueSortPlugin = (*byValue)(nil)
