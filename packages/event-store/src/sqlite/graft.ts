import type { NewEvent, RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { sealEvent } from '../chain.ts'
import { proof } from '../copy/proof.ts'
import type { SqlDatabase } from '../sql.ts'
import { archivedPart } from './archive/archived.ts'
import { readHead, readTail } from './heads.ts'
import { eventInserter } from './insert.ts'

/** Writes whole streams of another log behind the end of this one. */
export type Graft = {
  /** Whether the log has a stream of this name. */
  readonly holds: (stream: string) => boolean
  /**
   * Adds the next event of a stream, with its id, its hash and its recorded time. Answers its problem where it does not follow
   * the event before it, or its hash does not match its content.
   */
  readonly add: (event: RecordedEvent) => string | null
  /** Seals an event of this log's own at the end of a stream. */
  readonly append: (stream: string, event: NewEvent, recordedAt: number) => void
}

/**
 * Runs `work` in one transaction: readers see all that it adds, or nothing. Rows of projections follow when the log is next
 * opened with them, so no process that has them may have the log open.
 */
export const graftStreams = <A>(sql: SqlDatabase, work: (graft: Graft) => A): A =>
  sql.transaction(() => {
    const insert = eventInserter(sql)
    const archived = archivedPart(sql)
    const chains = proof()
    let tail = readTail(sql)
    return work({
      holds: (stream) => readHead(sql, archived.head, stream).revision >= 0,
      add: (event) => {
        const stored = chains.next(event)
        if (E.isLeft(stored)) return stored.left
        tail = insert(tail, stored.right, event.recordedAt)
        return null
      },
      append: (stream, event, recordedAt) => {
        const { revision, hash } = readHead(sql, archived.head, stream)
        tail = insert(tail, sealEvent({ revision: BigInt(revision), hash }, stream, event), recordedAt)
      },
    })
  })
