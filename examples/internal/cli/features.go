package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/augur/predict"
)

// RegisterFeatures defines the flag -features: attributes by which jobs count as similar. Other describes the default.
func (f *JobFlags) RegisterFeatures(fs *flag.FlagSet, other string) {
	fs.Func("features", "jobs with equal values of these count as similar: a `LIST` of attributes and combinations such as user,user+program,program+log(bytes), or paper, those of 3Sigma (default: "+other+")", func(text string) error {
		f.Features = strings.Split(text, ",")
		if f.paper = text == "paper"; f.paper {
			f.Features = append(predict.ThreeSigmaFeatures(), predict.All)
		}
		_, err := predict.New(predict.Config{Features: f.Features})
		return err
	})
}

// lacking returns an error of usage if no job has one of the features that somebody has listed. Of those of 3Sigma it is a note.
func (f *JobFlags) lacking(js *Jobs) error {
	if f.Features == nil {
		return nil
	}
	p, err := predict.New(predict.Config{Features: f.Features})
	if err != nil {
		return Usage(err)
	}
	var have []string
	for _, j := range js.List {
		_ = p.Observe(&j.Job, 1, time.Time{}) // a runtime of 1 s is never refused
		for name := range j.AttrNames() {
			if !slices.Contains(have, name) {
				have = append(have, name)
			}
		}
	}
	missing := p.Missing()
	if missing == nil {
		return nil
	}
	text := fmt.Sprintf("no job has the attributes of %s, by which -features calls jobs similar; these jobs have %s", strings.Join(missing, ", "), strings.Join(have, ", "))
	switch {
	case f.paper:
		js.noted = append(js.noted, text)
		return nil
	case slices.Contains(missing, "paper"):
		text += "; paper, 3Sigma's, is to be given alone"
	}
	return Usagef("%s", text)
}
