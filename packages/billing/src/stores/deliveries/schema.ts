/**
 * `webhook_endpoints`: each endpoint's position in the feed (`last_event`), the beginning of its present run of failures,
 * and when the first of its deliveries is due. `webhook_deliveries`: one row for an endpoint and an event. A delivery waits
 * (`due_at`), is being sent (`leased_until`, by the wall clock), is held back by an earlier one of its resource (neither),
 * or is over (`finished_at`). `webhook_feed`: the position up to which the feed was read. `webhook_list`: when this list
 * began; an older endpoint that it does not know was in a list that is lost.
 */
export const deliveryTables = `
  CREATE TABLE IF NOT EXISTS webhook_feed (one INTEGER PRIMARY KEY CHECK (one = 1), last_event TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS webhook_list (one INTEGER PRIMARY KEY CHECK (one = 1), begun_at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS webhook_endpoints (
    webhook_id TEXT PRIMARY KEY, begins_at INTEGER NOT NULL, last_event TEXT, failing_since INTEGER,
    is_suspended INTEGER NOT NULL, next_due INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS webhook_endpoints_due ON webhook_endpoints (next_due) WHERE next_due IS NOT NULL;
  CREATE TABLE IF NOT EXISTS webhook_deliveries (
    id TEXT PRIMARY KEY, webhook_id TEXT NOT NULL, merchant_id TEXT NOT NULL, environment TEXT NOT NULL,
    kind TEXT NOT NULL, event_id TEXT NOT NULL, event_type TEXT NOT NULL, resource_id TEXT NOT NULL,
    sequence INTEGER NOT NULL, created_at INTEGER NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL,
    first_attempt_at INTEGER, last_attempt_at INTEGER, due_at INTEGER, leased_until INTEGER, leased_by TEXT,
    finished_at INTEGER, answer TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS webhook_deliveries_listed ON webhook_deliveries (webhook_id, id);
  CREATE INDEX IF NOT EXISTS webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at)
    WHERE due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS webhook_deliveries_in_order ON webhook_deliveries (webhook_id, resource_id, sequence)
    WHERE finished_at IS NULL AND kind = 'event';
  CREATE INDEX IF NOT EXISTS webhook_deliveries_leased ON webhook_deliveries (leased_until)
    WHERE leased_until IS NOT NULL;
  CREATE INDEX IF NOT EXISTS webhook_deliveries_finished ON webhook_deliveries (finished_at)
    WHERE finished_at IS NOT NULL;
`
