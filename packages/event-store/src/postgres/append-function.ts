/** The call that takes the log's lock up to the end of the transaction: whoever has it sees the log's true end. */
export const takeLogLock = "pg_advisory_xact_lock((1364544852::bigint << 32) | 'events'::regclass::oid::bigint)"

/**
 * The function that writes the appends of one commit: takes the log's lock, judges each append by the head of its
 * stream, inserts the events of all that fit by one statement, moves the marks of inline projections, and wakes readers
 * of other processes. So the lock is held for one call and the commit, and never while a client computes or is paused.
 *
 * The lock is held until the commit is visible, and each statement of a function sees what is committed when it starts:
 * whoever has the lock sees the log's true end. So positions have no gaps, and none becomes visible after a larger one.
 *
 * One append has `at_streams`, `at_revisions` and `at_hashes` (its head); one event the rest, and its append's number in
 * `owners`. No two appends have one stream. The answer: `tail`, the last position before; for each append its stream's
 * `actuals` (revision), `places` (position), and `genuine` (whether the head's hash is the stream's); and `applied`, the
 * positions of the projections before, if anything was written.
 */
export const appendFunction = `
  CREATE FUNCTION append_1(
    at_streams text[], at_revisions bigint[], at_hashes text[],
    owners int[], revisions bigint[], schema_versions bigint[], hashes text[],
    streams text[], ids text[], types text[], datas text[], metadatas text[],
    at_time bigint, projections text[], versions bigint[]
  ) RETURNS json LANGUAGE plpgsql AS $body$
  DECLARE
    tail bigint; running bytea; written int := 0; digests bytea[]; positions bigint[];
    head_revision bigint; head_position bigint; head_hash text;
    actuals bigint[]; places bigint[]; genuine boolean[]; fits boolean[]; applied bigint[] := '{}';
  BEGIN
    PERFORM ${takeLogLock};
    SELECT e.position, e.digest INTO tail, running FROM events e ORDER BY e.position DESC LIMIT 1;
    IF NOT FOUND THEN
      tail := 0;
      running := decode(repeat('0', 64), 'hex');
    END IF;
    FOR n IN 1 .. cardinality(at_streams) LOOP
      SELECT e.revision, e.position, encode(e.hash, 'hex') INTO head_revision, head_position, head_hash
        FROM events e WHERE e.stream = at_streams[n] ORDER BY e.revision DESC LIMIT 1;
      IF NOT FOUND THEN
        head_revision := -1;
        head_position := 0;
        head_hash := repeat('0', 64);
      END IF;
      actuals[n] := head_revision;
      places[n] := head_position;
      genuine[n] := head_hash = at_hashes[n];
      fits[n] := genuine[n] AND head_revision = at_revisions[n];
    END LOOP;
    FOR n IN 1 .. cardinality(hashes) LOOP
      IF fits[owners[n]] THEN
        running := sha256(running || decode(hashes[n], 'hex'));
        written := written + 1;
      END IF;
      digests[n] := running;
      positions[n] := tail + written;
    END LOOP;
    IF written > 0 THEN
      INSERT INTO events
        SELECT e.position, at_time, e.revision, e.schema_version, decode(e.hash, 'hex'),
          e.digest, e.stream, e.id, e.type, e.data, e.metadata
        FROM unnest(owners, positions, revisions, schema_versions, hashes, digests, streams, ids, types, datas, metadatas)
          AS e(owner, position, revision, schema_version, hash, digest, stream, id, type, data, metadata)
        WHERE fits[e.owner];
      IF cardinality(projections) > 0 THEN
        SELECT coalesce(array_agg(m.position ORDER BY m.n), '{}') INTO applied FROM (
          SELECT p.position, a.n FROM unnest(projections, versions) WITH ORDINALITY AS a(name, version, n)
          JOIN inline_projections p USING (name, version) ORDER BY a.n FOR UPDATE OF p
        ) m;
        UPDATE inline_projections p SET position = tail + written
          FROM unnest(projections, versions) AS a(name, version) WHERE p.name = a.name AND p.version = a.version;
      END IF;
      PERFORM pg_notify(current_schema() || '_events', '');
    END IF;
    RETURN json_build_object('tail', tail, 'actuals', actuals, 'places', places, 'genuine', genuine,
      'applied', applied);
  END
  $body$;
`
