package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
)

// logLevel maps the reference's levels, 0 to 4, and its category lists, of which the most talkative level counts.
func logLevel(s string) (slog.Level, error) {
	switch s {
	case "0":
		return slog.LevelWarn, nil
	case "1":
		return slog.LevelInfo, nil
	case "2", "3", "4":
		return slog.LevelDebug, nil
	}
	most, found := slog.LevelError, false
	for part := range strings.SplitSeq(s, ",") {
		_, name, ok := strings.Cut(part, ":")
		level, known := map[string]slog.Level{
			"FATAL": slog.LevelError, "ERROR": slog.LevelError, "WARNING": slog.LevelWarn,
			"INFO": slog.LevelInfo, "DEBUG": slog.LevelDebug, "TRACE": slog.LevelDebug,
		}[name]
		if !ok || !known {
			return 0, fmt.Errorf("--log-level: 0 to 4, or categories such as *:WARNING")
		}
		most, found = min(most, level), true
	}
	if !found {
		return 0, fmt.Errorf("--log-level: 0 to 4, or categories such as *:WARNING")
	}
	return most, nil
}

// newLog returns a log of lines of name=value. Its level can change while it runs.
func newLog(w io.Writer, level *slog.LevelVar) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// openLog returns a log to file or, when that is empty, to say; set changes its level as logLevel reads it.
func openLog(file string, level slog.Level, say io.Writer) (log *slog.Logger, set func(string) error, end func() error, err error) {
	end = func() error { return nil }
	if file != "" {
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("--log-file: %w", err)
		}
		say, end = f, f.Close
	}
	now := new(slog.LevelVar)
	now.Set(level)
	return newLog(say, now), func(s string) error {
		l, err := logLevel(s)
		if err == nil {
			now.Set(l)
		}
		return err
	}, end, nil
}
