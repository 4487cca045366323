package wallet

import (
	"errors"

	"glim/core/say"
)

// Bounds of the texts that a wallet takes, in bytes. The reference has none. Longer ones that a wallet has from before stay as they are.
const (
	MaxName  = 4 << 10  // labels, tags, keys of attributes, a client's names of payments
	MaxText  = 64 << 10 // notes, descriptions
	MaxValue = 1 << 20  // values of attributes
)

// ErrText reports a text that is longer than its bound.
var ErrText = errors.New("text too long")

// CheckText returns ErrText when text has more than most bytes. what names it, with its article.
func CheckText(what, text string, most int) error {
	if len(text) > most {
		return say.Errorf("%w: %s may have %d bytes, and this one has %d", ErrText, what, most, len(text))
	}
	return nil
}

// CheckTexts returns ErrText when u brings a text that is longer than its bound.
func (w *Wallet) CheckTexts(u *UserChange) (err error) {
	check := func(what, text string, most int) {
		if err == nil {
			err = CheckText(what, text, most)
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
		c := &u.Book[i]
		if c.Kind == BookSet && c.Index < uint64(len(w.papers.book)) && c.Entry.Description == w.papers.book[c.Index].Description {
			continue // from before; only the address changes
		}
		check("a description", c.Entry.Description, MaxText)
	}
	return err
}
