-- A database as foyer cc23519 left it, killed at its work: leads of every status, with everything that belongs to them. The
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
);
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
);
CREATE TABLE cap_use (
    buyer_id TEXT NOT NULL,
    hour     BIGINT NOT NULL,
    used     BIGINT NOT NULL,
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
);
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
);
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
);
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
);
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
INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (1, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (2, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (3, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (4, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (5, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (6, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (7, 1);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (8, 1);
-- ----
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (1, 'lead_1k7i9je2gsabujgueeyysxthj4xxleiier4', 'call_to_connect', 1794836641872426, 1794836641872426, 'plumbing', '33139', '', '{"service_type":"plumbing","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":false}', X'7b226e616d65223a22222c2270686f6e65223a22227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_oqloci7rouqgeqyf2mpl72caah","consent":{}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (2, 'lead_1k7i9je3mcyxkcrvfu5jnm5r4yercmistjy', 'forwarded', 1794836641910614, 1794836641951258, 'hvac', '33139', '', '{"service_type":"hvac","zip_code":"33139","city":"Miami Beach","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true,"source_agent":"example-agent"}', X'7b226e616d65223a22506174204578616d706c65222c2270686f6e65223a222b3133303535353530313031222c22656d61696c223a22706174406578616d706c652e636f6d222c22737472656574223a2231204578616d706c6520537472656574222c226e6f746573223a2254686520756e6974206f6e2074686520726f6f66206973206c6f75642e227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_ent6mmw7q7lqa33hd4xn5fmfgr","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (3, 'lead_1k7i9je4oirfw2ygrfq6j2us4p4y6gyocza', 'forwarded', 1794836641944577, 1794836641972526, 'hvac', '33139', '', '{"service_type":"hvac","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a2253616d204578616d706c65222c2270686f6e65223a222b3133303535353530313032227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_qntwuljakj7krmj54vqc5hzkg7","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (4, 'lead_1k7i9je6ew2t4rkw6arcirawxlwgt4c7x5i', 'collected', 1794836641998428, 1794836641998428, 'hvac', '10001', '', '{"service_type":"hvac","zip_code":"10001","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a224b696d204578616d706c65222c2270686f6e65223a222b3132313235353530313033227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_haa6t4fmyj4xip3qodhl56pnt2","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (5, 'lead_1k7i9je8a4m6byi5qcuj5admfww7jh6xmsy', 'rejected', 1794836642058352, 1794836644254514, 'hvac', '10001', '', '{"service_type":"hvac","zip_code":"10001","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a224c6f75204578616d706c65222c2270686f6e65223a222b3132313235353530313034227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_ax3l2il2qwlk3jj2bfblqyc35v","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (6, 'lead_1k7i9je9lhiknag2n7yez3puo74pbof5rha', 'rejected', 1794836642101629, 1794836644289374, 'hvac', '10002', '', '{"service_type":"hvac","zip_code":"10002","city":"New York","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', NULL, '{"door":"json","client":"","request_id":"req_am55fuh4bik6enpjgjjltobtgn","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (7, 'lead_1k7i9jebaqavav3gjlfdqg6n4um6fqi2zlk', 'error', 1794836642154035, 1794836674462946, 'pest_control', '33139', '', '{"service_type":"pest_control","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22496461204578616d706c65222c2270686f6e65223a222b3133303535353530313036227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_7mogdxehdimg42ielhyu3o6ih4","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (8, 'lead_1k7i9jebqtjay7ra53zwrnwtir7kwjcopbn', 'collected', 1794836642170306, 1794836642190340, 'house_cleaning', '60601', '', '{"service_type":"house_cleaning","zip_code":"60601","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a224d6178204578616d706c65222c2270686f6e65223a222b3133313235353530313037227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_5mhradxnfjtkpit2hpqs3dfyub","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (9, 'lead_1k7i9jed2q43fbchxq7st2mth7dz5ndd6b4', 'collected', 1794836642210484, 1794836674469912, 'handyman', '33139', '', '{"service_type":"handyman","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a22457661204578616d706c65222c2270686f6e65223a222b3133303535353530313038227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_fkd4a4kwzm5ytu76qngiplnjj5","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO leads (seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES (10, 'lead_1k7i9kvg62psh6s3mzuvgrmgnmtkcymhdcb', 'received', 1794836692486203, 1794836692486203, 'handyman', '33139', '', '{"service_type":"handyman","zip_code":"33139","home":{},"frequency":"one_time","flexible_dates":true,"consent_to_contact":true}', X'7b226e616d65223a224e6564204578616d706c65222c2270686f6e65223a222b3133303535353530313039227d', '{"door":"json","client":"127.0.0.1","user_agent":"curl/7.88.1","request_id":"req_skkf75fyj54bcjc5yo4pt3vsw7","consent":{"version":"stated-2026-11","hash":"bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf"}}');
INSERT INTO history (seq, lead_seq, at, status, actor, reason) VALUES (1, 2, 1794836641951258, 'forwarded', 'service', 'accepted and acknowledged by buyer_wah6sziljxzciiy5hbaaiwsund');
INSERT INTO history (seq, lead_seq, at, status, actor, reason) VALUES (2, 3, 1794836641972526, 'forwarded', 'service', 'accepted and acknowledged by buyer_wah6sziljxzciiy5hbaaiwsund');
INSERT INTO history (seq, lead_seq, at, status, actor, reason) VALUES (3, 8, 1794836642190340, 'collected', 'service', 'nobody who covers it took it');
INSERT INTO history (seq, lead_seq, at, status, actor, reason) VALUES (4, 5, 1794836644254514, 'rejected', 'operator', 'sold elsewhere');
INSERT INTO history (seq, lead_seq, at, status, actor, reason) VALUES (5, 6, 1794836644289374, 'rejected', 'operator', 'personal details erased');
INSERT INTO history (seq, lead_seq, at, status, actor, reason) VALUES (6, 7, 1794836674462946, 'error', 'service', 'the buyer that accepted was removed before it had the contact');
INSERT INTO history (seq, lead_seq, at, status, actor, reason) VALUES (7, 9, 1794836674469912, 'collected', 'service', 'nobody who covers it took it');
INSERT INTO consent_texts (hash, version, text, first_used) VALUES ('a31af9bb8040eaa6aadbea10483ef7ceb1d1151ea30d2762c2492d181c68d63b', 'shown-2026-11', 'I agree that Foyer and an independent contractor or contractor network that receives this request may call or text me about it, at the phone number I gave. I do not have to agree in order to buy anything, and I can take my agreement back at any time by writing to hello@example.com. Message and data rates may apply.', 1794836639398956);
INSERT INTO consent_texts (hash, version, text, first_used) VALUES ('bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf', 'stated-2026-11', 'The sender states that the person was asked, and explicitly agreed, that Foyer and an independent contractor or contractor network that receives this request may call or text them about it, at the phone number given. The person was told that they can take this back at any time by writing to hello@example.com.', 1794836639398956);
INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) VALUES ('f62cdc6d7746d39b8b8e76b79aabb2d041dfb0ce9d2b924456585c0a5562e351', '233842ef91111affbaaf4acc7249104f5e9067686b84baf5a1b112c7a61ec58d', X'7b226c6561645f6964223a226c6561645f316b3769396a65366577327434726b773661726369726177786c776774346337783569222c22737461747573223a22636f6c6c6563746564222c226d657373616765223a22546865207265717565737420666f722068656174696e6720616e6420636f6f6c696e6720696e205a495020636f64652031303030312077617320726563656976656420616e642069732068656c642e204e6f20636f6e74726163746f72206e6574776f726b2074616b6573206974207269676874206e6f773b2069742069732070617373656420616c6f6e67207768656e206f6e6520646f65732e204974206973206e6f74206120626f6f6b696e672c20616e64206e6f2063616c6c6261636b2c206172726976616c2074696d65206f7220636f6d70616e792069732070726f6d697365642e222c226e6578745f7374657073223a5b224b65657020746865206c6561645f69643a20697420697320746865206f6e6c792077617920746f206c6f6f6b2074686520726571756573742075702e222c22446f206e6f74207761697420666f7220612063616c6c6261636b3a206e6f6e652069732070726f6d697365642e2049662074686520776f726b20697320757267656e742c206c6f6f6b20666f722068656c7020656c7365776865726520746f6f2e225d2c22657374696d617465645f7061796f75745f68696e74223a6e756c6c2c2263616c6c5f746f5f636f6e6e656374223a6e756c6c2c2263616c6c5f746f5f636f6e6e6563745f646973706c6179223a6e756c6c2c2263616c6c5f696e737472756374696f6e223a6e756c6c2c226472795f72756e223a66616c73657d', 1794836641998428);
INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) VALUES ('f69350cf260b43c9043b4559e279f385f8c1f2beca0bd3c589665b5df2486a71', '7b05f8f50b9f39e69246b973c00262e0609f3ab35a55668b73f33b795e0fdaf2', X'7b226c6561645f6964223a226c6561645f316b3769396a65336d6379786b6372766675356a6e6d357234796572636d6973746a79222c22737461747573223a227265636569766564222c226d657373616765223a22546865207265717565737420666f722068656174696e6720616e6420636f6f6c696e6720696e205a495020636f6465203333313339207761732072656365697665642e204120636f6e74726163746f72206e6574776f726b207468617420636f76657273206974206973206265696e672061736b65642e204974206973206e6f74206120626f6f6b696e672c20616e64206e6f2063616c6c6261636b2c206172726976616c2074696d65206f7220636f6d70616e792069732070726f6d697365642e222c226e6578745f7374657073223a5b224b65657020746865206c6561645f69643a20697420697320746865206f6e6c792077617920746f206c6f6f6b2074686520726571756573742075702e222c22446f206e6f74207761697420666f7220612063616c6c6261636b3a206e6f6e652069732070726f6d697365642e2049662074686520776f726b20697320757267656e742c206c6f6f6b20666f722068656c7020656c7365776865726520746f6f2e225d2c22657374696d617465645f7061796f75745f68696e74223a6e756c6c2c2263616c6c5f746f5f636f6e6e656374223a6e756c6c2c2263616c6c5f746f5f636f6e6e6563745f646973706c6179223a6e756c6c2c2263616c6c5f696e737472756374696f6e223a6e756c6c2c226472795f72756e223a66616c73657d', 1794836641910614);
INSERT INTO suppressions (phone, reason, created_at) VALUES ('+13055550199', 'asked not to be contacted', 1794836644334648);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_a343ubdwjwsk2xsausxxrkgmeb', '{"name":"Delta Hands","url":"https://buyer-4.example.com/","services":["handyman"],"area":{},"hours":{},"caps":{"hour":0,"day":0,"month":0,"total":0},"priority":100,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '["whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="]', 'active', '', 1794836640318106, 1794836640318106);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_pnphw2wv2i6ck4rrhar64owxc7', '{"name":"Epsilon","url":"https://buyer-4.example.com/","services":["hvac"],"area":{},"hours":{},"caps":{"hour":0,"day":0,"month":0,"total":0},"priority":100,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '["whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="]', 'paused', 'by the operator', 1794836640340774, 1794836640340774);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_qn7elbfxexu4ajjsreeljxgvup', '{"name":"Gamma Clean","url":"https://buyer-3.example.com/","services":["house_cleaning"],"area":{},"hours":{},"caps":{"hour":0,"day":0,"month":0,"total":0},"priority":5,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '["whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="]', 'active', '', 1794836640301744, 1794836640301744);
INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ('buyer_wah6sziljxzciiy5hbaaiwsund', '{"name":"Alpha Air","url":"https://buyer-1.example.com/","services":["hvac"],"area":{"zips":"331*"},"hours":{},"caps":{"hour":0,"day":100,"month":0,"total":0},"priority":100,"payout_public":false,"demands":{"own_form":false,"plausible_phone":false,"no_duplicates":false,"street":false},"one_step":false,"plain_accept":false}', '["whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="]', 'active', '', 1794836640262166, 1794836640262166);
INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at) VALUES ('buyer_a343ubdwjwsk2xsausxxrkgmeb', 1794836692489716, 2, 0, 0, 1794836974469912);
INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at) VALUES ('buyer_pnphw2wv2i6ck4rrhar64owxc7', 0, 0, 0, 0, 0);
INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at) VALUES ('buyer_qn7elbfxexu4ajjsreeljxgvup', 1794836642176875, 0, 0, 0, 0);
INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at) VALUES ('buyer_wah6sziljxzciiy5hbaaiwsund', 1794836641954603, 0, 0, 0, 0);
INSERT INTO cap_use (buyer_id, hour, used) VALUES ('buyer_a343ubdwjwsk2xsausxxrkgmeb', 498565, 1);
INSERT INTO cap_use (buyer_id, hour, used) VALUES ('buyer_qn7elbfxexu4ajjsreeljxgvup', 498565, 0);
INSERT INTO cap_use (buyer_id, hour, used) VALUES ('buyer_wah6sziljxzciiy5hbaaiwsund', 498565, 2);
INSERT INTO deliveries (lead_seq, lane, step, due_at, token, owner, since, offer_id, attempts, unsure) VALUES (10, 'buyer_a343ubdwjwsk2xsausxxrkgmeb', 'offer', 1794836737489715, 1, 'proc_23u22nf7477shlhcaj2l3ter73', 1794836692486203, 'offer_1k7i9kvg9p3ffvk7mhdgnzqypepeesf7b2a', 0, 0);
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason) VALUES ('offer_1k7i9je3oopvzcozudn2fa3dktin7kuchrt', 2, 'buyer_wah6sziljxzciiy5hbaaiwsund', 1794836641912349, 0, 'delivered', '', 'sim_1k7i9je3oopvzcozudn2fa3dktin7kuchrt', 1794836645066330, 'a wrong number');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason) VALUES ('offer_1k7i9je52nu5h3kijd55b5odmra4y53nchl', 3, 'buyer_wah6sziljxzciiy5hbaaiwsund', 1794836641954602, 0, 'delivered', '', 'sim_1k7i9je52nu5h3kijd55b5odmra4y53nchl', 0, '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason) VALUES ('offer_1k7i9jebbbocrtszdanqgkcpoqyuinqsq4z', 7, 'buyer_h4vufy6ibasnuvoxm2h63tidzi', 1794836642155036, 0, 'lost', '', 'sim_1k7i9jebbbocrtszdanqgkcpoqyuinqsq4z', 0, '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason) VALUES ('offer_1k7i9jec06prm2frmn7t5hytipwnv3nbdia', 8, 'buyer_qn7elbfxexu4ajjsreeljxgvup', 1794836642176874, 0, 'declined', 'out_of_area', '', 0, '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason) VALUES ('offer_1k7i9jed7upagqjywwirumcndku2rsgxfhu', 9, 'buyer_a343ubdwjwsk2xsausxxrkgmeb', 1794836642215980, 0, 'failed', '', '', 0, '');
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, returned_at, returned_reason) VALUES ('offer_1k7i9kvg9p3ffvk7mhdgnzqypepeesf7b2a', 10, 'buyer_a343ubdwjwsk2xsausxxrkgmeb', 1794836692489715, 0, 'open', '', '', 0, '');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision) VALUES (1, 2, 'offer_1k7i9je3oopvzcozudn2fa3dktin7kuchrt', 'lead.offered', 1794836641913905, 6246, 200, '', '{"decision":"accept","buyer_ref":"sim_1k7i9je3oopvzcozudn2fa3dktin7kuchrt"}
', 'accept');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision) VALUES (2, 2, 'offer_1k7i9je3oopvzcozudn2fa3dktin7kuchrt', 'lead.delivered', 1794836641929041, 22216, 200, '', '{"decision":"accept","buyer_ref":"sim_1k7i9je3oopvzcozudn2fa3dktin7kuchrt"}
', 'accept');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision) VALUES (3, 3, 'offer_1k7i9je52nu5h3kijd55b5odmra4y53nchl', 'lead.offered', 1794836641964509, 5801, 200, '', '{"decision":"accept","buyer_ref":"sim_1k7i9je52nu5h3kijd55b5odmra4y53nchl"}
', 'accept');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision) VALUES (4, 3, 'offer_1k7i9je52nu5h3kijd55b5odmra4y53nchl', 'lead.delivered', 1794836641972056, 469, 200, '', '{"decision":"accept","buyer_ref":"sim_1k7i9je52nu5h3kijd55b5odmra4y53nchl"}
', 'accept');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision) VALUES (5, 7, 'offer_1k7i9jebbbocrtszdanqgkcpoqyuinqsq4z', 'lead.offered', 1794836642163856, 1168, 200, '', '{"decision":"accept","buyer_ref":"sim_1k7i9jebbbocrtszdanqgkcpoqyuinqsq4z"}
', 'accept');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision) VALUES (6, 7, 'offer_1k7i9jebbbocrtszdanqgkcpoqyuinqsq4z', 'lead.delivered', 1794836642173355, 2772, 404, '', '', 'pause');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision) VALUES (7, 8, 'offer_1k7i9jec06prm2frmn7t5hytipwnv3nbdia', 'lead.offered', 1794836642180015, 1570, 200, '', '{"decision":"reject","code":"out_of_area","buyer_ref":"sim_1k7i9jec06prm2frmn7t5hytipwnv3nbdia"}
', 'reject out_of_area');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision) VALUES (8, 7, 'offer_1k7i9jebbbocrtszdanqgkcpoqyuinqsq4z', 'lead.delivered', 1794836646465276, 505, 404, '', '', 'pause');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision) VALUES (9, 9, 'offer_1k7i9jed7upagqjywwirumcndku2rsgxfhu', 'lead.offered', 1794836642218658, 15001268, 0, 'timeout: no answer within 15s', '', 'failed');
INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision) VALUES (10, 9, 'offer_1k7i9jed7upagqjywwirumcndku2rsgxfhu', 'lead.offered', 1794836659466937, 15001012, 0, 'timeout: no answer within 15s', '', 'failed');
INSERT INTO prints (print, lead_seq, at) VALUES ('1a2e033c3bd89004595b1e60495f1e30', 7, 1794836642154035);
INSERT INTO prints (print, lead_seq, at) VALUES ('2a3b230fcc1e5363c8f97a46aeb16d35', 3, 1794836641944577);
INSERT INTO prints (print, lead_seq, at) VALUES ('565011aa78a7ecb0a2408d157223f6f3', 2, 1794836641910614);
INSERT INTO prints (print, lead_seq, at) VALUES ('9ecdc1295fced0f16065697b0be4a93c', 10, 1794836692486203);
INSERT INTO prints (print, lead_seq, at) VALUES ('a8325d7670f51a72310799ec225fe1f7', 8, 1794836642170306);
INSERT INTO prints (print, lead_seq, at) VALUES ('e6525bdcd4da7c6440f8fb0b8fd050fe', 9, 1794836642210484);
INSERT INTO sold (print, buyer_id, at) VALUES ('1a2e033c3bd89004595b1e60495f1e30', 'buyer_h4vufy6ibasnuvoxm2h63tidzi', 1794836642154035);
INSERT INTO sold (print, buyer_id, at) VALUES ('2a3b230fcc1e5363c8f97a46aeb16d35', 'buyer_wah6sziljxzciiy5hbaaiwsund', 1794836641944577);
INSERT INTO sold (print, buyer_id, at) VALUES ('565011aa78a7ecb0a2408d157223f6f3', 'buyer_wah6sziljxzciiy5hbaaiwsund', 1794836641910614);
INSERT INTO wishes (seq, id, at, kind, phone, lead_id, state, note) VALUES (1, 'wish_1k7i9jghcowamnmiggsmbfxrscmeqyney6u', 1794836644396493, 'withdraw', '+13055550102', '', 'open', '');
INSERT INTO wishes (seq, id, at, kind, phone, lead_id, state, note) VALUES (2, 'wish_1k7i9jgiay5q3duq6fx3pxjltohhu6vpinw', 1794836644426557, 'erase', '', 'lead_1k7i9je3mcyxkcrvfu5jnm5r4yercmistjy', 'done', '');
INSERT INTO changes (topic, version) VALUES ('buyers', 8) ON CONFLICT (topic) DO UPDATE SET version = excluded.version;
INSERT INTO changes (topic, version) VALUES ('pulse', 1) ON CONFLICT (topic) DO UPDATE SET version = excluded.version;
INSERT INTO changes (topic, version) VALUES ('suppressions', 2) ON CONFLICT (topic) DO UPDATE SET version = excluded.version;
