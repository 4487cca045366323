package native

import "regexp"

// Match returns a function that reports whether a complete text matches a regular expression in the syntax of package
// regexp.
func Match(expression string) (func(text string) bool, error) {
	re, err := regexp.Compile(`\A(?:` + expression + `)\z`)
	if err != nil {
		return nil, err
	}
	return re.MatchString, nil
}
