package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
	"sigs.k8s.io/yaml"
)

// A kustomization has the fields that those of deploy have.
type kustomization struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Resources  []string         `json:"resources"`
	Images     []map[string]any `json:"images"`
	ConfigMaps []struct {
		Name      string         `json:"name"`
		Namespace string         `json:"namespace"`
		Behavior  string         `json:"behavior"`
		Files     []string       `json:"files"`
		Options   map[string]any `json:"options"`
	} `json:"configMapGenerator"`
}

// Each folder of deploy names files that there are, whose fields Kubernetes knows.
func TestManifests(t *testing.T) {
	folders, err := filepath.Glob("deploy/*/kustomization.yaml")
	if err != nil || len(folders) != 3 {
		t.Fatalf("there are %v, %v, want 3", folders, err)
	}
	objects := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	for _, file := range append(folders, "deploy/try.yaml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		k := kustomization{Resources: []string{"try.yaml"}}
		if filepath.Base(file) == "kustomization.yaml" {
			k = kustomization{}
			if err := yaml.UnmarshalStrict(text, &k); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
		for _, name := range k.Resources {
			text, err := os.ReadFile(filepath.Join(filepath.Dir(file), name))
			if name == "../index" && slices.Contains(folders, "deploy/index/kustomization.yaml") {
				continue
			}
			if err != nil {
				t.Error(err)
			}
			for docs := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text))); ; {
				doc, err := docs.Read()
				if errors.Is(err, io.EOF) {
					break
				}
				if _, _, err := objects.Decode(doc, nil, nil); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		for _, m := range k.ConfigMaps {
			for _, name := range m.Files {
				if _, err := os.Stat(filepath.Join(filepath.Dir(file), name)); err != nil && !(name == "values" && errors.Is(err, fs.ErrNotExist)) {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
		if k.ConfigMaps != nil {
			if err := validation.ValidateKubeSchedulerConfiguration(deployed(t, filepath.Base(filepath.Dir(file)))); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}
