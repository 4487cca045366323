package main

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLogCategories(t *testing.T) {
	l := &logSwitch{level: new(slog.LevelVar)}
	for _, c := range []struct {
		set, text string
		level     slog.Level
	}{
		{"0", levelCategories[0], slog.LevelWarn},
		{"1", levelCategories[1], slog.LevelInfo},
		{"5", levelCategories[1], slog.LevelInfo},
		{"3", levelCategories[3], slog.LevelDebug},
		{"0,net:INFO", levelCategories[0] + ",net:INFO", slog.LevelInfo},
		{"-,net:INFO", levelCategories[0] + ",", slog.LevelWarn},
		{"*:ERROR", "*:ERROR", slog.LevelError},
		{"+miner:DEBUG", "*:ERROR,miner:DEBUG", slog.LevelDebug},
		{"-miner:DEBUG", "*:ERROR,", slog.LevelError},
		{"", "", slog.LevelError},
		{"+*:INFO", "*:INFO", slog.LevelInfo},
		{"+", "*:INFO", slog.LevelInfo},
		{"what is this", "what is this", slog.LevelError},
	} {
		require.Equal(t, c.text, l.set(c.set), c.set)
		require.Equal(t, c.level, l.level.Level(), c.set)
	}
	for range 10 {
		l.set("+" + strings.Repeat("x", 1000))
	}
	require.Len(t, l.set("+"), maxCategories)
}
