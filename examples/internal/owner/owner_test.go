package owner

import (
	"fmt"
	"testing"
)

func ExampleOf() {
	fmt.Println(Of(Object{Kind: "Job", Name: "report-29374120", Own: "report-29374120-x7k2p"}))
	fmt.Println(Of(Object{Own: "load-8f3k2m1q", Labels: map[string]string{"dag_id": "sales", "task_id": "load"}}))
	// Output:
	// Job/report
	// Airflow/sales.load
}

// Objects as the systems make them, two runs of each, have one name.
func TestOf(t *testing.T) {
	type keys = map[string]string
	for _, test := range []struct {
		want string
		runs [2]Object
	}{
		{"Job/report", [2]Object{{Kind: "Job", Name: "report-29374120"}, {Kind: "Job", Name: "report-29375560"}}},
		{"Job/etl", [2]Object{{Kind: "Job", Name: "etl-2026-11-29"}, {Kind: "Job", Name: "etl-2026-11-30"}}},
		{"Job/etl-daily", [2]Object{{Kind: "Job", Name: "etl-20261129t030000z-daily"}, {Kind: "Job", Name: "etl-20261130t030012z-daily"}}},
		{"Job/etl", [2]Object{{Kind: "Job", Name: "etl-2026-11-29t03-00-00-x7k2p"}, {Kind: "Job", Name: "etl-2026-11-30t03-00-01-b5c9d"}}},
		{"ReplicaSet/web", [2]Object{
			{Kind: "ReplicaSet", Name: "web-6d4cf56db6", Labels: keys{"pod-template-hash": "6d4cf56db6"}},
			{Kind: "ReplicaSet", Name: "web-bbbbbbbbbb", Labels: keys{"pod-template-hash": "bbbbbbbbbb"}}}},
		{"Pod/shell", [2]Object{{Own: "shell-x7k2p", GenerateName: "shell-"}, {Own: "shell-f9d5q", GenerateName: "shell-"}}},
		{"Pod/once", [2]Object{{Own: "once"}, {Own: "once-2bd7c"}}},
		{"Airflow/sales.load", [2]Object{ // the executor
			{Own: "sales-load-q8w3k1zx", Labels: keys{"dag_id": "sales", "task_id": "load", "run_id": "scheduled__2026-11-29", "kubernetes_executor": "True"},
				Annotations: keys{"dag_id": "sales", "task_id": "load", "run_id": "scheduled__2026-11-29T00:00:00+00:00", "try_number": "1"}},
			{Own: "sales-load-a1b2c3d4", Labels: keys{"dag_id": "sales", "task_id": "load"}, Annotations: keys{"dag_id": "sales", "task_id": "load", "try_number": "2"}}}},
		{"Airflow/sales.load", [2]Object{ // KubernetesPodOperator
			{Own: "load-x2k9q1p0", Labels: keys{"dag_id": "sales", "task_id": "load", "kubernetes_pod_operator": "True", "try_number": "1"}},
			{Own: "load-m3n8b7v6", Labels: keys{"dag_id": "sales", "task_id": "load", "kubernetes_pod_operator": "True", "try_number": "1"}}}},
		{"Tekton/deploy/build", [2]Object{
			{Kind: "TaskRun", Name: "deploy-x7k2p-build", Labels: keys{"tekton.dev/pipeline": "deploy", "tekton.dev/pipelineTask": "build", "tekton.dev/task": "kaniko"}},
			{Kind: "TaskRun", Name: "deploy-b5c9d-build", Labels: keys{"tekton.dev/pipeline": "deploy", "tekton.dev/pipelineTask": "build"}}}},
		{"Tekton/ci/build", [2]Object{ // a pipeline within its run
			{Kind: "TaskRun", Name: "ci-x7k2p-build", Labels: keys{"tekton.dev/pipeline": "ci-x7k2p", "tekton.dev/pipelineTask": "build"}},
			{Kind: "TaskRun", Name: "ci-b5c9d-build", Labels: keys{"tekton.dev/pipeline": "ci-b5c9d", "tekton.dev/pipelineTask": "build"}}}},
		{"Tekton/kaniko/kaniko", [2]Object{
			{Kind: "TaskRun", Name: "a", Labels: keys{"tekton.dev/task": "kaniko"}}, {Kind: "TaskRun", Name: "b", Labels: keys{"tekton.dev/task": "kaniko"}}}},
		{"Spark/sales/executor", [2]Object{
			{Kind: "Pod", Name: "sales-0a1b2c3d4e5f6071-driver", Own: "sales-0a1b2c3d4e5f6071-exec-1", Labels: keys{"spark-role": "executor", "spark-app-selector": "spark-1"}},
			{Kind: "Pod", Name: "sales-9a1b2c3d4e5f6072-driver", Own: "sales-9a1b2c3d4e5f6072-exec-12", Labels: keys{"spark-role": "executor", "spark-app-name": "sales"}}}},
		{"Spark/sales/driver", [2]Object{ // of the operator, scheduled, and started by Airflow
			{Own: "sales-1764385200000000000-driver", Labels: keys{"spark-role": "driver", "sparkoperator.k8s.io/app-name": "sales-1764385200000000000"}},
			{Own: "sales-driver", Labels: keys{"spark-role": "driver", "sparkoperator.k8s.io/app-name": "sales", "dag_id": "d", "task_id": "t"}}}},
		{"Argo/etl/load", [2]Object{
			{Kind: "Workflow", Name: "etl-x7k2p", Own: "etl-x7k2p-load-4223406590", Labels: keys{"workflows.argoproj.io/workflow": "etl-x7k2p"},
				Annotations: keys{"workflows.argoproj.io/node-name": "etl-x7k2p[1].load(0:day:2026-11-29)"}},
			{Kind: "Workflow", Name: "etl-29374120", Own: "etl-29374120-load-17", Labels: keys{"workflows.argoproj.io/workflow": "etl-29374120", "workflows.argoproj.io/cron-workflow": "etl"},
				Annotations: keys{"workflows.argoproj.io/node-name": "etl-29374120.load(3:day:2026-11-30)"}}}},
		{"Argo/etl", [2]Object{
			{Kind: "Workflow", Name: "etl-x7k2p", Labels: keys{"workflows.argoproj.io/workflow": "etl-x7k2p"}, Annotations: keys{"workflows.argoproj.io/node-name": "etl-x7k2p"}},
			{Kind: "Workflow", Name: "etl-b5c9d", Labels: keys{"workflows.argoproj.io/workflow": "etl-b5c9d"}}}},
		{"Dagster/sales/load", [2]Object{
			{Kind: "Job", Name: "dagster-step-0a1b2c3d4e5f60710a1b2c3d4e5f6071", Labels: keys{"dagster/job": "sales", "dagster/op": "load", "dagster/run-id": "1"}},
			{Kind: "Job", Name: "dagster-step-1a1b2c3d4e5f60710a1b2c3d4e5f6071", Labels: keys{"dagster/job": "sales", "dagster/op": "load", "dagster/run-id": "2"}}}},
		{"Job/dagster-run", [2]Object{
			{Kind: "Job", Name: "dagster-run-0b2a8a5e-4b0c-4dd1-9a5e-2f6b7c8d9e0f"}, {Kind: "Job", Name: "dagster-run-1b2a8a5e-4b0c-4dd1-9a5e-2f6b7c8d9e0f"}}},
		{"Nextflow/ALIGN", [2]Object{
			{Own: "nf-0a1b2c3d4e5f6071", Labels: keys{"nextflow.io/app": "nextflow", "nextflow.io/processName": "ALIGN", "nextflow.io/taskName": "ALIGN_3", "nextflow.io/runName": "mad_curie"}},
			{Own: "nf-1a1b2c3d4e5f6071", Labels: keys{"nextflow.io/processName": "ALIGN", "nextflow.io/taskName": "ALIGN_4", "nextflow.io/runName": "big_euler"}}}},
		{"GitLab/42/unit tests", [2]Object{
			{Own: "runner-abc-project-42-concurrent-0-x7k2p", Annotations: keys{"job.runner.gitlab.com/id": "1", "job.runner.gitlab.com/name": "unit tests", "project.runner.gitlab.com/id": "42"}},
			{Own: "runner-def-project-42-concurrent-3-b5c9d", Labels: keys{"project.runner.gitlab.com/id": "42"}, Annotations: keys{"job.runner.gitlab.com/name": "unit tests"}}}},
		{"Jenkins/job/team/job/build", [2]Object{
			{Own: "build-12-x7k2p-b5c9d", Labels: keys{"jenkins": "slave"}, Annotations: keys{"runUrl": "job/team/job/build/12/"}},
			{Own: "build-13-f9d5q-b5c9d", Annotations: keys{"runUrl": "job/team/job/build/13/"}}}},
		{"PyTorchJob/train/worker", [2]Object{
			{Kind: "PyTorchJob", Name: "train-2026-11-29", Own: "train-2026-11-29-worker-0", Labels: keys{"training.kubeflow.org/replica-type": "worker"}},
			{Kind: "PyTorchJob", Name: "train-x7k2p", Own: "train-x7k2p-worker-3", Labels: keys{"training.kubeflow.org/replica-type": "Worker"}}}},
		{"PyTorchJob/train", [2]Object{{Kind: "PyTorchJob", Name: "train-x7k2p"}, {Kind: "PyTorchJob", Name: "train-20261129"}}},
		{"StatefulSet/db", [2]Object{{Kind: "StatefulSet", Name: "db", Own: "db-0"}, {Kind: "StatefulSet", Name: "db", Own: "db-1"}}},
	} {
		for _, o := range test.runs {
			if got := Of(o); got != test.want {
				t.Errorf("%+v: name %q, want %q", o, got, test.want)
			}
		}
	}
}

