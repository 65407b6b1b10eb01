package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
)

// worthArgs say what Jobs are worth: Wing's aggregate values, which examples/lineage has saved. Store and Job are required.
//
// Job and User are texts with attributes of a subject in braces, such as "prod {label:dag_id}.{label:task_id}". Together
// they must be what the log of the lineage calls a job and its user. The name of a job from OpenLineage is its namespace, a space, and its name.
type worthArgs struct {
	Store string `json:"store"` // path of what lineage -save has written
	Job   string `json:"job"`   // what changes from run to run is taken off a name that the store does not have
	User  string `json:"user"`  // whose ad-hoc jobs tell what a job is worth that the store does not have; "{namespace}" by default
	// Reload is how often it is looked whether the file has changed; 0 means every minute.
	Reload metav1.Duration `json:"reload"`
}

// newWorth returns what the Job of a pod is worth by the values that are in the file now, and until ctx is done by newer ones.
// A Job that the values do not have is worth 1, like one whose output is read once.
func newWorth(ctx context.Context, args worthArgs) (func(*v1.Pod) float64, error) {
	every, err := positive("reload", args.Reload, time.Minute)
	if err != nil {
		return nil, err
	}
	if args.User == "" {
		args.User = "{namespace}"
	}
	if args.Store == "" {
		return nil, errors.New("store is missing, want the file that lineage -save has written")
	}
	if err := checkText(args.Job); err != nil {
		return nil, fmt.Errorf("job: %w", err)
	}
	if err := checkText(args.User); err != nil {
		return nil, fmt.Errorf("user: %w", err)
	}
	live := new(value.Live)
	read, err := readStore(live, args.Store, time.Time{})
	if err != nil {
		return nil, err
	}
	go func() {
		tick := time.NewTicker(every)
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
	return func(p *v1.Pod) float64 { return worthOf(p, live.Load(), &args) }, nil
}

// worthOf returns what the Job of a pod is worth.
func worthOf(p *v1.Pod, store *value.Store, args *worthArgs) float64 {
	job, user := fill(args.Job, p), fill(args.User, p)
	if _, ok := store.Template(job); !ok {
		job = provenance.Template(job)
	}
	if s, ok := store.Priority(job, user); ok {
		return s.Value
	}
	return 1
}

// braces are around an attribute in a text.
var braces = regexp.MustCompile(`\{([^{}]*)\}`)

// checkText names what is wrong with a text.
func checkText(text string) error {
	attrs := braces.FindAllStringSubmatch(text, -1)
	if attrs == nil || strings.ContainsAny(braces.ReplaceAllString(text, ""), "{}") {
		return fmt.Errorf("have %q, want a text with attributes in braces, such as %q", text, "prod {label:dag_id}.{label:task_id}")
	}
	for _, a := range attrs {
		if err := checkAttr(a[1]); err != nil {
			return err
		}
	}
	return nil
}

// fill returns a text with the attributes of a pod in it, and nothing for those that it lacks.
func fill(text string, p *v1.Pod) string {
	return braces.ReplaceAllStringFunc(text, func(attr string) string {
		value, _ := subject{p}.Attr(attr[1 : len(attr)-1])
		return value
	})
}

// readStore puts the values of a file in use, unless it is that of an instant already, and returns when it was written.
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
