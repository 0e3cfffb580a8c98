import type * as t from 'io-ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import {
  Approval,
  type ApprovalDecision,
  type ApprovalStatus,
  type HistoryEntry,
  Limits,
  type NewLimit,
} from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

type Query = ListQuery & { readonly status?: t.TypeOf<typeof ApprovalStatus> }
type Decision = RequestBody<typeof ApprovalDecision>

/** Refunds and payouts over a limit, and the limits. */
export const approvalsOf = (connection: Connection) => {
  const decide = (id: string, decision: string, body: Decision, options?: CommandOptions): Promise<Approval> =>
    connection.ask(
      { method: 'POST', path: ['approvals', id, decision], body, answer: data(Approval), isCommand: true },
      options,
    )
  return {
    retrieve: (id: string, options?: CallOptions): Promise<Approval> =>
      connection.ask({ method: 'GET', path: ['approvals', id], answer: data(Approval) }, options),
    list: ({ status, ...query }: Query = {}, options?: CallOptions): Listing<Approval> =>
      listing(connection, ['approvals'], Approval, query, options, { status }),
    /** What happened to it and to what belongs to it, oldest first. */
    history: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
      historyAt(connection, ['approvals', id, 'history'], query, options),
    /** Rejects with `approval_by_requester` if your key has requested it. */
    approve: (id: string, body: Decision = {}, options?: CommandOptions): Promise<Approval> =>
      decide(id, 'approve', body, options),
    reject: (id: string, body: Decision = {}, options?: CommandOptions): Promise<Approval> =>
      decide(id, 'reject', body, options),
    limits: (options?: CallOptions): Promise<Limits> =>
      connection.ask({ method: 'GET', path: ['limits'], answer: data(Limits) }, options),
    /** A lower limit counts at once, a higher one after 24 hours. */
    setLimit: (body: RequestBody<typeof NewLimit>, options?: CommandOptions): Promise<Limits> =>
      connection.ask({ method: 'PUT', path: ['limits'], body, answer: data(Limits), isCommand: true }, options),
  }
}
