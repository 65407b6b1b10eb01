package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"example.com/augur/examples/internal/cli"
)

// options are what a command line asks for.
type options struct {
	form
	papers []string
	asJSON bool
	// The document: the file to write or to check, what that is, and the date that it is to have; all empty if
	// there is to be none.
	write, check, date string
	was                []byte
}

const about = "Reproduce prints what a paper published beside what comes out, as the mean over seeds and half the width of its 95 % interval; ratio is measured over published. All prints their main results. Use: reproduce [flags] PAPER. PAPER is "

// parse reads a command line.
func parse(args []string, stdout io.Writer) (o options, err error) {
	fs := flag.NewFlagSet("reproduce", flag.ContinueOnError)
	fs.BoolVar(&o.full, "full", false, "run ten seeds, and what takes long")
	fs.BoolVar(&o.asJSON, "json", false, "print a JSON array instead of a table")
	fs.StringVar(&o.traces, "traces", cmp.Or(os.Getenv("AUGUR_TRACES"), "../../../shared/traces"), "the `FOLDER` of real traces, for -full")
	fs.Func("trace", "also run the trace of `FILE`, in the form of the simulators of Sparrow, Hawk and Eagle; its name begins with goog, yh or yahoo, which says what is published of it; may be given again; for kairos", func(file string) error {
		o.files = append(o.files, file)
		_, err := bigTraceOf(file)
		return err
	})
	fs.Func("with", "also run `LINES` of parts beside the systems of the paper, such as sjf/pilots+grass,las@kairos; compare -list has the parts", func(list string) (err error) {
		o.with, err = parseLines(list)
		return err
	})
	fs.StringVar(&o.write, "write", "", "write the table of all, and how it was made, to `FILE`")
	fs.StringVar(&o.date, "date", "", "the `DATE` of the version that -write tells of, like 2006-01-02")
	fs.StringVar(&o.check, "check", "", "compare `FILE`, which -write wrote, with what comes out of all")
	names := append(paperNames(), "all")
	flags, chosen := apart(fs, args)
	_, err = cli.Parse(fs, flags, stdout, about+strings.Join(names, " or ")+". Flags:")
	switch {
	case err != nil:
		return o, err
	case len(chosen) != 1 || !slices.Contains(names, chosen[0]):
		return o, cli.Usagef("the paper is %q, want one of %s", strings.Join(chosen, " "), strings.Join(names, ", "))
	}
	if err := carries(chosen[0], o.with); err != nil {
		return o, err
	}
	o.papers = chosen
	if chosen[0] == "all" {
		o.papers = paperNames()
	}
	o.seeds = 3
	if o.full {
		o.seeds = 10
	}
	return o, o.dated(chosen[0])
}

// dated sees to the flags of the document, of all papers or of one.
func (o *options) dated(of string) (err error) {
	switch {
	case of != "all" && o.write+o.check != "":
		return cli.Usagef("-write and -check are of all, not of %s alone", of)
	case o.write != "" && o.check != "":
		return cli.Usagef("-write and -check cannot both be given")
	case (o.write == "") != (o.date == ""):
		return cli.Usagef("-write and -date must be given together")
	case o.check == "" && o.date == "":
		return nil
	case o.check == "":
		if err := checkDate(o.date); err != nil {
			return cli.Usage(err)
		}
		return nil
	}
	if o.was, err = os.ReadFile(o.check); err != nil {
		return cli.Usage(err)
	}
	if o.date, err = dateOf(o.was); err != nil {
		return fmt.Errorf("%s: %w", o.check, err)
	}
	return nil
}

// apart tells flags, with their values, from other arguments, before which and after which they may stand.
func apart(fs *flag.FlagSet, args []string) (flags, others []string) {
	for i, a := range args {
		if strings.HasPrefix(a, "-") || i > 0 && takesValue(fs, args[i-1]) {
			flags = append(flags, a)
		} else {
			others = append(others, a)
		}
	}
	return flags, others
}

// takesValue reports whether an argument is a flag whose value is the next argument.
func takesValue(fs *flag.FlagSet, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	f := fs.Lookup(name)
	if f == nil || name == arg {
		return false
	}
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}
