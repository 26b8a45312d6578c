-- +goose Up
-- What became of all offers so far, counted once. From here on each is counted as it happens.
INSERT INTO cap_use (buyer_id, hour, used, offered, accepted, delivered, returned)
    SELECT buyer_id, at / 3600000000, 0, count(*), sum(CASE WHEN state IN ('accepted', 'delivered', 'lost') THEN 1 ELSE 0 END),
        sum(CASE WHEN state = 'delivered' THEN 1 ELSE 0 END), sum(CASE WHEN returned_at > 0 THEN 1 ELSE 0 END)
    FROM offers WHERE buyer_id IN (SELECT id FROM buyers) GROUP BY buyer_id, at / 3600000000
    ON CONFLICT (buyer_id, hour) DO UPDATE SET offered = excluded.offered, accepted = excluded.accepted, delivered = excluded.delivered, returned = excluded.returned;

-- +goose Down
SELECT 1;
