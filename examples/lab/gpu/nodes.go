package main

import (
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// The nodes with GPUs of the cluster that the experiment of FGD runs on: openb_node_list_gpu_node.csv of Alibaba's
// cluster-trace-gpu-v2023, counted. They are 1,213 with 6,212 GPUs and 107,018 CPUs.
var nodeKinds = []struct {
	nodes, cpus int
	gpus        uint8 // of each node
	model       string
}{
	{549, 96, 8, "G2"},
	{39, 128, 8, "G3"},
	{21, 96, 8, "V100M32"},
	{9, 48, 4, "V100M32"},
	{7, 64, 8, "V100M16"},
	{1, 82, 8, "V100M16"},
	{28, 32, 4, "V100M16"},
	{19, 8, 1, "V100M16"},
	{387, 104, 2, "T4"},
	{17, 96, 4, "T4"},
	{22, 64, 2, "P100"},
	{107, 16, 2, "P100"},
	{2, 8, 2, "P100"},
	{3, 8, 1, "P100"},
	{2, 128, 1, "A10"},
}

// openb returns that cluster. A core stands for a thousandth of a CPU, since tasks ask for parts of one.
func openb() []policy.Node {
	var kinds []sim.Partition
	for _, k := range nodeKinds {
		kinds = append(kinds, sim.Partition{Nodes: k.nodes, Cores: int32(k.cpus) * 1000, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: k.gpus}}})
	}
	return sim.Cluster(kinds...)
}
