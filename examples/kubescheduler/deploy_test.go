package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
	"sigs.k8s.io/yaml"
)

// The kustomizations name files that there are, and Kubernetes knows the fields of all objects.
func TestManifests(t *testing.T) {
	read := func(path ...string) []byte {
		text, err := os.ReadFile(filepath.Join(path...))
		if err != nil && !(filepath.Base(path[len(path)-1]) == "values" && errors.Is(err, fs.ErrNotExist)) { // which lineage writes
			t.Error(err)
		}
		return text
	}
	for _, folder := range []string{"index", "values", "gpu"} {
		var k struct {
			APIVersion, Kind   string
			Resources          []string
			Images             []struct{ Name, NewName, NewTag string }
			ConfigMapGenerator []struct {
				Name, Namespace, Behavior string
				Files                     []string
				Options                   struct{ DisableNameSuffixHash bool }
			}
		}
		if err := yaml.UnmarshalStrict(read("deploy", folder, "kustomization.yaml"), &k); err != nil {
			t.Errorf("%s: %v", folder, err)
		}
		for _, r := range k.Resources {
			if filepath.Ext(r) == "" {
				r = filepath.Join(r, "kustomization.yaml")
			}
			read("deploy", folder, r)
		}
		for _, m := range k.ConfigMapGenerator {
			for _, f := range m.Files {
				read("deploy", folder, f)
			}
		}
		if err := validation.ValidateKubeSchedulerConfiguration(deployed(t, folder)); err != nil {
			t.Errorf("%s: %v", folder, err)
		}
	}
	objects := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	for _, file := range []string{"index/scheduler.yaml", "try.yaml"} {
		for doc := range bytes.SplitSeq(read("deploy", file), []byte("\n---\n")) {
			if _, _, err := objects.Decode(doc, nil, nil); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}
