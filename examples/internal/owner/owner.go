// Package owner names what an object of Kubernetes, such as a pod or a job, is a run of: its workflow, step or job
// without what is new in each run. Those of one name are alike, so what was learnt of some predicts the next:
//
//	name := owner.Of(owner.Object{Kind: "Job", Name: "report-29374120"}) // Job/report
//
// It knows the labels and annotations that Airflow, Argo, Dagster, GitLab, Jenkins, the training operators of Kubeflow, Nextflow, Spark
// and Tekton put on their pods. Of all others it takes the name of the controller, and cuts off dates, hashes, and numbers of runs.
package owner

import (
	"regexp"
	"strings"
)

// An Object is what a name is made of.
type Object struct {
	Kind, Name   string // of its controller; "" without one
	Own          string // its own name
	GenerateName string // the prefix of its own name, if that was generated

	Labels, Annotations map[string]string
}

// Of returns the name, such as Job/report or Airflow/sales.load.
func Of(o Object) string {
	for _, c := range conventions {
		if name := c(o); name != "" {
			return name
		}
	}
	switch {
	case o.Kind != "":
		name := o.Name
		if hash := o.Labels["pod-template-hash"]; hash != "" {
			name = strings.TrimSuffix(name, "-"+hash) // the ReplicaSet of a Deployment
		}
		return o.Kind + "/" + WithoutRun(name)
	case o.GenerateName != "":
		return "Pod/" + WithoutRun(strings.TrimRight(o.GenerateName, "-."))
	}
	return "Pod/" + WithoutRun(o.Own)
}

// The conventions. Each returns "" for an object that is not of it. The order matters: a Spark driver may have the labels of the
// Airflow task that started it, and is Spark's.
var conventions = []func(Object) string{
	// Spark, with and without its operator. Executors are owned by the pod of their driver.
	func(o Object) string {
		role := o.Labels["spark-role"]
		app := first(o.Labels, "sparkoperator.k8s.io/app-name", "spark-app-name")
		if role == "" || app == "" && o.Own == "" {
			return ""
		}
		if app == "" {
			app = sparkPod.ReplaceAllString(o.Own, "")
		}
		return "Spark/" + WithoutRun(app) + "/" + role
	},
	// Airflow: pods of its Kubernetes executor, which have all in annotations, and of its KubernetesPodOperator, which have
	// labels.
	func(o Object) string { return join("Airflow/", ".", either(o, "dag_id"), either(o, "task_id")) },
	// Tekton: the task of a pipeline, or one that runs alone. A pipeline that is written in its run has the name of the run.
	func(o Object) string {
		task := first(o.Labels, "tekton.dev/pipelineTask", "tekton.dev/task")
		return join("Tekton/", "/", WithoutRun(first(o.Labels, "tekton.dev/pipeline", "tekton.dev/task")), task)
	},
	// Argo: the step, of its template if it has one. A node is WORKFLOW.a.b(0:x) or WORKFLOW[0].a(0:x).
	func(o Object) string {
		run, node := o.Labels["workflows.argoproj.io/workflow"], o.Annotations["workflows.argoproj.io/node-name"]
		of := first(o.Labels, "workflows.argoproj.io/cron-workflow", "workflows.argoproj.io/workflow-template", "workflows.argoproj.io/cluster-workflow-template")
		if run == "" {
			return ""
		}
		if of == "" {
			of = WithoutRun(run)
		}
		step := strings.TrimLeft(brackets.ReplaceAllString(strings.TrimPrefix(node, run), ""), ".")
		return strings.TrimSuffix("Argo/"+of+"/"+step, "/")
	},
	// Dagster: a step has its op, and the run itself has none.
	func(o Object) string {
		name := join("Dagster/", "", o.Labels["dagster/job"], "")
		if op := o.Labels["dagster/op"]; name != "" && op != "" {
			name += "/" + op
		}
		return name
	},
	func(o Object) string { return join("Nextflow/", "", o.Labels["nextflow.io/processName"], "") },
	func(o Object) string {
		return join("GitLab/", "/", either(o, "project.runner.gitlab.com/id"), o.Annotations["job.runner.gitlab.com/name"])
	},
	// Jenkins: the run is job/FOLDER/job/NAME/12/.
	func(o Object) string {
		return join("Jenkins/", "", build.ReplaceAllString(o.Annotations["runUrl"], ""), "")
	},
	// The training operators of Kubeflow: PyTorchJob and others, by role.
	func(o Object) string {
		role := first(o.Labels, "training.kubeflow.org/replica-type", "replica-type")
		if role == "" || !strings.HasSuffix(o.Kind, "Job") {
			return ""
		}
		return o.Kind + "/" + WithoutRun(o.Name) + "/" + strings.ToLower(role)
	},
}

