import { xdr } from '@stellar/stellar-sdk'
import type { HandMadeOperation } from './hand-made.ts'

const extension = xdr.ExtensionPoint.v0()

const withoutEvents = (operations: ReadonlyArray<HandMadeOperation>): Array<xdr.OperationMeta> =>
  operations.map(({ changes = [] }) => new xdr.OperationMeta({ changes: [...changes] }))

/** The meta of protocols 20 to 22, in which a contract call's events stand outside of its operation. */
export const sorobanMeta = (operations: ReadonlyArray<HandMadeOperation>): xdr.TransactionMeta =>
  xdr.TransactionMeta.v3(
    new xdr.TransactionMetaV3({
      ext: extension,
      txChangesBefore: [],
      operations: withoutEvents(operations),
      txChangesAfter: [],
      sorobanMeta: new xdr.SorobanTransactionMeta({
        ext: xdr.SorobanTransactionMetaExt.v0(),
        events: operations.flatMap(({ events = [] }) => events),
        returnValue: xdr.ScVal.scvVoid(),
        diagnosticEvents: [],
      }),
    }),
  )

type MetaOf = (operations: ReadonlyArray<HandMadeOperation>) => xdr.TransactionMeta

/** The metas from before contracts, newest first. */
export const classicMetas: ReadonlyArray<readonly [name: string, meta: MetaOf]> = [
  [
    'v2',
    (operations) =>
      xdr.TransactionMeta.v2(
        new xdr.TransactionMetaV2({ txChangesBefore: [], operations: withoutEvents(operations), txChangesAfter: [] }),
      ),
  ],
  [
    'v1',
    (operations) =>
      xdr.TransactionMeta.v1(new xdr.TransactionMetaV1({ txChanges: [], operations: withoutEvents(operations) })),
  ],
  ['v0', (operations) => xdr.TransactionMeta.operations(withoutEvents(operations))],
]
