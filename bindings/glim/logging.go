package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"
)

// logLevel returns the most talkative of the reference's levels, 0 to 4, and category lists; an error for what is neither.
func logLevel(s string) (slog.Level, error) {
	if len(s) == 1 && s[0] >= '0' && s[0] <= '4' {
		return levelOfNumber(s[0]), nil
	}
	most, found := slog.LevelError, false
	number, more, listed := strings.Cut(s, ",")
	if listed && len(number) == 1 && number[0] >= '0' && number[0] <= '4' { // a level, and categories that differ from it
		most, s = levelOfNumber(number[0]), more
	}
	for part := range strings.SplitSeq(s, ",") {
		_, name, _ := strings.Cut(part, ":")
		level, known := levelNames[name]
		if !known {
			return 0, fmt.Errorf("--log-level: 0 to 4, or categories such as *:WARNING")
		}
		most, found = min(most, level), true
	}
	if !found {
		return 0, fmt.Errorf("--log-level: 0 to 4, or categories such as *:WARNING")
	}
	return most, nil
}

// levelOfNumber returns what the reference's level, a digit from 0 to 4, lets through.
func levelOfNumber(digit byte) slog.Level {
	switch digit {
	case '0':
		return slog.LevelWarn
	case '1':
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// levelNames are the reference's, as far as ours can be told apart.
var levelNames = map[string]slog.Level{
	"FATAL": slog.LevelError, "ERROR": slog.LevelError, "WARNING": slog.LevelWarn,
	"INFO": slog.LevelInfo, "DEBUG": slog.LevelDebug, "TRACE": slog.LevelDebug,
}

// newLog returns a log of lines of name=value, or of JSON objects. What is told of each category can change while it runs.
func newLog(w io.Writer, format string, now *logSwitch) *slog.Logger {
	all := &slog.HandlerOptions{Level: slog.LevelDebug} // the switch decides
	var lines slog.Handler = slog.NewTextHandler(w, all)
	if format == formatJSON {
		all.ReplaceAttr = func(_ []string, a slog.Attr) slog.Attr {
			if a.Value.Kind() == slog.KindDuration { // otherwise a number of nanoseconds, which does not say so
				a.Value = slog.StringValue(a.Value.Duration().String())
			}
			return a
		}
		lines = slog.NewJSONHandler(w, all)
	}
	return slog.New(&switched{Handler: lines, now: now})
}

// The formats of a log.
const (
	formatText = "text"
	formatJSON = "json"
)

// Logging is what the flags say about the log.
type Logging struct {
	LogFormat   string
	LogFile     string // empty for standard error
	MaxFileSize int64  // bytes after which another file is begun; 0 for never
	MaxFiles    int    // kept; 0 for all

	logLevel string
}

// defaultLogging is what holds where no flag says otherwise. Source: contrib/epee/include/misc_log_ex.h, MAX_LOG_FILE_SIZE, MAX_LOG_FILES.
func defaultLogging() Logging {
	return Logging{logLevel: "0", LogFormat: formatText, MaxFileSize: 104_850_000, MaxFiles: 50}
}

// loggingFlags are the flags of monerod and monero-wallet-rpc about logs; of a configuration's Logging.
func loggingFlags[C any](of func(*C) *Logging) []flag[C] {
	return []flag[C]{
		{"log-level", "0-4", "how much to log (0), or of what: *:WARNING,wallet:DEBUG and the like", groupLog, text(func(c *C) *string { return &of(c).logLevel })},
		{"log-format", "FORMAT", "text, or json: one object a line (ours; text)", groupLog, text(func(c *C) *string { return &of(c).LogFormat })},
		{"log-file", "FILE", "log to FILE, not to standard error", groupLog, text(func(c *C) *string { return &of(c).LogFile })},
		{"max-log-file-size", "BYTES", "begin another FILE when it has so many, the old one's name with the time (104850000; 0: never)", groupLog, number(func(c *C) *int64 { return &of(c).MaxFileSize }, 63)},
		{"max-log-files", "N", "keep N of them (50; 0: all)", groupLog, number(func(c *C) *int { return &of(c).MaxFiles }, 31)},
	}
}

func (l *Logging) finish() (err error) {
	if l.LogFormat != formatText && l.LogFormat != formatJSON {
		return fmt.Errorf("--log-format: text or json")
	}
	_, err = logLevel(l.logLevel)
	return err
}

// open returns a log to the file or, without one, to say, and what changes how much it tells.
func (l Logging) open(say io.Writer) (log *slog.Logger, now *logSwitch, end func() error, err error) {
	end = func() error { return nil }
	if l.LogFile != "" {
		f, err := openLogFile(l.LogFile, l.MaxFileSize, l.MaxFiles, time.Now)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("--log-file: %w", err)
		}
		say, end = f, f.Close
	}
	now = &logSwitch{}
	now.set(l.logLevel)
	return newLog(say, l.LogFormat, now), now, end, nil
}

// people returns where to write what people should see, such as when a service begins and ends: say, and the log where that is a file. Where say is
// a log of objects, they are lines of it.
func (l Logging) people(say io.Writer, log *slog.Logger) io.Writer {
	lines := logLines{log.With(category, "global")}
	switch {
	case l.LogFile != "":
		return both{say, lines}
	case l.LogFormat == formatJSON:
		return lines
	}
	return say
}

// begins tells a log that stays which program writes it from here on.
func (l Logging) begins(log *slog.Logger, who string) {
	if l.LogFile != "" || l.LogFormat == formatJSON {
		log.With(category, "global").Info(who+" begins", "version", version(), "process", os.Getpid())
	}
}

// both writes to two, whatever becomes of the first: it may be a terminal that is gone.
type both [2]io.Writer

func (b both) Write(p []byte) (int, error) {
	_, _ = b[0].Write(p)
	return b[1].Write(p)
}

// failed tells of an error that ended a command where people look: at say, in the log where that is a file, and as a line of objects where
// those are told.
func (l Logging) failed(say io.Writer, who string, err error) {
	if l.LogFile != "" || l.LogFormat != formatJSON {
		fmt.Fprintf(say, "%s: %v\n", who, err)
	}
	if l.LogFile == "" && l.LogFormat != formatJSON {
		return
	}
	log, _, end, none := l.open(say)
	if none != nil {
		return // which was told above
	}
	log.With(category, "global").Error(who+" failed", "error", err)
	_ = end() // likewise
}

// logLines makes a line of a log of every write.
type logLines struct{ log *slog.Logger }

func (l logLines) Write(b []byte) (int, error) {
	l.log.Info(strings.TrimSpace(string(b)))
	return len(b), nil
}

// orRefuse is set for who wants to be told that a list says nothing.
func (l *logSwitch) orRefuse(s string) error {
	_, err := logLevel(s)
	if err == nil {
		l.set(s)
	}
	return err
}
