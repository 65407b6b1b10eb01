package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The README shows what the program prints, but for the speed.
func TestREADME(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := compare(t)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[len(fields)-1] != "h" && !strings.Contains(line, ":") {
			line = line[:strings.LastIndex(line, fields[len(fields)-1])]
		}
		if line = strings.TrimSpace(line); !bytes.Contains(readme, []byte(line)) {
			t.Errorf("README.md does not have the line %q", line)
		}
	}
}
