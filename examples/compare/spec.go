package main

import (
	"strings"

	"example.com/augur/examples/internal/cli"
)

// parseSpec reads the value of a flag such as key=value,key=value: set is called for each pair. It
// returns which keys were seen. The error names the flag and the pair that is wrong.
func parseSpec(flag, spec string, set func(key, value string) error) (seen map[string]bool, err error) {
	seen = make(map[string]bool)
	for part := range strings.SplitSeq(spec, ",") {
		key, value, _ := strings.Cut(part, "=")
		if seen[key] {
			return nil, cli.Usagef("%s: %q is given twice", flag, key)
		}
		seen[key] = true
		if err := set(key, value); err != nil {
			return nil, cli.Usagef("%s: %q: %w", flag, part, err)
		}
	}
	return seen, nil
}
