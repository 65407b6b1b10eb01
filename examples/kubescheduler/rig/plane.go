package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

// kubeconfig takes the port, and more of the user, such as that he is to be taken for another one.
const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: rig, cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}}]
users: [{name: admin, user: {token: admin%s}}]
contexts: [{name: rig, context: {cluster: rig, user: admin}}]
current-context: rig
`

// up runs the control plane in dir until ctx is done.
func (p *plane) up(ctx context.Context, dir string) error {
	if p.gates != "" {
		if err := utilfeature.DefaultMutableFeatureGate.Set(p.gates); err != nil {
			return fmt.Errorf("feature-gates: %w", err)
		}
	}
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p.port))
	if err != nil {
		return err // else clients would talk to what is there
	}
	l.Close()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.MkdirAll(dir, 0o755), os.RemoveAll(in("ready")),
		os.WriteFile(in("sa.key"), pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}), 0o600),
		os.WriteFile(in("tokens.csv"), []byte("admin,admin,admin,system:masters\n"), 0o600),
		os.WriteFile(in("kubeconfig"), fmt.Appendf(nil, kubeconfig, p.port, ""), 0o600),
	); err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	var programs sync.WaitGroup
	defer programs.Wait()
	defer stop(nil)
	run := func(name, path string, args ...string) {
		programs.Go(func() { stop(keep(ctx, in(name), path, args...)) })
	}
	client, peer := fmt.Sprintf("http://127.0.0.1:%d", p.port+10), fmt.Sprintf("http://127.0.0.1:%d", p.port+11)
	run("etcd", p.etcd, "--data-dir="+in("etcd"), "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls="+client, "--advertise-client-urls="+client,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer)
	run("kube-apiserver", p.apiserver, "--etcd-servers="+client, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		fmt.Sprint("--secure-port=", p.port), "--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.0.0.0/24",
		"--cert-dir="+in("certs"), "--service-account-key-file="+in("sa.key"), "--service-account-signing-key-file="+in("sa.key"),
		"--service-account-issuer=https://kubernetes.default.svc", "--disable-admission-plugins=ServiceAccount",
		"--token-auth-file="+in("tokens.csv"), "--authorization-mode=RBAC",
		"--feature-gates="+p.gates, "--runtime-config="+p.runtimeConfig)

	_, c, err := connect(dir)
	if err != nil {
		return err
	}
	for {
		if _, err := c.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx); err == nil {
			break
		}
		if err := sleep(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return nodes(ctx, c, p, func() error { return os.WriteFile(in("ready"), nil, 0o644) })
}

// keep runs a program, again a second after each of its ends, until ctx is done. It gives up a program that ends three
// times in a row within a second. The files PREFIX.pid and PREFIX.log have its process ID and what it says.
func keep(ctx context.Context, prefix, path string, args ...string) error {
	log, err := os.OpenFile(prefix+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	runtime.LockOSThread() // the program is killed when the thread ends that started it
	defer runtime.UnlockOSThread()
	for early := 0; early < 3; early++ {
		cmd := exec.CommandContext(ctx, path, args...)
		cmd.Stdout, cmd.Stderr = log, log
		// An interrupt from the terminal is for rig alone, and without rig the program is killed.
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		begin := time.Now()
		if err := cmd.Start(); err != nil {
			return err
		}
		if err := os.WriteFile(prefix+".pid", fmt.Append(nil, cmd.Process.Pid), 0o644); err != nil {
			return err
		}
		if cmd.Wait(); time.Since(begin) > time.Second {
			early = -1
		}
		if err := sleep(ctx, time.Second); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s ends at once, see %s", path, log.Name())
}
