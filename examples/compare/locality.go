package main

import (
	"errors"
	"fmt"
	"strconv"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

const localityExample = "replicas=3,elsewhere=2"

// parseLocality reads what -locality says.
func parseLocality(spec string) (*workload.Locality, error) {
	l := workload.Locality{Nodes: policy.MaxID}
	if spec == "" {
		return &l, nil
	}
	seen, err := parseSpec("-locality", spec, func(key, value string) (err error) {
		switch key {
		case "replicas":
			if l.Replicas, err = strconv.Atoi(value); err != nil {
				err = errors.New("want a whole number of 1 to 16")
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
	switch _, err = l.Source(workload.Of(nil)); { // where 0 is the default
	case err != nil:
	case seen["replicas"] && l.Replicas == 0:
		err = errors.New("workload: Locality.Replicas is 0, want 1 to 16")
	case seen["elsewhere"] && l.Elsewhere == 0:
		err = errors.New("workload: Locality.Elsewhere is 0, want finite, at least 1")
	}
	if err != nil {
		return nil, cli.Usagef("-locality: %q: %w", spec, err)
	}
	return &l, nil
}

// place puts what the jobs read on the nodes: as -locality says; else as it lies in the
// workload, if that is made for a cluster of another size.
func (in *input) place(o *options, nodes int) error {
	var l workload.Locality
	if o.locality != nil {
		l = *o.locality
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
