package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// apply applies the objects in files, in their order; those without a namespace in default.
func apply(ctx context.Context, config *rest.Config, files []string) error {
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	kinds, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(kinds))
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		for d := yaml.NewYAMLOrJSONDecoder(bufio.NewReader(f), 4096); ; {
			var u unstructured.Unstructured
			if err := d.Decode(&u); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			if len(u.Object) == 0 {
				continue
			}
			kind := u.GroupVersionKind()
			m, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
			if meta.IsNoMatchError(err) { // its definition may have come since
				mapper.Reset()
				m, err = mapper.RESTMapping(kind.GroupKind(), kind.Version)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			var r dynamic.ResourceInterface = objects.Resource(m.Resource)
			if m.Scope.Name() == meta.RESTScopeNameNamespace {
				namespace := u.GetNamespace()
				if namespace == "" {
					namespace = metav1.NamespaceDefault
				}
				r = objects.Resource(m.Resource).Namespace(namespace)
			}
			if _, err := r.Apply(ctx, u.GetName(), &u, metav1.ApplyOptions{FieldManager: "rig", Force: true}); err != nil {
				return fmt.Errorf("%s: %s %s: %w", file, kind.Kind, u.GetName(), err)
			}
		}
	}
	return nil
}
