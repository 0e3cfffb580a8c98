import type { Environment, EventType } from '@quittance/domain'
import type { Announcement } from '@quittance/projections'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../load.ts'

/**
 * What is sent to an endpoint, and answered by `GET /events`. `data` is the resource as the interface shows it, as of the
 * event; `previous` holds what its fields that have changed were before, and stands on `*.updated` alone.
 */
export type EventBody = {
  readonly id: string
  readonly type: EventType
  /** When the fact came about: ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string
  readonly api_version: string
  readonly environment: Environment
  readonly resource_id: string
  readonly sequence: number
  readonly data: Readonly<Record<string, unknown>>
  readonly previous?: Readonly<Record<string, unknown>>
}

export type RenderAnnouncement = (announcement: Announcement) => TaskEither<StoreUnavailable, EventBody>
