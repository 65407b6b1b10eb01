// Nodehost runs processes of this machine by least attained service, as a host that is not a
// simulator. It starts them, stops and continues them with signals as kairos.Node
// says, and prints when they ended, beside the same processes first come, first served.
//
//	go run ./examples/nodehost
//	go run ./examples/nodehost -cores 4 -quantum 100ms -scale 0.5
//	go run ./examples/nodehost -commands commands.txt
//
// By default it makes its own children: a few that take seconds of processor time and
// many that take a fraction of one. A line of -commands is the second at which a command
// comes, and the command, without a shell:
//
//	0    gzip -9 -k -f big.tar
//	1.5  sleep 2
//
// Attained service is the processor time that a process has taken, as the kernel measures it.
// On a terminal the program shows what runs. Each child has a process group of its own. When this
// program ends, also by Ctrl-C, it kills these groups; if it is killed itself, the kernel
// kills the children, but not what they have started in turn.
//
// It needs Linux. It exits with status 1 if a child fails, with 2 if a flag is wrong.
package main

import "example.com/augur/examples/internal/cli"

func main() { cli.Main("nodehost", run) }
