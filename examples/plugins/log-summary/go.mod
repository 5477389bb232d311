module log-summary

go 1.21
