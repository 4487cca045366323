package wallet

import (
	"errors"

	"glim/core/smallfmt"
)

// Limits of texts in bytes. The reference has none. Longer texts from earlier versions are kept.
const (
	MaxName  = 4 << 10  // labels, tags, keys of attributes, idempotency keys
	MaxText  = 64 << 10 // notes, descriptions
	MaxValue = 1 << 20  // values of attributes
)

// ErrText reports a text that exceeds its limit.
var ErrText = errors.New("text too long")

// CheckText returns ErrText if text is longer than limit bytes. what names the text in the error, with its article.
func CheckText(what, text string, limit int) error {
	if len(text) > limit {
		return smallfmt.Errorf("%w: %s may have %d bytes, and this one has %d", ErrText, what, limit, len(text))
	}
	return nil
}

// CheckTexts returns ErrText if u contains a text that exceeds its limit.
func (w *Wallet) CheckTexts(u *UserChange) (err error) {
	check := func(what, text string, limit int) {
		if err == nil {
			err = CheckText(what, text, limit)
		}
	}
	for i := range u.Labels {
		check("a label", u.Labels[i].Text, MaxName)
	}
	for i := range u.Tags {
		check("a tag", u.Tags[i].Tag, MaxName)
	}
	for i := range u.Described {
		check("a description", u.Described[i].Value, MaxText)
	}
	for i := range u.Notes {
		check("a note", u.Notes[i].Text, MaxText)
	}
	for i := range u.Attrs {
		check("the key of an attribute", u.Attrs[i].Key, MaxName)
		check("the value of an attribute", u.Attrs[i].Value, MaxValue)
	}
	for i := range u.Book {
		c, book := &u.Book[i], w.annotations.book
		if c.Kind == BookSet && c.Index < uint64(len(book)) && c.Entry.Description == book[c.Index].Description {
			continue // unchanged; only the address changes
		}
		check("a description", c.Entry.Description, MaxText)
	}
	return err
}
