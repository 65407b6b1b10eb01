package policy_test

import (
	"testing"
	"unsafe"

	"example.com/augur/policy"
)

// What is documented of sizes.
func TestSizesAreAsDocumented(t *testing.T) {
	if got := unsafe.Sizeof(policy.Event{}); unsafe.Sizeof(uintptr(0)) == 8 && got != 176 {
		t.Errorf("an Event takes %d bytes, want 176", got)
	}
	if got := unsafe.Sizeof(policy.Action{}); got > 104 {
		t.Errorf("an Action takes %d bytes, want at most 104", got)
	}
}
