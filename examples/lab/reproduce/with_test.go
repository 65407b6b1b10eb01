package main

import (
	"strings"
	"testing"
)

// Lines of parts are told of beside the systems of each paper. The first one is a system of the paper in other words, and
// comes out the same.
func TestWith(t *testing.T) {
	for name, test := range map[string]struct {
		few           int
		lines, system string
	}{
		"hopper":     {30, "hopper+grass:locality,las@kairos", "Hopper"},
		"kairos":     {10, "fifo@kairos,sjf/truth", "Kairos"},
		"slearn":     {100, "gs/nothing,fair+late", "LAS"},
		"threesigma": {150, "3sigma,sjf:preferred", "3Sigma"},
		"wing":       {100, "wing-agg,fifo", "Wing-Agg"},
	} {
		t.Run(name, func(t *testing.T) {
			lines, err := parseLines(test.lines)
			if err != nil {
				t.Fatal(err)
			}
			r := reportOf(t, name, form{seeds: 1, few: test.few, with: lines})
			measured, published := told(t, r, nil)
			same := 0
			for i, line := range lines {
				rows := 0
				for key, got := range measured {
					if !strings.Contains(key, line.String()) {
						continue
					}
					rows++
					if x, ok := published[key]; ok {
						t.Errorf("%s is published as %v, want nothing", key, x)
					}
					if strings.HasPrefix(key, "lake, queues of organisations") && line.Turn == "fifo" {
						t.Errorf("%s is told, but fifo has no queues of organisations", key)
					}
					if want, ok := measured[strings.ReplaceAll(key, line.String(), test.system)]; ok && i == 0 {
						if same++; got != want {
							t.Errorf("%s is %v, want %v as under %s", key, got, want, test.system)
						}
					}
				}
				if rows == 0 {
					t.Errorf("nothing is told of %s", line)
				}
			}
			if same == 0 {
				t.Errorf("%s has no row in common with %s", lines[0], test.system)
			}
		})
	}
}
