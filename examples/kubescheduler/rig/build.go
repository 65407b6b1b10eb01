package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// A plane is a control plane.
type plane struct {
	bin, module          string
	etcd, apiserver      string // paths, set by build
	port                 int
	gates, runtimeConfig string
	nodes, cores, gpus   int
}

func (p *plane) flags(f *flag.FlagSet) {
	cache, _ := os.UserCacheDir()
	f.StringVar(&p.bin, "bin", filepath.Join(cache, "augur-rig"), "directory where etcd and kube-apiserver are built")
	f.StringVar(&p.module, "module", ".", "directory of the module whose go.mod names the version of Kubernetes")
	f.IntVar(&p.port, "port", 16443, "port of kube-apiserver on 127.0.0.1; etcd takes the 10th and the 11th after it")
	f.StringVar(&p.gates, "feature-gates", "", "feature gates of kube-apiserver and of the Job controller")
	f.StringVar(&p.runtimeConfig, "runtime-config", "", "runtime-config of kube-apiserver, such as scheduling.k8s.io/v1alpha2=true")
	f.IntVar(&p.nodes, "nodes", 20, "number of nodes")
	f.IntVar(&p.cores, "cores", 4, "cores of each node")
	f.IntVar(&p.gpus, "gpus", 0, "GPUs (nvidia.com/gpu) of each node")
}

const etcdVersion = "v3.6.16"

// build builds etcd, and kube-apiserver in the version of p.module, unless p.bin has them. At first it takes 7 minutes
// of one core, later the seconds that it takes to link.
func (p *plane) build(ctx context.Context) error {
	mod, err1 := os.ReadFile(filepath.Join(p.module, "go.mod"))
	sum, err2 := os.ReadFile(filepath.Join(p.module, "go.sum"))
	scratch, err3 := os.MkdirTemp("", "rig-build-")
	defer os.RemoveAll(scratch)
	in := func(name string) string { return filepath.Join(scratch, name) }
	if err := errors.Join(err1, err2, err3,
		os.WriteFile(in("go.mod"), []byte("module scratch\n\nrequire go.etcd.io/etcd/server/v3 "+etcdVersion+"\n"), 0o644),
		os.WriteFile(in("kube.mod"), mod, 0o644), os.WriteFile(in("kube.sum"), sum, 0o644)); err != nil {
		return err
	}
	kube := regexp.MustCompile(`(?m)^\s*k8s\.io/kubernetes (v\S+)`).FindSubmatch(mod)
	if kube == nil {
		return fmt.Errorf("%s/go.mod does not require k8s.io/kubernetes", p.module)
	}
	version := string(kube[1])
	if p.etcd, err1 = p.compile(ctx, scratch, in("go.mod"), "etcd-"+etcdVersion, "go.etcd.io/etcd/server/v3", ""); err1 != nil {
		return err1
	}
	p.apiserver, err1 = p.compile(ctx, p.module, in("kube.mod"), "kube-apiserver-"+version, "k8s.io/kubernetes/cmd/kube-apiserver",
		"-X k8s.io/component-base/version.gitVersion="+version)
	return err1
}

// compile builds a program unless it is there, and returns its path. Go adds what the program needs besides to modfile.
func (p *plane) compile(ctx context.Context, dir, modfile, program, pkg, ldflags string) (string, error) {
	path, err := filepath.Abs(filepath.Join(p.bin, program))
	if _, missing := os.Stat(path); err != nil || missing == nil {
		return path, err
	}
	begin := time.Now()
	cmd := exec.CommandContext(ctx, "go", "build", "-p", "2", "-mod=mod", "-modfile="+modfile, "-ldflags="+ldflags, "-o", path, pkg)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	fmt.Fprintf(os.Stderr, "built %s in %v\n", program, time.Since(begin).Round(time.Second))
	return path, nil
}
