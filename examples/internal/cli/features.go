package cli

import (
	"flag"
	"strings"

	"example.com/augur/predict"
)

// Features defines the flag -features: attributes by which jobs count as similar. Other describes the default.
func Features(fs *flag.FlagSet, features *[]string, other string) {
	fs.Func("features", "jobs with equal values of these count as similar: a `LIST` of attributes and combinations such as user,user+program,program+log(bytes), or paper, those of 3Sigma (default: "+other+")", func(text string) error {
		list := strings.Split(text, ",")
		if text == "paper" {
			list = append(predict.ThreeSigmaFeatures(), predict.All)
		}
		if _, err := predict.New(predict.Config{Features: list}); err != nil {
			return err
		}
		*features = list
		return nil
	})
}
