package main

import (
	"cmp"
	"slices"
	"strings"
)

// A bed is jobs and a cluster, and the policies that run there.
type bed struct {
	name  string
	trace string // the file of a trace in the folder of traces; "": args name a workload
	args  string // for compare
	loads string // "": the load that args make. Most tables tell of the last
	saves bool   // jobs are gangs, and run again with index-preempt, where all can be saved
	// policies are those of compare, SRPT first. NAME=POLICY gives a policy the name NAME in the tables.
	policies string
}

// Policies that do not know the truth run on all beds that can have them.
const (
	usual  = "srpt,index,index/none,fifo,fair,las,drf,random,shortest,sjf-easy," + queues
	queues = "gs-slearn,gs-3sigma,gs-pointest" // those of GS that are the best of them somewhere
	bags   = ",kairos,kairos-adaptive,sparrow" // refuse gangs
	// Where jobs have gangs or wide tasks the index is filled by EASY.
	wide = "srpt,index=index-easy,index/none=index-easy/none,index alone=index,clairvoyant,fifo,fair,las,drf,easy,conservative,multifactor,random," +
		"shortest,sjf-easy," + queues
	stages = ",gs-slearn-dag,gs-3sigma-dag"
	// Copies do not pay unless tasks straggle.
	copies = ",hopper,srpt-late,srpt-mantri,srpt-grass,srpt-budgeted,drf-grass"
)

// copying are policies with Hopper's copies and places, and SRPT too. Those left out
// take long, and are far from the best.
const copying = "srpt=srpt+grass:locality,index=index+grass:locality,index/none=index/none+grass:locality," +
	"fair=fair-grass,hopper,srpt-grass"

var beds = []bed{
	{name: "heavytail", args: "-workload heavytail", loads: "0.9", policies: usual + bags},
	{name: "gtrace11", args: "-workload gtrace11", loads: "1.05", policies: usual + bags},
	{name: "gtrace19", args: "-workload gtrace19", loads: "1.05", policies: usual + bags},
	{name: "gtrace19-dag", args: "-workload gtrace19-dag", loads: "1.05", policies: usual + bags + stages},
	{name: "facebook-barriers", args: "-workload facebook-barriers -nodes 20 -jobs 300", loads: "0.9", policies: copying},
	{name: "lake", args: "-workload lake -nodes 100 -wing queues=one", policies: "srpt,index=index-mil,index/none=index-mil/none,index alone=index," + strings.TrimPrefix(usual, "srpt,index,index/none,") + ",wing-prio,wing-raise,wing-agg,wing-direct,wing-mil,mil"},
	{name: "e2e", args: "-workload e2e -3sigma interval=1s", loads: "0.9,1.4",
		policies: usual + ",3sigma,point-real,3s-prio"},
	{name: "mixed", args: "-workload mixed", loads: "0.9", policies: "srpt,index=index+grass,index/none=index/none+grass,index alone=index," + strings.TrimPrefix(usual, "srpt,index,index/none,") + copies + ",wing-prio"},
	{name: "NASA", trace: "swf/NASA-iPSC-1993-3.1-cln.swf.gz", args: "-nodes 32", loads: "0.9", policies: wide, saves: true},
	{name: "wagap", trace: "swf/wagap-2013.swf.gz", args: "-nodes 32 -skip 4000 -jobs 4000", loads: "0.9", policies: wide, saves: true},
	{name: "wagap-rest", trace: "swf/wagap-2013.swf.gz", args: "-nodes 32 -skip 8000", loads: "0.9", policies: wide, saves: true},
	{name: "philly", trace: "philly/philly_to_2017-10-31.csv.gz", args: "-jobs 20000", loads: "0.9", policies: without(wide, "conservative"), saves: true},
	{name: "alibaba", trace: "alibaba_gpu/openb_pod_list_default.csv.gz", args: "-nodes 4", loads: "0.9", policies: wide, saves: true},
	{name: "lisa", trace: "surf_lisa/tasks_2022-10.csv.gz", loads: "0.9", policies: wide, saves: true},
	{name: "YH1", trace: "eagle_format/YH1_sub.tr.gz", loads: "0.9", policies: usual + bags},
	{name: "google2011", trace: "google2011/jobs_first_half.csv.gz", args: "-jobs 30000", loads: "0.9", policies: usual + bags},
}

// A pass is a run of compare with policies on a bed.
type pass struct {
	name     string // after that of the bed
	policies string
	args     []string // besides those of the bed
}

// passes returns what is run on the bed: its policies, and index-preempt for each time that a saved job reloads.
func (b *bed) passes() []pass {
	all := []pass{{policies: b.policies}}
	if b.saves {
		for _, reload := range reloads {
			all = append(all, pass{"-" + reload, preempt + reload + "=index-preempt", []string{"-saves", "reload=" + reload}})
		}
	}
	return all
}

// preempt begins the names of the policy that stops what can be saved, before the time of a reload.
const preempt = "preempt "

var reloads = []string{"60s", "10s"}

// command returns the arguments for compare, the file of a trace without its folder.
func (b *bed) command(o *options, p pass) []string {
	args := strings.Fields(b.args)
	if b.trace != "" {
		args = append(args, "-trace", b.trace)
	}
	var lines []string
	for policy := range strings.SplitSeq(p.policies, ",") {
		_, line := cut(policy)
		lines = append(lines, line)
	}
	args = append(args, "-policies", strings.Join(lines, ","))
	if b.trace == "" {
		args = append(args, "-seeds", o.seeds)
	} else {
		args = append(args, "-thin", o.thin)
	}
	if b.loads != "" {
		args = append(args, "-loads", cmp.Or(o.loads, b.loads))
	}
	if o.jobs != "" {
		args = append(args, "-jobs", o.jobs)
	}
	return append(args, p.args...)
}

// without returns a list without one of its policies.
func without(policies, policy string) string { return strings.Replace(policies, ","+policy, "", 1) }

// flagged returns the values in the list that a flag has.
func flagged(args []string, flag string) []string {
	if i := slices.Index(args, flag); i >= 0 {
		return strings.Split(args[i+1], ",")
	}
	return nil
}

// cut parts NAME=POLICY.
func cut(policy string) (name, line string) {
	name, line, renamed := strings.Cut(policy, "=")
	if !renamed {
		line = name
	}
	return name, line
}

// names returns the names of the bed's policies.
func (b *bed) names() (names []string) {
	for _, p := range b.passes() {
		for policy := range strings.SplitSeq(p.policies, ",") {
			name, _ := cut(policy)
			names = append(names, name)
		}
	}
	return names
}

// requesting are policies that go by requested times.
var requesting = []string{"easy", "conservative", "multifactor"}

// other reports whether a policy is one that the index is compared with: it is not the index itself, and it does not know
// the runtimes, as SRPT does, and those that go by requested times where some requests are made of the runtimes.
func (v *view) other(policy string) bool {
	if policy == "srpt" || policy == "clairvoyant" {
		return false
	}
	if slices.Contains(requesting, policy) {
		return v.runs[0].Requested == 0
	}
	return !strings.HasPrefix(policy, "index") && !strings.HasPrefix(policy, preempt)
}
