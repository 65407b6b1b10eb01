package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"example.com/augur/predict"
)

// A history learns from pods that have finished how long others will run. All its methods may
// be called by any number of goroutines at once.
type history struct {
	predictor *predict.Predictor

	saving sync.Mutex // held by saveNow; taken before mu
	saved  uint64     // pods that the last snapshot has that was kept; saving guards it

	mu       sync.Mutex
	restored time.Time // pods that ended by then are in the snapshot that it began with
	latest   time.Time // the last end of a pod that it has learned from
}

// newHistory returns a history without pods.
func newHistory(c predict.Config) (*history, error) {
	p, err := predict.New(c)
	if err != nil {
		return nil, err
	}
	return &history{predictor: p}, nil
}

// unknown is the predicted runtime before any pod has succeeded, in seconds.
const unknown = 60

// predict returns the predicted runtime of a pod, in seconds: the mean of past similar pods; and the feature by which they are
// similar. That is "*" if only all pods are, and "none" if no pod has been seen.
func (h *history) predict(p *v1.Pod) (seconds float64, feature string) {
	var by predict.Prediction
	now := time.Now()
	if s, ok := h.predictor.Mean(subject{p}, now); ok && h.predictor.Predict(subject{p}, now, &by) {
		return s, by.Feature
	}
	return unknown, "none"
}

// learn learns from those pods that have succeeded, in the order in which they ended.
//
// A pod whose end lies in the future, by a wrong clock of its node, is taken to have ended now, and is logged. Otherwise
// all pods that end before that time would be taken to be in the snapshot. If its start lies in the future too, both come from that
// clock, and it ran for their difference; if not, it ran at most until now. Such a pod is learned from
// again after each restart, for as long as the API server has it.
//
// A pod that has failed, or was deleted while it ran, is censored and left out. So is a pod with a restarted container, and a
// pod that the snapshot knows already: all that ended in or before the second of the last one. An API server keeps
// finished pods for some time, and shows them again to a scheduler that restarts.
func (h *history) learn(pods []*v1.Pod) error {
	type run struct {
		pod        *v1.Pod
		start, end time.Time
	}
	var runs []run
	now := time.Now()
	for _, p := range pods {
		start, end, ok := ran(p)
		if !ok {
			continue
		}
		if end.After(now) {
			klog.Background().Info("A pod ended in the future: the clock of its node is wrong", "pod", klog.KObj(p), "node", p.Spec.NodeName, "end", end)
			if start.After(now) {
				start = now.Add(-end.Sub(start))
			}
			end = now
		}
		runs = append(runs, run{p, start, end})
	}
	slices.SortStableFunc(runs, func(a, b run) int { return a.end.Compare(b.end) })
	h.mu.Lock()
	defer h.mu.Unlock()
	var errs []error
	for _, r := range runs {
		if !r.end.After(h.restored) {
			continue
		}
		mean, known := h.predictor.Mean(subject{r.pod}, r.end)
		if err := h.predictor.Observe(subject{r.pod}, r.end.Sub(r.start).Seconds(), r.end); err != nil {
			errs = append(errs, fmt.Errorf("pod %s/%s: %w", r.pod.Namespace, r.pod.Name, err))
			continue
		}
		if ran := r.end.Sub(r.start).Seconds(); known && ran > 0 {
			ratios.Observe(mean / ran)
		}
		if r.end.After(h.latest) {
			h.latest = r.end
		}
	}
	historyValues.Set(float64(h.predictor.Values()))
	historyPods.Set(float64(h.predictor.Observed()))
	return errors.Join(errs...)
}

// ran returns when the first container of a pod that has succeeded started, and when the last one
// finished, of those that the pod's status tells of. It is false for all other pods, and for those of
// which a container was restarted. The pulling of images is not in it, as that depends on the node.
func ran(p *v1.Pod) (start, end time.Time, ok bool) {
	if p.Status.Phase != v1.PodSucceeded || restarted(p) {
		return start, end, false
	}
	for _, list := range [][]v1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for _, c := range list {
			t := c.State.Terminated
			if t == nil || t.StartedAt.IsZero() || t.FinishedAt.Before(&t.StartedAt) {
				continue
			}
			if start.IsZero() || t.StartedAt.Time.Before(start) {
				start = t.StartedAt.Time
			}
			if t.FinishedAt.After(end) {
				end = t.FinishedAt.Time
			}
		}
	}
	return start, end, !start.IsZero()
}

// restarted reports whether a container of a pod had more than one attempt. The status tells when the
// last of them began, and not when the first one did. A sidecar, which is an init container that is
// always restarted, does not matter: the others begin after it.
func restarted(p *v1.Pod) bool {
	more := func(c v1.ContainerStatus) bool { return c.RestartCount > 0 }
	if slices.ContainsFunc(p.Status.ContainerStatuses, more) {
		return true
	}
	return slices.ContainsFunc(p.Status.InitContainerStatuses, func(c v1.ContainerStatus) bool {
		return more(c) && !slices.ContainsFunc(p.Spec.InitContainers, func(i v1.Container) bool {
			return i.Name == c.Name && i.RestartPolicy != nil && *i.RestartPolicy == v1.ContainerRestartPolicyAlways
		})
	})
}

// snapshot returns what has been learned, with the last end of a pod as the note of the predictor.
func (h *history) snapshot() ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.predictor.SetNote(h.latest.UTC().Format(time.RFC3339))
	var b bytes.Buffer
	err := h.predictor.Snapshot(&b)
	return b.Bytes(), err
}

// restore replaces what has been learned by a snapshot. If there is an error nothing is.
func (h *history) restore(snapshot []byte) error {
	h.saving.Lock()
	defer h.saving.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.predictor.Restore(bytes.NewReader(snapshot)); err != nil {
		return err
	}
	latest, err := time.Parse(time.RFC3339, h.predictor.Note())
	if err != nil {
		klog.Background().Info("The snapshot does not say when its last pod ended: pods that have finished may be learned twice", "note", h.predictor.Note())
	}
	if now := time.Now(); latest.After(now) {
		klog.Background().Info("The last pod of the snapshot ended in the future: what has ended by now is taken to be in it", "end", latest)
		latest = now
	}
	h.restored, h.latest, h.saved = latest, latest, h.predictor.Observed()
	return nil
}
