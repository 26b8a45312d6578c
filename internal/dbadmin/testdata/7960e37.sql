-- A database as foyer 7960e37 left it, killed at its work: leads of every status, with everything that belongs to them. The
-- names, numbers and addresses are reserved for examples. SQLite loads all of it; PostgreSQL has its tables made by the
-- migrations of that time, and loads what stands behind the line of dashes.

CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
CREATE TABLE leads (
    seq          INTEGER PRIMARY KEY, -- time-ordered, so that inserts stay cheap
    id           TEXT NOT NULL,
    status       TEXT NOT NULL,
    created_at   BIGINT NOT NULL, -- microseconds since 1970, UTC, like every time here
    updated_at   BIGINT NOT NULL,
    service_type TEXT NOT NULL,
    zip_code     TEXT NOT NULL,
    marks        TEXT NOT NULL,
    job          TEXT NOT NULL, -- what is asked for, as JSON: a new field needs no new column
    contact      BYTEA,         -- name, phone, e-mail, street and notes as one piece, to be sealed and erased as one
    evidence     TEXT NOT NULL  -- how the request came, and the hash of the words that were agreed to, as JSON
);
CREATE UNIQUE INDEX leads_id ON leads (id);
CREATE TABLE history (
    seq      INTEGER PRIMARY KEY,
    lead_seq BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    status   TEXT NOT NULL,
    actor    TEXT NOT NULL,
    reason   TEXT NOT NULL
, passed_over TEXT NOT NULL DEFAULT '');
CREATE INDEX history_lead ON history (lead_seq);
CREATE TABLE consent_texts (
    hash       TEXT PRIMARY KEY,
    version    TEXT NOT NULL,
    text       TEXT NOT NULL,
    first_used BIGINT NOT NULL
);
CREATE TABLE idempotency_keys (
    key_hash     TEXT PRIMARY KEY,
    request_hash TEXT NOT NULL,
    answer       BYTEA NOT NULL,
    created_at   BIGINT NOT NULL
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
CREATE TABLE suppressions (
    phone      TEXT PRIMARY KEY,
    reason     TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE TABLE changes (
    topic   TEXT PRIMARY KEY,
    version BIGINT NOT NULL
);
CREATE TABLE buyers (
    id         TEXT PRIMARY KEY,
    terms      TEXT NOT NULL,
    secrets    TEXT NOT NULL, -- JSON list, newest first
    state      TEXT NOT NULL,
    why        TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE TABLE standings (
    buyer_id   TEXT PRIMARY KEY,
    asked_at   BIGINT NOT NULL,
    failures   BIGINT NOT NULL,
    trips      BIGINT NOT NULL,
    shut_until BIGINT NOT NULL, -- the breaker keeps leads away until then
    wake_at    BIGINT NOT NULL  -- when to look again at what is held for it; 0 for never
, walk_until BIGINT NOT NULL DEFAULT 0, quiet_until BIGINT NOT NULL DEFAULT 0);
CREATE TABLE cap_use (
    buyer_id TEXT NOT NULL,
    hour     BIGINT NOT NULL,
    used     BIGINT NOT NULL, offered BIGINT NOT NULL DEFAULT 0, accepted BIGINT NOT NULL DEFAULT 0, delivered BIGINT NOT NULL DEFAULT 0, returned BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (buyer_id, hour)
);
CREATE TABLE deliveries (
    lead_seq INTEGER PRIMARY KEY,
    lane     TEXT NOT NULL DEFAULT '', -- the buyer it stands before, or '' while it looks for one
    step     TEXT NOT NULL DEFAULT 'ask',
    due_at   BIGINT NOT NULL, -- when it may be taken; while somebody has it, when their lease ends
    token    BIGINT NOT NULL DEFAULT 0,
    owner    TEXT NOT NULL DEFAULT '',
    since    BIGINT NOT NULL,
    offer_id TEXT NOT NULL DEFAULT '',
    attempts BIGINT NOT NULL DEFAULT 0,
    unsure   BIGINT NOT NULL DEFAULT 0
, sent_at BIGINT NOT NULL DEFAULT 0, url TEXT NOT NULL DEFAULT '');
CREATE INDEX leads_held ON leads (seq, service_type, zip_code) WHERE status = 'collected';
CREATE INDEX leads_failed ON leads (seq) WHERE status = 'error';
CREATE TABLE offers (
    id              TEXT PRIMARY KEY,
    lead_seq        BIGINT NOT NULL,
    buyer_id        TEXT NOT NULL,
    at              BIGINT NOT NULL,
    one_step        BIGINT NOT NULL,
    state           TEXT NOT NULL,
    code            TEXT NOT NULL DEFAULT '',
    buyer_ref       TEXT NOT NULL DEFAULT '',
    returned_at     BIGINT NOT NULL DEFAULT 0,
    returned_reason TEXT NOT NULL DEFAULT ''
, buyer_lead_id TEXT NOT NULL DEFAULT '', passed_over TEXT NOT NULL DEFAULT '');
CREATE INDEX offers_lead ON offers (lead_seq);
CREATE TABLE attempts (
    seq      INTEGER PRIMARY KEY,
    lead_seq BIGINT NOT NULL,
    offer_id TEXT NOT NULL,
    kind     TEXT NOT NULL,
    at       BIGINT NOT NULL,
    took     BIGINT NOT NULL, -- microseconds
    status   BIGINT NOT NULL,
    failure  TEXT NOT NULL,
    answer   TEXT NOT NULL,
    decision TEXT NOT NULL
, url TEXT NOT NULL DEFAULT '');
CREATE INDEX attempts_lead ON attempts (lead_seq);
CREATE TABLE prints (
    print    TEXT NOT NULL,
    lead_seq BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (print, lead_seq)
);
CREATE INDEX prints_age ON prints (at);
CREATE TABLE sold (
    print    TEXT NOT NULL,
    buyer_id TEXT NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (print, buyer_id)
);
CREATE TABLE wishes (
    seq     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL,
    at      BIGINT NOT NULL,
    kind    TEXT NOT NULL,
    phone   TEXT NOT NULL, -- emptied when the wish is settled
    lead_id TEXT NOT NULL, -- '' where the person did not know
    state   TEXT NOT NULL,
    note    TEXT NOT NULL
, evidence TEXT NOT NULL DEFAULT '');
CREATE UNIQUE INDEX wishes_id ON wishes (id);
CREATE INDEX wishes_open ON wishes (phone, lead_id, kind) WHERE state = 'open';
CREATE INDEX leads_forwarded ON leads (seq) WHERE status = 'forwarded';
CREATE INDEX leads_rejected ON leads (seq) WHERE status = 'rejected';
CREATE INDEX leads_dialled ON leads (seq) WHERE status = 'call_to_connect';
CREATE INDEX wishes_waiting ON wishes (seq) WHERE state = 'open';
CREATE INDEX sold_age ON sold (at);
CREATE TABLE allowances (
    key      TEXT PRIMARY KEY,
    spent_at BIGINT NOT NULL,
    step     BIGINT NOT NULL,
    burst    BIGINT NOT NULL,
    granted  BIGINT NOT NULL -- of what was asked for last
);
CREATE INDEX deliveries_due ON deliveries (lane, due_at);
CREATE TABLE fresh (
    lead_seq INTEGER PRIMARY KEY
);
CREATE TABLE keys (
    id         TEXT PRIMARY KEY,
    created_at BIGINT NOT NULL
);
CREATE TABLE withheld (
    lead_seq INTEGER PRIMARY KEY,
    reason   TEXT NOT NULL, -- the mark that it was held for
    print    TEXT NOT NULL,
    at       BIGINT NOT NULL,          -- when the lead was taken in
    look_at  BIGINT NOT NULL DEFAULT 0 -- when to look whether it can go on the market; 0 for never
);
CREATE INDEX withheld_print ON withheld (print);
CREATE INDEX withheld_look ON withheld (look_at) WHERE look_at > 0;
CREATE TABLE webhook_ids (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL
);
CREATE INDEX webhook_ids_age ON webhook_ids (at);
CREATE INDEX wishes_lead ON wishes (lead_id, at) WHERE lead_id <> '';
INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (1, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (2, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (3, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (4, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (5, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (6, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (7, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (8, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (9, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (10, 1);
-- ----
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (1, 'lead_1k7ivj19q54l2js7obpzsr4pzbfnrxhyhpz', 'call_to_connect', 1794859697466799, 1794859697466799, 'plumbing', '33139', '', '{"service_type":"plumbing","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313031227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_rlmca4nki5xu2ygpdkajir3qya","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (2, 'lead_1k7ivj19uzw4ooymgkvpqwb5ygxph3dikle', 'forwarded', 1794859697470898, 1794859697482650, 'hvac', '33139', '', '{"service_type":"hvac","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313031222c22656d61696c223a22706174406578616d706c652e636f6d227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_pljqwegb4io6jlt3fxoc5qgd3c","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (3, 'lead_1k7ivj1a4csrta43ny3rl7isszrzvhlsfbl', 'forwarded', 1794859697476831, 1794859697487005, 'hvac', '33139', '', '{"service_type":"hvac","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313032227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_n63tcntnn4knmdtudbv6upw5vj","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (4, 'lead_1k7ivj29i4zm57umgris4g77qhfljreovwl', 'collected', 1794859698482896, 1794859698485285, 'hvac', '33139', 'duplicate', '{"service_type":"hvac","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313032227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_kjno46zhrbpreopm4figsx42kq","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (5, 'lead_1k7ivj2af5f2ixc5o624263jvgoelab4hnf', 'collected', 1794859698511769, 1794859698511769, 'hvac', '10001', '', '{"service_type":"hvac","zip_code":"10001","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313035227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_hehpy5wvabjsnmzren556trmx5","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (6, 'lead_1k7ivj2aiyt2bkqv4ccmdgzvyyd3j2sswkh', 'rejected', 1794859698514854, 1794859702749829, 'hvac', '10001', '', '{"service_type":"hvac","zip_code":"10001","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313036227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_5g6ofqxiw5t5zrfpv4obmvml7p","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (7, 'lead_1k7ivj2an33gslxe4hsean6sgdtaodo5ip2', 'rejected', 1794859698519504, 1794859702829434, 'hvac', '10001', '', '{"service_type":"hvac","zip_code":"10001","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', NULL, '{"door":"json","client":"","request_id":"req_7hbcsahis7igljx3nir5lxcsfg","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (8, 'lead_1k7ivj2apdajn6tosbs3c34cn5jhzo55bls', 'error', 1794859698521949, 1794859703441895, 'pest_control', '33139', '', '{"service_type":"pest_control","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313038227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_lkdxylz4ldieyu7egtwtgcq4l3","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (9, 'lead_1k7ivj2asjzcnu3irzxsjsg4mt4nptqprbn', 'collected', 1794859698524563, 1794859698578424, 'house_cleaning', '33139', '', '{"service_type":"house_cleaning","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313039227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_h5d5er44tji43owjb5jeue75xs","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (10, 'lead_1k7ivj2b17hgfmumko4upuc7dwtos2zpb77', 'received', 1794859698529459, 1794859698529459, 'handyman', '33139', '', '{"service_type":"handyman","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313130227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_ghuwezm5whya2ha3rmy3digus5","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (11, 'lead_1k7ivj2b837lnl6mjcxerija7jr2qagsdo6', 'collected', 1794859698536844, 1794859700703025, 'deep_cleaning', '33139', '', '{"service_type":"deep_cleaning","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313131227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_7suicljcn6vxqksekbfytfnx7v","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (12, 'lead_1k7ivj2c55csdaodjcj3qd4efgfehlmh7sv', 'collected', 1794859698565277, 1794859700703025, 'deep_cleaning', '33139', '', '{"service_type":"deep_cleaning","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313132227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_n54qqt7u6f6rcpnvlylmhfnuxc","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (13, 'lead_1k7ivj2cbl3vxxm3xwng6cyakw5ezwnukeh', 'collected', 1794859698571063, 1794859700703025, 'deep_cleaning', '33139', '', '{"service_type":"deep_cleaning","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313133227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_rbbor5bj3t3njmsxtanae5pruw","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (14, 'lead_1k7ivj2cglohxxbo3iavug7lzzzvwetqtpo', 'collected', 1794859698576986, 1794859700703025, 'deep_cleaning', '33139', '', '{"service_type":"deep_cleaning","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313134227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_fqq4lyj3yzo7czc325fsr32iao","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (15, 'lead_1k7ivj2cmwm7a5jghaqv46pyvsmcuvzisut', 'collected', 1794859698582057, 1794859700703025, 'deep_cleaning', '33139', '', '{"service_type":"deep_cleaning","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313135227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_7ta3rkzfwwgkzt3dfyfq2g56tf","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (16, 'lead_1k7ivj2d4h7nuvjg5pjdylbvc65d7do3orj', 'collected', 1794859698596492, 1794859700703025, 'deep_cleaning', '33139', '', '{"service_type":"deep_cleaning","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313136227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_htdap3x4c3icnwfur25t5urksy","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (17, 'lead_1k7ivj2defkdq6outadpkrkxy6ztc7bdavh', 'received', 1794859698606826, 1794859698606826, 'move_in_out_cleaning', '33139', '', '{"service_type":"move_in_out_cleaning","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313137227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_jc3wq346h4wepbh6ajiwzjw6kh","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (18, 'lead_1k7ivj2dlo4hdbcankqoayj4g3rfp3rldvb', 'collected', 1794859698613198, 1794859698650821, 'recurring_cleaning', '33139', '', '{"service_type":"recurring_cleaning","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313138227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_3iuhhux37w7dptpeui2w6vlqca","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (19, 'lead_1k7ivj2e7vdcoemj6hqze4qvr6z3s3ul372', 'rejected', 1794859698631516, 1794859703200422, 'hvac', '10001', '', '{"service_type":"hvac","zip_code":"10001","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313630227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_7vamvqpjvoq27ioe23kl277iob","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (20, 'lead_1k7ivj834rfjqmpjb7wahcux336fa6j5mgy', 'received', 1794859704420277, 1794859704420277, 'handyman', '33139', '', '{"service_type":"handyman","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313733227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_a2ow3364kq7xmprcsbhlsr5665","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (21, 'lead_1k7ivj834bp5es5zk62c5hi4rne5fblwxqk', 'received', 1794859704420408, 1794859704420408, 'handyman', '33139', '', '{"service_type":"handyman","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313732227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_awmtjeamroqmmpdmzi2afhq7be","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (22, 'lead_1k7ivj835ce7yhjonfxlhfzggf6ze7nq63j', 'received', 1794859704421085, 1794859704421085, 'handyman', '33139', '', '{"service_type":"handyman","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313731227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_unlnlf43abc6tkpd2o5oki7efc","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (23, 'lead_1k7ivj835tmlpk3v7cwuz572zvclmcz3lkx', 'received', 1794859704421138, 1794859704421138, 'handyman', '33139', '', '{"service_type":"handyman","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313730227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_jdhzgahsjd5lzgawjfcw43sk2w","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (1, 2, 1794859697482650, 'forwarded', 'service', 'accepted and acknowledged by buyer_5h26hamtftbufacnqlnn5a34oh', '');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (2, 3, 1794859697487005, 'forwarded', 'service', 'accepted and acknowledged by buyer_5h26hamtftbufacnqlnn5a34oh', '');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (3, 4, 1794859698485285, 'collected', 'service', 'it repeats another request of this person, which is on the market or was sold', '');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (4, 9, 1794859698578424, 'collected', 'service', 'nobody who covers it took it', '[{"buyer":"buyer_hekmwgn2jylitofzanqyvfilqy","name":"Gamma Clean","rule":"declined","reason":"it declined this lead"}]');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (5, 18, 1794859698650821, 'collected', 'service', 'nobody who covers it took it', '[{"buyer":"buyer_dtbnc6hhjytwwnipl6csccczjr","name":"Theta Green","rule":"tried","reason":"it was asked in this round"}]');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (6, 11, 1794859700703025, 'collected', 'service', 'nobody who covers it took it', '[{"buyer":"buyer_3ckplkpm2mfslsoldutiuutlxf","name":"Zeta Roof","rule":"tried","reason":"it was asked in this round"}]');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (7, 12, 1794859700703025, 'collected', 'service', 'nobody who covers it took it', '[{"buyer":"buyer_3ckplkpm2mfslsoldutiuutlxf","name":"Zeta Roof","rule":"tried","reason":"it was asked in this round"}]');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (8, 15, 1794859700703025, 'collected', 'service', 'nobody who covers it took it', '[{"buyer":"buyer_3ckplkpm2mfslsoldutiuutlxf","name":"Zeta Roof","rule":"tried","reason":"it was asked in this round"}]');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (9, 14, 1794859700703025, 'collected', 'service', 'nobody who covers it took it', '[{"buyer":"buyer_3ckplkpm2mfslsoldutiuutlxf","name":"Zeta Roof","rule":"tried","reason":"it was asked in this round"}]');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (10, 16, 1794859700703025, 'collected', 'service', 'nobody who covers it took it', '[{"buyer":"buyer_3ckplkpm2mfslsoldutiuutlxf","name":"Zeta Roof","rule":"tried","reason":"it was asked in this round"}]');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (11, 13, 1794859700703025, 'collected', 'service', 'nobody who covers it took it', '[{"buyer":"buyer_3ckplkpm2mfslsoldutiuutlxf","name":"Zeta Roof","rule":"tried","reason":"it was asked in this round"}]');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (12, 6, 1794859702749829, 'rejected', 'operator', 'sold elsewhere', '');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (13, 7, 1794859702829434, 'rejected', 'operator', 'personal details erased', '');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (14, 19, 1794859703200422, 'rejected', 'service', 'consent withdrawn', '');
INSERT INTO history (seq, lead_seq, at, status, actor, reason, passed_over) VALUES (15, 8, 1794859703441895, 'error', 'service', 'the buyer was removed or switched off, and may have the contact', '');
INSERT INTO consent_texts (hash, version, text, first_used) VALUES ('a31af9bb8040eaa6aadbea10483ef7ceb1d1151ea30d2762c2492d181c68d63b', 'shown-2026-11', 'I agree that Foyer and an independent contractor or contractor network that receives this request may call or text me about it, at the phone number I gave. I do not have to agree in order to buy anything, and I can take my agreement back at any time by writing to hello@example.com. Message and data rates may apply.', 1794859696698312);
INSERT INTO consent_texts (hash, version, text, first_used) VALUES ('bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf', 'stated-2026-11', 'The sender states that the person was asked, and explicitly agreed, that Foyer and an independent contractor or contractor network that receives this request may call or text them about it, at the phone number given. The person was told that they can take this back at any time by writing to hello@example.com.', 1794859696698312);
INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) VALUES ('be2974546978e3739e6d6da85c4be9f334ce32df2b9fd4b6ff1b55c0d57e9d44', '3023a0f833586bace5d4f21ccc9392d0ab321bee91247c4f9694598abc0bd1af', X'7b226c6561645f6964223a226c6561645f316b3769766a3139757a77346f6f796d676b76707177623579677870683364696b6c65222c22737461747573223a227265636569766564222c226d657373616765223a22596f7572207265717565737420666f722068656174696e6720616e6420636f6f6c696e6720696e205a495020636f6465203333313339207761732072656365697665642e204120636f6e74726163746f72206e6574776f726b207468617420636f76657273206974206973206265696e672061736b65642e2054686973206973206e6f74206120626f6f6b696e672c20616e64206e6f2063616c6c6261636b2c206172726976616c2074696d65206f7220636f6d70616e792069732070726f6d697365642e222c226e6578745f7374657073223a5b224b65657020746865206c6561645f69642e20497420697320746865206f6e6c792077617920746f206c6f6f6b2075702074686520726571756573742e222c22446f6e2774207761697420666f7220612063616c6c6261636b3a206e6f6e652069732070726f6d697365642e2049662074686520776f726b20697320757267656e742c206c6f6f6b20666f722068656c7020656c7365776865726520746f6f2e222c22546f207769746864726177207468652072657175657374206f722068617665206974206572617365642c20676f20746f20687474703a2f2f6c6f63616c686f73743a393230302f70726976616379237769736820616e6420656e74657220746865206c6561645f696420616e64207468652070686f6e65206e756d6265722e225d2c22657374696d617465645f7061796f75745f68696e74223a6e756c6c2c2263616c6c5f746f5f636f6e6e656374223a6e756c6c2c2263616c6c5f746f5f636f6e6e6563745f646973706c6179223a6e756c6c2c2263616c6c5f696e737472756374696f6e223a6e756c6c2c226472795f72756e223a66616c73657d', 1794859697470898);
INSERT INTO suppressions (phone, reason, created_at) VALUES ('+13055550199', 'asked not to be contacted', 1794859702925559);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_3ckplkpm2mfslsoldutiuutlxf', '{"name":"Zeta Roof","url":"https://buyer-6.example.com","services":["deep_cleaning"],"area":{},"hours":{},"caps":{"hour":0,"day":0,"month":0,"total":0},"priority":100,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"]', 'active', '', 1794859697335373, 1794859697335373);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_56vwcnqlz2mojy4h5qhgow6fkm', '{"name":"Delta Hands","url":"https://buyer-4.example.com","services":["handyman"],"area":{},"hours":{},"caps":{"hour":0,"day":0,"month":0,"total":0},"priority":100,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"]', 'active', '', 1794859697248032, 1794859697248032);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_5h26hamtftbufacnqlnn5a34oh', '{"name":"Alpha Air","url":"https://buyer-1.example.com","services":["hvac"],"area":{"zips":"331*"},"hours":{},"caps":{"hour":0,"day":0,"month":0,"total":0},"priority":100,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"]', 'active', '', 1794859696963716, 1794859696963716);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_6xyzc7z4jbkofjimnxykf3x6qa', '{"name":"Epsilon","url":"https://buyer-5.example.com","services":["hvac"],"area":{},"hours":{},"caps":{"hour":0,"day":0,"month":0,"total":0},"priority":100,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"]', 'testing', '', 1794859697280150, 1794859697280150);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_dtbnc6hhjytwwnipl6csccczjr', '{"name":"Theta Green","url":"https://buyer-8.example.com","services":["recurring_cleaning"],"area":{},"hours":{},"caps":{"hour":0,"day":0,"month":0,"total":0},"priority":100,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"]', 'active', '', 1794859697437631, 1794859697437631);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_hekmwgn2jylitofzanqyvfilqy', '{"name":"Gamma Clean","url":"https://buyer-3.example.com","services":["house_cleaning"],"area":{},"hours":{},"caps":{"hour":0,"day":0,"month":0,"total":0},"priority":100,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"]', 'active', '', 1794859697143024, 1794859697143024);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_m4g6eg64iw6jpjli37g53r24td', '{"name":"Eta Paint","url":"https://buyer-7.example.com","services":["move_in_out_cleaning"],"area":{},"hours":{},"caps":{"hour":0,"day":0,"month":0,"total":0},"priority":100,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"]', 'active', '', 1794859697389520, 1794859697389520);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_mvzrxqfi2cv7henjcndrlm6wdt', '{"name":"Beta Pest","url":"https://buyer-2.example.com","services":["pest_control"],"area":{},"hours":{},"caps":{"hour":0,"day":0,"month":0,"total":0},"priority":100,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '[]', 'removed', 'its address answered 404', 1794859697053665, 1794859703404060);
INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at, walk_until, quiet_until) VALUES ('buyer_3ckplkpm2mfslsoldutiuutlxf', 1794859698604314, 12, 1, 1794859728638905, 1794859998578424, 0, 0);
INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at, walk_until, quiet_until) VALUES ('buyer_56vwcnqlz2mojy4h5qhgow6fkm', 1794859704424393, 0, 0, 0, 0, 0, 0);
INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at, walk_until, quiet_until) VALUES ('buyer_5h26hamtftbufacnqlnn5a34oh', 1794859697480389, 0, 0, 0, 0, 0, 0);
INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at, walk_until, quiet_until) VALUES ('buyer_6xyzc7z4jbkofjimnxykf3x6qa', 0, 0, 0, 0, 0, 0, 0);
INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at, walk_until, quiet_until) VALUES ('buyer_dtbnc6hhjytwwnipl6csccczjr', 1794859698639447, 1, 0, 0, 1794863298646695, 0, 1794863298646695);
INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at, walk_until, quiet_until) VALUES ('buyer_hekmwgn2jylitofzanqyvfilqy', 1794859698530067, 0, 0, 0, 0, 0, 0);
INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at, walk_until, quiet_until) VALUES ('buyer_m4g6eg64iw6jpjli37g53r24td', 1794859698611204, 0, 0, 0, 0, 0, 0);
INSERT INTO cap_use (buyer_id, hour, used, offered, accepted, delivered, returned) VALUES ('buyer_3ckplkpm2mfslsoldutiuutlxf', 498572, 0, 6, 0, 0, 0);
INSERT INTO cap_use (buyer_id, hour, used, offered, accepted, delivered, returned) VALUES ('buyer_56vwcnqlz2mojy4h5qhgow6fkm', 498572, 3, 3, 0, 0, 0);
INSERT INTO cap_use (buyer_id, hour, used, offered, accepted, delivered, returned) VALUES ('buyer_5h26hamtftbufacnqlnn5a34oh', 498572, 2, 2, 2, 2, 1);
INSERT INTO cap_use (buyer_id, hour, used, offered, accepted, delivered, returned) VALUES ('buyer_dtbnc6hhjytwwnipl6csccczjr', 498572, 0, 1, 0, 0, 0);
INSERT INTO cap_use (buyer_id, hour, used, offered, accepted, delivered, returned) VALUES ('buyer_hekmwgn2jylitofzanqyvfilqy', 498572, 0, 1, 0, 0, 0);
INSERT INTO cap_use (buyer_id, hour, used, offered, accepted, delivered, returned) VALUES ('buyer_m4g6eg64iw6jpjli37g53r24td', 498572, 1, 1, 1, 0, 0);
INSERT INTO cap_use (buyer_id, hour, used, offered, accepted, delivered, returned) VALUES ('buyer_mvzrxqfi2cv7henjcndrlm6wdt', 498572, 1, 1, 1, 0, 0);
INSERT INTO fresh (lead_seq) VALUES (22);
INSERT INTO fresh (lead_seq) VALUES (23);
INSERT INTO deliveries (lead_seq, lane, step, due_at, token, owner, since, offer_id, attempts, unsure, sent_at, url) VALUES (10, 'buyer_56vwcnqlz2mojy4h5qhgow6fkm', 'offer', 1794859743578424, 1, 'proc_uv5jj5zgv45lksgorhcgp7ptxr', 1794859698529459, 'offer_1k7ivj2cixqku5ryre62prtzzvetsdve5kg', 0, 0, 1794859698578424, 'https://buyer-4.example.com');
INSERT INTO deliveries (lead_seq, lane, step, due_at, token, owner, since, offer_id, attempts, unsure, sent_at, url) VALUES (17, 'buyer_m4g6eg64iw6jpjli37g53r24td', 'deliver', 1794859743629729, 2, 'proc_uv5jj5zgv45lksgorhcgp7ptxr', 1794859698606826, 'offer_1k7ivj2djo6h72l3fksdmpdei3uba7z5ent', 0, 1, 1794859698629729, 'https://buyer-7.example.com');
INSERT INTO deliveries (lead_seq, lane, step, due_at, token, owner, since, offer_id, attempts, unsure, sent_at, url) VALUES (20, 'buyer_56vwcnqlz2mojy4h5qhgow6fkm', 'offer', 1794859749424391, 1, 'proc_uv5jj5zgv45lksgorhcgp7ptxr', 1794859704420277, 'offer_1k7ivj838ou737wnyxn2ytxcjkgfzw5525t', 0, 0, 1794859704424391, 'https://buyer-4.example.com');
INSERT INTO deliveries (lead_seq, lane, step, due_at, token, owner, since, offer_id, attempts, unsure, sent_at, url) VALUES (21, 'buyer_56vwcnqlz2mojy4h5qhgow6fkm', 'offer', 1794859749424391, 1, 'proc_uv5jj5zgv45lksgorhcgp7ptxr', 1794859704420408, 'offer_1k7ivj838thrpnti6ukgybaghwoefkckg7n', 0, 0, 1794859704424391, 'https://buyer-4.example.com');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj1a0s2e4x4nybtwzzhch42uti4peqq', 2, 'buyer_5h26hamtftbufacnqlnn5a34oh', 1794859697472934, 0, 'delivered', '', 'sim_1k7ivj1a0s2e4x4nybtwzzhch42uti4peqq', 1794859703373347, 'a wrong number', 'lead_1k7ivj19ugu7vulofo3nhcm7gxzriekj2ht', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj1a8bklwxiqp2x2xedzqfbe7hf7i6b', 3, 'buyer_5h26hamtftbufacnqlnn5a34oh', 1794859697480388, 0, 'delivered', '', 'sim_1k7ivj1a8bklwxiqp2x2xedzqfbe7hf7i6b', 0, '', 'lead_1k7ivj1a4dbyiw6ka3tr6xtfx5vkc57a4hc', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj2arl5vwh2jntl5l223y43qsvghhtm', 8, 'buyer_mvzrxqfi2cv7henjcndrlm6wdt', 1794859698523745, 0, 'lost', '', 'sim_1k7ivj2arl5vwh2jntl5l223y43qsvghhtm', 0, '', 'lead_1k7ivj2apf6lje6wwjj3jwjavbxduo6kspn', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj2b26xepwqmef3yd7v6nobz76n6cmy', 9, 'buyer_hekmwgn2jylitofzanqyvfilqy', 1794859698530066, 0, 'declined', 'out_of_area', '', 0, '', 'lead_1k7ivj2asub22pwohltkwtzrs7wnvuviqd5', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj2cigroc36nlpwkemtos6zxuuxcv2l', 11, 'buyer_3ckplkpm2mfslsoldutiuutlxf', 1794859698578424, 0, 'failed', '', '', 0, '', 'lead_1k7ivj2b8ftauwlikdbbr4xddvju4mapdhp', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj2cihmvj2sb3g4vl3g27bhnfa5rjab', 12, 'buyer_3ckplkpm2mfslsoldutiuutlxf', 1794859698578424, 0, 'failed', '', '', 0, '', 'lead_1k7ivj2c5tw5aqlewqpwidhlntxiil2fmxj', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj2cipeh3kepqqopgaaqyunkpm7b7lq', 13, 'buyer_3ckplkpm2mfslsoldutiuutlxf', 1794859698578424, 0, 'failed', '', '', 0, '', 'lead_1k7ivj2cbhz3ris6fmr4nibjhm5co4ynlim', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj2cixqku5ryre62prtzzvetsdve5kg', 10, 'buyer_56vwcnqlz2mojy4h5qhgow6fkm', 1794859698578424, 0, 'open', '', '', 0, '', 'lead_1k7ivj2b1mj36yehaktuktyigenzfnfiz46', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj2cixrmekilz5o35z4rdvehts6zgcn', 14, 'buyer_3ckplkpm2mfslsoldutiuutlxf', 1794859698578424, 0, 'failed', '', '', 0, '', 'lead_1k7ivj2cgcekcagy7r6ui7ffxvwkgo3xxd6', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj2ctrsu65l2ajtxkzh46vrq6wi7vsl', 15, 'buyer_3ckplkpm2mfslsoldutiuutlxf', 1794859698589452, 0, 'failed', '', '', 0, '', 'lead_1k7ivj2cmssdfdm6y66ngnu5phemz66xgxi', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj2dceo5tivyjsselrywqshudg7brxb', 16, 'buyer_3ckplkpm2mfslsoldutiuutlxf', 1794859698604313, 0, 'failed', '', '', 0, '', 'lead_1k7ivj2d4nqmfpmbovmyjkw3lxrq7v2hd6s', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj2djo6h72l3fksdmpdei3uba7z5ent', 17, 'buyer_m4g6eg64iw6jpjli37g53r24td', 1794859698611203, 0, 'accepted', '', 'sim_1k7ivj2djo6h72l3fksdmpdei3uba7z5ent', 0, '', 'lead_1k7ivj2deluwoyvfxfhlueaybvlykrier6e', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj2ef7y2j7vlr7xxefuq4tejkyqoini', 18, 'buyer_dtbnc6hhjytwwnipl6csccczjr', 1794859698639446, 0, 'failed', '', '', 0, '', 'lead_1k7ivj2dldr45es6lrkf2donr4zx6ywmti4', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj838ou737wnyxn2ytxcjkgfzw5525t', 20, 'buyer_56vwcnqlz2mojy4h5qhgow6fkm', 1794859704424391, 0, 'open', '', '', 0, '', 'lead_1k7ivj834o5sil3qjf4euptgzkjbqynbvws', '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason, buyer_lead_id, passed_over) VALUES ('offer_1k7ivj838thrpnti6ukgybaghwoefkckg7n', 21, 'buyer_56vwcnqlz2mojy4h5qhgow6fkm', 1794859704424391, 0, 'open', '', '', 0, '', 'lead_1k7ivj834l7nbaoazgt5k2lwvju5bxz5gwx', '');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (1, 2, 'offer_1k7ivj1a0s2e4x4nybtwzzhch42uti4peqq', 'lead.offered', 1794859697476411, 1988, 200, '', '{"decision":"accept","buyer_ref":"sim_1k7ivj1a0s2e4x4nybtwzzhch42uti4peqq"}
', 'accept', 'https://buyer-1.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (2, 2, 'offer_1k7ivj1a0s2e4x4nybtwzzhch42uti4peqq', 'lead.delivered', 1794859697481654, 995, 200, '', '{"decision":"accept","buyer_ref":"sim_1k7ivj1a0s2e4x4nybtwzzhch42uti4peqq"}
', 'accept', 'https://buyer-1.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (3, 3, 'offer_1k7ivj1a8bklwxiqp2x2xedzqfbe7hf7i6b', 'lead.offered', 1794859697484600, 225, 200, '', '{"decision":"accept","buyer_ref":"sim_1k7ivj1a8bklwxiqp2x2xedzqfbe7hf7i6b"}
', 'accept', 'https://buyer-1.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (4, 3, 'offer_1k7ivj1a8bklwxiqp2x2xedzqfbe7hf7i6b', 'lead.delivered', 1794859697486623, 381, 200, '', '{"decision":"accept","buyer_ref":"sim_1k7ivj1a8bklwxiqp2x2xedzqfbe7hf7i6b"}
', 'accept', 'https://buyer-1.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (5, 8, 'offer_1k7ivj2arl5vwh2jntl5l223y43qsvghhtm', 'lead.offered', 1794859698525620, 1948, 200, '', '{"decision":"accept","buyer_ref":"sim_1k7ivj2arl5vwh2jntl5l223y43qsvghhtm"}
', 'accept', 'https://buyer-2.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (6, 8, 'offer_1k7ivj2arl5vwh2jntl5l223y43qsvghhtm', 'lead.delivered', 1794859698531695, 720, 404, '', '', 'pause', 'https://buyer-2.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (7, 9, 'offer_1k7ivj2b26xepwqmef3yd7v6nobz76n6cmy', 'lead.offered', 1794859698535254, 4749, 200, '', '{"decision":"reject","code":"out_of_area","buyer_ref":"sim_1k7ivj2b26xepwqmef3yd7v6nobz76n6cmy"}
', 'reject out_of_area', 'https://buyer-3.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (8, 11, 'offer_1k7ivj2cigroc36nlpwkemtos6zxuuxcv2l', 'lead.offered', 1794859698583385, 46167, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (9, 17, 'offer_1k7ivj2djo6h72l3fksdmpdei3uba7z5ent', 'lead.offered', 1794859698615864, 13864, 200, '', '{"decision":"accept","buyer_ref":"sim_1k7ivj2djo6h72l3fksdmpdei3uba7z5ent"}
', 'accept', 'https://buyer-7.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (10, 14, 'offer_1k7ivj2cixrmekilz5o35z4rdvehts6zgcn', 'lead.offered', 1794859698582637, 47210, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (11, 15, 'offer_1k7ivj2ctrsu65l2ajtxkzh46vrq6wi7vsl', 'lead.offered', 1794859698608664, 29954, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (12, 13, 'offer_1k7ivj2cipeh3kepqqopgaaqyunkpm7b7lq', 'lead.offered', 1794859698591126, 47724, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (13, 12, 'offer_1k7ivj2cihmvj2sb3g4vl3g27bhnfa5rjab', 'lead.offered', 1794859698591370, 47534, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (14, 16, 'offer_1k7ivj2dceo5tivyjsselrywqshudg7brxb', 'lead.offered', 1794859698615747, 23530, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (15, 18, 'offer_1k7ivj2ef7y2j7vlr7xxefuq4tejkyqoini', 'lead.offered', 1794859698642093, 4601, 429, '', '', 'failed', 'https://buyer-8.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (16, 11, 'offer_1k7ivj2cigroc36nlpwkemtos6zxuuxcv2l', 'lead.offered', 1794859700692894, 3417, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (17, 12, 'offer_1k7ivj2cihmvj2sb3g4vl3g27bhnfa5rjab', 'lead.offered', 1794859700698004, 3885, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (18, 15, 'offer_1k7ivj2ctrsu65l2ajtxkzh46vrq6wi7vsl', 'lead.offered', 1794859700699077, 3097, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (19, 14, 'offer_1k7ivj2cixrmekilz5o35z4rdvehts6zgcn', 'lead.offered', 1794859700698877, 3385, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (20, 16, 'offer_1k7ivj2dceo5tivyjsselrywqshudg7brxb', 'lead.offered', 1794859700699390, 2959, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url) VALUES (21, 13, 'offer_1k7ivj2cipeh3kepqqopgaaqyunkpm7b7lq', 'lead.offered', 1794859700699354, 3068, 500, '', '', 'failed', 'https://buyer-6.example.com');
INSERT INTO prints (print, lead_seq, at) VALUES ('k1c3f19c1b1292c67ef2147d259262bad392e3783', 16, 1794859698596492);
INSERT INTO prints (print, lead_seq, at) VALUES ('k38a976820c770ea1c60244c942c1bdfcb7e7022c', 15, 1794859698582057);
INSERT INTO prints (print, lead_seq, at) VALUES ('k598c4c3ee3285a09fbfff8954064a18d77b59f17', 3, 1794859697476831);
INSERT INTO prints (print, lead_seq, at) VALUES ('k60e05a2fa8605ebab53ce5b33ec2bbfe80a9ee1d', 9, 1794859698524563);
INSERT INTO prints (print, lead_seq, at) VALUES ('k60f0008fa9d00dcf602407b1bb8423d0f2a94d48', 20, 1794859704420277);
INSERT INTO prints (print, lead_seq, at) VALUES ('k67f4ebfff54c48135ca2e8d2628880d9d2803365', 8, 1794859698521949);
INSERT INTO prints (print, lead_seq, at) VALUES ('k837c0b25ff50ab04ea58c4d41b0c9ab74502bf34', 18, 1794859698613198);
INSERT INTO prints (print, lead_seq, at) VALUES ('k9ebf6ed4025184dafacd6596a895a93a65776eaa', 12, 1794859698565277);
INSERT INTO prints (print, lead_seq, at) VALUES ('kb0f25b07698fd40e07d514be98418e48cf81cd3d', 11, 1794859698536844);
INSERT INTO prints (print, lead_seq, at) VALUES ('kb30f499ec37bebfc1d9a723d14885c4490480588', 2, 1794859697470898);
INSERT INTO prints (print, lead_seq, at) VALUES ('kbbcf6c59d1eac56f9fc9460499f4e66c5a22f6e5', 21, 1794859704420408);
INSERT INTO prints (print, lead_seq, at) VALUES ('kc14ebee7a3389415458560c6a044d1038c312f52', 17, 1794859698606826);
INSERT INTO prints (print, lead_seq, at) VALUES ('kcc6dfc76af0feb79bbeb8fd02c766df2808e59f0', 14, 1794859698576986);
INSERT INTO prints (print, lead_seq, at) VALUES ('kd298a4fdf0ad03f1eda6da57f34166bbcce9784a', 13, 1794859698571063);
INSERT INTO prints (print, lead_seq, at) VALUES ('kf6c2cac9a2cf60983aad79b2ceb817580e0164ba', 10, 1794859698529459);
INSERT INTO sold (print, buyer_id, at) VALUES ('k598c4c3ee3285a09fbfff8954064a18d77b59f17', 'buyer_5h26hamtftbufacnqlnn5a34oh', 1794859697476831);
INSERT INTO sold (print, buyer_id, at) VALUES ('k67f4ebfff54c48135ca2e8d2628880d9d2803365', 'buyer_mvzrxqfi2cv7henjcndrlm6wdt', 1794859698521949);
INSERT INTO sold (print, buyer_id, at) VALUES ('kb30f499ec37bebfc1d9a723d14885c4490480588', 'buyer_5h26hamtftbufacnqlnn5a34oh', 1794859697470898);
INSERT INTO sold (print, buyer_id, at) VALUES ('kc14ebee7a3389415458560c6a044d1038c312f52', 'buyer_m4g6eg64iw6jpjli37g53r24td', 1794859698606826);
INSERT INTO wishes (seq, id, at, kind, phone, lead_id, state, note, evidence) VALUES (1, 'wish_1k7ivj6kqvneiywxgga3sbr5blbwufitqtx', 1794859702938611, 'withdraw', '+13055550198', '', 'open', '', '{"door":"form","client":"127.0.0.1","user_agent":"curl/7.88.1","origin":"http://localhost:9200","request_id":"req_nog6n543ehtcq4glv7eebbuubh","consent":{}}');
INSERT INTO wishes (seq, id, at, kind, phone, lead_id, state, note, evidence) VALUES (2, 'wish_1k7ivj6o1kq5v4vfplwu6dnjgveqettuls2', 1794859703041784, 'erase', '', 'lead_1k7ivj19uzw4ooymgkvpqwb5ygxph3dikle', 'done', '', '{"door":"form","client":"127.0.0.1","user_agent":"curl/7.88.1","origin":"http://localhost:9200","request_id":"req_hwlzurlujbpycfscry7xpg6zcx","consent":{}}');
INSERT INTO wishes (seq, id, at, kind, phone, lead_id, state, note, evidence) VALUES (3, 'wish_1k7ivj6t07xmn52ygzor6wekrspode4mj6z', 1794859703200422, 'withdraw', '+13055550160', 'lead_1k7ivj2e7vdcoemj6hqze4qvr6z3s3ul372', 'open', '', '{"door":"form","client":"127.0.0.1","user_agent":"curl/7.88.1","origin":"http://localhost:9200","request_id":"req_mu2rm7q3q7p2mcg4rpuyvjmsi7","consent":{}}');
INSERT INTO keys (id, created_at) VALUES ('buyer-lead-id.31582f1b25d9abb17859', 1794859696693443);
INSERT INTO keys (id, created_at) VALUES ('form-token.4845610198699c5f5cdc', 1794859696693443);
INSERT INTO keys (id, created_at) VALUES ('index.8b3ab63d555ea9d6925d', 1794859696693443);
INSERT INTO withheld (lead_seq, reason, print, at, look_at) VALUES (4, 'duplicate', 'k598c4c3ee3285a09fbfff8954064a18d77b59f17', 1794859698482896, 0);
INSERT INTO webhook_ids (id, at) VALUES ('offer_1k7ivj1a0s2e4x4nybtwzzhch42uti4peqq/50001848ea8fe7d511f794cd534bdc69/4609666be87241e791d44ae7598ad77e', 1794859703373347);
INSERT INTO changes (topic, version) VALUES ('buyers', 11) ON CONFLICT (topic) DO UPDATE SET version = excluded.version;
INSERT INTO changes (topic, version) VALUES ('pulse', 1) ON CONFLICT (topic) DO UPDATE SET version = excluded.version;
INSERT INTO changes (topic, version) VALUES ('suppressions', 2) ON CONFLICT (topic) DO UPDATE SET version = excluded.version;
