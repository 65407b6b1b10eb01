package main

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
)

// A runner that is a program of its own finds the same. It is Prism, which go.mod has as a tool.
func TestStandaloneRunner(t *testing.T) {
	program, err := exec.Command("go", "tool", "-n", "prism").Output()
	if err != nil {
		t.Skipf("there is no standalone Prism: %v", err)
	}
	free, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	endpoint := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(endpoint)
	prism := exec.CommandContext(t.Context(), strings.TrimSpace(string(program)), "-job_port", port, "-serve_http=false")
	prism.Stderr = os.Stderr
	if err := prism.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		prism.Process.Kill()
		prism.Wait()
	}()
	for tries := 0; ; tries++ {
		c, err := net.Dial("tcp", endpoint)
		if err == nil {
			c.Close()
			break
		}
		if tries == 600 {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	for flag, value := range map[*string]string{ptest.Runner: "universal", jobopts.Endpoint: endpoint, jobopts.EnvironmentType: "LOOPBACK"} {
		before := *flag
		defer func() { *flag = before }()
		*flag = value
	}
	events, tables := randomEvents(t), lakeTables(t, 350, 3)
	for _, c := range []config{events, tables} {
		c.Iterations = 2
		want := askLibrary(t, c)
		got, err := runPipeline(t, c)
		if err != nil {
			t.Fatal(err)
		}
		if d := differ(want, got); d != "" {
			t.Error(d)
		}
	}
}
