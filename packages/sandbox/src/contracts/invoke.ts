import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { Invocation, InvocationOutcome } from './invocation.ts'

/** Runs a host function: calls a contract, creates one, or uploads its code. */
export const invoke = ({ mode }: Invocation): InvocationOutcome => ({
  result: E.left({
    error: xdr.ScError.sceWasmVm(xdr.ScErrorCode.scecMissingValue),
    contractError: null,
    resultCode: 'trapped',
  }),
  events: [],
  diagnostics: [],
  footprint: mode._tag === 'enforce' ? mode.footprint : new xdr.LedgerFootprint({ readOnly: [], readWrite: [] }),
  auth: mode.auth ?? [],
  archived: [],
  cost: { instructions: 0, readEntries: 0, writeEntries: 0, readBytes: 0, writeBytes: 0, eventBytes: 0, rentFee: 0n },
})
