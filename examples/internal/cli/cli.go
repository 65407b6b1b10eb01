// Package cli is what the command lines of the examples have in common: the flags that
// choose the jobs, what becomes of wrong ones, and the exit status.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// Main runs a program. It exits with status 2 if run returns a usage error, or 1 for any
// other, with one line on stderr; [flag.ErrHelp] is none. Control characters do not reach stdout. The first interrupt or SIGTERM ends the
// context of run, and a second one the program.
func Main(name string, run func(ctx context.Context, args []string, stdout, stderr io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // then the signal does again what it does to others
	err := run(ctx, os.Args[1:], &plainWriter{w: os.Stdout}, os.Stderr)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	stop()
	if err != nil && err != flag.ErrHelp {
		text := strings.TrimPrefix(err.Error(), name+": ") // a package of the library may have the same name
		fmt.Fprintf(os.Stderr, "%s: %s\n", name, Plain(strings.ReplaceAll(text, "\n", " ")))
		os.Exit(Status(err))
	}
}

// Status is 2 for what the caller can mend on the command line, else 1.
func Status(err error) int {
	if _, ok := errors.AsType[*usageError](err); ok {
		return 2
	}
	return 1
}

// usageError is a bad flag, file or value.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// Usage makes an error one of usage: a bad flag, file or value.
func Usage(err error) error { return &usageError{err} }

// Usagef returns a usage error.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Parse parses a command line of flags only and returns the names of the flags given. It
// prints the flags, below what is said about the program, and returns [flag.ErrHelp] if
// that is asked for. An error names an unknown flag, a bad value or an argument that is no
// flag.
func Parse(fs *flag.FlagSet, args []string, stdout io.Writer, about string) (given map[string]bool, err error) {
	given, err = parse(fs, args, stdout, about)
	if err == nil && fs.NArg() > 0 {
		return nil, Usagef("unexpected argument %q, want flags only", fs.Arg(0))
	}
	return given, err
}

// ParseFiles is like Parse, but of a command line that ends with the names of files, of which - is
// one. A flag among them is an error.
func ParseFiles(fs *flag.FlagSet, args []string, stdout io.Writer, about string) (given map[string]bool, files []string, err error) {
	given, err = parse(fs, args, stdout, about)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range fs.Args() {
		if strings.HasPrefix(file, "-") && file != "-" {
			return nil, nil, Usagef("flag %s comes after a file, want all flags first", file)
		}
	}
	return given, fs.Args(), nil
}

// parse parses the flags up to the first argument that is none.
func parse(fs *flag.FlagSet, args []string, stdout io.Writer, about string) (given map[string]bool, err error) {
	fs.SetOutput(io.Discard)
	if err := fs.Parse(args); err != nil {
		if err == flag.ErrHelp {
			fmt.Fprintln(stdout, about)
			fs.SetOutput(stdout)
			fs.PrintDefaults()
			return nil, err
		}
		if strings.HasPrefix(err.Error(), "flag provided but not defined") {
			var all []string
			fs.VisitAll(func(f *flag.Flag) { all = append(all, "-"+f.Name) })
			err = fmt.Errorf("%w, want one of %s", err, strings.Join(all, " "))
		}
		return nil, Usage(err)
	}
	given = make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	return given, nil
}
