module golang.org/x/exp/shiny

go 1.26.0
