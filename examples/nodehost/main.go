// Nodehost runs processes of this machine by least attained service, over the engine of policy/host. It starts, stops and
// continues them with signals, under policy kairos, and compares their completion times with first come, first served.
//
//	go run ./examples/nodehost
//	go run ./examples/nodehost -cores 4 -quantum 100ms -scale 0.5
//	go run ./examples/nodehost -commands commands.txt
//
// By default it makes its own children: a few that take seconds of processor time and many that take a fraction of one.
// A line of -commands is the second at which a command comes, and its words, without a shell:
//
//	0    gzip -9 -k -f big.tar
//	1.5  sleep 2
//
// Each command runs twice, once under each scheduler. Its standard input is empty, its output is dropped, and its stderr is
// shown. If it fails, the table counts it, and stderr says why at the end.
//
// Attained service is the processor time of a process and of the children that it has waited for, measured by the kernel
// whenever the process is stopped. A process that sleeps still has its core, and so has one that stops itself: it continues
// when its turn comes again, which it never does first come, first served, or when somebody continues it.
//
// On a terminal the program shows what runs. Each child has a process group of its own, which is
// killed when the child ends, or when this program ends in any way.
//
// It needs Linux. It exits with status 1 if a child fails, with 2 if a flag is wrong.
package main

import (
	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/processes"
)

func main() {
	processes.Watchdog()
	cli.Main("nodehost", run)
}
