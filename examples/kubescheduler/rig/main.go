// Rig makes a Kubernetes control plane on one Linux machine, and measures schedulers on it:
//
//	go build -o rig ./rig                       in examples/kubescheduler, with GOWORK=off
//	rig build                                   builds etcd and kube-apiserver, if they are not there
//	rig up -dir DIR -nodes 20 -cores 4          until it is interrupted; builds too
//	rig apply -dir DIR FILE...                  applies manifests, as kubectl apply --server-side does
//	rig load -dir DIR -scheduler NAME -seed 1   submits Jobs, and prints how long they took as a line of JSON
//
// etcd, kube-apiserver with RBAC and the Job controller are the real ones. The nodes are not: a pod that is bound to one
// runs for the seconds that its annotation rig/seconds names, and succeeds. DIR gets the kubeconfig of an administrator,
// the logs, the process IDs etcd.pid and kube-apiserver.pid, and, when the nodes are there, the file ready. A program
// that ends, such as by kill -9, is started again after a second.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := execute(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "rig:", err)
		os.Exit(1)
	}
}

func execute(ctx context.Context, args []string) error {
	command := append(args, "")[0]
	f := flag.NewFlagSet("rig "+command, flag.ExitOnError)
	dir := f.String("dir", "", "directory of the control plane")
	var (
		p plane
		l load
	)
	switch command {
	case "build", "up":
		p.flags(f)
	case "load":
		l.flags(f)
	case "apply":
	default:
		return fmt.Errorf("the command is %q, want build, up, apply or load", command)
	}
	f.Parse(args[1:])
	if command == "build" || command == "up" {
		if err := p.build(ctx); err != nil || command == "build" {
			return err
		}
	}
	if *dir == "" {
		return fmt.Errorf("-dir is missing")
	}
	if command == "up" {
		if err := p.up(ctx, *dir); ctx.Err() == nil {
			return err
		}
		return nil
	}
	config, client, err := connect(*dir)
	if err != nil {
		return err
	}
	if command == "apply" {
		return apply(ctx, config, f.Args())
	}
	r, err := l.run(ctx, client)
	if r != nil {
		fmt.Println(r)
	}
	return err
}

// connect returns how to reach the control plane in dir, as its administrator.
func connect(dir string) (*rest.Config, *kubernetes.Clientset, error) {
	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(dir, "kubeconfig"))
	if err != nil {
		return nil, nil, err
	}
	config.QPS, config.Burst = 5000, 5000
	client, err := kubernetes.NewForConfig(config)
	return config, client, err
}

// sleep returns after d, or the cause if ctx is done before.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
