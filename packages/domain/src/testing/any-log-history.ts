import fc from 'fast-check'
import type { LogHistoryEvent } from '../log-history/index.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'

const anyMark = some.record({
  position: some.anyText,
  stream: some.anyText,
  revision: some.anyCount,
  hash: some.anyText,
  at: some.anyTime,
})
const anyForgotten = some.recordWith(
  {
    environment: some.anyEnvironment,
    account: some.anyAccount,
    transactionHash: some.orNothing(some.anyTransactionHash),
    ledger: some.anyLedger,
  },
  { accountSequence: some.anyText },
)
const few = { maxLength: 2 }

const logHistoryEvents: ByType<LogHistoryEvent> = {
  LogRollbackFound: event('LogRollbackFound', some.record({ lacked: fc.array(anyMark, few), foundAt: some.anyTime })),
  ForgottenTransactionFound: event('ForgottenTransactionFound', anyForgotten),
  LogAccepted: event(
    'LogAccepted',
    some.record({
      by: some.anyText,
      reason: some.anyText,
      acceptedAt: some.anyTime,
      lacked: fc.array(anyMark, few),
      forgotten: fc.array(anyForgotten, few),
      through: some.record({ testnet: some.orNothing(some.anyLedger), mainnet: some.orNothing(some.anyLedger) }),
      isForced: fc.boolean(),
    }),
  ),
}
export const anyLogHistoryEvent: fc.Arbitrary<LogHistoryEvent> = fc.oneof(...Object.values(logHistoryEvents))
