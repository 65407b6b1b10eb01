package trace

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"strings"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// runtime returns how long the job of a row ran.
func (s *sacct) runtime() policy.Duration {
	text, dated := s.text(sacctElapsedRaw), s.at[sacctStart] >= 0 && s.at[sacctEnd] >= 0
	switch {
	case len(text) > 0 || s.at[sacctElapsed] < 0 && !dated:
		return s.seconds(text, "ElapsedRaw")
	case s.at[sacctElapsed] >= 0:
		return s.span(sacctElapsed)
	}
	d := s.instant(sacctEnd) - s.instant(sacctStart)
	if d < 0 || d > limits.Seconds*1e9 {
		s.refuse("End is not 0 to 1e9 s after Start", fmt.Sprintf("%s after %s", quote(s.text(sacctEnd)), quote(s.text(sacctStart))))
	}
	return policy.Duration(d)
}

// requested returns the time limit of the job; 0 if it has none.
func (s *sacct) requested() policy.Duration {
	switch text := string(s.first(sacctTimelimit, sacctTimelimitRaw)); {
	case text == "" || text == "UNLIMITED" || strings.EqualFold(text, "Partition_Limit"):
		return 0
	case len(s.text(sacctTimelimit)) > 0:
		return s.span(sacctTimelimit)
	}
	minutes := s.amount(s.text(sacctTimelimitRaw), "TimelimitRaw", limits.Seconds/60)
	return nanoseconds(minutes * 60)
}

// instant reads a time, such as 2026-03-01T10:00:00 or Unix seconds, and returns it in Unix nanoseconds.
func (s *sacct) instant(column sacctColumn) int64 {
	text := s.text(column)
	at, reason := date(text)
	if n, ok := natural(text); ok && n <= 9e9 {
		at, reason = int64(n)*1e9, ""
	}
	if reason == "" && at < earliest {
		reason = noTime
	}
	if reason != "" {
		s.refuse(sacctNames[column]+reason, quote(s.cols[s.at[column]]))
	}
	return at
}

func (s *sacct) span(column sacctColumn) policy.Duration {
	d, reason := clock(s.text(column))
	if reason != "" {
		s.refuse(sacctNames[column]+reason, quote(s.cols[s.at[column]]))
	}
	return d
}

// A sacctSize is what a job takes in all.
type sacctSize struct {
	tasks  int   // nodes; if nobody knows how many, CPUs, up to 2^20
	cpus   int64 // 0: not known
	memory int64 // bytes; 0: not known
	gpus   int64
}

// describe makes a stage of tasks that are alike and run together.
func (z *sacctSize) describe(stage *policy.Stage, needs bool) {
	n := int64(z.tasks)
	each := func(amount int64) int64 { return amount/n + min(amount%n, 1) }
	stage.Cores, stage.Memory, stage.Gang = max(1, int32(each(z.cpus))), each(z.memory), n > 1
	if needs && z.gpus > 0 {
		stage.Needs = []policy.Need{{Name: "gpu", Amount: each(z.gpus * 1000)}}
	}
}

// size reads what the job of a row takes.
func (s *sacct) size() (z sacctSize) {
	var nodes, typed int64
	for entry := range bytes.SplitSeq(s.first(sacctAllocTRES, sacctReqTRES), []byte(",")) { // cpu=4,mem=16G,gres/gpu=2,gres/gpu:a100=2,node=1
		name, value, _ := bytes.Cut(entry, []byte("="))
		switch what := string(name); {
		case what == "cpu":
			z.cpus = s.count(value, what, math.MaxInt32)
		case what == "node":
			nodes = s.count(value, what, maxAlike)
		case what == "mem":
			z.memory = s.bytes(value, what, 1, 1)
		case what == "gres/gpu":
			z.gpus = s.count(value, what, policy.MaxAmount/1000)
		case strings.HasPrefix(what, "gres/gpu:"):
			typed += s.count(value, what, policy.MaxAmount/1000)
		}
	}
	z.gpus = min(max(z.gpus, typed), policy.MaxAmount/1000)
	number := func(c sacctColumn, most uint64) int64 { return s.count(s.text(c), sacctNames[c], most) }
	z.cpus = cmp.Or(number(sacctAllocCPUS, math.MaxInt32), number(sacctNCPUS, math.MaxInt32), z.cpus, number(sacctReqCPUS, math.MaxInt32))
	nodes = cmp.Or(number(sacctNNodes, maxAlike), number(sacctAllocNodes, maxAlike), nodes, number(sacctReqNodes, maxAlike))
	if z.memory == 0 {
		z.memory = s.bytes(s.text(sacctReqMem), "ReqMem", max(nodes, 1), max(z.cpus, 1))
	}
	if z.tasks = int(nodes); nodes == 0 {
		z.tasks = int(min(max(z.cpus, 1), maxAlike))
	}
	return z
}

// count reads a whole number; 0 if the text is blank.
func (s *sacct) count(text []byte, what string, most uint64) int64 {
	n, ok := natural(text)
	if len(text) > 0 && (!ok || n > most) {
		s.refuse(fmt.Sprintf("%s is not a whole number of at most %d", what, most), quote(text))
	}
	return int64(min(n, most))
}

// bytes reads an amount of memory such as 4000M or 1.5G, in MiB if it has no letter; 0 if the text is blank. Before Slurm 21.08
// there followed n, for each node, or c, for each CPU.
func (s *sacct) bytes(text []byte, what string, nodes, cpus int64) int64 {
	if len(text) == 0 {
		return 0
	}
	amount, times := text, int64(1)
	switch text[len(text)-1] {
	case 'n':
		amount, times = text[:len(text)-1], nodes
	case 'c':
		amount, times = text[:len(text)-1], cpus
	}
	unit := 1
	if k := len(amount) - 1; k >= 0 {
		if i := strings.IndexByte("KMGTPE", amount[k]); i >= 0 {
			amount, unit = amount[:k], i
		}
	}
	x, ok := finite(amount)
	x = math.Ceil(math.Ldexp(x, 10*(unit+1)) * float64(times))
	if !ok || !(x >= 0 && x <= 1<<60) {
		s.refuse(what+" is no amount of memory such as 4000M, at most 2^60 bytes", quote(text))
		return 0
	}
	return saturate.To[int64](x)
}
