package main

import (
	"fmt"
	"strconv"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

const localityExample = "replicas=3,elsewhere=2"

// parseLocality reads what -locality says. Replicas are 0 if it says none.
func parseLocality(spec string) (*workload.Locality, error) {
	l := workload.DefaultLocality(policy.MaxID)
	if spec == "" {
		l.Replicas = 0
		return &l, nil
	}
	seen, err := parseSpec("-locality", spec, func(key, value string) (err error) {
		switch key {
		case "replicas":
			if l.Replicas, err = strconv.Atoi(value); err != nil {
				err = fmt.Errorf("want a whole number")
			}
		case "elsewhere":
			l.Elsewhere, err = number(value)
		default:
			err = fmt.Errorf("unknown parameter, want some of %s", localityExample)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if _, err := l.Source(workload.Of(nil)); err != nil {
		return nil, cli.Usagef("-locality: %q: %w", spec, err)
	}
	if !seen["replicas"] {
		l.Replicas = 0
	}
	return &l, nil
}

// place puts what the jobs read on the nodes: as -locality says; else as it lies in the
// workload, if that is made for a cluster of another size.
func (in *input) place(o *options, nodes int) error {
	var l workload.Locality
	if o.locality != nil {
		l = *o.locality
		if l.Replicas == 0 {
			l.Replicas = workload.DefaultLocality(nodes).Replicas
		}
	} else if g := o.Generator(); g != nil && g.Places != nil && g.Places.Nodes != nodes {
		l = *g.Places
		l.Replicas = min(l.Replicas, nodes)
	} else {
		return nil
	}
	l.Seed, l.Nodes = o.seed, nodes
	source, err := l.Source(workload.Of(in.List))
	if err != nil {
		return cli.Usagef("-locality: %w", err)
	}
	in.List, err = workload.ReadAll(source)
	return err
}
