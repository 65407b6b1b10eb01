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
// comes, and the command, its words parted by blanks, without a shell:
//
//	0    gzip -9 -k -f big.tar
//	1.5  sleep 2
//
// Each command runs twice, once under each scheduler, so it must bear that. It reads nothing,
// what it prints is thrown away, and what it says on stderr is shown. It may fail: the table counts
// it, and stderr says why at the end.
//
// Attained service is the processor time that a process has taken, with that of the children
// that it has waited for, as the kernel measures it. A process that sleeps attains none and
// still has its core, and so has one that stops itself: it goes on when its turn comes again,
// which it never does first come, first served, or when somebody continues it.
//
// On a terminal the program shows what runs. Each child has a process group of its own, which is
// killed when the child ends and when this program ends, also by Ctrl-C or Ctrl-\. If it is killed
// itself, the kernel kills the children, but not what they have started in turn. Nor does anybody kill what
// has left its group, as setsid does.
//
// It needs Linux. It exits with status 1 if a child fails, with 2 if a flag is wrong.
package main

import "example.com/augur/examples/internal/cli"

func main() { cli.Main("nodehost", run) }
