// Package lab_test checks what holds for all packages of the lab.
package lab_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A module of somebody else's can import what experiments need of the lab.
func TestModuleOutside(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "examples", "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module outside\n\ngo 1.26.0\n\nrequire (\n\texample.com/augur v0.0.0\n\texample.com/augur/examples v0.0.0\n)\n\n" +
			"replace example.com/augur => " + root + "\nreplace example.com/augur/examples => " + filepath.Join(root, "examples") + "\n",
		"go.sum": string(sums),
		"main.go": `package main

import (
	"fmt"
	"math/rand/v2"

	"example.com/augur/examples/choose"
	"example.com/augur/examples/lab/paper"
	"example.com/augur/examples/lab/probing"
)

func main() {
	_, err := probing.NewSparrow(probing.Config{Src: rand.NewPCG(1, 2)})
	fmt.Println(choose.Config{}, paper.Facebook(), err)
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-mod=mod", "-o", filepath.Join(dir, "outside"), ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}
