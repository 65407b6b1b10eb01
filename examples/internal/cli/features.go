package cli

import (
	"flag"
	"strings"

	"example.com/augur/predict"
)

// Features defines the flag -features, which says by what jobs count as similar. Other says what is done without it.
func Features(fs *flag.FlagSet, features *[]string, other string) {
	fs.Func("features", "by what jobs count as similar: a `LIST` of attributes and combinations such as user,user+program,program+log(bytes), or paper, 3Sigma's (default: "+other+")", func(text string) error {
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
