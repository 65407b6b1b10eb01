package lakes

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// forget gives memory that is not in use back to the system, and lets peak count from now on. It
// reports whether the system can do that.
func forget() bool {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil
}

// peak returns the most memory, in MiB, that the process has held since it could forget, and 0 if
// the system does not tell.
func peak() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kB, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			return kB / 1024
		}
	}
	return 0
}

// processor returns how long, in seconds, processors have worked for the process, and 0 if the
// system does not tell. If it has other work to do, this is what the process would take alone; the
// garbage collector works beside it, so that it may be more.
func processor() float64 {
	stat, _ := os.ReadFile("/proc/self/stat")
	_, rest, _ := strings.Cut(string(stat), ") ") // the name of the program may have spaces
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100 // of all systems with this file
}