var (
	sparkPod = regexp.MustCompile(`(-[0-9a-f]{16})?-(driver|exec-\d+)$`)
	brackets = regexp.MustCompile(`\([^)]*\)|\[[^\]]*\]`)
	build    = regexp.MustCompile(`/\d+/?$`)
)

// either returns the annotation of a name, or else its label: labels are cut at 63 letters.
func either(o Object, key string) string {
	if v := o.Annotations[key]; v != "" {
		return v
	}
	return o.Labels[key]
}

func first(of map[string]string, keys ...string) string {
	for _, k := range keys {
		if v := of[k]; v != "" {
			return v
		}
	}
	return ""
}

// join returns a name of two parts, and "" without the first one, or without the second if they are to be separated.
func join(system, separator, a, b string) string {
	if a == "" || b == "" && separator != "" {
		return ""
	}
	return system + a + separator + b
}

// What is new in each run of a name, at its end or between two -, _ or dots.
var (
	date = regexp.MustCompile(`(^|[-_.])(19|20)\d\d([-_.]?)(0[1-9]|1[0-2])([-_.]?)(0[1-9]|[12]\d|3[01])` + // 2026-11-29
		`([t_-]?([01]\d|2[0-3])[-_.:]?[0-5]\d([-_.:]?[0-5]\d)?([-_.]?\d{3,6})?)?z?($|[-_.])`) // t03-00-00z
	uuid = regexp.MustCompile(`(^|[-_.])[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}($|[-_.])`)
	// Eight digits or more, which CronJobs give to their Jobs; the five letters that an API server generates, among which are no vowels; a
	// hash of eight to sixty-four letters with a digit and a letter.
	number    = regexp.MustCompile(`[-_.]\d{8,}$`)
	generated = regexp.MustCompile(`[-_.][bcdfghjklmnpqrstvwxz2456789]{5}$`)
	hash      = regexp.MustCompile(`[-_.][0-9a-f]{8,64}$`)
)

// WithoutRun cuts from a name what is new in each run: dates and UUIDs, and at its end long numbers, hashes, and letters that
// were generated. Shorter numbers stay, since step-1 and step-2 may be different work. A name that is nothing else
// stays whole.
func WithoutRun(name string) string {
	short := name
	for _, where := range []*regexp.Regexp{uuid, date} {
		for at := where.FindStringIndex(short); at != nil; at = where.FindStringIndex(short) {
			short = strings.TrimRight(short[:at[0]], "-_.") + "-" + strings.TrimLeft(short[at[1]:], "-_.")
			short = strings.Trim(short, "-")
		}
	}
	for {
		at := number.FindStringIndex(short)
		if at == nil {
			if at = generated.FindStringIndex(short); at != nil && !strings.ContainsAny(short[at[0]:], "bcdfghjklmnpqrstvwxz") {
				at = nil // one of 850 that are generated has no letter, and parts have numbers
			}
		}
		if at == nil {
			if at = hash.FindStringIndex(short); at != nil && !mixed(short[at[0]:]) {
				at = nil
			}
		}
		if at == nil || at[0] == 0 {
			break
		}
		short = short[:at[0]]
	}
	if short = strings.Trim(short, "-_."); short == "" {
		return name
	}
	return short
}

// mixed reports whether a text has both digits and letters.
func mixed(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.ContainsAny(text, "abcdef")
}

// Repository cuts tag and digest from an image: a new version is taken to run as long as the last one.
func Repository(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		image = image[:i]
	}
	return image
}