func TestWithoutRun(t *testing.T) {
	for name, want := range map[string]string{
		"step-1": "step-1", "step-2": "step-2", "v2": "v2", "build-1234567": "build-1234567", "part-24567": "part-24567", // short numbers tell work apart
		"report-29374120":                                "report",
		"report-29374120-x7k2p":                          "report",
		"2026-11-29":                                     "2026-11-29",
		"2026-11-29-load":                                "load",
		"load.2026.11.29":                                "load",
		"load_20261129_0300":                             "load",
		"load-2026-13-40":                                "load-2026-13-40", // no date
		"load-1999-12-31-part-7":                         "load-part-7",
		"a-2026-11-29-b-2026-11-28-c":                    "a-b-c",
		"train-3f9a2b1c":                                 "train",
		"train-deadbeef":                                 "train-deadbeef", // may be a word
		"train-3f9a2b1c4d5e6f708192a3b4c5":               "train",
		"spark-0b2a8a5e-4b0c-4dd1-9a5e-2f6b7c8d9e0f-run": "spark-run",
		"hello-world":                                    "hello-world", // world has a vowel
		"bcdfg":                                          "bcdfg",
		"-bcdfg":                                         "bcdfg",
		"":                                               "",
		"---":                                            "---",
		"12345678":                                       "12345678",
		"2026-11-29t03-00-00z":                           "2026-11-29t03-00-00z",
		"ml-2026-11-29t03:00:00z":                        "ml",
	} {
		if got := WithoutRun(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestRepository(t *testing.T) {
	for image, want := range map[string]string{
		"busybox":                           "busybox",
		"busybox:1.37":                      "busybox",
		"registry:5000/team/job":            "registry:5000/team/job",
		"registry:5000/team/job:v2":         "registry:5000/team/job",
		"registry:5000/job:v2@sha256:abcde": "registry:5000/job",
	} {
		if got := Repository(image); got != want {
			t.Errorf("the repository of %s is %q, want %q", image, got, want)
		}
	}
}
