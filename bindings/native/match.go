package native

import "regexp"

// Match returns what decides whether a text as a whole fits a regular expression, in the syntax of package regexp.
func Match(expression string) (func(text string) bool, error) {
	re, err := regexp.Compile(`\A(?:` + expression + `)\z`)
	if err != nil {
		return nil, err
	}
	return re.MatchString, nil
}
