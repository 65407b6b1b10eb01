package catalog_test

import (
	"fmt"

	"example.com/augur/policy/catalog"
)

// What a policy by name needs to know is in the table of names.
func ExampleNamed() {
	for _, p := range catalog.Named() {
		if p.Requests {
			fmt.Println(p.Name, "=", p.Spec)
		}
	}
	// Output:
	// easy = fifo-easy
	// conservative = fifo-conservative
	// sjbf = fifo-sjbf
	// easy++ = fifo-sjbf/last-two
	// multifactor = multifactor-easy
}
