package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"

	"example.com/augur/internal/whole"
)

// A keeper keeps the last snapshot of a history where it outlives this process.
type keeper interface {
	load(context.Context) ([]byte, error) // nil if there is none
	save(context.Context, []byte) error
}

// inFile keeps a snapshot in the file of this name.
type inFile string

func (f inFile) load(context.Context) ([]byte, error) {
	b, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// save replaces the file as a whole: a process that dies meanwhile leaves the old one.
func (f inFile) save(_ context.Context, b []byte) error {
	return whole.WriteFile(string(f), func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// inConfigMap keeps a snapshot in a ConfigMap, under the key "history", compressed.
type inConfigMap struct {
	client          clientset.Interface
	namespace, name string
}

const (
	configMapKey   = "history"
	configMapBytes = 1 << 20 // what the API server takes at most
)

func (m inConfigMap) load(ctx context.Context) ([]byte, error) {
	got, err := m.client.CoreV1().ConfigMaps(m.namespace).Get(ctx, m.name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b, ok := got.BinaryData[configMapKey]
	if !ok {
		return nil, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err == nil {
		b, err = io.ReadAll(r)
	}
	if err != nil {
		return []byte{}, nil // which no history can use
	}
	return b, nil
}

func (m inConfigMap) save(ctx context.Context, b []byte) error {
	var small bytes.Buffer
	w := gzip.NewWriter(&small)
	if _, err := w.Write(b); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if small.Len() > configMapBytes {
		return fmt.Errorf("it has %d bytes, and a ConfigMap takes %d: let values be less, or keep it in a file", small.Len(), configMapBytes)
	}
	want := &v1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: m.namespace, Name: m.name},
		BinaryData: map[string][]byte{configMapKey: small.Bytes()},
	}
	maps := m.client.CoreV1().ConfigMaps(m.namespace)
	_, err := maps.Update(ctx, want, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		_, err = maps.Create(ctx, want, metav1.CreateOptions{})
	}
	return err
}

// keeperOf returns what an argument names: "file:/var/lib/augur/history",
// "configmap:NAMESPACE/NAME", or nil for "".
func keeperOf(arg string, client clientset.Interface) (keeper, error) {
	if path, ok := strings.CutPrefix(arg, "file:"); ok && path != "" {
		return inFile(path), nil
	}
	if name, ok := strings.CutPrefix(arg, "configmap:"); ok {
		if namespace, name, ok := strings.Cut(name, "/"); ok && namespace != "" && name != "" {
			return inConfigMap{client, namespace, name}, nil
		}
	}
	if arg == "" {
		return nil, nil
	}
	return nil, fmt.Errorf("snapshot is %q, want file:PATH or configmap:NAMESPACE/NAME", arg)
}

// restore gives a history what was kept of it. A snapshot that cannot be used, such as one that was
// made with other options, is as good as none: the history then begins with what the API server shows
// of finished pods. The error is that of the keeper: to go on without what it has would be to
// write over it.
func restore(ctx context.Context, h *history, k keeper) error {
	log := klog.FromContext(ctx)
	b, err := k.load(ctx)
	if err != nil {
		return fmt.Errorf("snapshot of the history: %w", err)
	}
	if b == nil {
		log.Info("The history begins anew: there is no snapshot")
	} else if err := h.restore(b); err != nil {
		log.Error(err, "The history begins anew: the snapshot cannot be used")
	} else {
		log.Info("Restored the history", "bytes", len(b))
	}
	return nil
}

// keep saves what a history has learned, every so often until ctx is done, as long as this scheduler leads. One that does not
// learns the same from the API server, and would only write over what the leader has saved.
func keep(ctx context.Context, h *history, k keeper, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !leads() {
				continue
			}
			if err := saveNow(ctx, h, k); err != nil {
				klog.FromContext(ctx).Error(err, "Cannot save the history")
			}
		}
	}
}

// leads reports whether this process is the leader, or elects none. Kube-scheduler tells its plug-ins nothing of it, but client-go
// keeps a metric: 0 from before the election on, and 1 as long as the process leads. A process that has led and does so no more ends.
func leads() bool {
	families, err := legacyregistry.DefaultGatherer.Gather()
	for _, f := range families {
		if f.GetName() == "leader_election_master_status" {
			return slices.ContainsFunc(f.GetMetric(), func(m *dto.Metric) bool { return m.GetGauge().GetValue() == 1 })
		}
	}
	return err == nil
}

// saveTimeout is how long a save may take.
const saveTimeout = 5 * time.Second

// saveNow saves what a history has learned since it was last saved. It saves once at a time, and goes on
// when ctx is done: what is saved last is the newest.
func saveNow(ctx context.Context, h *history, k keeper) error {
	h.saving.Lock()
	defer h.saving.Unlock()
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), saveTimeout, fmt.Errorf("not saved in %v", saveTimeout))
	defer cancel()
	learned := h.predictor.Observed()
	if learned == h.saved {
		return nil
	}
	b, err := h.snapshot()
	if err == nil {
		err = k.save(ctx, b)
	}
	if err != nil {
		return fmt.Errorf("snapshot of the history: %w", err)
	}
	h.saved = learned
	lastSave.SetToCurrentTime()
	return nil
}
