module my-tool

go 1.21
