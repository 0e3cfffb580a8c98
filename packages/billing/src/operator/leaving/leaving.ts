import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Services } from '../../services/services.ts'
import {
  type Arrived,
  type ArriveFailure,
  type ArriveRequest,
  arrive,
  destinationHere,
  type Exported,
  inspect,
} from './arrive.ts'
import type { CheckFailure } from './checked.ts'
import { type LeaveFailure, type LeaveRequest, type Left, leave } from './leave.ts'

/**
 * Merchants leave for other installations, and come from them. Whoever exports or imports must be the only process that has the
 * installation open, and close it afterwards: others hold what has left, and miss what has come.
 */
export interface Leaving {
  /** The name by which others export to this installation. Makes its secret, once. */
  readonly destination: () => Promise<string>
  readonly leave: (request: LeaveRequest) => TE.TaskEither<LeaveFailure, Left>
  readonly inspect: (path: string) => TE.TaskEither<CheckFailure, Exported>
  readonly arrive: (request: ArriveRequest) => TE.TaskEither<ArriveFailure, Arrived>
}

export const leaving = (services: Services): Leaving => ({
  destination: () => destinationHere(services),
  leave: (request) => () => leave(services, request),
  inspect: (path) => async () => inspect(services, path),
  arrive: (request) => () => arrive(services, request),
})
